/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations shared by the files about programs' stacks. */
#ifndef _X86_PERFMON_STACK_H
#define _X86_PERFMON_STACK_H

#include <linux/ptrace.h>

#include <asm/segment.h>

/*
 * Are the addresses of a program outside 64-bit mode known? In segments with
 * other bases, and in vm86 mode, they are not.
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
