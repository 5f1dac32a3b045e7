/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock that stamps samples, which programs cannot read: the scheduler's. It
 * and one that they can read differ by what is found here.
 */
#ifndef PFMON_CLOCK_H
#define PFMON_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct stamp_clock {
	bool known;
	int64_t ahead_ns; /* of CLOCK_MONOTONIC_RAW */
	uint64_t last; /* stamp that was seen, if that is all there is */
};

/* Asks perf_event for a stamp of this moment; that may not work. */
void clock_compare(struct stamp_clock *clock);

/* Now; if the clock is not known, just after all that was seen. */
uint64_t clock_stamp(const struct stamp_clock *clock);

/* A sample was seen. */
static inline void clock_see(struct stamp_clock *clock, uint64_t stamp)
{
	if (stamp > clock->last)
		clock->last = stamp;
}

#endif /* PFMON_CLOCK_H */
