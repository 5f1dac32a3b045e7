/* SPDX-License-Identifier: MIT */
/*
 * perfmon for programs: the structures and constants of the kernel interface,
 * and the functions of libpfm that call the kernel.
 *
 * There are two interfaces, and one program may use both, even on the same
 * descriptor:
 *
 *   v3.0	pfm_create_session() and what follows below; the kernel's own
 *   v2.81	pfm_create_context() and the others of perfmon_v2.h, which the
 *		library translates to v3.0
 *
 * perfmon_draft.h has the names of a draft of version 3 that libpfm 3.10 used.
 *
 * Macros that may be defined before this file is included:
 *
 *   PFM_HIDE_V281	do not declare v2.81
 *   PFM_HIDE_V30	do not declare v3.0 and its draft
 *   PFMLIB_OLD_PFMV2	declare the structures of version 2.2 in place of those
 *			of v2.81, for kernels that have it; hides v3.0, and of
 *			its draft what libpfm 3.10 hid then
 *
 * Each function returns -1 and sets errno if it fails.  Without a kernel that
 * provides perfmon, every function fails with ENOSYS; on a kernel with version
 * 2, all functions of v3.0 do.  pfm_create_session(3) lists the errors of each
 * call.
 */
#ifndef PERFMON_PERFMON_H
#define PERFMON_PERFMON_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* for programs that rely on it */

#ifdef PFMLIB_OLD_PFMV2
#undef PFM_HIDE_V30
#define PFM_HIDE_V30
#endif

/*
 * Programs print the 64-bit fields, and point to them, as uint64_t, which is a
 * different type from the kernel's __u64 on x86-64.
 */
#define __u64 uint64_t
#include "perfmon_kernel.h"
#undef __u64

#ifdef __i386__
#include "perfmon_i386.h"
#else
#include "perfmon_x86_64.h"
#endif

/*
 * Bits in a word of a bit vector, and the number of words for x bits.  These
 * and the following sizes have type size_t, as in libpfm 3.10, because programs
 * print them.
 */
#define PFM_BPL (8 * sizeof(uint64_t))
#define PFM_BVSIZE(x) (((x) + PFM_BPL - 1) / PFM_BPL)
#undef PFM_PMC_BV
#undef PFM_PMD_BV
#define PFM_PMC_BV PFM_BVSIZE(PFM_MAX_PMCS)
#define PFM_PMD_BV PFM_BVSIZE(PFM_MAX_PMDS)

typedef int os_err_t;

#ifndef PFMLIB_OLD_PFMV2
typedef struct pfarg_setdesc pfarg_setdesc_t;
typedef struct pfarg_setinfo pfarg_setinfo_t;
typedef struct pfarg_ovfl_msg pfarg_ovfl_msg_t;
typedef union pfarg_msg pfarg_msg_t;
#endif

#if !defined(PFM_HIDE_V30) || defined(PFMLIB_OLD_PFMV2)
typedef struct pfarg_pmr pfarg_pmr_t;
#endif

#ifndef PFM_HIDE_V30

typedef struct pfarg_pmd_attr pfarg_pmd_attr_t;

#ifdef __cplusplus
extern "C" {
#endif

/* The library hides all names that its headers do not declare. */
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

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

/*
 * pfm_getinfo_evtsets() is another name of pfm_getinfo_sets(), and also the
 * name of a v2.81 function (perfmon_v2.h) without flags: with four arguments it
 * is the former, with three the latter.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvariadic-macros" /* in C90 */
#define pfm_getinfo_evtsets(...)                                       \
	PFM_FIFTH_(__VA_ARGS__, pfm_getinfo_sets, pfm_getinfo_evtsets, \
		   not_called)                                         \
	(__VA_ARGS__)
#define PFM_FIFTH_(a, b, c, d, fifth, ...) fifth
#pragma GCC diagnostic pop

#endif /* PFM_HIDE_V30 */

#if !defined(PFM_HIDE_V30) || defined(PFMLIB_OLD_PFMV2)
#include "perfmon_draft.h"
#endif

#ifndef PFM_HIDE_V281
#include "perfmon_v2.h"
#endif

#endif /* PERFMON_PERFMON_H */
