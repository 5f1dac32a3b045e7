// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4: what an overflow does: flags, interrupts and cascades.
 */

#include "p4_harness.h"

static void an_overflow_sets_the_flag_of_its_cccr(void **state)
{
	struct pmu pmu = p4();

	(void)state;
	start(&pmu, 16, ENABLE, T0_OS);
	wr(&pmu, CTR(16), FULL - 99);
	run(&pmu, 99);
	assert_false(rd(&pmu, CCCR(16)) & OVF);
	run(&pmu, 1);
	assert_true(rd(&pmu, CCCR(16)) & OVF);
	assert_int_equal(rd(&pmu, CTR(16)), 0);
	/* It stays until it is cleared. */
	run(&pmu, 1000);
	assert_true(rd(&pmu, CCCR(16)) & OVF);
	wr(&pmu, CCCR(16), rd(&pmu, CCCR(16)) & ~OVF);
	assert_false(rd(&pmu, CCCR(16)) & OVF);
	assert_false(pmu_take_pmi(&pmu));
}

static void the_interrupt_comes_exactly_and_masks_the_lvtpc(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 12; i < COUNTERS; i++) {
		struct pmu pmu = p4();

		start(&pmu, i, ENABLE | PMI_T0, T0_OS);
		wr(&pmu, CTR(i), FULL - 996);
		assert_int_equal(pmu_distance(&pmu), 997);
		run(&pmu, 996);
		assert_false(pmu_take_pmi(&pmu));
		run(&pmu, 1);
		assert_int_equal(pmu_distance(&pmu), 0);
		assert_true(pmu_take_pmi(&pmu));
		assert_true(pmu_lvt_automask(&pmu));
	}
}

static void the_interrupt_repeats_until_its_flag_is_cleared(void **state)
{
	struct pmu pmu = p4();

	(void)state;
	start(&pmu, 12, ENABLE | PMI_T0, T0_OS);
	start(&pmu, 13, ENABLE | PMI_T0, T0_OS);
	wr(&pmu, CTR(12), FULL);
	wr(&pmu, CTR(13), FULL);
	run(&pmu, 1);
	assert_true(pmu_take_pmi(&pmu));
	assert_true(pmu_take_pmi(&pmu));
	wr(&pmu, CCCR(12), 0);
	assert_true(pmu_take_pmi(&pmu)); /* the other one's */
	wr(&pmu, CCCR(13), rd(&pmu, CCCR(13)) & ~OVF);
	assert_false(pmu_take_pmi(&pmu));
	assert_true(pmu_distance(&pmu) > 1000);
	/* Software can set the flag itself. */
	wr(&pmu, CCCR(13), OVF | PMI_T0);
	assert_true(pmu_take_pmi(&pmu));
	wr(&pmu, CCCR(13), OVF);
	assert_false(pmu_take_pmi(&pmu));
}

static void force_ovf_makes_each_event_an_overflow(void **state)
{
	struct pmu pmu = p4();

	(void)state;
	start(&pmu, 12, ENABLE | PMI_T0 | FORCE_OVF, T0_USR);
	wr(&pmu, CTR(12), FULL - 1000);
	run(&pmu, 100); /* kernel: no events */
	assert_false(pmu_take_pmi(&pmu));
	pmu_set_user(&pmu, true);
	assert_int_equal(pmu_distance(&pmu), 1);
	run(&pmu, 1);
	assert_true(rd(&pmu, CCCR(12)) & OVF);
	assert_int_equal(rd(&pmu, CTR(12)), FULL - 999);
	assert_true(pmu_take_pmi(&pmu));
	wr(&pmu, CCCR(12), rd(&pmu, CCCR(12)) & ~OVF);
	assert_false(pmu_take_pmi(&pmu));
	run(&pmu, 1);
	assert_true(pmu_take_pmi(&pmu));
}

/* The waiting counter starts with the instruction after the overflow. */
static void check_cascade(unsigned int from, unsigned int to, uint32_t bit,
			  bool works)
{
	struct pmu pmu = p4();

	start(&pmu, to, bit, T0_OS);
	start(&pmu, from, ENABLE, T0_OS);
	wr(&pmu, CTR(from), FULL - 199);
	run(&pmu, 1000000);
	if (!works) {
		assert_int_equal(rd(&pmu, CTR(to)), 0);
		return;
	}
	if (group_of(from)->den == 2) /* clocks: 134 instructions for 201 */
		assert_in_range(rd(&pmu, CTR(to)), 1499798, 1499802);
	else
		assert_int_equal(rd(&pmu, CTR(to)), 999800);
	assert_false(rd(&pmu, CCCR(to)) & ENABLE);
	/* A new value of its CCCR ends it. */
	wr(&pmu, CCCR(to), rd(&pmu, CCCR(to)));
	wr(&pmu, CTR(to), 0);
	run(&pmu, 1000);
	assert_int_equal(rd(&pmu, CTR(to)), 0);
}

static void cascade_switches_on_the_counter_of_the_other_half(void **state)
{
	unsigned int from, to;

	(void)state;
	for (from = 0; from < COUNTERS; from++) {
		for (to = 0; to < COUNTERS; to++) {
			const bool pair = to < 16 && from == (to ^ 2);
			const bool third = to >= 16 && from == to - 2;

			if (from != to)
				check_cascade(from, to, CASCADE, pair || third);
		}
	}
}

static void extended_cascade_has_ways_of_its_own(void **state)
{
	static const struct {
		unsigned int from, to;
	} ways[] = { { 16, 12 }, { 17, 15 }, { 17, 16 }, { 16, 17 } };
	unsigned int w, from;

	(void)state;
	for (w = 0; w < ARRAY_SIZE(ways); w++)
		for (from = 12; from < COUNTERS; from++)
			if (from != ways[w].to)
				check_cascade(from, ways[w].to, EXT_CASCADE,
					      from == ways[w].from);
}

/* 200 of one event, then 400 of another, then the interrupt. */
static void nested_periods_interrupt_exactly(void **state)
{
	struct pmu pmu = p4();
	uint64_t insns = 0, distance;

	(void)state;
	start(&pmu, 14, CASCADE | PMI_T0, T0_OS);
	start(&pmu, 12, ENABLE, T0_OS);
	wr(&pmu, CTR(12), FULL - 199);
	wr(&pmu, CTR(14), FULL - 399);
	while ((distance = pmu_distance(&pmu)) != 0) {
		assert_true(distance <= 400);
		run(&pmu, distance);
		insns += distance;
	}
	assert_int_equal(insns, 600);
	assert_int_equal(rd(&pmu, CTR(14)), 0);
	assert_int_equal(rd(&pmu, CTR(12)), 400);
	assert_true(pmu_take_pmi(&pmu));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_overflow_sets_the_flag_of_its_cccr),
		cmocka_unit_test(
			the_interrupt_comes_exactly_and_masks_the_lvtpc),
		cmocka_unit_test(
			the_interrupt_repeats_until_its_flag_is_cleared),
		cmocka_unit_test(force_ovf_makes_each_event_an_overflow),
		cmocka_unit_test(
			cascade_switches_on_the_counter_of_the_other_half),
		cmocka_unit_test(extended_cascade_has_ways_of_its_own),
		cmocka_unit_test(nested_periods_interrupt_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
