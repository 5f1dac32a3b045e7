/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How fast samples of a stream come: that of many, which have pauses among them once
 * the kernel has begun to stop the counters, and that of a moment that is over before.
 */
#ifndef PFMON_PACE_H
#define PFMON_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Samples a second of a CPU, above which the kernel soon stops them. */
#define PACE_MAX 100000

/*
 * Only each so many-th sample is looked at: fewer than the kernel lets come before it
 * stops them, so that there are moments without a pause.
 */
#define PACE_STEP 64

/* What so many samples took. */
struct pace_span {
	uint64_t mark; /* when the last so many began */
	uint64_t shortest_ns; /* 0: there were fewer */
};

struct pace {
	struct pace_span many, moment;
};

/* A sample came, the count-th of its stream, at a time in ns; of each PACE_STEP-th. */
void pace_see(struct pace *pace, uint64_t count, uint64_t ns);

/* Takes what another one has seen, if that was faster. */
void pace_join(struct pace *pace, const struct pace *other);

/* Samples a second of the fastest moment; 0: there was none. */
uint64_t pace_peak(const struct pace *pace);

/* Whether the kernel may stop counters for it. */
bool pace_is_too_fast(const struct pace *pace);

#endif /* PFMON_PACE_H */
