/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks and mappings as the kernel tells them, while they happen: by a software
 * event of perf_event that counts nothing, and that perfmon leaves alone. It has
 * the clock of samples.
 */
#ifndef PFMON_PERF_MAPS_H
#define PFMON_PERF_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "profile/writer.h"
#include "record/mapped_files.h"

struct perf_ring;

struct perf_maps {
	struct writer *writer;
	struct mapped_files *files;
	struct perf_ring *rings; /* one for each CPU */
	int count;
	int *events; /* that have no ring of their own */
	int event_count, event_capacity;
	int epoll; /* is told of records */
	bool inherit; /* what is made later is told, too */
	uint64_t lost; /* records */
};

/* What epoll tells of the rings. */
#define PERF_MAPS_NEWS UINT64_MAX

/*
 * Whether the kernel tells them of a thread of the caller's, or of all CPUs. Opens
 * nothing. -1 with errno.
 */
int perf_maps_probe(bool system_wide);

/* Makes room. -1 with errno; perf_maps_close() is to follow in any case. */
int perf_maps_open(struct perf_maps *maps, struct writer *writer,
		   struct mapped_files *files, int epoll, bool inherit);

/* Of a thread; -1 stands for whatever runs. -1 with errno. */
int perf_maps_watch(struct perf_maps *maps, pid_t tid);

/* Writes what has come. */
void perf_maps_take(struct perf_maps *maps);

void perf_maps_close(struct perf_maps *maps);

#endif /* PFMON_PERF_MAPS_H */
