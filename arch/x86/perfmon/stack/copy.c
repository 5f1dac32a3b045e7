// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of a program and the top of its stack, for a reader that finds the
 * callers with tables of the program (DWARF).
 *
 * The program controls its stack pointer: this file neither trusts it nor faults on it.
 * No lock: it reads the memory of the running thread and does not page it in.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/perfmon_pmu.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <uapi/linux/perfmon_precise_smpl.h>
#include <uapi/linux/perfmon_stacks_smpl.h>

#include <asm/page.h>

#include "stack.h"

static void registers_32bit(const struct pt_regs *regs, u64 *to)
{
	const u32 values[] = { regs->ax, regs->cx, regs->dx, regs->bx, regs->sp,
			       regs->bp, regs->si, regs->di, regs->ip };
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(values) > PFM_STACKS_SMPL_REGS);
	for (i = 0; i < ARRAY_SIZE(values); i++)
		to[i] = values[i];
	for (; i < PFM_STACKS_SMPL_REGS; i++)
		to[i] = 0;
}

#ifdef CONFIG_X86_64
static void registers_64bit(const struct pt_regs *regs, u64 *to)
{
	const u64 values[] = { regs->ax, regs->dx, regs->cx, regs->bx, regs->si,
			       regs->di, regs->bp, regs->sp, regs->r8, regs->r9,
			       regs->r10, regs->r11, regs->r12, regs->r13,
			       regs->r14, regs->r15, regs->ip };

	BUILD_BUG_ON(ARRAY_SIZE(values) != PFM_STACKS_SMPL_REGS);
	memcpy(to, values, sizeof(values));
}
#else
static void registers_64bit(const struct pt_regs *regs, u64 *to)
{
}
#endif

/** perfmon_arch_gprs - all registers, as struct pfm_precise_smpl_gprs has them */
void perfmon_arch_gprs(const struct pt_regs *regs, u64 *gprs)
{
	const u64 values[] = {
		regs->flags, regs->ip, regs->ax, regs->bx, regs->cx, regs->dx,
		regs->si, regs->di, regs->bp, regs->sp,
#ifdef CONFIG_X86_64
		regs->r8, regs->r9, regs->r10, regs->r11, regs->r12, regs->r13,
		regs->r14, regs->r15
#endif
	};

	memset(gprs, 0, sizeof(struct pfm_precise_smpl_gprs));
	memcpy(gprs, values, sizeof(values));
}

/*
 * Copy the bytes that are present, in whole words. Each page is copied separately,
 * because a 32-bit kernel does not report how much of an interrupted copy was made.
 */
static u32 memory_copy(void *to, unsigned long from, u32 max)
{
	unsigned long limit = TASK_SIZE_MAX;
	u32 done = 0;

	if (from >= limit)
		return 0;
	max = min_t(unsigned long, max, limit - from);
	while (done < max) {
		unsigned long at = from + done;
		u32 part = min_t(unsigned long, max - done,
				 PAGE_SIZE - (at & ~PAGE_MASK));

		/* This function checks that the program's mm is loaded. */
		if (copy_from_user_nmi(to + done, (void __user *)at, part))
			break;
		done += part;
	}
	return round_down(done, sizeof(u64));
}

/**
 * perfmon_arch_user_copy - the registers of a program and the top of its stack
 * @regs: of user mode
 * @to: filled; has room for @max bytes after it
 * @max: most bytes of the stack, a multiple of 8
 *
 * Context: hard interrupt or NMI.
 * Return: number of bytes filled; 0 if the addresses are unknown: in segments with other
 * bases, and in vm86 mode.
 */
unsigned int perfmon_arch_user_copy(struct pt_regs *regs,
				    struct pfm_stacks_smpl_copy *to, u32 max)
{
	unsigned long sp = regs->sp;

	if (user_64bit_mode(regs)) {
		registers_64bit(regs, to->regs);
	} else if (perfmon_arch_user_flat(regs)) {
		registers_32bit(regs, to->regs);
		sp = (u32)sp;
	} else {
		return 0;
	}
	to->bytes = memory_copy(to + 1, sp, max);
	to->reserved = 0;
	return sizeof(*to) + to->bytes;
}
