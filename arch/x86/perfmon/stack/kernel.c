// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls that led to an address in the kernel, found by the unwinder that
 * the kernel was built with.  No lock: it reads the stack of the running
 * thread.
 */
#include <linux/perfmon_pmu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include <uapi/linux/perfmon_stacks_smpl.h>

#include <asm/unwind.h>

/**
 * perfmon_arch_kernel_stack - the interrupted instruction and its callers
 * @regs: registers of the interrupt, in the kernel
 * @ips: filled, innermost first
 * @max: most entries of @ips, at least 1
 * @flags: PFM_STACKS_SMPL_KERNEL_CUT is added if there are more
 *
 * Context: hard interrupt or NMI.
 * Return: number of entries, at least 1.
 */
unsigned int perfmon_arch_kernel_stack(struct pt_regs *regs, u64 *ips,
				       unsigned int max, u16 *flags)
{
	struct unwind_state state;
	unsigned int nr = 0;
	unsigned long ip;

	ips[nr++] = regs->ip;
	/* The frame of @regs itself is skipped. */
	unwind_start(&state, current, regs, NULL);
	while (!unwind_done(&state)) {
		ip = unwind_get_return_address(&state);
		if (!ip)
			break;
		if (nr == max) {
			*flags |= PFM_STACKS_SMPL_KERNEL_CUT;
			break;
		}
		ips[nr++] = ip;
		unwind_next_frame(&state);
	}
	return nr;
}
