// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts at the wrong time: late, lost, delayed, in the middle of a call.
 * Most of these were bugs of the drivers that came before this one.
 */
#include <asm/apic.h>

#include "driver.h"
#include "perfctr_harness.h"

static u32 all_elements(const struct processor *p)
{
	return (1u << all_counters(p)) - 1;
}

/* The overflow happens in the kernel with interrupts off. */
static void overflow_with_irqs_off(struct perfctr_cpu_state *state)
{
	driver_resume(0, state);
	machine.irqs_off = true;
	machine_run(200, false);
	assert_int_equal(driver.interrupts, 0);
	assert_true(machine.cpu[0].requested);
}

/* perfctr 2.6.11: the interrupt of a task came in the next one. */
static void
an_interrupt_in_the_next_task_finds_nothing_there(const struct processor *p)
{
	struct perfctr_cpu_state a, b;

	make_istate(p, &a, all_counters(p), USR | OS, -100);
	make_istate(p, &b, all_counters(p), USR | OS, -100000);
	overflow_with_irqs_off(&a);
	driver_suspend();
	driver_resume(0, &b);
	machine_irqs_on();
	assert_int_equal(driver.interrupts, 1);
	assert_int_equal(driver.found_nothing, 1);
	assert_int_equal(driver.mask, 0);
	machine_run(100, true);
	driver_suspend();
	assert_sums(p, &b, 100);
	assert_sums(p, &a, 200);
}

static void an_overflow_found_at_suspend_interrupts_again_after_the_resume(
	const struct processor *p)
{
	struct perfctr_cpu_state a;
	unsigned int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		driver.interrupts = 0;
		make_istate(p, &a, all_counters(p), USR | OS, -100);
		overflow_with_irqs_off(&a);
		driver_suspend();
		machine_irqs_on();
		assert_int_equal(driver.strays, cpu + 1);
		driver_resume(cpu, &a);
		machine_take_interrupts();
		assert_int_equal(driver.interrupts, 1);
		assert_int_equal(driver.mask, all_elements(p));
		assert_int_equal(machine.cpu[cpu].self_ipis, 1);
		machine_run(50, true);
		driver_suspend();
		assert_int_equal(driver.interrupts, 1);
		assert_sums(p, &a, 250);
	}
}

/* Whoever identifies first has it; the second request finds nothing. */
static void
it_is_identified_once_although_it_interrupts_twice(const struct processor *p)
{
	struct perfctr_cpu_state a;
	unsigned int i;

	make_istate(p, &a, all_counters(p), USR | OS, -100);
	overflow_with_irqs_off(&a);
	driver_suspend();
	driver_resume(0, &a);
	machine_irqs_on();
	machine_run(10, false);
	driver_suspend();
	driver_resume(1, &a);
	machine_run(10, false);
	driver_suspend();
	for (i = 0; i < all_counters(p); i++)
		assert_int_equal(driver.overflows[i], 1);
	assert_int_equal(machine.cpu[0].self_ipis, 1);
	assert_int_equal(machine.cpu[1].self_ipis, 0);
	assert_sums(p, &a, 220);
}

/* Nobody has identified it in between. */
static void an_overflow_interrupts_at_each_resume_until_it_is_identified(
	const struct processor *p)
{
	struct perfctr_cpu_state a;
	unsigned int i;

	make_istate(p, &a, all_counters(p), USR | OS, -100);
	overflow_with_irqs_off(&a);
	for (i = 1; i <= 5; i++) {
		driver_suspend();
		machine.cpu[0].requested = false;
		driver_resume(0, &a);
		assert_int_equal(machine.cpu[0].self_ipis, i);
	}
	machine_irqs_on();
	assert_int_equal(driver.mask, all_elements(p));
	driver_suspend();
	driver_resume(0, &a);
	assert_int_equal(machine.cpu[0].self_ipis, 5);
}

