// SPDX-License-Identifier: GPL-2.0-only
/* Periods of units that make precise samples, see precise_period.h. */
#include "record/precise_period.h"

#include <inttypes.h>

#include "diag.h"
#include "record/period_numbers.h"
#include "registers/sampler_kinds.h"

/* How many fetches there are in a second is not known. */
#define FETCHES_DEFAULT 100000

/* A number that was given as it is, or a message. */
static int check(uint64_t every, const struct event *event, uint64_t longest)
{
	uint64_t least = sampler_kind(event->sampler)->least;
	uint64_t below = every / SAMPLER_STEP * SAMPLER_STEP;

	if (!every)
		return diag(
			"-c: event %s: precise samples need a period; to count it, leave the p out",
			event->name);
	if (every < least || every > longest)
		return diag("-c: event %s: its period is from %" PRIu64
			    " to %" PRIu64 " here",
			    event->name, least, longest);
	if (every != below)
		return diag("-c: event %s: IBS counts in steps of %d: %" PRIu64
			    " or %" PRIu64,
			    event->name, SAMPLER_STEP, below,
			    below + SAMPLER_STEP);
	return 0;
}

/* No multiple of anything in the program, as far as the steps allow that. */
static uint64_t by_rate(double events, const struct event *event,
			uint64_t longest)
{
	uint64_t least = sampler_kind(event->sampler)->least;
	uint64_t every = SAMPLER_STEP *
			 period_numbers_prime((uint64_t)events / SAMPLER_STEP);

	return every < least ? least : every > longest ? longest : every;
}

static int choose_rate(struct period *period, const struct sample_wish *wish,
		       const struct event *event, uint64_t longest,
		       double cpu_hz)
{
	unsigned int hertz = wish->hertz ? wish->hertz : PRECISE_HERTZ;
	bool known = event->sampler == SAMPLER_IBS_OP && cpu_hz >= hertz;
	double events = known				 ? cpu_hz / hertz :
			event->sampler == SAMPLER_IBS_OP ? PERIOD_DEFAULT :
							   FETCHES_DEFAULT;

	if (!known && wish->hertz)
		return diag(
			"-F: event %s: how often it happens in a second is not known; use -c",
			event->name);
	period->every = by_rate(events, event, longest);
	if (wish->hertz && events > (double)longest)
		diag("note: -F: event %s: its longest period is %" PRIu64
		     ", so that there are more samples",
		     event->name, longest);
	return 0;
}

int precise_period(struct period *period, const struct sample_wish *wish,
		   const struct event *event, uint64_t longest, double cpu_hz)
{
	int ret;

	period->sampler = event->sampler;
	if (wish->short_periods.count || wish->random.count)
		return diag(
			"event %s: IBS has one period, which has no random bits; leave %s out",
			event->name,
			wish->random.count ? "--smpl-periods-random" :
					     "--short-smpl-periods");
	if (wish->periods.count) {
		period->every = period_numbers_given(wish, &wish->periods,
						     period->event);
		ret = check(period->every, event, longest);
	} else {
		ret = choose_rate(period, wish, event, longest, cpu_hz);
	}
	period->shortly = period->every;
	return ret;
}

void precise_program(struct plan *plan, const struct periods *periods)
{
	for (int i = 0; i < plan->pmc_count; i++) {
		const struct period *period =
			&periods->list[plan->pmc_event[i]];

		if (!period->sampler)
			continue;
		plan->pmcs[i].reg_value = sampler_with_period(
			plan->pmcs[i].reg_value, period->every);
		plan->selectors[plan->pmc_event[i]] = plan->pmcs[i].reg_value;
	}
}
