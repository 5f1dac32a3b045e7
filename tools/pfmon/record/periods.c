// SPDX-License-Identifier: GPL-2.0-only
/* What is sampled how often, see periods.h. */
#include "record/periods.h"

#include <stdbool.h>
#include <string.h>
#include <sys/random.h>

#include "diag.h"
#include "profile/scatter.h"
#include "record/period_numbers.h"
#include "record/precise_period.h"

/* Of shorter periods half an event more or less would be seen. */
#define VARIES_FROM 64

/*
 * A number that is no multiple of anything in the program that is sampled. 0: nothing is
 * known about how often the event happens in a second.
 */
static uint64_t by_frequency(const struct event *event, unsigned int hertz,
			     double cpu_hz)
{
	if ((event->meaning != MEANS_CYCLES &&
	     event->meaning != MEANS_INSTRUCTIONS) ||
	    cpu_hz < hertz)
		return 0;
	return period_numbers_prime((uint64_t)(cpu_hz / hertz));
}

/*
 * The kernel doubles the period while there are more samples than the rate. It begins
 * with one that is shorter than it will be, so that short programs have samples enough;
 * with copies of stacks, which are large, by less.
 */
static void begin_short(struct period *period, const struct sample_wish *wish,
			unsigned int hertz)
{
	unsigned int shorter = wish->stack_bytes ? 8 : 16;

	while (shorter > 1 && hertz * shorter > HERTZ_BURST)
		shorter /= 2;
	/* With what rarely happens this may be the last, too. */
	if (!period->every)
		period->every = PERIOD_UNKNOWN;
	else if (shorter > 1 && period->every / shorter > PERIOD_UNKNOWN)
		period->every = period_numbers_prime(period->every / shorter);
	else
		return;
	/* Cycles and instructions may be more than the nominal frequency says. */
	period->rate = hertz + hertz / 4;
}

/* 0, or -1 after a message. */
static int choose_by_rate(struct period *period, const struct sample_wish *wish,
			  const struct event *event, double cpu_hz)
{
	unsigned int hertz = wish->hertz ? wish->hertz : HERTZ_DEFAULT;

	period->every = by_frequency(event, hertz, cpu_hz);
	if (wish->vary && !wish->random.count && !wish->saturate) {
		begin_short(period, wish, hertz);
		return 0;
	}
	if (!period->every && wish->hertz)
		return diag(
			"-F: event %s: how often it happens in a second is not known; use -c",
			event->name);
	if (!period->every)
		period->every = PERIOD_DEFAULT;
	return 0;
}

/*
 * The bits that make a period differ by up to 0.4 to 0.8 of it either way. So much is
 * needed: a program that repeats itself once in a period has, after one sample, nearly
 * forgotten where the last one was, |sin(pi x) / (pi x)| < 0.24 for 0.8 < x <= 1.6. With
 * an eighth of the period it would remember it for some 40 samples.
 */
static uint64_t varying_bits(uint64_t every)
{
	uint64_t bits = 1;

	if (every < VARIES_FROM)
		return 0;
	while (bits <= every - every / 5)
		bits *= 2;
	return bits - 1;
}

/* 0, or -1 after a message. longest: as struct plan has it. */
static int choose(struct period *period, const struct sample_wish *wish,
		  const struct event *event, uint64_t longest, double cpu_hz)
{
	if (event->sampler)
		return precise_period(period, wish, event, longest, cpu_hz);
	if (wish->periods.count)
		period->every = period_numbers_given(wish, &wish->periods,
						     period->event);
	else if (wish->short_periods.count)
		period->every = period_numbers_given(wish, &wish->short_periods,
						     period->event);
	else if (choose_by_rate(period, wish, event, cpu_hz))
		return -1;
	period->shortly = period->every;
	if (period->every &&
	    period_numbers_given(wish, &wish->short_periods, period->event))
		period->shortly = period_numbers_given(
			wish, &wish->short_periods, period->event);
	if (!period->every)
		return 0;
	period->random =
		period_numbers_given(wish, &wish->random, period->event);
	if (wish->vary && !wish->random.count)
		period->random = varying_bits(period->shortly < period->every ?
						      period->shortly :
						      period->every);
	period->varies = wish->vary && !wish->random.count && period->random;
	return 0;
}

/*
 * Three random numbers; false: the kernel has none yet. With a seed they depend on the seed
 * and the event alone.
 */
static bool draw(uint64_t random[3], uint64_t seed, int event)
{
	size_t size = 3 * sizeof(*random);

	if (!seed)
		return getrandom(random, size, GRND_NONBLOCK) == (ssize_t)size;
	for (unsigned int i = 0; i < 3; i++)
		random[i] =
			scatter(scatter(seed) + 3 * (unsigned int)event + i);
	return true;
}

/* The same distribution as that of the kernel for children of the thread. */
uint64_t periods_begin(const struct period *period, uint64_t seed)
{
	uint64_t least = period->every - period->random / 2, random[3], place;

	if (!period->varies || !draw(random, seed, period->event))
		return period->after - period->every;
	place = random[0] % period->every;
	if (place < least)
		return -(place + 1);
	random[1] &= period->random;
	random[2] &= period->random;
	return -(least + 1 + (random[1] < random[2] ? random[1] : random[2]));
}

