/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The right to execute RDPMC, in a kernel that loads the low-level core as a
 * module: no program gets it.
 *
 * It could be given and taken, but not safely: a program that loses it between its
 * look at the state page and its RDPMC dies of the fault, which only the kernel's
 * own handler can mend; and each load of a mm decides anew, after the tracepoint of
 * the switch, for all threads of the mm alike.
 */
#ifndef _ASM_X86_PERFMON_READER_H
#define _ASM_X86_PERFMON_READER_H

#include <linux/types.h>
#include <uapi/linux/perfmon.h>

struct mm_struct;

static inline u32 perfmon_arch_may_let_read(void)
{
	return PFM_STATE_WHY_MODULE;
}

/* Never called. */
static inline void perfmon_arch_let_read(struct mm_struct *mm) { }
static inline void perfmon_arch_end_read(void) { }

#endif /* _ASM_X86_PERFMON_READER_H */
