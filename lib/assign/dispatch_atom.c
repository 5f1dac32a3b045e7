// SPDX-License-Identifier: MIT
/*
 * Atom: which counters count its events, see core_family.h.
 */
#include "core_family.h"

#include <perfmon/pfmlib_intel_atom.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct pfmlib_event_bits events[] = {
	{ "INSTRUCTIONS_RETIRED", ARCH_IS_INSTRUCTIONS | ARCH_PEBS },
	{ "INSTRUCTION_RETIRED", ARCH_IS_INSTRUCTIONS | ARCH_PEBS },
	{ "UNHALTED_CORE_CYCLES", ARCH_IS_CYCLES },
	{ "UNHALTED_REFERENCE_CYCLES", ARCH_IS_REFERENCE },
	{ "MISPREDICTED_BRANCH_RETIRED", ARCH_PEBS },
	{ "ICACHE", ARCH_ONE_MASK },
	{ "UOPS_RETIRED", ARCH_ONE_MASK },
	{ "SIMD_SAT_UOP_EXEC", ARCH_ONE_MASK },
	{ "L1D_CACHE", ARCH_ONE_MASK },
	{ "MUL", ARCH_ONE_MASK },
	{ "DIV", ARCH_ONE_MASK },
	{ "SIMD_UOP_TYPE_EXEC", ARCH_ONE_MASK },
	{ "SIMD_UOPS_EXEC", ARCH_ONE_MASK },
	{ "MACRO_INSTS", ARCH_ONE_MASK },
	{ "CYCLES_INT_MASKED", ARCH_ONE_MASK },
	{ "FP_ASSIST", ARCH_ONE_MASK },
	{ "DATA_TLB_MISSES", ARCH_ONE_MASK },
	{ "CPU_CLK_UNHALTED", ARCH_ONE_MASK },
	{ "X87_COMP_OPS_EXE", ARCH_ONE_MASK },
	{ "PAGE_WALKS", ARCH_ONE_MASK },
};

static const struct arch_mask_bits masks[] = {
	{ "INST_RETIRED", "ANY_P", ARCH_PEBS },
	{ "BR_INST_RETIRED", "MISPRED", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", "L2_HIT", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", "L2_MISS", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", "DTLB_MISS", ARCH_PEBS },
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
		       sizeof(struct arch_modifiers),
	       "what pfmlib_arch_start() copies");

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
