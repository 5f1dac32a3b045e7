/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One run that counts threads: begun and ended by measure_tasks.c, with its
 * intervals (tasks_intervals.c) and what is told to it meanwhile (tasks_control.c).
 */
#ifndef PFMON_TASKS_RUN_H
#define PFMON_TASKS_RUN_H

#include "command/launch.h"
#include "engine/control.h"
#include "engine/counters.h"
#include "engine/measure.h"
#include "engine/waiting.h"

struct tasks_run {
	struct measurement *m;
	struct counters counters;
	struct follow follow;
	struct waiting waiting;
	struct others others;
	uint64_t start;
	uint64_t base_ns; /* CPU time that was not to be counted */
	struct launch_used used; /* by the command when it was pfmon's */
	bool launched_itself; /* that time is not all known then */
	uint64_t told_ns, clock_ns; /* CPU time that intervals have told */
	uint64_t forgotten_ns; /* of counters.family_ns */
	unsigned int intervals;
	bool watches; /* others */
	bool ended_early; /* the counting, before the command */
	bool paused; /* by --control, since: */
	uint64_t paused_at, paused_used;
	uint64_t paused_ns; /* in all before */
};

/* CPU time of what is measured and of its live children, while they are there. */
uint64_t tasks_run_used(struct tasks_run *run);
/* CPU time that was to be counted so far. */
uint64_t tasks_run_clock(struct tasks_run *run);
/* What of so much CPU time was to be counted. */
uint64_t tasks_run_counted(const struct tasks_run *run, uint64_t used);
/* Time since the begin of counting, without what was paused; 0 before it. */
uint64_t tasks_run_elapsed(const struct tasks_run *run);

/* The schedule has begun then, which is now or just before. */
void tasks_run_schedule(struct tasks_run *run, uint64_t then);
/* waiting.begin: after the delay. */
int tasks_run_begin(void *arg);
/* waiting.tick: at the end of an interval. */
int tasks_run_tick(void *arg);
/* What is left of the last interval, and the coverage of all. */
int tasks_run_report_last(struct tasks_run *run);
/* Reports what was counted up to now, which goes on. -1: failed. */
int tasks_run_snapshot(struct tasks_run *run);
/* Forgets what was counted up to now. -1: failed. */
int tasks_run_reset(struct tasks_run *run);

/* waiting.command, see control.h. */
int tasks_run_command(enum control_verb verb, void *arg, const char **refusal);

#endif /* PFMON_TASKS_RUN_H */
