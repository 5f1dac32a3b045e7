// SPDX-License-Identifier: MIT
/*
 * Core: which counters count its events, see core_family.h.
 */
#include "core_family.h"

#include <perfmon/pfmlib_core.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* This core and, where the unit mask has them, all states of a line. */
#define BY_CORE ARCH_BY_CORE
#define BY_STATE (ARCH_BY_CORE | ARCH_MESI)

static const struct pfmlib_event_bits events[] = {
	{ "INSTRUCTIONS_RETIRED", ARCH_IS_INSTRUCTIONS },
	{ "INSTRUCTION_RETIRED", ARCH_IS_INSTRUCTIONS },
	{ "UNHALTED_CORE_CYCLES", ARCH_IS_CYCLES },
	{ "UNHALTED_REFERENCE_CYCLES", ARCH_IS_REFERENCE },
	{ "RS_UOPS_DISPATCHED_CYCLES", ARCH_ONLY_0 },
	{ "FP_COMP_OPS_EXE", ARCH_ONLY_0 },
	{ "CYCLES_DIV_BUSY", ARCH_ONLY_0 },
	{ "IDLE_DURING_DIV", ARCH_ONLY_0 },
	{ "MEM_LOAD_RETIRED", ARCH_ONLY_0 },
	{ "FP_ASSIST", ARCH_ONLY_1 },
	{ "MUL", ARCH_ONLY_1 },
	{ "DIV", ARCH_ONLY_1 },
	{ "DELAYED_BYPASS", ARCH_ONLY_1 },
	{ "CPU_CLK_UNHALTED", ARCH_ONE_MASK },
	{ "BR_INST_RETIRED_MISPRED", ARCH_PEBS },
	{ "FP_MMX_TRANS", ARCH_PEBS },
	{ "L2_ADS", BY_CORE },
	{ "L2_DBUS_BUSY_RD", BY_CORE },
	{ "L2_LINES_IN", BY_CORE },
	{ "L2_M_LINES_IN", BY_CORE },
	{ "L2_LINES_OUT", BY_CORE },
	{ "L2_M_LINES_OUT", BY_CORE },
	{ "L2_IFETCH", BY_STATE },
	{ "L2_LD", BY_STATE },
	{ "L2_ST", BY_STATE },
	{ "L2_LOCK", BY_STATE },
	{ "L2_RQSTS", BY_STATE },
	{ "L2_REJECT_BUSQ", BY_STATE },
	{ "L2_NO_REQ", BY_CORE },
	{ "L1D_CACHE_LD", ARCH_MESI },
	{ "L1D_CACHE_ST", ARCH_MESI },
	{ "L1D_CACHE_LOCK", ARCH_MESI },
	{ "BUS_REQUEST_OUTSTANDING", BY_CORE },
	{ "BUS_LOCK_CLOCKS", BY_CORE },
	{ "BUS_DATA_RCV", BY_CORE },
	{ "BUS_TRANS_BRD", BY_CORE },
	{ "BUS_TRANS_RFO", BY_CORE },
	{ "BUS_TRANS_WB", BY_CORE },
	{ "BUS_TRANS_IFETCH", BY_CORE },
	{ "BUS_TRANS_INVAL", BY_CORE },
	{ "BUS_TRANS_PWR", BY_CORE },
	{ "BUS_TRANS_P", BY_CORE },
	{ "BUS_TRANS_IO", BY_CORE },
	{ "BUS_TRANS_DEF", BY_CORE },
	{ "BUS_TRANS_BURST", BY_CORE },
	{ "BUS_TRANS_MEM", BY_CORE },
	{ "BUS_TRANS_ANY", BY_CORE },
	{ "CMP_SNOOP", BY_CORE },
	{ "SNOOP_STALL_DRV", BY_CORE },
	{ "BUS_IO_WAIT", BY_CORE },
};

static const struct arch_mask_bits masks[] = {
	{ "CPU_CLK_UNHALTED", "REF", ARCH_IS_REFERENCE },
	{ "INST_RETIRED", "ANY_P", ARCH_PEBS },
	{ "X87_OPS_RETIRED", "ANY", ARCH_PEBS },
	{ "SIMD_INST_RETIRED", "ANY", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", "L1D_MISS", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", "L1D_LINE_MISS", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", "L2_MISS", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", "L2_LINE_MISS", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", "DTLB_MISS", ARCH_PEBS },
};

const struct core_family pfmlib_core = {
	.events = events,
	.num_events = COUNT(events),
	.masks = masks,
	.num_masks = COUNT(masks),
	.flags = PFM_CORE_SEL_INV | PFM_CORE_SEL_EDGE,
	.num_branch_records = 4,
};

_Static_assert(sizeof(pfmlib_core_counter_t) == sizeof(struct arch_modifiers),
	       "what pfmlib_arch_start() copies");

static int setup(struct pfmlib_pmu *pmu)
{
	return pfmlib_core_family_setup(&pfmlib_core, pmu);
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	const pfmlib_core_input_param_t *core_in = model_in;

	(void)model_out;
	return pfmlib_core_family_dispatch(
		&pfmlib_core, pmu, in,
		core_in ? core_in->pfp_core_counters : NULL,
		core_in && core_in->pfp_core_pebs.pebs_used, out);
}

static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	pfmlib_core_family_event_counters(&pfmlib_core, pmu, event, counters);
}

const struct pfmlib_dispatch pfmlib_dispatch_core = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
};
