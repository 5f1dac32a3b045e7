// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the newer versions of Intel's architectural PMU and AMD's PerfMonV2 add:
 * any-thread bits, full-width writes, setting and freezing by the status, the
 * bitmap of fixed counters, global control of AMD's counters.
 */

#include "pmu_harness.h"

#define ANY (1ull << 21)
#define IN_TX (1ull << 32)
#define IN_TXCP (1ull << 33)
#define CTR_FRZ (1ull << 59)

static void any_thread_bits_exist_where_cpuid_does_not_deny_them(void **state)
{
	static const char *const with[] = { "nehalem", "haswell", "skylake" };
	static const char *const without[] = { "core2", "arch2", "icelake",
					       "spr",	"gnr",	 "srf" };
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(with); i++) {
		assert_true(pmu_init(&pmu, with[i]));
		wr(&pmu, 0x186, INSNS_EVENT | OS | EN | ANY);
		wr(&pmu, FIXED_CTRL, 0x555);
		wr(&pmu, GLOBAL_CTRL, 1 | 7ull << 32);
		run(&pmu, 100);
		assert_int_equal(rd(&pmu, 0xc1), 100);
		assert_int_equal(rd(&pmu, FIXED_CTR0), 100);
	}
	for (i = 0; i < ARRAY_SIZE(without); i++) {
		assert_true(pmu_init(&pmu, without[i]));
		wr_faults(&pmu, 0x186, INSNS_EVENT | OS | EN | ANY);
		wr_faults(&pmu, FIXED_CTRL, 0x444);
	}
}

static void checkpointed_transactions_are_for_counter_2_only(void **state)
{
	struct pmu pmu;
	unsigned int i;

	(void)state;
	assert_true(pmu_init(&pmu, "haswell"));
	for (i = 0; i < 4; i++) {
		wr(&pmu, 0x186 + i, INSNS_EVENT | IN_TX);
		if (i == 2)
			wr(&pmu, 0x186 + i, INSNS_EVENT | IN_TXCP);
		else
			wr_faults(&pmu, 0x186 + i, INSNS_EVENT | IN_TXCP);
	}
}

static void full_width_addresses_name_the_same_counters(void **state)
{
	unsigned int model, i;
	struct pmu pmu;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++) {
		const struct model *m = &models[model];

		if (!m->full_width)
			continue;
		start_model(&pmu, m);
		assert_int_equal(rd(&pmu, PERF_CAPABILITIES),
				 1 << 13 | m->pebs | m->lbr);
		for (i = 0; i < m->counters; i++) {
			wr(&pmu, FULL_WIDTH_PMC0 + i, 0x123456789a + i);
			assert_int_equal(rd(&pmu, 0xc1 + i), 0x123456789a + i);
			wr(&pmu, 0xc1 + i, 5);
			assert_int_equal(rd(&pmu, FULL_WIDTH_PMC0 + i), 5);
		}
		assert_int_equal(stat(&pmu, PMU_STAT_WRCTR), 2 * m->counters);
	}
}

static void cpuid_announces_the_capabilities_msr(void **state)
{
	uint32_t regs[4] = { 1, 2, 4, 8 };
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "arch2"));
	assert_false(pmu_cpuid(&pmu, 1, 0, regs));
	assert_true(pmu_init(&pmu, "gnr"));
	assert_true(pmu_cpuid(&pmu, 1, 0, regs));
	assert_int_equal(regs[0], 1);
	assert_int_equal(regs[1], 2);
	assert_int_equal(regs[2], 4 | 1 << 15);
	assert_int_equal(regs[3], 8);
}

static void status_can_be_set_and_freezes_the_counters(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "skylake"));
	wr(&pmu, 0x186, INSNS_EVENT | OS | EN);
	wr(&pmu, GLOBAL_STATUS_SET, 1 | CTR_FRZ);
	assert_int_equal(rd(&pmu, GLOBAL_STATUS), 1 | CTR_FRZ);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, 0xc1), 0);
	wr(&pmu, GLOBAL_OVF_CTRL, CTR_FRZ);
	assert_int_equal(rd(&pmu, GLOBAL_STATUS), 1);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, 0xc1), 100);
}

static void inuse_tells_which_counters_are_programmed(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "icelake"));
	assert_int_equal(rd(&pmu, GLOBAL_INUSE), 0);
	wr(&pmu, 0x188, INSNS_EVENT);
	wr(&pmu, FIXED_CTRL, 0x2030);
	assert_int_equal(rd(&pmu, GLOBAL_INUSE), 4 | 1ull << 33 | 1ull << 35);
	wr(&pmu, 0x188, INSNS_EVENT | INT);
	assert_int_equal(rd(&pmu, GLOBAL_INUSE),
			 4 | 1ull << 33 | 1ull << 35 | 1ull << 63);
}

