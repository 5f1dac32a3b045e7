// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts that never come, while nothing is switched: the tick notices.
 * Hypervisors, firmware and other kernel code mask the entry, and requests get
 * lost on the way.
 */
#include <asm/apic.h>
#include <asm/processor.h>

#include "driver.h"
#include "perfctr_harness.h"

#define PERIOD 1000

/* Instructions of a tick, far from any counter's wrap. */
#define TICK 5000

static u32 all_elements(const struct processor *p)
{
	return (1u << all_counters(p)) - 1;
}

/* In a guest of a hypervisor; for run_rules(). */
static void start(const struct processor *p)
{
	machine_power_on(p);
}

static void boot_driver(const struct processor *p, u32 features)
{
	(void)p;
	machine.more_features = features;
	assert_int_equal(perfmon_arch_init(), 0);
	assert_null(perfmon_arch_acquire(NULL));
	driver_set_handler();
}

/* One element counts at these levels, and interrupts each so many events. */
static void run_each(const struct processor *p, struct perfctr_cpu_state *state,
		     u32 levels, int period)
{
	memset(state, 0, sizeof(*state));
	add_ictr(p, state, 0, levels, -period);
	accept(state);
	driver_resume(0, state);
}

static void run_one(const struct processor *p, struct perfctr_cpu_state *state,
		    u32 levels)
{
	run_each(p, state, levels, PERIOD);
}

/* Also on AMD, whose own APICs do not mask. */
static void
a_hypervisor_that_masks_on_delivery_stops_no_sampling(const struct processor *p)
{
	struct perfctr_cpu_state state;

	boot_driver(p, X86_FEATURE_HYPERVISOR);
	machine.mask_on_delivery = ~0u;
	run_one(p, &state, USR);
	machine_run(100 * PERIOD, true);
	assert_int_equal(driver.interrupts, 100);
	driver_suspend();
	assert_sums(p, &state, 100 * PERIOD);
}

static void the_same_with_a_held_state(const struct processor *p)
{
	struct perfctr_cpu_state state;

	boot_driver(p, X86_FEATURE_HYPERVISOR);
	driver.holds = true;
	machine.mask_on_delivery = ~0u;
	run_one(p, &state, USR);
	machine_run(100 * PERIOD, true);
	assert_int_equal(driver.interrupts, 100);
	driver_suspend();
	assert_sums(p, &state, 100 * PERIOD);
}

static void a_masked_entry_is_opened_within_two_ticks(const struct processor *p)
{
	struct perfctr_cpu_state state;

	boot_driver(p, 0);
	run_one(p, &state, USR);
	machine.cpu[0].lvtpc |= APIC_LVT_MASKED;
	machine_run(TICK, true);
	driver_tick();
	machine_run(TICK, true);
	assert_int_equal(driver.interrupts, 0);
	driver_tick();
	machine_take_interrupts();
	assert_int_equal(driver.interrupts, 1);
	assert_int_equal(driver.mask, 1);
	assert_int_equal(driver.replayed, 1);
	/* From then on each period has its own. */
	machine_run(10 * PERIOD, true);
	assert_int_equal(driver.interrupts, 11);
	assert_int_equal(driver.replayed, 1);
	driver_suspend();
	assert_sums(p, &state, 2 * TICK + 10 * PERIOD);
}

static void
a_lost_interrupt_is_made_up_for_within_two_ticks(const struct processor *p)
{
	struct perfctr_cpu_state state;

	boot_driver(p, 0);
	make_istate(p, &state, all_counters(p), USR | OS, -PERIOD);
	machine.cpu[0].pmu.fault.lose = all_counters(p);
	driver_resume(0, &state);
	machine_run(TICK, true);
	driver_tick();
	machine_take_interrupts();
	assert_int_equal(driver.interrupts, 0);
	machine_run(TICK, true);
	driver_tick();
	machine_take_interrupts();
	assert_int_equal(driver.interrupts, 1);
	assert_int_equal(driver.mask, all_elements(p));
	assert_int_equal(machine.cpu[0].self_ipis, 1);
	driver_suspend();
	assert_sums(p, &state, 2 * TICK);
}

