/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls that have led to a sample, for the formats that record them.
 *
 * Context: as for handlers of formats.
 */
#ifndef _KERNEL_PERFMON_WALK_H
#define _KERNEL_PERFMON_WALK_H

#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_pmu.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include <uapi/linux/perfmon_stacks_smpl.h>

#include "capture.h"

/**
 * struct perfmon_calls - addresses that a walk has found
 * @nr: their number
 * @nr_kernel: number of kernel addresses among them
 * @flags: PFM_STACKS_SMPL_CUT and so on are added
 */
struct perfmon_calls {
	u16 nr;
	u16 nr_kernel;
	u16 flags;
};

/* walk.c */
struct pt_regs *perfmon_walk_program(void);
struct pt_regs *perfmon_walk_gone(struct perfmon_calls *calls, u64 *ips,
				  u64 ip);
unsigned int perfmon_walk_captured(u64 *ips, const struct pfm_ovfl_arg *ovfl,
				   unsigned int max, u16 *flags);

/*
 * The registers are those that the session may see; there are none if the sample has
 * waited, or the thread has no program.
 */
static __always_inline void perfmon_walk(struct perfmon_calls *calls, u64 *ips,
					 const struct pfm_ovfl_arg *ovfl,
					 u64 ip, unsigned int max)
{
	struct pt_regs *regs = ovfl->regs;
	unsigned int nr = 0;

	calls->nr_kernel = 0;
	if (unlikely(ovfl->captured)) {
		nr = perfmon_walk_captured(ips, ovfl, max, &calls->flags);
		calls->nr_kernel = nr;
	} else if (regs && !user_mode(regs)) {
		nr = perfmon_arch_kernel_stack(regs, ips,
					       min(max, PERFMON_KERNEL_FRAMES),
					       &calls->flags);
		calls->nr_kernel = nr;
		regs = perfmon_walk_program();
	} else if (unlikely(!regs && ip)) {
		regs = perfmon_walk_gone(calls, ips, ip);
		nr = 1;
	}
	if (regs) {
		if (likely(nr < max))
			nr += perfmon_arch_user_stack(regs, ips + nr, max - nr,
						      &calls->flags);
		else
			calls->flags |= PFM_STACKS_SMPL_CUT;
	}
	calls->nr = nr;
}

#endif /* _KERNEL_PERFMON_WALK_H */
