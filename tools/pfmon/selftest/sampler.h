/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling of this thread: one counter overflows after each period, a second one,
 * if there is one, counts all events and is read with each sample. The buffer is so
 * small that any user may lock it.
 */
#ifndef PFMON_SELFTEST_SAMPLER_H
#define PFMON_SELFTEST_SAMPLER_H

#include "counters.h"
#include "judge.h"
#include "loops.h"

/* So many samples find room in any case. */
#define SAMPLER_ROOM 200

struct sampler {
	int fd;
	void *buffer;
	struct program program; /* the counter that overflows is the first */
	uint64_t period; /* as the kernel has it, which may have raised it */
};

/*
 * Makes the session, attached to this thread, for instructions at user level;
 * reference may be NULL. Returns 0, or -1 with errno; then nothing is left.
 */
int sampler_open(struct sampler *s, const struct pmu *pmu,
		 const struct counter *counter, const struct counter *reference,
		 uint64_t period);
void sampler_close(struct sampler *s);

/*
 * What was sampled since the session began; it has to be stopped. The total is
 * that of the reference, or "executed" if there is none. Addresses have to be in
 * the loop. Returns 0, or -1 with errno.
 */
int sampler_result(const struct sampler *s, uint64_t executed,
		   bool (*inside)(uint64_t ip), struct sampled *sampled);

/*
 * How many events after each overflow a sample was taken, by the reference.
 * Returns how many values there are in skids, which has SAMPLER_ROOM.
 */
int sampler_skids(const struct sampler *s, uint64_t *skids);

#endif /* PFMON_SELFTEST_SAMPLER_H */
