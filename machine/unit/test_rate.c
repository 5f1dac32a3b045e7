// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arithmetic of events per instruction: the closed forms of counter mask,
 * inversion and edge detection against a simulation step by step.
 */

#include "design.h"
#include "pmu_harness.h"

#define STEPS 400

static const struct pmu_rate rates[] = {
	{ 1, 1, 0 }, { 3, 2, 0 },  { 1, 2, 0 },	  { 1, 3, 0 }, { 2, 3, 0 },
	{ 5, 2, 0 }, { 7, 10, 0 }, { 3, 10, 0 },  { 2, 1, 0 }, { 11, 4, 0 },
	{ 0, 1, 0 }, { 1, 50, 0 }, { 49, 50, 0 },
};

/* Occurrences in a step, straight from the definition in rate.c. */
static uint64_t occurrences(struct pmu_rate rate, uint64_t step)
{
	return (step + 1) * rate.num / rate.den - step * rate.num / rate.den;
}

static bool condition(struct pmu_rate rate, uint64_t step, unsigned int cmask,
		      bool invert)
{
	const uint64_t occ = occurrences(rate, step);

	if (!cmask)
		return occ >= 1;
	return (occ >= cmask) != invert;
}

static uint64_t simulated_step(struct pmu_rate rate, uint64_t step,
			       unsigned int cmask, bool invert, bool edge)
{
	if (edge)
		return step > 0 && condition(rate, step, cmask, invert) &&
		       !condition(rate, step - 1, cmask, invert);
	if (cmask)
		return condition(rate, step, cmask, invert);
	return occurrences(rate, step);
}

static void compare(struct pmu_rate rate, unsigned int cmask, bool invert,
		    bool edge)
{
	struct pmu_counter c = { .mask = UINT32_MAX, .rate = { 0, 1, 0 } };
	uint64_t expected = 0;
	uint64_t step;

	pmu_set_rate(&c, pmu_rate_filter(rate, cmask, invert, edge));
	for (step = 0; step < STEPS; step++) {
		expected += simulated_step(rate, step, cmask, invert, edge);
		pmu_advance(&c, 1);
		if (c.value != expected)
			fail_msg("rate %u/%u cmask %u inv %d edge %d step %d: "
				 "%d, expected %d",
				 rate.num, rate.den, cmask, invert, edge,
				 (int)step, (int)c.value, (int)expected);
	}
}

static void filters_count_as_defined(void **state)
{
	unsigned int i, cmask;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		for (cmask = 0; cmask <= 4; cmask++) {
			compare(rates[i], cmask, false, false);
			compare(rates[i], cmask, false, true);
			compare(rates[i], cmask, true, false);
			compare(rates[i], cmask, true, true);
		}
	}
}

static void slices_do_not_change_counts(void **state)
{
	uint32_t random = 1;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		struct pmu_counter whole = { .mask = UINT32_MAX };
		struct pmu_counter parts = { .mask = UINT32_MAX };
		uint64_t left = 1000000;

		pmu_set_rate(&whole, rates[i]);
		pmu_set_rate(&parts, rates[i]);
		pmu_advance(&whole, left);
		while (left) {
			const uint64_t part = 1 + next_random(&random) % 5000;

			pmu_advance(&parts, part < left ? part : left);
			left -= part < left ? part : left;
		}
		assert_int_equal(parts.value, whole.value);
		assert_int_equal(parts.rem, whole.rem);
	}
}

static void distance_is_the_first_step_that_wraps(void **state)
{
	uint32_t random = 7;
	unsigned int round;

	(void)state;
	for (round = 0; round < 200000; round++) {
		const struct pmu_rate rate = {
			1 + next_random(&random) % 5,
			1 + next_random(&random) % 1025,
			0,
		};
		struct pmu_counter c = { .mask = (1ull << 40) - 1 };
		uint64_t distance;

		pmu_set_rate(&c, rate);
		pmu_advance(&c, next_random(&random) % 1000);
		c.value = c.mask - next_random(&random) % 100000;
		distance = pmu_insns_to_overflow(&c);
		assert_true(distance >= 1);
		if (distance > 1)
			assert_false(pmu_advance(&c, distance - 1));
		assert_true(pmu_advance(&c, 1));
	}
}

static void a_counter_without_events_never_overflows(void **state)
{
	struct pmu_counter c = { .mask = UINT32_MAX, .value = UINT32_MAX };

	(void)state;
	pmu_set_rate(&c, (struct pmu_rate){ 0, 1, 0 });
	c.rate.den = 1;
	assert_int_equal(pmu_insns_to_overflow(&c), PMU_NEVER);
	assert_false(pmu_advance(&c, 1000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(filters_count_as_defined),
		cmocka_unit_test(slices_do_not_change_counts),
		cmocka_unit_test(distance_is_the_first_step_that_wraps),
		cmocka_unit_test(a_counter_without_events_never_overflows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
