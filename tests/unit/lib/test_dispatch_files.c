// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of the processors whose tables are made from event files. What codes and
 * counters they have, checks/event_codes.py judges.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <perfmon/pfmlib_intel_nhm.h>

#include "dispatched.h"
#include "force_pmu.h"

#define OCR_READ "OCR:DEMAND_DATA_RD_ANY_RESPONSE"
#define OCR_WRITE "OCR:DEMAND_RFO_ANY_RESPONSE"
#define OCR_DRAM "OCR:DEMAND_DATA_RD_DRAM"

static void architectural_names_work_as_on_unknown_processors(void **state)
{
	static const char *const pmus[] = { "60", "61", "62", "79",
					    "80", "81", "82" };

	(void)state;
	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++) {
		force_pmu(pmus[i]);
		assert_string_equal(
			dispatched(events("UNHALTED_CORE_CYCLES "
					  "INSTRUCTIONS_RETIRED LLC_MISSES")),
			"16=0xbb 0=0x53412e | 17 16 0");
		assert_string_equal(
			dispatched(events("UNHALTED_REFERENCE_CYCLES "
					  "BRANCH_INSTRUCTIONS_RETIRED")),
			"16=0xb00 0=0x5300c4 | 18 0");
	}
}

static void the_old_names_of_zen_work_on_zen_5(void **state)
{
	(void)state;
	force_pmu("16,26,2,0");
	assert_string_equal(dispatched(events("RETIRED_INSTRUCTIONS "
					      "CYCLES_NOT_IN_HALT")),
			    "0=0x5300c0 1=0x530076 | 0 1");
	assert_string_equal(dispatched(events("EX_RET_INSTR")),
			    "0=0x5300c0 | 0");
}

/* A file lists numbers that stand for kinds of operations. */
static void masks_of_zen_5_combine_where_they_are_bits(void **state)
{
	(void)state;
	force_pmu("16,26,2,0");
	assert_string_equal(
		dispatched(events("LS_DISPATCH:LD_DISPATCH:STORE_DISPATCH")),
		"0=0x530329 | 0");
	assert_string_equal(
		dispatched(
			events("FP_OPS_RETIRED_BY_TYPE:VECTOR_ADD:VECTOR_SUB")),
		"error -9");
}

static void floating_point_operations_have_a_pair_on_zen_5(void **state)
{
	(void)state;
	force_pmu("16,26,2,0");
	assert_string_equal(
		dispatched(events("FP_RET_SSE_AVX_OPS:ALL EX_RET_INSTR")),
		"0=0x530f03 2=0x5300c0 1=0xf004000ff | 0 2 1");
}

static void one_mask_is_an_event(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("62");
	assert_string_equal(
		dispatched(events("BR_INST_RETIRED:COND_TAKEN:NEAR_RETURN")),
		"error -9");
	/* The only mask is the default, one of several is not. */
	assert_string_equal(dispatched(events("XQ")), "0=0x153012d | 0");
	in = events("LSD:UOPS");
	in->pfp_events[0].num_masks = 0;
	assert_string_equal(dispatched(in), "error -22");
}

static void modifiers_are_part_of_a_mask(void **state)
{
	(void)state;
	force_pmu("62");
	/* Counter mask and edge; inverted. */
	assert_string_equal(dispatched(events("MACHINE_CLEARS:COUNT")),
			    "0=0x15701c3 | 0");
	assert_string_equal(dispatched(events("UOPS_RETIRED:STALLS")),
			    "0=0x1d302c2 | 0");
}

static void two_off_core_events_have_a_register_each(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("60");
	assert_string_equal(
		dispatched(events(OCR_READ " " OCR_WRITE)),
		"0=0x53012a 1=0x53012b 19=0x10001 31=0x10002 | 0 1");
	assert_string_equal(dispatched(events(OCR_READ " " OCR_READ)),
			    "0=0x53012a 1=0x53012a 19=0x10001 | 0 1");
	assert_string_equal(
		dispatched(events(OCR_READ " " OCR_WRITE " " OCR_DRAM)),
		"error -5");
	in = events(OCR_READ);
	without_pmc(in, 19);
	assert_string_equal(dispatched(in), "0=0x53012b 31=0x10001 | 0");
	/* The other line of cores tells them apart by the mask. */
	force_pmu("61");
	assert_string_equal(
		dispatched(events(OCR_READ " " OCR_WRITE)),
		"0=0x5301b7 1=0x5302b7 19=0x10001 31=0x10002 | 0 1");
}

