/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In the place of libpfm's header of this name: the kernel's structures, and the
 * functions of calls.c.
 */
#ifndef PERFMON_PERFMON_H
#define PERFMON_PERFMON_H

#include <linux/types.h>
#include <stdint.h>

/* Programs print 64-bit fields as uint64_t, on x86-64 another type. */
#define __u64 uint64_t
#include <linux/perfmon.h>
#undef __u64

typedef struct pfarg_pmr pfarg_pmr_t;
typedef struct pfarg_pmd_attr pfarg_pmd_attr_t;
typedef struct pfarg_setdesc pfarg_setdesc_t;
typedef struct pfarg_setinfo pfarg_setinfo_t;
typedef struct pfarg_ovfl_msg pfarg_ovfl_msg_t;
typedef union pfarg_msg pfarg_msg_t;

int pfm_create_session(int flags, ...);
int pfm_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...);
int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...);
int pfm_attach_session(int fd, int flags, int target);
int pfm_detach_session(int fd, int flags);
int pfm_start_session(int fd, int flags);
int pfm_stop_session(int fd, int flags);
int pfm_create_sets(int fd, int flags, pfarg_setdesc_t *sets, int n);
int pfm_getinfo_sets(int fd, int flags, pfarg_setinfo_t *infos, int n);

#endif
