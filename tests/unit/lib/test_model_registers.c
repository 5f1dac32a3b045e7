// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of Intel's processors since Core Duo: which a model has, their
 * MSRs and RDPMC numbers, and the counters of an event.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "dispatch_case.h"

#include <perfmon/pfmlib_intel_nhm.h>

#define CYCLES "UNHALTED_CORE_CYCLES"
#define REFERENCE "UNHALTED_REFERENCE_CYCLES"

struct registers {
	int type;
	const char *with;
	const char *pmcs;
	const char *pmds;
	const char *counters;
	unsigned int width;
};

static const struct registers models[] = {
	{ PFMLIB_COREDUO_PMU, "", "0-1", "0-1", "0-1", 32 },
	{ PFMLIB_CORE_PMU, "", "0-1 16-17", "0-1 16-27", "0-1 16-18", 32 },
	{ PFMLIB_INTEL_ATOM_PMU, "", "0-1 16-17", "0-1 16-35", "0-1 16-18",
	  32 },
	{ PFMLIB_GEN_IA32_PMU, "", "0-1 16", "0-1 16-18", "0-1 16-18", 32 },
	{ PFMLIB_GEN_IA32_PMU, "version=1", "0-1", "0-1", "0-1", 32 },
	{ PFMLIB_GEN_IA32_PMU, "version=5 generic=8 fixed=4", "0-7 16",
	  "0-7 16-19", "0-7 16-19", 32 },
	{ PFMLIB_GEN_IA32_PMU, "version=5 generic=20 fixed=9", "0-16", "0-19",
	  "0-19", 32 },
	{ PFMLIB_INTEL_NHM_PMU, "", "0-3 16-30", "0-3 16-18 20-28 31-63",
	  "0-3 16-18 20-28", 32 },
	{ PFMLIB_INTEL_NHM_PMU, "model=46", "0-3 16-19 30", "0-3 16-18 31-63",
	  "0-3 16-18", 32 },
	{ PFMLIB_INTEL_WSM_PMU, "", "0-3 16-31", "0-3 16-18 20-28 31-63",
	  "0-3 16-18 20-28", 32 },
	{ PFMLIB_INTEL_SNB_PMU, "", "0-3 16-19 30-31", "0-3 16-18 31-63",
	  "0-3 16-18", 48 },
	{ PFMLIB_INTEL_SKL_PMU, "generic=8", "0-7 16-19 31-32", "0-7 16-18",
	  "0-7 16-18", 48 },
	{ PFMLIB_INTEL_SPR_PMU, "", "0-7 16-19 31-32", "0-7 16-19", "0-7 16-19",
	  48 },
	{ PFMLIB_INTEL_LNC_PMU, "", "0-9 16-19 31-32", "0-9 16-19", "0-9 16-19",
	  48 },
	{ PFMLIB_INTEL_GRT_PMU, "", "0-5 16-17 19 31", "0-5 16-18", "0-5 16-18",
	  48 },
	{ PFMLIB_INTEL_HYBRID_PMU, "", "0-5 16-17 19 31-32", "0-5 16-18",
	  "0-5 16-18", 48 },
	{ PFMLIB_INTEL_CMT_PMU, "generic=8 fixed=3", "0-7 16-17 19 31",
	  "0-7 16-18", "0-7 16-18", 48 },
	{ PFMLIB_INTEL_SLM_PMU, "", "0-1 16-17 19 31", "0-1 16-18", "0-1 16-18",
	  40 },
};

/* A mask as "0-1 16-18". */
static void print_mask(char *text, size_t size, const pfmlib_regmask_t *mask)
{
	pfmlib_regmask_t copy = *mask;
	unsigned int first, last;
	size_t used = 0;

	*text = '\0';
	for (first = 0; first < PFMLIB_REG_MAX; first = last + 1) {
		last = first;
		if (!pfm_regmask_isset(&copy, first))
			continue;
		while (pfm_regmask_isset(&copy, last + 1))
			last++;
		used += snprintf(text + used, size - used, "%s%u",
				 used ? " " : "", first);
		if (last > first)
			used += snprintf(text + used, size - used, "-%u", last);
		assert_true(used < size);
	}
}

