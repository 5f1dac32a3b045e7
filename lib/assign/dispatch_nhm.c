// SPDX-License-Identifier: MIT
/*
 * The dispatcher of Nehalem and Westmere: four generic and three fixed counters in
 * each core, and the uncore.  nhm.h has the constraints of events and the uncore.
 */
#include "extra_regs.h"
#include "nhm.h"

#define NUM_GENERIC 4
#define NUM_FIXED 3
#define WIDTH 32 /* bits that a write can set */

#define NEHALEM_EP 26
#define NEHALEM 30

/* Flags of events that programs may set; they are ignored here. */
#define EVENT_FLAGS 0x7UL

/* Erratum AAJ80: the event for mispredicted branches does not count. */
#define MISPREDICTED_BRANCHES 0xc5
#define ARCH_NO_MISPREDICTED_BRANCHES (1U << 6)

#define ALL_LEVELS (PFM_PLM0 | PFM_PLM3)

/* Parts of an off-core mask: the request, and the source of the response. */
#define OFFCORE_REQUESTS 0x00ff
#define OFFCORE_RESPONSES 0xff00

#define MAX_ON_0_1 2

_Static_assert(sizeof(pfmlib_nhm_counter_t) == sizeof(struct arch_modifiers),
	       "what pfmlib_arch_start() copies");

/* A call, and the properties of its events. */
struct nhm_call {
	struct arch_call call;
	struct extra_regs extra;
	const pfmlib_nhm_input_param_t *nhm_in; /* may be NULL */
	unsigned int bits[ARCH_MAX_EVENTS];
	unsigned int seen; /* bits that at most one event may have */
	unsigned int num_on_0_1;
};

static int setup(struct pfmlib_pmu *pmu)
{
	unsigned int model = pmu->cpu.model;

	if (pmu->model->type == PFMLIB_INTEL_NHM_PMU && model != NEHALEM_EP &&
	    model != NEHALEM && model != NHM_NEHALEM_EX)
		return PFMLIB_ERR_NOTSUPP;
	pfmlib_arch_describe(pmu, NUM_GENERIC, NUM_FIXED, WIDTH);
	pfmlib_mask_add_range(&pmu->impl_pmcs, EXTRA_PMC_PEBS_ENABLE, 1);
	pfmlib_mask_add_range(&pmu->impl_pmcs, EXTRA_PMC_LATENCY, 1);
	pfmlib_mask_add_range(&pmu->impl_pmcs, EXTRA_PMC_OFFCORE_0, 1);
	pfmlib_mask_add_range(&pmu->impl_pmcs, EXTRA_PMC_LBR_SELECT, 1);
	if (pmu->model->type == PFMLIB_INTEL_WSM_PMU)
		pfmlib_mask_add_range(&pmu->impl_pmcs, EXTRA_PMC_OFFCORE_1, 1);
	pfmlib_extra_add_lbr(&pmu->impl_pmds);
	if (!pfmlib_nhm_is_ex(pmu))
		pfmlib_nhm_add_uncore(pmu);
	pfmlib_arch_count_counters(pmu);
	return pfmlib_nhm_find_events(pmu);
}

static bool is_uncore(const struct pfmlib_pmu *pmu, unsigned int event)
{
	return pmu->events[event].flags & PFMLIB_EV_UNCORE;
}

/* The code of event i for a selector; masks of off-core events are not part of it. */
static uint64_t selected_code(const struct nhm_call *nhm, unsigned int i)
{
	const struct arch_call *call = &nhm->call;

	if (nhm->bits[i] & (ARCH_OFFCORE_0 | ARCH_OFFCORE_1))
		return call->pmu->events[call->in->pfp_events[i].event].code;
	return pfmlib_arch_code(call, i);
}

/* Most events allow one mask; more only with a counter mask, and if no bit is shared. */
static bool masks_combine(const struct nhm_call *nhm, unsigned int i)
{
	const struct arch_call *call = &nhm->call;
	const pfmlib_event_t *event = &call->in->pfp_events[i];
	const struct pfmlib_event_desc *desc = &call->pmu->events[event->event];
	unsigned int mask, code, seen = 0;

	if (event->num_masks < 2 || nhm->bits[i] & ARCH_ANY_MASKS ||
	    is_uncore(call->pmu, event->event))
		return true;
	if (!call->modifiers[i].cnt_mask)
		return false;
	for (mask = 0; mask < event->num_masks; mask++) {
		code = desc->masks[event->unit_masks[mask]].code;
		if (seen & code)
			return false;
		seen |= code;
	}
	return true;
}

