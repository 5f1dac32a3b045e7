// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt's vector in the kernel that the low-level core is built
 * into: an entry of the IDT, LOCAL_PERFCTR_VECTOR, and the "PFM" row of
 * /proc/interrupts.
 */
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/seq_file.h>

#include <asm/apic.h>
#include <asm/idtentry.h>
#include <asm/irq_regs.h>
#include <asm/perfctr_hooks.h>

#include "../perfctr_core.h"

static DEFINE_PER_CPU(unsigned int, overflow_irqs);

DEFINE_IDTENTRY_SYSVEC(sysvec_perfctr)
{
	struct pt_regs *interrupted = set_irq_regs(regs);

	__this_cpu_inc(overflow_irqs);
	perfctr_lvtpc_interrupt(regs);
	apic_eoi();
	set_irq_regs(interrupted);
}

/**
 * perfctr_vector_raise_in_nmi - interrupt this CPU as soon as it takes interrupts
 *
 * What was interrupted may be between two writes to the registers of an APIC that has
 * several of them for a request: leave them idle.
 *
 * Context: NMI.
 */
void perfctr_vector_raise_in_nmi(void)
{
	__apic_send_IPI_self(LOCAL_PERFCTR_VECTOR);
	apic_wait_icr_idle();
}

void perfctr_show_interrupts(struct seq_file *p, int prec)
{
	int cpu;

	seq_printf(p, "%*s: ", prec, "PFM");
	for_each_online_cpu(cpu)
		seq_printf(p, "%10u ", per_cpu(overflow_irqs, cpu));
	seq_puts(p, "  Performance counter overflow interrupts\n");
}

u64 perfctr_irq_stat_cpu(unsigned int cpu)
{
	return per_cpu(overflow_irqs, cpu);
}
