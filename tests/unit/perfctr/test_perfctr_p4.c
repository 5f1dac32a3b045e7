// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control data of the Pentium 4: each sentence of "Intel P4" in the
 * low-level-x86 document, with what it allows and what it forbids. Before each
 * change the control data is good.
 */
#include "p4_harness.h"

#define IQ_CTR0 12u

static struct perfctr_cpu_state *good(unsigned int counter, int ireset)
{
	static struct perfctr_cpu_state state;

	p4_make_one(&state, counter, ireset);
	return &state;
}

static void expect(struct perfctr_cpu_state *state, bool good_too)
{
	if (good_too)
		accept(state);
	else
		refuse(state);
}

/* Control data with one CCCR, in the mode that its interrupt bit wants. */
static void check_cccr(unsigned int counter, u32 cccr, bool good_too)
{
	struct perfctr_cpu_state *state = good(counter, cccr & PMI_T0 ? -1 : 0);

	state->control.evntsel[0] = cccr;
	expect(state, good_too);
}

static void check_escr(unsigned int counter, unsigned int select, u32 escr,
		       bool good_too)
{
	struct perfctr_cpu_state *state = good(counter, 0);

	state->control.evntsel[0] = SELECT(select) | THREADS | ENABLE;
	state->control.p4.escr[0] = escr;
	expect(state, good_too);
}

static void check_pebs(u32 enable, u32 matrix_vert, bool good_too)
{
	struct perfctr_cpu_state *state = good(IQ_CTR0, 0);

	state->control.p4.pebs_enable = enable;
	state->control.p4.pebs_matrix_vert = matrix_vert;
	expect(state, good_too);
}

static void
ovf_pmi_t1_and_hardware_reserved_bits_must_not_be_set(const struct processor *p)
{
	const u32 reserved = 0xb80007ff;
	unsigned int counter, bit;

	(void)p;
	for (counter = 0; counter < P4_NR_COUNTERS; counter++) {
		const u32 cccr = good(counter, 0)->control.evntsel[0];

		for (bit = 0; bit < 32; bit++) {
			const bool other_rule = bit == 11 ||
						(bit >= 13 && bit <= 15);

			if (!other_rule)
				check_cccr(counter, cccr | 1u << bit,
					   !(reserved >> bit & 1));
		}
	}
}

static void a_cccr_has_no_bits_beyond_32(const struct processor *p)
{
	unsigned int bit;

	(void)p;
	for (bit = 0; bit < 32; bit++) {
		struct perfctr_cpu_state *state = good(IQ_CTR0, 0);

		state->control.evntsel_high[0] = 1u << bit;
		refuse(state);
	}
}

static void extended_cascade_is_permitted_on_models_from_2_on_for_some_counters(
	const struct processor *p)
{
	unsigned int counter;

	for (counter = 0; counter < P4_NR_COUNTERS; counter++) {
		const u32 cccr = good(counter, 0)->control.evntsel[0];
		const bool has = counter == 12 ||
				 (counter >= 15 && counter <= 17);

		check_cccr(counter, cccr | EXTENDED, has && p->model >= 2);
		check_cccr(counter, (cccr & ~ENABLE) | EXTENDED,
			   has && p->model >= 2);
	}
}

static void
both_active_thread_bits_must_be_set_without_threads(const struct processor *p)
{
	const u32 cccr = good(IQ_CTR0, 0)->control.evntsel[0];
	u32 threads;

	for (threads = 0; threads < 4; threads++)
		check_cccr(IQ_CTR0, (cccr & ~THREADS) | threads << 16,
			   threads == 3 || p4_has_threads(p));
}

static void enable_or_a_cascade_must_be_set(const struct processor *p)
{
	const u32 cccr = good(IQ_CTR0, 0)->control.evntsel[0] & ~ENABLE;

	check_cccr(IQ_CTR0, cccr, false);
	check_cccr(IQ_CTR0, cccr | ENABLE, true);
	check_cccr(IQ_CTR0, cccr | CASCADE, true);
	check_cccr(IQ_CTR0, cccr | ENABLE | CASCADE, true);
	check_cccr(IQ_CTR0, cccr | EXTENDED, p->model >= 2);
}

