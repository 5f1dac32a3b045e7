// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt's vector in a module: one interrupt of the vector domain for
 * each CPU.  It exists while the CPU is online and has a row in /proc/interrupts.
 *
 * Owns vector_of_cpu and irq_of_cpu. CPU hotplug changes them on their CPU while nothing
 * counts there: its callbacks run before the ones of reserve.c when a CPU comes up, and
 * after them when it goes down.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/errno.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/percpu.h>
#include <linux/perfmon_module.h>
#include <linux/printk.h>
#include <linux/topology.h>

#include <asm/apic.h>
#include <asm/hw_irq.h>
#include <asm/irq_regs.h>
#include <asm/irqdomain.h>

#include "../perfctr_core.h"

static DEFINE_PER_CPU(u32, vector_of_cpu);	/* 0: none */
static DEFINE_PER_CPU(int, irq_of_cpu);
static enum cpuhp_state vector_state;

/**
 * perfctr_vector_here - value for the LVTPC entry of this CPU
 *
 * Context: the caller must stay on this CPU.
 * Return: the vector; APIC_LVT_MASKED if there is none.
 */
u32 perfctr_vector_here(void)
{
	u32 vector = __this_cpu_read(vector_of_cpu);

	return vector ? vector : APIC_LVT_MASKED;
}

/** perfctr_vector_send_self - interrupt this CPU, if it has a vector */
void perfctr_vector_send_self(u32 vector)
{
	if (vector != APIC_LVT_MASKED)
		apic->send_IPI_self(vector);
}

/**
 * perfctr_vector_raise_in_nmi - interrupt this CPU as soon as interrupts are enabled
 *
 * Like the function of the same name in vector_builtin.c.
 *
 * Context: NMI.
 */
void perfctr_vector_raise_in_nmi(void)
{
	perfctr_vector_send_self(perfctr_vector_here());
	if (apic->wait_icr_idle)
		apic->wait_icr_idle();
}

/* Always returns "handled": the kernel disables interrupts that no handler claims. */
static irqreturn_t vector_interrupt(int irq, void *unused)
{
	perfctr_lvtpc_interrupt(get_irq_regs());
	return IRQ_HANDLED;
}

static int vector_alloc(unsigned int cpu)
{
	struct irq_alloc_info info = { .mask = cpumask_of(cpu) };
	int err, irq = irq_domain_alloc_irqs(x86_vector_domain, 1,
					     cpu_to_node(cpu), &info);

	if (irq < 0)
		return irq;
	irq_set_handler(irq, handle_edge_irq);
	err = request_irq(irq, vector_interrupt,
			  IRQF_NOBALANCING | IRQF_PERCPU | IRQF_NO_THREAD,
			  "perfmon", NULL);
	if (err) {
		irq_dispose_mapping(irq);
		return err;
	}
	per_cpu(irq_of_cpu, cpu) = irq;
	per_cpu(vector_of_cpu, cpu) = irqd_cfg(irq_get_irq_data(irq))->vector;
	return 0;
}

static void vector_free(unsigned int cpu)
{
	int irq = per_cpu(irq_of_cpu, cpu);

	if (!irq)
		return;
	per_cpu(vector_of_cpu, cpu) = 0;
	per_cpu(irq_of_cpu, cpu) = 0;
	free_irq(irq, NULL);
	irq_dispose_mapping(irq);
}

/* Without a vector the CPU counts, but cannot sample. */
static int vector_cpu_online(unsigned int cpu)
{
	int err = vector_alloc(cpu);

	if (err)
		pr_warn("CPU %u has no vector for overflows: error %d\n", cpu,
			err);
	return 0;
}

static int vector_cpu_offline(unsigned int cpu)
{
	vector_free(cpu);
	return 0;
}

/**
 * perfctr_vector_init - give each CPU a vector
 *
 * Context: before perfctr_cpu_init().
 * Return: 0 or an error.
 */
int perfctr_vector_init(void)
{
	int ret;

	/* Without a local APIC there is no overflow interrupt. */
	if (!boot_cpu_has(X86_FEATURE_APIC))
		return 0;
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perfctr:vector",
				vector_cpu_online, vector_cpu_offline);
	if (ret < 0)
		return ret;
	vector_state = ret;
	return 0;
}

/** perfctr_vector_exit - undo perfctr_vector_init() */
void perfctr_vector_exit(void)
{
	if (vector_state)
		cpuhp_remove_state(vector_state);
}
