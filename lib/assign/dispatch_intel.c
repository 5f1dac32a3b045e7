// SPDX-License-Identifier: MIT
/*
 * The Intel processors since Sandy Bridge: assigned as those of Nehalem are, but
 * without an uncore, and with selectors that libpfm4 composes.  intel_types.c
 * knows how the types differ.
 */
#include "intel_extra.h"
#include "intel_types.h"

/* What clients' arrays have room for. */
#define MAX_GENERIC 8

/* Flags of events that programs may set; they mean nothing here. */
#define EVENT_FLAGS 0x7UL

/* Event selects that use a register beside the selector; below: their mask. */
#define SELECT_FIXED 0x00
#define SELECT_OFFCORE_0 0x2a /* Sapphire Rapids */
#define SELECT_OFFCORE_1 0x2b
#define SELECT_OFFCORE 0xb7 /* the others */
#define SELECT_OFFCORE_1_OLD 0xbb
#define SELECT_LATENCY 0xcd
#define SELECT_FRONTEND 0xc6

#define UMASK(code) ((unsigned int)((code) >> PFMLIB_SEL_UMASK_SHIFT & 0xff))
#define OFFCORE_1_UMASK 0x2
#define LATENCY_UMASK 0x1

_Static_assert(sizeof(pfmlib_nhm_counter_t) == sizeof(struct intel_modifiers),
	       "what pfmlib_intel_start() copies");

/* A call, and what was found out about its events. */
struct type_call {
	struct intel_call call;
	struct intel_extra extra;
	const struct intel_type *type;
	const pfmlib_nhm_input_param_t *nhm_in; /* may be NULL */
	unsigned int bits[INTEL_MAX_EVENTS];
	uint64_t code[INTEL_MAX_EVENTS];
};

static unsigned int at_most(unsigned int number, unsigned int limit)
{
	return number < limit ? number : limit;
}

static int setup(struct pfmlib_pmu *pmu)
{
	const struct intel_type *type = pfmlib_intel_type(pmu);
	unsigned int num_generic = pmu->cpu.num_generic;
	unsigned int num_fixed = pmu->cpu.num_fixed;

	if (!type)
		return PFMLIB_ERR_NOTSUPP;
	if (!num_generic)
		num_generic = type->num_generic;
	if (!num_fixed)
		num_fixed = type->num_fixed;
	pfmlib_intel_describe(pmu, at_most(num_generic, MAX_GENERIC),
			      at_most(num_fixed, type->num_fixed), type->width);
	pfmlib_mask_add_range(&pmu->impl_pmcs, INTEL_PMC_PEBS_ENABLE, 1);
	pfmlib_mask_add_range(&pmu->impl_pmcs, INTEL_PMC_OFFCORE_0, 1);
	pfmlib_mask_add_range(&pmu->impl_pmcs, INTEL_PMC_OFFCORE_1, 1);
	if (type->has_latency)
		pfmlib_mask_add_range(&pmu->impl_pmcs, INTEL_PMC_LATENCY, 1);
	if (type->has_frontend)
		pfmlib_mask_add_range(&pmu->impl_pmcs, INTEL_PMC_FRONTEND, 1);
	if (type->has_lbr) {
		pfmlib_mask_add_range(&pmu->impl_pmcs, INTEL_PMC_LBR_SELECT, 1);
		pfmlib_intel_add_lbr(&pmu->impl_pmds);
	}
	return PFMLIB_SUCCESS;
}

/* Event select 0 is no event: its unit masks stand for the fixed counters. */
static uint64_t fixed_for_code(uint64_t code)
{
	unsigned int number = UMASK(code);

	if (number < 1 || number > INTEL_MAX_FIXED)
		return 0;
	return INTEL_COUNTER(INTEL_FIXED + number - 1);
}

static uint64_t counters_for(unsigned int bits, uint64_t code)
{
	if ((code & 0xff) == SELECT_FIXED)
		return fixed_for_code(code);
	if (bits & INTEL_FIXED_ALONE)
		return pfmlib_intel_fixed_for(bits);
	return pfmlib_intel_generic_for(bits) | pfmlib_intel_fixed_for(bits);
}

/* False if the event needs no other register than its selector. */
static bool find_extra(const struct type_call *types, uint64_t code,
		       enum intel_extra_register *which)
{
	bool has_select_b7 = types->type->type != PFMLIB_INTEL_SPR_PMU;

	switch (code & 0xff) {
	case SELECT_OFFCORE_0:
		*which = INTEL_OFFCORE_RSP0;
		return !has_select_b7;
	case SELECT_OFFCORE_1:
		*which = INTEL_OFFCORE_RSP1;
		return !has_select_b7;
	case SELECT_OFFCORE:
		*which = UMASK(code) == OFFCORE_1_UMASK ? INTEL_OFFCORE_RSP1 :
							  INTEL_OFFCORE_RSP0;
		return has_select_b7;
	case SELECT_OFFCORE_1_OLD:
		*which = INTEL_OFFCORE_RSP1;
		return has_select_b7;
	case SELECT_FRONTEND:
		*which = INTEL_FRONTEND;
		return types->type->has_frontend;
	case SELECT_LATENCY:
		*which = INTEL_LATENCY_THRESHOLD;
		return UMASK(code) == LATENCY_UMASK && types->type->has_latency;
	default:
		return false;
	}
}

