// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instruction-based sampling: which registers and bits each processor has, and what
 * writes of the controls do to the counts.
 */

#include "ibs_harness.h"

static void the_count_can_be_put_back(void **state)
{
	static const struct {
		const char *model;
		bool counts;
	} rows[] = {
		{ "k10", false }, { "fam15h", true }, { "zen", true },
		{ "zen4", true }, { "zen5", true },
	};
	uint64_t ctl, half;
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		start(&pmu, rows[i].model);
		/* Cycles. */
		wr(&pmu, OP_CTL, OP_EN | OP_MAX(960));
		run(&pmu, 400);
		ctl = rd(&pmu, OP_CTL);
		assert_int_equal(ctl >> OP_COUNT_SHIFT,
				 rows[i].counts ? 600 : 0);
		wr(&pmu, OP_CTL, 0);
		run(&pmu, 50);
		if (!rows[i].counts)
			ctl |= 600ull << OP_COUNT_SHIFT;
		wr(&pmu, OP_CTL, ctl);
		half = rows[i].counts ? 240 : 640;
		assert_int_equal(run_to_interrupt(&pmu, 5000), half + 1);
	}
}

/* Without a transition of the enable bit the next fetch is tagged at once. */
static void families_16h_to_18h_reset_the_fetch_count_by_an_edge(void **state)
{
	const uint64_t ctl = FETCH_EN | OP_MAX(0x100);
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ibs_models); i++) {
		start(&pmu, ibs_models[i]);
		wr(&pmu, FETCH_CTL, ctl);
		assert_int_equal(run_to_interrupt(&pmu, 5000), 4 * 0x101);
		wr(&pmu, FETCH_CTL, ctl);
		assert_int_equal(run_to_interrupt(&pmu, 5000),
				 strcmp(ibs_models[i], "zen") ? 4 * 0x101 : 4);
		wr(&pmu, FETCH_CTL, ctl & ~FETCH_EN);
		wr(&pmu, FETCH_CTL, ctl);
		assert_int_equal(run_to_interrupt(&pmu, 5000), 4 * 0x101);
	}
}

static void random_tagging_shortens_a_period_by_up_to_15_fetches(void **state)
{
	uint64_t first = 0, insns;
	bool differ = false;
	struct pmu pmu;
	unsigned int i;

	(void)state;
	start(&pmu, "zen4");
	for (i = 0; i < 50; i++) {
		wr(&pmu, FETCH_CTL, FETCH_EN | FETCH_RANDOM | OP_MAX(0x100));
		insns = run_to_interrupt(&pmu, 5000);
		assert_in_range(insns, 4 * (0x101 - 15), 4 * 0x101);
		first = i ? first : insns;
		differ |= insns != first;
	}
	assert_true(differ);
}

static void registers_exist_as_the_capabilities_say(void **state)
{
	static const struct {
		const char *model;
		uint32_t caps;
		bool branch_target, fetch_extended;
		uint64_t op_bits;
	} rows[] = {
		{ "k10", 0x7, false, false, 0xffff },
		{ "fam15h", 0xff, true, false, 0x7ffffff07f8ffff },
		{ "zen", 0x3ff, true, true, 0x7ffffff07f8ffff },
		{ "zen4", 0xbff, true, true, 0x7ffffff07f9ffff },
		{ "zen5", 0x1bff, true, true, 0xffffffff07f9ffff },
	};
	const uint64_t not_running = ~(OP_EN | OP_VAL);
	uint32_t regs[4] = { 0 };
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		start(&pmu, rows[i].model);
		assert_true(pmu_cpuid(&pmu, 0x8000001b, 0, regs));
		assert_int_equal(regs[0], rows[i].caps);
		if (rows[i].branch_target)
			rd(&pmu, BRANCH_TARGET);
		else
			rd_faults(&pmu, BRANCH_TARGET);
		if (rows[i].fetch_extended)
			rd(&pmu, FETCH_EXTENDED);
		else
			rd_faults(&pmu, FETCH_EXTENDED);
		rd_faults(&pmu, OP_DATA4);
		wr_faults(&pmu, OP_DATA4, 0);
		wr(&pmu, OP_CTL, not_running);
		assert_int_equal(rd(&pmu, OP_CTL), rows[i].op_bits);
		wr_faults(&pmu, IBS_CTL, 0x100);
		assert_int_equal(rd(&pmu, IBS_CTL), 0x100 | pmu_ibs_lvt(&pmu));
		regs[2] = 0;
		assert_true(pmu_cpuid(&pmu, 0x80000001, 0, regs));
		assert_int_equal(regs[2], 1 << 10 | 1 << 3);
	}
}

static bool has_ibs(const char *model)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ibs_models); i++)
		if (!strcmp(ibs_models[i], model))
			return true;
	return false;
}

static void other_processors_have_none(void **state)
{
	uint32_t regs[4] = { 0 };
	struct pmu pmu;
	unsigned int i;
	uint32_t msr;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(models); i++) {
		start_model(&pmu, &models[i]);
		assert_int_equal(pmu_has_ibs(&pmu), has_ibs(models[i].name));
		if (has_ibs(models[i].name))
			continue;
		for (msr = FETCH_CTL; msr <= OP_DATA4; msr++) {
			rd_faults(&pmu, msr);
			wr_faults(&pmu, msr, OP_EN | 0xffff);
		}
		assert_false(pmu_cpuid(&pmu, 0x80000001, 0, regs));
		assert_false(pmu_cpuid(&pmu, 0x8000001b, 0, regs));
		wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
			  PMU_FAULT(PMU_FAULT_IBS_FOREIGN, 1));
	}
}

static void a_reset_stops_the_units(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu, "fam15h");
	wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
	wr(&pmu, FETCH_CTL, FETCH_EN | OP_MAX(0x20));
	run(&pmu, 500);
	assert_true(fetch_valid(&pmu));
	pmu_reset(&pmu);
	assert_false(pmu_take_ibs(&pmu));
	assert_int_equal(rd(&pmu, OP_CTL), 0);
	assert_int_equal(rd(&pmu, FETCH_CTL), 0);
	assert_int_equal(rd(&pmu, IBS_CTL), 0x100);
	assert_int_equal(pmu_distance(&pmu), PMU_NEVER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_count_can_be_put_back),
		cmocka_unit_test(
			families_16h_to_18h_reset_the_fetch_count_by_an_edge),
		cmocka_unit_test(
			random_tagging_shortens_a_period_by_up_to_15_fetches),
		cmocka_unit_test(registers_exist_as_the_capabilities_say),
		cmocka_unit_test(other_processors_have_none),
		cmocka_unit_test(a_reset_stops_the_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
