/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters that overflow after a number of events. */
#ifndef PFM_TEST_OVERFLOW_PERIOD_H
#define PFM_TEST_OVERFLOW_PERIOD_H

#include <stdint.h>

#include <perfmon/perfmon.h>

#include "pmu.h"

/* Marks a PMD in one of the masks of the attributes. */
void pmd_mark(uint64_t *mask, uint16_t num);

/*
 * Lets @counter count user instructions and overflow after each @period; @flags
 * are those of the PMD. What @attr says of reset values is ignored; it may be
 * NULL.
 */
int period_program(int fd, const struct pmu_counter *counter, uint32_t flags,
		   uint64_t period, const struct pfarg_pmd_attr *attr);

/*
 * A new session, created with @flags, whose first counter overflows and
 * notifies after each @period user instructions; or -1.
 */
int period_session(int flags, uint64_t period);

/* Resumes after a notification. */
int period_restart(int fd);

#endif
