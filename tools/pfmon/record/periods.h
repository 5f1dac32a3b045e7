/* SPDX-License-Identifier: GPL-2.0-only */
/* Which counters are sampled, how often, and what their samples have with them. */
#ifndef PFMON_PERIODS_H
#define PFMON_PERIODS_H

#include "registers/regmap.h"
#include "registers/sets.h"
#include "request.h"

/* If nothing was said, and the frequency of the processor is not known. */
#define PERIOD_DEFAULT 1000003
/* The first period of an event that may be rare: the shortest that is worth a sample. */
#define PERIOD_UNKNOWN 101
/* Samples a second of the first periods, at most. */
#define HERTZ_BURST 20000
/* Samples a second, if nothing was said. */
#define HERTZ_DEFAULT 1000

struct period {
	int event; /* number in the list of those with a counter */
	enum event_sampler sampler; /* what samples it */
	unsigned int after; /* events of a period behind the overflow */
	uint64_t every; /* events from sample to sample, 0: counted only */
	uint64_t shortly; /* after a sample that has not filled the buffer */
	/* Samples a second at most, else the kernel doubles them; 0: they stay. */
	unsigned int rate;
	uint64_t random; /* mask of the bits that a period has by chance */
	bool varies; /* about the two numbers above; else the bits are added to them */
	struct pfarg_pmr pmd;
	struct pfarg_pmd_attr attr;
};

struct periods {
	struct period list[COUNTERS_MAX];
	int count;
	int recorded; /* counters whose values each sample has */
	uint64_t recorded_pmds[PFM_PMD_BV]; /* the same, by number */
	uint64_t reset_pmds[PFM_PMD_BV]; /* that begin anew with each sample */
	/* Of each of the list that does: its value in samples; -1: it does not. */
	int8_t value_of[COUNTERS_MAX];
	bool sums; /* there is one */
	/* The place in the list of each counter, by its number; -1: not there. */
	int8_t place_of[PFM_MAX_PMDS];
};

/*
 * Decides what the events of the set, all there is, are sampled by. cpu_hz: cycles
 * in a second, 0: not known. -1 after a message.
 */
int periods_make(struct periods *periods, const struct sample_wish *wish,
		 const struct event_list *events, const struct event_set *set,
		 double cpu_hz);

/*
 * The value that a counter begins with. One whose periods vary begins at a random place
 * of its first one: what is measured may have fewer events than that. The place depends
 * on the seed; 0: it differs each time.
 */
uint64_t periods_begin(const struct period *period, uint64_t seed);

/* Whether each sample has the value of the counter. */
bool periods_records(const struct periods *periods, unsigned int pmd);

/* Whether samples of the event have values at all: records of PEBS have none. */
bool periods_has_values(const struct period *period);

/* Whether the counters that were named are there. -1 after a message. */
int periods_check(const struct sample_wish *wish, const struct regmap *map);

#endif /* PFMON_PERIODS_H */
