/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which counter counts which event, and what has to be written to the
 * control registers for that.
 */
#ifndef PFMON_ASSIGN_H
#define PFMON_ASSIGN_H

#include <perfmon/perfmon.h>

#include "event.h"
#include "regmap.h"

/* General counters are pmd0 to pmd15, fixed ones pmd16 to pmd31. */
#define COUNTERS_MAX 32
#define FIXED_FIRST 16
#define FIXED_CTRL_PMC 16

/* The registers to write, in the order of the events. */
struct plan {
	int event_count;
	struct pfarg_pmr pmds[COUNTERS_MAX]; /* pmds[i] counts event i */
	int pmc_count;
	struct pfarg_pmr pmcs[COUNTERS_MAX];
	int pmc_event[COUNTERS_MAX]; /* an event that needs pmcs[i] */
};

/*
 * Uses the registers that info says the session can have. General counters come
 * first, fixed ones serve when those run out or when an event has no other.
 * Returns 0, or -1 after a message.
 */
int assign_events(struct plan *plan, const struct event_list *list,
		  const struct regmap *map, const struct pfarg_setinfo *info);

#endif /* PFMON_ASSIGN_H */
