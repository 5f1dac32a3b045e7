// SPDX-License-Identifier: GPL-2.0-only
/* The reference: counters for events, by all assignments or step by step. */
#include "dispatch_reference_parts.h"

/* Options that a fixed counter does not know. */
static bool has_selector_options(const struct reference_use *use)
{
	return use->cnt_mask || (use->flags != 0 && use->flags != 4);
}

bool reference_is_legal(const struct reference_call *call, unsigned int i,
			unsigned int counter)
{
	const struct reference_use *use = &call->uses[i];

	if (is_uncore_clock(call, i))
		return counter == 20 && !call->unavailable[20];
	if (use->is_uncore)
		return counter >= 21 && counter <= 28 &&
		       !call->unavailable[counter];
	if (counter >= 16)
		return counter < 16 + call->num_fixed &&
		       !call->unavailable[16] && counter == fixed_of(call, i) &&
		       !has_selector_options(use) && !is_precise(call, i);
	if (counter >= call->num_generic || call->unavailable[counter])
		return false;
	if (needs_0(call, i))
		return counter == 0;
	if (needs_1(call, i))
		return counter == 1;
	if (needs_2(call, i))
		return counter == 2;
	return !needs_0_or_1(call, i) || counter < 2;
}

/* Core and Atom sample with counter 0 only. */
static bool serves_precise(const struct reference_call *call,
			   const unsigned int *counter)
{
	bool wanted = false, served = false;
	unsigned int i;

	if (!is_core(call) && !is_atom(call))
		return true;
	for (i = 0; i < call->num_uses; i++) {
		wanted |= is_precise(call, i);
		served |= is_precise(call, i) && counter[i] == 0;
	}
	return served == wanted;
}

static bool try_all(const struct reference_call *call, unsigned int i,
		    unsigned int *counter)
{
	unsigned int candidate, other;

	if (i == call->num_uses)
		return serves_precise(call, counter);
	for (candidate = 0; candidate < 29; candidate++) {
		if (!reference_is_legal(call, i, candidate))
			continue;
		for (other = 0; other < i; other++)
			if (counter[other] == candidate)
				break;
		if (other < i)
			continue;
		counter[i] = candidate;
		if (try_all(call, i + 1, counter))
			return true;
	}
	return false;
}

bool reference_can_assign(const struct reference_call *call)
{
	unsigned int counter[REFERENCE_EVENTS];

	return try_all(call, 0, counter);
}

/* Gives event i the first free and legal counter from first to last. */
static bool take(const struct reference_call *call, unsigned int i,
		 unsigned int first, unsigned int last, unsigned int *counter)
{
	unsigned int candidate, other;

	for (candidate = first; candidate <= last; candidate++) {
		if (!reference_is_legal(call, i, candidate))
			continue;
		for (other = 0; other < call->num_uses; other++)
			if (counter[other] == candidate)
				break;
		if (other == call->num_uses) {
			counter[i] = candidate;
			return true;
		}
	}
	return false;
}

/* The event that precise sampling puts on counter 0, or NONE. */
static unsigned int find_sampled(const struct reference_call *call)
{
	unsigned int i, first = NONE, only = NONE;

	for (i = call->num_uses; i-- > 0;) {
		if (needs_0(call, i))
			only = i;
		if (is_precise(call, i))
			first = i;
	}
	if (first == NONE || (!is_core(call) && !is_atom(call)))
		return NONE;
	return only == NONE ? first : only;
}

bool reference_hand_out(const struct reference_call *call,
			unsigned int *counter)
{
	unsigned int sampled = find_sampled(call);
	unsigned int i;

	for (i = 0; i < REFERENCE_EVENTS; i++)
		counter[i] = NONE;
	if (sampled != NONE &&
	    (!is_precise(call, sampled) || !take(call, sampled, 0, 0, counter)))
		return false;
	for (i = 0; i < call->num_uses; i++)
		if (counter[i] == NONE &&
		    ((needs_0(call, i) && !take(call, i, 0, 0, counter)) ||
		     (needs_1(call, i) && !take(call, i, 1, 1, counter)) ||
		     (needs_2(call, i) && !take(call, i, 2, 2, counter))))
			return false;
	for (i = 0; i < call->num_uses; i++)
		if (needs_0_or_1(call, i) && !take(call, i, 0, 1, counter))
			return false;
	for (i = 0; i < call->num_uses; i++)
		if (counter[i] == NONE)
			take(call, i, 16, 19, counter);
	for (i = 0; i < call->num_uses; i++)
		if (counter[i] == NONE && !take(call, i, 20, 28, counter) &&
		    !take(call, i, 0, 15, counter))
			return false;
	return true;
}
