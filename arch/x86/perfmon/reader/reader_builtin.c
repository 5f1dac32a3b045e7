// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that has lost the right to execute RDPMC (<asm/perfmon_reader.h>)
 * just before it executes it.  Called by the handler of general protection
 * faults.
 */
#include <linux/percpu.h>
#include <linux/perfmon_pmu.h>

#include <asm/insn-eval.h>
#include <asm/perfctr_hooks.h>
#include <asm/processor-flags.h>
#include <asm/ptrace.h>
#include <asm/tlbflush.h>

DEFINE_PER_CPU(struct mm_struct *, perfctr_reader);

#define RDPMC_BYTES 2

static bool reader_at_rdpmc(struct pt_regs *regs)
{
	unsigned char code[MAX_INSN_SIZE];

	return insn_fetch_from_user(regs, code) >= RDPMC_BYTES &&
	       code[0] == 0x0f && code[1] == 0x33;
}

/**
 * perfctr_fixup_rdpmc - has a program lost the right just before its RDPMC?
 * @regs: registers of user mode, at a general protection fault
 *
 * The program has found its state page usable before, and finds it changed when
 * it checks again, so it does not use the result of the skipped RDPMC.
 *
 * Context: interrupts off, as after the fault.
 * Return: true: the instruction has been skipped.
 */
bool perfctr_fixup_rdpmc(struct pt_regs *regs)
{
	bool lost;

	/*
	 * With the right, the fault has another cause: a wrong counter number.
	 */
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
