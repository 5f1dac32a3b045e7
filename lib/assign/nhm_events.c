// SPDX-License-Identifier: MIT
/* Constraints of events of Nehalem and Westmere, see nhm_events.h. */
#include "nhm_events.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct pfmlib_event_bits nehalem_events[] = {
	{ "INSTRUCTION_RETIRED", INTEL_IS_INSTRUCTIONS | INTEL_PEBS },
	{ "INSTRUCTIONS_RETIRED", INTEL_IS_INSTRUCTIONS | INTEL_PEBS },
	{ "UNHALTED_CORE_CYCLES", INTEL_IS_CYCLES },
	{ "UNHALTED_REFERENCE_CYCLES", INTEL_IS_REFERENCE },
	{ "CACHE_LOCK_CYCLES", INTEL_ONLY_0_1 | INTEL_ANY_MASKS },
	{ "L1D", INTEL_ONLY_0_1 },
	{ "L1D_ALL_REF", INTEL_ONLY_0_1 },
	{ "L1D_CACHE_LD", INTEL_ONLY_0_1 },
	{ "L1D_CACHE_LOCK", INTEL_ONLY_0_1 },
	{ "L1D_CACHE_LOCK_FB_HIT", INTEL_ONLY_0_1 },
	{ "L1D_CACHE_PREFETCH_LOCK_FB_HIT", INTEL_ONLY_0_1 },
	{ "L1D_CACHE_ST", INTEL_ONLY_0_1 },
	{ "L1D_PREFETCH", INTEL_ONLY_0_1 },
	{ "LOAD_HIT_PRE", INTEL_ONLY_0_1 },
	{ "OFFCORE_RESPONSE_0", INTEL_OFFCORE_0 | INTEL_ANY_MASKS },
	{ "UNC_CLK_UNHALTED", INTEL_UNCORE_FIXED },
	{ "ILD_STALL", INTEL_ANY_MASKS },
	{ "RAT_STALLS", INTEL_ANY_MASKS },
	{ "RESOURCE_STALLS", INTEL_ANY_MASKS },
	{ "ITLB_MISS_RETIRED", INTEL_PEBS },
	{ "MEM_LOAD_RETIRED", INTEL_PEBS },
	{ "SSEX_UOPS_RETIRED", INTEL_PEBS },
};

static const struct intel_mask_bits nehalem_masks[] = {
	{ "BR_INST_RETIRED", "ALL_BRANCHES", INTEL_PEBS },
	{ "BR_INST_RETIRED", "CONDITIONAL", INTEL_PEBS },
	{ "BR_INST_RETIRED", "NEAR_CALL", INTEL_PEBS },
	{ "FP_ASSIST", "ALL", INTEL_PEBS },
	{ "FP_ASSIST", "INPUT", INTEL_PEBS },
	{ "FP_ASSIST", "OUTPUT", INTEL_PEBS },
	{ "INST_RETIRED", "ANY_P", INTEL_PEBS },
	{ "INST_RETIRED", "X87", INTEL_PEBS },
	{ "MEM_INST_RETIRED", "LATENCY_ABOVE_THRESHOLD",
	  INTEL_PEBS | INTEL_LATENCY },
	{ "MEM_INST_RETIRED", "LOADS", INTEL_PEBS },
	{ "MEM_INST_RETIRED", "STORES", INTEL_PEBS },
	{ "MEM_STORE_RETIRED", "DTLB_MISS", INTEL_PEBS },
	{ "MEM_UNCORE_RETIRED", "OTHER_CORE_L2_HITM", INTEL_PEBS },
	{ "MEM_UNCORE_RETIRED", "REMOTE_CACHE_LOCAL_HOME_HIT", INTEL_PEBS },
	{ "MEM_UNCORE_RETIRED", "REMOTE_DRAM", INTEL_PEBS },
	{ "MEM_UNCORE_RETIRED", "LOCAL_DRAM", INTEL_PEBS },
	{ "UOPS_RETIRED", "ANY", INTEL_PEBS },
	{ "UOPS_RETIRED", "RETIRE_SLOTS", INTEL_PEBS },
	{ "UOPS_RETIRED", "ACTIVE_CYCLES", INTEL_PEBS },
	{ "UOPS_RETIRED", "STALL_CYCLES", INTEL_PEBS },
	{ "UOPS_RETIRED", "MACRO_FUSED", INTEL_PEBS },
	/* Nehalem-EX alone, so these are the last. */
	{ "MEM_UNCORE_RETIRED", "L3_DATA_MISS_UNKNOWN", INTEL_PEBS },
	{ "MEM_UNCORE_RETIRED", "UNCACHEABLE", INTEL_PEBS },
};

