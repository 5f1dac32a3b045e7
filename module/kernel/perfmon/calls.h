/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bodies of the system calls. A module calls them from ioctl(), with the
 * session's file as their descriptor; compat.h gives them these names.
 */
#ifndef _KERNEL_PERFMON_CALLS_H
#define _KERNEL_PERFMON_CALLS_H

#include <linux/perfmon_pmu.h>
#include <linux/types.h>

struct file;

long perfmon_pfm_create_session(int flags, const char __user *name,
				void __user *arg, size_t size);
long perfmon_pfm_write_pmrs(struct file *file, int flags,
			    struct pfarg_pmr __user *pmrs, int n,
			    struct pfarg_pmd_attr __user *pmas);
long perfmon_pfm_read_pmrs(struct file *file, int flags,
			   struct pfarg_pmr __user *pmrs, int n,
			   struct pfarg_pmd_attr __user *pmas);
long perfmon_pfm_attach_session(struct file *file, int flags, int target);
long perfmon_pfm_start_session(struct file *file, int flags);
long perfmon_pfm_stop_session(struct file *file, int flags);
long perfmon_pfm_create_sets(struct file *file, int flags,
			     struct pfarg_setdesc __user *sets, int n);
long perfmon_pfm_getinfo_sets(struct file *file, int flags,
			      struct pfarg_setinfo __user *infos, int n);

int perfmon_calls_init(void);
void perfmon_calls_exit(void);

#endif /* _KERNEL_PERFMON_CALLS_H */
