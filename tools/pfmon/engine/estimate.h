/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what one of several sets has counted to what all of the run had.
 * Arithmetic only.
 *
 * No event of the reference is lost between two sets, so that their sum is that
 * of the run, and what part of it a set has seen is known exactly. An event is
 * supposed to be as frequent in the other part; the interval supposes nothing.
 */
#ifndef PFMON_ESTIMATE_H
#define PFMON_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

struct estimate {
	uint64_t counted; /* in the set of the event */
	uint64_t value; /* of the run; of no use unless seen */
	uint64_t low, high; /* between these it is for certain */
	bool bounded; /* high is known */
	double seen; /* part of the run, 0 to 1 */
};

/*
 * part and whole are of the reference, or ns if there is none. most: how many of
 * the event there can be with one of the reference, 0: any number.
 */
struct estimate estimate_make(uint64_t counted, uint64_t part, uint64_t whole,
			      unsigned int most);

/* Whether it is the count of the run, and no estimate. */
bool estimate_is_exact(const struct estimate *estimate);

/* Whether the event's set had a turn at all. */
bool estimate_is_seen(const struct estimate *estimate);

#endif /* PFMON_ESTIMATE_H */
