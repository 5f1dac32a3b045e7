// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions that are for one model: precise events, uncore, data sources.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "dispatch_case.h"

#include <perfmon/pfmlib_core.h>
#include <perfmon/pfmlib_intel_atom.h>
#include <perfmon/pfmlib_intel_nhm.h>

static pfmlib_event_t event_of(int type, const char *name)
{
	pfmlib_event_t event;

	dispatch_use(type, "");
	assert_int_equal(pfm_find_full_event(name, &event), PFMLIB_SUCCESS);
	return event;
}

/* Before anything else has made a model the current one. */
static void nothing_need_be_initialised(void **state)
{
	pfmlib_event_t event = { .event = 0 };
	char *text;

	(void)state;
	assert_int_equal(pfm_core_is_pebs(&event), 0);
	assert_int_equal(pfm_intel_atom_has_pebs(&event), 0);
	assert_int_equal(pfm_nhm_is_uncore(&event), 0);
	assert_int_equal(pfm_nhm_is_pebs(&event), PFMLIB_ERR_NOINIT);
	assert_int_equal(pfm_nhm_data_src_desc(1, &text), PFMLIB_SUCCESS);
	free(text);
}

struct precise_case {
	int type;
	const char *event;
	int precise;
};

static void expect_precise(const struct precise_case *cases, size_t count,
			   int (*is_precise)(pfmlib_event_t *event))
{
	for (size_t i = 0; i < count; i++) {
		pfmlib_event_t event = event_of(cases[i].type, cases[i].event);

		assert_int_equal(is_precise(&event), cases[i].precise);
	}
}

#define EXPECT_PRECISE(cases, function) \
	expect_precise(cases, ARRAY_SIZE(cases), function)

static void core_has_precise_events_and_masks(void **state)
{
	static const struct precise_case cases[] = {
		{ PFMLIB_CORE_PMU, "BR_INST_RETIRED_MISPRED", 1 },
		{ PFMLIB_CORE_PMU, "FP_MMX_TRANS:TO_MMX", 1 },
		{ PFMLIB_CORE_PMU, "INST_RETIRED:ANY_P", 1 },
		{ PFMLIB_CORE_PMU, "INST_RETIRED:LOADS", 0 },
		{ PFMLIB_CORE_PMU, "INST_RETIRED:ANY_P:LOADS", 0 },
		{ PFMLIB_CORE_PMU, "MEM_LOAD_RETIRED:L2_MISS:DTLB_MISS", 1 },
		{ PFMLIB_CORE_PMU, "INSTRUCTIONS_RETIRED", 0 },
	};

	(void)state;
	EXPECT_PRECISE(cases, pfm_core_is_pebs);
}

static void atom_has_precise_events_and_masks(void **state)
{
	static const struct precise_case cases[] = {
		{ PFMLIB_INTEL_ATOM_PMU, "INSTRUCTIONS_RETIRED", 1 },
		{ PFMLIB_INTEL_ATOM_PMU, "MISPREDICTED_BRANCH_RETIRED", 1 },
		{ PFMLIB_INTEL_ATOM_PMU, "BR_INST_RETIRED:MISPRED", 1 },
		{ PFMLIB_INTEL_ATOM_PMU, "BR_INST_RETIRED:ANY", 0 },
		{ PFMLIB_INTEL_ATOM_PMU, "UNHALTED_CORE_CYCLES", 0 },
	};

	(void)state;
	EXPECT_PRECISE(cases, pfm_intel_atom_has_pebs);
}

static void nehalem_and_its_successors_have_precise_events(void **state)
{
	static const struct precise_case cases[] = {
		{ PFMLIB_INTEL_NHM_PMU, "INSTRUCTION_RETIRED", 1 },
		{ PFMLIB_INTEL_NHM_PMU, "MEM_LOAD_RETIRED:L2_HIT", 1 },
		{ PFMLIB_INTEL_NHM_PMU, "BR_MISP_RETIRED:NEAR_CALL", 0 },
		{ PFMLIB_INTEL_NHM_PMU, "UNC_CLK_UNHALTED", 0 },
		{ PFMLIB_INTEL_WSM_PMU, "BR_MISP_RETIRED:NEAR_CALL", 1 },
		{ PFMLIB_INTEL_WSM_PMU, "ARITH:MUL", 0 },
		{ PFMLIB_INTEL_SNB_PMU, "INST_RETIRED:PREC_DIST", 1 },
		{ PFMLIB_INTEL_SNB_PMU, "INST_RETIRED:ANY_P", 0 },
		{ PFMLIB_CORE_PMU, "INST_RETIRED:ANY_P", 0 },
	};

	(void)state;
	EXPECT_PRECISE(cases, pfm_nhm_is_pebs);
}

