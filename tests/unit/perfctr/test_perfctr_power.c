// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that lose their registers while the PMU is taken: hotplug and system
 * suspend. States that were off the CPU at the time must not notice.
 */
#include <linux/cpu.h>

#include <asm/apic.h>

#include "driver.h"
#include "perfctr_harness.h"

static void assert_taken(const struct processor *p, unsigned int cpu)
{
	const struct pmu *pmu = &machine.cpu[cpu].pmu;
	unsigned int i;

	for (i = 0; i < p->counters; i++)
		assert_int_equal(pmu->counter[model_index(p, i)].select, 0);
	assert_cache_is_right(p, cpu);
	assert_int_equal(per_cpu(perfctr_cache, cpu).id, 0);
	assert_int_equal(machine.cpu[cpu].perf_zeroed, 2);
	if (has_interrupts(p))
		assert_int_equal(machine.cpu[cpu].lvtpc, LOCAL_PERFCTR_VECTOR);
}

static void leave_cpu_0_alone(void)
{
	machine_cpu_down(1);
	machine_cpu_down(2);
}

static void
after_system_suspend_the_cpu_is_as_its_cache_assumes(const struct processor *p)
{
	struct perfctr_cpu_state state;

	leave_cpu_0_alone();
	make_state(p, &state, all_counters(p), USR | OS);
	resume_on(0, &state);
	perfctr_cpu_suspend(&state);
	machine_suspend();
	assert_taken(p, 0);
}

/* Firmware, or another kernel, goes on with it. */
static void in_system_suspend_the_cpu_is_given_back(const struct processor *p)
{
	struct perfctr_cpu_state state;
	u64 writes;

	leave_cpu_0_alone();
	make_istate(p, &state, all_counters(p), USR | OS, -1000);
	driver_resume(0, &state);
	machine_run(100, true);
	driver_suspend();
	writes = machine_stat(PMU_STAT_WRCTR);
	machine_suspend();
	assert_int_equal(machine.suspended_lvtpc, APIC_DM_NMI);
	assert_true(machine_stat(PMU_STAT_WRCTR) >= writes + all_counters(p));
}

/* Its threads leave after it was given back: no NMI that nobody knows. */
static void
a_thread_that_leaves_a_cpu_late_interrupts_nobody(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_istate(p, &state, all_counters(p), USR | OS, -1000);
	machine_on(1);
	assert_int_equal(machine.offline(1), 0);
	driver_resume(1, &state);
	machine_run(5000, true);
	driver_suspend();
	assert_int_equal(machine.cpu[1].interrupts, 0);
	assert_int_equal(machine.cpu[1].lvtpc, APIC_LVT_MASKED);
	machine.cpu[1].online = false;
	machine_on(0);
	machine_cpu_up(1);
	assert_int_equal(machine.cpu[1].lvtpc, LOCAL_PERFCTR_VECTOR);
}

static void counting_goes_on_after_system_suspend(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	leave_cpu_0_alone();
	make_state(p, &state, all_counters(p), USR | OS);
	for (i = 0; i < 5; i++) {
		resume_on(0, &state);
		machine_run(100, true);
		perfctr_cpu_suspend(&state);
		machine_suspend();
	}
	assert_sums(p, &state, 500);
}

/* The state was suspended here, but this CPU knows nothing any more. */
static void i_mode_counters_are_written_again_after_system_suspend(
	const struct processor *p)
{
	const unsigned int n = all_counters(p);
	struct perfctr_cpu_state state;
	unsigned int i;

	leave_cpu_0_alone();
	make_istate(p, &state, n, USR | OS, -120);
	for (i = 0; i < 6; i++) {
		machine_on(0);
		assert_int_equal(
			cost_of(perfctr_cpu_resume, &state).counter_writes, n);
		machine_run(10, true);
		perfctr_cpu_suspend(&state);
		machine_suspend();
	}
	assert_sums(p, &state, 60);
	driver_resume(0, &state);
	machine_run(60, true);
	assert_true(driver.interrupts >= 1);
	driver_suspend();
	assert_sums(p, &state, 120);
}

static void i_mode_counters_are_written_again_on_a_cpu_that_was_down(
	const struct processor *p)
{
	const unsigned int n = all_counters(p);
	struct perfctr_cpu_state state;

	make_istate(p, &state, n, USR | OS, -1000);
	resume_on(2, &state);
	machine_run(10, true);
	perfctr_cpu_suspend(&state);
	machine_cpu_down(2);
	machine_cpu_up(2);
	assert_taken(p, 2);
	machine_on(2);
	assert_int_equal(cost_of(perfctr_cpu_resume, &state).counter_writes, n);
	machine_run(10, true);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 20);
}

static void an_overflow_found_before_the_cpu_went_down_interrupts_elsewhere(
	const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_istate(p, &state, all_counters(p), USR | OS, -100);
	driver_resume(2, &state);
	machine.irqs_off = true;
	machine_run(200, false);
	driver_suspend();
	machine.cpu[2].requested = false;
	machine_irqs_on();
	machine_cpu_down(2);
	driver_resume(1, &state);
	machine_take_interrupts();
	assert_int_equal(driver.interrupts, 1);
	assert_int_equal(driver.mask, (1u << all_counters(p)) - 1);
	driver_suspend();
	assert_sums(p, &state, 200);
}

static void
system_suspend_touches_nothing_while_the_pmu_is_free(const struct processor *p)
{
	u64 writes;

	(void)p;
	perfmon_arch_release();
	leave_cpu_0_alone();
	writes = machine_stat(PMU_STAT_WRMSR);
	machine_suspend();
	/* Only firmware writes, once. */
	assert_int_equal(machine_stat(PMU_STAT_WRMSR), writes + 1);
	assert_int_equal(machine.cpu[0].perf_zeroed, 1);
}

static void exit_leaves_no_callbacks(const struct processor *p)
{
	(void)p;
	perfmon_arch_release();
	assert_non_null(machine.syscore);
	perfctr_cpu_exit();
	assert_null(machine.syscore);
	assert_null(machine.online);
}

static bool counted_interrupts(const struct processor *p)
{
	return has_interrupts(p) && writes_as_counted(p);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(after_system_suspend_the_cpu_is_as_its_cache_assumes),
		RULE_IF(has_interrupts,
			in_system_suspend_the_cpu_is_given_back),
		RULE_IF(has_interrupts,
			a_thread_that_leaves_a_cpu_late_interrupts_nobody),
		RULE(counting_goes_on_after_system_suspend),
		RULE_IF(counted_interrupts,
			i_mode_counters_are_written_again_after_system_suspend),
		RULE_IF(counted_interrupts,
			i_mode_counters_are_written_again_on_a_cpu_that_was_down),
		RULE_IF(has_interrupts,
			an_overflow_found_before_the_cpu_went_down_interrupts_elsewhere),
		RULE(system_suspend_touches_nothing_while_the_pmu_is_free),
		RULE(exit_leaves_no_callbacks),
	};

	return run_rules(rules, ARRAY_SIZE(rules), driver_boot);
}
