/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling: the formats, and the buffers that they fill.
 */
#ifndef _KERNEL_PERFMON_SMPL_H
#define _KERNEL_PERFMON_SMPL_H

#include <linux/perfmon_fmt.h>
#include <linux/types.h>

struct kobject;
struct perfmon_account;
struct perfmon_session;
struct vm_area_struct;

struct pfm_smpl_fmt *perfmon_fmt_get(const char __user *name);
void perfmon_fmt_put(struct pfm_smpl_fmt *fmt);
int perfmon_fmt_start(struct perfmon_session *s, struct pfm_smpl_fmt *fmt,
		      const void *arg);
void perfmon_fmt_stop(struct perfmon_session *s);
int perfmon_fmt_sysfs_init(struct kobject *parent);
void perfmon_fmt_sysfs_exit(void);
int perfmon_cpus_start(struct perfmon_session *s, unsigned int nr_pmds,
		       const void *arg);
struct pfm_smpl_fmt *perfmon_cpus_stop(struct perfmon_session *s);
int perfmon_cpus_mmap(struct perfmon_session *s, struct vm_area_struct *vma);
void perfmon_dfl_exit(void);
void perfmon_stacks_exit(void);
void perfmon_precise_exit(void);

struct perfmon_buffer *perfmon_buffer_alloc(const struct perfmon_account *payer,
					    size_t size);
void perfmon_buffer_put(struct perfmon_buffer *buf);
void *perfmon_buffer_addr(struct perfmon_buffer *buf);
int perfmon_buffer_mmap(struct perfmon_buffer *buf, struct vm_area_struct *vma,
			unsigned long pgoff, bool writable);
size_t perfmon_buffer_mem_cur(void);
size_t perfmon_buffer_mem_max(void);
void perfmon_buffer_set_mem_max(size_t max);

#endif /* _KERNEL_PERFMON_SMPL_H */