static void expect_mask(const pfmlib_regmask_t *mask, const char *expected)
{
	char text[256];

	print_mask(text, sizeof(text), mask);
	assert_string_equal(text, expected);
}

static void registers_are_those_of_the_model(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		const struct registers *model = &models[i];
		const struct pfmlib_pmu *pmu =
			dispatch_use(model->type, model->with);
		unsigned int count;

		expect_mask(&pmu->impl_pmcs, model->pmcs);
		expect_mask(&pmu->impl_pmds, model->pmds);
		expect_mask(&pmu->impl_counters, model->counters);
		assert_int_equal(pmu->width, model->width);
		pfm_regmask_weight((pfmlib_regmask_t *)&pmu->impl_counters,
				   &count);
		assert_int_equal(pmu->num_counters, count);
	}
}

static void a_core_that_nobody_has_seen_is_not_supported(void **state)
{
	const struct pfmlib_pmu *forced;
	struct pfmlib_pmu pmu;

	(void)state;
	forced = dispatch_use(PFMLIB_INTEL_NHM_PMU, "");
	memset(&pmu, 0, sizeof(pmu));
	pmu.model = forced->model;
	pmu.cpu = forced->cpu;
	pmu.cpu.model = 31;
	assert_int_equal(pmu.model->dispatch->setup(&pmu), PFMLIB_ERR_NOTSUPP);
}

static const struct {
	int type;
	const char *event;
	const char *counters;
} event_counters[] = {
	{ PFMLIB_COREDUO_PMU, "FP_ASSIST", "1" },
	{ PFMLIB_COREDUO_PMU, "CYCLES_DIV_BUSY", "0" },
	{ PFMLIB_COREDUO_PMU, CYCLES, "0-1" },
	{ PFMLIB_CORE_PMU, CYCLES, "0-1 17" },
	{ PFMLIB_CORE_PMU, "INSTRUCTIONS_RETIRED", "0-1 16" },
	{ PFMLIB_CORE_PMU, REFERENCE, "18" },
	{ PFMLIB_CORE_PMU, "CPU_CLK_UNHALTED", "18" },
	{ PFMLIB_CORE_PMU, "MEM_LOAD_RETIRED", "0" },
	{ PFMLIB_CORE_PMU, "DELAYED_BYPASS", "1" },
	{ PFMLIB_CORE_PMU, "ITLB_MISS_RETIRED", "0" },
	{ PFMLIB_CORE_PMU, "LOAD_BLOCK", "0-1" },
	{ PFMLIB_INTEL_ATOM_PMU, "MUL", "0-1" },
	{ PFMLIB_INTEL_ATOM_PMU, CYCLES, "0-1 17" },
	{ PFMLIB_INTEL_ATOM_PMU, REFERENCE, "18" },
	{ PFMLIB_GEN_IA32_PMU, REFERENCE, "0-1 18" },
	{ PFMLIB_GEN_IA32_PMU, "LAST_LEVEL_CACHE_MISSES", "0-1" },
	{ PFMLIB_INTEL_NHM_PMU, CYCLES, "0-3 17" },
	{ PFMLIB_INTEL_NHM_PMU, REFERENCE, "18" },
	{ PFMLIB_INTEL_NHM_PMU, "L1D", "0-1" },
	{ PFMLIB_INTEL_NHM_PMU, "OFFCORE_RESPONSE_0", "2" },
	{ PFMLIB_INTEL_WSM_PMU, "OFFCORE_RESPONSE_0", "0-3" },
	{ PFMLIB_INTEL_NHM_PMU, "UNC_CLK_UNHALTED", "20" },
	{ PFMLIB_INTEL_NHM_PMU, "UNC_LLC_MISS", "21-28" },
	{ PFMLIB_INTEL_WSM_PMU, "OFFCORE_REQUESTS_OUTSTANDING", "0" },
	{ PFMLIB_INTEL_WSM_PMU, "UNC_PROCHOT_ASSERTION", "21-28" },
	{ PFMLIB_INTEL_SNB_PMU, "MEM_TRANS_RETIRED", "3" },
	{ PFMLIB_INTEL_SNB_PMU, "INST_RETIRED", "0-3" },
	{ PFMLIB_INTEL_SNB_PMU, REFERENCE, "18" },
	{ PFMLIB_INTEL_ICL_PMU, "TOPDOWN", "0-7 19" },
	{ PFMLIB_INTEL_ICL_PMU, "INSTRUCTION_RETIRED", "0-7 16" },
	{ PFMLIB_INTEL_SKL_PMU, "MEM_TRANS_RETIRED", "" },
	{ PFMLIB_INTEL_ICL_PMU, "MEM_LOAD_RETIRED", "0-3" },
	{ PFMLIB_INTEL_SPR_PMU, "MEM_TRANS_RETIRED", "0" },
	{ PFMLIB_INTEL_SPR_PMU, "MEM_LOAD_RETIRED", "0-3" },
	{ PFMLIB_INTEL_SPR_PMU, "L2_TRANS", "0-3" },
	{ PFMLIB_INTEL_RWC_PMU, "MEM_TRANS_RETIRED", "0" },
	{ PFMLIB_INTEL_RWC_PMU, "TOPDOWN", "0-7 19" },
	{ PFMLIB_INTEL_RWC_PMU, CYCLES, "0-7 17" },
	{ PFMLIB_INTEL_RWC_PMU, REFERENCE, "0-7 18" },
	{ PFMLIB_INTEL_CMT_PMU, "INST_RETIRED", "0-7 16" },
	{ PFMLIB_INTEL_LNC_PMU, "MEM_TRANS_RETIRED", "0-1" },
	{ PFMLIB_INTEL_LNC_PMU, "LONGEST_LAT_CACHE", "0-9" },
	{ PFMLIB_INTEL_HYBRID_PMU, "BR_INST_RETIRED", "0-5" },
	{ PFMLIB_INTEL_HYBRID_PMU, "INST_RETIRED", "0-5 16" },
};

