// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of the Pentium Pro, II, III and M on their two counters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <perfmon/pfmlib_i386_p6.h>

#include "dispatched.h"
#include "force_pmu.h"

static void some_events_have_one_counter_only(void **state)
{
	static const char *const first[] = { "FLOPS", "FP_COMP_OPS_EXE",
					     "CYCLES_DIV_BUSY" };
	static const char *const second[] = { "FP_ASSIST", "MUL", "DIV" };
	static const char *const models[] = { "32", "35", "37", "38" };
	unsigned int m, i;

	(void)state;
	for (m = 0; m < 4; m++) {
		force_pmu(models[m]);
		for (i = 0; i < 3; i++) {
			assert_string_equal(counters_of(first[i]), "0");
			assert_string_equal(counters_of(second[i]), "1");
		}
		assert_string_equal(counters_of("INST_RETIRED"), "0 1");
	}
}

static void such_events_get_their_counter_before_others(void **state)
{
	(void)state;
	force_pmu("32");
	assert_string_equal(dispatched(events("INST_RETIRED MUL")),
			    "0=0x5300c0 1=0x130012 | 0 1");
	assert_string_equal(dispatched(events("INST_RETIRED FLOPS")),
			    "1=0x1300c0 0=0x5300c1 | 1 0");
}

static void two_events_for_one_counter_cannot_be_assigned(void **state)
{
	(void)state;
	force_pmu("32");
	assert_string_equal(dispatched(events("MUL DIV")), "error -5");
	assert_string_equal(dispatched(events("FLOPS FP_COMP_OPS_EXE")),
			    "error -5");
}

static void an_event_needs_a_counter_that_is_available(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("32");
	in = events("MUL");
	without_pmc(in, 1);
	assert_string_equal(dispatched(in), "error -5");
	in = events("INST_RETIRED CPU_CLK_UNHALTED");
	without_pmc(in, 1);
	assert_string_equal(dispatched(in), "error -5");
	in = events("FLOPS");
	without_pmc(in, 1);
	assert_string_equal(dispatched(in), "0=0x5300c1 | 0");
}

static void the_first_selector_is_left_alone_if_unavailable(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("32");
	in = events("INST_RETIRED");
	without_pmc(in, 0);
	assert_string_equal(dispatched(in), "1=0x1300c0 | 1");
	in = events("");
	without_pmc(in, 0);
	assert_string_equal(dispatched(in), "|");
}

static void only_some_events_combine_masks(void **state)
{
	(void)state;
	force_pmu("37");
	assert_string_equal(dispatched(events("L2_IFETCH:M:E")),
			    "0=0x530c28 | 0");
	assert_string_equal(dispatched(events("L2_ST:M:E")), "0=0x530c2a | 0");
	assert_string_equal(dispatched(events("BUS_TRANS_BRD:SELF:ANY")),
			    "error -9");
}

static void event_and_mask_codes_make_the_unit_mask(void **state)
{
	(void)state;
	force_pmu("37");
	assert_string_equal(dispatched(events("BUS_TRANS_BRD:ANY")),
			    "0=0x532065 | 0");
}

static void levels_can_differ_between_events(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("32");
	in = events("INST_RETIRED CPU_CLK_UNHALTED");
	in->pfp_events[0].plm = PFM_PLM0;
	in->pfp_events[1].plm = PFM_PLM3;
	assert_string_equal(dispatched(in), "0=0x5200c0 1=0x110079 | 0 1");
}

static void options_that_do_not_exist_are_refused(void **state)
{
	pfmlib_i386_p6_input_param_t param = {
		.pfp_i386_p6_counters = { { PFM_I386_P6_CNT_MASK_0, 4 } },
	};

	(void)state;
	force_pmu("32");
	assert_string_equal(dispatched_with(events("INST_RETIRED"), &param,
					    NULL),
			    "error -2");
}

static void the_first_bad_event_decides_the_error(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("32");
	in = events("BUS_TRANS_BRD:SELF:ANY MUL");
	in->pfp_events[1].plm = PFM_PLM1;
	assert_string_equal(dispatched(in), "error -9");
	in = events("MUL BUS_TRANS_BRD:SELF:ANY");
	in->pfp_events[0].plm = PFM_PLM1;
	assert_string_equal(dispatched(in), "error -2");
	/* Errors of events come before those of the assignment. */
	in = events("MUL DIV");
	in->pfp_events[1].plm = PFM_PLM1;
	assert_string_equal(dispatched(in), "error -2");
}

static void addresses_are_those_of_the_registers(void **state)
{
	(void)state;
	force_pmu("35");
	assert_string_equal(addresses(events("INST_RETIRED MUL")),
			    "0@0x186 1@0x187 | 0@0xc1/0x0 1@0xc2/0x1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(some_events_have_one_counter_only),
		cmocka_unit_test(such_events_get_their_counter_before_others),
		cmocka_unit_test(two_events_for_one_counter_cannot_be_assigned),
		cmocka_unit_test(an_event_needs_a_counter_that_is_available),
		cmocka_unit_test(
			the_first_selector_is_left_alone_if_unavailable),
		cmocka_unit_test(only_some_events_combine_masks),
		cmocka_unit_test(event_and_mask_codes_make_the_unit_mask),
		cmocka_unit_test(levels_can_differ_between_events),
		cmocka_unit_test(options_that_do_not_exist_are_refused),
		cmocka_unit_test(the_first_bad_event_decides_the_error),
		cmocka_unit_test(addresses_are_those_of_the_registers),
	};

	return cmocka_run_group_tests_name("dispatch: P6", tests, NULL, NULL);
}
