// SPDX-License-Identifier: GPL-2.0-only
/*
 * The right to execute RDPMC, CR4.PCE, in the kernel that the low-level core is
 * built into.
 *
 * It is a thread's, and set only while that thread is on the CPU: the session core
 * gives it when it puts the thread's counters on the hardware, and takes it when
 * it takes them off.  A mm that is loaded meanwhile and is not the thread's own
 * does not get it (arch/x86/mm/tlb.c).  No lock: a CPU's part is touched by this
 * CPU with interrupts off.
 */
#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/perfmon_pmu.h>

#include <asm/insn-eval.h>
#include <asm/mmu_context.h>
#include <asm/perf_event.h>
#include <asm/perfctr_hooks.h>
#include <asm/processor-flags.h>
#include <asm/ptrace.h>
#include <asm/tlbflush.h>

DEFINE_PER_CPU(struct mm_struct *, perfctr_reader);

/**
 * perfmon_arch_may_let_read - may programs be given the right at all?
 *
 * Return: enum pfm_state_why, 0 if they may.
 */
u32 perfmon_arch_may_let_read(void)
{
	if (static_branch_unlikely(&rdpmc_never_available_key))
		return PFM_STATE_WHY_MODE;
	if (!perfctr_cpu_isolates)
		return PFM_STATE_WHY_PROCESSOR;
	return 0;
}

/** perfmon_arch_let_read - the running thread, whose mm this is, may read */
void perfmon_arch_let_read(struct mm_struct *mm)
{
	__this_cpu_write(perfctr_reader, mm);
	cr4_set_bits_irqsoff(X86_CR4_PCE);
}

/** perfmon_arch_end_read - it may not read any more */
void perfmon_arch_end_read(void)
{
	__this_cpu_write(perfctr_reader, NULL);
	cr4_clear_bits_irqsoff(X86_CR4_PCE);
}

#define RDPMC_BYTES 2

static bool reader_at_rdpmc(struct pt_regs *regs)
{
	unsigned char code[MAX_INSN_SIZE];

	return insn_fetch_from_user(regs, code) >= RDPMC_BYTES &&
	       code[0] == 0x0f && code[1] == 0x33;
}

/**
 * perfctr_fixup_rdpmc - has a program lost the right just before its RDPMC?
 * @regs: of user mode, at a general protection fault
 *
 * It has found its state page usable, and finds the page changed when it looks
 * again, so that it does not use what RDPMC should have read.
 *
 * Context: interrupts off, as after the fault.
 * Return: true: the instruction has been skipped.
 */
bool perfctr_fixup_rdpmc(struct pt_regs *regs)
{
	bool lost;

	/* With the right it is the number of the counter that is wrong. */
	if (!perfmon_has_pages() || !(regs->flags & X86_EFLAGS_IF) ||
	    (cr4_read_shadow() & X86_CR4_PCE))
		return false;
	local_irq_enable();
	lost = reader_at_rdpmc(regs) && perfmon_page_right_was_lost();
	if (lost) {
		regs->ax = 0;
		regs->dx = 0;
		regs->ip += RDPMC_BYTES;
	}
	local_irq_disable();
	return lost;
}
