// SPDX-License-Identifier: MIT
/*
 * Atom: which counters count its events, see core_family.h.
 */
#include "core_family.h"

#include <perfmon/pfmlib_intel_atom.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct pfmlib_event_bits events[] = {
	{ "INSTRUCTIONS_RETIRED", INTEL_IS_INSTRUCTIONS | INTEL_PEBS },
	{ "INSTRUCTION_RETIRED", INTEL_IS_INSTRUCTIONS | INTEL_PEBS },
	{ "UNHALTED_CORE_CYCLES", INTEL_IS_CYCLES },
	{ "UNHALTED_REFERENCE_CYCLES", INTEL_IS_REFERENCE },
	{ "MISPREDICTED_BRANCH_RETIRED", INTEL_PEBS },
	{ "ICACHE", INTEL_ONE_MASK },
	{ "UOPS_RETIRED", INTEL_ONE_MASK },
	{ "SIMD_SAT_UOP_EXEC", INTEL_ONE_MASK },
	{ "L1D_CACHE", INTEL_ONE_MASK },
	{ "MUL", INTEL_ONE_MASK },
	{ "DIV", INTEL_ONE_MASK },
	{ "SIMD_UOP_TYPE_EXEC", INTEL_ONE_MASK },
	{ "SIMD_UOPS_EXEC", INTEL_ONE_MASK },
	{ "MACRO_INSTS", INTEL_ONE_MASK },
	{ "CYCLES_INT_MASKED", INTEL_ONE_MASK },
	{ "FP_ASSIST", INTEL_ONE_MASK },
	{ "DATA_TLB_MISSES", INTEL_ONE_MASK },
	{ "CPU_CLK_UNHALTED", INTEL_ONE_MASK },
	{ "X87_COMP_OPS_EXE", INTEL_ONE_MASK },
	{ "PAGE_WALKS", INTEL_ONE_MASK },
};

static const struct intel_mask_bits masks[] = {
	{ "INST_RETIRED", "ANY_P", INTEL_PEBS },
	{ "BR_INST_RETIRED", "MISPRED", INTEL_PEBS },
	{ "MEM_LOAD_RETIRED", "L2_HIT", INTEL_PEBS },
	{ "MEM_LOAD_RETIRED", "L2_MISS", INTEL_PEBS },
	{ "MEM_LOAD_RETIRED", "DTLB_MISS", INTEL_PEBS },
};

const struct core_family pfmlib_atom = {
	.events = events,
	.num_events = COUNT(events),
	.masks = masks,
	.num_masks = COUNT(masks),
	.flags = PFM_INTEL_ATOM_SEL_INV | PFM_INTEL_ATOM_SEL_EDGE |
		 PFM_INTEL_ATOM_SEL_ANYTHR,
	.num_branch_records = 8,
};

_Static_assert(sizeof(pfmlib_intel_atom_counter_t) ==
		       sizeof(struct intel_modifiers),
	       "what pfmlib_intel_start() copies");

static int setup(struct pfmlib_pmu *pmu)
{
	return pfmlib_core_family_setup(&pfmlib_atom, pmu);
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	const pfmlib_intel_atom_input_param_t *atom_in = model_in;

	(void)model_out;
	return pfmlib_core_family_dispatch(
		&pfmlib_atom, pmu, in,
		atom_in ? atom_in->pfp_intel_atom_counters : NULL,
		atom_in && atom_in->pfp_intel_atom_pebs_used, out);
}

static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	pfmlib_core_family_event_counters(&pfmlib_atom, pmu, event, counters);
}

const struct pfmlib_dispatch pfmlib_dispatch_atom = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
};
