/* SPDX-License-Identifier: GPL-2.0-only */
/* Last branch records: what its files share. */
#ifndef _PERFMON_LBR_H
#define _PERFMON_LBR_H

#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/perfmon_lbr.h>

/* PMC 30 and LBR_SELECT: branches that are not recorded. */
#define LBR_NO_KERNEL	0x001	/* that end in the kernel */
#define LBR_NO_USER	0x002
#define LBR_NO_IND_CALL	0x010
#define LBR_NO_REL_CALL	0x008
#define LBR_NO_RETURN	0x020
#define LBR_NO_IND_JMP	0x040
#define LBR_NO_REL_JMP	0x080
#define LBR_NO_FAR	0x100
#define LBR_KINDS	0x1ff

/* Nothing is recorded. */
#define LBR_NOTHING	(LBR_NO_KERNEL | LBR_NO_USER)

/**
 * struct lbr_design - the stack of this processor
 * @depth: its entries, a power of two; 0: there is none that can be used
 * @pmc: position of the PMC that filters it
 * @info: MSR of the first entry's information; 0: there is none
 * @from_flags: bits at the top of an origin that are none of the address
 * @cycles_in_to: the upper 16 bits of a destination are cycles
 * @has_tsx: entries say what was in transactions
 * @shared_filter: the threads of a core share LBR_SELECT
 * @jumps_too: erratum: calls and returns are recorded only with jumps
 */
struct lbr_design {
	u8 depth;
	u8 pmc;
	u32 info;
	u8 from_flags;
	bool cycles_in_to;
	bool has_tsx;
	bool shared_filter;
	bool jumps_too;
};

extern struct lbr_design lbr_design;

struct pfm_precise_smpl_branch;

enum lbr_fate { LBR_KEPT, LBR_HIDDEN, LBR_LAST };

/* entries.c */
void lbr_decode(u64 from, u64 to, u64 info,
		struct pfm_precise_smpl_branch *branch);
enum lbr_fate lbr_judge(const struct perfmon_lbr *lbr,
			const struct pfm_precise_smpl_branch *branch);

/* Names the set whose branches are in the stack of this CPU; 0: no set's. */
DECLARE_PER_CPU(u64, lbr_id);

#endif /* _PERFMON_LBR_H */
