// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contents of the PMU before it is first taken.
 *
 * Firmware of some machines uses counters, hypervisors show counters that do not work,
 * earlier kernels leave registers set.  So an unused counter is tried at boot.  Before
 * the PMU is first taken, registers that are not zero are logged, because reports of
 * wrong counts can only be judged with this information.
 *
 * reserve.c calls perfctr_counter_works() and perfctr_take_inventory() while perf_event
 * is excluded; the latter under its lock.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/init.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>

#include <asm/cpufeature.h>
#include <asm/processor.h>

#include "perfctr_core.h"

/* The Pentium 4 has the most, among them 18 CCCRs and 45 ESCRs. */
#define MAX_REGISTERS	80

/* The first register of a CPU that differs from the same register of the first CPU. */
struct look {
	unsigned int i;
	bool first;
	u32 msr;	/* first difference; 0: none */
	u64 value;
};

/* Contents of the registers of the first CPU, in the order of the design. */
static u64 found[MAX_REGISTERS];

/* Also a valid event number for the designs whose selector is probed. */
#define PATTERN	0x5a

/* Does the register keep a value that is written to it? */
static bool __init inventory_keeps(u32 msr)
{
	u64 value;

	return !wrmsrl_safe(msr, PATTERN) && !rdmsrl_safe(msr, &value) &&
	       value == PATTERN && !wrmsrl_safe(msr, 0);
}

/* The first counter whose selector is zero; else the first counter. */
static unsigned int __init inventory_unused_counter(void)
{
	unsigned int i, first = ffz(perfctr_design->absent_counters);
	u64 value;

	for (i = first; i < perfctr_design->nr_counters; i++)
		if (!(perfctr_design->absent_counters & BIT(i)) &&
		    !rdmsrl_safe(perfctr_design->evntsel_msr(i), &value) &&
		    !value)
			return i;
	return first;
}

/*
 * Emulators and hypervisors without a virtual PMU show a processor whose counters fault
 * or ignore writes.  A counter that firmware has started would continue from the written
 * value, so it is stopped during the test.
 */
bool __init perfctr_counter_works(void)
{
	unsigned int counter = inventory_unused_counter();
	unsigned int evntsel = perfctr_design->evntsel_msr(counter);
	bool works;
	u64 value;

	if (rdmsrl_safe(evntsel, &value) || wrmsrl_safe(evntsel, 0))
		return false;
	works = inventory_keeps(perfctr_design->unwritable ?
					evntsel :
					perfctr_design->counter_msr(counter));
	return !wrmsrl_safe(evntsel, value) && works;
}

static bool inventory_counting(const struct perfctr_register *reg, u64 value)
{
	return (value & reg->counts) && (!reg->levels || (value & reg->levels));
}

static void inventory_log(const struct perfctr_register *reg, u64 value)
{
	if (inventory_counting(reg, value))
		pr_warn(FW_BUG "found MSR %#x = %#llx: it counts\n", reg->msr,
			value);
	else if (value)
		pr_info("found MSR %#x = %#llx\n", reg->msr, value);
}

/* Called on one CPU after the other. */
static void inventory_look_at(const struct perfctr_register *reg, void *data)
{
	struct look *look = data;
	u64 value;

	if (look->i == MAX_REGISTERS || rdmsrl_safe(reg->msr, &value))
		return;
	if (look->first) {
		inventory_log(reg, value);
		found[look->i] = value;
	} else if (!look->msr && found[look->i] != value) {
		look->msr = reg->msr;
		look->value = value;
	}
	look->i++;
}

static void inventory_look_at_cpu(void *data)
{
	if (!perfctr_cpu_forbidden())
		perfctr_design->visit(this_cpu_ptr(&perfctr_cache),
				      inventory_look_at, data);
}

/* Log the contents once: later contents come from sessions. */
void perfctr_take_inventory(void)
{
	static bool taken;
	struct look look = { .first = true };
	unsigned int cpu;

	if (taken)
		return;
	taken = true;
	pr_info("inventory: family %#x model %#x stepping %u, microcode %#x, LVTPC %#x%s\n",
		boot_cpu_data.x86, boot_cpu_data.x86_model,
		boot_cpu_data.x86_stepping, boot_cpu_data.microcode,
		perfctr_lvtpc_read(),
		boot_cpu_has(X86_FEATURE_HYPERVISOR) ? ", hypervisor" : "");
	for_each_online_cpu(cpu) {
		look.i = 0;
		look.msr = 0;
		smp_call_function_single(cpu, inventory_look_at_cpu, &look, 1);
		if (look.msr)
			pr_info("CPU %u differs: MSR %#x = %#llx\n", cpu,
				look.msr, look.value);
		look.first = false;
	}
}
