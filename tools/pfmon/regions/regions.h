/* SPDX-License-Identifier: GPL-2.0-only */
/* What processes have counted in the regions that they have marked. */
#ifndef PFMON_REGIONS_H
#define PFMON_REGIONS_H

#include <mark/mark_file.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A region of a thread, or of the threads of a process, or of all. */
struct region_row {
	char *name;
	unsigned int pid, tid; /* 0: of all */
	char comm[17]; /* of the process, "" if they are several */
	unsigned int threads;
	bool counted; /* in all of the threads */
	uint64_t entries, time_ns;
	/* As the events are ordered; what marks cost is taken off. */
	uint64_t counts[MARK_EVENTS_MAX];
};

struct regions {
	struct region_row *rows;
	size_t count;
	unsigned int processes, threads;
	unsigned int by_calls; /* threads that read counters by calls */
	unsigned int uncounted; /* threads without counters */
	int why; /* errno of one of them */
	uint64_t unmatched; /* ends without a begin */
	unsigned int open; /* regions that did not end */
	bool broken; /* something that nobody has written so */
	uint64_t cost[MARK_EVENTS_MAX]; /* of a mark, at most */
};

enum regions_grouping {
	REGIONS_ALL,
	REGIONS_PROCESSES,
	REGIONS_THREADS,
};

/*
 * Reads the records behind the setup, for so many events: place says for each counter
 * which event it counts. Rows are ordered by name, process and thread. 0, or -1 after
 * a message; regions_free() in any case.
 */
int regions_read(struct regions *regions, int fd,
		 enum regions_grouping grouping, const int *place,
		 int event_count);

void regions_free(struct regions *regions);

#endif /* PFMON_REGIONS_H */
