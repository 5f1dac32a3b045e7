// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupt mode and the cache of control registers: what suspend and resume
 * write, counted, for each sentence of "Caching" in the low-level-x86 document.
 */
#include "perfctr_harness.h"

/* Events of one period; even, and far from the overflow at RESTART. */
#define INSNS 100
#define RESTART (-100000)

/* I-mode counters are in the elements from here on. */
static unsigned int first_ictr(const struct perfctr_cpu_state *state)
{
	return state->control.nractrs;
}

static unsigned int end(const struct perfctr_cpu_state *state)
{
	return state->control.nractrs + state->control.nrictrs;
}

static unsigned int icontrols(const struct processor *p,
			      const struct perfctr_cpu_state *state)
{
	return control_registers(p, state, first_ictr(state), end(state));
}

static unsigned int controls(const struct processor *p,
			     const struct perfctr_cpu_state *state)
{
	return control_registers(p, state, 0, end(state));
}

static void assert_cost(struct cost cost, unsigned int writes,
			unsigned int counter_writes)
{
	assert_int_equal(cost.counter_writes, counter_writes);
	assert_int_equal(cost.writes, writes + counter_writes);
}

static struct cost resume_cost(unsigned int cpu,
			       struct perfctr_cpu_state *state)
{
	machine_on(cpu);
	return cost_of(perfctr_cpu_resume, state);
}

static struct cost suspend_cost(struct perfctr_cpu_state *state)
{
	return cost_of(perfctr_cpu_suspend, state);
}

/* All counters of the state stand where its restart value and counts say. */
static void assert_at(const struct processor *p,
		      const struct perfctr_cpu_state *state, u64 insns)
{
	const struct pmu *pmu = &machine_this_cpu()->pmu;
	unsigned int i;

	for (i = first_ictr(state); i < end(state); i++) {
		const unsigned int c =
			counter_index(p, state->control.pmc_map[i]);
		const u64 mask = pmu->counter[model_index(p, c)].mask;

		assert_int_equal(pmu->counter[model_index(p, c)].value,
				 ((u64)(s64)state->control.ireset[i] +
				  events_in(p, c, insns)) &
					 mask);
	}
}

static void assert_stopped(const struct processor *p, unsigned int cpu,
			   const struct perfctr_cpu_state *state)
{
	const struct pmu *pmu = &machine.cpu[cpu].pmu;
	unsigned int i;

	for (i = first_ictr(state); i < end(state); i++) {
		const unsigned int c =
			counter_index(p, state->control.pmc_map[i]);

		assert_int_equal(pmu->counter[model_index(p, c)].flags, 0);
	}
	assert_cache_is_right(p, cpu);
}

static void suspend_stops_each_i_mode_counter_by_its_control_register(
	const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int n;

	for (n = 1; n <= all_counters(p); n++) {
		make_istate(p, &state, n, USR | OS, RESTART);
		resume_on(0, &state);
		assert_cost(suspend_cost(&state), icontrols(p, &state), 0);
		assert_stopped(p, 0, &state);
	}
}

/* An overflow interrupt must not come where nobody expects it. */
static void
a_stopped_counter_neither_counts_nor_interrupts(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_istate(p, &state, all_counters(p), USR | OS, RESTART);
	resume_on(0, &state);
	machine_run(INSNS, true);
	perfctr_cpu_suspend(&state);
	machine_run(-10 * RESTART, true);
	assert_at(p, &state, INSNS);
	assert_int_equal(machine.cpu[0].interrupts, 0);
}

static void suspend_records_the_cpu(const struct processor *p)
{
	struct perfctr_cpu_state state;
	int cpu;

	make_istate(p, &state, 1, USR, RESTART);
	assert_int_equal(state.k1.isuspend_cpu, -1);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		resume_on(cpu, &state);
		perfctr_cpu_suspend(&state);
		assert_int_equal(state.k1.isuspend_cpu, cpu);
	}
}

static void suspend_lets_the_ids_of_cache_and_state_remain_the_same(
	const struct processor *p)
{
	struct perfctr_cpu_state state;
	u64 id;

	make_istate(p, &state, 1, USR, RESTART);
	id = state.k1.id;
	resume_on(1, &state);
	assert_int_equal(per_cpu(perfctr_cache, 1).id, id);
	perfctr_cpu_suspend(&state);
	assert_int_equal(per_cpu(perfctr_cache, 1).id, id);
	assert_int_equal(state.k1.id, id);
	assert_int_equal(state.id_high, 0);
}

static void the_first_resume_writes_counters_and_their_control_registers(
	const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int n;

	for (n = 1; n <= all_counters(p); n++) {
		make_istate(p, &state, n, USR | OS, RESTART);
		assert_cost(resume_cost(0, &state), controls(p, &state), n);
		assert_at(p, &state, 0);
		assert_cache_is_right(p, 0);
		perfmon_arch_release();
		assert_null(perfmon_arch_acquire(NULL));
	}
}

