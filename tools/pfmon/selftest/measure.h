/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Measurements of this thread with a session of its own. The same instructions
 * always start the session, call the loop and stop the session.
 */
#ifndef PFMON_SELFTEST_MEASURE_H
#define PFMON_SELFTEST_MEASURE_H

#include "counters.h"
#include "judge.h"
#include "loops.h"

/*
 * Makes a session with these registers that is attached to this thread. Returns
 * its descriptor, or -1 with errno.
 */
int measure_open(const struct program *program);

/* The same for a session of a CPU, on which this thread has to run. */
int measure_open_cpu(const struct program *program, int cpu);

/* Other registers for the session. Returns 0, or -1 with errno. */
int measure_program(int fd, const struct program *program);

/*
 * Runs the loop once while the session counts, from zero. counts[i] is that of
 * pmds[i] of the program. Returns 0, or -1 with errno.
 */
int measure_once(int fd, const struct program *program, const struct loop *loop,
		 unsigned long turns, uint64_t *counts);

/* The same without setting or reading counters. */
int measure_run(int fd, const struct loop *loop, unsigned long turns);

/*
 * Runs the loop "count" times on a CPU, after a run that warms up, and takes the
 * counts of the first counter. Returns 0, or -1 with errno.
 */
int measure_runs(const struct program *program, int cpu,
		 const struct loop *loop, unsigned long turns, int count,
		 struct runs *runs);

#endif /* PFMON_SELFTEST_MEASURE_H */
