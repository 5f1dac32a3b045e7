// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of AMD processors, and IBS.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <perfmon/pfmlib_amd64.h>

#include "dispatched.h"
#include "force_pmu.h"

static void counters_are_given_out_upwards(void **state)
{
	(void)state;
	force_pmu("16,15,5,1");
	assert_string_equal(counters_of("CPU_CLK_UNHALTED"), "0 1 2 3");
	force_pmu("16,23,1,0");
	assert_string_equal(counters_of("RETIRED_INSTRUCTIONS"), "0 1 2 3 4 5");
}

static void unavailable_counters_can_be_too_many(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("16,6,1,0");
	in = events("CPU_CLK_UNHALTED RETIRED_INSTRUCTIONS");
	without_pmc(in, 0);
	without_pmc(in, 2);
	without_pmc(in, 3);
	assert_string_equal(dispatched(in), "error -5");
}

static void the_old_families_have_four_counters(void **state)
{
	(void)state;
	force_pmu("16,15,5,1");
	assert_string_equal(
		addresses(events("CPU_CLK_UNHALTED RETIRED_INSTRUCTIONS")),
		"0@0xc0010000 1@0xc0010001 | 0@0xc0010004/0x0 "
		"1@0xc0010005/0x1");
}

static void newer_families_have_core_counters(void **state)
{
	(void)state;
	force_pmu("16,21,1,0");
	assert_string_equal(
		addresses(events("CPU_CLK_UNHALTED RETIRED_INSTRUCTIONS")),
		"0@0xc0010200 1@0xc0010202 | 0@0xc0010201/0x0 "
		"1@0xc0010203/0x1");
	force_pmu("16,25,17,0");
	assert_string_equal(addresses(events("RETIRED_INSTRUCTIONS")),
			    "0@0xc0010200 | 0@0xc0010201/0x0");
}

static void
floating_point_events_of_family_15h_have_the_upper_counters(void **state)
{
	(void)state;
	force_pmu("16,21,1,0");
	assert_string_equal(counters_of("DISPATCHED_FPU_OPS"), "3 4 5");
	assert_string_equal(counters_of("CPU_CLK_UNHALTED"), "0 1 2");
	assert_string_equal(counters_of("RETIRED_INSTRUCTIONS"), "0 1 2 3 4 5");
	assert_string_equal(dispatched(events("DISPATCHED_FPU_OPS:OPS_PIPE0")),
			    "3=0x530100 | 3");
	/* With both kinds of masks it is an event of counter 3. */
	assert_string_equal(dispatched(events("RETIRED_SSE_OPS:ALL "
					      "DISPATCHED_FPU_OPS:OPS_PIPE0")),
			    "3=0x53ff03 4=0x530100 | 3 4");
	assert_string_equal(dispatched(events("RETIRED_SSE_OPS:ALL "
					      "RETIRED_SSE_OPS:ALL")),
			    "error -5");
}

static void events_of_family_15h_make_room_for_each_other(void **state)
{
	(void)state;
	force_pmu("16,21,1,0");
	assert_string_equal(
		dispatched(events("RETIRED_INSTRUCTIONS CPU_CLK_UNHALTED "
				  "CPU_CLK_UNHALTED CPU_CLK_UNHALTED")),
		"3=0x5300c0 0=0x530076 1=0x530076 2=0x530076 | 3 0 1 2");
	assert_string_equal(
		dispatched(events("CPU_CLK_UNHALTED CPU_CLK_UNHALTED "
				  "CPU_CLK_UNHALTED CPU_CLK_UNHALTED")),
		"error -5");
}

#define FLOPS "RETIRED_SSE_AVX_FLOPS:ANY"
#define MERGE "=0xf004000ff"

static void zens_flops_take_two_counters(void **state)
{
	(void)state;
	force_pmu("16,25,1,0");
	assert_string_equal(counters_of("RETIRED_SSE_AVX_FLOPS"), "0 2 4");
	assert_string_equal(dispatched(events(FLOPS)),
			    "0=0x530f03 1" MERGE " | 0 1");
	/* The counter behind is for no other event. */
	assert_string_equal(dispatched(events("RETIRED_INSTRUCTIONS " FLOPS
					      " RETIRED_INSTRUCTIONS")),
			    "0=0x5300c0 2=0x530f03 1=0x5300c0 3" MERGE
			    " | 0 2 1 3");
	assert_string_equal(addresses(events(FLOPS)),
			    "0@0xc0010200 1@0xc0010202 | 0@0xc0010201/0x0 "
			    "1@0xc0010203/0x1");
}

static void zens_flops_need_a_pair_of_usable_counters(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("16,23,1,0");
	in = events("RETIRED_SSE_AVX_OPERATIONS:DP_ADD_SUB_FLOPS");
	without_pmc(in, 1);
	without_pmc(in, 2);
	assert_string_equal(dispatched(in), "4=0x531003 5" MERGE " | 4 5");
	without_pmc(in, 5);
	assert_string_equal(dispatched(in), "error -5");
	force_pmu("16,25,1,0");
	assert_string_equal(dispatched(events(FLOPS " " FLOPS " " FLOPS)),
			    "0=0x530f03 2=0x530f03 4=0x530f03 1" MERGE
			    " 3" MERGE " 5" MERGE " | 0 2 4 1 3 5");
	assert_string_equal(dispatched(events(FLOPS " " FLOPS " " FLOPS
						    " RETIRED_INSTRUCTIONS")),
			    "error -5");
}

