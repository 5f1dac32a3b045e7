/* SPDX-License-Identifier: MIT */
/*
 * perfmon v3.0 for programs: the structures and constants of the kernel
 * interface, and the functions of libpfm that call the kernel.
 *
 * Each function returns -1 and sets errno when it fails.  Without a kernel
 * that provides perfmon v3.0 every function fails with ENOSYS.  The errors of
 * each call are listed in pfm_create_session(3).
 */
#ifndef PERFMON_PERFMON_H
#define PERFMON_PERFMON_H

#include <stddef.h>

#include "perfmon_kernel.h"

typedef struct pfarg_pmr pfarg_pmr_t;
typedef struct pfarg_pmd_attr pfarg_pmd_attr_t;
typedef struct pfarg_setdesc pfarg_setdesc_t;
typedef struct pfarg_setinfo pfarg_setinfo_t;
typedef struct pfarg_ovfl_msg pfarg_ovfl_msg_t;
typedef union pfarg_msg pfarg_msg_t;

#ifdef __cplusplus
extern "C" {
#endif

/* The library hides everything that is not declared here. */
#pragma GCC visibility push(default)

/*
 * Creates a session and returns its file descriptor.  Three more arguments
 * are read if, and only if, flags has PFM_FL_SMPL_FMT:
 * (char *smpl_name, void *smpl_arg, size_t smpl_size).
 */
int pfm_create_session(int flags, ...);

/*
 * Write and read n registers.  One more argument is read if, and only if,
 * flags has PFM_RWFL_PMD_ATTR: (pfarg_pmd_attr_t *pmas), a vector of n.
 */
int pfm_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...);
int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...);

/* Target: a thread, a CPU (system-wide session) or a pidfd (ATFL_PIDFD). */
int pfm_attach_session(int fd, int flags, int target);
int pfm_detach_session(int fd, int flags);

int pfm_start_session(int fd, int flags);
int pfm_stop_session(int fd, int flags);

int pfm_create_sets(int fd, int flags, pfarg_setdesc_t *sets, int n);
int pfm_getinfo_sets(int fd, int flags, pfarg_setinfo_t *infos, int n);

/*
 * The other name of pfm_getinfo_sets().  It is a macro because the function
 * of this name belongs to an older interface and has other arguments.
 */
#define pfm_getinfo_evtsets(fd, flags, infos, n) \
	pfm_getinfo_sets((fd), (flags), (infos), (n))

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* PERFMON_PERFMON_H */
