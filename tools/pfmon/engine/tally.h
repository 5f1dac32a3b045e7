/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tally of a run: what ended sessions have counted, summed up and, where
 * the report wants them, in rows of their own.
 */
#ifndef PFMON_TALLY_H
#define PFMON_TALLY_H

#include <stdint.h>

#include "engine/coverage.h"
#include "engine/tasks.h"
#include "engine/topology.h"
#include "engine/turns.h"
#include "request.h"

struct tally_row {
	enum report_scope scope;
	pid_t pid, tid, ppid;
	int cpu;
	char place[TOPOLOGY_PLACE]; /* of a core and so on */
	int cpus; /* that it has */
	char comm[TASK_COMM];
	struct turns_counts counted;
};

struct tally {
	enum grouping grouping;
	struct tally_row total;
	struct tally_row *rows;
	int count;
	int capacity;
	struct coverage coverage;
};

/* Empties it for the next run. */
void tally_reset(struct tally *tally, enum grouping grouping, bool system_wide);
void tally_free(struct tally *tally);

/*
 * Adds what the session of a thread or CPU has counted: to the total, and to
 * the row of the thread, of its process, of the CPU or of its place if these are kept. row
 * names it and has its counts. -1 after a message: no memory for a row.
 */
int tally_add(struct tally *tally, const struct tally_row *row);

#endif /* PFMON_TALLY_H */