static void core_events_are_told_whatever_the_model(void **state)
{
	pfmlib_event_t event = event_of(PFMLIB_CORE_PMU, "INST_RETIRED:ANY_P");

	(void)state;
	dispatch_use(PFMLIB_PENTIUM4_PMU, "");
	assert_int_equal(pfm_core_is_pebs(&event), 1);
}

static void nehalem_ex_has_more_precise_masks(void **state)
{
	pfmlib_event_t event = event_of(PFMLIB_INTEL_NHM_PMU,
					"MEM_UNCORE_RETIRED:REMOTE_DRAM");

	(void)state;
	dispatch_use(PFMLIB_INTEL_NHM_PMU, "model=46");
	assert_int_equal(pfm_nhm_is_pebs(&event), 1);
	assert_int_equal(pfm_nhm_is_uncore(&event), 0);
}

static void uncore_events_are_told(void **state)
{
	pfmlib_event_t uncore =
		event_of(PFMLIB_INTEL_WSM_PMU, "UNC_CLK_UNHALTED");
	pfmlib_event_t core = event_of(PFMLIB_INTEL_WSM_PMU, "ARITH:MUL");

	(void)state;
	assert_int_equal(pfm_nhm_is_uncore(&uncore), 1);
	assert_int_equal(pfm_nhm_is_uncore(&core), 0);
}

static void events_that_do_not_exist_are_not_precise(void **state)
{
	pfmlib_event_t event = { .event = 100000 };
	pfmlib_event_t mask = event_of(PFMLIB_CORE_PMU, "INST_RETIRED:ANY_P");

	(void)state;
	mask.unit_masks[0] = 40;
	assert_int_equal(pfm_core_is_pebs(NULL), 0);
	assert_int_equal(pfm_core_is_pebs(&event), 0);
	assert_int_equal(pfm_core_is_pebs(&mask), 0);
	mask.num_masks = PFMLIB_MAX_MASKS_PER_EVENT + 1;
	assert_int_equal(pfm_core_is_pebs(&mask), 0);
	mask.num_masks = 0;
	assert_int_equal(pfm_core_is_pebs(&mask), 0);
	assert_int_equal(pfm_intel_atom_has_pebs(NULL), 0);
	assert_int_equal(pfm_intel_atom_has_pebs(&event), 0);
}

static void events_that_do_not_exist_are_invalid_for_nehalem(void **state)
{
	pfmlib_event_t event = { .event = 100000 };
	pfmlib_event_t mask = event_of(PFMLIB_INTEL_NHM_PMU, "ARITH:MUL");

	(void)state;
	mask.unit_masks[0] = 40;
	assert_int_equal(pfm_nhm_is_pebs(NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_nhm_is_pebs(&event), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_nhm_is_pebs(&mask), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_nhm_is_uncore(NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_nhm_is_uncore(&event), PFMLIB_ERR_INVAL);
}

static void data_sources_have_a_text(void **state)
{
	char *text, *other;

	(void)state;
	for (unsigned int source = 0; source < 16; source++) {
		assert_int_equal(pfm_nhm_data_src_desc(source, &text),
				 PFMLIB_SUCCESS);
		assert_true(strlen(text) > 0);
		free(text);
	}
	assert_int_equal(pfm_nhm_data_src_desc(7, &text), PFMLIB_SUCCESS);
	assert_int_equal(pfm_nhm_data_src_desc(14, &other), PFMLIB_SUCCESS);
	assert_string_equal(text, other);
	free(text);
	free(other);
	assert_int_equal(pfm_nhm_data_src_desc(16, &text), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_nhm_data_src_desc(1, NULL), PFMLIB_ERR_INVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_need_be_initialised),
		cmocka_unit_test(core_has_precise_events_and_masks),
		cmocka_unit_test(atom_has_precise_events_and_masks),
		cmocka_unit_test(
			nehalem_and_its_successors_have_precise_events),
		cmocka_unit_test(core_events_are_told_whatever_the_model),
		cmocka_unit_test(nehalem_ex_has_more_precise_masks),
		cmocka_unit_test(uncore_events_are_told),
		cmocka_unit_test(events_that_do_not_exist_are_not_precise),
		cmocka_unit_test(
			events_that_do_not_exist_are_invalid_for_nehalem),
		cmocka_unit_test(data_sources_have_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
