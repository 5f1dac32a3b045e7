/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who takes samples, as the engine sees it: it makes the sessions, and is told
 * what becomes of them. The engine attaches, starts, stops, reads and closes
 * them as those that only count.
 */
#ifndef PFMON_SAMPLING_H
#define PFMON_SAMPLING_H

#include "engine/tasks.h"
#include "engine/turns.h"

struct sampling {
	/* A programmed session. -1 with errno and without a message. */
	int (*open)(void *arg);
	/* It has its target: a thread, or (task is NULL) a CPU. */
	void (*attached)(int session, const struct task *task, int cpu,
			 void *arg);
	/* A thread that has a session executes another program. */
	void (*executed)(const struct task *task, void *arg);
	/* It has begun to exit, and has all that it had. */
	void (*leaving)(const struct task *task, void *arg);
	/*
	 * The session is at rest, and closed next. What its counters show is made
	 * what they have counted; task is NULL for a CPU.
	 */
	void (*ended)(int session, const struct task *task,
		      struct turns_counts *counts, void *arg);
	/* Whether its thread has ended. */
	bool (*has_ended)(int session, void *arg);
	/* Called when the descriptor is ready to be read; -1: failed. */
	int (*take)(void *arg);
	int news;
	void *arg;
};

#endif /* PFMON_SAMPLING_H */