/* perfctr 2.4.4: increments after the stop, and no interrupt for them. */
static void
an_interrupt_that_gets_lost_is_made_up_for(const struct processor *p)
{
	struct perfctr_cpu_state a;

	make_istate(p, &a, all_counters(p), USR | OS, -100);
	machine.cpu[0].pmu.fault.lose = all_counters(p);
	driver_resume(0, &a);
	machine_run(500, true);
	assert_int_equal(driver.interrupts, 0);
	driver_suspend();
	driver_resume(0, &a);
	machine_take_interrupts();
	assert_int_equal(driver.interrupts, 1);
	assert_int_equal(driver.mask, all_elements(p));
	driver_suspend();
	assert_sums(p, &a, 500);
}

static void a_delayed_interrupt_loses_no_event(const struct processor *p)
{
	struct perfctr_cpu_state a;

	make_istate(p, &a, 1, USR | OS, -300);
	machine.cpu[0].pmu.fault.delay = 70;
	driver_resume(0, &a);
	machine_run(460, true);
	assert_int_equal(driver.interrupts, 1);
	driver_suspend();
	assert_sums(p, &a, 460);
}

/* perfctr 2.0-pre6: counters wrapped when nothing was suspended for long. */
static void an_overflow_is_found_half_a_wrap_later_and_sums_are_exact(
	const struct processor *p)
{
	struct perfctr_cpu_state a;

	memset(&a, 0, sizeof(a));
	add_ictr(p, &a, 0, USR, -100);
	accept(&a);
	machine.cpu[0].pmu.fault.lose = 1;
	driver_resume(0, &a);
	machine_run(0x7fffffff, true);
	driver_suspend();
	assert_int_equal(perfctr_cpu_identify_overflow(&a), 1);
	assert_int_equal(a.pmc[0].sum, 0x7fffffff);
}

static void
samples_keep_long_periods_exact_in_interrupt_mode(const struct processor *p)
{
	struct perfctr_cpu_state a;
	unsigned int i;

	memset(&a, 0, sizeof(a));
	add_ictr(p, &a, 0, USR, -0x7fffffff - 1);
	accept(&a);
	driver_resume(0, &a);
	for (i = 0; i < 16; i++) {
		machine_run(0x60000000, true);
		perfctr_cpu_sample(&a);
	}
	driver_suspend();
	assert_int_equal(a.pmc[0].sum, 0x600000000);
	assert_int_equal(driver.interrupts, 12);
}

/* perfctr 2.3.3: it was enabled, and counted for the wrong task. */
static void the_previous_tasks_counters_stay_off_when_the_next_resumes(
	const struct processor *p)
{
	struct perfctr_cpu_state a, b;
	unsigned int i, k;

	for (k = 1; k < all_counters(p); k++) {
		make_istate(p, &a, k, USR | OS, -1000);
		make_state(p, &b, all_counters(p) - k, USR | OS);
		driver_resume(0, &a);
		machine_run(10, true);
		driver_suspend();
		driver_resume(0, &b);
		machine_run(5000, true);
		for (i = all_counters(p) - k; i < all_counters(p); i++)
			assert_int_equal(machine.cpu[0]
						 .pmu.counter[model_index(p, i)]
						 .flags,
					 0);
		driver_suspend();
		assert_int_equal(driver.interrupts + driver.strays, 0);
		assert_sums(p, &b, 5000);
	}
}

/* The same counter on the verge of overflow belongs to the next task now. */
static void no_counter_overflows_between_its_restart_value_and_its_control(
	const struct processor *p)
{
	struct perfctr_cpu_state a, b;

	machine.access_insns = 2;
	make_istate(p, &a, all_counters(p), USR | OS, -1000);
	make_istate(p, &b, all_counters(p), USR | OS, -6);
	machine.irqs_off = true;
	driver_resume(0, &a);
	driver_suspend();
	driver_resume(0, &b);
	driver_suspend();
	driver_resume(0, &a);
	driver_suspend();
	assert_int_equal(perfctr_cpu_identify_overflow(&a), 0);
}

/*
 * With preemption off, which is all that the API asks for. In i-mode each event
 * that the hardware counts is one of the state that is on it.
 */
