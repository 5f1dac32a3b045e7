// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of processors.h: one of each design, and both sizes of the
 * architectural PMU.
 */
#include <asm/processor.h>

#include "processors.h"

#define AMD_LEGACY_MSRS \
	.selector_msr = 0xc0010000, .counter_msr = 0xc0010004, .msr_stride = 1
#define INTEL_MSRS .selector_msr = 0x186, .counter_msr = 0xc1, .msr_stride = 1

const struct processor processors[] = {
	{
		.name = "k7",
		.pmu = "k7",
		.vendor = X86_VENDOR_AMD,
		.family = 6,
		.model = 6,
		.cpuid_level = 1,
		.features = X86_FEATURE_APIC,
		.core_name = "AMD K7",
		.map_name = "AMD64",
		.counters = 4,
		.width = 48,
		AMD_LEGACY_MSRS,
	},
	{
		.name = "k8",
		.pmu = "k7",
		.vendor = X86_VENDOR_AMD,
		.family = 0xf,
		.model = 5,
		.cpuid_level = 1,
		.features = X86_FEATURE_APIC,
		.core_name = "AMD K8",
		.map_name = "AMD64",
		.counters = 4,
		.width = 48,
		AMD_LEGACY_MSRS,
	},
	{
		.name = "fam10h",
		.pmu = "k10",
		.vendor = X86_VENDOR_AMD,
		.family = 0x10,
		.model = 2,
		.cpuid_level = 5,
		.features = X86_FEATURE_APIC,
		.core_name = "AMD Family 10h+",
		.map_name = "AMD64",
		.counters = 4,
		.width = 48,
		.high_bits = 0x30f,
		AMD_LEGACY_MSRS,
	},
	{
		.name = "zen1",
		.pmu = "core",
		.vendor = X86_VENDOR_AMD,
		.family = 0x17,
		.model = 1,
		.cpuid_level = 13,
		.features = X86_FEATURE_APIC | X86_FEATURE_PERFCTR_CORE,
		.core_name = "AMD Core Perfctr",
		.map_name = "AMD Core Perfctr",
		.counters = 6,
		.width = 48,
		.selector_msr = 0xc0010200,
		.counter_msr = 0xc0010201,
		.msr_stride = 2,
		.high_bits = 0x30f,
	},
	{
		.name = "p3",
		.pmu = "p6",
		.vendor = X86_VENDOR_INTEL,
		.family = 6,
		.model = 8,
		.cpuid_level = 2,
		.features = X86_FEATURE_APIC,
		.core_name = "Intel P6",
		.map_name = "Intel P6 processor Family",
		.counters = 2,
		.width = 40,
		.shared_enable = true,
		INTEL_MSRS,
	},
	{
		.name = "core2",
		.pmu = "core2",
		.vendor = X86_VENDOR_INTEL,
		.family = 6,
		.model = 15,
		.cpuid_level = 10,
		.features = X86_FEATURE_APIC,
		.core_name = "Intel architectural",
		.map_name = "Intel Core",
		.counters = 2,
		.fixed = 3,
		.width = 40,
		INTEL_MSRS,
	},
	{
		.name = "nehalem",
		.pmu = "arch2",
		.vendor = X86_VENDOR_INTEL,
		.family = 6,
		.model = 26,
		.cpuid_level = 11,
		.features = X86_FEATURE_APIC,
		.core_name = "Intel architectural",
		.map_name = "Intel architectural",
		.counters = 4,
		.fixed = 3,
		.width = 48,
		INTEL_MSRS,
	},
};

const unsigned int nr_processors = sizeof(processors) / sizeof(processors[0]);
