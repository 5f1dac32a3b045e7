// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event tables and register numbers of all models: what programs know from
 * libpfm 3.10, and what must hold for any table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "all_pmus.h"
#include "array_size.h"
#include "force_pmu.h"
#include "events/pfmlib_events.h"

/* pmcs, pmds, counters, width; events: with what came by libpfm4 */
static const struct {
	const char *pmu;
	unsigned int events, pmcs, pmds, counters, width;
} numbers[] = {
	{ "37", 68, 2, 2, 2, 32 },
	{ "38", 78, 2, 2, 2, 32 },
	{ "32", 80, 2, 2, 2, 32 },
	{ "35", 102, 2, 2, 2, 32 },
	{ "34", 116 + 3, 2, 2, 2, 32 },
	{ "16,6,1,0", 24, 4, 4, 4, 48 },
	{ "16,15,5,1", 83, 4, 4, 4, 48 },
	{ "16,15,20,0", 84, 4, 4, 4, 48 },
	{ "16,15,65,0", 87, 4, 4, 4, 48 },
	{ "16,16,2,2", 119, 8, 16, 4, 48 },
	{ "16,16,4,2", 125, 8, 16, 4, 48 },
	{ "16,16,8,0", 125, 8, 16, 4, 48 },
	{ "16,21,1,0", 82, 8, 16, 6, 48 },
	{ "33", 46, 63, 18, 18, 40 },
	{ "33,15,4,0", 46, 61, 18, 18, 40 },
	{ "36", 130 + 3, 4, 14, 5, 32 },
	{ "39", 78 + 3, 4, 22, 5, 32 },
	{ "40", 135 + 2, 19, 49, 16, 32 },
	{ "41", 143 + 1, 20, 49, 16, 32 },
	/* Westmere-EX: the uncore is another one. */
	{ "41,6,47,0", 92, 10, 40, 7, 32 },
	{ "63", 7 + 3, 3, 5, 5, 32 },
	{ "53", 38 + 1, 2, 2, 2, 40 },
	{ "54", 38 + 17 + 18 + 1, 2, 2, 2, 40 },
	{ "55", 38 + 17 + 9 + 1, 2, 2, 2, 40 },
	{ "56", 6, 2, 2, 2, 40 },
	{ "57", 24, 2, 2, 2, 40 },
	{ "58", 3, 1, 1, 1, 32 },
};

static void models_have_the_numbers_that_programs_know(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		unsigned int events, pmcs, pmds, counters, width;

		force_pmu(numbers[i].pmu);
		assert_int_equal(pfm_get_num_events(&events), 0);
		assert_int_equal(pfm_get_num_pmcs(&pmcs), 0);
		assert_int_equal(pfm_get_num_pmds(&pmds), 0);
		assert_int_equal(pfm_get_num_counters(&counters), 0);
		assert_int_equal(pfm_get_hw_counter_width(&width), 0);
		if (events != numbers[i].events || pmcs != numbers[i].pmcs ||
		    pmds != numbers[i].pmds ||
		    counters != numbers[i].counters ||
		    width != numbers[i].width)
			fail_msg("%s: %u %u %u %u %u", numbers[i].pmu, events,
				 pmcs, pmds, counters, width);
	}
}

/* Programs count bits of the mask until they have seen the number. */
static void a_number_of_registers_is_that_of_the_bits_in_the_mask(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(all_pmus); i++) {
		unsigned int num, bits;
		pfmlib_regmask_t mask, pmds, both;

		force_pmu(all_pmus[i]);
		assert_int_equal(pfm_get_impl_pmcs(&mask), 0);
		assert_int_equal(pfm_get_num_pmcs(&num), 0);
		pfm_regmask_weight(&mask, &bits);
		assert_int_equal(num, bits);
		assert_int_equal(pfm_get_impl_pmds(&pmds), 0);
		assert_int_equal(pfm_get_num_pmds(&num), 0);
		pfm_regmask_weight(&pmds, &bits);
		assert_int_equal(num, bits);
		assert_int_equal(pfm_get_impl_counters(&mask), 0);
		assert_int_equal(pfm_get_num_counters(&num), 0);
		pfm_regmask_weight(&mask, &bits);
		assert_int_equal(num, bits);
		/* Counters are PMDs. */
		pfm_regmask_and(&both, &mask, &pmds);
		assert_true(pfm_regmask_eq(&both, &mask));
	}
}

