// SPDX-License-Identifier: MIT
/* Assigns events to generic and fixed counters, see arch_counters.h. */
#include <string.h>
#include <strings.h>

#include "arch_counters.h"
#include "constraints.h"
#include "events/pfmlib_events.h"

/* The unit mask of a code. */
#define SELECT 0xff
#define UMASK 0xff

/* The order in which events get their counters. */
enum turn {
	ONE_CHOICE,
	FEW_CHOICES,
	FIXED_COUNTER,
	REST,
};

unsigned int pfmlib_arch_mask_bits(const struct pfmlib_pmu *pmu,
				   const struct arch_mask_bits *rows,
				   unsigned int num_rows, unsigned int event,
				   unsigned int mask)
{
	const struct pfmlib_event_desc *desc = &pmu->events[event];
	unsigned int bits = 0;
	unsigned int row;

	for (row = 0; row < num_rows; row++)
		if (!strcasecmp(rows[row].event, desc->name) &&
		    !strcasecmp(rows[row].mask, desc->masks[mask].name))
			bits |= rows[row].bits;
	return bits;
}

unsigned int pfmlib_arch_bits(const struct pfmlib_pmu *pmu,
			      unsigned int event_bits,
			      const struct arch_mask_bits *rows,
			      unsigned int num_rows,
			      const pfmlib_event_t *event)
{
	unsigned int bits = event->num_masks ? ~0U : 0;
	unsigned int i;

	for (i = 0; i < event->num_masks; i++)
		bits &= pfmlib_arch_mask_bits(pmu, rows, num_rows, event->event,
					      event->unit_masks[i]);
	return bits | event_bits;
}

unsigned int pfmlib_arch_event_bits(const struct pfmlib_pmu *pmu,
				    unsigned int event)
{
	return ((const unsigned int *)pmu->data)[event];
}

void pfmlib_arch_count_counters(struct pfmlib_pmu *pmu)
{
	pfm_regmask_weight(&pmu->impl_counters, &pmu->num_counters);
}

void pfmlib_arch_describe(struct pfmlib_pmu *pmu, unsigned int num_generic,
			  unsigned int num_fixed, unsigned int width)
{
	pfmlib_mask_add_range(&pmu->impl_pmcs, 0, num_generic);
	pfmlib_mask_add_range(&pmu->impl_counters, 0, num_generic);
	if (num_fixed)
		pfmlib_mask_add_range(&pmu->impl_pmcs, ARCH_FIXED, 1);
	pfmlib_mask_add_range(&pmu->impl_counters, ARCH_FIXED, num_fixed);
	pmu->impl_pmds = pmu->impl_counters;
	pmu->width = width;
	pfmlib_arch_count_counters(pmu);
}

static bool is_implemented(const pfmlib_regmask_t *mask, unsigned int reg)
{
	return mask->bits[reg / __PFMLIB_REG_BV_BITS] >>
		       (reg % __PFMLIB_REG_BV_BITS) &
	       1;
}

void pfmlib_arch_start(struct arch_call *call, const struct pfmlib_pmu *pmu,
		       const pfmlib_input_param_t *in, const void *modifiers)
{
	unsigned int counter;

	memset(call, 0, sizeof(*call));
	call->pmu = pmu;
	call->in = in;
	if (modifiers)
		memcpy(call->modifiers, modifiers,
		       in->pfp_event_count * sizeof(call->modifiers[0]));
	for (counter = 0; counter < PFMLIB_MATCH_COUNTERS; counter++) {
		bool is_fixed = ARCH_ALL_FIXED >> counter & 1;

		if (!is_implemented(&pmu->impl_counters, counter))
			continue;
		if (counter < ARCH_FIXED)
			call->generic |= ARCH_COUNTER(counter);
		if (pfmlib_pmc_usable(in, is_fixed ? ARCH_FIXED : counter))
			call->usable |= ARCH_COUNTER(counter);
	}
}

bool pfmlib_arch_has_options(const struct arch_call *call, unsigned int i)
{
	return call->modifiers[i].flags || call->modifiers[i].cnt_mask;
}

bool pfmlib_arch_needs_selector(const struct arch_call *call, unsigned int i)
{
	return call->modifiers[i].cnt_mask ||
	       (call->modifiers[i].flags &&
		call->modifiers[i].flags != ARCH_ANYTHR);
}

