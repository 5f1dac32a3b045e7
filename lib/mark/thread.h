/* SPDX-License-Identifier: MIT */
/*
 * A thread that has marked regions: its session, its counters as of now, and what
 * its regions have. Only the thread itself changes it; the list of all is read when
 * the process hands over what it has, while the threads may run: so a table and a
 * region are whole before they can be found, and live as long as the thread.
 */
#ifndef MARK_THREAD_H
#define MARK_THREAD_H

#include <perfmon/pfm_state.h>
#include <stdbool.h>

#include "mark/mark_file.h"

/* What a region has, up to some moment. */
struct region_sums {
	uint64_t entries, marks, time_ns;
	uint64_t counts[MARK_EVENTS_MAX];
};

struct region {
	char *name;
	uint32_t hash;
	unsigned int depth; /* begun so often more than ended */
	unsigned int version; /* odd while sums changes */
	struct region_sums sums;
	/* Of who hands over, with the lock of the list: */
	struct region_sums told; /* that part of it was handed over */
	struct region_sums telling; /* and this will be */
	bool is_told;
	/* At the outermost begin: */
	uint64_t marks_then, time_then;
	uint64_t counts_then[MARK_EVENTS_MAX];
};

struct region_table {
	struct region_table *before; /* a smaller one, which may still be read */
	unsigned int room; /* a power of two */
	struct region *places[];
};

struct thread {
	struct thread *next; /* of all, the last one first */
	uint32_t tid;
	bool dead;
	bool busy; /* in a mark, which a signal may have interrupted */
	enum mark_means means;
	int why; /* errno of MARK_UNCOUNTED */
	int fd;
	const struct pfm_state *state;
	unsigned int events;
	unsigned int index[MARK_EVENTS_MAX]; /* elements of the page */
	pfarg_pmr_t pmds[MARK_EVENTS_MAX];
	uint64_t cost[MARK_EVENTS_MAX];
	/* Marks so far, and what was counted in them and is no part of a region. */
	uint64_t marks;
	uint64_t in[MARK_EVENTS_MAX], out[MARK_EVENTS_MAX];
	uint64_t inside[MARK_EVENTS_MAX];
	struct region_table *table;
	unsigned int region_count;
	uint64_t unmatched;
	/* Of who hands over, as above: */
	uint64_t unmatched_told;
	uint32_t telling; /* regions */
};

/* A session as the setup says, for the caller. NULL: no memory. */
struct thread *thread_new(const struct mark_setup *setup);

/* The session ends, and the counts stay. */
void thread_end(struct thread *thread);

void thread_free(struct thread *thread);

/* The region of that name, made if there is none. NULL: no memory. */
struct region *thread_region(struct thread *thread, const char *name);

/* The table of a thread that may run, and a region of it or NULL. */
const struct region_table *thread_table(const struct thread *thread);
struct region *thread_place(const struct region_table *table, unsigned int i);

/*
 * The counters as of now, by the page or by calls; if these fail, the thread is not
 * counted any more. No part of its callers: each call costs the same.
 */
void thread_read(struct thread *thread, uint64_t values[MARK_EVENTS_MAX]);

#endif /* MARK_THREAD_H */
