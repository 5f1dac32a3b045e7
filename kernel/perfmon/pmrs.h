/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for the files of pfm_write_pmrs() and pfm_read_pmrs(): pmrs.c (the
 * calls), pmrs_check.c (work that can be done before), pmrs_target.c (work on the
 * target with interrupts off) and selfread.c (the fast path).
 */
#ifndef _KERNEL_PERFMON_PMRS_H
#define _KERNEL_PERFMON_PMRS_H

#include <linux/perfmon_pmu.h>
#include <linux/types.h>

#include "session.h"

/*
 * Most elements of a piece, which is processed with interrupts off.  That many
 * writes with attributes to the counters of a running session take about 10000
 * instructions; 20000 is the limit of all sections with interrupts off.
 */
#define PERFMON_PIECE	64

/**
 * struct perfmon_piece - a part of the vectors, processed as one call
 * @n: number of elements; after the check, of those before the first bad one
 * @pmrs: kernel copy; after the check of a write each value is as the register
 *	takes it
 * @attrs: likewise, or NULL; while they are on their way to or from the target,
 *	the masks are by position, in the first words of the vectors
 * @pmc: PMCs, else PMDs
 * @write: they are written, else read
 * @kernel_known: @kernel_err is valid
 * @kernel_err: 0 if the caller may count at privileged level, or why not
 * @set: of each element
 * @attr: of a write with attributes: memory for those of the element's PMD, NULL
 *	if it has or needs none
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