uint64_t pfmlib_arch_generic_for(const struct pfmlib_pmu *pmu, uint64_t code)
{
	return ARCH_ALL_GENERIC &
	       pfmlib_constraint_counters(pmu, code & SELECT,
					  code >> PFMLIB_SEL_UMASK_SHIFT &
						  UMASK);
}

uint64_t pfmlib_arch_generic_of_event(const struct pfmlib_pmu *pmu,
				      unsigned int event)
{
	const struct pfmlib_event_desc *desc = &pmu->events[event];
	uint64_t counters = 0, code;
	unsigned int mask, none;

	if (pfmlib_default_mask(desc, &none))
		counters = pfmlib_arch_generic_for(pmu, desc->code);
	for (mask = 0; mask < desc->num_masks; mask++) {
		code = (uint64_t)desc->masks[mask].code
		       << PFMLIB_SEL_UMASK_SHIFT;
		counters |= pfmlib_arch_generic_for(pmu, desc->code | code);
	}
	return counters;
}

unsigned int pfmlib_arch_only(const struct pfmlib_pmu *pmu, uint64_t code)
{
	switch (pfmlib_arch_generic_for(pmu, code)) {
	case ARCH_COUNTER(0):
		return ARCH_ONLY_0;
	case ARCH_COUNTER(1):
		return ARCH_ONLY_1;
	case ARCH_COUNTERS(0, 2):
		return ARCH_ONLY_0_1;
	default:
		return 0;
	}
}

uint64_t pfmlib_arch_fixed_for(unsigned int bits)
{
	return (bits & ARCH_IS_INSTRUCTIONS ? ARCH_FIXED_INSTRUCTIONS : 0) |
	       (bits & ARCH_IS_CYCLES ? ARCH_FIXED_CYCLES : 0) |
	       (bits & ARCH_IS_REFERENCE ? ARCH_FIXED_REFERENCE : 0);
}

void pfmlib_arch_allow(struct arch_call *call, unsigned int i,
		       uint64_t counters)
{
	uint64_t generic = counters & call->generic;

	call->allowed[i] = counters & call->usable;
	call->constrained[i] = generic && generic != call->generic;
}

static enum turn turn_of(const struct arch_call *call, unsigned int i)
{
	uint64_t allowed = call->allowed[i];

	if (!(allowed & (allowed - 1)))
		return ONE_CHOICE;
	if (call->constrained[i])
		return FEW_CHOICES;
	return allowed & ARCH_ALL_FIXED ? FIXED_COUNTER : REST;
}

/* Assigns in libpfm 3.10's order, which programs expect. */
static bool assign_in_turns(struct arch_call *call)
{
	unsigned int num_events = call->in->pfp_event_count;
	uint64_t used = 0, served = 0, choice;
	enum turn turn;
	unsigned int i;

	for (turn = ONE_CHOICE; turn <= REST; turn++) {
		for (i = 0; i < num_events; i++) {
			if (served >> i & 1 || turn_of(call, i) > turn)
				continue;
			choice = call->allowed[i] & ~used;
			if (turn == FIXED_COUNTER)
				choice &= ARCH_ALL_FIXED;
			if (!choice) {
				if (turn == FIXED_COUNTER)
					continue;
				return false;
			}
			call->counter[i] = __builtin_ctzll(choice);
			used |= ARCH_COUNTER(call->counter[i]);
			served |= 1ULL << i;
		}
	}
	return true;
}

int pfmlib_arch_assign(struct arch_call *call)
{
	if (assign_in_turns(call) ||
	    pfmlib_match_counters(call->allowed, call->in->pfp_event_count,
				  call->counter))
		return PFMLIB_SUCCESS;
	return PFMLIB_ERR_NOASSIGN;
}

bool pfmlib_arch_is_generic(const struct arch_call *call, unsigned int i)
{
	return call->counter[i] < ARCH_FIXED;
}

bool pfmlib_arch_is_fixed(const struct arch_call *call, unsigned int i)
{
	return ARCH_ALL_FIXED >> call->counter[i] & 1;
}

void pfmlib_arch_add_counters(const struct pfmlib_pmu *pmu,
			      pfmlib_regmask_t *mask, uint64_t counters)
{
	unsigned int counter;

	for (counter = 0; counter < PFMLIB_MATCH_COUNTERS; counter++)
		if (counters >> counter & 1 &&
		    is_implemented(&pmu->impl_counters, counter))
			pfmlib_mask_add_range(mask, counter, 1);
}