static void latencies_are_refused_as_on_older_models(void **state)
{
	(void)state;
	force_pmu("62");
	assert_string_equal(
		dispatched(events("MEM_TRANS_RETIRED:LOAD_LATENCY_GT_4")),
		"error -1");
	force_pmu("79");
	assert_string_equal(
		dispatched(events("MEM_UOPS_RETIRED:LOAD_LATENCY_GT_4")),
		"error -1");
}

/* A program that knows no type above 59 passes no model's input, or this one. */
static void the_input_is_that_of_nehalem(void **state)
{
	pfmlib_nhm_input_param_t param = { .pfp_nhm_counters = {
						   { 3, PFM_NHM_SEL_INV } } };

	(void)state;
	force_pmu("79");
	assert_string_equal(dispatched_with(events("BR_INST_RETIRED:"
						   "ALL_BRANCHES"),
					    &param, NULL),
			    "0=0x3d300c4 | 0");
}

/* All ten, and the fixed ones. */
static void lion_cove_counts_fourteen_events_at_once(void **state)
{
	static const char branches[] = "BR_INST_RETIRED:ALL_BRANCHES ";
	char list[1024] = "UNHALTED_REFERENCE_CYCLES UNHALTED_CORE_CYCLES "
			  "INSTRUCTIONS_RETIRED TOPDOWN:SLOTS ";
	pfmlib_output_param_t *out = calloc(1, sizeof(*out));
	pfmlib_input_param_t *in;
	size_t used = strlen(list);

	(void)state;
	for (int i = 0; i < 10; i++) {
		memcpy(list + used, branches, sizeof(branches));
		used += sizeof(branches) - 1;
	}
	force_pmu("80");
	in = events(list);
	assert_int_equal(in->pfp_event_count, 14);
	assert_int_equal(pfm_dispatch_events(in, NULL, out, NULL),
			 PFMLIB_SUCCESS);
	assert_int_equal(out->pfp_pmd_count, 14);
	assert_int_equal(out->pfp_pmds[13].reg_num, 9);
	free(out);
}

static void an_event_of_one_kind_of_core_has_its_bit(void **state)
{
	pfmlib_event_t event;

	(void)state;
	force_pmu("82,6,151,2");
	assert_string_equal(
		dispatched(events("cpu_core/INST_RETIRED:ANY_P "
				  "CPU_ATOM/INST_RETIRED:ANY_P "
				  "INSTRUCTION_RETIRED")),
		"16=0xb 0=0x40000000005300c0 1=0x80000000005300c0 | 0 1 16");
	/* The same name means another code. */
	assert_string_equal(
		dispatched(events("CPU_CORE/BR_INST_RETIRED:NEAR_CALL "
				  "CPU_ATOM/BR_INST_RETIRED:NEAR_CALL")),
		"0=0x40000000005302c4 1=0x800000000053f9c4 | 0 1");
	/* The registers that qualify them have one, too, and there are two of them. */
	assert_string_equal(
		dispatched(events("CPU_CORE/" OCR_READ " CPU_ATOM/" OCR_READ)),
		"0=0x400000000053012a 1=0x80000000005302b7 "
		"19=0x1000000000010001 31=0x2000000000010001 | 0 1");
	assert_string_equal(dispatched(events("CPU_CORE/" OCR_READ
					      " CPU_CORE/" OCR_WRITE
					      " CPU_ATOM/" OCR_READ)),
			    "error -5");
	assert_string_equal(
		dispatched(events("CPU_CORE/FRONTEND_RETIRED:DSB_MISS")),
		"0=0x40000000005301c6 32=0x1000000000000011 | 0");
	/* What is for fixed counters alone. */
	assert_int_equal(pfm_find_full_event("CPU_CORE/INST_RETIRED:ANY",
					     &event),
			 PFMLIB_ERR_UMASK);
	assert_int_equal(pfm_find_full_event("CPU_CORE/" OCR_READ, &event),
			 PFMLIB_SUCCESS);
	force_pmu("60");
	assert_int_equal(pfm_find_full_event("CPU_CORE/INST_RETIRED:ANY_P",
					     &event),
			 PFMLIB_ERR_NOTFOUND);
}

