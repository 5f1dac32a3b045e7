/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling of this thread. Either one counter overflows after each period, and a
 * second one, if there is one, counts all events and is read with each sample; or
 * all counters overflow. The buffer is so small that any user may lock it.
 */
#ifndef PFMON_SELFTEST_SAMPLER_H
#define PFMON_SELFTEST_SAMPLER_H

#include "counters.h"
#include "judge.h"
#include "loops.h"

/* Samples that the buffers of sampler_open() and sampler_open_all() can hold. */
#define SAMPLER_ROOM 200
#define SAMPLER_ROOM_OF_ALL 700

struct sampler {
	int fd;
	void *buffer;
	size_t size; /* of the buffer */
	struct program program; /* counters that overflow come first */
	int sampling; /* number of these */
	uint64_t periods[COUNTERS_MAX]; /* theirs; the kernel may raise them */
};

/*
 * Makes the session, attached to this thread, for instructions at user level;
 * reference may be NULL, flags are PFM_FL_*. Returns 0, or -1 with errno; then nothing is
 * left.
 */
int sampler_open(struct sampler *s, const struct pmu *pmu,
		 const struct counter *counter, const struct counter *reference,
		 uint64_t period, int flags);

/* The same for all counters of the program, each with a period of its own. */
int sampler_open_all(struct sampler *s, const struct program *program,
		     const uint64_t *periods);
void sampler_close(struct sampler *s);

/*
 * Sums up the samples of counter i of the program, after the session has been
 * stopped. The total is that of the reference, or "executed" if there is none;
 * inside() knows the addresses of the loop. Returns 0, or -1 with errno.
 */
int sampler_result(const struct sampler *s, int i, uint64_t executed,
		   bool (*inside)(uint64_t ip), struct sampled *sampled);

/*
 * Computes by the reference how many events each sample is behind its overflow.
 * Returns the number of values in skids, which has room for SAMPLER_ROOM.
 */
int sampler_skids(const struct sampler *s, uint64_t *skids);

#endif /* PFMON_SELFTEST_SAMPLER_H */