static void events_have_the_counters_of_their_constraints(void **state)
{
	size_t count = ARRAY_SIZE(event_counters);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		pfmlib_regmask_t counters;
		unsigned int event;

		dispatch_use(event_counters[i].type, "");
		assert_int_equal(pfm_find_event(event_counters[i].event,
						&event),
				 PFMLIB_SUCCESS);
		memset(&counters, 0xff, sizeof(counters));
		assert_int_equal(pfm_get_event_counters(event, &counters),
				 PFMLIB_SUCCESS);
		expect_mask(&counters, event_counters[i].counters);
	}
}

/* Register, MSR, other address: PMCs, then PMDs. */
struct address {
	unsigned int num;
	unsigned int msr;
	unsigned int other;
};

static pfmlib_input_param_t in;
static pfmlib_output_param_t out;

static void dispatch(int type, const char *const *events, void *model_in)
{
	dispatch_use(type, "");
	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = PFM_PLM0 | PFM_PLM3;
	for (; *events; events++)
		assert_int_equal(pfm_find_full_event(
					 *events,
					 &in.pfp_events[in.pfp_event_count++]),
				 PFMLIB_SUCCESS);
	assert_int_equal(pfm_dispatch_events(&in, model_in, &out, NULL),
			 PFMLIB_SUCCESS);
}

static void expect_addresses(const pfmlib_reg_t *regs, unsigned int num_regs,
			     const struct address *addresses)
{
	for (unsigned int i = 0; i < num_regs; i++) {
		assert_int_equal(regs[i].reg_num, addresses[i].num);
		assert_int_equal(regs[i].reg_addr, addresses[i].msr);
		assert_int_equal(regs[i].reg_alt_addr, addresses[i].other);
	}
}

