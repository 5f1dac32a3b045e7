/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hybrid processors: CPUs 0 and 1 are of one kind of core, the last is of the other.
 */
#ifndef PERFCTR_TEST_HYBRIDS_H
#define PERFCTR_TEST_HYBRIDS_H

#include <linux/smp.h>

#include <asm/perfctr.h>
#include <asm/processor.h>

#include "perfctr_harness.h"

#define INSTRUCTIONS 0xc0u
#define LAST_CPU (NR_CPUS - 1)

#define INTEL(model_, level, more)                                             \
	.vendor = X86_VENDOR_INTEL, .family = 6, .model = (model_),            \
	.cpuid_level = (level), .rules = &p6_rules, .width = 48,               \
	.core_name = "Intel architectural", .map_name = "Intel architectural", \
	.cpu_type = PERFCTR_X86_INTEL_ARCH, .selector_msr = 0x186,             \
	.counter_msr = 0x4c1, .msr_stride = 1, .full_width = true,             \
	.overflow_status = true,                                               \
	.features = X86_FEATURE_APIC | X86_FEATURE_PDCM | (more)
#define HYBRID X86_FEATURE_HYBRID_CPU

/* What is known of a hybrid processor must not depend on who boots. */
static const struct processor hybrids[] = {
	{ .name = "core first",
	  .pmu = "goldencove",
	  .second_pmu = "gracemont",
	  .counters = 6,
	  .fixed = 3,
	  INTEL(151, 26, HYBRID) },
	{ .name = "atom first",
	  .pmu = "gracemont",
	  .second_pmu = "goldencove",
	  .counters = 6,
	  .fixed = 3,
	  INTEL(151, 26, HYBRID) },
	/* With a leaf of its own for what each CPU has. */
	{ .name = "version 6",
	  .pmu = "lioncove",
	  .second_pmu = "skymont",
	  .counters = 8,
	  .fixed = 3,
	  INTEL(198, 35, HYBRID) },
};

static inline unsigned int kind_of(unsigned int cpu)
{
	machine_on(cpu);
	return __this_cpu_read(perfctr_kind_bit);
}

/* Fails on #GP. */
static inline void write_and_clear(u32 msr, u64 value)
{
	wrmsrl(msr, value);
	wrmsrl(msr, 0);
}

#endif
