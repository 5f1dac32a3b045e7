// SPDX-License-Identifier: GPL-2.0-only
/*
 * What counters count: events, privilege levels, enable bits.
 */

#include "pmu_harness.h"

/* Runs a test for every model and counter. */
static void each_counter(void (*test)(const struct model *m, unsigned int i))
{
	unsigned int model, i;

	for (model = 0; model < ARRAY_SIZE(models); model++)
		for (i = 0; i < models[model].counters; i++)
			test(&models[model], i);
}

/* What counter i has after 1000 user and 100 kernel instructions. */
static uint64_t count(const struct model *m, unsigned int i, uint64_t select)
{
	struct pmu pmu;

	start_model(&pmu, m);
	start_counter(&pmu, m, i, select);
	run(&pmu, 60);
	pmu_set_user(&pmu, true);
	run(&pmu, 1000);
	pmu_set_user(&pmu, false);
	run(&pmu, 40);
	return rd(&pmu, counter_msr(m, i));
}

static void check_levels(const struct model *m, unsigned int i)
{
	assert_int_equal(count(m, i, INSNS_EVENT), 0);
	assert_int_equal(count(m, i, INSNS_EVENT | USR), 1000);
	assert_int_equal(count(m, i, INSNS_EVENT | OS), 100);
	assert_int_equal(count(m, i, INSNS_EVENT | USR | OS), 1100);
}

static void instructions_are_exact_at_each_level(void **state)
{
	(void)state;
	each_counter(check_levels);
}

/* Cycles are an event of some counters only on family 15h. */
static bool counts_cycles(const struct model *m, unsigned int i)
{
	return pmu_model_counters(m->name, m->cycles_event) >> i & 1;
}

static void check_cycles(const struct model *m, unsigned int i)
{
	if (!counts_cycles(m, i))
		return;
	assert_int_equal(count(m, i, m->cycles_event | USR | OS), 1650);
}

static void cycles_are_three_halves_of_instructions(void **state)
{
	(void)state;
	each_counter(check_cycles);
}

static void check_filler(const struct model *m, unsigned int i)
{
	/* An event that all counters have, whatever it means. */
	const uint64_t select = 0x41c8 | USR | OS;
	const uint64_t once = count(m, i, select);

	assert_int_equal(count(m, i, select), once);
	assert_true(once >= 1100 / 1025 && once <= 1100 / 2);
}

static void other_events_have_a_steady_rate(void **state)
{
	(void)state;
	each_counter(check_filler);
}

static void check_masks(const struct model *m, unsigned int i)
{
	const uint64_t cycles = m->cycles_event | USR | OS;

	if (!counts_cycles(m, i))
		return;
	/* Cycles come as 1, 2, 1, 2, ... in the 1100 steps. */
	assert_int_equal(count(m, i, cycles | CMASK(1)), 1100);
	assert_int_equal(count(m, i, cycles | CMASK(2)), 550);
	assert_int_equal(count(m, i, cycles | CMASK(3)), 0);
	assert_int_equal(count(m, i, cycles | CMASK(2) | INV), 550);
	assert_int_equal(count(m, i, cycles | CMASK(3) | INV), 1100);
	assert_int_equal(count(m, i, cycles | CMASK(2) | EDGE), 550);
	assert_int_equal(count(m, i, cycles | INV), 1650);
	assert_int_equal(count(m, i, cycles | EDGE), 0);
}

static void counter_mask_inversion_and_edge_are_honoured(void **state)
{
	(void)state;
	each_counter(check_masks);
}

static void check_enable(const struct model *m, unsigned int i)
{
	struct pmu pmu;

	start_model(&pmu, m);
	wr(&pmu, select_msr(m, i), INSNS_EVENT | USR | OS);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, counter_msr(m, i)), 0);
	start_counter(&pmu, m, i, INSNS_EVENT | USR | OS);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, counter_msr(m, i)), 100);
	wr(&pmu, select_msr(m, i), 0);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, counter_msr(m, i)), 100);
}

static void counters_count_only_while_enabled(void **state)
{
	(void)state;
	each_counter(check_enable);
}

static void p6_enables_both_counters_with_the_first_selector(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "p6"));
	wr(&pmu, 0x187, INSNS_EVENT | USR | OS | EN);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, 0xc2), 0);
	wr(&pmu, 0x186, EN);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, 0xc1), 0);
	assert_int_equal(rd(&pmu, 0xc2), 100);
	wr(&pmu, 0x186, 0);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, 0xc2), 100);
}

