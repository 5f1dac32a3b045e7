// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of P5, Cyrix, WinChip and C3, and the time-stamp counter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dispatched.h"
#include "force_pmu.h"

static void p5_puts_the_levels_into_the_half(void **state)
{
	(void)state;
	force_pmu("53");
	assert_string_equal(dispatched(events("INSTRUCTIONS_EXECUTED")),
			    "0=0xd6 | 0");
	assert_string_equal(
		dispatched(events_at(PFM_PLM3, "INSTRUCTIONS_EXECUTED")),
		"0=0x96 | 0");
	assert_string_equal(
		dispatched(events_at(PFM_PLM0, "INSTRUCTIONS_EXECUTED")),
		"0=0x56 | 0");
}

static void p5_counters_are_taken_in_order(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("53");
	in = events("DATA_READ DATA_WRITE");
	assert_string_equal(dispatched(in), "0=0xc0 1=0xc1 | 0 1");
	without_pmc(in, 0);
	assert_string_equal(dispatched(in), "error -5");
	in = events("DATA_READ");
	without_pmc(in, 0);
	assert_string_equal(dispatched(in), "1=0xc0 | 1");
}

static void mmx_events_have_one_counter_only(void **state)
{
	(void)state;
	force_pmu("54");
	assert_string_equal(
		dispatched(events("DATA_READ EMMS_INSTRUCTIONS_EXECUTED")),
		"1=0xc0 0=0xed | 1 0");
	assert_string_equal(
		dispatched(events("EMMS_INSTRUCTIONS_EXECUTED "
				  "SATURATING_MMX_INSTRUCTIONS_EXECUTED")),
		"error -5");
	assert_string_equal(
		dispatched(events(
			"EMMS_INSTRUCTIONS_EXECUTED SATURATIONS_PERFORMED")),
		"0=0xed 1=0xef | 0 1");
	assert_string_equal(counters_of("SATURATIONS_PERFORMED"), "1");
	assert_string_equal(counters_of("DATA_READ"), "0 1");
}

static void an_event_with_one_counter_needs_it(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("54");
	in = events("SATURATIONS_PERFORMED");
	without_pmc(in, 1);
	assert_string_equal(dispatched(in), "error -5");
}

static void cyrix_has_a_seventh_bit_of_the_event(void **state)
{
	(void)state;
	force_pmu("55");
	assert_string_equal(
		dispatched(events("INSTRUCTIONS_DECODED L1_TLB_MISS")),
		"0=0x4c8 1=0x4c3 | 0 1");
}

static void winchip_counts_at_all_levels(void **state)
{
	(void)state;
	force_pmu("56");
	assert_string_equal(
		dispatched(events("X86_INSTRUCTIONS INTERNAL_CLOCKS")),
		"0=0x2 1=0x0 | 0 1");
	assert_string_equal(dispatched(events_at(PFM_PLM3, "X86_INSTRUCTIONS")),
			    "0=0x2 | 0");
	force_pmu("57");
	assert_string_equal(dispatched(events("INTERNAL_CLOCKS")),
			    "0=0x3f | 0");
}

static void both_halves_are_one_register(void **state)
{
	(void)state;
	force_pmu("53");
	assert_string_equal(addresses(events("DATA_READ DATA_WRITE")),
			    "0@0x11 1@0x11 | 0@0x12/0x0 1@0x13/0x1");
}

static void c3_has_the_second_counter_only(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("58");
	in = events("INSTRUCTIONS_EXECUTED");
	assert_string_equal(dispatched(in), "1=0xc0 | 1");
	assert_string_equal(addresses(in), "1@0x187 | 1@0xc2/0x1");
	assert_string_equal(counters_of("INTERNAL_CLOCKS"), "1");
	without_pmc(in, 1);
	assert_string_equal(dispatched(in), "error -5");
	assert_string_equal(
		dispatched(events("INSTRUCTIONS_EXECUTED INTERNAL_CLOCKS")),
		"error -5");
}

static void the_time_stamp_counter_has_no_selector(void **state)
{
	(void)state;
	force_pmu("59");
	assert_string_equal(dispatched(events("TSC")), "| 256");
	assert_string_equal(addresses(events("TSC")), "| 256@0x10/0x10");
	assert_string_equal(counters_of("TSC"), "256");
	assert_string_equal(dispatched(events("TSC TSC")), "error -5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p5_puts_the_levels_into_the_half),
		cmocka_unit_test(p5_counters_are_taken_in_order),
		cmocka_unit_test(mmx_events_have_one_counter_only),
		cmocka_unit_test(an_event_with_one_counter_needs_it),
		cmocka_unit_test(cyrix_has_a_seventh_bit_of_the_event),
		cmocka_unit_test(winchip_counts_at_all_levels),
		cmocka_unit_test(both_halves_are_one_register),
		cmocka_unit_test(c3_has_the_second_counter_only),
		cmocka_unit_test(the_time_stamp_counter_has_no_selector),
	};

	return cmocka_run_group_tests_name("dispatch: old processors", tests,
					   NULL, NULL);
}
