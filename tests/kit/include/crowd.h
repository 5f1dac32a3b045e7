/* SPDX-License-Identifier: GPL-2.0-only */
/* Thousands of sessions at once, and what each of them costs. */
#ifndef PFM_TEST_CROWD_H
#define PFM_TEST_CROWD_H

#include <stdint.h>

/* So many at each end of a crowd are compared. */
#define CROWD_ENDS 100

struct crowd {
	int *fds;
	unsigned int n; /* sessions */
	/* Instructions of one creation, over the second hundred and the last. */
	uint64_t first;
	uint64_t last;
	uint64_t bytes; /* memory of the kernel for one session */
};

/*
 * Creates @n detached sessions without a buffer, at least 3 * CROWD_ENDS, and
 * raises the limit of descriptors for them. Returns 0, or -1 with errno.
 * Without the test machine there are no instructions: @first and @last are 0.
 */
int crowd_create(struct crowd *crowd, unsigned int n);

/* Closes what crowd_create() has made, also if it has failed. */
void crowd_close(struct crowd *crowd);

#endif
