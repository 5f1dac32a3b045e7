// SPDX-License-Identifier: MIT
/* Properties of the events of Nehalem and Westmere, see nhm.h. */
#include "nhm.h"

static const struct pfmlib_event_bits nehalem_events[] = {
	{ "INSTRUCTION_RETIRED", ARCH_IS_INSTRUCTIONS | ARCH_PEBS },
	{ "INSTRUCTIONS_RETIRED", ARCH_IS_INSTRUCTIONS | ARCH_PEBS },
	{ "UNHALTED_CORE_CYCLES", ARCH_IS_CYCLES },
	{ "UNHALTED_REFERENCE_CYCLES", ARCH_IS_REFERENCE },
	{ "CACHE_LOCK_CYCLES", ARCH_ANY_MASKS },
	{ "OFFCORE_RESPONSE_0", ARCH_OFFCORE_0 | ARCH_ANY_MASKS },
	{ "UNC_CLK_UNHALTED", ARCH_UNCORE_FIXED },
	{ "ILD_STALL", ARCH_ANY_MASKS },
	{ "RAT_STALLS", ARCH_ANY_MASKS },
	{ "RESOURCE_STALLS", ARCH_ANY_MASKS },
	{ "ITLB_MISS_RETIRED", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", ARCH_PEBS },
	{ "SSEX_UOPS_RETIRED", ARCH_PEBS },
};

static const struct arch_mask_bits nehalem_masks[] = {
	{ "BR_INST_RETIRED", "ALL_BRANCHES", ARCH_PEBS },
	{ "BR_INST_RETIRED", "CONDITIONAL", ARCH_PEBS },
	{ "BR_INST_RETIRED", "NEAR_CALL", ARCH_PEBS },
	{ "FP_ASSIST", "ALL", ARCH_PEBS },
	{ "FP_ASSIST", "INPUT", ARCH_PEBS },
	{ "FP_ASSIST", "OUTPUT", ARCH_PEBS },
	{ "INST_RETIRED", "ANY_P", ARCH_PEBS },
	{ "INST_RETIRED", "X87", ARCH_PEBS },
	{ "MEM_INST_RETIRED", "LATENCY_ABOVE_THRESHOLD",
	  ARCH_PEBS | ARCH_LATENCY },
	{ "MEM_INST_RETIRED", "LOADS", ARCH_PEBS },
	{ "MEM_INST_RETIRED", "STORES", ARCH_PEBS },
	{ "MEM_STORE_RETIRED", "DTLB_MISS", ARCH_PEBS },
	{ "MEM_UNCORE_RETIRED", "OTHER_CORE_L2_HITM", ARCH_PEBS },
	{ "MEM_UNCORE_RETIRED", "REMOTE_CACHE_LOCAL_HOME_HIT", ARCH_PEBS },
	{ "MEM_UNCORE_RETIRED", "REMOTE_DRAM", ARCH_PEBS },
	{ "MEM_UNCORE_RETIRED", "LOCAL_DRAM", ARCH_PEBS },
	{ "UOPS_RETIRED", "ANY", ARCH_PEBS },
	{ "UOPS_RETIRED", "RETIRE_SLOTS", ARCH_PEBS },
	{ "UOPS_RETIRED", "ACTIVE_CYCLES", ARCH_PEBS },
	{ "UOPS_RETIRED", "STALL_CYCLES", ARCH_PEBS },
	{ "UOPS_RETIRED", "MACRO_FUSED", ARCH_PEBS },
	/* Only on Nehalem-EX, so these are the last. */
	{ "MEM_UNCORE_RETIRED", "L3_DATA_MISS_UNKNOWN", ARCH_PEBS },
	{ "MEM_UNCORE_RETIRED", "UNCACHEABLE", ARCH_PEBS },
};

#define NUM_EX_MASKS 2

static const struct pfmlib_event_bits westmere_events[] = {
	{ "INSTRUCTION_RETIRED", ARCH_IS_INSTRUCTIONS | ARCH_PEBS },
	{ "INSTRUCTIONS_RETIRED", ARCH_IS_INSTRUCTIONS | ARCH_PEBS },
	{ "UNHALTED_CORE_CYCLES", ARCH_IS_CYCLES },
	{ "UNHALTED_REFERENCE_CYCLES", ARCH_IS_REFERENCE },
	{ "CACHE_LOCK_CYCLES", ARCH_ANY_MASKS },
	{ "OFFCORE_RESPONSE_0", ARCH_OFFCORE_0 | ARCH_ANY_MASKS },
	{ "OFFCORE_RESPONSE_1", ARCH_OFFCORE_1 | ARCH_ANY_MASKS },
	{ "UNC_CLK_UNHALTED", ARCH_UNCORE_FIXED },
	{ "RAT_STALLS", ARCH_ANY_MASKS },
	{ "RESOURCE_STALLS", ARCH_ANY_MASKS },
	{ "UOPS_RETIRED", ARCH_PEBS },
	{ "BR_MISP_RETIRED", ARCH_PEBS },
	{ "INST_RETIRED", ARCH_PEBS },
	{ "SSEX_UOPS_RETIRED", ARCH_PEBS },
	{ "BR_INST_RETIRED", ARCH_PEBS },
	{ "FP_ASSIST", ARCH_PEBS },
	{ "MEM_UNCORE_RETIRED", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", ARCH_PEBS },
};

static const struct arch_mask_bits westmere_masks[] = {
	{ "MEM_INST_RETIRED", "LATENCY_ABOVE_THRESHOLD",
	  ARCH_PEBS | ARCH_LATENCY },
	{ "MEM_INST_RETIRED", "LOADS", ARCH_PEBS },
	{ "MEM_INST_RETIRED", "STORES", ARCH_PEBS },
};

static bool is_westmere(const struct pfmlib_pmu *pmu)
{
	return pmu->model->type == PFMLIB_INTEL_WSM_PMU;
}

bool pfmlib_nhm_is_ex(const struct pfmlib_pmu *pmu)
{
	return pmu->cpu.model ==
	       (is_westmere(pmu) ? NHM_WESTMERE_EX : NHM_NEHALEM_EX);
}

int pfmlib_nhm_find_events(struct pfmlib_pmu *pmu)
{
	if (is_westmere(pmu))
		pmu->data = pfmlib_find_event_bits(pmu, westmere_events,
						   ARRAY_SIZE(westmere_events));
	else
		pmu->data = pfmlib_find_event_bits(pmu, nehalem_events,
						   ARRAY_SIZE(nehalem_events));
	return pmu->data ? PFMLIB_SUCCESS : PFMLIB_ERR_NOMEM;
}

unsigned int pfmlib_nhm_bits(const struct pfmlib_pmu *pmu,
			     const pfmlib_event_t *event)
{
	unsigned int bits = pfmlib_arch_event_bits(pmu, event->event);

	if (is_westmere(pmu))
		return pfmlib_arch_bits(pmu, bits, westmere_masks,
					ARRAY_SIZE(westmere_masks), event);
	return pfmlib_arch_bits(pmu, bits, nehalem_masks,
				ARRAY_SIZE(nehalem_masks) -
					(pfmlib_nhm_is_ex(pmu) ? 0 :
								 NUM_EX_MASKS),
				event);
}

bool pfmlib_nhm_wants_latency(const struct pfmlib_pmu *pmu,
			      const pfmlib_event_t *event)
{
	unsigned int i, bits = 0;

	/* Both have the same masks. */
	for (i = 0; i < event->num_masks; i++)
		bits |= pfmlib_arch_mask_bits(pmu, westmere_masks,
					      ARRAY_SIZE(westmere_masks),
					      event->event,
					      event->unit_masks[i]);
	return bits & ARCH_LATENCY;
}
