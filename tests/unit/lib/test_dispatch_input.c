// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pfm_dispatch_events() checks for all models, in which order, and what it
 * leaves in its output.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <perfmon/pfmlib_amd64.h>
#include <perfmon/pfmlib_core.h>

#include "array_size.h"
#include "dispatched.h"
#include "force_pmu.h"

static pfmlib_output_param_t out;

/* Core has 5 counters. */
static pfmlib_input_param_t *core_cycles(unsigned int count)
{
	pfmlib_input_param_t *in;
	unsigned int i;

	force_pmu("36");
	in = events("UNHALTED_CORE_CYCLES");
	in->pfp_event_count = count;
	for (i = 1; i < count && i < PFMLIB_MAX_PMCS; i++)
		in->pfp_events[i] = in->pfp_events[0];
	return in;
}

/* Runs first: nothing is initialised yet. */
static void nothing_is_dispatched_without_a_model(void **state)
{
	static pfmlib_input_param_t in;

	(void)state;
	assert_int_equal(pfm_dispatch_events(NULL, NULL, NULL, NULL),
			 PFMLIB_ERR_NOINIT);
	assert_int_equal(pfm_dispatch_events(&in, NULL, &out, NULL),
			 PFMLIB_ERR_NOINIT);
}

static void missing_arguments_are_refused(void **state)
{
	pfmlib_core_input_param_t core = { .pfp_core_pebs = { 0 } };
	pfmlib_input_param_t *in = core_cycles(1);

	(void)state;
	assert_int_equal(pfm_dispatch_events(NULL, NULL, &out, NULL),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_dispatch_events(in, NULL, NULL, NULL),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_dispatch_events(NULL, &core, &out, NULL),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_dispatch_events(in, NULL, NULL, &core),
			 PFMLIB_ERR_INVAL);
}

static void a_default_level_is_necessary(void **state)
{
	pfmlib_input_param_t *in = core_cycles(1);

	(void)state;
	in->pfp_dfl_plm = 0;
	in->pfp_events[0].plm = PFM_PLM3;
	assert_string_equal(dispatched(in), "error -2");
}

static void middle_levels_are_refused(void **state)
{
	static const char *const models[] = { "16", "32", "33", "53", "58" };
	pfmlib_input_param_t *in;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(models); i++) {
		force_pmu(models[i]);
		in = events("");
		in->pfp_event_count = 1;
		assert_int_equal(pfm_get_inst_retired_event(&in->pfp_events[0]),
				 0);
		in->pfp_events[0].plm = PFM_PLM1;
		assert_string_equal(dispatched(in), "error -2");
		in->pfp_events[0].plm = PFM_PLM3;
		in->pfp_dfl_plm = PFM_PLM2;
		assert_string_equal(dispatched(in), "error -2");
	}
}

static void levels_that_do_not_exist_are_ignored(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("32");
	in = events_at(PFM_PLM3 | 0x10, "INST_RETIRED");
	assert_string_equal(dispatched(in), "0=0x5100c0 | 0");
}

static void flags_of_the_input_and_of_events_mean_nothing(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("32");
	in = events_at(PFM_PLM3, "INST_RETIRED");
	in->pfp_flags = PFMLIB_PFP_SYSTEMWIDE | 0x80;
	in->pfp_events[0].flags = 0xff;
	assert_string_equal(dispatched(in), "0=0x5100c0 | 0");
}

static void more_events_than_counters_cannot_be_assigned(void **state)
{
	(void)state;
	assert_string_equal(dispatched(core_cycles(6)), "error -5");
}

static void more_events_than_the_input_holds_are_refused(void **state)
{
	(void)state;
	assert_string_equal(dispatched(core_cycles(PFMLIB_MAX_PMCS)),
			    "error -2");
	assert_string_equal(dispatched(core_cycles(UINT32_MAX)), "error -2");
}

static void the_number_of_events_comes_before_the_events(void **state)
{
	pfmlib_input_param_t *in = core_cycles(6);

	(void)state;
	in->pfp_events[0].event = 100000;
	assert_string_equal(dispatched(in), "error -5");
}

