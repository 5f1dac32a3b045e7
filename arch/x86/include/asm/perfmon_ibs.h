/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instruction-based sampling (IBS) of AMD processors in an event set: two units, fetch
 * and op, each with a control register of its own.  A unit tags an instruction at the
 * end of its period, writes down what happens to it, interrupts, and stands still.
 */
#ifndef _ASM_X86_PERFMON_IBS_H
#define _ASM_X86_PERFMON_IBS_H

#include <linux/types.h>

enum perfmon_ibs_unit {
	PERFMON_IBS_FETCH,
	PERFMON_IBS_OP,
	PERFMON_IBS_UNITS
};

/* perfmon_ibs.data[], in the order of the PMDs. */
enum perfmon_ibs_reg {
	PERFMON_IBS_FETCH_CTL,
	PERFMON_IBS_FETCH_LINEAR,
	PERFMON_IBS_FETCH_PHYSICAL,
	PERFMON_IBS_OP_CTL,
	PERFMON_IBS_OP_RIP,
	PERFMON_IBS_OP_DATA,
	PERFMON_IBS_OP_DATA2,
	PERFMON_IBS_OP_DATA3,
	PERFMON_IBS_OP_LINEAR,
	PERFMON_IBS_OP_PHYSICAL,
	PERFMON_IBS_OP_TARGET,
	PERFMON_IBS_OP_DATA4,
	PERFMON_IBS_FETCH_EXTENDED,
	PERFMON_IBS_REGS
};

/**
 * struct perfmon_ibs - instruction-based sampling of an event set
 * @ctl: control of each unit as the user wrote it; like the next two valid for units in
 *	@on
 * @next: what its unit is started with: @ctl, and how far the period has come
 * @data: registers of the last sample, by enum perfmon_ibs_reg
 * @on: units that are used, one bit each
 * @sampled: units that stand still, with a sample in @data that is not recorded
 * @hidden: of @sampled: samples of the kernel, which the session may not see; their
 *	registers are 0
 * @late: of @sampled: samples that were read when their thread was switched
 * @user_only: units that leave out the kernel, PFM_REGFL_USER_ONLY
 * @cleared: of @sampled: with @user_only, addresses were removed
 */
struct perfmon_ibs {
	u64 ctl[PERFMON_IBS_UNITS];
	u64 next[PERFMON_IBS_UNITS];
	u64 data[PERFMON_IBS_REGS];
	u8 on;
	u8 sampled;
	u8 hidden;
	u8 late;
	u8 user_only;
	u8 cleared;
};

/* Begin all periods anew; a sample that is not recorded is forgotten. */
static inline void perfmon_ibs_forget(struct perfmon_ibs *ibs)
{
	unsigned int i;

	for (i = 0; i < PERFMON_IBS_UNITS; i++)
		ibs->next[i] = ibs->ctl[i];
	ibs->sampled = 0;
	ibs->late = 0;
}

struct perfmon_sink;
struct pt_regs;

int perfmon_ibs_claim(void (*nhandler)(struct pt_regs *regs, u64 id, bool stack));
void perfmon_ibs_unclaim(void);
void perfmon_ibs_records(struct perfmon_ibs *ibs, struct perfmon_sink *sink);
u32 perfmon_ibs_blocks(void);
u32 perfmon_ibs_hw(void);
void perfmon_ibs_user_only(struct perfmon_ibs *ibs, unsigned int pmc, bool on);
void perfmon_ibs_start(struct perfmon_ibs *ibs, u64 id, bool stack);
void perfmon_ibs_stop(struct perfmon_ibs *ibs);
void perfmon_ibs_tick(struct perfmon_ibs *ibs);

#endif /* _ASM_X86_PERFMON_IBS_H */
