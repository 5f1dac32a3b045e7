// SPDX-License-Identifier: GPL-2.0-only
/*
 * The local APICs of machine.h: one entry for the PMU, one vector, interrupts
 * that a CPU sends to itself. A request waits in the APIC while the CPU has
 * interrupts off, and is not counted twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/cpu.h>

#include <asm/apic.h>
#include <asm/processor.h>

#include "machine.h"

int lapic_get_maxlvt(void)
{
	return machine.maxlvt;
}

u32 apic_read(u32 reg)
{
	assert_int_equal(reg, APIC_LVTPC);
	return machine_this_cpu()->lvtpc;
}

void apic_write(u32 reg, u32 value)
{
	assert_int_equal(reg, APIC_LVTPC);
	assert_true(machine.irqs_off);
	if (machine.access_insns)
		machine_run(machine.access_insns, false);
	machine_this_cpu()->lvtpc = value;
	machine_this_cpu()->lvtpc_writes++;
	machine_this_cpu()->counter_at_write =
		machine_this_cpu()->pmu.counter[0].value;
}

void apic_eoi(void)
{
	machine_this_cpu()->eois++;
}

/* Writing the APIC's command register is not for interrupts to break up. */
void __apic_send_IPI_self(int vector)
{
	assert_int_equal(vector, LOCAL_PERFCTR_VECTOR);
	assert_true(machine.irqs_off);
	machine_this_cpu()->self_ipis++;
	machine_this_cpu()->requested = true;
	machine_this_cpu()->icr_idle = false;
}

void apic_wait_icr_idle(void)
{
	machine_this_cpu()->icr_idle = true;
}

int machine_register_nmi(int (*handler)(unsigned int type,
					struct pt_regs *regs))
{
	assert_null(machine.nmi_handler);
	machine.nmi_handler = handler;
	return 0;
}

void machine_unregister_nmi(void)
{
	assert_non_null(machine.nmi_handler);
	machine.nmi_handler = NULL;
}

/* The interrupted code may be in the middle of a request: it must find the APIC idle. */
void machine_nmi(void)
{
	struct machine_cpu *cpu = machine_this_cpu();
	struct pt_regs regs = { .ip = cpu->pmu.insns,
				.flags = machine.irqs_off ? 0 : X86_EFLAGS_IF };
	const bool irqs_off = machine.irqs_off, user = cpu->pmu.user;

	assert_false(machine.in_nmi);
	machine.in_nmi = machine.irqs_off = true;
	pmu_set_user(&cpu->pmu, false);
	cpu->icr_idle = true;
	cpu->nmis++;
	if (!machine.nmi_handler ||
	    machine.nmi_handler(NMI_LOCAL, &regs) == NMI_DONE)
		cpu->unclaimed++;
	assert_true(cpu->icr_idle);
	pmu_set_user(&cpu->pmu, user);
	machine.irqs_off = irqs_off;
	machine.in_nmi = false;
}

struct pt_regs *set_irq_regs(struct pt_regs *regs)
{
	struct pt_regs *old = machine.irq_regs;

	machine.irq_regs = regs;
	return old;
}

static void handle(unsigned long ip)
{
	const bool user = machine_this_cpu()->pmu.user;
	struct pt_regs regs = { .ip = ip };

	assert_false(machine.irqs_off);
	machine.irqs_off = true;
	pmu_set_user(&machine_this_cpu()->pmu, false);
	sysvec_perfctr(&regs);
	assert_null(machine.irq_regs);
	pmu_set_user(&machine_this_cpu()->pmu, user);
	machine.irqs_off = false;
}

/* A masked entry drops the request. */
static void request(void)
{
	struct machine_cpu *cpu = machine_this_cpu();

	const bool nmi = cpu->lvtpc == APIC_DM_NMI && machine.nmi_handler;

	if (cpu->lvtpc & APIC_LVT_MASKED)
		return;
	if (cpu->lvtpc != LOCAL_PERFCTR_VECTOR && !nmi)
		fail_msg("CPU %u: an overflow as %#x", machine.current_cpu,
			 cpu->lvtpc);
	if (pmu_lvt_automask(&cpu->pmu) || machine.mask_on_delivery)
		cpu->lvtpc |= APIC_LVT_MASKED;
	machine.mask_on_delivery -= machine.mask_on_delivery != 0;
	if (nmi && machine.nmi_is_late)
		machine.late_nmis++;
	else if (nmi)
		machine_nmi();
	else
		cpu->requested = true;
}

void machine_take_interrupts(void)
{
	struct machine_cpu *cpu = machine_this_cpu();

	if (pmu_take_pmi(&cpu->pmu))
		request();
	if (machine.irqs_off || !cpu->requested)
		return;
	cpu->requested = false;
	cpu->interrupts++;
	handle(cpu->pmu.insns);
}

void machine_interrupt(unsigned int cpu, unsigned long ip)
{
	machine_on(cpu);
	if (pmu_lvt_automask(&machine_this_cpu()->pmu))
		machine_this_cpu()->lvtpc |= APIC_LVT_MASKED;
	handle(ip);
}

void machine_irqs_on(void)
{
	machine.irqs_off = false;
	machine_take_interrupts();
}

unsigned long machine_irq_save(void)
{
	const unsigned long flags = machine.irqs_off;

	machine.irqs_off = true;
	return flags;
}

void machine_irq_restore(unsigned long flags)
{
	assert_true(machine.irqs_off);
	if (!flags)
		machine_irqs_on();
}
