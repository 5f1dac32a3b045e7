/* SPDX-License-Identifier: MIT */
/*
 * A thread that has marked regions: its session, its present counters, and the counts of
 * its regions. Only the thread itself changes it. A process that writes its record reads
 * the list of all threads while they may run. So a table or a region is complete before
 * it can be found, and lives as long as the thread.
 */
#ifndef MARK_THREAD_H
#define MARK_THREAD_H

#include <perfmon/pfm_state.h>
#include <stdbool.h>

#include "mark/mark_file.h"

/* The sums of a region up to some moment. */
struct region_sums {
	uint64_t entries, marks, time_ns;
	uint64_t counts[MARK_EVENTS_MAX];
};

struct region {
	char *name;
	uint32_t hash;
	unsigned int depth; /* begins without an end so far */
	unsigned int version; /* odd while the sums change */
	struct region_sums sums;
	/* Used by the writer of records, under the lock of the list: */
	struct region_sums told; /* the part that has been written */
	struct region_sums telling; /* the sums being written now */
	bool is_told;
	/* Stored at the outermost begin: */
	uint64_t marks_then, time_then;
	uint64_t counts_then[MARK_EVENTS_MAX];
};

struct region_table {
	struct region_table *before; /* smaller one; others may still read it */
	unsigned int room; /* a power of two */
	struct region *places[];
};

struct thread {
	struct thread *next; /* all threads, the newest first */
	uint32_t tid;
	bool dead;
	bool busy; /* in a mark, perhaps interrupted by a signal */
	enum mark_means means;
	int why; /* errno for MARK_UNCOUNTED */
	int fd;
	const struct pfm_state *state;
	unsigned int events;
	unsigned int index[MARK_EVENTS_MAX]; /* their elements in the page */
	pfarg_pmr_t pmds[MARK_EVENTS_MAX];
	uint64_t cost[MARK_EVENTS_MAX];
	/* Marks so far, and the counts within them, which belong to no region. */
	uint64_t marks;
	uint64_t in[MARK_EVENTS_MAX], out[MARK_EVENTS_MAX];
	uint64_t inside[MARK_EVENTS_MAX];
	struct region_table *table;
	unsigned int region_count;
	uint64_t unmatched;
	/* Used by the writer of records, as above: */
	uint64_t unmatched_told;
	uint32_t telling; /* number of regions */
};

/* Gives the caller a session according to the setup. NULL: no memory. */
struct thread *thread_new(const struct mark_setup *setup);

/* Ends the session; the counts stay. */
void thread_end(struct thread *thread);

void thread_free(struct thread *thread);

/* Finds the region of that name, or makes it. NULL: no memory. */
struct region *thread_region(struct thread *thread, const char *name);

/* The table of a thread that may be running, and a region of it or NULL. */
const struct region_table *thread_table(const struct thread *thread);
struct region *thread_place(const struct region_table *table, unsigned int i);

/*
 * Reads the present counters, by the page or by calls; if these fail, the thread is no
 * longer counted. Not inlined: each call must cost the same.
 */
void thread_read(struct thread *thread, uint64_t values[MARK_EVENTS_MAX]);

#endif /* MARK_THREAD_H */
