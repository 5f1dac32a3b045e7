// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that versions of libpfm4 have differently: whichever the library was built
 * with, they are those of Intel's event files icelake, icelakex, sapphirerapids and
 * emeraldrapids of Linux 6.12 (lib/events/patch_rows.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "force_pmu.h"
#include "pmu/pfmlib_pmu.h"

#include <perfmon/pfmlib_intel_nhm.h>

#define ICL "47"
#define ICX "47,6,106,6"
#define SPR "48"
#define EMR "48,6,207,0"

/* At user level, with an interrupt: bits of a selector. */
#define USER 0x510000ULL

#define OFFCORE_0 19
#define OFFCORE_1 31
#define FIXED_CONTROL 16

/* The registers of an event that is alone. */
static const struct {
	const char *event;
	uint64_t selector; /* without USER; of a fixed counter: the control */
	unsigned int extra; /* PMC; 0: no register beside the selector */
	uint64_t value;
	bool is_icl; /* the same on Ice Lake */
	bool is_precise;
	bool is_pmm; /* not on Emerald Rapids */
} facts[] = {
	{ "BR_INST_RETIRED", 0x00c4, .is_icl = true, .is_precise = true },
	{ "BR_INST_RETIRED:ALL_BRANCHES", 0x00c4, .is_icl = true,
	  .is_precise = true },
	{ "BR_MISP_RETIRED", 0x00c5, .is_icl = true, .is_precise = true },
	{ "BR_MISP_RETIRED:ALL_BRANCHES", 0x00c5, .is_icl = true,
	  .is_precise = true },
	{ "ICACHE_DATA", .selector = 0x0480 },
	{ "ICACHE_DATA:STALLS", .selector = 0x0480 },
	{ "ICACHE_DATA:STALL_PERIODS", .selector = 0x1040480 },
	{ "IDQ_BUBBLES:CORE", .selector = 0x019c },
	{ "IDQ_BUBBLES:CYCLES_0_UOPS_DELIV_CORE", .selector = 0x600019c },
	{ "IDQ_BUBBLES:CYCLES_FE_WAS_OK", .selector = 0x180019c },
	{ "INST_RETIRED:ANY_P", 0x00c0, .is_precise = true },
	{ "INST_RETIRED:MACRO_FUSED", 0x10c0, .is_precise = true },
	{ "INST_RETIRED:NOP", 0x02c0, .is_precise = true },
	{ "INST_RETIRED:REP_ITERATION", 0x08c0, .is_precise = true },
	{ "L2_TRANS", .selector = 0x4023 },
	{ "L2_TRANS:L2_WB", .selector = 0x4023 },
	{ "MEM_LOAD_L3_MISS_RETIRED:LOCAL_DRAM", 0x01d3, .is_precise = true },
	{ "MEM_LOAD_L3_MISS_RETIRED:REMOTE_DRAM", 0x02d3, .is_precise = true },
	{ "MEM_LOAD_L3_MISS_RETIRED:REMOTE_HITM", 0x04d3, .is_precise = true },
	{ "MEM_LOAD_L3_MISS_RETIRED:REMOTE_FWD", 0x08d3, .is_precise = true },
	{ "MEM_LOAD_L3_MISS_RETIRED:REMOTE_PMM", 0x10d3, .is_precise = true,
	  .is_pmm = true },
	{ "MEM_LOAD_RETIRED:LOCAL_PMM", 0x80d1, .is_precise = true,
	  .is_pmm = true },
	{ "OCR:DEMAND_DATA_RD_LOCAL_SOCKET_PMM", 0x012a, OFFCORE_0, 0x700c00001,
	  .is_pmm = true },
	{ "OCR:DEMAND_DATA_RD_PMM", 0x012a, OFFCORE_0, 0x703c00001,
	  .is_pmm = true },
	{ "OCR:DEMAND_DATA_RD_REMOTE_PMM", 0x012a, OFFCORE_0, 0x703000001,
	  .is_pmm = true },
	{ "OFFCORE_RESPONSE_0:DEMAND_DATA_RD_LOCAL_SOCKET_PMM", 0x012a,
	  OFFCORE_0, 0x700c00001, .is_pmm = true },
	{ "OFFCORE_RESPONSE_0:DEMAND_DATA_RD_PMM", 0x012a, OFFCORE_0,
	  0x703c00001, .is_pmm = true },
	{ "OFFCORE_RESPONSE_1:DEMAND_DATA_RD_LOCAL_SOCKET_PMM", 0x012b,
	  OFFCORE_1, 0x700c00001, .is_pmm = true },
	{ "OFFCORE_RESPONSE_1:DEMAND_DATA_RD_PMM", 0x012b, OFFCORE_1,
	  0x703c00001, .is_pmm = true },
	{ "OFFCORE_RESPONSE_1:READS_TO_CORE_REMOTE_PMM", 0x012b, OFFCORE_1,
	  0x703004477, .is_pmm = true },
	{ "OFFCORE_REQUESTS:DEMAND_CODE_RD", .selector = 0x0221 },
	{ "OFFCORE_REQUESTS:DEMAND_RFO", .selector = 0x0421 },
	{ "OFFCORE_REQUESTS:L3_MISS_DEMAND_DATA_RD", .selector = 0x1021 },
	{ "OFFCORE_REQUESTS_OUTSTANDING:CYCLES_WITH_DEMAND_CODE_RD",
	  .selector = 0x1000220 },
	{ "OFFCORE_REQUESTS_OUTSTANDING:CYCLES_WITH_DEMAND_DATA_RD",
	  .selector = 0x1000120 },
	{ "OFFCORE_REQUESTS_OUTSTANDING:DEMAND_CODE_RD", .selector = 0x0220 },
	{ "OFFCORE_REQUESTS_OUTSTANDING:DEMAND_DATA_RD", .selector = 0x0120 },
	{ "OFFCORE_REQUESTS_OUTSTANDING:L3_MISS_DEMAND_DATA_RD",
	  .selector = 0x1020 },
	{ "RS_EMPTY:COUNT", .selector = 0x18407a5 },
	{ "RS_EMPTY:CYCLES", .selector = 0x07a5 },
	{ "RTM_RETIRED:ABORTED", 0x04c9, .is_precise = true },
	{ "SW_PREFETCH_ACCESS", .selector = 0x0f40 },
	{ "SW_PREFETCH_ACCESS:ANY", .selector = 0x0f40 },
	{ "TOPDOWN:BAD_SPEC_SLOTS", .selector = 0x04a4 },
	{ "UOPS_ISSUED:CYCLES", .selector = 0x10001ae },
};

/* What can be counted nowhere, or not without a mask. */
static const struct {
	const char *pmu;
	const char *event;
	int error;
} refused[] = {
	{ ICL, "TOPDOWN_M", PFMLIB_ERR_NOTFOUND },
	{ ICX, "TOPDOWN_M:RETIRING", PFMLIB_ERR_NOTFOUND },
	{ SPR, "TOPDOWN_M:SLOTS", PFMLIB_ERR_NOTFOUND },
	{ EMR, "TOPDOWN_M:BACKEND_BOUND", PFMLIB_ERR_NOTFOUND },
	{ SPR, "AMX_OPS_RETIRED:INT8", PFMLIB_ERR_NOTFOUND },
	{ EMR, "AMX_OPS_RETIRED:BF16", PFMLIB_ERR_NOTFOUND },
	{ SPR, "RS_EMPTY", PFMLIB_ERR_UMASK },
	{ SPR, "IDQ_BUBBLES", PFMLIB_ERR_UMASK },
};

static const struct {
	const char *event;
	unsigned int code;
} mask_codes[] = {
	{ "INST_RETIRED:ANY", 0x1 },
	{ "TOPDOWN:BAD_SPEC_SLOTS", 0x4 },
};

static pfmlib_input_param_t in;
static pfmlib_output_param_t out;

static int find(const char *name)
{
	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = PFM_PLM3;
	in.pfp_event_count = 1;
	return pfm_find_full_event(name, &in.pfp_events[0]);
}

static uint64_t value_of(unsigned int pmc)
{
	for (unsigned int i = 0; i < out.pfp_pmc_count; i++)
		if (out.pfp_pmcs[i].reg_num == pmc)
			return out.pfp_pmcs[i].reg_value;
	return 0;
}

static void expect(const char *pmu, size_t i)
{
	const char *event = facts[i].event;

	if (find(event) != PFMLIB_SUCCESS)
		fail_msg("%s: no %s", pmu, event);
	if (pfm_dispatch_events(&in, NULL, &out, NULL) != PFMLIB_SUCCESS)
		fail_msg("%s: %s cannot be counted", pmu, event);
	if (value_of(0) != (facts[i].selector | USER) ||
	    out.pfp_pmc_count != (facts[i].extra ? 2 : 1) ||
	    (facts[i].extra && value_of(facts[i].extra) != facts[i].value))
		fail_msg("%s: %s has selector %#llx", pmu, event,
			 (unsigned long long)value_of(0));
	if (pfm_nhm_is_pebs(&in.pfp_events[0]) != facts[i].is_precise)
		fail_msg("%s: whether %s can be sampled precisely is wrong",
			 pmu, event);
}

static void events_are_those_of_the_event_files(void **state)
{
	const char *pmu = *state;
	bool is_icl = !strncmp(pmu, ICL, strlen(ICL));

	force_pmu(pmu);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		if (is_icl && !facts[i].is_icl)
			continue;
		if (facts[i].is_pmm && !strcmp(pmu, EMR))
			assert_int_not_equal(find(facts[i].event),
					     PFMLIB_SUCCESS);
		else
			expect(pmu, i);
	}
}