static void global_control_stops_and_starts_each_counter(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "arch2"));
	wr(&pmu, GLOBAL_CTRL, 0);
	wr(&pmu, 0x186, INSNS_EVENT | USR | OS | EN);
	wr(&pmu, 0x187, INSNS_EVENT | USR | OS | EN);
	wr(&pmu, FIXED_CTRL, 0x333);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, 0xc1), 0);
	assert_int_equal(rd(&pmu, FIXED_CTR0), 0);
	wr(&pmu, GLOBAL_CTRL, 2 | 1ull << 32);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, 0xc1), 0);
	assert_int_equal(rd(&pmu, 0xc2), 100);
	assert_int_equal(rd(&pmu, FIXED_CTR0), 100);
	assert_int_equal(rd(&pmu, FIXED_CTR0 + 1), 0);
}

static void fixed_counters_have_their_events_and_levels(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "core2"));
	wr(&pmu, GLOBAL_CTRL, 7ull << 32);
	wr(&pmu, FIXED_CTRL, 0x312); /* user; kernel; both */
	run(&pmu, 100);
	pmu_set_user(&pmu, true);
	run(&pmu, 1000);
	assert_int_equal(rd(&pmu, FIXED_CTR0), 1000);
	assert_int_equal(rd(&pmu, FIXED_CTR0 + 1), 150);
	assert_int_equal(rd(&pmu, FIXED_CTR0 + 2), 1650);
}

/* As a kernel does at each context switch. */
static void switching_off_and_on_loses_no_cycles(void **state)
{
	unsigned int model, i;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++) {
		const struct model *m = &models[model];
		struct pmu pmu;

		start_model(&pmu, m);
		for (i = 0; i < 1000; i++) {
			start_counter(&pmu, m, 0, m->cycles_event | OS);
			run(&pmu, 1);
			wr(&pmu, select_msr(m, 0), 0);
			run(&pmu, 5);
		}
		assert_int_equal(rd(&pmu, counter_msr(m, 0)), 1500);
	}
}

/* The stock driver of the P6 stops a counter by selecting no event. */
static void selecting_no_event_for_a_while_loses_no_cycles(void **state)
{
	struct pmu pmu;
	unsigned int i;

	(void)state;
	assert_true(pmu_init(&pmu, "p6"));
	for (i = 0; i < 1000; i++) {
		wr(&pmu, 0x186, 0x79 | OS | EN);
		run(&pmu, 1);
		wr(&pmu, 0x186, 0x2e | OS | EN);
		run(&pmu, 5);
	}
	assert_int_equal(rd(&pmu, 0xc1), 1500);
}

/* The architectural events are the same on both kinds of core, others are not. */
static void kinds_of_core_differ_in_some_events(void **state)
{
	static const struct {
		uint64_t event;
		bool same;
	} events[] = { { 0xc0, true },	 { 0x3c, true },   { 0x13c, true },
		       { 0xc4, true },	 { 0xc5, true },   { 0x4f2e, true },
		       { 0x412e, true }, { 0x1d1, false }, { 0x2c2, false } };
	struct pmu core, atom;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		assert_true(pmu_init(&core, "goldencove"));
		assert_true(pmu_init(&atom, "gracemont"));
		wr(&core, 0x186, events[i].event | OS | EN);
		wr(&atom, 0x186, events[i].event | OS | EN);
		run(&core, 100000);
		run(&atom, 100000);
		assert_int_equal(rd(&core, 0xc1) == rd(&atom, 0xc1),
				 events[i].same);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_of_core_differ_in_some_events),
		cmocka_unit_test(instructions_are_exact_at_each_level),
		cmocka_unit_test(cycles_are_three_halves_of_instructions),
		cmocka_unit_test(other_events_have_a_steady_rate),
		cmocka_unit_test(counter_mask_inversion_and_edge_are_honoured),
		cmocka_unit_test(counters_count_only_while_enabled),
		cmocka_unit_test(
			p6_enables_both_counters_with_the_first_selector),
		cmocka_unit_test(global_control_stops_and_starts_each_counter),
		cmocka_unit_test(fixed_counters_have_their_events_and_levels),
		cmocka_unit_test(switching_off_and_on_loses_no_cycles),
		cmocka_unit_test(
			selecting_no_event_for_a_while_loses_no_cycles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
