/* SPDX-License-Identifier: GPL-2.0-only */
/* Last branch records: what its files share. */
#ifndef _PERFMON_LBR_H
#define _PERFMON_LBR_H

#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/perfmon_lbr.h>

/* PMC 30, and LBR_SELECT: branches that are not recorded. */
#define LBR_NO_KERNEL	0x001	/* that end in the kernel */
#define LBR_NO_USER	0x002
#define LBR_NO_COND	0x004
#define LBR_NO_REL_CALL	0x008
#define LBR_NO_IND_CALL	0x010
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
 * @control: MSR that says which branches are recorded
 * @off: its value while none are
 * @debugctl: bits of DEBUGCTL that have to be set
 * @enable: MSR whose bit LBR_ENABLE has to be set, too; 0: there is none
 * @wipe: MSR that wipes all entries if the depth is written to it; 0: there is none
 * @from: MSR of the first entry's origin
 * @to: of its destination
 * @info: of its information; 0: there is none
 * @stride: distance to the MSRs of the next entry
 * @has_top: LBR_TOS has the number of the newest entry; else that is the first one
 * @architectural: @control has the bits of architectural branch records
 * @from_flags: bits at the top of an origin that are none of the address
 * @to_flags: the same of a destination
 * @cycles_in_to: these are cycles
 * @valid_in_to: the first two of these say that there is an entry
 * @no_prediction: entries do not say how the branch was predicted
 * @has_tsx: entries say what was in transactions
 * @cycles_valid: bit of the information that says that its cycles are; 0: they always are
 * @shared_filter: the threads of a core share @control
 * @jumps_too: erratum: calls and returns are recorded only with jumps
 */
struct lbr_design {
	u8 depth;
	u8 pmc;
	u32 control;
	u64 off;
	u64 debugctl;
	u32 enable;
	u32 wipe;
	u32 from;
	u32 to;
	u32 info;
	u8 stride;
	bool has_top;
	bool architectural;
	u8 from_flags;
	u8 to_flags;
	bool cycles_in_to;
	bool valid_in_to;
	bool no_prediction;
	bool has_tsx;
	u64 cycles_valid;
	bool shared_filter;
	bool jumps_too;
};

#define LBR_ENABLE	BIT_ULL(6)

extern struct lbr_design lbr_design;

struct pfm_precise_smpl_branch;

enum lbr_fate { LBR_KEPT, LBR_HIDDEN, LBR_LAST };

/* entries.c */
bool lbr_decode(u64 from, u64 to, u64 info,
		struct pfm_precise_smpl_branch *branch);
enum lbr_fate lbr_judge(const struct perfmon_lbr *lbr,
			const struct pfm_precise_smpl_branch *branch);

/* Names the set whose branches are in the stack of this CPU; 0: no set's. */
DECLARE_PER_CPU(u64, lbr_id);

#endif /* _PERFMON_LBR_H */
