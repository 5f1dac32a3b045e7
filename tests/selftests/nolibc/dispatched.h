/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Register values of events on processors on which the library does not run.
 * The build host's library has dispatched them (dispatch_values.c).
 */
#ifndef PFM_TEST_DISPATCHED_H
#define PFM_TEST_DISPATCHED_H

#include <stdint.h>

#define DISPATCHED_MAX_PMCS 4

struct dispatched {
	const char *processor; /* as in machine/cpus; NULL: the end */
	const char *event;
	/* num events in den instructions of the test machine; 0: not known */
	unsigned int num, den;
	uint16_t pmd;
	unsigned int num_pmcs;
	struct {
		uint16_t num;
		uint64_t value;
	} pmcs[DISPATCHED_MAX_PMCS];
};

extern const struct dispatched dispatched_values[];

#endif