static void what_the_event_files_lack_is_not_offered(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		force_pmu(refused[i].pmu);
		if (find(refused[i].event) != refused[i].error)
			fail_msg("%s: %s is found", refused[i].pmu,
				 refused[i].event);
	}
}

static void masks_have_the_codes_of_the_event_files(void **state)
{
	unsigned int code;

	(void)state;
	force_pmu(SPR);
	for (size_t i = 0; i < ARRAY_SIZE(mask_codes); i++) {
		assert_int_equal(find(mask_codes[i].event), PFMLIB_SUCCESS);
		assert_int_equal(pfm_get_event_mask_code(
					 in.pfp_events[0].event,
					 in.pfp_events[0].unit_masks[0], &code),
				 PFMLIB_SUCCESS);
		assert_int_equal(code, mask_codes[i].code);
	}
	/* The fixed counter alone has it, whatever its code. */
	assert_int_equal(find("INST_RETIRED:ANY"), PFMLIB_SUCCESS);
	assert_int_equal(pfm_dispatch_events(&in, NULL, &out, NULL),
			 PFMLIB_SUCCESS);
	assert_int_equal(value_of(FIXED_CONTROL), 0xa);
	assert_int_equal(out.pfp_pmds[0].reg_num, 16);
}

/* libpfm4's own masks are found by its own numbers, whatever was taken out. */
static void masks_of_libpfm4_keep_their_values(void **state)
{
	(void)state;
	force_pmu(EMR);
	assert_int_equal(find("OCR:WRITE_ESTIMATE_MEMORY"), PFMLIB_SUCCESS);
	assert_int_equal(pfm_dispatch_events(&in, NULL, &out, NULL),
			 PFMLIB_SUCCESS);
	assert_int_equal(value_of(OFFCORE_0), 0xfbff80822);
}

#define ON(pmu)                                                      \
	{                                                            \
		.name = "events are those of the event files, " pmu, \
		.test_func = events_are_those_of_the_event_files,    \
		.initial_state = (void *)(pmu)                       \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON(ICL),
		ON(ICX),
		ON(SPR),
		ON(EMR),
		cmocka_unit_test(what_the_event_files_lack_is_not_offered),
		cmocka_unit_test(masks_have_the_codes_of_the_event_files),
		cmocka_unit_test(masks_of_libpfm4_keep_their_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
