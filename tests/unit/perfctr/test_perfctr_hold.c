// SPDX-License-Identifier: GPL-2.0-only
/*
 * An overflow handler that holds a state instead of suspending it: counters
 * that count at user level only stand still anyway and are left alone.
 */
#include "driver.h"
#include "perfctr_harness.h"

static bool can_be_left(const struct processor *p)
{
	return has_interrupts(p) && p->rules->os;
}

static u32 all_elements(const struct processor *p)
{
	return (1u << all_counters(p)) - 1;
}

static unsigned int icontrols(const struct processor *p,
			      const struct perfctr_cpu_state *state)
{
	return control_registers(p, state, state->control.nractrs,
				 state->control.nractrs +
					 state->control.nrictrs);
}

static void
user_level_counters_are_held_without_a_write(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int n;
	struct cost cost;

	for (n = 0; n <= all_counters(p); n++) {
		make_istate(p, &state, n, USR, -1000);
		resume_on(0, &state);
		machine_run(100, true);
		cost = cost_of(perfctr_cpu_hold, &state);
		assert_int_equal(cost.writes, 0);
		assert_sums(p, &state, 100);
		cost = cost_of(perfctr_cpu_go_on, &state);
		assert_int_equal(cost.writes, 0);
		perfctr_cpu_suspend(&state);
	}
}

static void going_on_writes_the_counters_that_have_overflowed_alone(
	const struct processor *p)
{
	struct perfctr_cpu_state state;
	struct cost cost;
	unsigned int i;

	for (i = 0; i < all_counters(p); i++) {
		make_istate(p, &state, all_counters(p), USR, -1000);
		state.control.ireset[i] = -10;
		accept(&state);
		resume_on(0, &state);
		machine_run(100, true);
		cost = cost_of(perfctr_cpu_hold, &state);
		assert_int_equal(cost.writes, p->overflow_status);
		assert_int_equal(perfctr_cpu_identify_overflow(&state), 1 << i);
		cost = cost_of(perfctr_cpu_go_on, &state);
		assert_int_equal(cost.counter_writes, 1);
		assert_int_equal(cost.writes, 1);
		cost = cost_of(perfctr_cpu_go_on, &state);
		assert_int_equal(cost.writes, 0);
		perfctr_cpu_suspend(&state);
	}
}

/* One counter is enough, in whatever mode. */
static void
a_state_that_counts_in_the_kernel_is_suspended(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, k;
	struct cost cost;

	for (i = 0; i < all_counters(p); i++) {
		for (k = 1; k <= all_counters(p); k++) {
			const unsigned int a = all_counters(p) - k;

			make_istate(p, &state, k, USR, -1000);
			state.control.evntsel[i] =
				selector_for(p, i, EVENT_INSNS, USR | OS) |
				(i < a ? 0 : interrupt_bit(p, i));
			accept(&state);
			resume_on(0, &state);
			cost = cost_of(perfctr_cpu_hold, &state);
			assert_int_equal(cost.writes, icontrols(p, &state));
			machine_run(100, false);
			cost = cost_of(perfctr_cpu_go_on, &state);
			assert_int_equal(cost.writes, icontrols(p, &state));
			perfctr_cpu_suspend(&state);
			assert_sums(p, &state, 0);
		}
	}
}

static void held_states_lose_no_event(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	driver.holds = true;
	make_istate(p, &state, all_counters(p) - 1, USR, -66);
	state.control.tsc_on = 1;
	accept(&state);
	driver_resume(0, &state);
	for (i = 0; i < 200; i++) {
		machine_run(50, true);
		machine_run(30, false);
		if (i % 10)
			continue;
		driver_suspend();
		driver_resume(i % NR_CPUS, &state);
	}
	driver_suspend();
	assert_true(driver.interrupts > 100);
	assert_sums(p, &state, 10000);
	assert_int_equal(state.tsc_sum, 2 * 16000);
}

