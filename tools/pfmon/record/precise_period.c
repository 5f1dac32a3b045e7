// SPDX-License-Identifier: GPL-2.0-only
/* Periods of units that make precise samples, see precise_period.h. */
#include "record/precise_period.h"

#include <inttypes.h>

#include "diag.h"
#include "record/period_numbers.h"
#include "registers/sampler_kinds.h"

/* How many fetches there are in a second is not known. */
#define FETCHES_DEFAULT 100000

static uint64_t least_of(const struct event *event)
{
	return event->sampler_least ? event->sampler_least :
				      sampler_kind(event->sampler)->least;
}

/* A number that was given as it is, or a message. */
static int check(uint64_t every, const struct event *event, uint64_t longest)
{
	const struct sampler_kind *kind = sampler_kind(event->sampler);
	uint64_t least = least_of(event);
	uint64_t below = every / kind->step * kind->step;

	if (!every)
		return diag(
			"-c: event %s: precise samples need a period; to count it, leave the p out",
			event->name);
	if (every < least || every > longest)
		return diag("-c: event %s: its period is from %" PRIu64
			    " to %" PRIu64 " here",
			    event->name, least, longest);
	if (every != below)
		return diag("-c: event %s: IBS counts in steps of %" PRIu64
			    ": %" PRIu64 " or %" PRIu64,
			    event->name, kind->step, below, below + kind->step);
	return 0;
}

/* No multiple of anything in the program, as far as the steps allow that. */
static uint64_t by_rate(double events, const struct event *event,
			uint64_t longest)
{
	const struct sampler_kind *kind = sampler_kind(event->sampler);
	uint64_t least = least_of(event);
	uint64_t every = kind->step *
			 period_numbers_prime((uint64_t)events / kind->step);

	return every < least ? least : every > longest ? longest : every;
}

/* Whether it happens about once a cycle: the op unit samples cycles, or ops. */
static bool is_as_fast(const struct event *event)
{
	return event->sampler == SAMPLER_IBS_OP ||
	       (event->sampler == SAMPLER_PEBS &&
		(event->meaning == MEANS_INSTRUCTIONS ||
		 event->meaning == MEANS_CYCLES));
}

static int choose_rate(struct period *period, const struct sample_wish *wish,
		       const struct event *event, uint64_t longest,
		       double cpu_hz)
{
	unsigned int hertz = wish->hertz ? wish->hertz : PRECISE_HERTZ;
	bool known = is_as_fast(event) && cpu_hz >= hertz;
	double events = known				    ? cpu_hz / hertz :
			event->sampler == SAMPLER_IBS_FETCH ? FETCHES_DEFAULT :
			event->sampler_usual ? (double)event->sampler_usual :
					       PERIOD_DEFAULT;

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

/* The processor makes records of PEBS, and reads no other counter for them. */
static int check_values(const struct sample_wish *wish,
			const struct event *event)
{
	if (event->sampler != SAMPLER_PEBS ||
	    (!wish->extra.count && !wish->resets.count && !wish->reset))
		return 0;
	return diag(
		"event %s: PEBS records no values of counters; leave %s out",
		event->name,
		wish->extra.count ? "--extra-smpl-pmds" :
				    "--reset-non-smpl-periods");
}

int precise_period(struct period *period, const struct sample_wish *wish,
		   const struct event *event, uint64_t longest, double cpu_hz)
{
	int ret;

	period->sampler = event->sampler;
	period->after = sampler_kind(event->sampler)->after;
	if (wish->short_periods.count || wish->random.count)
		return diag(
			"event %s: precise samples have one period, without random bits; leave %s out",
			event->name,
			wish->random.count ? "--smpl-periods-random" :
					     "--short-smpl-periods");
	if (check_values(wish, event))
		return -1;
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

		if (!sampler_is_unit(period->sampler))
			continue;
		plan->pmcs[i].reg_value = sampler_with_period(
			plan->pmcs[i].reg_value, period->every);
		plan->selectors[plan->pmc_event[i]] = plan->pmcs[i].reg_value;
	}
}
