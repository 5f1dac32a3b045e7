/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System-wide sessions that leave their CPUs to a session of a thread.
 */
#ifndef _KERNEL_PERFMON_EVICT_H
#define _KERNEL_PERFMON_EVICT_H

void perfmon_evict_begin(void);
void perfmon_evict_end(void);

#endif /* _KERNEL_PERFMON_EVICT_H */