static void masks_that_are_numbers_do_not_combine(void **state)
{
	(void)state;
	force_pmu("16,16,2,0");
	assert_string_equal(
		dispatched(events("MAB_REQUESTS:BUFFER_1:BUFFER_2")),
		"error -9");
	assert_string_equal(dispatched(events("MAB_REQUESTS:BUFFER_1")),
			    "0=0x530168 | 0");
	assert_string_equal(
		dispatched(events("NON_CANCELLED_L3_READ_REQUESTS"
				  ":READ_BLOCK_SHARED:READ_BLOCK_MODIFY")),
		"error -9");
	assert_string_equal(
		dispatched(events("DATA_CACHE_REFILLS:L2_SHARED:L2_OWNED")),
		"0=0x530a42 | 0");
}

static void options_are_put_into_the_selector(void **state)
{
	pfmlib_amd64_input_param_t param = {
		.pfp_amd64_counters = { { 3, PFM_AMD64_SEL_INV |
						     PFM_AMD64_SEL_EDGE } },
	};

	(void)state;
	force_pmu("16,15,5,1");
	assert_string_equal(dispatched_with(events("CPU_CLK_UNHALTED"), &param,
					    NULL),
			    "0=0x3d70076 | 0");
}

static void options_that_do_not_exist_are_refused(void **state)
{
	pfmlib_amd64_input_param_t param = {
		.pfp_amd64_counters = { { 0, 0x10 } },
	};

	(void)state;
	force_pmu("16,16,2,0");
	assert_string_equal(dispatched_with(events("CPU_CLK_UNHALTED"), &param,
					    NULL),
			    "error -2");
}

static void the_counter_mask_has_a_limit(void **state)
{
	pfmlib_amd64_input_param_t param = {
		.pfp_amd64_counters = { { 4, 0 } },
	};

	(void)state;
	force_pmu("16,16,2,0");
	assert_string_equal(dispatched_with(events("CPU_CLK_UNHALTED"), &param,
					    NULL),
			    "error -2");
}

static void the_limit_is_higher_since_zen(void **state)
{
	pfmlib_amd64_input_param_t param = {
		.pfp_amd64_counters = { { 127, 0 } },
	};

	(void)state;
	force_pmu("16,23,1,0");
	assert_string_equal(dispatched_with(events("RETIRED_INSTRUCTIONS"),
					    &param, NULL),
			    "0=0x7f5300c0 | 0");
	param.pfp_amd64_counters[0].cnt_mask = 128;
	assert_string_equal(dispatched_with(events("RETIRED_INSTRUCTIONS"),
					    &param, NULL),
			    "error -2");
}

static void ibs_events_have_registers_of_their_own(void **state)
{
	(void)state;
	force_pmu("16,16,4,2");
	assert_string_equal(dispatched(events("IBSOP_EVENT:CYCLES")),
			    "7=0x20000 | 9");
	assert_string_equal(dispatched(events("IBSOP_EVENT:UOPS")),
			    "7=0xa0000 | 9");
	assert_string_equal(dispatched(events("IBSFETCH_EVENT:RANDOM")),
			    "6=0x201000000000000 | 6");
	assert_string_equal(dispatched(events("IBSFETCH_EVENT:NO_RANDOM")),
			    "6=0x1000000000000 | 6");
	assert_string_equal(addresses(events("IBSFETCH_EVENT:RANDOM "
					     "IBSOP_EVENT:CYCLES")),
			    "6@0xc0011030 7@0xc0011033 | "
			    "6@0xc0011030/0xc0011030 "
			    "9@0xc0011033/0xc0011033");
	assert_string_equal(counters_of("IBSOP_EVENT"), "9");
	assert_string_equal(counters_of("IBSFETCH_EVENT"), "6");
}

static void ibs_events_take_the_place_of_a_counter(void **state)
{
	(void)state;
	force_pmu("16,16,4,2");
	assert_string_equal(
		dispatched(events("CPU_CLK_UNHALTED IBSOP_EVENT:CYCLES "
				  "CPU_CLK_UNHALTED")),
		"0=0x530076 7=0x20000 2=0x530076 | 0 9 2");
}

static void one_kind_of_ibs_cannot_be_used_twice(void **state)
{
	pfmlib_amd64_input_param_t param = {
		.flags = PFMLIB_AMD64_USE_IBSOP,
	};
	pfmlib_amd64_output_param_t bases;

	(void)state;
	force_pmu("16,16,4,2");
	assert_string_equal(
		dispatched(events("IBSOP_EVENT:CYCLES IBSOP_EVENT:UOPS")),
		"error -5");
	assert_string_equal(dispatched_with(events("IBSOP_EVENT:CYCLES"),
					    &param, &bases),
			    "error -5");
}

