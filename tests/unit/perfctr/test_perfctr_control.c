// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfctr_cpu_update_control(): each rule that control data must obey, from
 * both sides. Whatever is refused counts nothing (refuse()).
 */
#include "perfctr_harness.h"

/* A state with counter 0, which every control on a P6 needs. */
static void first_counter(const struct processor *p,
			  struct perfctr_cpu_state *state)
{
	memset(state, 0, sizeof(*state));
	add_counter(p, state, 0, EVENT_INSNS, USR);
}

/* Counter i and, where the processor wants it, counter 0 before it. */
static unsigned int one_counter(const struct processor *p,
				struct perfctr_cpu_state *state, unsigned int i)
{
	memset(state, 0, sizeof(*state));
	if (p->shared_enable && i)
		first_counter(p, state);
	add_counter(p, state, i, EVENT_INSNS, USR);
	return state->control.nractrs - 1;
}

static void each_counter_is_accepted(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, n;

	for (i = 0; i < all_counters(p); i++) {
		n = one_counter(p, &state, i);
		accept(&state);
		assert_int_equal(state.pmc[n].map, counter_number(p, i));
		assert_int_equal(state.cstatus,
				 perfctr_mk_cstatus(0, n + 1, 0));
	}
	make_state(p, &state, all_counters(p), USR | OS);
	assert_int_equal(perfctr_cstatus_nrctrs(state.cstatus),
			 all_counters(p));
}

static void a_counter_that_does_not_exist_is_refused(const struct processor *p)
{
	const u32 numbers[] = {
		p->counters,
		p->counters + 1,
		18,
		31,
		32,
		63,
		64,
		0x3fffffff,
		FIXED + p->fixed,
		FIXED + 7,
		FIXED + 31,
		FIXED + 32,
		0x80000000,
		0x80000001,
		FIXED | 0x80000000,
		p->counter_msr,
		p->selector_msr,
		0x7fffffff,
		0xffffffff,
	};
	struct perfctr_cpu_state state;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		n = one_counter(p, &state, p->counters - 1);
		state.control.pmc_map[n] = numbers[i];
		refuse(&state);
		first_counter(p, &state);
		add_counter(p, &state, 1, EVENT_INSNS, USR);
		state.control.pmc_map[1] = numbers[i];
		refuse(&state);
	}
}

static void no_two_elements_may_name_the_same_counter(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < all_counters(p); i++) {
		first_counter(p, &state);
		if (i)
			add_counter(p, &state, i, EVENT_INSNS, USR);
		accept(&state);
		add_counter(p, &state, i, EVENT_INSNS, USR);
		refuse(&state);
	}
}

/* A fixed counter and the programmable one of the same number are two. */
static void
fixed_and_programmable_counters_are_told_apart(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < p->fixed && i < p->counters; i++) {
		memset(&state, 0, sizeof(state));
		add_counter(p, &state, i, EVENT_INSNS, USR);
		add_counter(p, &state, p->counters + i, 0, USR);
		accept(&state);
	}
}

static void
there_are_at_most_as_many_elements_as_there_is_room(const struct processor *p)
{
	static const u32 numbers[] = { 18,	   19,	       255,
				       256,	   0x10000,    0x7fffffff,
				       0x80000000, 0xfffffffe, 0xffffffff };
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		make_state(p, &state, all_counters(p), USR);
		state.control.nractrs = numbers[i];
		refuse(&state);
		make_state(p, &state, all_counters(p), USR);
		state.control.nractrs = numbers[i];
		state.control.nrictrs = 0u - numbers[i];
		refuse(&state);
	}
}

static void
the_interrupt_bit_must_be_set_in_interrupt_mode(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, n;

	for (i = 0; i < all_counters(p); i++) {
		n = one_counter(p, &state, i);
		state.control.nractrs--;
		state.control.nrictrs = 1;
		state.control.ireset[n] = -1000;
		refuse(&state);
		state.control.evntsel[n] |= i < p->counters ? INT : 8;
		accept(&state);
		assert_int_equal(state.cstatus, perfctr_mk_cstatus(0, n, 1));
	}
}

static void reserved_fields_must_be_zero(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int *fields[] = {
		&state.control.p4.escr[0],
		&state.control.p4.escr[PERFCTR_MAX_COUNTERS - 1],
		&state.control.p4.pebs_enable,
		&state.control.p4.pebs_matrix_vert,
		&state.control._reserved1,
		&state.control._reserved2,
		&state.control._reserved3,
		&state.control._reserved4,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		make_state(p, &state, 1, USR);
		*fields[i] = 1;
		refuse(&state);
		*fields[i] = 0x80000000;
		refuse(&state);
		*fields[i] = 0;
		accept(&state);
	}
}

/* Changes each bit of the selector of each programmable counter. */
static void reserved_and_interrupt_bits_must_be_clear_and_others_are_free(
	const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, n, bit;

	for (i = 0; i < p->counters; i++) {
		for (bit = 0; bit < 32; bit++) {
			const u32 mask = 1u << bit;

			n = one_counter(p, &state, i);
			if (mask == EN)
				continue;
			state.control.evntsel[n] ^= mask;
			if (mask & (p->rules->reserved | INT))
				refuse(&state);
			else
				accept(&state);
		}
	}
}

static void each_selector_must_be_enabled(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < p->counters; i++) {
		make_state(p, &state, all_counters(p), USR);
		state.control.evntsel[i] &= ~EN;
		refuse(&state);
		one_counter(p, &state, i);
		state.control.evntsel[0] = 0;
		refuse(&state);
	}
}

