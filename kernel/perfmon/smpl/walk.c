// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls that have led to a sample: the rare parts, see walk.h.
 */
#include <linux/perfmon_fmt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>

#include "walk.h"

/* Registers of the program whose call into the kernel was interrupted, or NULL. */
struct pt_regs *perfmon_walk_program(void)
{
	struct pt_regs *regs;

	if (current->flags & (PF_KTHREAD | PF_USER_WORKER))
		return NULL;
	regs = task_pt_regs(current);
	return user_mode(regs) ? regs : NULL;
}

/* What had been called is gone, but for the program that called the kernel. */
struct pt_regs *perfmon_walk_gone(struct perfmon_calls *calls, u64 *ips, u64 ip)
{
	ips[0] = ip;
	if (!perfmon_arch_is_kernel(ip)) {
		calls->flags |= PFM_STACKS_SMPL_CUT;
		return NULL;
	}
	calls->flags |= PFM_STACKS_SMPL_KERNEL_CUT;
	calls->nr_kernel = 1;
	return perfmon_walk_program();
}

/* The calls that an NMI has kept. Return: their number. */
unsigned int perfmon_walk_captured(u64 *ips, const struct pfm_ovfl_arg *ovfl,
				   unsigned int max, u16 *flags)
{
	unsigned int nr = min(max, ovfl->nr_chain);

	memcpy(ips, ovfl->chain, nr * sizeof(*ips));
	*flags |= ovfl->chain_flags;
	if (nr < ovfl->nr_chain)
		*flags |= PFM_STACKS_SMPL_KERNEL_CUT;
	return nr;
}
