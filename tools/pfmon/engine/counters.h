/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sessions of a run that counts threads: one for each thread, whose counts
 * go to the tally when the thread has ended. These are the follow_ops.
 */
#ifndef PFMON_COUNTERS_H
#define PFMON_COUNTERS_H

#include "engine/follow.h"
#include "engine/sampling.h"
#include "engine/session.h"
#include "engine/spares.h"
#include "engine/tally.h"

struct counters {
	const struct event_sets *sets;
	unsigned int turn; /* of the next session */
	struct tally *tally;
	int spare; /* a programmed session for the first thread, -1: none */
	struct spares spares; /* for all others */
	const struct sampling *sampling; /* NULL: events are counted only */
	bool family; /* sessions that all who are made inherit: see turns.h */
	bool threads_only; /* of the same process, that is */
	bool outlived; /* some of these, by others */
	uint64_t family_ns; /* CPU time that they were counted, as last read */
	uint64_t first_ns; /* that of its thread, when that has ended */
	bool idle; /* sessions are not started yet */
	bool cumulative; /* intervals tell all since the start */
	unsigned int counted, lost; /* threads that were, and were not */
	bool failed; /* after a message: the counts are not complete */
	bool explained; /* why a thread was not counted */
};

extern const struct follow_ops counters_ops;

/*
 * Between attaching and starting sessions that are inherited. A thread that others made
 * meanwhile has inherited one of theirs, which made room for its own: that it left is
 * no loss then, as nothing was counted yet. -1 after a message.
 */
int counters_settle(const struct counters *counters, const struct tasks *tasks);

/* Starts the sessions of all tasks, and of those to come. -1 after a message. */
int counters_start(struct counters *counters, const struct tasks *tasks);

/* Stops them, until counters_start(), as far as they are there. */
void counters_stop(struct counters *counters, const struct tasks *tasks);

/*
 * At the end of an interval: adds what each of the tasks has counted since the
 * last one. What cannot be read now comes with a later one. -1 after a message.
 */
int counters_tell(struct counters *counters, const struct tasks *tasks);

/* Closes sessions that nobody needed any more. */
void counters_close(struct counters *counters);

/* The spare session is that of the task, which has attached it to itself. */
void counters_launched(struct counters *counters, struct task *task);

#endif /* PFMON_COUNTERS_H */
