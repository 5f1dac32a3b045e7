/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interfaces of administrators and developers: sysfs and debugfs.
 */
#ifndef _KERNEL_PERFMON_ADMIN_H
#define _KERNEL_PERFMON_ADMIN_H

#include <linux/types.h>

struct kobject;
struct kset;

int perfmon_enable(bool enable);
int perfmon_sysfs_init(void);
void perfmon_sysfs_exit(void);
int perfmon_pmu_desc_init(struct kobject *parent);
void perfmon_pmu_desc_exit(void);
int perfmon_kinds_init(struct kset *pmu_desc);

#ifdef CONFIG_DEBUG_FS
void perfmon_debugfs_init(void);
void perfmon_debugfs_exit(void);
#else
static inline void perfmon_debugfs_init(void) { }
static inline void perfmon_debugfs_exit(void) { }
#endif

#endif /* _KERNEL_PERFMON_ADMIN_H */
