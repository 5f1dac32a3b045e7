// SPDX-License-Identifier: GPL-2.0-only
/*
 * Zen's pairs of counters: an event that comes in crowds is counted rightly by an
 * even counter if the next one merges.
 */

#include "pmu_harness.h"

#define FLOPS 0xff03ull
#define MERGE 0xf000000ffull
#define UPPER_END 0xffffull

static const struct model *find_model(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (!strcmp(models[i].name, name))
			return &models[i];
	fail();
	return NULL;
}

/* What counter i has of the FLOPs of so many instructions. */
static uint64_t flops(const char *name, unsigned int i, bool merged)
{
	const struct model *m = find_model(name);
	struct pmu pmu;

	start_model(&pmu, m);
	start_counter(&pmu, m, i, FLOPS | OS);
	if (merged)
		start_counter(&pmu, m, i + 1, MERGE);
	run(&pmu, 1000000);
	return rd(&pmu, counter_msr(m, i));
}

static void a_pair_counts_what_a_counter_alone_loses(void **state)
{
	static const char *const names[] = { "zen", "zen4" };
	unsigned int i, n;

	(void)state;
	for (n = 0; n < ARRAY_SIZE(names); n++)
		for (i = 0; i < 6; i += 2) {
			const uint64_t all = flops(names[n], i, true);

			assert_true(all > 100);
			assert_int_equal(flops(names[n], i, false),
					 all * 3 / 4);
		}
}

static void odd_counters_do_not_count_it(void **state)
{
	(void)state;
	assert_int_equal(flops("zen", 1, false), 0);
	assert_int_equal(flops("zen", 1, true), 0);
}

static void a_counter_that_merges_counts_nothing_itself(void **state)
{
	const struct model *m = find_model("zen");
	struct pmu pmu;

	(void)state;
	start_model(&pmu, m);
	start_counter(&pmu, m, 0, INSNS_EVENT | OS);
	start_counter(&pmu, m, 1, MERGE | OS);
	run(&pmu, 1000);
	assert_int_equal(rd(&pmu, counter_msr(m, 0)), 1000);
	assert_int_equal(rd(&pmu, counter_msr(m, 1)), 0);
}

static void the_upper_counter_has_what_the_lower_one_carries(void **state)
{
	const struct model *m = find_model("zen");
	struct pmu pmu;

	(void)state;
	start_model(&pmu, m);
	wr(&pmu, counter_msr(m, 2), -5ull);
	wr(&pmu, counter_msr(m, 3), 7);
	start_counter(&pmu, m, 2, FLOPS | OS | INT);
	start_counter(&pmu, m, 3, MERGE);
	run(&pmu, 1000000);
	assert_int_equal(rd(&pmu, counter_msr(m, 3)), 8);
	assert_false(pmu_take_pmi(&pmu));
}

/* Which is how a period is made: the upper half is all ones. */
static void a_pair_interrupts_when_both_wrap(void **state)
{
	const struct model *m = find_model("zen");
	struct pmu pmu;

	(void)state;
	start_model(&pmu, m);
	wr(&pmu, counter_msr(m, 4), -5ull);
	wr(&pmu, counter_msr(m, 5), UPPER_END);
	start_counter(&pmu, m, 4, FLOPS | OS | INT);
	start_counter(&pmu, m, 5, MERGE);
	run(&pmu, pmu_distance(&pmu) - 1);
	assert_false(pmu_take_pmi(&pmu));
	run(&pmu, 1);
	assert_true(pmu_take_pmi(&pmu));
	assert_int_equal(rd(&pmu, counter_msr(m, 5)), 0);
}

static void taking_the_merge_event_away_parts_them(void **state)
{
	const struct model *m = find_model("zen");
	struct pmu pmu;

	(void)state;
	start_model(&pmu, m);
	wr(&pmu, counter_msr(m, 0), -5ull);
	start_counter(&pmu, m, 0, FLOPS | OS | INT);
	start_counter(&pmu, m, 1, MERGE);
	wr(&pmu, select_msr(m, 1), 0);
	run(&pmu, 1000000);
	assert_true(pmu_take_pmi(&pmu));
	assert_int_equal(rd(&pmu, counter_msr(m, 1)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pair_counts_what_a_counter_alone_loses),
		cmocka_unit_test(odd_counters_do_not_count_it),
		cmocka_unit_test(a_counter_that_merges_counts_nothing_itself),
		cmocka_unit_test(
			the_upper_counter_has_what_the_lower_one_carries),
		cmocka_unit_test(a_pair_interrupts_when_both_wrap),
		cmocka_unit_test(taking_the_merge_event_away_parts_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
