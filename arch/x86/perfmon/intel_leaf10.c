// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUID leaf 10 of Intel processors, repaired for the designs: counters that some
 * BIOSes and version 2 hide are added, and leaf 35 overrides it.
 *
 * Called by intel.c and p6.c at boot.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/init.h>
#include <linux/minmax.h>

#include <asm/cpuid.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "intel_leaf10.h"
#include "perfctr_core.h"

/* Its subleaves by the bits of EAX; the second has bit masks of the counters. */
#define LEAF35			35
#define LEAF35_COUNTERS		1

/* The one list of its models. */
bool __init perfctr_is_core2(void)
{
	if (boot_cpu_data.x86 != 6)
		return false;
	switch (boot_cpu_data.x86_model) {
	case 15:
	case 22:
	case 23:
	case 29:
		return true;
	default:
		return false;
	}
}

static void __init leaf10_read(struct perfctr_leaf10 *leaf)
{
	union cpuid10_eax eax;
	union cpuid10_edx edx;
	unsigned int ebx, ecx;

	cpuid(10, &eax.full, &ebx, &ecx, &edx.full);
	leaf->version = eax.split.version_id;
	leaf->counters = eax.split.num_counters;
	leaf->width = eax.split.bit_width;
	leaf->fixed = 0;
	if (leaf->version >= 2)
		leaf->fixed = BIT_ULL(edx.split.num_counters_fixed) - 1;
	if (leaf->version >= 5)
		leaf->fixed |= ecx;
	leaf->fixed_width = edx.split.bit_width_fixed;
	leaf->any_thread = leaf->version >= 3 &&
			   !(leaf->version >= 5 &&
			     edx.split.anythread_deprecated);
}

/*
 * Version 6.  Leaf 10 says what all CPUs have, this one what its CPU has.  Of
 * programmable counters behind a hole no use is made: none is known.
 */
static void __init leaf35_read(struct perfctr_leaf10 *leaf)
{
	unsigned int subleaves, counters, fixed, ebx, ecx, edx;

	if (boot_cpu_data.cpuid_level < LEAF35)
		return;
	cpuid_count(LEAF35, 0, &subleaves, &ebx, &ecx, &edx);
	if (!(subleaves & BIT(LEAF35_COUNTERS)))
		return;
	cpuid_count(LEAF35, LEAF35_COUNTERS, &counters, &fixed, &ecx, &edx);
	if (!(counters & 1))
		return;
	leaf->counters = fls(counters ^ (counters + 1)) - 1;
	leaf->fixed = fixed;
}

static bool __init leaf10_fixed_answer(void)
{
	u64 value;

	return !rdmsrl_safe(MSR_ARCH_PERFMON_FIXED_CTR_CTRL, &value) &&
	       !rdmsrl_safe(MSR_ARCH_PERFMON_FIXED_CTR0 + 2, &value);
}

/*
 * Some BIOSes of Core 2 machines hide the PMU, and version 2 may be silent
 * about its three fixed counters.  A hypervisor may be silent because it has
 * none, so try them.
 */
static void __init leaf10_repair(struct perfctr_leaf10 *leaf)
{
	if (!leaf->version && boot_cpu_data.x86 == 6 &&
	    boot_cpu_data.x86_model == 15) {
		leaf->version = 2;
		leaf->counters = 2;
		leaf->width = 40;
	}
	if (leaf->version == 2 && leaf->counters && !leaf->fixed &&
	    leaf10_fixed_answer()) {
		leaf->fixed = 0x7;
		leaf->fixed_width = 40;
	}
	/* No known ones are narrower; a zero would be a BIOS bug. */
	leaf->width = clamp(leaf->width, 40U, 63U);
	leaf->fixed_width = clamp(leaf->fixed_width, 40U, 63U);
}

/**
 * perfctr_read_leaf10 - read and repair the leaf
 * @leaf: filled
 *
 * Return: false if there are no programmable counters.
 */
bool __init perfctr_read_leaf10(struct perfctr_leaf10 *leaf)
{
	if (boot_cpu_data.cpuid_level < 10)
		return false;
	leaf10_read(leaf);
	leaf35_read(leaf);
	leaf10_repair(leaf);
	return leaf->version && leaf->counters;
}
