/* SPDX-License-Identifier: MIT */
/*
 * The draft of perfmon version 3 that libpfm 3.10 was written for.  No kernel with v3.0
 * has these calls: the library translates those with a clear meaning.  New programs
 * should not use them.
 *
 *	draft				v3.0
 *	pfm_create(fl, sif, ...)	pfm_create_session(fl, ...), and the result
 *					of pfm_getinfo_sets() for set 0 in sif
 *	pfm_write(fd, 0, type, v, sz)	pfm_write_pmrs() of sz bytes of v
 *	pfm_read(fd, 0, type, v, sz)	pfm_read_pmrs() of sz bytes of v
 *	pfm_attach(fd, fl, target)	pfm_attach_session(fd, fl, target)
 *	pfm_set_state(fd, 0, state)	pfm_start_session() or
 *					pfm_stop_session()
 *	pfm_create_sets()		none: see below
 *	pfm_getinfo_sets()		none: see below
 *
 * The last two have the same name in v3.0 but other arguments: a number of elements
 * instead of a size in bytes, and another structure for the information.  The library has
 * v3.0's functions only; programs that were compiled for the draft's must be changed.
 *
 * The draft's pfarg_pmd_attr_t is also a different structure in v3.0; here its name is
 * pfarg_draft_pmd_attr_t.
 *
 * With PFMLIB_OLD_PFMV2, this header has the structures and constants, but of the
 * functions only pfm_create(), as in libpfm 3.10; v3.0 is hidden, so pfarg_pmd_attr_t is
 * the draft's.
 */
#ifndef PERFMON_PERFMON_DRAFT_H
#define PERFMON_PERFMON_DRAFT_H

#include "perfmon.h"

/* type of pfm_write() and pfm_read(), and the structure that v points to */
#define PFM_RW_PMD 1 /* pfarg_pmr_t */
#define PFM_RW_PMC 2 /* pfarg_pmr_t */
#define PFM_RW_PMD_ATTR 3 /* pfarg_draft_pmd_attr_t */

/* state of pfm_set_state() */
#define PFM_ST_START 1
#define PFM_ST_STOP 2
#define PFM_ST_RESTART 3

/* Registers that the session may use. */
typedef struct {
	uint64_t sif_avail_pmcs[PFM_PMC_BV];
	uint64_t sif_avail_pmds[PFM_PMD_BV];
	uint64_t sif_reserved[4];
} pfarg_sinfo_t;

/* A register and its attributes: both v3.0 structures in one. */
typedef struct {
	uint16_t reg_num;
	uint16_t reg_set;
	uint32_t reg_flags;
	uint64_t reg_value;
	uint64_t reg_long_reset;
	uint64_t reg_short_reset;
	uint64_t reg_random_mask;
	uint64_t reg_smpl_pmds[PFM_PMD_BV];
	uint64_t reg_reset_pmds[PFM_PMD_BV];
	uint64_t reg_ovfl_swcnt;
	uint64_t reg_smpl_eventid;
	uint64_t reg_last_value;
	uint64_t reg_reserved[8];
} pfarg_draft_pmd_attr_t;

#ifdef PFMLIB_OLD_PFMV2

typedef pfarg_draft_pmd_attr_t pfarg_pmd_attr_t;

#else

typedef pfarg_setdesc_t pfarg_set_desc_t;

/* Only declared: no function of the library uses it. */
typedef struct {
	uint16_t set_id;
	uint16_t set_reserved1;
	uint32_t set_reserved2;
	uint64_t set_ovfl_pmds[PFM_PMD_BV];
	uint64_t set_runs;
	uint64_t set_timeout;
	uint64_t set_duration;
	uint64_t set_reserved3[4];
} pfarg_set_info_t;

#endif /* PFMLIB_OLD_PFMV2 */

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* sif may be NULL.  The other arguments are as for pfm_create_session(). */
os_err_t pfm_create(int flags, pfarg_sinfo_t *sif, ...);

#ifndef PFMLIB_OLD_PFMV2

/*
 * The vector has n bytes, a whole number of elements.  flags must be 0.  Elements are
 * processed in order until one is wrong, as in v3.0.
 */
os_err_t pfm_write(int fd, int flags, int type, void *reg, size_t n);
os_err_t pfm_read(int fd, int flags, int type, void *reg, size_t n);

/* flags must be 0. */
os_err_t pfm_set_state(int fd, int flags, int state);

os_err_t pfm_attach(int fd, int flags, int target);

#endif /* PFMLIB_OLD_PFMV2 */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* PERFMON_PERFMON_DRAFT_H */