static void a_dropped_state_is_off_the_cpu_and_can_be_resumed_anywhere(
	const struct processor *p)
{
	static const u32 levels[] = { USR, OS | USR };
	struct perfctr_cpu_state state;
	unsigned int i, k;

	driver.holds = true;
	driver.drops = true;
	for (k = 0; k < ARRAY_SIZE(levels); k++) {
		memset(&state, 0, sizeof(state));
		add_ictr(p, &state, 0, levels[k], -60);
		accept(&state);
		for (i = 1; i <= 3; i++) {
			driver_resume(i % NR_CPUS, &state);
			machine_run(60, true);
			assert_null(driver.active[i % NR_CPUS]);
			assert_int_equal(driver.mask, 1);
			/* It must not notice this. */
			machine_run(6000, true);
			machine_run(6000, false);
		}
		assert_int_equal(driver.interrupts, 3 * (k + 1));
		assert_int_equal(perfctr_cpu_identify_overflow(&state), 0);
		assert_int_equal(state.pmc[0].sum, 180);
		assert_int_equal(machine.cpu[0].requested, false);
	}
}

static void dropping_a_suspended_state_writes_nothing(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_istate(p, &state, all_counters(p), USR | OS, -60);
	resume_on(0, &state);
	machine_run(120, true);
	perfctr_cpu_hold(&state);
	assert_int_equal(perfctr_cpu_identify_overflow(&state),
			 all_elements(p));
	assert_int_equal(cost_of(perfctr_cpu_drop, &state).writes, 0);
	resume_on(0, &state);
	machine_run(2, true);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 122);
}

/* Else they would go on where they had overflowed. */
static void a_dropped_state_has_its_restart_values(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	make_istate(p, &state, all_counters(p), USR, -60);
	resume_on(0, &state);
	machine_run(120, true);
	perfctr_cpu_hold(&state);
	perfctr_cpu_identify_overflow(&state);
	perfctr_cpu_drop(&state);
	for (i = 0; i < all_counters(p); i++)
		assert_int_equal(state.pmc[i].start, (u32)-60);
	assert_int_equal(cost_of(perfctr_cpu_resume, &state).counter_writes, 0);
	machine_run(20, true);
	perfctr_cpu_suspend(&state);
	assert_int_equal(perfctr_cpu_identify_overflow(&state), 0);
	assert_sums(p, &state, 140);
}

/* A status bit that is left could keep its counter from interrupting again. */
static void counters_that_overflow_together_are_identified_together(
	const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_istate(p, &state, all_counters(p), USR, -60);
	resume_on(0, &state);
	machine_run(120, true);
	assert_int_equal(perfctr_cpu_hold_overflow(&state), all_elements(p));
	if (p->overflow_status)
		assert_int_equal(machine.cpu[0].pmu.global_status, 0);
	perfctr_cpu_go_on(&state);
	perfctr_cpu_suspend(&state);
	assert_int_equal(perfctr_cpu_identify_overflow(&state), 0);
}

static bool can_be_left_and_counted(const struct processor *p)
{
	return can_be_left(p) && writes_as_counted(p);
}

int main(void)
{
	static const struct rule rules[] = {
#define HELD(test) RULE_IF(can_be_left, test)
		HELD(user_level_counters_are_held_without_a_write),
		HELD(going_on_writes_the_counters_that_have_overflowed_alone),
		RULE_IF(can_be_left_and_counted,
			a_state_that_counts_in_the_kernel_is_suspended),
		HELD(held_states_lose_no_event),
		HELD(a_dropped_state_is_off_the_cpu_and_can_be_resumed_anywhere),
		HELD(dropping_a_suspended_state_writes_nothing),
		RULE_IF(can_be_left_and_counted,
			a_dropped_state_has_its_restart_values),
		HELD(counters_that_overflow_together_are_identified_together),
	};

	return run_rules(rules, ARRAY_SIZE(rules), driver_boot);
}
