// SPDX-License-Identifier: GPL-2.0-only
/*
 * A processor of which the core knows nothing but that it has a TSC. The model
 * behind it faults at each PMU register, so whatever is tried shows.
 */
#include <asm/perfctr.h>
#include <asm/perfctr_hooks.h>
#include <asm/processor.h>

#include "perfctr_harness.h"

static const struct processor unknown_processors[] = {
	{
		.name = "crusoe",
		.pmu = "none",
		.vendor = X86_VENDOR_TRANSMETA,
		.family = 5,
		.model = 4,
		.cpuid_level = 1,
	},
	{
		.name = "unknown",
		.pmu = "none",
		.vendor = 255,
		.family = 6,
		.model = 6,
		.cpuid_level = 13,
		.features = X86_FEATURE_APIC,
	},
	{
		.name = "c7",
		.pmu = "none",
		.vendor = X86_VENDOR_CENTAUR,
		.family = 6,
		.model = 10,
		.cpuid_level = 1,
		.features = X86_FEATURE_APIC,
	},
	{
		.name = "quark",
		.pmu = "none",
		.vendor = X86_VENDOR_INTEL,
		.family = 5,
		.model = 9,
		.cpuid_level = 7,
		.features = X86_FEATURE_APIC,
	},
	{
		.name = "gxm",
		.pmu = "none",
		.vendor = X86_VENDOR_CYRIX,
		.family = 5,
		.model = 4,
		.cpuid_level = 2,
	},
};

static int run(const struct rule *rules, size_t n)
{
	return run_rules_on(unknown_processors, ARRAY_SIZE(unknown_processors),
			    rules, n, machine_power_on);
}

static void boot_and_take(const struct processor *p)
{
	boot(p);
	assert_null(perfctr_cpu_reserve("test"));
}

static void sample_tsc(struct perfctr_cpu_state *state)
{
	memset(state, 0, sizeof(*state));
	state->control.tsc_on = 1;
}

static void assert_untouched(void)
{
	assert_int_equal(machine_stat(PMU_STAT_GP), 0);
	assert_int_equal(machine_stat(PMU_STAT_RDPMC), 0);
	assert_int_equal(machine_claims_of("perfctr"), 0);
}

static void
it_is_called_generic_in_one_line_of_the_log(const struct processor *p)
{
	boot(p);
	assert_string_equal(perfctr_cpu_name, "Generic x86 with TSC");
	assert_string_equal(perfmon_pmu.model, "Generic x86 TSC");
	assert_int_equal(perfctr_info.cpu_type, PERFCTR_X86_GENERIC);
	assert_int_equal(perfctr_info.cpu_features, PERFCTR_FEATURE_RDTSC);
	assert_int_equal(perfctr_info.cpu_khz, tsc_khz);
	assert_non_null(strstr(machine.log, "Generic x86 with TSC"));
	assert_ptr_equal(strchr(machine.log, '\n'),
			 machine.log + strlen(machine.log) - 1);
	assert_untouched();
}

static void tsc_on_must_be_1(const struct processor *p)
{
	struct perfctr_cpu_state state;

	boot_and_take(p);
	sample_tsc(&state);
	accept(&state);
	state.control.tsc_on = 0;
	refuse(&state);
	state.control.tsc_on = 2;
	refuse(&state);
}

static void nractrs_and_nrictrs_must_be_0(const struct processor *p)
{
	static const u32 numbers[] = { 0, 1, 2, 0x40000000, 0x80000000 };
	struct perfctr_cpu_state state;
	unsigned int i;

	boot_and_take(p);
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		sample_tsc(&state);
		state.control.nractrs = 1;
		state.control.pmc_map[0] = numbers[i];
		refuse(&state);
		state.control.evntsel[0] = EVENT_INSNS | USR | EN;
		refuse(&state);
		state.control.nractrs = 0;
		state.control.nrictrs = 1;
		state.control.ireset[0] = -1;
		refuse(&state);
	}
}

static void the_tsc_is_sampled_and_nothing_else(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int cpu;

	boot_and_take(p);
	sample_tsc(&state);
	accept(&state);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		assert_int_equal(resume_on(cpu, &state), 0);
		machine_run(1000, true);
		perfctr_cpu_sample(&state);
		machine_run(100, false);
		perfctr_cpu_suspend(&state);
		machine_run(5000, false);
	}
	assert_int_equal(state.tsc_sum, 3 * 2200);
	assert_untouched();
}

/* Not from perf_event, not from the allocator, not from the NMI watchdog. */
static void taking_it_takes_nothing_from_anybody(const struct processor *p)
{
	unsigned int cpu;

	boot(p);
	machine.perf_uses_pmu = true;
	machine_claim(0xc1, false, "other");
	machine_claim(0x186, true, "other");
	assert_null(perfctr_cpu_reserve("test"));
	assert_false(perfctr_pmu_owned);
	machine_cpu_down(1);
	machine_cpu_up(1);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		assert_int_equal(machine.cpu[cpu].lvtpc_writes, 0);
		assert_int_equal(machine.cpu[cpu].perf_zeroed, 0);
	}
	perfctr_cpu_release("test");
	assert_int_equal(machine.cpu[0].lvtpc_writes, 0);
	assert_untouched();
}

static void
it_has_one_high_level_driver_like_any_other(const struct processor *p)
{
	boot_and_take(p);
	assert_string_equal(perfctr_cpu_owner(), "test");
	assert_string_equal(perfctr_cpu_reserve("other"), "test");
	perfctr_cpu_release("test");
	assert_string_equal(perfctr_cpu_owner(), "none");
	assert_null(perfctr_cpu_reserve("other"));
}

static void a_set_has_the_tsc_register_or_nothing(const struct processor *p)
{
	static const unsigned long tsc = 1, nothing;
	static const u64 no_pmcs[1];
	struct perfmon_arch_set set;

	boot(p);
	assert_null(perfmon_arch_acquire(NULL));
	assert_int_equal(perfmon_pmu.nr_pmcs, 0);
	assert_int_equal(perfmon_pmu.nr_pmds, 1);
	assert_int_equal(perfmon_pmd_position(256), 0);
	memset(&set, 0, sizeof(set));
	perfmon_arch_build(&set, no_pmcs, &nothing, &tsc, &nothing, false);
	perfmon_arch_resume(&set);
	machine_run(1000, true);
	perfmon_arch_suspend(&set);
	assert_int_equal(*perfmon_arch_value(&set, 0, NULL), 2000);
	perfmon_arch_build(&set, no_pmcs, &nothing, &nothing, &nothing, true);
	assert_null(perfmon_arch_value(&set, 0, NULL));
	assert_int_equal(set.state.cstatus, 0);
	assert_int_equal(machine.warnings, 0);
	perfmon_arch_release();
	assert_untouched();
}

static void without_a_tsc_there_is_nothing(const struct processor *p)
{
	(void)p;
	machine.tsc_off = true;
	assert_int_equal(perfmon_arch_init(), -ENODEV);
	assert_null(perfctr_cpu_name);
	assert_non_null(strstr(machine.log, "no driver"));
	assert_untouched();
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(it_is_called_generic_in_one_line_of_the_log),
		RULE(tsc_on_must_be_1),
		RULE(nractrs_and_nrictrs_must_be_0),
		RULE(the_tsc_is_sampled_and_nothing_else),
		RULE(taking_it_takes_nothing_from_anybody),
		RULE(it_has_one_high_level_driver_like_any_other),
		RULE(a_set_has_the_tsc_register_or_nothing),
		RULE(without_a_tsc_there_is_nothing),
	};

	return run(rules, ARRAY_SIZE(rules));
}
