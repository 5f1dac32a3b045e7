/* SPDX-License-Identifier: MIT */
/*
 * The perfmon v2.81 interface.
 *
 * On a kernel with perfmon v3.0 the library translates each call; the message
 * queue, the sampling buffer, and read, poll, fcntl, mmap and close of the
 * descriptor are the same in both.  On a kernel with version 2, each call is
 * passed on unchanged.
 *
 * Differences from a v2.81 kernel when a call is translated:
 *
 *  - pfm_load_context() and pfm_start() cannot choose the first set: load_set
 *    and start_set must be 0.  pfm_start() continues with the set that was active
 *    at the last stop, which after a load is set 0;
 *  - in strict mode, pfm_start() takes no structure at all and
 *    pfm_delete_evtsets() always fails, as in the first library that did this
 *    translation (pfm_v281_set_strict());
 *  - reg_random_seed is not used: the kernel has its own random numbers;
 *  - set 0 cannot be deleted;
 *  - pfm_create_evtsets() raises a timeout that is too short for v3.0, and stores
 *    the result in set_timeout;
 *  - a pointer that is neither NULL nor valid may be a fault in the library
 *    and not EFAULT;
 *  - if two arguments are wrong, the two kernels may report different errors.
 *
 * Reserved fields are ignored.  The functions may be called by many threads
 * and from signal handlers.
 */
#ifndef PERFMON_PERFMON_V2_H
#define PERFMON_PERFMON_V2_H

#include "perfmon.h"

#ifdef PFMLIB_OLD_PFMV2

/* The structures of version 2.2 that have changed since then. */

#define PFM_MAX_HW_PMDS 256
#define PFM_HW_PMD_BV PFM_BVSIZE(PFM_MAX_HW_PMDS)

typedef struct {
	uint16_t set_id;
	uint16_t set_id_next; /* set to switch to */
	uint32_t set_flags;
	uint64_t set_timeout;
	uint64_t set_mmap_offset;
	uint64_t reserved[5];
} pfarg_setdesc_t;

typedef struct {
	uint16_t set_id;
	uint16_t set_id_next;
	uint32_t set_flags;
	uint64_t set_ovfl_pmds[PFM_PMD_BV];
	uint64_t set_runs;
	uint64_t set_timeout;
	uint64_t set_act_duration;
	uint64_t set_mmap_offset;
	uint64_t set_avail_pmcs[PFM_PMC_BV];
	uint64_t set_avail_pmds[PFM_PMD_BV];
	uint64_t reserved[4];
} pfarg_setinfo_t;

typedef struct {
	uint32_t msg_type;
	uint32_t msg_ovfl_pid;
	uint64_t msg_ovfl_pmds[PFM_HW_PMD_BV];
	uint16_t msg_active_set;
	uint16_t msg_ovfl_cpu;
	uint32_t msg_ovfl_tid;
	uint64_t msg_ovfl_ip;
} pfarg_ovfl_msg_t;

typedef union {
	uint32_t type;
	pfarg_ovfl_msg_t pfm_ovfl_msg;
} pfarg_msg_t;

#endif /* PFMLIB_OLD_PFMV2 */

/* The argument of pfm_create_context(). */
typedef struct {
	uint32_t ctx_flags; /* PFM_FL_NOTIFY_BLOCK, _SYSTEM_WIDE, _OVFL_NO_MSG */
	uint32_t ctx_reserved1;
	uint64_t ctx_reserved3[7];
} pfarg_ctx_t;

/* A control register of one set. */
typedef struct {
	uint16_t reg_num;
	uint16_t reg_set;
	uint32_t reg_flags; /* PFM_REGFL_NO_EMUL64 */
	uint64_t reg_value;
	uint64_t reg_reserved2[4];
} pfarg_pmc_t;

/* A data register of one set. */
typedef struct {
	uint16_t reg_num;
	uint16_t reg_set;
	uint32_t reg_flags; /* PFM_REGFL_OVFL_NOTIFY, PFM_REGFL_RANDOM */
	uint64_t reg_value; /* in, out */
	uint64_t reg_long_reset; /* loaded at a restart */
	uint64_t reg_short_reset; /* loaded at an unmasked overflow */
	uint64_t reg_last_reset_val; /* out: value that was last loaded */
	uint64_t reg_ovfl_switch_cnt; /* in; out: overflows before a switch */
	uint64_t reg_reset_pmds[PFM_PMD_BV]; /* reset together with this one */
	uint64_t reg_smpl_pmds[PFM_PMD_BV]; /* recorded in samples */
	uint64_t reg_smpl_eventid; /* passed to the sampling format */
	uint64_t reg_random_mask;
	uint32_t reg_random_seed; /* not used */
	uint32_t reg_reserved2[7];
} pfarg_pmd_t;

/* The argument of pfm_start(). */
typedef struct {
	uint16_t start_set; /* 0 */
	uint16_t start_reserved1;
	uint32_t start_reserved2;
	uint64_t reserved3[3];
} pfarg_start_t;

/* The argument of pfm_load_context(). */
typedef struct {
	uint32_t load_pid; /* thread, or CPU of a system-wide session */
	uint16_t load_set; /* 0 */
	uint16_t load_reserved1;
	uint64_t load_reserved2[3];
} pfarg_load_t;

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * Creates a session and returns its file descriptor.  smpl_name is the sampling
 * format or NULL; smpl_arg is the format's argument.
 */
os_err_t pfm_create_context(pfarg_ctx_t *ctx, char *smpl_name, void *smpl_arg,
			    size_t smpl_size);

/* Each handles count registers and changes nothing else. */
os_err_t pfm_write_pmcs(int fd, pfarg_pmc_t *pmcs, int count);
os_err_t pfm_write_pmds(int fd, pfarg_pmd_t *pmds, int count);

/* Stores reg_value, reg_last_reset_val and reg_ovfl_switch_cnt. */
os_err_t pfm_read_pmds(int fd, pfarg_pmd_t *pmds, int count);

os_err_t pfm_load_context(int fd, pfarg_load_t *load);
os_err_t pfm_unload_context(int fd);

/* start may be NULL. */
os_err_t pfm_start(int fd, pfarg_start_t *start);
os_err_t pfm_stop(int fd);

/* Resumes after a notification. */
os_err_t pfm_restart(int fd);

os_err_t pfm_create_evtsets(int fd, pfarg_setdesc_t *setd, int count);
os_err_t pfm_delete_evtsets(int fd, pfarg_setdesc_t *setd, int count);

/* The parentheses prevent the expansion of perfmon.h's macro. */
os_err_t(pfm_getinfo_evtsets)(int fd, pfarg_setinfo_t *info, int count);

/*
 * Switches strict mode on (1) or off (0).  Not a function of v2.81: it is for
 * programs that expect the errors of the first library that translated calls.
 * The environment variable PFM_V281_STRICT also switches it on, unless it is
 * empty or 0; this function has precedence.  Call it before the process's first
 * v2.81 call that depends on the mode: afterwards it fails with EBUSY.
 */
os_err_t pfm_v281_set_strict(int strict);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* PERFMON_PERFMON_V2_H */
