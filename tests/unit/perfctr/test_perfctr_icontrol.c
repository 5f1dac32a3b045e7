// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfctr_cpu_update_control() and interrupt mode: what makes a control with
 * i-mode counters good, and what an update does to a state that had some.
 */
#include <limits.h>

#include "driver.h"
#include "perfctr_harness.h"

/* One i-mode element, on a P6 with the a-mode counter 0 that it needs. */
static unsigned int one_ictr(const struct processor *p,
			     struct perfctr_cpu_state *state, unsigned int i)
{
	memset(state, 0, sizeof(*state));
	if (p->shared_enable && i)
		add_counter(p, state, 0, EVENT_INSNS, USR);
	add_ictr(p, state, i, USR, -1000);
	return state->control.nractrs;
}

static void each_counter_may_interrupt(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, n;

	for (i = 0; i < all_counters(p); i++) {
		n = one_ictr(p, &state, i);
		accept(&state);
		assert_int_equal(state.cstatus, perfctr_mk_cstatus(0, n, 1));
		assert_int_equal(state.pmc[n].map, counter_number(p, i));
		assert_int_equal(state.pmc[n].start, (u32)-1000);
	}
	for (n = 1; n <= all_counters(p); n++)
		make_istate(p, &state, n, USR, -1);
}

static void the_interrupt_bit_must_be_set_in_i_mode(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, n;

	for (i = 0; i < all_counters(p); i++) {
		n = one_ictr(p, &state, i);
		state.control.evntsel[n] &= ~interrupt_bit(p, i);
		refuse(&state);
	}
}

static void the_interrupt_bit_must_be_clear_in_a_mode(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < all_counters(p); i++) {
		make_state(p, &state, all_counters(p), USR);
		state.control.evntsel[i] |= interrupt_bit(p, i);
		refuse(&state);
		make_istate(p, &state, 1, USR, -1);
		if (i == all_counters(p) - 1)
			continue;
		state.control.evntsel[i] |= interrupt_bit(p, i);
		refuse(&state);
	}
}

static void ireset_must_be_negative(const struct processor *p)
{
	static const int bad[] = { 0, 1, 1000, INT_MAX };
	static const int good[] = { -1, -2, -1000, INT_MIN + 1, INT_MIN };
	struct perfctr_cpu_state state;
	unsigned int i, c, n;

	for (c = 0; c < all_counters(p); c++) {
		for (i = 0; i < ARRAY_SIZE(bad); i++) {
			n = one_ictr(p, &state, c);
			state.control.ireset[n] = bad[i];
			refuse(&state);
		}
		for (i = 0; i < ARRAY_SIZE(good); i++) {
			n = one_ictr(p, &state, c);
			state.control.ireset[n] = good[i];
			accept(&state);
			assert_int_equal(state.pmc[n].start, (u32)good[i]);
		}
	}
}

static void one_ireset_that_is_not_negative_is_enough(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < all_counters(p); i++) {
		make_istate(p, &state, all_counters(p), USR, -5);
		state.control.ireset[i] = 0;
		refuse(&state);
	}
}

static void only_iresets_of_i_mode_elements_are_used(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	make_istate(p, &state, 1, USR, -5);
	for (i = 0; i < PERFCTR_MAX_COUNTERS; i++)
		if (i != state.control.nractrs)
			state.control.ireset[i] = 7;
	accept(&state);
	assert_int_equal(state.pmc[0].start, 0);
}

/* The sum of both may be small again, or zero. */
static void
huge_numbers_of_i_mode_counters_are_refused(const struct processor *p)
{
	static const u32 numbers[] = { 19,	   255,	       256,
				       0x10000,	   0x7fffffff, 0x80000000,
				       0xfffffffe, 0xffffffff };
	struct perfctr_cpu_state state;
	unsigned int i, a;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		for (a = 0; a <= 18; a++) {
			make_istate(p, &state, all_counters(p), USR, -5);
			state.control.nractrs = a;
			state.control.nrictrs = numbers[i];
			refuse(&state);
			make_istate(p, &state, all_counters(p), USR, -5);
			state.control.nractrs = 0u - numbers[i] + a;
			state.control.nrictrs = numbers[i];
			refuse(&state);
		}
	}
}