static void resuming_where_it_was_suspended_writes_only_what_was_stopped(
	const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int n, i;

	for (n = 1; n <= all_counters(p); n++) {
		make_istate(p, &state, n, USR | OS, RESTART);
		resume_on(0, &state);
		for (i = 1; i <= 5; i++) {
			machine_run(INSNS, true);
			perfctr_cpu_suspend(&state);
			machine_run(INSNS, true);
			assert_cost(resume_cost(0, &state),
				    icontrols(p, &state), 0);
			assert_at(p, &state, i * INSNS);
			assert_cache_is_right(p, 0);
		}
	}
}

/* Only then does write_control load the control registers again. */
static void
resume_clears_the_id_of_the_cache_and_sets_it_again(const struct processor *p)
{
	const u64 *id = &per_cpu(perfctr_cache, 0).id;
	struct perfctr_cpu_state state;

	make_istate(p, &state, all_counters(p), USR | OS, RESTART);
	resume_on(0, &state);
	perfctr_cpu_suspend(&state);
	resume_on(0, &state);
	assert_int_equal(*id, state.k1.id);
	assert_int_not_equal(
		machine.cpu[0].pmu.counter[model_index(p, 0)].flags, 0);
}

static void
resuming_on_another_cpu_writes_the_counters_too(const struct processor *p)
{
	const unsigned int n = all_counters(p);
	struct perfctr_cpu_state state;
	unsigned int i;

	make_istate(p, &state, n, USR | OS, RESTART);
	resume_on(0, &state);
	for (i = 1; i <= 7; i++) {
		machine_run(INSNS, true);
		perfctr_cpu_suspend(&state);
		assert_cost(resume_cost(i % NR_CPUS, &state),
			    icontrols(p, &state), n);
		assert_at(p, &state, i * INSNS);
	}
}

/* CPU 1 still has the identity, but neither registers nor counts. */
static void
a_cpu_left_for_another_and_back_has_stale_counters(const struct processor *p)
{
	const unsigned int n = all_counters(p);
	struct perfctr_cpu_state state;

	make_istate(p, &state, n, USR | OS, RESTART);
	resume_on(1, &state);
	machine_run(INSNS, true);
	perfctr_cpu_suspend(&state);
	resume_on(2, &state);
	machine_run(INSNS, true);
	perfctr_cpu_suspend(&state);
	assert_int_equal(per_cpu(perfctr_cache, 1).id, state.k1.id);
	assert_cost(resume_cost(1, &state), icontrols(p, &state), n);
	assert_at(p, &state, 2 * INSNS);
	machine_run(INSNS, true);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 3 * INSNS);
}

/*
 * Another state's counters still run and are enabled: off before writing. What
 * the hardware remembers of their overflows is acknowledged.
 */
static void counters_of_another_state_are_disabled_before_they_are_written(
	const struct processor *p)
{
	const unsigned int n = all_counters(p);
	const unsigned int acks = has_overflow_status(p) ? 1 : 0;
	struct perfctr_cpu_state istate, astate;

	make_istate(p, &istate, n, USR | OS, RESTART);
	make_state(p, &astate, n, USR | OS);
	resume_on(0, &istate);
	machine_run(INSNS, true);
	perfctr_cpu_suspend(&istate);
	assert_cost(resume_cost(0, &astate), controls(p, &astate), 0);
	machine_run(INSNS, true);
	perfctr_cpu_suspend(&astate);
	assert_cost(resume_cost(0, &istate), 2 * icontrols(p, &istate) + acks,
		    n);
	assert_at(p, &istate, INSNS);
	assert_sums(p, &astate, INSNS);
}

static void counters_that_are_disabled_already_are_not_disabled_again(
	const struct processor *p)
{
	const unsigned int n = all_counters(p);
	struct perfctr_cpu_state a, b;
	unsigned int i;

	make_istate(p, &a, n, USR | OS, RESTART);
	make_istate(p, &b, n, USR | OS, RESTART / 2);
	for (i = 0; i < 5; i++) {
		assert_cost(resume_cost(0, &a), icontrols(p, &a), n);
		assert_at(p, &a, i * INSNS);
		machine_run(INSNS, true);
		perfctr_cpu_suspend(&a);
		assert_cost(resume_cost(0, &b), icontrols(p, &b), n);
		assert_at(p, &b, i * INSNS);
		machine_run(INSNS, true);
		perfctr_cpu_suspend(&b);
	}
	assert_sums(p, &a, 5 * INSNS);
	assert_sums(p, &b, 5 * INSNS);
}

/* A thread that does not count ran in between. */
static void a_state_that_counts_nothing_costs_no_counter_its_value(
	const struct processor *p)
{
	struct perfctr_cpu_state state, empty = { 0 }, tsc = { 0 };

	accept(&empty);
	tsc.control.tsc_on = 1;
	accept(&tsc);
	make_istate(p, &state, all_counters(p), USR | OS, RESTART);
	resume_on(0, &state);
	machine_run(INSNS, true);
	perfctr_cpu_suspend(&state);
	resume_on(0, &empty);
	perfctr_cpu_suspend(&empty);
	resume_on(0, &tsc);
	perfctr_cpu_suspend(&tsc);
	assert_cost(resume_cost(0, &state), icontrols(p, &state), 0);
	assert_at(p, &state, INSNS);
}

