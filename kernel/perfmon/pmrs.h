/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for the files of pfm_write_pmrs() and pfm_read_pmrs(): pmrs.c (the calls),
 * pmrs_check.c (checks and allocation, before the target is involved), pmrs_target.c
 * (work on the target with interrupts off) and selfread.c (the fast path).
 */
#ifndef _KERNEL_PERFMON_PMRS_H
#define _KERNEL_PERFMON_PMRS_H

#include <linux/perfmon_pmu.h>
#include <linux/types.h>

#include "session.h"

/*
 * Most elements of a piece, which is processed with interrupts off.  Writing so many PMDs
 * with attributes while their session runs takes about 10000 instructions; the limit of
 * all sections with interrupts off is 20000.
 */
#define PERFMON_PIECE	64

/**
 * struct perfmon_piece - a part of the vectors, processed as one call
 * @n: number of elements; after the check, the number before the first bad one
 * @pmrs: kernel copy; the check of a write turns each value into the one that the
 *	register takes
 * @attrs: kernel copy, or NULL; between check and copy-out the masks are by position, in
 *	the first words of the vectors
 * @pmc: the registers are PMCs, else PMDs
 * @write: the registers are written, else read
 * @kernel_known: @kernel_err is valid
 * @kernel_err: 0 if the caller may count at privileged level, or the error
 * @set: of each element
 * @attr: for a write with attributes: new memory for the attributes of each element's
 *	PMD, NULL if the PMD has some or needs none
 * @pos: position of each element's register
 */
struct perfmon_piece {
	int n;
	struct pfarg_pmr *pmrs;
	struct pfarg_pmd_attr *attrs;
	bool pmc;
	bool write;
	bool kernel_known;
	int kernel_err;
	struct perfmon_set *set[PERFMON_PIECE];
	struct perfmon_pmd_attr *attr[PERFMON_PIECE];
	u8 pos[PERFMON_PIECE];
};

static_assert(PERFMON_ARCH_MAX_PMCS <= U8_MAX);
static_assert(PERFMON_ARCH_MAX_PMDS <= 64 * PFM_PMD_BV);

/* A mask of an attribute while its bits are positions, not numbers. */
static inline unsigned long *perfmon_positions(u64 *bv)
{
	return (unsigned long *)bv;
}

/* pmrs_check.c */
int perfmon_piece_check(struct perfmon_session *s, struct perfmon_piece *p);
void perfmon_piece_finish(struct perfmon_piece *p);

/* pmrs_target.c */
void perfmon_piece_write(struct perfmon_session *s, void *piece);
void perfmon_piece_read(struct perfmon_session *s, void *piece);

/* selfread.c */
bool perfmon_selfread(struct perfmon_session *s, struct pfarg_pmr __user *pmrs,
		      int n);

#endif /* _KERNEL_PERFMON_PMRS_H */
