/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which events are counted together: all of them in one set, or in
 * several that take turns.
 *
 * Sets that take turns have a counter of the reference event each, by which one
 * can tell what part of the whole each has seen (engine/estimate.h).
 */
#ifndef PFMON_SETS_H
#define PFMON_SETS_H

#include "registers/assign.h"

#define EVENTS_MAX 128
#define SETS_MAX 16

/* Of the reference, if nothing else is said. */
#define SETS_EVENTS_DEFAULT 1000000
#define SETS_TIMEOUT_DEFAULT 10000000u

struct event_set {
	struct plan plan;
	/* For each counter of the plan: number of its event; -1: of none. */
	int events[COUNTERS_MAX];
	int reference; /* which of the plan's counters counts it, -1: none */
};

struct event_sets {
	int count;
	struct event_set list[SETS_MAX];
	int event_count; /* of all events with a counter */
	int set_of[EVENTS_MAX]; /* which set has the event */
	int place_of[EVENTS_MAX]; /* and which of its counters */
	int reference_event; /* the reference if it is one of them, or -1 */
	const struct event *reference; /* NULL: none */
	/* Turns end after so many events of the reference, or 0: by time. */
	uint64_t switch_events;
	uint64_t timeout_ns;
};

/* What the user wants of sets. */
struct sets_wish {
	bool split; /* events that do not fit go into further sets */
	const char *reference; /* event, "none", or NULL: chosen */
	unsigned int levels; /* of a reference without levels */
	uint64_t switch_events; /* 0: not said */
	uint64_t timeout_ns; /* 0: not said */
};

/* Whether some events are counted only part of the time. */
static inline bool sets_take_turns(const struct event_sets *sets)
{
	return sets->count > 1;
}

/*
 * Puts the events, which have a counter each, into sets: those of the list's
 * own sets, or as few as hold them. The reference is parsed into that list,
 * to be freed in any case. Returns 0, or -1 after a message.
 */
int sets_make(struct event_sets *sets, const struct event_list *events,
	      const struct sets_wish *wish, struct event_list *reference,
	      const struct regmap *map, const struct pfarg_setinfo *info);

#endif /* PFMON_SETS_H */
