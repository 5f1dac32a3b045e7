// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow vector when nobody has asked for it: before the core knows the
 * processor, which is for ever with perfmon=off, and while nobody has the PMU.
 * Any code can request it, and a crashed kernel leaves requests behind.
 */
#include <linux/seq_file.h>

#include <asm/apic.h>
#include <asm/perfctr_hooks.h>

#include "perfctr_harness.h"

/* The kernel is on its way to the initcalls. */
static void power_on(const struct processor *p)
{
	machine_power_on(p);
}

/* Only the acknowledgement may reach the APIC. */
static void assert_only_acknowledged(unsigned int cpu, unsigned int times)
{
	assert_int_equal(machine.cpu[cpu].eois, times);
	assert_int_equal(machine.cpu[cpu].lvtpc_writes, 0);
	assert_int_equal(machine_stat(PMU_STAT_WRMSR), 0);
	assert_null(machine.irq_regs);
}

static void the_vector_before_init_is_acknowledged(const struct processor *p)
{
	unsigned int i;

	(void)p;
	for (i = 1; i <= 3; i++) {
		machine_interrupt(1, 0x1000 * i);
		assert_only_acknowledged(1, i);
		assert_int_equal(perfctr_irq_stat_cpu(1), i);
	}
}

/* The entry of a CPU belongs to perf_event, whatever comes through it. */
static void
the_vector_before_init_keeps_nobody_from_starting(const struct processor *p)
{
	struct perfctr_cpu_state state;

	machine_interrupt(0, 0x1000);
	boot_and_reserve(p);
	memset(&state, 0, sizeof(state));
	add_ictr(p, &state, 0, USR, -100);
	accept(&state);
	resume_on(0, &state);
	machine_run(100, true);
	assert_int_equal(machine.cpu[0].interrupts, 1);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 100);
}

static void
the_vector_without_an_owner_is_acknowledged(const struct processor *p)
{
	(void)p;
	assert_int_equal(perfmon_arch_init(), 0);
	machine.cpu[1].lvtpc_writes = 0;
	machine.cpu[1].lvtpc = APIC_DM_NMI;
	machine_interrupt(1, 0x1000);
	assert_int_equal(machine.cpu[1].eois, 1);
	assert_int_equal(machine.cpu[1].lvtpc_writes, 0);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(the_vector_before_init_is_acknowledged),
		RULE_IF(has_interrupts,
			the_vector_before_init_keeps_nobody_from_starting),
		RULE(the_vector_without_an_owner_is_acknowledged),
	};

	return run_rules(rules, ARRAY_SIZE(rules), power_on);
}
