// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rates, see rate.h.
 *
 * How often an event happens is not known beforehand, so a period may begin short. It
 * doubles while the samples are more than those of one second, and more than the rate
 * for the time so far, where earlier samples count as if they were of the period of now:
 * programs thin them out by that, as each sample says how often its period had doubled.
 * So a short program has about as many samples as a second of a longer one. A
 * period doubles at once in a burst that is BURST times as fast as the rate, or faster
 * than both the rate and BURST_MAX, long before the session is throttled.
 *
 * The time is that of the session between its overflows, together with that of other
 * members of a family. What a thread runs after its last one is not in it.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "../family/family.h"
#include "../session.h"
#include "../set.h"
#include "../target.h"
#include "rate.h"

#define LOOK_SAMPLES	64
#define BURST		16
#define BURST_MAX	32768	/* a second */

/* No processor interrupts more often; a coarse clock may show less. */
#define LEAST_NS	NSEC_PER_USEC

/* Longer periods do not double. */
#define PERIOD_BITS	46

/**
 * perfmon_rate_init - begin anew, with a period that has not doubled
 * @rate: rate
 * @most: samples in a second, at most PERFMON_RATE_MAX; 0: any number
 */
void perfmon_rate_init(struct perfmon_rate *rate, u32 most)
{
	*rate = (struct perfmon_rate){ .most = most };
	raw_spin_lock_init(&rate->lock);
}

/* Return: time of the sessions that share a rate. */
static u64 rate_time(struct perfmon_session *s)
{
	struct perfmon_family *family = perfmon_family(s);
	atomic64_t *sum = family ? &family->root->rate_ns : &s->rate_ns;
	u64 now = perfmon_clock(s), before = s->rate_clock;

	s->rate_clock = now;
	/* A thread that was there before has not been measured up to now. */
	if (!before && !perfmon_is_part(s))
		return atomic64_read(sum);
	return atomic64_add_return(now - before, sum);
}

static bool rate_is_over(u64 samples, u64 ns, u32 most)
{
	return samples && div64_u64(ns, samples) < NSEC_PER_SEC / most;
}

static bool rate_may_double(const struct perfmon_pmd_attr *attr,
			    unsigned int doubled)
{
	u64 longest = max(-attr->long_reset, -attr->short_reset) |
		      attr->random_mask;

	return doubled < PERIOD_BITS && !(longest >> (PERIOD_BITS - doubled));
}

static void rate_look(struct perfmon_pmd_attr *attr, u64 samples, u64 ns)
{
	struct perfmon_rate *rate = &attr->rate;
	u64 some = samples - rate->looked_samples;
	u64 some_ns = max(ns - rate->looked_ns, some * LEAST_NS);
	u32 burst = max(rate->most, min(BURST * rate->most, BURST_MAX));
	unsigned int doubled = rate->doubled;

	rate->looked_samples = samples;
	rate->looked_ns = ns;
	rate->kept += some;
	while (rate_may_double(attr, doubled) &&
	       (rate_is_over(some, some_ns, burst) ||
		(rate->kept > rate->most &&
		 rate_is_over(rate->kept, ns, rate->most)))) {
		doubled++;
		rate->kept /= 2;
		some_ns *= 2;
	}
	WRITE_ONCE(rate->doubled, doubled);
}

/**
 * perfmon_rate_sampled - count an overflow, and double the period if there are too many
 * @s: session whose PMD has overflowed
 * @attr: attributes of the PMD, with a rate
 *
 * Context: on the target, interrupts off.
 */
void perfmon_rate_sampled(struct perfmon_session *s,
			  struct perfmon_pmd_attr *attr)
{
	u64 ns = rate_time(s);
	u64 samples = atomic64_inc_return(&attr->rate.samples);

	if (likely(samples % LOOK_SAMPLES) ||
	    !raw_spin_trylock(&attr->rate.lock))
		return;
	rate_look(attr, samples, ns);
	raw_spin_unlock(&attr->rate.lock);
}
