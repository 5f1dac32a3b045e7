// SPDX-License-Identifier: MIT
/*
 * The dispatchers of Core and Atom: two generic counters, three fixed ones, and precise
 * sampling with counter 0. Both assign events in the same way; struct core_family has the
 * differences.
 */
#include <strings.h>

#include "arch_counters.h"

#include <perfmon/pfmlib_core.h>
#include <perfmon/pfmlib_intel_atom.h>

#define NUM_GENERIC 2
#define NUM_FIXED 3
#define WIDTH 32 /* bits that a write can set */

#define PEBS_ENABLE 17
#define PEBS_ENABLE_MSR 0x3f1
#define PEBS_COUNTER_0 0x1

/* The branch records: PMDs only. */
#define LBR_TOS 19
#define LBR_FIRST 20

#define NONE (-1)

_Static_assert(sizeof(pfmlib_core_counter_t) == sizeof(struct arch_modifiers),
	       "what pfmlib_arch_start() copies");
_Static_assert(sizeof(pfmlib_intel_atom_counter_t) ==
		       sizeof(struct arch_modifiers),
	       "what pfmlib_arch_start() copies");

struct core_family {
	const struct pfmlib_event_bits *events;
	unsigned int num_events;
	const struct arch_mask_bits *masks;
	unsigned int num_masks;
	unsigned int flags; /* allowed in the model's input */
	unsigned int num_branch_records;
};

/* This core and, if the unit mask has state bits, all states of a line. */
#define BY_CORE ARCH_BY_CORE
#define BY_STATE (ARCH_BY_CORE | ARCH_MESI)