static void
a_new_control_invalidates_the_counters_of_the_cpu(const struct processor *p)
{
	const unsigned int n = all_counters(p);
	struct perfctr_cpu_state state;

	make_istate(p, &state, n, USR | OS, RESTART);
	resume_on(0, &state);
	machine_run(INSNS, true);
	perfctr_cpu_suspend(&state);
	accept(&state);
	assert_int_equal(state.k1.isuspend_cpu, -1);
	assert_cost(resume_cost(0, &state), icontrols(p, &state), n);
	assert_at(p, &state, 0);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, INSNS);
}

/* The identity alone says whose the counters of a CPU are. */
static void a_renewed_copy_has_counters_of_its_own(const struct processor *p)
{
	struct perfctr_cpu_state state, copy;

	make_istate(p, &state, all_counters(p), USR, RESTART);
	perfctr_cpu_resume(&state);
	machine_run(INSNS, true);
	perfctr_cpu_suspend(&state);
	copy = state;
	perfctr_cpu_renew(&copy);
	assert_int_equal(resume_cost(0, &copy).counter_writes,
			 end(&copy) - first_ictr(&copy));
	assert_at(p, &copy, 0);
	perfctr_cpu_suspend(&copy);
	assert_int_equal(resume_cost(0, &state).counter_writes,
			 end(&state) - first_ictr(&state));
	assert_at(p, &state, INSNS);
	perfctr_cpu_suspend(&state);
}

static void ireload_forces_all_counters_to_be_written(const struct processor *p)
{
	const unsigned int n = all_counters(p);
	struct perfctr_cpu_state state;

	make_istate(p, &state, n, USR | OS, RESTART);
	resume_on(0, &state);
	machine_run(INSNS, true);
	perfctr_cpu_suspend(&state);
	perfctr_cpu_ireload(&state);
	assert_cost(resume_cost(0, &state), icontrols(p, &state), n);
	assert_at(p, &state, INSNS);
	perfctr_cpu_suspend(&state);
	assert_cost(resume_cost(0, &state), icontrols(p, &state), 0);
}

static void set_start_writes_that_counter_alone(const struct processor *p)
{
	const unsigned int n = all_counters(p);
	struct perfctr_cpu_state state;
	unsigned int i;

	make_istate(p, &state, n, USR | OS, RESTART);
	resume_on(0, &state);
	for (i = 0; i < n; i++) {
		perfctr_cpu_suspend(&state);
		state.control.ireset[i] = RESTART - (int)i;
		perfctr_cpu_set_start(&state, i, RESTART - (int)i);
		assert_cost(resume_cost(0, &state), icontrols(p, &state), 1);
		assert_at(p, &state, 0);
	}
	machine_run(INSNS, true);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, INSNS);
}

/* Sampling is a suspend and a resume that stop nothing. */
static void sample_writes_nothing_and_stops_nothing(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	make_istate(p, &state, all_counters(p) - 1, USR | OS, RESTART);
	resume_on(0, &state);
	for (i = 1; i <= 3; i++) {
		machine_run(INSNS, true);
		assert_cost(cost_of(perfctr_cpu_sample, &state), 0, 0);
		assert_sums(p, &state, i * INSNS);
		assert_at(p, &state, i * INSNS);
	}
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 3 * INSNS);
	assert_cost(resume_cost(0, &state), icontrols(p, &state), 0);
}

int main(void)
{
	static const struct rule rules[] = {
#define I_RULE(test) RULE_IF(has_interrupts, test)
		I_RULE(suspend_stops_each_i_mode_counter_by_its_control_register),
		I_RULE(a_stopped_counter_neither_counts_nor_interrupts),
		I_RULE(suspend_records_the_cpu),
		I_RULE(suspend_lets_the_ids_of_cache_and_state_remain_the_same),
		I_RULE(the_first_resume_writes_counters_and_their_control_registers),
		I_RULE(resuming_where_it_was_suspended_writes_only_what_was_stopped),
		I_RULE(resume_clears_the_id_of_the_cache_and_sets_it_again),
		I_RULE(resuming_on_another_cpu_writes_the_counters_too),
		I_RULE(a_cpu_left_for_another_and_back_has_stale_counters),
		I_RULE(counters_of_another_state_are_disabled_before_they_are_written),
		I_RULE(counters_that_are_disabled_already_are_not_disabled_again),
		I_RULE(a_state_that_counts_nothing_costs_no_counter_its_value),
		I_RULE(a_new_control_invalidates_the_counters_of_the_cpu),
		I_RULE(a_renewed_copy_has_counters_of_its_own),
		I_RULE(ireload_forces_all_counters_to_be_written),
		I_RULE(set_start_writes_that_counter_alone),
		I_RULE(sample_writes_nothing_and_stops_nothing),
	};

	return run_rules_of_writes(rules, ARRAY_SIZE(rules), boot_and_reserve);
}