/* At most one event of each of these kinds, and two that need counter 0 or 1. */
static bool is_one_too_many(struct nhm_call *nhm, unsigned int i)
{
	unsigned int bits = nhm->bits[i];
	unsigned int single =
		bits & (ARCH_UNCORE_FIXED | ARCH_ONLY_0 | ARCH_IS_REFERENCE);

	if (nhm->seen & single)
		return true;
	nhm->seen |= single;
	return bits & ARCH_ONLY_0_1 && ++nhm->num_on_0_1 > MAX_ON_0_1;
}

static bool has_wrong_options(const struct nhm_call *nhm, unsigned int i)
{
	const struct arch_modifiers *modifiers = &nhm->call.modifiers[i];

	if (nhm->bits[i] & ARCH_UNCORE_FIXED)
		return pfmlib_arch_has_options(&nhm->call, i);
	return nhm->bits[i] & ARCH_IS_REFERENCE &&
	       (modifiers->flags & (ARCH_INV | ARCH_EDGE) ||
		modifiers->cnt_mask);
}

static int check_offcore(struct nhm_call *nhm, unsigned int i)
{
	const struct arch_call *call = &nhm->call;
	unsigned int masks =
		pfmlib_mask_codes(call->pmu, &call->in->pfp_events[i]);
	int ret;

	if (!(nhm->bits[i] & (ARCH_OFFCORE_0 | ARCH_OFFCORE_1)))
		return PFMLIB_SUCCESS;
	ret = pfmlib_extra_want(&nhm->extra, call->in,
				nhm->bits[i] & ARCH_OFFCORE_0 ?
					EXTRA_OFFCORE_0 :
					EXTRA_OFFCORE_1,
				masks);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	if (!(masks & OFFCORE_REQUESTS) || !(masks & OFFCORE_RESPONSES))
		return PFMLIB_ERR_INVAL;
	return PFMLIB_SUCCESS;
}

/* The uncore has no levels, so the caller must ask for all of them. */
static bool asks_for_levels(const struct arch_call *call, unsigned int i)
{
	return call->in->pfp_dfl_plm != ALL_LEVELS &&
	       call->in->pfp_events[i].plm != ALL_LEVELS;
}

static int check_event(struct nhm_call *nhm, unsigned int i)
{
	const struct pfmlib_pmu *pmu = nhm->call.pmu;
	const pfmlib_event_t *event = &nhm->call.in->pfp_events[i];
	int ret;

	nhm->bits[i] = pfmlib_nhm_bits(pmu, event);
	if (!is_uncore(pmu, event->event))
		nhm->bits[i] |= pfmlib_arch_only(pmu, selected_code(nhm, i));
	if (event->plm & PFMLIB_PLM_MIDDLE)
		return PFMLIB_ERR_INVAL;
	if (pmu->model->type == PFMLIB_INTEL_NHM_PMU &&
	    pmu->cpu.arch_unavail & ARCH_NO_MISPREDICTED_BRANCHES &&
	    (pmu->events[event->event].code & 0xff) == MISPREDICTED_BRANCHES)
		return PFMLIB_ERR_NOTSUPP;
	if (pfmlib_nhm_wants_latency(pmu, event))
		return PFMLIB_ERR_NOTSUPP;
	if (event->flags & ~EVENT_FLAGS)
		return PFMLIB_ERR_INVAL;
	if (!masks_combine(nhm, i) || is_one_too_many(nhm, i) ||
	    has_wrong_options(nhm, i))
		return PFMLIB_ERR_NOASSIGN;
	ret = check_offcore(nhm, i);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	if (is_uncore(pmu, event->event) && asks_for_levels(&nhm->call, i))
		return PFMLIB_ERR_NOASSIGN;
	return PFMLIB_SUCCESS;
}

static bool wants_pebs(const struct nhm_call *nhm, unsigned int i)
{
	return nhm->nhm_in && nhm->nhm_in->pfp_nhm_pebs.pebs_used &&
	       nhm->bits[i] & ARCH_PEBS;
}