static void ibs_can_be_unavailable(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("16,16,4,2");
	in = events("IBSOP_EVENT:CYCLES");
	without_pmc(in, 7);
	assert_string_equal(dispatched(in), "error -5");
}

static void barcelona_does_not_tag_micro_operations(void **state)
{
	pfmlib_amd64_input_param_t param = {
		.flags = PFMLIB_AMD64_USE_IBSOP,
		.ibsop = { 0x1000, IBS_OPTIONS_UOPS },
	};
	pfmlib_amd64_output_param_t bases;

	(void)state;
	force_pmu("16,16,2,2");
	assert_string_equal(dispatched(events("IBSOP_EVENT:UOPS")),
			    "error -19");
	assert_string_equal(dispatched(events("IBSOP_EVENT:CYCLES")),
			    "7=0x20000 | 9");
	assert_string_equal(dispatched_with(NULL, &param, &bases), "error -19");
}

static void ibs_can_be_asked_for_without_events(void **state)
{
	pfmlib_amd64_input_param_t param = {
		.flags = PFMLIB_AMD64_USE_IBSOP,
		.ibsop = { 0x1000, 0 },
	};
	pfmlib_amd64_output_param_t bases = { .ibsop_base = 7 };

	(void)state;
	force_pmu("16,16,4,2");
	assert_string_equal(dispatched_with(NULL, &param, &bases),
			    "7=0x20100 | 9");
	assert_int_equal(bases.ibsop_base, 0);
	assert_string_equal(dispatched_with(events(""), &param, &bases),
			    "7=0x20100 | 9");
}

static void ibs_of_the_input_needs_an_output(void **state)
{
	pfmlib_amd64_input_param_t param = {
		.flags = PFMLIB_AMD64_USE_IBSFETCH,
	};

	(void)state;
	force_pmu("16,16,4,2");
	assert_string_equal(dispatched_with(NULL, &param, NULL), "error -2");
}

static void older_families_have_no_ibs(void **state)
{
	pfmlib_amd64_input_param_t param = {
		.flags = PFMLIB_AMD64_USE_IBSFETCH,
	};
	pfmlib_amd64_output_param_t bases;

	(void)state;
	force_pmu("16,15,65,0");
	assert_string_equal(dispatched_with(NULL, &param, &bases), "error -19");
}

static void the_first_bad_event_decides_the_error(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("16,16,2,0");
	in = events("MAB_REQUESTS:BUFFER_1:BUFFER_2 CPU_CLK_UNHALTED");
	in->pfp_events[1].plm = PFM_PLM1;
	assert_string_equal(dispatched(in), "error -9");
	/* The first event has no counter, so the second is not looked at. */
	in->pfp_events[0] = in->pfp_events[1];
	in->pfp_events[0].plm = 0;
	without_pmc(in, 0);
	without_pmc(in, 1);
	without_pmc(in, 2);
	without_pmc(in, 3);
	assert_string_equal(dispatched(in), "error -5");
}

static void without_masks_newer_families_count_the_default(void **state)
{
	(void)state;
	force_pmu("16,23,49,0");
	assert_string_equal(dispatched(events("FP_DISPATCH_FAULTS")),
			    "0=0x530f0e | 0");
	assert_string_equal(
		dispatched(events("FP_DISPATCH_FAULTS:YMM_SPILL_FAULT")),
		"0=0x53080e | 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_given_out_upwards),
		cmocka_unit_test(unavailable_counters_can_be_too_many),
		cmocka_unit_test(the_old_families_have_four_counters),
		cmocka_unit_test(newer_families_have_core_counters),
		cmocka_unit_test(masks_that_are_numbers_do_not_combine),
		cmocka_unit_test(options_are_put_into_the_selector),
		cmocka_unit_test(options_that_do_not_exist_are_refused),
		cmocka_unit_test(the_counter_mask_has_a_limit),
		cmocka_unit_test(the_limit_is_higher_since_zen),
		cmocka_unit_test(
			floating_point_events_of_family_15h_have_the_upper_counters),
		cmocka_unit_test(events_of_family_15h_make_room_for_each_other),
		cmocka_unit_test(zens_flops_take_two_counters),
		cmocka_unit_test(zens_flops_need_a_pair_of_usable_counters),
		cmocka_unit_test(ibs_events_have_registers_of_their_own),
		cmocka_unit_test(ibs_events_take_the_place_of_a_counter),
		cmocka_unit_test(one_kind_of_ibs_cannot_be_used_twice),
		cmocka_unit_test(ibs_can_be_unavailable),
		cmocka_unit_test(barcelona_does_not_tag_micro_operations),
		cmocka_unit_test(ibs_can_be_asked_for_without_events),
		cmocka_unit_test(ibs_of_the_input_needs_an_output),
		cmocka_unit_test(older_families_have_no_ibs),
		cmocka_unit_test(the_first_bad_event_decides_the_error),
		cmocka_unit_test(
			without_masks_newer_families_count_the_default),
	};

	return cmocka_run_group_tests_name("dispatch: AMD", tests, NULL, NULL);
}
