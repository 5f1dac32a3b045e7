// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has anybody else written the registers of our PMU?
 *
 * Firmware, hypervisors and programs with /dev/cpu/N/msr can, and all counts are
 * wrong from then on, because the core never writes what its cache says is
 * there.  The registers of each CPU are compared with its cache when it is given
 * back (reserve.c), and when somebody reads the file "verify" in debugfs.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/percpu.h>
#include <linux/perfmon_pmu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/sprintf.h>
#include <linux/types.h>

#include "perfctr_core.h"

/* The first register of a CPU that is not as it should be. */
struct difference {
	bool exists;
	unsigned int cpu;
	u32 msr;	/* 0: LVTPC of the local APIC */
	u64 value;
	u64 expected;
};

static void compare(const struct perfctr_register *reg, void *data)
{
	struct difference *diff = data;
	u64 value;

	if (diff->exists || !~reg->changing || rdmsrl_safe(reg->msr, &value) ||
	    !((value ^ reg->expected) & ~reg->changing))
		return;
	diff->exists = true;
	diff->cpu = smp_processor_id();
	diff->msr = reg->msr;
	diff->value = value;
	diff->expected = reg->expected;
}

/* Context: on the CPU itself, which is ours; interrupts off. */
static void compare_cpu(void *data)
{
	struct difference *diff = data;
	u32 lvtpc;

	if (perfctr_cpu_forbidden())
		return;
	perfctr_design->visit(this_cpu_ptr(&perfctr_cache), compare, diff);
	if (diff->exists || perfctr_lvtpc_is_ours(&lvtpc))
		return;
	diff->exists = true;
	diff->cpu = smp_processor_id();
	diff->value = lvtpc;
	diff->expected = perfctr_lvtpc_vector();
}

static void describe(const struct difference *diff, char *text, size_t size)
{
	char name[16] = "LVTPC";

	if (diff->msr)
		snprintf(name, sizeof(name), "MSR %#x", diff->msr);
	snprintf(text, size, "CPU %u: %s is %#llx, not %#llx", diff->cpu, name,
		 diff->value, diff->expected);
}

/*
 * Before this CPU is given back.
 *
 * Context: on the CPU itself; interrupts off.
 */
void perfctr_verify_this_cpu(void)
{
	struct difference diff = {};
	char text[96];

	compare_cpu(&diff);
	if (!diff.exists)
		return;
	describe(&diff, text, sizeof(text));
	pr_warn_ratelimited("%s: somebody else has written it, counts may be wrong\n",
			    text);
}

/**
 * perfmon_arch_verify - compare the registers of all CPUs with their caches
 * @text: gets "ok", "free" if the PMU is not ours, or the first difference
 * @size: of @text, at least 96
 *
 * Context: may sleep.
 */
void perfmon_arch_verify(char *text, size_t size)
{
	struct difference diff = {};

	if (!perfctr_on_our_cpus(compare_cpu, &diff))
		snprintf(text, size, "free");
	else if (diff.exists)
		describe(&diff, text, size);
	else
		snprintf(text, size, "ok");
}