/* The counter would be negative again after 2^31 events, and nobody see it. */
static void no_counter_comes_round_unseen(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	boot_driver(p, 0);
	/* A thousand interrupts of a tick are as good as a million. */
	run_each(p, &state, USR, 0x20000000 / 1000);
	machine.cpu[0].lvtpc |= APIC_LVT_MASKED;
	for (i = 0; i < 5; i++) {
		machine_run(0x20000000, true);
		driver_tick();
	}
	machine_take_interrupts();
	assert_true(driver.interrupts > 1);
	driver_suspend();
	assert_int_equal(state.pmc[0].sum, 5 * 0x20000000ull);
}

/* The tick itself is an interrupt: the other one comes after it. */
static void
the_first_tick_leaves_the_interrupt_its_time(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	boot_driver(p, 0);
	run_one(p, &state, USR | OS);
	for (i = 1; i <= 20; i++) {
		machine.irqs_off = true;
		machine_run(PERIOD, false);
		driver_tick();
		assert_true(machine.cpu[0].requested);
		machine_irqs_on();
		assert_int_equal(driver.interrupts, i);
	}
	assert_int_equal(machine.cpu[0].self_ipis, 0);
	assert_int_equal(driver.replayed, 0);
	driver_suspend();
}

static void ticks_replay_nothing_that_was_handled(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	boot_driver(p, 0);
	make_istate(p, &state, all_counters(p), USR, -PERIOD);
	driver_resume(0, &state);
	for (i = 0; i < 100; i++) {
		machine_run(PERIOD / 3, true);
		driver_tick();
	}
	assert_true(driver.interrupts > 30);
	assert_int_equal(machine.cpu[0].self_ipis, 0);
	driver_suspend();
}

static void a_tick_samples_states_without_i_mode(const struct processor *p)
{
	struct perfctr_cpu_state state;

	boot_driver(p, 0);
	make_state(p, &state, all_counters(p), USR);
	driver_resume(0, &state);
	machine_run(TICK, true);
	driver_tick();
	assert_sums(p, &state, TICK);
	assert_int_equal(machine.cpu[0].self_ipis, 0);
	driver_suspend();
}

/* One that was sent for a session that is gone is nothing of the next. */
static void a_replay_is_told_once(const struct processor *p)
{
	struct perfctr_cpu_state state;

	boot_driver(p, 0);
	run_one(p, &state, USR);
	machine.cpu[0].pmu.fault.lose = 1;
	machine_run(TICK, true);
	driver_suspend();
	machine.irqs_off = true;
	perfctr_cpu_resume(&state);
	perfctr_cpu_suspend(&state);
	machine.cpu[0].requested = false;
	machine.irqs_off = false;
	perfmon_arch_release();
	assert_null(perfmon_arch_acquire(NULL));
	driver_set_handler();
	run_one(p, &state, USR);
	machine_run(PERIOD, true);
	assert_int_equal(driver.interrupts, 1);
	assert_int_equal(driver.replayed, 0);
	driver_suspend();
}

int main(void)
{
	static const struct rule rules[] = {
#define I_RULE(test) RULE_IF(has_interrupts, test)
		I_RULE(a_hypervisor_that_masks_on_delivery_stops_no_sampling),
		I_RULE(the_same_with_a_held_state),
		I_RULE(a_masked_entry_is_opened_within_two_ticks),
		I_RULE(a_lost_interrupt_is_made_up_for_within_two_ticks),
		I_RULE(no_counter_comes_round_unseen),
		I_RULE(the_first_tick_leaves_the_interrupt_its_time),
		I_RULE(ticks_replay_nothing_that_was_handled),
		RULE(a_tick_samples_states_without_i_mode),
		I_RULE(a_replay_is_told_once),
	};

	return run_rules(rules, ARRAY_SIZE(rules), start);
}
