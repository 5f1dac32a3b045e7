/* SPDX-License-Identifier: GPL-2.0-only */
/* What perfmon has of the machine while no session exists, from debugfs. */
#ifndef PFM_TEST_OWNER_H
#define PFM_TEST_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#define LINGER_DEFAULT "1000"

/*
 * How many milliseconds the PMU stays after the last session. "0" gives it back
 * if it lingers. Returns 0 or an errno.
 */
int linger_set(const char *ms);

/* Whether the hooks of the scheduler are patched in; -1 if not known. */
int hooks_enabled(void);

/* How often perfmon has taken the PMU since boot. */
int64_t pmu_taken(void);

/* Whether /sys/kernel/perfmon/pmu_owner says @name. */
bool pmu_owner_is(const char *name);

#endif
