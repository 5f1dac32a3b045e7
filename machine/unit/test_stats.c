// SPDX-License-Identifier: GPL-2.0-only
/*
 * The statistics block: what is counted, what clears it, what it refuses.
 */

#include "pmu_harness.h"

static void register_accesses_are_counted(void **state)
{
	struct pmu pmu;
	uint64_t value;

	(void)state;
	assert_true(pmu_init(&pmu, "zen"));
	rd(&pmu, 0xc0010200);
	rd(&pmu, 0xc0010004);
	wr(&pmu, 0xc0010200, 0);
	wr(&pmu, 0xc0010201, 5);
	wr(&pmu, 0xc0010004, 5);
	pmu_rdpmc(&pmu, 0, &value);
	pmu_rdpmc(&pmu, 9, &value);
	assert_int_equal(stat(&pmu, PMU_STAT_RDMSR), 2);
	assert_int_equal(stat(&pmu, PMU_STAT_WRMSR), 3);
	assert_int_equal(stat(&pmu, PMU_STAT_WRCTR), 2);
	assert_int_equal(stat(&pmu, PMU_STAT_RDPMC), 1);
	assert_int_equal(stat(&pmu, PMU_STAT_GP), 0);
}

static void refused_accesses_are_counted_apart(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "p6"));
	rd_faults(&pmu, 0x38f);
	wr_faults(&pmu, 0x186, UINT64_MAX);
	assert_int_equal(stat(&pmu, PMU_STAT_GP), 2);
	assert_int_equal(stat(&pmu, PMU_STAT_GP_MSR), 0x186);
	assert_int_equal(stat(&pmu, PMU_STAT_RDMSR), 0);
	assert_int_equal(stat(&pmu, PMU_STAT_WRMSR), 0);
}

static void instructions_and_levels_are_counted(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "k7"));
	run(&pmu, 100);
	pmu_set_user(&pmu, true);
	run(&pmu, 30);
	pmu_set_user(&pmu, true);
	run(&pmu, 12);
	pmu_set_user(&pmu, false);
	run(&pmu, 8);
	assert_int_equal(stat(&pmu, PMU_STAT_INSNS), 150);
	assert_int_equal(stat(&pmu, PMU_STAT_USER_INSNS), 42);
	assert_int_equal(stat(&pmu, PMU_STAT_CPL), 2);
	assert_int_equal(stat(&pmu, PMU_STAT_SYNC), 4);
}

static void going_back_in_time_counts_nothing(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "k7"));
	pmu_sync(&pmu, 100);
	pmu_sync(&pmu, 99);
	assert_int_equal(stat(&pmu, PMU_STAT_INSNS), 100);
}

static void what_the_owner_counts_is_there(void **state)
{
	static const unsigned int stats[] = {
		PMU_STAT_PMI,
		PMU_STAT_KICK,
		PMU_STAT_ACCOUNT,
	};
	struct pmu pmu;
	unsigned int i;

	(void)state;
	assert_true(pmu_init(&pmu, "k7"));
	for (i = 0; i < ARRAY_SIZE(stats); i++) {
		pmu_count_stat(&pmu, stats[i]);
		assert_int_equal(stat(&pmu, stats[i]), 1);
	}
}

static void zero_clears_and_everything_else_faults(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "k7"));
	rd(&pmu, 0xc0010000);
	run(&pmu, 10);
	wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_RDMSR, 1);
	assert_int_equal(stat(&pmu, PMU_STAT_RDMSR), 1);
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_RDMSR, 0);
	assert_int_equal(stat(&pmu, PMU_STAT_RDMSR), 0);
	wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_INSNS, 0);
	assert_int_equal(stat(&pmu, PMU_STAT_INSNS), 10);
	wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_MAGIC, 0);
	assert_int_equal(stat(&pmu, PMU_STAT_MAGIC), PMU_STAT_MAGIC_VALUE);
}

static void gaps_of_the_block_fault(void **state)
{
	static const uint32_t gaps[] = { 0x12, 0x1f, 0x29, 0x2f };
	struct pmu pmu;
	unsigned int i;

	(void)state;
	assert_true(pmu_init(&pmu, "k7"));
	for (i = 0; i < ARRAY_SIZE(gaps); i++) {
		rd_faults(&pmu, PMU_STAT_BASE + gaps[i]);
		wr_faults(&pmu, PMU_STAT_BASE + gaps[i], 0);
	}
	assert_int_equal(stat(&pmu, PMU_STAT_GP), 0);
}

static void statistics_are_cleared_and_not_set(void **state)
{
	static const uint32_t stats[] = {
		PMU_STAT_RDMSR,	  PMU_STAT_GP_MSR,	 PMU_STAT_IBS_OP,
		PMU_STAT_PEBS,	  PMU_STAT_PEBS_DROPPED, PMU_STAT_DS_FAULT,
		PMU_STAT_IBS_IRQ, PMU_STAT_BRANCHES,
	};
	struct pmu pmu;
	unsigned int i;

	(void)state;
	assert_true(pmu_init(&pmu, "skylake"));
	for (i = 0; i < ARRAY_SIZE(stats); i++) {
		pmu_count_stat(&pmu, stats[i]);
		assert_int_equal(stat(&pmu, stats[i]), 1);
		wr_faults(&pmu, PMU_STAT_BASE + stats[i], 1);
		wr(&pmu, PMU_STAT_BASE + stats[i], 0);
		assert_int_equal(stat(&pmu, stats[i]), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(register_accesses_are_counted),
		cmocka_unit_test(refused_accesses_are_counted_apart),
		cmocka_unit_test(instructions_and_levels_are_counted),
		cmocka_unit_test(going_back_in_time_counts_nothing),
		cmocka_unit_test(what_the_owner_counts_is_there),
		cmocka_unit_test(zero_clears_and_everything_else_faults),
		cmocka_unit_test(statistics_are_cleared_and_not_set),
		cmocka_unit_test(gaps_of_the_block_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
