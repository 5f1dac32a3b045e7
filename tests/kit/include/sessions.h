/* SPDX-License-Identifier: GPL-2.0-only */
/* How many sessions are attached, on the whole machine. */
#ifndef PFM_TEST_SESSIONS_H
#define PFM_TEST_SESSIONS_H

#include <stdbool.h>

/* Those of threads now, from sysfs. */
long sessions_attached(void);

/* Those of CPUs. */
long cpu_sessions_attached(void);

/*
 * Waits at most a second until the number of the former is @count; for what the kernel may
 * do later, such as the end of a session that another thread closed.
 */
bool sessions_attached_becomes(long count);

/*
 * Waits at most two seconds until no session is left anywhere, nor what they
 * need: memory of buffers and the PMU.
 */
bool nothing_is_left(void);

#endif