static void the_enable_bit_of_selector_0_switches_all(const struct processor *p)
{
	struct perfctr_cpu_state state;

	/* Counter 0 must be enabled... */
	first_counter(p, &state);
	state.control.evntsel[0] &= ~EN;
	refuse(&state);
	make_state(p, &state, 2, USR);
	state.control.evntsel[0] &= ~EN;
	refuse(&state);
	/* ...the bit is reserved in the other... */
	make_state(p, &state, 2, USR);
	state.control.evntsel[1] |= EN;
	refuse(&state);
	state.control.evntsel[0] &= ~EN;
	refuse(&state);
	/* ...and nothing counts without counter 0. */
	memset(&state, 0, sizeof(state));
	add_counter(p, &state, 1, EVENT_INSNS, USR);
	refuse(&state);
	state.control.evntsel[0] |= EN;
	refuse(&state);
	/* Where it is among the elements does not matter. */
	memset(&state, 0, sizeof(state));
	add_counter(p, &state, 1, EVENT_INSNS, USR);
	add_counter(p, &state, 0, EVENT_INSNS, USR);
	accept(&state);
}

static void upper_bits_of_a_selector_must_exist(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, n, bit;

	for (i = 0; i < all_counters(p); i++) {
		for (bit = 0; bit < 32; bit++) {
			n = one_counter(p, &state, i);
			state.control.evntsel_high[n] = 1u << bit;
			if (p->high_bits >> bit & 1)
				accept(&state);
			else
				refuse(&state);
		}
	}
}

static void a_fixed_counter_has_only_levels_and_perhaps_any_thread(
	const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, field, bit;

	for (i = p->counters; i < all_counters(p); i++) {
		for (field = 0; field < 32; field++) {
			one_counter(p, &state, i);
			state.control.evntsel[0] = field;
			if (field & ~fixed_bits(p))
				refuse(&state);
			else
				accept(&state);
		}
		for (bit = 3; bit < 32; bit++) {
			one_counter(p, &state, i);
			state.control.evntsel[0] |= 1u << bit;
			refuse(&state);
		}
	}
}

static void one_bad_element_is_enough(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < all_counters(p); i++) {
		make_state(p, &state, all_counters(p), USR);
		state.control.evntsel[i] |= PIN;
		refuse(&state);
	}
}

static void only_the_elements_in_use_are_looked_at(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	make_state(p, &state, 1, USR);
	for (i = 1; i < PERFCTR_MAX_COUNTERS; i++) {
		state.control.pmc_map[i] = 0xffffffff;
		state.control.evntsel[i] = 0xffffffff;
		state.control.evntsel_high[i] = 0xffffffff;
	}
	accept(&state);
	assert_int_equal(state.pmc[1].map, 0);
}

static void the_set_of_counters_may_be_empty(const struct processor *p)
{
	struct perfctr_cpu_state state = { 0 };

	(void)p;
	accept(&state);
	assert_int_equal(perfctr_cstatus_enabled(state.cstatus), 0);
	state.control.tsc_on = 1;
	accept(&state);
	assert_int_equal(state.cstatus, perfctr_mk_cstatus(1, 0, 0));
	state.control.tsc_on = 0x100;
	accept(&state);
	assert_true(perfctr_cstatus_has_tsc(state.cstatus));
}

static void a_new_control_leaves_the_sums_alone(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	make_state(p, &state, all_counters(p), USR);
	state.tsc_sum = 4711;
	for (i = 0; i < all_counters(p); i++)
		state.pmc[i].sum = 0x123456789abcull + i;
	accept(&state);
	state.control.evntsel[0] |= PIN;
	refuse(&state);
	state.control.evntsel[0] &= ~PIN;
	accept(&state);
	assert_int_equal(state.tsc_sum, 4711);
	for (i = 0; i < all_counters(p); i++)
		assert_int_equal(state.pmc[i].sum, 0x123456789abcull + i);
}

static void cpu_wide_controls_obey_the_same_rules(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, all_counters(p), USR);
	assert_int_equal(perfctr_cpu_update_control(&state, 1), 0);
	state.control.evntsel[0] |= PIN;
	assert_int_equal(perfctr_cpu_update_control(&state, 1), -EINVAL);
	assert_int_equal(state.cstatus, 0);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(each_counter_is_accepted),
		RULE(a_counter_that_does_not_exist_is_refused),
		RULE(no_two_elements_may_name_the_same_counter),
		RULE_IF(has_fixed,
			fixed_and_programmable_counters_are_told_apart),
		RULE(there_are_at_most_as_many_elements_as_there_is_room),
		RULE(the_interrupt_bit_must_be_set_in_interrupt_mode),
		RULE(reserved_fields_must_be_zero),
		RULE(reserved_and_interrupt_bits_must_be_clear_and_others_are_free),
		RULE_IF(has_own_enables, each_selector_must_be_enabled),
		RULE_IF(has_shared_enable,
			the_enable_bit_of_selector_0_switches_all),
		RULE(upper_bits_of_a_selector_must_exist),
		RULE_IF(has_fixed,
			a_fixed_counter_has_only_levels_and_perhaps_any_thread),
		RULE(one_bad_element_is_enough),
		RULE(only_the_elements_in_use_are_looked_at),
		RULE(the_set_of_counters_may_be_empty),
		RULE(a_new_control_leaves_the_sums_alone),
		RULE(cpu_wide_controls_obey_the_same_rules),
	};

	return run_rules(rules, ARRAY_SIZE(rules), boot_and_reserve);
}
