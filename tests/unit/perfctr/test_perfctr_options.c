// SPDX-License-Identifier: GPL-2.0-only
/*
 * The words of perfmon= on the command line: what they take away, and that
 * nothing else changes.
 */
#include <asm/apic.h>
#include <asm/processor.h>

#include "p4_harness.h"
#include "perfctr_harness.h"

#define FIXED_CTRL 0x38d

static void power_on(const struct processor *p)
{
	machine_power_on(p);
}

static void boot_with(const char *word)
{
	assert_true(perfmon_arch_option(word));
	assert_int_equal(perfmon_arch_init(), 0);
	assert_null(perfmon_arch_acquire(NULL));
}

static bool has_three_counters(const struct processor *p)
{
	return p->counters >= 3 && !p->rules->has_p4_control;
}

static bool is_p4(const struct processor *p)
{
	return p->rules->has_p4_control;
}

static void
unknown_words_are_refused_and_change_nothing(const struct processor *p)
{
	static const char *const words[] = {
		"",	      "on",	     "Off",
		"nointr ",    "nofixed=1",   "counters",
		"counters=",  "counters=0",  "counters=-1",
		"counters=x", "counters=2x", "counters=4294967296",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		assert_false(perfmon_arch_option(words[i]));
	assert_int_equal(perfmon_arch_init(), 0);
	assert_int_equal(perfctr_design->nr_fixed, p->fixed);
	if (p->first_counter == 0)
		assert_int_equal(perfctr_design->nr_counters, p->counters);
	assert_int_equal(!!(perfctr_info.cpu_features & PERFCTR_FEATURE_PCINT),
			 has_interrupts(p));
}

static void without_interrupts_counters_only_count(const struct processor *p)
{
	struct perfctr_cpu_state state;

	boot_with("nointr");
	assert_int_equal(perfctr_info.cpu_features & PERFCTR_FEATURE_PCINT, 0);
	memset(&state, 0, sizeof(state));
	add_ictr(p, &state, 0, USR, -1000);
	refuse(&state);
	make_state(p, &state, all_counters(p), USR);
	resume_on(0, &state);
	machine_run(1000, true);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 1000);
	perfmon_arch_release();
	assert_int_equal(machine.cpu[0].lvtpc_writes, 0);
	assert_int_equal(machine.cpu[0].lvtpc, APIC_DM_NMI);
}

static void
without_fixed_counters_their_control_is_left_alone(const struct processor *p)
{
	struct perfctr_cpu_state state;

	assert_int_equal(pmu_wrmsr(&machine.cpu[0].pmu, FIXED_CTRL, 0x22),
			 PMU_OK);
	boot_with("nofixed");
	assert_int_equal(perfctr_design->nr_fixed, 0);
	memset(&state, 0, sizeof(state));
	add_counter(p, &state, p->counters, EVENT_INSNS, USR);
	refuse(&state);
	make_state(p, &state, p->counters, USR);
	resume_on(0, &state);
	machine_run(1000, true);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 1000);
	assert_int_equal(machine.cpu[0].pmu.fixed_ctrl, 0x22);
	perfmon_arch_release();
	assert_int_equal(machine.cpu[0].pmu.fixed_ctrl, 0x22);
}

static void the_first_counters_remain(const struct processor *p)
{
	struct perfctr_cpu_state state;

	boot_with("counters=2");
	assert_int_equal(perfctr_design->nr_counters, 2);
	memset(&state, 0, sizeof(state));
	add_counter(p, &state, 2, EVENT_INSNS, USR);
	refuse(&state);
	make_state(p, &state, 2, USR);
	resume_on(0, &state);
	machine_run(1000, true);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 1000);
	perfmon_arch_release();
}

static void
more_counters_than_there_are_change_nothing(const struct processor *p)
{
	boot_with("counters=1000");
	assert_int_equal(perfctr_design->nr_counters, p->counters);
	assert_int_equal(perfctr_design->nr_fixed, p->fixed);
}

static void all_words_go_together(const struct processor *p)
{
	(void)p;
	assert_true(perfmon_arch_option("nofixed"));
	assert_true(perfmon_arch_option("nointr"));
	boot_with("counters=1");
	assert_int_equal(perfctr_design->nr_counters, 1);
	assert_int_equal(perfctr_design->nr_fixed, 0);
	assert_int_equal(perfctr_info.cpu_features & PERFCTR_FEATURE_PCINT, 0);
	assert_int_equal(perfmon_pmu.nr_pmds, 2); /* and the TSC */
}

static void a_pentium_4_keeps_its_counters(const struct processor *p)
{
	boot_with("counters=2");
	assert_int_equal(perfctr_design->nr_counters, p->counters);
	assert_non_null(strstr(machine.log, "all of its counters or none"));
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(unknown_words_are_refused_and_change_nothing),
		RULE_IF(has_interrupts, without_interrupts_counters_only_count),
		RULE_IF(has_fixed,
			without_fixed_counters_their_control_is_left_alone),
		RULE_IF(has_three_counters, the_first_counters_remain),
		RULE_IF(has_three_counters,
			more_counters_than_there_are_change_nothing),
		RULE_IF(has_three_counters, all_words_go_together),
		RULE_IF(is_p4, a_pentium_4_keeps_its_counters),
	};
	const size_t n = ARRAY_SIZE(rules);

	return run_rules(rules, n, power_on) +
	       run_rules_on(old_processors, nr_old_processors, rules, n,
			    power_on) +
	       run_p4_rules(rules, n, power_on);
}
