// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupt mode as a high-level driver sees it: when the interrupt comes,
 * which counters have overflowed, where they go on, and that no event is lost.
 */
#include <limits.h>

#include "driver.h"
#include "perfctr_harness.h"

#define INSNS_TO_OVERFLOW 3000

/* Restart value with which counter i overflows after so many instructions. */
static int restart(const struct processor *p, unsigned int i, u64 insns)
{
	return -(int)events_in(p, i, insns);
}

/* All counters in i-mode; each overflows after its own number of insns. */
static void make_periods(const struct processor *p,
			 struct perfctr_cpu_state *state, const u64 *insns)
{
	unsigned int i;

	memset(state, 0, sizeof(*state));
	for (i = 0; i < all_counters(p); i++)
		add_ictr(p, state, i, USR | OS, restart(p, i, insns[i]));
	accept(state);
}

static void
the_interrupt_comes_after_exactly_minus_ireset_events(const struct processor *p)
{
	struct perfctr_cpu_state state = { 0 };
	unsigned int i, n;

	for (i = 0; i < all_counters(p); i++) {
		memset(&state, 0, sizeof(state));
		if (p->shared_enable && i)
			add_counter(p, &state, 0, EVENT_INSNS, USR);
		add_ictr(p, &state, i, USR, restart(p, i, INSNS_TO_OVERFLOW));
		n = state.control.nractrs;
		accept(&state);
		driver_resume(0, &state);
		machine_run(INSNS_TO_OVERFLOW - 1, true);
		machine_run(50, false);
		assert_int_equal(driver.interrupts, i);
		machine_run(1, true);
		assert_int_equal(driver.interrupts, i + 1);
		assert_int_equal(driver.mask, 1u << n);
		driver_suspend();
	}
}

static void
counters_go_on_from_ireset_again_and_again(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	make_istate(p, &state, 1, USR, -30);
	driver_resume(0, &state);
	for (i = 1; i <= 100; i++) {
		const unsigned int last = all_counters(p) - 1;

		machine_run(last > p->counters ? 20 : 30, true);
		assert_int_equal(driver.interrupts, i);
		assert_int_equal(driver.mask, 1u << last);
		assert_int_equal(driver.sums[last], 30 * i);
	}
}

static void
identify_returns_exactly_those_that_have_overflowed(const struct processor *p)
{
	const unsigned int n = all_counters(p);
	u64 insns[PMU_MAX_COUNTERS] = { 0 };
	struct perfctr_cpu_state state;
	unsigned int i, j;

	/* Each alone, the others far away. */
	for (i = 0; i < n; i++) {
		for (j = 0; j < n; j++)
			insns[j] = i == j ? 100 : 1000000;
		make_periods(p, &state, insns);
		driver_resume(0, &state);
		machine_run(100, true);
		assert_int_equal(driver.mask, 1u << i);
		driver_suspend();
	}
	/* All at once. */
	for (i = 0; i < n; i++)
		insns[i] = 100;
	make_periods(p, &state, insns);
	driver_resume(0, &state);
	machine_run(100, true);
	assert_int_equal(driver.mask, (1u << n) - 1);
	assert_int_equal(driver.interrupts, n + 1);
}

static void
identify_resets_those_and_lets_the_others_go_on(const struct processor *p)
{
	const unsigned int n = all_counters(p);
	struct perfctr_cpu_state state;
	u64 insns[PMU_MAX_COUNTERS] = { 0 };
	unsigned int i;

	for (i = 0; i < n; i++)
		insns[i] = i ? 1000000 : 100;
	make_periods(p, &state, insns);
	resume_on(0, &state);
	machine_run(102, true);
	perfctr_cpu_suspend(&state);
	assert_int_equal(state.pmc[0].start, 2);
	assert_int_equal(perfctr_cpu_identify_overflow(&state), 1);
	assert_int_equal(state.pmc[0].start, (u32)restart(p, 0, 100));
	for (i = 1; i < n; i++)
		assert_int_equal(state.pmc[i].start,
				 (u32)(restart(p, i, insns[i]) +
				       (int)events_in(p, i, 102)));
	assert_sums(p, &state, 102);
}