static void interrupts_may_come_at_any_access(const struct processor *p)
{
	struct perfctr_cpu_state state[2];
	unsigned int i;

	make_istate(p, &state[0], all_counters(p), USR | OS, -71);
	make_istate(p, &state[1], all_counters(p), OS, -113);
	machine.access_insns = 1;
	for (i = 0; i < 3000; i++) {
		driver_resume(i % NR_CPUS, &state[i % 2]);
		machine_run(i % 5, i % 3 == 0);
		perfctr_cpu_sample(&state[i % 2]);
		machine_run(i % 7, false);
		driver_suspend();
	}
	assert_true(driver.interrupts > 100);
	for (i = 0; i < all_counters(p); i++)
		assert_int_equal(state[0].pmc[i].sum + state[1].pmc[i].sum,
				 machine_events(model_index(p, i)));
}

/*
 * The handler has started the counters and has not come to its end: where
 * delivery masks the entry it must be open by then.
 */
static void
no_overflow_is_lost_while_the_handler_returns(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, n;

	for (i = 0; i < all_counters(p); i++) {
		memset(&state, 0, sizeof(state));
		if (p->shared_enable && i)
			add_counter(p, &state, 0, EVENT_INSNS, USR);
		add_ictr(p, &state, i, USR | OS, -1);
		n = state.control.nractrs;
		accept(&state);
		driver_resume(0, &state);
		machine.access_insns = 1;
		machine_run(1000, false);
		machine.access_insns = 0;
		assert_true(driver.interrupts >= 1000);
		driver_suspend();
		assert_int_equal(driver.overflows[n], driver.interrupts);
		driver.interrupts = 0;
		driver.overflows[n] = 0;
	}
}

/* The handler has no use for it; it must not come for ever. */
static void a_stray_interrupt_is_acknowledged(const struct processor *p)
{
	(void)p;
	machine.cpu[1].pmu.pmi_pending = true;
	machine_on(1);
	machine_run(10, true);
	assert_int_equal(driver.strays, 1);
	assert_int_equal(machine.cpu[1].eois, 1);
	assert_int_equal(machine.cpu[1].lvtpc, LOCAL_PERFCTR_VECTOR);
}

/* A request that the CPU had already when it gave the PMU back. */
static void after_release_an_overflow_reaches_nobody(const struct processor *p)
{
	struct perfctr_cpu_state a;

	make_istate(p, &a, all_counters(p), USR | OS, -100);
	overflow_with_irqs_off(&a);
	driver_suspend();
	machine.irqs_off = false;
	perfmon_arch_release();
	assert_int_equal(driver.interrupts + driver.strays, 0);
	assert_int_equal(machine.cpu[0].lvtpc, APIC_DM_NMI);
	machine_run(100000, true);
	assert_int_equal(machine.cpu[0].lvtpc, APIC_DM_NMI);
}

int main(void)
{
	static const struct rule rules[] = {
#define I_RULE(test) RULE_IF(has_interrupts, test)
		I_RULE(an_interrupt_in_the_next_task_finds_nothing_there),
		I_RULE(an_overflow_found_at_suspend_interrupts_again_after_the_resume),
		I_RULE(it_is_identified_once_although_it_interrupts_twice),
		I_RULE(an_overflow_interrupts_at_each_resume_until_it_is_identified),
		I_RULE(an_interrupt_that_gets_lost_is_made_up_for),
		I_RULE(a_delayed_interrupt_loses_no_event),
		I_RULE(an_overflow_is_found_half_a_wrap_later_and_sums_are_exact),
		I_RULE(samples_keep_long_periods_exact_in_interrupt_mode),
		I_RULE(the_previous_tasks_counters_stay_off_when_the_next_resumes),
		I_RULE(no_counter_overflows_between_its_restart_value_and_its_control),
		I_RULE(interrupts_may_come_at_any_access),
		I_RULE(no_overflow_is_lost_while_the_handler_returns),
		I_RULE(a_stray_interrupt_is_acknowledged),
		I_RULE(after_release_an_overflow_reaches_nobody),
	};

	return run_rules(rules, ARRAY_SIZE(rules), driver_boot);
}
