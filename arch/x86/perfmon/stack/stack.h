/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files about programs' stacks have in common. */
#ifndef _X86_PERFMON_STACK_H
#define _X86_PERFMON_STACK_H

#include <linux/ptrace.h>

#include <asm/segment.h>

/*
 * Are the addresses of a program that is not in 64-bit mode known?  Those in segments
 * of other bases, and those of vm86, are not.
 */
static inline bool perfmon_arch_user_flat(struct pt_regs *regs)
{
#ifdef CONFIG_X86_64
	return regs->cs == __USER32_CS;
#else
	return !v8086_mode(regs) && regs->cs == __USER_CS;
#endif
}

#endif /* _X86_PERFMON_STACK_H */
