/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The right to execute RDPMC, CR4.PCE, where the low-level core is built in.
 *
 * Each thread has its own right, and CR4.PCE is set only while a thread with the right is
 * on the CPU: the session core gives the right when it puts the thread's counters on the
 * hardware, and takes it when it takes them off.  Another mm that is loaded meanwhile
 * does not get it (arch/x86/mm/tlb.c).  No lock: each CPU changes its own state only,
 * with interrupts off.
 */
#ifndef _ASM_X86_PERFMON_READER_H
#define _ASM_X86_PERFMON_READER_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <uapi/linux/perfmon.h>

#include <asm/mmu_context.h>
#include <asm/perfctr.h>
#include <asm/perfctr_hooks.h>
#include <asm/processor-flags.h>
#include <asm/tlbflush.h>

/*
 * May programs get the right at all?
 *
 * Return: enum pfm_state_why, 0 if they may.
 */
static __always_inline u32 perfmon_arch_may_let_read(void)
{
	if (static_branch_unlikely(&rdpmc_never_available_key))
		return PFM_STATE_WHY_MODE;
	if (unlikely(!perfctr_cpu_isolates))
		return PFM_STATE_WHY_PROCESSOR;
	return 0;
}

/* Built in, nothing else denies the running thread the right. */
static __always_inline u32
perfmon_arch_reader_refused(const struct task_struct *task, bool *off)
{
	return 0;
}

/* Let the running thread, whose mm @mm is, execute RDPMC. */
static __always_inline void perfmon_arch_let_read(struct mm_struct *mm)
{
	__this_cpu_write(perfctr_reader, mm);
	cr4_set_bits_irqsoff(X86_CR4_PCE);
}

/* Take the right from the running thread. */
static __always_inline void perfmon_arch_end_read(void)
{
	__this_cpu_write(perfctr_reader, NULL);
	cr4_clear_bits_irqsoff(X86_CR4_PCE);
}

#endif /* _ASM_X86_PERFMON_READER_H */
