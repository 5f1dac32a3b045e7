/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The right to execute RDPMC, in a kernel that loads the low-level core as a module.
 *
 * It is that of a program, as perf_event's is, and is not taken while the program maps
 * a state page (page/reader.c): the kernel's handler of faults does not know perfmon, so
 * that a thread which lost the right between its look at the page and its RDPMC would
 * die.  What a thread reads after its session has stopped is thrown away, since the
 * page has changed.
 */
#ifndef _ASM_X86_PERFMON_READER_H
#define _ASM_X86_PERFMON_READER_H

#include <linux/perfmon_module.h>
#include <linux/types.h>
#include <uapi/linux/perfmon.h>

#include <asm/perfctr.h>
#include <asm/processor-flags.h>
#include <asm/special_insns.h>

/* Return: enum pfm_state_why, 0 if programs may be given the right. */
static __always_inline u32 perfmon_arch_may_let_read(void)
{
	return unlikely(!perfctr_cpu_isolates) ? PFM_STATE_WHY_PROCESSOR : 0;
}

/*
 * Why the program of a thread, which is on this CPU or about to be, has not the right.
 * perf_event's file rdpmc may take CR4.PCE from all, which is seen while the thread is
 * running and remembered in @off for when it is about to.
 */
static __always_inline u32
perfmon_arch_reader_refused(const struct task_struct *task, bool *off)
{
	if (unlikely(!perfctr_host_may_read(task)))
		return PFM_STATE_WHY_MODULE;
	if (task == current)
		*off = !(native_read_cr4() & X86_CR4_PCE);
	return unlikely(*off) ? PFM_STATE_WHY_MODE : 0;
}

/* The program has the right all the time. */
static inline void perfmon_arch_let_read(struct mm_struct *mm) { }
static inline void perfmon_arch_end_read(void) { }

#endif /* _ASM_X86_PERFMON_READER_H */