static const struct pfmlib_event_bits core_events[] = {
	{ "INSTRUCTIONS_RETIRED", ARCH_IS_INSTRUCTIONS },
	{ "INSTRUCTION_RETIRED", ARCH_IS_INSTRUCTIONS },
	{ "UNHALTED_CORE_CYCLES", ARCH_IS_CYCLES },
	{ "UNHALTED_REFERENCE_CYCLES", ARCH_IS_REFERENCE },
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

static const struct arch_mask_bits core_masks[] = {
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

static const struct core_family core = {
	.events = core_events,
	.num_events = ARRAY_SIZE(core_events),
	.masks = core_masks,
	.num_masks = ARRAY_SIZE(core_masks),
	.flags = PFM_CORE_SEL_INV | PFM_CORE_SEL_EDGE,
	.num_branch_records = 4,
};

static const struct pfmlib_event_bits atom_events[] = {
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

static const struct arch_mask_bits atom_masks[] = {
	{ "INST_RETIRED", "ANY_P", ARCH_PEBS },
	{ "BR_INST_RETIRED", "MISPRED", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", "L2_HIT", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", "L2_MISS", ARCH_PEBS },
	{ "MEM_LOAD_RETIRED", "DTLB_MISS", ARCH_PEBS },
};

static const struct core_family atom = {
	.events = atom_events,
	.num_events = ARRAY_SIZE(atom_events),
	.masks = atom_masks,
	.num_masks = ARRAY_SIZE(atom_masks),
	.flags = PFM_INTEL_ATOM_SEL_INV | PFM_INTEL_ATOM_SEL_EDGE |
		 PFM_INTEL_ATOM_SEL_ANYTHR,
	.num_branch_records = 8,
};

/* Properties of the events of a call. */
struct seen {
	unsigned int bits[ARCH_MAX_EVENTS];
	unsigned int all_bits;
	int only_0;
	int first_precise;
};

static int family_setup(const struct core_family *family,
			struct pfmlib_pmu *pmu)
{
	pfmlib_arch_describe(pmu, NUM_GENERIC, NUM_FIXED, WIDTH);
	pfmlib_mask_add_range(&pmu->impl_pmcs, PEBS_ENABLE, 1);
	pfmlib_mask_add_range(&pmu->impl_pmds, LBR_TOS, 1);
	pfmlib_mask_add_range(&pmu->impl_pmds, LBR_FIRST,
			      2 * family->num_branch_records);
	pmu->data =
		pfmlib_find_event_bits(pmu, family->events, family->num_events);
	return pmu->data ? PFMLIB_SUCCESS : PFMLIB_ERR_NOMEM;
}

static int check_event(const struct core_family *family,
		       const struct arch_call *call, unsigned int i,
		       struct seen *seen)
{
	const pfmlib_event_t *event = &call->in->pfp_events[i];
	unsigned int bits = pfmlib_arch_bits(
		call->pmu, pfmlib_arch_event_bits(call->pmu, event->event),
		family->masks, family->num_masks, event);
	unsigned int single;

	bits |= pfmlib_arch_only(call->pmu, pfmlib_arch_code(call, i));
	/* At most one event of each of these kinds. */
	single = bits & (ARCH_ONLY_0 | ARCH_ONLY_1 | ARCH_IS_REFERENCE);
	seen->bits[i] = bits;
	if (event->plm & PFMLIB_PLM_MIDDLE)
		return PFMLIB_ERR_INVAL;
	if (call->modifiers[i].flags & ~family->flags)
		return PFMLIB_ERR_INVAL;
	if (bits & ARCH_ONE_MASK && event->num_masks > 1)
		return PFMLIB_ERR_NOASSIGN;
	if (seen->all_bits & single)
		return PFMLIB_ERR_NOASSIGN;
	if (bits & ARCH_IS_REFERENCE && pfmlib_arch_needs_selector(call, i))
		return PFMLIB_ERR_NOASSIGN;
	seen->all_bits |= single;
	return PFMLIB_SUCCESS;
}

static int check_events(const struct core_family *family,
			const struct arch_call *call, bool pebs_used,
			struct seen *seen)
{
	unsigned int i;
	int ret;

	seen->all_bits = 0;
	seen->only_0 = NONE;
	seen->first_precise = NONE;
	for (i = 0; i < call->in->pfp_event_count; i++) {
		ret = check_event(family, call, i, seen);
		if (ret != PFMLIB_SUCCESS)
			return ret;
		if (!pebs_used)
			seen->bits[i] &= ~ARCH_PEBS;
		if (seen->bits[i] & ARCH_ONLY_0)
			seen->only_0 = (int)i;
		if (seen->bits[i] & ARCH_PEBS && seen->first_precise == NONE)
			seen->first_precise = (int)i;
	}
	return PFMLIB_SUCCESS;
}

/*
 * Precise sampling works with counter 0 only, so that counter is kept for a precise
 * event.
 */
static int reserve_counter_0(struct arch_call *call, const struct seen *seen)
{
	int holder = seen->only_0 == NONE ? seen->first_precise : seen->only_0;

	if (seen->first_precise == NONE)
		return PFMLIB_SUCCESS;
	if (!(seen->bits[holder] & ARCH_PEBS))
		return PFMLIB_ERR_NOASSIGN;
	pfmlib_arch_allow(call, (unsigned int)holder, ARCH_COUNTER(0));
	return PFMLIB_SUCCESS;
}

static int assign(struct arch_call *call, const struct seen *seen)
{
	unsigned int i;
	int ret;

	for (i = 0; i < call->in->pfp_event_count; i++) {
		uint64_t counters = pfmlib_arch_generic_for(
			call->pmu, pfmlib_arch_code(call, i));

		if (!(seen->bits[i] & ARCH_PEBS) &&
		    !pfmlib_arch_needs_selector(call, i))
			counters |= pfmlib_arch_fixed_for(seen->bits[i]);
		pfmlib_arch_allow(call, i, counters);
	}
	ret = reserve_counter_0(call, seen);
	return ret == PFMLIB_SUCCESS ? pfmlib_arch_assign(call) : ret;
}

static int select_events(struct arch_call *call, const struct seen *seen)
{
	unsigned int i;
	uint64_t code;
	int ret;

	for (i = 0; i < call->in->pfp_event_count; i++) {
		if (!pfmlib_arch_is_generic(call, i))
			continue;
		code = pfmlib_arch_default_masks(pfmlib_arch_code(call, i),
						 seen->bits[i]);
		ret = pfmlib_arch_select(call, i, code);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

/* counters: the counters of the model's input, or NULL. */
static int family_dispatch(const struct core_family *family,
			   const struct pfmlib_pmu *pmu,
			   const pfmlib_input_param_t *in, const void *counters,
			   bool pebs_used, pfmlib_output_param_t *out)
{
	struct arch_call call;
	struct seen seen;
	int ret;

	pfmlib_arch_start(&call, pmu, in, counters);
	call.has_any_thread = family->flags & ARCH_ANYTHR;
	ret = check_events(family, &call, pebs_used, &seen);
	if (ret == PFMLIB_SUCCESS)
		ret = assign(&call, &seen);
	if (ret == PFMLIB_SUCCESS)
		ret = select_events(&call, &seen);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	pfmlib_arch_emit_fixed(&call, out);
	pfmlib_arch_emit_generic(&call, out);
	if (seen.first_precise != NONE) {
		if (!pfmlib_pmc_usable(in, PEBS_ENABLE))
			return PFMLIB_ERR_NOASSIGN;
		pfmlib_emit_pmc(out, PEBS_ENABLE, PEBS_COUNTER_0,
				PEBS_ENABLE_MSR);
	}
	pfmlib_arch_emit_pmds(&call, out);
	return PFMLIB_SUCCESS;
}

/* Programs expect fixed counter 2 as the only counter of its events. */
static void family_event_counters(const struct core_family *family,
				  const struct pfmlib_pmu *pmu,
				  unsigned int event,
				  pfmlib_regmask_t *counters)
{
	unsigned int bits = pfmlib_arch_event_bits(pmu, event);
	unsigned int mask;
	uint64_t all;

	for (mask = 0; mask < pmu->events[event].num_masks; mask++)
		bits |= pfmlib_arch_mask_bits(pmu, family->masks,
					      family->num_masks, event, mask);
	all = pfmlib_arch_fixed_for(bits);
	if (!(bits & ARCH_IS_REFERENCE))
		all |= pfmlib_arch_generic_of_event(pmu, event);
	pfmlib_arch_add_counters(pmu, counters, all);
}

/* Uses only the events of pmu. */
static bool family_is_precise(const struct core_family *family,
			      const struct pfmlib_pmu *pmu,
			      const pfmlib_event_t *event)
{
	const char *name = pmu->events[event->event].name;
	unsigned int bits = 0, i;

	for (i = 0; i < family->num_events; i++)
		if (!strcasecmp(family->events[i].event, name))
			bits |= family->events[i].bits;
	return pfmlib_arch_bits(pmu, bits, family->masks, family->num_masks,
				event) &
	       ARCH_PEBS;
}

static int core_setup(struct pfmlib_pmu *pmu)
{
	return family_setup(&core, pmu);
}

static int core_dispatch(const struct pfmlib_pmu *pmu,
			 const pfmlib_input_param_t *in, const void *model_in,
			 pfmlib_output_param_t *out, void *model_out)
{
	const pfmlib_core_input_param_t *core_in = model_in;

	(void)model_out;
	return family_dispatch(&core, pmu, in,
			       core_in ? core_in->pfp_core_counters : NULL,
			       core_in && core_in->pfp_core_pebs.pebs_used,
			       out);
}

static void core_event_counters(const struct pfmlib_pmu *pmu,
				unsigned int event, pfmlib_regmask_t *counters)
{
	family_event_counters(&core, pmu, event, counters);
}

static bool core_is_precise(const struct pfmlib_pmu *pmu,
			    const pfmlib_event_t *event)
{
	return family_is_precise(&core, pmu, event);
}

const struct pfmlib_dispatch pfmlib_dispatch_core = {
	.setup = core_setup,
	.dispatch = core_dispatch,
	.event_counters = core_event_counters,
	.is_precise = core_is_precise,
};

static int atom_setup(struct pfmlib_pmu *pmu)
{
	return family_setup(&atom, pmu);
}

static int atom_dispatch(const struct pfmlib_pmu *pmu,
			 const pfmlib_input_param_t *in, const void *model_in,
			 pfmlib_output_param_t *out, void *model_out)
{
	const pfmlib_intel_atom_input_param_t *atom_in = model_in;

	(void)model_out;
	return family_dispatch(
		&atom, pmu, in,
		atom_in ? atom_in->pfp_intel_atom_counters : NULL,
		atom_in && atom_in->pfp_intel_atom_pebs_used, out);
}

static void atom_event_counters(const struct pfmlib_pmu *pmu,
				unsigned int event, pfmlib_regmask_t *counters)
{
	family_event_counters(&atom, pmu, event, counters);
}

static bool atom_is_precise(const struct pfmlib_pmu *pmu,
			    const pfmlib_event_t *event)
{
	return family_is_precise(&atom, pmu, event);
}

const struct pfmlib_dispatch pfmlib_dispatch_atom = {
	.setup = atom_setup,
	.dispatch = atom_dispatch,
	.event_counters = atom_event_counters,
	.is_precise = atom_is_precise,
};
