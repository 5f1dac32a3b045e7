// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of old processors of processors.h: P5 and what was built after its
 * example, and the C3.
 */
#include <asm/perfctr.h>
#include <asm/processor.h>

#include "processors.h"

/* Both selectors are in one register. */
#define CESR_MSRS .selector_msr = 0x11, .counter_msr = 0x12, .msr_stride = 0

static const struct design_rules p5_rules = {
	.insns = 0x16,
	.usr = 0x80,
	.os = 0x40,
	.one_of = 0xc0,
	.reserved = 0xfffffe00,
};

static const struct design_rules cyrix_rules = {
	.insns = 0x16,
	.usr = 0x80,
	.os = 0x40,
	.one_of = 0xc0,
	.reserved = 0xfffffa00,
};

static const struct design_rules winchip_c6_rules = {
	.insns = 0x02,
	.reserved = 0xffffff00,
};

static const struct design_rules winchip_2_rules = {
	.insns = 0x16,
	.reserved = 0xffffff00,
};

static const struct design_rules c3_rules = {
	.insns = 0xc0,
	.reserved = 0xfffffe00,
};

const struct processor old_processors[] = {
	{
		.name = "p5",
		.pmu = "p5",
		.vendor = X86_VENDOR_INTEL,
		.family = 5,
		.model = 2,
		.cpuid_level = 1,
		.features = X86_FEATURE_APIC,
		.rules = &p5_rules,
		.core_name = "Intel P5",
		.map_name = "Intel P5",
		.cpu_type = PERFCTR_X86_INTEL_P5,
		.counters = 2,
		.width = 40,
		.no_rdpmc = true,
		CESR_MSRS,
	},
	{
		.name = "p5mmx",
		.pmu = "p5mmx",
		.vendor = X86_VENDOR_INTEL,
		.family = 5,
		.model = 4,
		.cpuid_level = 1,
		.features = X86_FEATURE_APIC,
		.rules = &p5_rules,
		.core_name = "Intel P5 MMX",
		.map_name = "Intel P5",
		.cpu_type = PERFCTR_X86_INTEL_P5MMX,
		.counters = 2,
		.width = 40,
		CESR_MSRS,
	},
	{
		.name = "mii",
		.pmu = "mii",
		.vendor = X86_VENDOR_CYRIX,
		.family = 6,
		.model = 2,
		.cpuid_level = 1,
		.rules = &cyrix_rules,
		.core_name = "Cyrix 6x86MX/MII/III",
		.map_name = "Cyrix MII",
		.cpu_type = PERFCTR_X86_CYRIX_MII,
		.counters = 2,
		.width = 40,
		CESR_MSRS,
	},
	{
		.name = "winchip-c6",
		.pmu = "winchip-c6",
		.vendor = X86_VENDOR_CENTAUR,
		.family = 5,
		.model = 4,
		.cpuid_level = 1,
		.rules = &winchip_c6_rules,
		.core_name = "Centaur WinChip C6",
		.map_name = "Centaur WinChip",
		.cpu_type = PERFCTR_X86_WINCHIP_C6,
		.counters = 2,
		.width = 40,
		.no_tsc = true,
		CESR_MSRS,
	},
	{
		.name = "winchip-2",
		.pmu = "winchip-2",
		.vendor = X86_VENDOR_CENTAUR,
		.family = 5,
		.model = 8,
		.cpuid_level = 1,
		.rules = &winchip_2_rules,
		.core_name = "Centaur WinChip 2",
		.map_name = "Centaur WinChip",
		.cpu_type = PERFCTR_X86_WINCHIP_2,
		.counters = 2,
		.width = 40,
		.no_tsc = true,
		CESR_MSRS,
	},
	{
		.name = "c3",
		.pmu = "c3",
		.vendor = X86_VENDOR_CENTAUR,
		.family = 6,
		.model = 9,
		.cpuid_level = 1,
		.rules = &c3_rules,
		.core_name = "VIA C3",
		.map_name = "VIA C3",
		.cpu_type = PERFCTR_X86_VIA_C3,
		.counters = 1,
		.first_counter = 1,
		.width = 32,
		.selector_msr = 0x187,
		.counter_msr = 0xc2,
		.msr_stride = 1,
	},
};

const unsigned int nr_old_processors =
	sizeof(old_processors) / sizeof(old_processors[0]);