static void counters_have_their_msrs_and_rdpmc_numbers(void **state)
{
	static const struct address pmcs[] = { { 16, 0x38d, 0x38d },
					       { 0, 0x186, 0x186 },
					       { 1, 0x187, 0x187 } };
	static const struct address pmds[] = { { 16, 0x309, 0x40000000 },
					       { 17, 0x30a, 0x40000001 },
					       { 18, 0x30b, 0x40000002 },
					       { 0, 0xc1, 0 },
					       { 1, 0xc2, 1 } };
	static const int types[] = { PFMLIB_CORE_PMU, PFMLIB_INTEL_ATOM_PMU,
				     PFMLIB_GEN_IA32_PMU,
				     PFMLIB_INTEL_NHM_PMU };
	static const char *const events[] = {
		"INSTRUCTIONS_RETIRED", CYCLES, REFERENCE, CYCLES, CYCLES, NULL
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		dispatch(types[i], events, NULL);
		assert_int_equal(out.pfp_pmc_count, 3);
		expect_addresses(out.pfp_pmcs, 3, pmcs);
		assert_int_equal(out.pfp_pmd_count, 5);
		expect_addresses(out.pfp_pmds, 5, pmds);
	}
}

static void registers_outside_the_core_have_msrs_only(void **state)
{
	static const struct address pmcs[] = { { 20, 0x395, 0x395 },
					       { 21, 0x3c0, 0x3c0 },
					       { 22, 0x3c1, 0x3c1 } };
	static const struct address pmds[] = { { 20, 0x394, 0x394 },
					       { 21, 0x3b0, 0x3b0 },
					       { 22, 0x3b1, 0x3b1 } };
	static const char *const events[] = { "UNC_CLK_UNHALTED",
					      "UNC_LLC_MISS:READ",
					      "UNC_LLC_MISS:READ", NULL };

	(void)state;
	dispatch(PFMLIB_INTEL_NHM_PMU, events, NULL);
	assert_int_equal(out.pfp_pmc_count, 3);
	expect_addresses(out.pfp_pmcs, 3, pmcs);
	expect_addresses(out.pfp_pmds, 3, pmds);
}

static void registers_beside_the_counters_have_their_msrs(void **state)
{
	static const struct address pmcs[] = {
		{ 0, 0x186, 0x186 },  { 1, 0x187, 0x187 },
		{ 2, 0x188, 0x188 },  { 17, 0x3f1, 0x3f1 },
		{ 19, 0x1a6, 0x1a6 }, { 31, 0x1a7, 0x1a7 },
		{ 30, 0x1c8, 0x1c8 },
	};
	static const struct address pmds[] = {
		{ 0, 0xc1, 0 },	      { 1, 0xc2, 1 },
		{ 2, 0xc3, 2 },	      { 31, 0x1c9, 0x1c9 },
		{ 32, 0x680, 0x680 }, { 33, 0x6c0, 0x6c0 },
		{ 34, 0x681, 0x681 },
	};
	static const char *const events[] = {
		"MEM_INST_RETIRED:LOADS",
		"OFFCORE_RESPONSE_0:DMND_DATA_RD:UNCORE_HIT",
		"OFFCORE_RESPONSE_1:DMND_DATA_RD:UNCORE_HIT", NULL
	};
	pfmlib_nhm_input_param_t nhm = {
		.pfp_nhm_pebs = { .pebs_used = 1 },
		.pfp_nhm_lbr = { .lbr_used = 1 },
	};

	(void)state;
	dispatch(PFMLIB_INTEL_WSM_PMU, events, &nhm);
	assert_int_equal(out.pfp_pmc_count, 7);
	expect_addresses(out.pfp_pmcs, 7, pmcs);
	assert_int_equal(out.pfp_pmd_count, 3 + 33);
	expect_addresses(out.pfp_pmds, 7, pmds);
	assert_int_equal(out.pfp_pmds[35].reg_num, 63);
	assert_int_equal(out.pfp_pmds[35].reg_addr, 0x6cf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_those_of_the_model),
		cmocka_unit_test(a_core_that_nobody_has_seen_is_not_supported),
		cmocka_unit_test(events_have_the_counters_of_their_constraints),
		cmocka_unit_test(counters_have_their_msrs_and_rdpmc_numbers),
		cmocka_unit_test(registers_outside_the_core_have_msrs_only),
		cmocka_unit_test(registers_beside_the_counters_have_their_msrs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