static void the_interrupt_bit_follows_the_mode(const struct processor *p)
{
	struct perfctr_cpu_state *state;

	(void)p;
	state = good(IQ_CTR0, 0);
	state->control.evntsel[0] |= PMI_T0;
	refuse(state);
	state = good(IQ_CTR0, -100);
	state->control.evntsel[0] &= ~PMI_T0;
	refuse(state);
}

static void forced_overflow_wants_a_restart_value_of_exactly_minus_1(
	const struct processor *p)
{
	static const struct {
		int ireset;
		bool good;
	} rows[] = { { -1, true },
		     { -2, false },
		     { -100, false },
		     { INT32_MIN, false },
		     { 1, false } };
	struct perfctr_cpu_state *state;
	unsigned int i;

	(void)p;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		state = good(IQ_CTR0, -100);
		state->control.evntsel[0] |= FORCE_OVF;
		state->control.ireset[0] = rows[i].ireset;
		expect(state, rows[i].good);
	}
	/* Without the interrupt nobody waits for it. */
	state = good(IQ_CTR0, 0);
	state->control.evntsel[0] |= FORCE_OVF;
	accept(state);
}

/* The document numbers the bits of an ESCR from 1, here. */
static void the_highest_bit_of_an_escr_is_reserved(const struct processor *p)
{
	unsigned int bit;

	(void)p;
	for (bit = 2; bit < 32; bit++)
		check_escr(IQ_CTR0, 4, 1u << bit, bit != 31);
}

static void
levels_of_thread_1_need_threads_and_global_mode(const struct processor *p)
{
	u32 levels;
	int global;

	for (levels = 1; levels <= T1_LEVELS; levels++) {
		for (global = 0; global <= 1; global++) {
			struct perfctr_cpu_state *state = good(IQ_CTR0, 0);
			const bool allowed = global && p4_has_threads(p);

			state->control.p4.escr[0] |= levels;
			assert_int_equal(perfctr_cpu_update_control(state,
								    global),
					 allowed ? 0 : -EINVAL);
		}
	}
}

static void iq_escr_can_only_be_used_up_to_model_2(const struct processor *p)
{
	unsigned int counter;

	for (counter = 12; counter < P4_NR_COUNTERS; counter++)
		check_escr(counter, 0, T0_USR, p->model <= 2);
}

static void
the_escr_is_computed_from_counter_and_select(const struct processor *p)
{
	unsigned int counter, select;

	for (counter = 0; counter < P4_NR_COUNTERS; counter++) {
		for (select = 0; select < 8; select++) {
			const u32 msr = p4_escr(p, counter, select);
			struct perfctr_cpu_state *state = good(counter, 0);

			state->control.evntsel[0] = SELECT(select) | THREADS |
						    ENABLE;
			expect(state, msr);
			if (msr)
				assert_int_equal(state->p4_escr_map[0], msr);
		}
	}
}

static void one_escr_cannot_have_two_values(const struct processor *p)
{
	struct perfctr_cpu_state state = { 0 };

	(void)p;
	p4_add(&state, 12, T0_USR, 0);
	p4_add(&state, 13, T0_USR, 0); /* the same value */
	p4_add(&state, 14, T0_OS, 0); /* another ESCR */
	p4_add(&state, 16, T0_USR, -1000);
	accept(&state);
	assert_int_equal(state.p4_escr_map[0], state.p4_escr_map[1]);
	assert_int_not_equal(state.p4_escr_map[0], state.p4_escr_map[2]);
	state.control.p4.escr[1] ^= T0_OS;
	refuse(&state);
	state.control.p4.escr[1] ^= T0_OS;
	accept(&state);
	state.control.p4.escr[3] ^= ESCR(0, 2);
	refuse(&state);
}

static void the_map_may_ask_for_fast_rdpmc(const struct processor *p)
{
	struct perfctr_cpu_state *state;
	unsigned int bit;

	(void)p;
	for (bit = 0; bit < 32; bit++) {
		state = good(0, 0);
		state->control.pmc_map[0] = 1u << bit;
		/* Counters 1 to 16 have ESCRs of their own. */
		state->control.evntsel[0] = SELECT(1) | THREADS | ENABLE;
		expect(state, bit < 5 || bit == 31);
	}
	state = good(0, 0);
	state->control.pmc_map[0] = FAST | P4_NR_COUNTERS;
	refuse(state);
	/* With and without: the same counter. */
	state = good(0, 0);
	p4_add(state, 0, T0_USR | T0_OS, 0);
	state->control.pmc_map[1] &= ~FAST;
	refuse(state);
}

