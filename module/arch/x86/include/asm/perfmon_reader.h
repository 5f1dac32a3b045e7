/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The right to execute RDPMC, in a kernel that loads the low-level core as a module.
 *
 * The right belongs to a program, like perf_event's, and is not taken while the program
 * maps a state page (page/reader.c).  The kernel's fault handler does not know perfmon,
 * so a thread that lost the right between its check of the page and its RDPMC would be
 * killed.  After its session has stopped, a thread discards the value it reads, because
 * the page has changed.
 */
#ifndef _ASM_X86_PERFMON_READER_H
#define _ASM_X86_PERFMON_READER_H

#include <linux/perfmon_module.h>
#include <linux/types.h>
#include <uapi/linux/perfmon.h>

#include <asm/perfctr.h>
#include <asm/processor-flags.h>
#include <asm/special_insns.h>

/* Return: enum pfm_state_why, 0 if programs may get the right. */
static __always_inline u32 perfmon_arch_may_let_read(void)
{
	return unlikely(!perfctr_cpu_isolates) ? PFM_STATE_WHY_PROCESSOR : 0;
}

/*
 * Why the program of a thread, which is on this CPU or about to be, lacks the right.
 * perf_event's file rdpmc may clear CR4.PCE for all programs.  This can be seen only
 * while the thread is running; @off remembers it for its next switch in.
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

/* The program keeps the right all the time. */
static inline void perfmon_arch_let_read(struct mm_struct *mm) { }
static inline void perfmon_arch_end_read(void) { }

#endif /* _ASM_X86_PERFMON_READER_H */
