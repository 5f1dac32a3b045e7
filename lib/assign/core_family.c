// SPDX-License-Identifier: MIT
/*
 * How Core and Atom assign events to counters, see core_family.h.
 */
#include <strings.h>

#include "core_family.h"

#define NUM_GENERIC 2
#define NUM_FIXED 3
#define WIDTH 32 /* bits that a write sets */

#define PEBS_ENABLE 17
#define PEBS_ENABLE_MSR 0x3f1
#define PEBS_COUNTER_0 0x1

/* The branch records: PMDs only. */
#define LBR_TOS 19
#define LBR_FIRST 20

#define NONE (-1)

/* What has to be remembered from one event to the next. */
struct seen {
	unsigned int bits[ARCH_MAX_EVENTS];
	unsigned int all_bits;
	int only_0;
	int first_precise;
};

int pfmlib_core_family_setup(const struct core_family *family,
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
	/* At most one of each kind. */
	unsigned int single = bits &
			      (ARCH_ONLY_0 | ARCH_ONLY_1 | ARCH_IS_REFERENCE);

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

/* Precise sampling works with counter 0 only, so one of its events goes there. */
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
		uint64_t counters = pfmlib_arch_generic_for(seen->bits[i]);

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

int pfmlib_core_family_dispatch(const struct core_family *family,
				const struct pfmlib_pmu *pmu,
				const pfmlib_input_param_t *in,
				const void *counters, bool pebs_used,
				pfmlib_output_param_t *out)
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

/* Programs know that events for fixed counter 2 are said to have no other. */
void pfmlib_core_family_event_counters(const struct core_family *family,
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
		all |= pfmlib_arch_generic_for(bits);
	pfmlib_arch_add_counters(pmu, counters, all);
}

bool pfmlib_core_family_is_precise(const struct core_family *family,
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