static void set_bit(uint64_t bits[PFM_PMD_BV], unsigned int bit)
{
	bits[bit / 64] |= 1ull << bit % 64;
}

static bool has_bit(const uint64_t bits[PFM_PMD_BV], unsigned int bit)
{
	return bits[bit / 64] >> bit % 64 & 1;
}

bool periods_records(const struct periods *periods, unsigned int pmd)
{
	return has_bit(periods->recorded_pmds, pmd);
}

bool periods_has_values(const struct period *period)
{
	return period->every && period->sampler != SAMPLER_PEBS;
}

/* Those that are counted only, and those that were asked for. */
static void choose_recorded(struct periods *periods,
			    const struct sample_wish *wish)
{
	for (int i = 0; i < periods->count; i++) {
		unsigned int pmd = periods->list[i].pmd.reg_num;

		if (periods->list[i].every)
			continue;
		set_bit(periods->recorded_pmds, pmd);
		if (wish->reset && !wish->resets.count)
			set_bit(periods->reset_pmds, pmd);
	}
	for (int i = 0; i < wish->extra.count; i++)
		set_bit(periods->recorded_pmds, wish->extra.list[i]);
	for (int i = 0; i < wish->resets.count; i++)
		set_bit(periods->reset_pmds, wish->resets.list[i]);
	for (unsigned int pmd = 0; pmd < PFM_MAX_PMDS; pmd++)
		periods->recorded += periods_records(periods, pmd);
}

/* Of which values the sum is what a counter has counted. */
static void choose_summed(struct periods *periods)
{
	int value = 0;

	for (unsigned int pmd = 0; pmd < PFM_MAX_PMDS; pmd++) {
		if (!periods_records(periods, pmd))
			continue;
		if (has_bit(periods->reset_pmds, pmd) &&
		    periods->place_of[pmd] >= 0) {
			periods->value_of[periods->place_of[pmd]] =
				(int8_t)value;
			periods->sums = true;
		}
		value++;
	}
}

/* What the kernel is told of the counters. */
static void describe(struct periods *periods, const struct sample_wish *wish)
{
	for (int i = 0; i < periods->count; i++) {
		struct period *period = &periods->list[i];
		uint64_t less = period->varies ? period->random / 2 :
						 period->after;

		periods->place_of[period->pmd.reg_num] = (int8_t)i;
		if (!period->every)
			continue;
		period->pmd.reg_value = period->after - period->every;
		period->pmd.reg_flags =
			(wish->saturate ? 0 : PFM_REGFL_OVFL_NOTIFY) |
			(period->random ? PFM_REGFL_RANDOM : 0);
		period->attr.reg_long_reset = less - period->every;
		period->attr.reg_short_reset = less - period->shortly;
		period->attr.reg_random_mask = period->random;
		period->attr.reg_smpl_rate = period->rate;
		if (!periods_has_values(period))
			continue;
		memcpy(period->attr.reg_smpl_pmds, periods->recorded_pmds,
		       sizeof(periods->recorded_pmds));
		memcpy(period->attr.reg_reset_pmds, periods->reset_pmds,
		       sizeof(periods->reset_pmds));
	}
}

/* Who is sampled begins anew by itself; others have to be in the samples. */
static int check_resets(const struct periods *periods,
			const struct sample_wish *wish)
{
	for (int i = 0; i < wish->resets.count; i++) {
		unsigned int pmd = wish->resets.list[i];
		int place = periods->place_of[pmd];

		if (place < 0 || periods->list[place].every)
			return diag(
				"--reset-non-smpl-periods: pmd%u: counts no "
				"event without a period",
				pmd);
	}
	return 0;
}

int periods_check(const struct sample_wish *wish, const struct regmap *map)
{
	for (int i = 0; i < wish->extra.count; i++) {
		if (!map->pmd[wish->extra.list[i]].present)
			return diag("--extra-smpl-pmds: pmd%u: %s has none",
				    wish->extra.list[i], map->model);
	}
	return 0;
}

int periods_make(struct periods *periods, const struct sample_wish *wish,
		 const struct event_list *events, const struct event_set *set,
		 double cpu_hz)
{
	bool sampled = false;

	memset(periods, 0, sizeof(*periods));
	memset(periods->place_of, -1, sizeof(periods->place_of));
	memset(periods->value_of, -1, sizeof(periods->value_of));
	if (period_numbers_check(wish, &wish->periods, "-c", events->count) ||
	    period_numbers_check(wish, &wish->short_periods,
				 "--short-smpl-periods", events->count) ||
	    period_numbers_check(wish, &wish->random, "--smpl-periods-random",
				 events->count))
		return -1;
	for (int i = 0; i < set->plan.event_count; i++) {
		struct period *period = &periods->list[periods->count++];

		period->event = set->events[i];
		period->pmd.reg_num = set->plan.pmds[i].reg_num;
		if (choose(period, wish, &events->events[period->event],
			   set->plan.longest[i], cpu_hz))
			return -1;
		sampled |= period->every != 0;
	}
	choose_recorded(periods, wish);
	describe(periods, wish);
	choose_summed(periods);
	if (check_resets(periods, wish))
		return -1;
	if (!sampled)
		return diag("-c: no event has a period; nothing is sampled");
	return 0;
}
