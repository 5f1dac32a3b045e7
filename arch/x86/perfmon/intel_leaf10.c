// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUID leaf 10 of Intel processors, corrected for the designs: counters that some BIOSes
 * or version 2 hide are added, and leaf 35 overrides it.
 *
 * The CPUs of a hybrid processor differ, and firmware or a hypervisor may give other CPUs
 * less than the first one: only counters that all CPUs have are used.
 *
 * Called by intel.c and p6.c at boot, and by intel.c for each CPU that comes up.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/smp.h>
#include <linux/string.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#include <asm/perfmon_compat.h>
#include <asm/processor.h>

#include "intel_leaf10.h"
#include "perfctr_core.h"

/* The bits of EAX name its subleaves; subleaf 1 has bit masks of the counters. */
#define LEAF35			35
#define LEAF35_COUNTERS		1

/*
 * IA32_PERF_CAPABILITIES: counters have second addresses where all bits can be written.
 */
#define CAPABLE_FULL_WIDTH	BIT_ULL(13)

/* CPUID leaf with the kind of core of this CPU, in bits 31:24 of EAX. */
#define LEAF_KIND		0x1a
#define KIND_SHIFT		24

/* The bit of this CPU's kind in selectors; 0: not hybrid, or kind unknown. */
DEFINE_PER_CPU(u32, perfctr_kind_bit);

/**
 * perfctr_kind_by_cpuid - kind of the running CPU, before kinds.c has recorded it
 *
 * Return: 0: core, 1: atom; -1: unknown, or the processor is not hybrid.
 */
int perfctr_kind_by_cpuid(void)
{
	static const u8 types[PERFCTR_MAX_KINDS] = { 0x40, 0x20 };
	unsigned int i;

	if (!boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return -1;
	for (i = 0; i < PERFCTR_MAX_KINDS; i++)
		if (types[i] == cpuid_eax(LEAF_KIND) >> KIND_SHIFT)
			return i;
	return -1;
}

/* The only list of the Core 2 models. */
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

static void leaf10_read(struct perfctr_leaf10 *leaf)
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
 * Version 6.  Leaf 10 describes the counters that all CPUs have, leaf 35 those that this
 * CPU has.  On a hybrid processor these are too many, elsewhere they are equal.
 * Programmable counters above a hole are not used: no processor with one is known.
 */
static void leaf35_read(struct perfctr_leaf10 *leaf)
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
	counters = fls(counters ^ (counters + 1)) - 1;
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU)) {
		counters = min(counters, leaf->counters);
		fixed &= leaf->fixed;
	}
	leaf->counters = counters;
	leaf->fixed = fixed;
}

static bool leaf10_fixed_answer(void)
{
	u64 value;

	return !rdmsrl_safe(MSR_ARCH_PERFMON_FIXED_CTR_CTRL, &value) &&
	       !rdmsrl_safe(MSR_ARCH_PERFMON_FIXED_CTR0 + 2, &value);
}

/*
 * Some BIOSes of Core 2 machines hide the PMU, and version 2 may not report its three
 * fixed counters.  A hypervisor may not report them because it has none, so try them.
 */
static void leaf10_repair(struct perfctr_leaf10 *leaf)
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
	/* No known counters are narrower; a zero would be a BIOS bug. */
	leaf->width = clamp(leaf->width, 40U, 63U);
	leaf->fixed_width = clamp(leaf->fixed_width, 40U, 63U);
}

static bool leaf10_full_width(void)
{
	u64 capabilities;

	return boot_cpu_has(X86_FEATURE_PDCM) &&
	       !rdmsrl_safe(MSR_IA32_PERF_CAPABILITIES, &capabilities) &&
	       (capabilities & CAPABLE_FULL_WIDTH);
}

/* Read the leaf of the executing CPU. */
static void leaf10_get(void *data)
{
	struct perfctr_leaf10 *leaf = data;

	leaf10_read(leaf);
	leaf35_read(leaf);
	leaf10_repair(leaf);
	leaf->full_width = leaf10_full_width();
}

/**
 * perfctr_read_leaf10_of - read and correct the leaf of one CPU
 * @cpu: CPU that is online, or is the calling one while it comes up
 * @leaf: filled
 */
void perfctr_read_leaf10_of(unsigned int cpu, struct perfctr_leaf10 *leaf)
{
	memset(leaf, 0, sizeof(*leaf));
	smp_call_function_single(cpu, leaf10_get, leaf, 1);
}

static void __init leaf10_narrow(struct perfctr_leaf10 *leaf,
				 const struct perfctr_leaf10 *other)
{
	leaf->version = min(leaf->version, other->version);
	leaf->counters = min(leaf->counters, other->counters);
	leaf->width = min(leaf->width, other->width);
	leaf->fixed &= other->fixed;
	leaf->fixed_width = min(leaf->fixed_width, other->fixed_width);
	leaf->any_thread &= other->any_thread;
	leaf->full_width &= other->full_width;
}

/**
 * perfctr_read_leaf10 - read and correct the leaf, reduced to what all CPUs have
 * @leaf: filled
 *
 * Context: may sleep.
 * Return: false if there are no programmable counters.
 */
bool __init perfctr_read_leaf10(struct perfctr_leaf10 *leaf)
{
	struct perfctr_leaf10 other;
	unsigned int cpu;

	if (boot_cpu_data.cpuid_level < 10)
		return false;
	leaf10_get(leaf);
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		perfctr_read_leaf10_of(cpu, &other);
		leaf10_narrow(leaf, &other);
	}
	cpus_read_unlock();
	return leaf->version && leaf->counters;
}
