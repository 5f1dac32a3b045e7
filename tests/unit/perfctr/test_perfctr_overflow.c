// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt: whose the local APIC's LVTPC entry is, who handles
 * the interrupt and who counts it.
 */
#include <linux/seq_file.h>

#include <asm/apic.h>
#include <asm/perfctr_hooks.h>
#include <asm/processor.h>

#include "perfctr_harness.h"

static unsigned int handled;
static unsigned long handled_ip;

static void handler(unsigned long ip)
{
	handled++;
	handled_ip = ip;
}

static void the_entry_belongs_to_the_owner_of_the_pmu(const struct processor *p)
{
	unsigned int cpu;

	(void)p;
	assert_null(perfmon_arch_acquire(NULL));
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_int_equal(machine.cpu[cpu].lvtpc, LOCAL_PERFCTR_VECTOR);
	perfmon_arch_release();
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_int_equal(machine.cpu[cpu].lvtpc, APIC_DM_NMI);
}

static void
the_entry_stays_masked_where_perf_has_no_driver(const struct processor *p)
{
	(void)p;
	machine.perf_knows_cpu = false;
	assert_null(perfmon_arch_acquire(NULL));
	assert_int_equal(machine.cpu[1].lvtpc, LOCAL_PERFCTR_VECTOR);
	perfmon_arch_release();
	assert_int_equal(machine.cpu[1].lvtpc, APIC_LVT_MASKED);
}

/* The first APICs have three entries, and some processors none. */
static void an_apic_without_the_entry_is_left_alone(const struct processor *p)
{
	struct processor without_apic = *p;

	machine.maxlvt = 3;
	assert_null(perfmon_arch_acquire(NULL));
	perfmon_arch_release();
	machine.maxlvt = 4;
	without_apic.features &= ~X86_FEATURE_APIC;
	machine.processor = &without_apic;
	assert_null(perfmon_arch_acquire(NULL));
	perfmon_arch_release();
	assert_int_equal(machine.cpu[0].lvtpc_writes, 0);
	machine.processor = p;
	assert_null(perfmon_arch_acquire(NULL));
	assert_int_equal(machine.cpu[0].lvtpc_writes, 1);
}

static void
the_handler_gets_the_interrupted_instruction(const struct processor *p)
{
	(void)p;
	assert_null(perfmon_arch_acquire(NULL));
	perfctr_cpu_set_ihandler(handler);
	machine_interrupt(1, 0x12345678);
	assert_int_equal(handled, 1);
	assert_int_equal(handled_ip, 0x12345678);
	assert_int_equal(machine.cpu[1].eois, 1);
	assert_int_equal(machine.cpu[1].lvtpc, LOCAL_PERFCTR_VECTOR);
}

static void release_removes_the_handler(const struct processor *p)
{
	(void)p;
	assert_null(perfmon_arch_acquire(NULL));
	perfctr_cpu_set_ihandler(handler);
	perfmon_arch_release();
	assert_null(perfmon_arch_acquire(NULL));
	machine_interrupt(0, 1);
	assert_int_equal(handled, 0);
	assert_int_equal(machine.cpu[0].eois, 1);
}

/* It was on its way when the entry went back to perf's NMI. */
static void
a_late_interrupt_does_not_take_the_entry_again(const struct processor *p)
{
	unsigned int writes;

	(void)p;
	assert_null(perfmon_arch_acquire(NULL));
	perfmon_arch_release();
	writes = machine.cpu[2].lvtpc_writes;
	machine_interrupt(2, 1);
	assert_int_equal(machine.cpu[2].lvtpc_writes, writes);
	assert_int_equal(machine.cpu[2].eois, 1);
}

static void
proc_interrupts_shows_the_count_of_each_cpu(const struct processor *p)
{
	struct seq_file file = { .length = 0 };
	unsigned int count[NR_CPUS];

	(void)p;
	assert_null(perfmon_arch_acquire(NULL));
	machine_interrupt(0, 1);
	machine_interrupt(2, 1);
	machine_interrupt(2, 1);
	perfctr_show_interrupts(&file, 3);
	assert_int_equal(sscanf(file.text, "PFM: %u %u %u ", &count[0],
				&count[1], &count[2]),
			 3);
	assert_int_equal(count[0], 1);
	assert_int_equal(count[1], 0);
	assert_int_equal(count[2], 2);
	assert_int_equal(file.text[file.length - 1], '\n');
	assert_int_equal(perfctr_irq_stat_cpu(2), 2);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(the_entry_belongs_to_the_owner_of_the_pmu),
		RULE(the_entry_stays_masked_where_perf_has_no_driver),
		RULE(an_apic_without_the_entry_is_left_alone),
		RULE(the_handler_gets_the_interrupted_instruction),
		RULE(release_removes_the_handler),
		RULE(a_late_interrupt_does_not_take_the_entry_again),
		RULE(proc_interrupts_shows_the_count_of_each_cpu),
	};

	return run_rules(rules, ARRAY_SIZE(rules), boot);
}