static void an_overflow_is_identified_once(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_istate(p, &state, all_counters(p), USR, -100);
	resume_on(0, &state);
	machine_run(200, true);
	perfctr_cpu_suspend(&state);
	assert_int_equal(perfctr_cpu_identify_overflow(&state),
			 (1u << all_counters(p)) - 1);
	assert_int_equal(perfctr_cpu_identify_overflow(&state), 0);
	resume_on(0, &state);
	assert_int_equal(machine.cpu[0].self_ipis, 0);
	perfctr_cpu_suspend(&state);
	assert_int_equal(perfctr_cpu_identify_overflow(&state), 0);
}

static void nothing_is_identified_before_an_overflow(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_istate(p, &state, 1, USR, -100000);
	assert_int_equal(perfctr_cpu_identify_overflow(&state), 0);
	resume_on(0, &state);
	machine_run(1000, true);
	perfctr_cpu_suspend(&state);
	assert_int_equal(perfctr_cpu_identify_overflow(&state), 0);
	assert_int_equal(machine.cpu[0].interrupts, 0);
}

/* A-mode counters pass any boundary without being noticed. */
static void a_mode_counters_overflow_nowhere(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, all_counters(p), USR);
	driver_resume(0, &state);
	machine_run(0xfffffff0, true);
	perfctr_cpu_sample(&state);
	machine_run(0xfffffff0, true);
	driver_suspend();
	assert_int_equal(perfctr_cpu_identify_overflow(&state), 0);
	assert_int_equal(driver.interrupts, 0);
}

/* Instructions retire between the overflow and the handler's suspend. */
static void
sums_are_exact_over_any_number_of_overflows(const struct processor *p)
{
	const unsigned int n = all_counters(p);
	static const u64 insns[PMU_MAX_COUNTERS] = { 100, 70, 36, 22, 1000,
						     98,  14, 20, 40, 60,
						     80,  90, 92, 94, 96 };
	struct perfctr_cpu_state state;
	u64 total = 0;
	unsigned int i;

	make_periods(p, &state, insns);
	state.control.tsc_on = 1;
	accept(&state);
	driver.skid = 6;
	driver_resume(0, &state);
	for (i = 0; i < 1000; i++) {
		machine_run(2 * (i % 97), true);
		machine_run(2 * (i % 13), false);
		total += 2 * (i % 97) + 2 * (i % 13);
		if (i % 10 == 0) {
			driver_suspend();
			driver_resume(i % NR_CPUS, &state);
		}
	}
	driver_suspend();
	assert_true(driver.interrupts > 500);
	total += (u64)driver.skid * driver.interrupts;
	assert_sums(p, &state, total);
	assert_int_equal(state.tsc_sum, 2 * total);
	for (i = 0; i < n; i++)
		assert_true(driver.overflows[i] > 10);
}

static void any_negative_ireset_works(const struct processor *p)
{
	static const int iresets[] = { -1,	-2,	     -3,     -0x10000,
				       -0x7fff, INT_MIN + 1, INT_MIN };
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(iresets); i++) {
		memset(&state, 0, sizeof(state));
		add_ictr(p, &state, 0, USR, iresets[i]);
		accept(&state);
		driver_resume(0, &state);
		machine_run(-(s64)iresets[i] - 1, true);
		assert_int_equal(driver.interrupts, 2 * i);
		machine_run(1, true);
		assert_int_equal(driver.interrupts, 2 * i + 1);
		machine_run(-(s64)iresets[i], true);
		assert_int_equal(driver.interrupts, 2 * i + 2);
		driver_suspend();
		assert_int_equal(state.pmc[0].sum, -2 * (s64)iresets[i]);
	}
}

