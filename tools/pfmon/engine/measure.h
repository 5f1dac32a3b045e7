/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Executing a request: prepare once, run once or more, finish. What a run has
 * counted is in the tally, and what else is known of it in the outcome.
 */
#ifndef PFMON_MEASURE_H
#define PFMON_MEASURE_H

#include <sched.h>

#include "attach/attach.h"
#include "engine/control.h"
#include "engine/sampling.h"
#include "engine/signals.h"
#include "engine/tally.h"
#include "events/kernel_counters.h"
#include "metrics/groups.h"
#include "registers/regmap.h"
#include "request.h"

#define MEASURE_TIME_TEXT 40

struct outcome {
	char started[MEASURE_TIME_TEXT]; /* as RFC 3339 has it */
	uint64_t started_s; /* since the epoch */
	unsigned int run; /* from 1 */
	int wait_status; /* of the command, as of wait4(2) */
	bool interrupted; /* the user wanted the end */
	uint64_t user_ns, sys_ns; /* of the command, if there was one */
	uint64_t switches, faults,
		major_faults; /* since its first instruction */
	uint64_t elapsed_ns; /* from the start of counting to its end */
	uint64_t cpu_ns; /* of what is measured */
	uint64_t clock_ns; /* the same in an interval */
	unsigned int outlived; /* processes that lived longer than the command */
};

/*
 * How far apart the counters of the cores and the counters of other PMUs were started and
 * read: from before the first to after the last, at most, in ns.
 */
struct skew {
	uint64_t start_ns, read_ns;
};

struct measurement {
	const struct request *request;
	struct group_choice choice; /* of groups or metrics */
	struct event_list events; /* all, as they are reported */
	struct event_list hardware; /* those with a counter */
	struct regmap map;
	struct event_sets sets; /* of the hardware events */
	struct event_list reference; /* of the sets, if it is none of them */
	int spare; /* a programmed session, -1: none */
	bool remote; /* the kernel reaches threads that nobody stops */
	enum follow_means means; /* that follow; never FOLLOW_AUTO */
	bool members_wait; /* whose samples find no room, where the kernel follows */
	struct attached attached;
	cpu_set_t cpus;
	struct control control; /* if the request has one */
	const struct sampling *sampling; /* NULL: events are counted only */
	struct signals signals;
	bool signals_taken;
	struct tally tally;
	struct outcome outcome;
	struct kernel_counters kernel; /* of CPUs; beside the sessions */
	struct skew skew;
	/* Called at each interval with the deltas; -1: failed. */
	int (*interval)(struct measurement *measurement, void *arg);
	void *arg;
};

/*
 * Does everything that can fail before the command runs. 0, or -1 after a
 * message; measure_finish() must follow in both cases.
 */
int measure_prepare(struct measurement *measurement,
		    const struct request *request);

/*
 * From now on, and before the first run, samples are taken: sessions come from
 * there. -1 after a message.
 */
int measure_sampled(struct measurement *measurement,
		    const struct sampling *sampling);

/*
 * One run. 0, or after a message the status that pfmon has to exit with: there
 * are no results then.
 */
int measure_request(struct measurement *measurement, unsigned int run);

void measure_finish(struct measurement *measurement);

/* The exit status of pfmon for the end of the command. */
int measure_exit_status(int wait_status);

/* The value of a software event in the outcome, by its number in the list. */
uint64_t measure_soft(const struct measurement *measurement, int event);

/* The parts of measure_request(), by what is measured; they return what it does. */
int measure_tasks(struct measurement *measurement);
int measure_system(struct measurement *measurement);
int measure_marked(struct measurement *measurement);

#endif /* PFMON_MEASURE_H */
