// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's PerfMonV2: the global control, the status of overflows, and the number
 * of counters from CPUID.
 */
#include <asm/processor.h>

#include "driver.h"

#define STATUS 0xc0000300
#define CTL 0xc0000301
#define STATUS_SET 0xc0000303
#define FROZEN (3ull << 58)

#define ZEN(name_, pmu_, counters_)                                           \
	.name = (name_), .pmu = (pmu_), .vendor = X86_VENDOR_AMD,             \
	.family = 0x19, .model = 0x11, .cpuid_level = 16,                     \
	.features = X86_FEATURE_APIC | X86_FEATURE_PERFCTR_CORE |             \
		    X86_FEATURE_PERFMON_V2,                                   \
	.rules = &p6_rules, .core_name = "AMD PerfMonV2",                     \
	.map_name = "AMD Core Perfctr", .counters = (counters_), .width = 48, \
	.selector_msr = 0xc0010200, .counter_msr = 0xc0010201,                \
	.msr_stride = 2, .high_bits = 0x30f, .overflow_status = true

static const struct processor table[] = {
	{ ZEN("zen4", "zen4", 6) },
	/* RDPMC of the seventh would read a counter of the north bridge. */
	{ ZEN("more counters", "perfmonv2-15", 6) },
};

static struct pmu *pmu(void)
{
	return &machine.cpu[0].pmu;
}

static u64 read_msr(u32 msr)
{
	u64 value;

	assert_int_equal(rdmsrl_safe(msr, &value), 0);
	return value;
}

static void cpuid_says_how_many_counters_there_are(const struct processor *p)
{
	assert_string_equal(perfctr_cpu_name, "AMD PerfMonV2");
	assert_int_equal(perfctr_info.cpu_type, PERFCTR_X86_AMD_V2);
	assert_string_equal(perfmon_pmu.model, "AMD Core Perfctr");
	assert_int_equal(perfctr_design->nr_counters, p->counters);
	assert_int_equal(perfmon_pmu.nr_pmcs, p->counters);
	assert_int_equal(perfmon_pmu.pmcs[p->counters - 1].addr,
			 0xc0010200 + 2 * (p->counters - 1));
}

static void all_counters_are_opened_and_count_at_once(const struct processor *p)
{
	struct perfctr_cpu_state state;

	assert_int_equal(read_msr(CTL), (1ull << p->counters) - 1);
	make_state(p, &state, p->counters, USR | OS);
	resume_on(0, &state);
	machine_run(1000, true);
	machine_run(234, false);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 1234);
}

static void the_global_control_found_is_given_back(const struct processor *p)
{
	(void)p;
	perfmon_arch_release();
	assert_int_equal(read_msr(CTL), 0);
	wrmsrl(CTL, 0x15);
	assert_null(perfmon_arch_acquire(NULL));
	assert_int_not_equal(read_msr(CTL), 0x15);
	perfmon_arch_release();
	assert_int_equal(read_msr(CTL), 0x15);
}

static void no_old_overflow_is_found_by_a_new_owner(const struct processor *p)
{
	(void)p;
	wrmsrl(STATUS_SET, 0x21 | FROZEN);
	perfmon_arch_release();
	assert_int_equal(read_msr(STATUS), 0);
	wrmsrl(STATUS_SET, 0x12 | FROZEN);
	assert_null(perfmon_arch_acquire(NULL));
	assert_int_equal(read_msr(STATUS), 0);
}

/* A status bit that stays would be taken for an overflow by the next owner. */
static void
overflows_of_each_counter_are_acknowledged(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < p->counters; i++) {
		memset(&state, 0, sizeof(state));
		add_ictr(p, &state, i, OS, -100);
		accept(&state);
		resume_on(0, &state);
		machine.irqs_off = true;
		machine_run(100, false);
		assert_int_equal(pmu()->global_status, 1ull << i);
		perfctr_cpu_suspend(&state);
		machine.irqs_off = false;
		assert_int_equal(pmu()->global_status, 0);
		assert_int_equal(perfctr_cpu_identify_overflow(&state), 1);
	}
}

static void
a_counter_that_only_counts_acknowledges_nothing(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, 1, OS);
	resume_on(0, &state);
	pmu()->counter[0].value = (1ull << 48) - 10;
	perfctr_cpu_sample(&state);
	machine_run(20, false);
	assert_int_equal(read_msr(STATUS), 1);
	assert_int_equal(cost_of(perfctr_cpu_suspend, &state).writes, 0);
	assert_int_equal(read_msr(STATUS), 1);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(cpuid_says_how_many_counters_there_are),
		RULE(all_counters_are_opened_and_count_at_once),
		RULE(the_global_control_found_is_given_back),
		RULE(no_old_overflow_is_found_by_a_new_owner),
		RULE(overflows_of_each_counter_are_acknowledged),
		RULE(a_counter_that_only_counts_acknowledges_nothing),
	};

	return run_rules_on(table, ARRAY_SIZE(table), rules, ARRAY_SIZE(rules),
			    boot_and_reserve);
}