static void set_start_makes_one_period_different(const struct processor *p)
{
	struct perfctr_cpu_state state = { 0 };

	add_ictr(p, &state, 0, USR, -1000);
	accept(&state);
	driver_resume(0, &state);
	machine_run(10, true);
	driver_suspend();
	perfctr_cpu_set_start(&state, 0, -25);
	assert_int_equal(state.pmc[0].sum, 10);
	driver_resume(0, &state);
	machine_run(24, true);
	assert_int_equal(driver.interrupts, 0);
	machine_run(1, true);
	assert_int_equal(driver.interrupts, 1);
	machine_run(999, true);
	assert_int_equal(driver.interrupts, 1);
	machine_run(1, true);
	assert_int_equal(driver.interrupts, 2);
	driver_suspend();
	assert_int_equal(state.pmc[0].sum, 1035);
}

static void a_and_i_mode_count_side_by_side(const struct processor *p)
{
	const unsigned int n = all_counters(p);
	struct perfctr_cpu_state state;
	unsigned int i, k;

	for (k = 1; k < n; k++) {
		make_istate(p, &state, k, USR, -60);
		driver_resume(0, &state);
		for (i = 0; i < 10; i++) {
			machine_run(120, true);
			machine_run(10, false);
		}
		driver_suspend();
		assert_sums(p, &state, 1200);
		for (i = 0; i < n - k; i++)
			assert_int_equal(driver.overflows[i], 0);
	}
	assert_true(driver.interrupts >= 20 * (n - 1));
}

/*
 * Other bits are somebody else's, be it another i-mode counter of the state:
 * only what was found is acknowledged, once.
 */
static void
overflow_status_is_acknowledged_once_where_it_exists(const struct processor *p)
{
	const unsigned int n = all_counters(p);
	const unsigned int selectors = p->counters + (p->fixed ? 1 : 0);
	struct pmu *pmu = &machine.cpu[0].pmu;
	struct perfctr_cpu_state state;

	make_istate(p, &state, n, USR, -100000);
	state.control.ireset[n - 1] = -100;
	accept(&state);
	resume_on(0, &state);
	assert_int_equal(cost_of(perfctr_cpu_suspend, &state).writes,
			 selectors);
	resume_on(0, &state);
	machine_run(200, true);
	assert_int_not_equal(pmu->global_status, 0);
	pmu->global_status |= 3;
	assert_int_equal(cost_of(perfctr_cpu_suspend, &state).writes,
			 selectors + 1);
	assert_int_equal(pmu->global_status, 3);
	assert_int_equal(perfctr_cpu_identify_overflow(&state), 1 << (n - 1));
	resume_on(0, &state);
	assert_int_equal(cost_of(perfctr_cpu_suspend, &state).writes,
			 selectors);
}

int main(void)
{
	static const struct rule rules[] = {
#define I_RULE(test) RULE_IF(has_interrupts, test)
		I_RULE(the_interrupt_comes_after_exactly_minus_ireset_events),
		I_RULE(counters_go_on_from_ireset_again_and_again),
		I_RULE(identify_returns_exactly_those_that_have_overflowed),
		I_RULE(identify_resets_those_and_lets_the_others_go_on),
		I_RULE(an_overflow_is_identified_once),
		I_RULE(nothing_is_identified_before_an_overflow),
		I_RULE(a_mode_counters_overflow_nowhere),
		I_RULE(sums_are_exact_over_any_number_of_overflows),
		I_RULE(any_negative_ireset_works),
		I_RULE(set_start_makes_one_period_different),
		I_RULE(a_and_i_mode_count_side_by_side),
		RULE_IF(has_overflow_status,
			overflow_status_is_acknowledged_once_where_it_exists),
	};

	return run_rules(rules, ARRAY_SIZE(rules), driver_boot);
}
