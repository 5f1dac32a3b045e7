// SPDX-License-Identifier: GPL-2.0-only
/* What is sampled how often, see periods.h. */
#include "record/periods.h"

#include <stdbool.h>
#include <string.h>

#include "diag.h"

static bool is_prime(uint64_t number)
{
	if (number < 4 || number % 2 == 0)
		return number == 2 || number == 3;
	for (uint64_t factor = 3; factor * factor <= number; factor += 2) {
		if (number % factor == 0)
			return false;
	}
	return true;
}

uint64_t periods_prime(uint64_t least)
{
	if (least < 2)
		return 2;
	while (!is_prime(least))
		least++;
	return least;
}

/* The number that was given for an event: its own, or that of all. */
static uint64_t given(const struct sample_numbers *numbers, int event)
{
	return numbers->values[numbers->count > 1 ? event : 0];
}

static int check_numbers(const struct sample_numbers *numbers,
			 const char *option, int events)
{
	if (numbers->count <= 1 || numbers->count == events)
		return 0;
	return diag("%s: %d numbers for %d events; give one, or one for each",
		    option, numbers->count, events);
}

/* A number that is no multiple of anything in the program that is sampled. */
static int by_frequency(const struct event *event, unsigned int hertz,
			double cpu_hz, uint64_t *every)
{
	bool cycles = event->meaning == MEANS_CYCLES;

	if (hertz && (!cycles || cpu_hz < hertz))
		return diag(
			"-F: event %s: how often it happens in a second is not known; use -c",
			event->name);
	if (!cycles || cpu_hz < HERTZ_DEFAULT) {
		*every = PERIOD_DEFAULT;
		return 0;
	}
	*every = periods_prime(
		(uint64_t)(cpu_hz / (hertz ? hertz : HERTZ_DEFAULT)));
	return 0;
}

static int choose(struct period *period, const struct sample_wish *wish,
		  const struct event *event, double cpu_hz)
{
	if (wish->periods.count)
		period->every = given(&wish->periods, period->event);
	else if (wish->short_periods.count)
		period->every = given(&wish->short_periods, period->event);
	else if (by_frequency(event, wish->hertz, cpu_hz, &period->every))
		return -1;
	period->shortly = period->every;
	if (period->every && wish->short_periods.count)
		period->shortly = given(&wish->short_periods, period->event);
	if (period->every && wish->random.count)
		period->random = given(&wish->random, period->event);
	return 0;
}

static void set_bit(uint64_t bits[PFM_PMD_BV], unsigned int bit)
{
	bits[bit / 64] |= 1ull << bit % 64;
}

/* What the kernel is told of the counters. */
static void describe(struct periods *periods)
{
	uint64_t recorded[PFM_PMD_BV] = { 0 };

	for (int i = 0; i < periods->count; i++) {
		if (periods->list[i].every)
			continue;
		set_bit(recorded, periods->list[i].pmd.reg_num);
		periods->recorded++;
	}
	for (int i = 0; i < periods->count; i++) {
		struct period *period = &periods->list[i];

		periods->place_of[period->pmd.reg_num] = (int8_t)i;
		if (!period->every)
			continue;
		period->pmd.reg_value = -period->every;
		period->pmd.reg_flags = PFM_REGFL_OVFL_NOTIFY |
					(period->random ? PFM_REGFL_RANDOM : 0);
		period->attr.reg_long_reset = -period->every;
		period->attr.reg_short_reset = -period->shortly;
		period->attr.reg_random_mask = period->random;
		memcpy(period->attr.reg_smpl_pmds, recorded, sizeof(recorded));
	}
}

int periods_make(struct periods *periods, const struct sample_wish *wish,
		 const struct event_list *events, const struct event_set *set,
		 double cpu_hz)
{
	memset(periods, 0, sizeof(*periods));
	memset(periods->place_of, -1, sizeof(periods->place_of));
	if (check_numbers(&wish->periods, "-c", events->count) ||
	    check_numbers(&wish->short_periods, "--short-smpl-periods",
			  events->count) ||
	    check_numbers(&wish->random, "--smpl-periods-random",
			  events->count))
		return -1;
	for (int i = 0; i < set->plan.event_count; i++) {
		struct period *period = &periods->list[periods->count++];

		period->event = set->events[i];
		period->pmd.reg_num = set->plan.pmds[i].reg_num;
		if (choose(period, wish, &events->events[period->event],
			   cpu_hz))
			return -1;
	}
	describe(periods);
	if (periods->recorded == periods->count)
		return diag("-c: no event has a period; nothing is sampled");
	return 0;
}