static void the_fourth_fixed_counter_counts_slots(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "icelake"));
	wr(&pmu, GLOBAL_CTRL, 1ull << 35);
	wr(&pmu, FIXED_CTRL, 0x1000);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, FIXED_CTR0 + 3), 150);
}

static void fixed_counters_behind_a_hole_work(void **state)
{
	struct pmu pmu;
	uint64_t value;

	(void)state;
	assert_true(pmu_init(&pmu, "arch5-holes"));
	wr(&pmu, GLOBAL_CTRL, 0x77ull << 32);
	wr(&pmu, FIXED_CTRL, 0x9000000);
	wr(&pmu, FIXED_CTR0 + 6, -10ull & 0xffffffffffff);
	run(&pmu, 60);
	assert_true(pmu_take_pmi(&pmu));
	assert_int_equal(rd(&pmu, GLOBAL_STATUS), 1ull << 38);
	assert_int_equal(pmu_rdpmc(&pmu, 0x40000006, &value), PMU_OK);
	assert_int_equal(value, 0);
	assert_int_equal(pmu_rdpmc(&pmu, 0x40000003, &value), PMU_GP);
}

static void perfmon_v2_counts_only_what_is_enabled_globally(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "zen4"));
	assert_int_equal(rd(&pmu, V2_GLOBAL_CTL), 0);
	wr(&pmu, 0xc0010200, INSNS_EVENT | OS | EN | INT);
	wr(&pmu, 0xc001020a, INSNS_EVENT | OS | EN | INT);
	wr(&pmu, 0xc0010201, -10ull);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, 0xc0010201), 0xfffffffffff6);
	assert_false(pmu_take_pmi(&pmu));
	wr(&pmu, V2_GLOBAL_CTL, 1);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, 0xc0010201), 90);
	assert_int_equal(rd(&pmu, 0xc001020b), 0);
	assert_true(pmu_take_pmi(&pmu));
	/* The old addresses are gated just the same. */
	wr(&pmu, V2_GLOBAL_CTL, 0);
	wr(&pmu, 0xc0010001, INSNS_EVENT | OS | EN);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, 0xc0010005), 0);
}

static void perfmon_v2_has_a_status_that_is_cleared_and_set(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "zen4"));
	wr(&pmu, V2_GLOBAL_CTL, ~0ull);
	assert_int_equal(rd(&pmu, V2_GLOBAL_CTL), 0x3f);
	wr(&pmu, 0xc001020b, -10ull);
	wr(&pmu, 0xc001020a, INSNS_EVENT | OS | EN | INT);
	run(&pmu, 10);
	assert_int_equal(rd(&pmu, V2_GLOBAL_STATUS), 0x20);
	wr(&pmu, V2_GLOBAL_STATUS, 0);
	assert_int_equal(rd(&pmu, V2_GLOBAL_STATUS), 0x20);
	wr(&pmu, V2_GLOBAL_STATUS_CLR, 0x20);
	assert_int_equal(rd(&pmu, V2_GLOBAL_STATUS), 0);
	wr(&pmu, V2_GLOBAL_STATUS_SET, 0x43);
	assert_int_equal(rd(&pmu, V2_GLOBAL_STATUS), 3);
	assert_int_equal(rd(&pmu, V2_GLOBAL_STATUS_SET), 0);
}

static void cpuid_announces_perfmon_v2_and_its_counters(void **state)
{
	uint32_t regs[4];
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "zen4"));
	assert_true(pmu_cpuid(&pmu, 0x80000022, 0, regs));
	assert_int_equal(regs[0], 7);
	assert_int_equal(regs[1], 6 | 16 << 4);
	assert_true(pmu_init(&pmu, "perfmonv2-15"));
	assert_true(pmu_cpuid(&pmu, 0x80000022, 0, regs));
	assert_int_equal(regs[1], 15);
	assert_true(pmu_init(&pmu, "zen"));
	assert_false(pmu_cpuid(&pmu, 0x80000022, 0, regs));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			any_thread_bits_exist_where_cpuid_does_not_deny_them),
		cmocka_unit_test(
			checkpointed_transactions_are_for_counter_2_only),
		cmocka_unit_test(full_width_addresses_name_the_same_counters),
		cmocka_unit_test(cpuid_announces_the_capabilities_msr),
		cmocka_unit_test(status_can_be_set_and_freezes_the_counters),
		cmocka_unit_test(inuse_tells_which_counters_are_programmed),
		cmocka_unit_test(the_fourth_fixed_counter_counts_slots),
		cmocka_unit_test(fixed_counters_behind_a_hole_work),
		cmocka_unit_test(
			perfmon_v2_counts_only_what_is_enabled_globally),
		cmocka_unit_test(
			perfmon_v2_has_a_status_that_is_cleared_and_set),
		cmocka_unit_test(cpuid_announces_perfmon_v2_and_its_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
