// SPDX-License-Identifier: GPL-2.0-only
/*
 * Detection of other software's writes to the registers of our PMU.
 *
 * Firmware, hypervisors and programs with /dev/cpu/N/msr can write them.  All later
 * counts are wrong then, because the core does not rewrite a register whose value the
 * cache shows as correct.  The registers of a CPU are compared with its cache when the
 * PMU is given back (reserve.c).  A read of the file "verify" in debugfs compares the
 * registers of all CPUs.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/sprintf.h>
#include <linux/types.h>

#include "perfctr_core.h"

static void verify_register(const struct perfctr_register *reg, void *data)
{
	struct perfctr_difference *diff = data;
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

/*
 * Store the first difference on this CPU in a struct perfctr_difference.
 *
 * Context: on the CPU itself, whose PMU is ours; interrupts off.
 */
void perfctr_compare_cpu(void *data)
{
	struct perfctr_difference *diff = data;
	u32 lvtpc;

	if (perfctr_cpu_forbidden())
		return;
	perfctr_design->visit(this_cpu_ptr(&perfctr_cache), verify_register,
			      diff);
	if (diff->exists || perfctr_lvtpc_is_ours(&lvtpc))
		return;
	diff->exists = true;
	diff->cpu = smp_processor_id();
	diff->value = lvtpc;
	diff->expected = perfctr_lvtpc_vector();
}

/* Describe the difference in at most @size bytes; 96 are enough. */
void perfctr_describe(const struct perfctr_difference *diff, char *text,
		      size_t size)
{
	char name[16] = "LVTPC";

	if (diff->msr)
		snprintf(name, sizeof(name), "MSR %#x", diff->msr);
	snprintf(text, size, "CPU %u: %s is %#llx, not %#llx", diff->cpu, name,
		 diff->value, diff->expected);
}

/*
 * Compare, and warn of a difference, before this CPU's PMU is given back.
 *
 * Context: on the CPU itself; interrupts off.
 */
void perfctr_verify_this_cpu(void)
{
	struct perfctr_difference diff = {};
	char text[96];

	perfctr_compare_cpu(&diff);
	if (!diff.exists)
		return;
	perfctr_describe(&diff, text, sizeof(text));
	pr_warn_ratelimited("%s: somebody else has written it, counts may be wrong\n",
			    text);
}