static void
without_pebs_enable_matrix_vert_must_be_zero(const struct processor *p)
{
	unsigned int bit;

	(void)p;
	check_pebs(0, 0, true);
	for (bit = 0; bit < 32; bit++)
		check_pebs(0, 1u << bit, false);
}

static void
only_the_bits_of_replay_tagging_may_be_set(const struct processor *p)
{
	const u32 allowed = 1u << 24 | 1u << 10 | 1u << 9 | 7;
	unsigned int bit;

	(void)p;
	for (bit = 0; bit < 32; bit++)
		check_pebs(1u << 24 | 1u | 1u << bit, 1, allowed >> bit & 1);
}

static void pebs_enable_needs_uop_tag_and_a_metric(const struct processor *p)
{
	static const unsigned int metrics[] = { 10, 9, 2, 1, 0 };
	unsigned int i;

	(void)p;
	for (i = 0; i < ARRAY_SIZE(metrics); i++) {
		check_pebs(1u << 24 | 1u << metrics[i], 1, true);
		check_pebs(1u << metrics[i], 1, false);
	}
	check_pebs(1u << 24, 1, false);
}

static void matrix_vert_must_have_bits_1_and_0_only_and_one_at_least(
	const struct processor *p)
{
	unsigned int bit;

	(void)p;
	check_pebs(1u << 24 | 1, 0, false);
	check_pebs(1u << 24 | 1, 3, true);
	for (bit = 0; bit < 32; bit++) {
		check_pebs(1u << 24 | 1, 1u << bit, bit < 2);
		check_pebs(1u << 24 | 1, 1u << bit | 1, bit < 2);
	}
}

static void counters_without_control_data_are_allowed(const struct processor *p)
{
	struct perfctr_cpu_state state = { 0 };

	(void)p;
	accept(&state);
	state.control.tsc_on = 1;
	accept(&state);
	p4_make_all(&state, 0);
	p4_make_all(&state, -5);
}

static void the_processor_is_detected(const struct processor *p)
{
	assert_string_equal(perfctr_cpu_name, "Intel P4");
	assert_int_equal(perfctr_info.cpu_type, p->cpu_type);
	assert_int_equal(perfctr_info.cpu_features,
			 PERFCTR_FEATURE_RDPMC | PERFCTR_FEATURE_RDTSC |
				 PERFCTR_FEATURE_PCINT);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(the_processor_is_detected),
		RULE(ovf_pmi_t1_and_hardware_reserved_bits_must_not_be_set),
		RULE(a_cccr_has_no_bits_beyond_32),
		RULE(extended_cascade_is_permitted_on_models_from_2_on_for_some_counters),
		RULE(both_active_thread_bits_must_be_set_without_threads),
		RULE(enable_or_a_cascade_must_be_set),
		RULE(the_interrupt_bit_follows_the_mode),
		RULE(forced_overflow_wants_a_restart_value_of_exactly_minus_1),
		RULE(the_highest_bit_of_an_escr_is_reserved),
		RULE(levels_of_thread_1_need_threads_and_global_mode),
		RULE(iq_escr_can_only_be_used_up_to_model_2),
		RULE(the_escr_is_computed_from_counter_and_select),
		RULE(one_escr_cannot_have_two_values),
		RULE(the_map_may_ask_for_fast_rdpmc),
		RULE(without_pebs_enable_matrix_vert_must_be_zero),
		RULE(only_the_bits_of_replay_tagging_may_be_set),
		RULE(pebs_enable_needs_uop_tag_and_a_metric),
		RULE(matrix_vert_must_have_bits_1_and_0_only_and_one_at_least),
		RULE(counters_without_control_data_are_allowed),
	};

	return run_p4_rules(rules, ARRAY_SIZE(rules), boot_and_reserve);
}