/* generic: the generic counters that can count the event. */
static uint64_t counters_for(const struct pfmlib_pmu *pmu, unsigned int event,
			     unsigned int bits, uint64_t generic)
{
	if (bits & ARCH_UNCORE_FIXED)
		return ARCH_COUNTER(NHM_UNCORE_FIXED);
	if (is_uncore(pmu, event))
		return NHM_ALL_UNCORE;
	return generic | pfmlib_arch_fixed_for(bits);
}

static int assign(struct nhm_call *nhm)
{
	struct arch_call *call = &nhm->call;
	unsigned int i;
	int ret;

	for (i = 0; i < call->in->pfp_event_count; i++) {
		uint64_t counters;

		ret = check_event(nhm, i);
		if (ret != PFMLIB_SUCCESS)
			return ret;
		counters = counters_for(
			call->pmu, call->in->pfp_events[i].event, nhm->bits[i],
			pfmlib_arch_generic_for(call->pmu,
						selected_code(nhm, i)));
		if (wants_pebs(nhm, i) || pfmlib_arch_needs_selector(call, i))
			counters &= ~ARCH_ALL_FIXED;
		pfmlib_arch_allow(call, i, counters);
	}
	return pfmlib_arch_assign(call);
}

static int select_core_event(struct nhm_call *nhm, unsigned int i)
{
	struct arch_call *call = &nhm->call;

	if (call->modifiers[i].flags & ARCH_OCC_RST)
		return PFMLIB_ERR_INVAL;
	return pfmlib_arch_select(call, i, selected_code(nhm, i));
}

static int select_events(struct nhm_call *nhm)
{
	struct arch_call *call = &nhm->call;
	unsigned int i;
	int ret = PFMLIB_SUCCESS;

	for (i = 0; i < call->in->pfp_event_count; i++) {
		if (pfmlib_arch_is_generic(call, i))
			ret = select_core_event(nhm, i);
		else if (!pfmlib_arch_is_fixed(call, i))
			ret = pfmlib_nhm_select_uncore(call, i);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

static int add_pebs(struct nhm_call *nhm)
{
	unsigned int i;
	int ret;

	for (i = 0; i < nhm->call.in->pfp_event_count; i++) {
		if (!wants_pebs(nhm, i))
			continue;
		ret = pfmlib_extra_want_pebs(&nhm->extra, &nhm->call, i, false);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

static void emit(const struct nhm_call *nhm, pfmlib_output_param_t *out)
{
	const struct arch_call *call = &nhm->call;
	unsigned int i;

	pfmlib_arch_emit_fixed(call, out);
	pfmlib_arch_emit_generic(call, out);
	pfmlib_nhm_emit_uncore(call, out);
	pfmlib_extra_emit(&nhm->extra, out);
	for (i = 0; i < call->in->pfp_event_count; i++) {
		if (call->counter[i] >= NHM_UNCORE_FIXED)
			pfmlib_nhm_emit_uncore_pmd(call, i, out);
		else
			pfmlib_arch_emit_pmd(call, i, out);
	}
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	struct nhm_call nhm = { .nhm_in = model_in };
	int ret;

	(void)model_out;
	pfmlib_arch_start(&nhm.call, pmu, in,
			  nhm.nhm_in ? nhm.nhm_in->pfp_nhm_counters : NULL);
	nhm.call.has_any_thread = true;
	ret = assign(&nhm);
	if (ret == PFMLIB_SUCCESS)
		ret = select_events(&nhm);
	if (ret == PFMLIB_SUCCESS)
		ret = add_pebs(&nhm);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	emit(&nhm, out);
	if (nhm.nhm_in && nhm.nhm_in->pfp_nhm_lbr.lbr_used)
		return pfmlib_extra_emit_lbr(&nhm.nhm_in->pfp_nhm_lbr,
					     &nhm.call, out);
	return PFMLIB_SUCCESS;
}

/* Programs expect fixed counter 2 as the only counter of its event. */
static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	unsigned int bits = pfmlib_arch_event_bits(pmu, event);
	uint64_t all = counters_for(pmu, event, bits,
				    pfmlib_arch_generic_of_event(pmu, event));

	if (bits & ARCH_IS_REFERENCE)
		all = ARCH_FIXED_REFERENCE;
	pfmlib_arch_add_counters(pmu, counters, all);
}

static bool is_precise(const struct pfmlib_pmu *pmu,
		       const pfmlib_event_t *event)
{
	return pfmlib_nhm_bits(pmu, event) & ARCH_PEBS;
}

const struct pfmlib_dispatch pfmlib_dispatch_nhm = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
	.is_precise = is_precise,
};
