// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arithmetic of events per instruction, used by every design of the model.
 *
 * One instruction is one step. With the rate num/den, step i (from 0) sees
 *
 *	occ(i) = floor((i + 1) * num / den) - floor(i * num / den)
 *
 * occurrences of the event: num/den rounded down or up, spread evenly. Edge
 * detection, inversion and counter mask have the meaning that they have for
 * clock cycles on hardware, with steps in place of cycles:
 *
 *	mask 0           occ(i) is added; inversion is ignored
 *	mask n           1 is added in steps with occ(i) >= n
 *	mask n, invert   1 is added in steps with occ(i) < n
 *	edge             1 is added where that condition (mask 0: occ(i) >= 1)
 *	                 becomes true; there is no edge at step 0
 *
 * Each of these is again a rate of the form floor((i * num + phase) / den),
 * because a fraction of at most one half has no two ones in a row. So counts
 * and distances need no loop over steps, whatever is asked for.
 */

#include "design.h"

struct pmu_rate pmu_rate_filter(struct pmu_rate rate, unsigned int cmask,
				bool invert, bool edge)
{
	const uint32_t base = rate.num / rate.den;
	const uint32_t frac = rate.num % rate.den;
	const uint32_t rest = rate.den - frac;

	if (!cmask && !edge)
		return rate;
	if (!cmask) {
		cmask = 1;
		invert = false;
	}
	if (cmask <= base || cmask > base + 1 || !frac) {
		/* The condition is the same in all steps. */
		rate.num = (cmask <= base) != invert && !edge ? rate.den : 0;
		rate.phase = 0;
		return rate;
	}

	/* The condition (before inversion) holds in frac of den steps. */
	if (!edge) {
		rate.num = invert ? rest : frac;
		rate.phase = invert ? (int32_t)rate.den - 1 : 0;
	} else if (frac <= rest) {
		/* Isolated ones; inverted, the edge is one step later. */
		rate.num = frac;
		rate.phase = invert ? -(int32_t)frac : 0;
	} else {
		/* Isolated zeros, the first of them in step 0. */
		rate.num = rest;
		rate.phase = invert ? -1 : (int32_t)frac - 1;
	}
	return rate;
}

/*
 * A counter that is switched off and on with the same event goes on in the
 * middle of an event, as hardware does: repeated switching loses nothing.
 */
void pmu_set_rate(struct pmu_counter *c, struct pmu_rate rate)
{
	if (c->rate.num == rate.num && c->rate.den == rate.den &&
	    c->rate.phase == rate.phase)
		return;
	c->rate = rate;
	c->rem = rate.phase;
}

/*
 * Count the events of insns instructions (less than 2^48, which 2^16 years of
 * a test machine do not reach in one step). True if the counter overflowed,
 * which is when it wraps, or each time if it is forced.
 */
bool pmu_advance(struct pmu_counter *c, uint64_t insns)
{
	const int64_t den = c->rate.den;
	uint64_t events;
	int64_t part;

	if (den == 1) {
		events = insns * c->rate.num;
	} else {
		part = (int64_t)(insns * c->rate.num) + c->rem;
		events = part < 0 ? 0 : (uint64_t)(part / den);
		c->rem = (int32_t)(part - (int64_t)events * den);
	}
	c->value += events;
	if (c->value <= c->mask)
		return events && (c->flags & PMU_COUNT_FORCE);
	c->value &= c->mask;
	return true;
}

uint64_t pmu_insns_to_events(const struct pmu_counter *c, uint64_t events)
{
	const uint32_t num = c->rate.num;

	if (!num)
		return PMU_NEVER;
	/* At most 2^48 * 1025 * 32 here: the widest counter, with faults. */
	return (events * c->rate.den - (uint64_t)(int64_t)c->rem + num - 1) /
	       num;
}

/* Instructions until the counter overflows; PMU_NEVER if it stands still. */
uint64_t pmu_insns_to_overflow(const struct pmu_counter *c)
{
	return pmu_insns_to_events(
		c, c->flags & PMU_COUNT_FORCE ? 1 : c->mask - c->value + 1);
}