static void unknown_events_are_refused(void **state)
{
	pfmlib_input_param_t *in = core_cycles(2);
	unsigned int count;

	(void)state;
	in->pfp_events[1].event = 100000;
	assert_string_equal(dispatched(in), "error -2");
	pfm_get_num_events(&count);
	in->pfp_events[1].event = count;
	assert_string_equal(dispatched(in), "error -2");
}

static void masks_must_fit_the_event(void **state)
{
	pfmlib_input_param_t *in = core_cycles(1);

	(void)state;
	in->pfp_events[0].num_masks = 1;
	assert_string_equal(dispatched(in), "error -22");

	in = events("L2_LINES_IN:SELF");
	in->pfp_events[0].unit_masks[0] = 40;
	assert_string_equal(dispatched(in), "error -22");
	in->pfp_events[0].num_masks = 0;
	assert_string_equal(dispatched(in), "error -22");
}

static void more_masks_than_an_event_holds_are_refused(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("36");
	in = events("L2_LINES_IN:SELF");
	in->pfp_events[0].num_masks = PFMLIB_MAX_MASKS_PER_EVENT + 1;
	assert_string_equal(dispatched(in), "error -22");
	in->pfp_events[0].num_masks = UINT32_MAX;
	assert_string_equal(dispatched(in), "error -22");
}

static void bad_masks_are_found_before_bad_levels(void **state)
{
	pfmlib_input_param_t *in = core_cycles(1);

	(void)state;
	in->pfp_events[0].num_masks = 1;
	in->pfp_dfl_plm = PFM_PLM1;
	assert_string_equal(dispatched(in), "error -22");
}

static void no_events_need_no_registers(void **state)
{
	static const char *const models[] = { "36", "33", "34", "40", "63",
					      "53", "57", "58", "59" };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(models); i++) {
		force_pmu(models[i]);
		assert_string_equal(dispatched(events("")), "|");
	}
}

static void no_events_still_enable_the_p6(void **state)
{
	(void)state;
	force_pmu("37");
	assert_string_equal(dispatched(events("")), "0=0x400000 |");
}

static void amd_wants_an_event(void **state)
{
	pfmlib_amd64_input_param_t none = { .flags = 0 };

	(void)state;
	force_pmu("16");
	assert_string_equal(dispatched(events("")), "error -2");
	assert_string_equal(dispatched_with(events(""), &none, NULL),
			    "error -2");
	assert_string_equal(dispatched_with(NULL, &none, NULL), "error -2");
}

static void pmcs_that_do_not_exist_may_be_unavailable(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("32");
	in = events("INST_RETIRED");
	without_pmc(in, 100);
	without_pmc(in, 511);
	assert_string_equal(dispatched(in), "0=0x5300c0 | 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_dispatched_without_a_model),
		cmocka_unit_test(missing_arguments_are_refused),
		cmocka_unit_test(a_default_level_is_necessary),
		cmocka_unit_test(middle_levels_are_refused),
		cmocka_unit_test(levels_that_do_not_exist_are_ignored),
		cmocka_unit_test(flags_of_the_input_and_of_events_mean_nothing),
		cmocka_unit_test(more_events_than_counters_cannot_be_assigned),
		cmocka_unit_test(more_events_than_the_input_holds_are_refused),
		cmocka_unit_test(the_number_of_events_comes_before_the_events),
		cmocka_unit_test(unknown_events_are_refused),
		cmocka_unit_test(masks_must_fit_the_event),
		cmocka_unit_test(more_masks_than_an_event_holds_are_refused),
		cmocka_unit_test(bad_masks_are_found_before_bad_levels),
		cmocka_unit_test(no_events_need_no_registers),
		cmocka_unit_test(no_events_still_enable_the_p6),
		cmocka_unit_test(amd_wants_an_event),
		cmocka_unit_test(pmcs_that_do_not_exist_may_be_unavailable),
	};

	return cmocka_run_group_tests_name("dispatch: input", tests, NULL,
					   NULL);
}