static void
no_counter_may_be_in_both_modes_or_twice_in_i_mode(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, n;

	for (i = 0; i < all_counters(p); i++) {
		n = one_ictr(p, &state, i);
		add_ictr(p, &state, i, USR, -7);
		refuse(&state);
		memset(&state, 0, sizeof(state));
		add_counter(p, &state, 0, EVENT_INSNS, USR);
		if (i)
			add_counter(p, &state, i, EVENT_INSNS, USR);
		add_ictr(p, &state, i, USR, -7);
		refuse(&state);
		(void)n;
	}
}

static void
i_mode_elements_obey_the_rules_of_all_selectors(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, bit, n;

	for (i = 0; i < all_counters(p); i++) {
		const u32 reserved = i < p->counters ?
					     p->rules->reserved :
					     ~(fixed_bits(p) | FIXED_INT);

		for (bit = 0; bit < 32; bit++) {
			n = one_ictr(p, &state, i);
			if (!(reserved >> bit & 1))
				continue;
			state.control.evntsel[n] |= 1u << bit;
			refuse(&state);
		}
		n = one_ictr(p, &state, i);
		state.control.evntsel_high[n] = ~p->high_bits;
		refuse(&state);
		n = one_ictr(p, &state, i);
		state.control.pmc_map[n] = p->first_counter + p->counters;
		refuse(&state);
	}
}

static void
the_shared_enable_bit_may_be_in_an_i_mode_element(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_istate(p, &state, all_counters(p), USR, -5);
	state.control.evntsel[0] &= ~EN;
	refuse(&state);
	make_istate(p, &state, all_counters(p), USR, -5);
	state.control.evntsel[1] |= EN;
	refuse(&state);
	memset(&state, 0, sizeof(state));
	add_ictr(p, &state, 1, USR, -5);
	refuse(&state);
	add_ictr(p, &state, 0, USR, -5);
	accept(&state);
}

/* Nothing of the last control is left: no overflow, no start value, no CPU. */
static void
a_new_control_starts_from_ireset_and_keeps_the_sums(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	make_istate(p, &state, all_counters(p), USR | OS, -100);
	state.tsc_sum = 4711;
	driver_resume(0, &state);
	machine.irqs_off = true;
	machine_run(200, false);
	driver_suspend();
	machine_irqs_on();
	for (i = 0; i < all_counters(p); i++)
		state.control.ireset[i] = -5000;
	accept(&state);
	assert_int_equal(state.k1.isuspend_cpu, -1);
	assert_int_equal(state.tsc_sum, 4711);
	assert_sums(p, &state, 200);
	driver_resume(0, &state);
	machine_run(2, true);
	assert_int_equal(machine.cpu[0].self_ipis, 0);
	driver_suspend();
	assert_int_equal(perfctr_cpu_identify_overflow(&state), 0);
	assert_sums(p, &state, 202);
	for (i = 0; i < all_counters(p); i++)
		assert_int_equal(state.pmc[i].start,
				 (u32)(-5000 + (int)events_in(p, i, 2)));
}

static void
a_refused_control_neither_counts_nor_interrupts(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_istate(p, &state, all_counters(p), USR | OS, -100);
	resume_on(0, &state);
	machine_run(50, true);
	perfctr_cpu_suspend(&state);
	state.control.ireset[0] = 0;
	refuse(&state);
	assert_int_equal(perfctr_cpu_identify_overflow(&state), 0);
	machine_run(100000, true);
	assert_int_equal(machine.cpu[0].interrupts, 0);
	state.control.ireset[0] = -100;
	accept(&state);
	resume_on(0, &state);
	machine_run(50, true);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 100);
}

int main(void)
{
	static const struct rule rules[] = {
#define I_RULE(test) RULE_IF(has_interrupts, test)
		I_RULE(each_counter_may_interrupt),
		I_RULE(the_interrupt_bit_must_be_set_in_i_mode),
		I_RULE(the_interrupt_bit_must_be_clear_in_a_mode),
		I_RULE(ireset_must_be_negative),
		I_RULE(one_ireset_that_is_not_negative_is_enough),
		I_RULE(only_iresets_of_i_mode_elements_are_used),
		I_RULE(huge_numbers_of_i_mode_counters_are_refused),
		I_RULE(no_counter_may_be_in_both_modes_or_twice_in_i_mode),
		I_RULE(i_mode_elements_obey_the_rules_of_all_selectors),
		RULE_IF(has_shared_enable,
			the_shared_enable_bit_may_be_in_an_i_mode_element),
		I_RULE(a_new_control_starts_from_ireset_and_keeps_the_sums),
		I_RULE(a_refused_control_neither_counts_nor_interrupts),
	};

	return run_rules(rules, ARRAY_SIZE(rules), driver_boot);
}