static void expect_event(const char *pmu, unsigned int event)
{
	pfmlib_regmask_t counters, impl, both;
	pfmlib_event_t found;
	unsigned int masks, weight;
	char name[512];

	assert_int_equal(pfm_get_num_event_masks(event, &masks), 0);
	for (unsigned int m = 0; m < masks; m++) {
		pfmlib_event_t wanted = { .event = event, .num_masks = 1 };

		wanted.unit_masks[0] = m;
		assert_int_equal(pfm_get_full_event_name(&wanted, name,
							 sizeof(name)),
				 0);
		if (pfm_find_full_event(name, &found) != PFMLIB_SUCCESS ||
		    found.unit_masks[0] != m || found.num_masks != 1)
			fail_msg("%s: %s is found as mask %u", pmu, name,
				 found.unit_masks[0]);
	}
	assert_int_equal(pfm_get_event_counters(event, &counters), 0);
	/* The PMDs of IBS are no counters. */
	assert_int_equal(pfm_get_impl_pmds(&impl), 0);
	pfm_regmask_weight(&counters, &weight);
	pfm_regmask_and(&both, &counters, &impl);
	/* The latency of loads cannot be counted, some have it only. */
	assert_int_equal(pfm_get_event_name(event, name, sizeof(name)), 0);
	if (!weight && !strcmp(name, "MEM_TRANS_RETIRED"))
		return;
	if (!weight || !pfm_regmask_eq(&both, &counters))
		fail_msg("%s: event %u has no counter, or a wrong one", pmu,
			 event);
}

static void every_event_is_found_by_its_own_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(all_pmus); i++) {
		unsigned int num;

		force_pmu(all_pmus[i]);
		assert_int_equal(pfm_get_num_events(&num), 0);
		for (unsigned int event = 0; event < num; event++) {
			unsigned int index;
			char name[128];

			assert_int_equal(pfm_get_event_name(event, name,
							    sizeof(name)),
					 0);
			assert_int_equal(pfm_find_event_byname(name, &index),
					 0);
			if (index != event)
				fail_msg("%s: two events are called %s",
					 all_pmus[i], name);
			expect_event(all_pmus[i], event);
		}
	}
}

static void expect_code(const char *pmu, const char *name, unsigned int wanted)
{
	pfmlib_event_t event;
	unsigned int code;

	force_pmu(pmu);
	if (!strchr(name, ':')) {
		assert_int_equal(pfm_find_event(name, &code), 0);
		assert_int_equal(pfm_get_event_code(code, (int *)&code), 0);
	} else {
		if (pfm_find_full_event(name, &event) != PFMLIB_SUCCESS)
			fail_msg("%s: no %s", pmu, name);
		assert_int_equal(pfm_get_event_mask_code(event.event,
							 event.unit_masks[0],
							 &code),
				 0);
	}
	if (code != wanted)
		fail_msg("%s: %s has code %#x", pmu, name, code);
}

struct code {
	const char *pmu;
	const char *name;
	unsigned int code;
};