#define NUM_EX_MASKS 2

static const struct pfmlib_event_bits westmere_events[] = {
	{ "INSTRUCTION_RETIRED", INTEL_IS_INSTRUCTIONS | INTEL_PEBS },
	{ "INSTRUCTIONS_RETIRED", INTEL_IS_INSTRUCTIONS | INTEL_PEBS },
	{ "UNHALTED_CORE_CYCLES", INTEL_IS_CYCLES },
	{ "UNHALTED_REFERENCE_CYCLES", INTEL_IS_REFERENCE },
	{ "CACHE_LOCK_CYCLES", INTEL_ONLY_0_1 | INTEL_ANY_MASKS },
	{ "LOAD_HIT_PRE", INTEL_ONLY_0_1 },
	{ "L1D", INTEL_ONLY_0_1 },
	{ "L1D_CACHE_PREFETCH_LOCK_FB_HIT", INTEL_ONLY_0_1 },
	{ "L1D_PREFETCH", INTEL_ONLY_0_1 },
	{ "OFFCORE_REQUESTS_OUTSTANDING", INTEL_ONLY_0 },
	{ "SNOOPQ_REQUESTS_OUTSTANDING", INTEL_ONLY_0 },
	{ "OFFCORE_RESPONSE_0", INTEL_OFFCORE_0 | INTEL_ANY_MASKS },
	{ "OFFCORE_RESPONSE_1", INTEL_OFFCORE_1 | INTEL_ANY_MASKS },
	{ "UNC_CLK_UNHALTED", INTEL_UNCORE_FIXED },
	{ "RAT_STALLS", INTEL_ANY_MASKS },
	{ "RESOURCE_STALLS", INTEL_ANY_MASKS },
	{ "UOPS_RETIRED", INTEL_PEBS },
	{ "BR_MISP_RETIRED", INTEL_PEBS },
	{ "INST_RETIRED", INTEL_PEBS },
	{ "SSEX_UOPS_RETIRED", INTEL_PEBS },
	{ "BR_INST_RETIRED", INTEL_PEBS },
	{ "FP_ASSIST", INTEL_PEBS },
	{ "MEM_UNCORE_RETIRED", INTEL_PEBS },
	{ "MEM_LOAD_RETIRED", INTEL_PEBS },
};

static const struct intel_mask_bits westmere_masks[] = {
	{ "MEM_INST_RETIRED", "LATENCY_ABOVE_THRESHOLD",
	  INTEL_PEBS | INTEL_LATENCY },
	{ "MEM_INST_RETIRED", "LOADS", INTEL_PEBS },
	{ "MEM_INST_RETIRED", "STORES", INTEL_PEBS },
};

static bool is_westmere(const struct pfmlib_pmu *pmu)
{
	return pmu->model->type == PFMLIB_INTEL_WSM_PMU;
}

bool pfmlib_nhm_is_ex(const struct pfmlib_pmu *pmu)
{
	return !is_westmere(pmu) && pmu->cpu.model == NHM_NEHALEM_EX;
}

int pfmlib_nhm_find_events(struct pfmlib_pmu *pmu)
{
	if (is_westmere(pmu))
		pmu->data = pfmlib_find_event_bits(pmu, westmere_events,
						   COUNT(westmere_events));
	else
		pmu->data = pfmlib_find_event_bits(pmu, nehalem_events,
						   COUNT(nehalem_events));
	return pmu->data ? PFMLIB_SUCCESS : PFMLIB_ERR_NOMEM;
}

unsigned int pfmlib_nhm_bits(const struct pfmlib_pmu *pmu,
			     const pfmlib_event_t *event)
{
	unsigned int bits = pfmlib_intel_event_bits(pmu, event->event);

	if (is_westmere(pmu))
		return pfmlib_intel_bits(pmu, bits, westmere_masks,
					 COUNT(westmere_masks), event);
	return pfmlib_intel_bits(pmu, bits, nehalem_masks,
				 COUNT(nehalem_masks) - (pfmlib_nhm_is_ex(pmu) ?
								 0 :
								 NUM_EX_MASKS),
				 event);
}