/* The threshold of the model's input is preferred to libpfm4's. */
static int want_extra(struct type_call *types, unsigned int i,
		      const uint64_t values[2], unsigned int num_values)
{
	enum intel_extra_register which;
	unsigned int threshold = 0;

	if (!find_extra(types, values[0], &which))
		return PFMLIB_SUCCESS;
	if (which == INTEL_LATENCY_THRESHOLD) {
		types->bits[i] |= INTEL_LATENCY;
		if (types->nhm_in)
			threshold = types->nhm_in->pfp_nhm_pebs.ld_lat_thres;
		if (!threshold)
			threshold = num_values > 1 ? (unsigned int)values[1] :
						     INTEL_THRESHOLD_MIN;
		return pfmlib_intel_want_latency(&types->extra, types->call.in,
						 threshold);
	}
	if (num_values < 2)
		return PFMLIB_SUCCESS;
	return pfmlib_intel_want_extra(&types->extra, types->call.in, which,
				       values[1]);
}

static int check_event(struct type_call *types, unsigned int i)
{
	const struct intel_call *call = &types->call;
	const pfmlib_event_t *event = &call->in->pfp_events[i];
	unsigned int flags = call->modifiers[i].flags, num_values;
	uint64_t values[2];
	int ret;

	if (event->plm & PFMLIB_PLM_MIDDLE || event->flags & ~EVENT_FLAGS)
		return PFMLIB_ERR_INVAL;
	if (flags & INTEL_OCC_RST ||
	    (flags & INTEL_ANYTHR && types->type->no_any_thread))
		return PFMLIB_ERR_INVAL;
	ret = pfmlib_intel_encode(call->pmu, event, pfmlib_plm(call->in, i),
				  values, &num_values);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	types->bits[i] = pfmlib_intel_type_bits(call->pmu, event);
	types->code[i] = values[0];
	return want_extra(types, i, values, num_values);
}

static bool wants_pebs(const struct type_call *types, unsigned int i)
{
	return types->nhm_in && types->nhm_in->pfp_nhm_pebs.pebs_used &&
	       types->bits[i] & INTEL_PEBS;
}

static int assign(struct type_call *types)
{
	struct intel_call *call = &types->call;
	uint64_t counters;
	unsigned int i;
	int ret;

	for (i = 0; i < call->in->pfp_event_count; i++) {
		ret = check_event(types, i);
		if (ret != PFMLIB_SUCCESS)
			return ret;
		counters = counters_for(types->bits[i], types->code[i]);
		if (wants_pebs(types, i) ||
		    pfmlib_intel_needs_selector(call, i))
			counters &= ~INTEL_ALL_FIXED;
		pfmlib_intel_allow(call, i, counters);
	}
	return pfmlib_intel_assign(call);
}

static int select_events(struct type_call *types)
{
	struct intel_call *call = &types->call;
	unsigned int i;
	int ret;

	for (i = 0; i < call->in->pfp_event_count; i++) {
		if (!pfmlib_intel_is_generic(call, i))
			continue;
		ret = pfmlib_intel_select(call, i, types->code[i]);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

static int add_pebs(struct type_call *types)
{
	unsigned int i, threshold;
	int ret;

	for (i = 0; i < types->call.in->pfp_event_count; i++) {
		if (!wants_pebs(types, i))
			continue;
		threshold = 0;
		if (types->bits[i] & INTEL_LATENCY)
			threshold = types->extra.value[INTEL_LATENCY_THRESHOLD];
		ret = pfmlib_intel_want_pebs(&types->extra, &types->call, i,
					     threshold);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

static int add_lbr(const struct type_call *types, pfmlib_output_param_t *out)
{
	if (!types->nhm_in || !types->nhm_in->pfp_nhm_lbr.lbr_used)
		return PFMLIB_SUCCESS;
	if (!types->type->has_lbr)
		return PFMLIB_ERR_NOASSIGN;
	return pfmlib_intel_emit_lbr(&types->nhm_in->pfp_nhm_lbr, &types->call,
				     out);
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	struct type_call types = {
		.type = pfmlib_intel_type(pmu),
		.nhm_in = model_in,
	};
	int ret;

	(void)model_out;
	pfmlib_intel_start(&types.call, pmu, in,
			   types.nhm_in ? types.nhm_in->pfp_nhm_counters :
					  NULL);
	types.call.has_any_thread = !types.type->no_any_thread;
	ret = assign(&types);
	if (ret == PFMLIB_SUCCESS)
		ret = select_events(&types);
	if (ret == PFMLIB_SUCCESS)
		ret = add_pebs(&types);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	pfmlib_intel_emit_fixed(&types.call, out);
	pfmlib_intel_emit_generic(&types.call, out);
	pfmlib_intel_emit_extra(&types.extra, out);
	pfmlib_intel_emit_pmds(&types.call, out);
	return add_lbr(&types, out);
}

static void add_event_counters(const struct pfmlib_pmu *pmu,
			       const pfmlib_event_t *event,
			       pfmlib_regmask_t *counters)
{
	unsigned int num_values;
	uint64_t values[2];

	if (pfmlib_intel_encode(pmu, event, PFM_PLM3, values, &num_values) !=
	    PFMLIB_SUCCESS)
		return;
	pfmlib_intel_add_counters(
		pmu, counters,
		counters_for(pfmlib_intel_type_bits(pmu, event), values[0]));
}

/* Masks of one event can have different counters. */
static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	pfmlib_event_t one = { .event = event };
	unsigned int mask;

	add_event_counters(pmu, &one, counters);
	one.num_masks = 1;
	for (mask = 0; mask < pmu->events[event].num_masks; mask++) {
		one.unit_masks[0] = mask;
		add_event_counters(pmu, &one, counters);
	}
}

const struct pfmlib_dispatch pfmlib_dispatch_intel = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
};