static const struct code codes[] = {
	{ "35", "EMON_SSE_SSE2_COMP_INST_RETIRED:SSE_PACKED_SINGLE", 0x0 },
	{ "35", "EMON_SSE_SSE2_COMP_INST_RETIRED:SSE_PACKED_SCALAR_SINGLE",
	  0x0 },
	{ "34", "EST_TRANS_ALL", 0x3a },
	{ "34", "BUS_SNOOPS:THIS_AGENT", 0x0 },
	{ "34", "BUS_TRANS_RFO:ALL_AGENTS", 0x20 },
	{ "33", "SNOOP", 0x6 },
	{ "33", "INSTR_COMPLETED", 0x7 },
	{ "33", "EXECUTION_EVENT:BOGUS3", 0x80 },
	{ "16,16,2,2", "HYPERTRANSPORT_LINK3:ALL", 0xbf },
	{ "16,16,8,0", "IBSFETCH_EVENT:NO_RANDOM", 0x0 },
	{ "16,16,4,2", "IBSOP_EVENT:UOPS", 0x2 },
	{ "16,16,2,2", "NON_CANCELLED_L3_READ_REQUESTS:ALL_CORES", 0xf0 },
	{ "36", "UNHALTED_REFERENCE_CYCLES", 0x13c },
	{ "36", "CPU_CLK_UNHALTED:REF", 0x1 },
	{ "39", "HW_INT_RCV", 0xc8 },
	{ "39", "UOPS_RETIRED:STALLS", 0x18410 },
	{ "39", "BUS_TRANS_MEM:ALL_AGENTS", 0x20 },
	{ "39", "UNHALTED_REFERENCE_CYCLES", 0x13c },
	{ "40", "UNHALTED_REFERENCE_CYCLES", 0x13c },
	{ "40", "HW_INT:CYCLES_PENDING_AND_MASKED", 0x4 },
	{ "40", "UNC_GQ_DATA:TO_CORES", 0x4 },
	{ "40", "UNC_CLK_UNHALTED", 0x0 },
	{ "40", "UNC_QHL_TO_QMC_BYPASS", 0x126 },
	{ "40", "BR_INST_RETIRED:ALL_BRANCHES", 0x4 },
	{ "41", "BR_MISP_RETIRED:ALL_BRANCHES", 0x4 },
	{ "41,6,44,0", "OFFCORE_RESPONSE_0:REMOTE_CACHE_FWD", 0x1000 },
	{ "41,6,44,0", "OFFCORE_RESPONSE_0:LOCAL_DRAM", 0x4000 },
	{ "41,6,44,0", "OFFCORE_RESPONSE_1:REMOTE_CACHE_FWD", 0x1000 },
	{ "41,6,44,0", "OFFCORE_RESPONSE_1:LOCAL_DRAM", 0x4000 },
	{ "41,6,44,0", "OFFCORE_RESPONSE_1:OTHER_LLC_MISS", 0x4000 },
	{ "41", "UNC_DRAM_THERMAL_THROTTLED", 0x167 },
	{ "41", "UNC_PROCHOT_ASSERTION", 0x182 },
	{ "41", "UNC_CYCLES_UNHALTED_L3_FLL_ENABLE", 0x285 },
	{ "41", "UNC_CYCLES_UNHALTED_L3_FLL_DISABLE", 0x186 },
	{ "41", "BRANCH_INSTRUCTIONS_RETIRED", 0xc4 },
	{ "63", "UNHALTED_REFERENCE_CYCLES", 0x13c },
	{ "63", "LAST_LEVEL_CACHE_MISSES", 0x412e },
	{ "63", "LLC_MISSES", 0x412e },
	{ "55", "INSTRUCTIONS_DECODED", 0x408 },
	{ "58", "INSTRUCTIONS_EXECUTED_AND_STRING_ITERATIONS", 0x1c0 },
};

static void libpfm4_names_and_codes_do_not_replace_those_of_3_10(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		expect_code(codes[i].pmu, codes[i].name, codes[i].code);
}

/* The event files nehalemep and westmereep-sp of Linux 6.12 contradict libpfm 3.10. */
static const struct code corrected[] = {
	{ "40", "UOPS_EXECUTED:PORT2_CORE", 0x2004 },
	{ "40", "UOPS_EXECUTED:PORT3_CORE", 0x2008 },
	{ "40", "UOPS_EXECUTED:PORT4_CORE", 0x2010 },
	{ "40", "UOPS_EXECUTED:PORT234_CORE", 0x2080 },
	{ "41", "INST_RETIRED:ANY_P", 0x1 },
	{ "41", "L3_LAT_CACHE:MISS", 0x41 },
	{ "41", "L3_LAT_CACHE:REFERENCE", 0x4f },
	{ "41", "UOPS_RETIRED:TOTAL_CYCLES", 0x108001 },
	{ "41", "OFFCORE_RESPONSE_0:ANY_RESPONSE", 0xff00 },
	{ "41", "OFFCORE_RESPONSE_0:LOCAL_DRAM", 0x2000 },
	{ "41", "OFFCORE_RESPONSE_0:REMOTE_DRAM", 0x4000 },
};

