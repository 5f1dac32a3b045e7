/* SPDX-License-Identifier: MIT */
/*
 * The assignment of AMD's events to counters, for dispatch_amd64.c.  Events of family 15h
 * have constraints.  Since Zen, an event with large increments needs two counters: an
 * even one, and the next, which holds the upper part of its counts.
 */
#ifndef PFMLIB_AMD64_COUNTERS_H
#define PFMLIB_AMD64_COUNTERS_H

#include <perfmon/pfmlib_amd64.h>

#include "dispatch.h"

/* An event with its masks. */
struct amd64_use {
	uint64_t counters; /* bit n: PMC n can count it */
	bool is_pair; /* also needs PMC n + 1 */
	bool needs_none; /* it has registers of its own */
};

/* Returns the counters that an event can use; not for IBS. */
struct amd64_use pfmlib_amd64_use(const struct pfmlib_pmu *pmu,
				  unsigned int code, unsigned int umask);

/* A mask of the PMCs that can count the event with any of its masks. */
uint64_t pfmlib_amd64_event_counters(const struct pfmlib_pmu *pmu,
				     unsigned int event);

/*
 * Fills in counter[] with the first assignment, in the order of events and counters;
 * false if there is none.  Events that need no counter still take a counter's place while
 * there is room, because programs expect that.  usable: a mask of PMCs.
 */
bool pfmlib_amd64_assign(const struct amd64_use *uses, unsigned int num_uses,
			 uint64_t usable, unsigned int *counter);

#endif /* PFMLIB_AMD64_COUNTERS_H */
