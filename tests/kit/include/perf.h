/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of perf_event, the other user of the PMU. */
#ifndef PFM_TEST_PERF_H
#define PFM_TEST_PERF_H

#include <stdbool.h>
#include <stdint.h>

/* Opens the hardware event "user instructions" of this thread, disabled. */
int perf_open_instructions(void);

/* The same with a sample each @period instructions. */
int perf_open_sampling(uint64_t period);

/*
 * Opens @n hardware events of this thread that count user instructions as one
 * group, disabled. Returns the descriptor of the leader, which has to be
 * closed last; @fds gets all of them. -1 on failure.
 */
int perf_open_group(int n, int *fds);

/* Opens a software event of this thread, counting at once. */
int perf_open_software(void);

/* The count of an event, or ~0. */
uint64_t perf_value(int fd);

/*
 * User instructions that perf counts around a loop of @instructions on @fd,
 * or ~0.
 */
uint64_t perf_count_loop(int fd, unsigned long instructions);

/*
 * Samples that perf takes during a loop of @instructions with one sample each
 * @period, or -1.  Where perf miscounts, those of the best of three loops.
 */
int perf_sample_loop(uint64_t period, unsigned long instructions);

/*
 * Whether this processor is one on which perf_event counts wrong: the driver
 * of Linux 6.12 for the Pentium 4 writes each counter a second time, with the
 * period before.
 */
bool perf_miscounts(void);

/*
 * Counts and samples loops on the processor of the caller, as a machine without
 * perfmon can. Returns what went wrong, or "".
 */
const char *perf_trouble(void);

#endif