static void codes_that_the_event_files_contradict_are_corrected(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(corrected); i++)
		expect_code(corrected[i].pmu, corrected[i].name,
			    corrected[i].code);
}

/* Models that libpfm 3.10 knew want masks; the newer ones have defaults. */
static void masks_have_defaults_on_newer_models_only(void **state)
{
	pfmlib_event_t event;
	unsigned int code;

	(void)state;
	force_pmu("41");
	assert_int_equal(pfm_find_full_event("BR_INST_RETIRED", &event),
			 PFMLIB_ERR_UMASK);
	force_pmu("16,21,1,0");
	assert_int_equal(pfm_find_full_event("DISPATCHED_FPU_OPS", &event),
			 PFMLIB_ERR_UMASK);
	force_pmu("46");
	assert_int_equal(pfm_find_full_event("BR_INST_RETIRED", &event),
			 PFMLIB_SUCCESS);
	assert_int_equal(event.num_masks, 0);
	assert_int_equal(pfm_find_full_event("CYCLE_ACTIVITY", &event),
			 PFMLIB_ERR_UMASK);
	force_pmu("16,25,17,1");
	assert_int_equal(pfm_find_full_event("RETIRED_SSE_AVX_FLOPS", &event),
			 PFMLIB_SUCCESS);
	assert_true(pfmlib_default_mask(&pfmlib_current()->events[event.event],
					&code));
	assert_int_not_equal(code, 0);
}

static void newer_events_are_encoded_by_libpfm4(void **state)
{
	const struct pfmlib_pmu *pmu;
	pfmlib_event_t one = { 0 };
	unsigned int mask;
	uint64_t values[2];
	int event;

	(void)state;
	force_pmu("46");
	pmu = pfmlib_current();
	event = pfmlib_event_index(pmu, "BR_INST_RETIRED",
				   strlen("BR_INST_RETIRED"));
	assert_int_equal(pfm_find_event_mask((unsigned int)event, "NEAR_CALL",
					     &mask),
			 0);
	one.event = (unsigned int)event;
	one.unit_masks[0] = mask;
	one.num_masks = 1;
	assert_int_equal(pfmlib_encode(pmu, &one, PFM_PLM3, values), 1);
	assert_int_equal(values[0], 0x5102c4);
	/* Two registers: all requests, and any response to them. */
	event = pfmlib_event_index(pmu, "OFFCORE_RESPONSE_0",
				   strlen("OFFCORE_RESPONSE_0"));
	one = (pfmlib_event_t){ .event = (unsigned int)event };
	assert_int_equal(pfmlib_encode(pmu, &one, PFM_PLM0 | PFM_PLM3, values),
			 2);
	assert_int_equal(values[0], 0x5301b7);
	assert_int_equal(values[1], 0x18007);
	event = pfmlib_event_index(pmu, "CYCLE_ACTIVITY",
				   strlen("CYCLE_ACTIVITY"));
	one.event = (unsigned int)event;
	assert_int_equal(pfmlib_encode(pmu, &one, PFM_PLM3, values),
			 PFMLIB_ERR_UMASK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_have_the_numbers_that_programs_know),
		cmocka_unit_test(
			a_number_of_registers_is_that_of_the_bits_in_the_mask),
		cmocka_unit_test(every_event_is_found_by_its_own_name),
		cmocka_unit_test(
			libpfm4_names_and_codes_do_not_replace_those_of_3_10),
		cmocka_unit_test(
			codes_that_the_event_files_contradict_are_corrected),
		cmocka_unit_test(masks_have_defaults_on_newer_models_only),
		cmocka_unit_test(newer_events_are_encoded_by_libpfm4),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
