/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Last branch records (LBR) in an event set: the processor keeps where its last branches
 * came from and went to, in a stack of registers.
 */
#ifndef _ASM_X86_PERFMON_LBR_H
#define _ASM_X86_PERFMON_LBR_H

#include <linux/types.h>

struct perfmon_arch_set;
struct pfm_precise_smpl_branch;

/* perfmon_lbr.cpu: the branches of the set are on no CPU. */
#define PERFMON_LBR_NOWHERE	(-1)

/**
 * struct perfmon_lbr - the branch records of an event set
 * @filter: value of LBR_SELECT while the set counts
 * @cpu: CPU whose stack has all that was recorded up to now, or PERFMON_LBR_NOWHERE
 * @no_kernel: branches from and to the kernel are left out
 * @cpu_wide: the set counts all threads of its CPU
 */
struct perfmon_lbr {
	u32 filter;
	int cpu;
	bool no_kernel;
	bool cpu_wide;
};

void perfmon_lbr_start(struct perfmon_lbr *lbr, u64 id);
void perfmon_lbr_stop(const struct perfmon_lbr *lbr, u64 id);
void perfmon_lbr_restart(struct perfmon_lbr *lbr, u64 id);
u32 perfmon_lbr_hw(void);
u32 perfmon_lbr_blocks(void);

#endif /* _ASM_X86_PERFMON_LBR_H */
