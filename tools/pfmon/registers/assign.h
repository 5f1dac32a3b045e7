/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which counter counts which event, and the values of the
 * control registers for that.
 */
#ifndef PFMON_ASSIGN_H
#define PFMON_ASSIGN_H

#include <perfmon/perfmon.h>
#include <stdbool.h>

#include "events/event.h"
#include "registers/regmap.h"

/* No PMU has more counters; some events need several control registers. */
#define COUNTERS_MAX 32
#define CONTROLS_MAX 128

/* The registers to write, in the order of the events. */
struct plan {
	int event_count;
	/*
	 * pmds[i] counts event i. Behind those of the events: counters that are
	 * merged into one of them, which count with it if they are set, too.
	 */
	struct pfarg_pmr pmds[COUNTERS_MAX];
	int pmd_count;
	uint64_t selectors[COUNTERS_MAX]; /* event select value of event i */
	/* Longest period of event i if it has precise samples, else 0. */
	uint64_t longest[COUNTERS_MAX];
	int pmc_count;
	struct pfarg_pmr pmcs[CONTROLS_MAX];
	int pmc_event[CONTROLS_MAX]; /* an event that needs pmcs[i] */
	/* The PMC that lets counters make records; to be written last. Value 0: none does. */
	struct pfarg_pmr records;
	/* The PMC of the latency of loads, likewise. Value 0: it is not needed. */
	struct pfarg_pmr latency;
	bool beside; /* a counter has what has to be counted with loads */
};

/*
 * Uses the registers that info offers to the session. Named events get the
 * counters that libpfm gives them, raw ones the counters that remain. Returns 0, or -1 after
 * a message.
 */
int assign_events(struct plan *plan, const struct event_list *list,
		  const struct regmap *map, const struct pfarg_setinfo *info);

#endif /* PFMON_ASSIGN_H */
