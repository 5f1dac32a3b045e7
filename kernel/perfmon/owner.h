/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfmon as the owner of the PMU, while sessions hold it and for a time
 * afterwards; see owner.c.
 */
#ifndef _KERNEL_PERFMON_OWNER_H
#define _KERNEL_PERFMON_OWNER_H

#include <linux/types.h>

struct perfmon_session;

void perfmon_pmu_init(void (*interrupt)(unsigned long ip));
void perfmon_pmu_exit(void);

int perfmon_pmu_get(struct perfmon_session *s);
void perfmon_pmu_put(struct perfmon_session *s);
bool perfmon_pmu_allow(bool allow);
bool perfmon_pmu_allowed(void);
struct perfmon_session *perfmon_pmu_holder(void);
int perfmon_pmu_wait_free(void);
u64 perfmon_pmu_taken(void);
unsigned int perfmon_linger_ms(void);
int perfmon_linger_set(u64 ms);

#endif /* _KERNEL_PERFMON_OWNER_H */