static void a_cpu_may_use_all_counters_of_its_kind(void **state)
{
	static const char *const eight =
		"CPU_CORE/INST_RETIRED:ANY_P CPU_CORE/INST_RETIRED:ANY_P "
		"CPU_CORE/INST_RETIRED:ANY_P CPU_CORE/INST_RETIRED:ANY_P "
		"CPU_CORE/INST_RETIRED:ANY_P CPU_CORE/INST_RETIRED:ANY_P "
		"CPU_CORE/INST_RETIRED:ANY_P CPU_CORE/INST_RETIRED:ANY_P";
	pfmlib_output_param_t *out = calloc(1, sizeof(*out));
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("82,6,151,2");
	in = events(eight);
	assert_int_equal(pfm_dispatch_events(in, NULL, out, NULL),
			 PFMLIB_ERR_NOASSIGN);
	in->pfp_flags = PFMLIB_PFP_SYSTEMWIDE;
	assert_int_equal(pfm_dispatch_events(in, NULL, out, NULL),
			 PFMLIB_SUCCESS);
	assert_int_equal(out->pfp_pmcs[7].reg_num, 7);
	assert_int_equal(out->pfp_pmds[7].reg_num, 7);
	/* One for both kinds beside them has no more counters than before. */
	in = events("BR_INST_RETIRED:ALL_BRANCHES BR_INST_RETIRED:ALL_BRANCHES "
		    "BR_INST_RETIRED:ALL_BRANCHES BR_INST_RETIRED:ALL_BRANCHES "
		    "BR_INST_RETIRED:ALL_BRANCHES BR_INST_RETIRED:ALL_BRANCHES "
		    "BR_INST_RETIRED:ALL_BRANCHES CPU_CORE/INST_RETIRED:ANY_P");
	in->pfp_flags = PFMLIB_PFP_SYSTEMWIDE;
	assert_int_equal(pfm_dispatch_events(in, NULL, out, NULL),
			 PFMLIB_ERR_NOASSIGN);
	/* A session for one kind is not one for the other. */
	in = events("CPU_CORE/INST_RETIRED:ANY_P CPU_CORE/INST_RETIRED:ANY_P "
		    "CPU_CORE/INST_RETIRED:ANY_P CPU_CORE/INST_RETIRED:ANY_P "
		    "CPU_CORE/INST_RETIRED:ANY_P CPU_CORE/INST_RETIRED:ANY_P "
		    "CPU_ATOM/INST_RETIRED:ANY_P");
	in->pfp_flags = PFMLIB_PFP_SYSTEMWIDE;
	assert_int_equal(pfm_dispatch_events(in, NULL, out, NULL),
			 PFMLIB_ERR_NOASSIGN);
	free(out);
}

static void snow_ridge_has_libpfm4s_names_and_more(void **state)
{
	(void)state;
	force_pmu("51,6,134,0");
	assert_string_equal(dispatched(events("INSTRUCTION_RETIRED")),
			    "16=0xb | 16");
	assert_string_equal(dispatched(events("OCR:DEMAND_RFO_L3_MISS")),
			    "0=0x5301b7 19=0x2184000002 | 0");
	/* libpfm4 does not have this mask, and not this event. */
	assert_string_equal(dispatched(events("OCR:DEMAND_RFO_ANY_RESPONSE")),
			    "0=0x5301b7 19=0x10002 | 0");
	assert_string_equal(dispatched(events("DTLB_STORE_MISSES:"
					      "WALK_COMPLETED_4K")),
			    "0=0x530249 | 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			architectural_names_work_as_on_unknown_processors),
		cmocka_unit_test(the_old_names_of_zen_work_on_zen_5),
		cmocka_unit_test(masks_of_zen_5_combine_where_they_are_bits),
		cmocka_unit_test(
			floating_point_operations_have_a_pair_on_zen_5),
		cmocka_unit_test(one_mask_is_an_event),
		cmocka_unit_test(modifiers_are_part_of_a_mask),
		cmocka_unit_test(two_off_core_events_have_a_register_each),
		cmocka_unit_test(latencies_are_refused_as_on_older_models),
		cmocka_unit_test(the_input_is_that_of_nehalem),
		cmocka_unit_test(lion_cove_counts_fourteen_events_at_once),
		cmocka_unit_test(an_event_of_one_kind_of_core_has_its_bit),
		cmocka_unit_test(a_cpu_may_use_all_counters_of_its_kind),
		cmocka_unit_test(snow_ridge_has_libpfm4s_names_and_more),
	};

	return cmocka_run_group_tests_name("dispatch: event files", tests, NULL,
					   NULL);
}
