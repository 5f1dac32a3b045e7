/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a counter counts exactly: loops of several lengths run on it, one
 * after the other; what a longer one counts more has to be what it executes
 * more. No C library behind it.
 */
#ifndef PFM_TEST_COUNTER_CHECK_H
#define PFM_TEST_COUNTER_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * For a session that is attached to the caller and programmed to count an event
 * that comes num times in den instructions of the test machine. any_level: the
 * counter does not tell user level from the others. Says what is wrong.
 */
bool counts_exactly(int fd, uint16_t pmd, unsigned int num, unsigned int den,
		    bool any_level);

/*
 * Starts a session that is attached, executes so many instructions in a loop,
 * and stops it, with the same code around the loop for everybody. Returns 0 or -1.
 */
int counted_run(int fd, unsigned long instructions);

/* What such a run counts from 0 in a PMD. ~0 is a failure. */
uint64_t counted_from_zero(int fd, uint16_t pmd, unsigned long instructions);

/*
 * A new session of the caller counts a loop on the first counter as if nobody
 * else had ever used the PMU. Returns "" or what is wrong.
 */
const char *perfmon_trouble(void);

#endif
