/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording: all streams of samples, and the mappings that explain them, on their
 * way into a file. It is the struct sampling of a measurement.
 */
#ifndef PFMON_RECORDING_H
#define PFMON_RECORDING_H

#include "engine/measure.h"
#include "record/clock.h"
#include "record/perf_maps.h"
#include "record/proc_maps.h"
#include "record/stream.h"
#include "record/unwinding.h"

/* Processes that samples of a CPU were of, to be looked at. */
#define RECORDING_SEEN 64

struct recording {
	struct measurement *measurement;
	struct sampling sampling;
	struct stream_kind kind;
	struct periods periods;
	struct thin thins[COUNTERS_MAX]; /* of each of them */
	struct writer writer;
	struct unwinding unwinding;
	struct stamp_clock clock;
	bool by_perf; /* the kernel tells of mappings, else /proc does */
	bool running; /* those that were there at the start are attached */
	struct mapped_files files;
	struct perf_maps perf;
	struct proc_maps proc;
	uint32_t seen[RECORDING_SEEN];
	int seen_count;
	struct stream **streams; /* by descriptor */
	int capacity;
	int epoll;
	uint64_t rate; /* samples a second that one stream had for a moment */
	bool judged; /* as too many, which was said */
	/* Called once, when nothing is in the way any more; NULL: no matter. */
	void (*begun)(void *arg);
	void *arg;
	uint64_t alone; /* samples at user level without a caller */
	uint64_t repeats; /* that readers make of samples that stand for several */
	unsigned int unsampled; /* threads that there was no memory for */
};

/*
 * Decides who tells of mappings, and by what means they have to be followed, before the
 * measurement is prepared. 0, or -1 after a message.
 */
int recording_mappings(struct request *request, bool *by_perf);

/*
 * Decides what is sampled. The measurement is prepared. 0, or -1 after a message;
 * recording_close() is to follow in both cases.
 */
int recording_prepare(struct recording *recording,
		      struct measurement *measurement, bool by_perf);

/* Before the first session: the file is open, and gets its first chunks. */
int recording_begin(struct recording *recording, int fd, char *const argv[]);

/* The samples of the file that its readers keep. */
uint64_t recording_kept(const struct recording *recording);

/* A longer period, that the kernel may still throttle, but no shorter one. */
uint64_t recording_period(const struct recording *recording);

/*
 * After the last one: what has come of mappings, and of call chains. 0, or -1 with errno:
 * the file cannot be written.
 */
int recording_end(struct recording *recording);

void recording_close(struct recording *recording);

#endif /* PFMON_RECORDING_H */
