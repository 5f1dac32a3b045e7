/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Detection by case: a machine that a kernel boots on, and what it is expected to
 * find. For the tests of which processors are driven, and of what CPUID says.
 */
#ifndef DETECT_CASE_H
#define DETECT_CASE_H

#include <asm/processor.h>

#include "perfctr_harness.h"

/* Machines: name of the case, PMU model, vendor, family, model, more. */
#define CPU(name_, pmu_, vendor_, family_, model_)                      \
	.name = (name_), .pmu = (pmu_), .vendor = X86_VENDOR_##vendor_, \
	.family = (family_), .model = (model_)
#define P6(name_, model_) CPU(name_, "p6", INTEL, 6, model_), .cpuid_level = 2
#define ARCH(name_, model_) \
	CPU(name_, "core2", INTEL, 6, model_), .cpuid_level = 11

/* Expectations. */
#define FOUND(name_, counters_) .core_name = (name_), .counters = (counters_)

#define GENERIC FOUND("Generic x86 with TSC", 0)

/* CPUID leaf 10: EAX with no architectural event missing, EDX. */
#define LEAF10(version, counters, width, fixed)                        \
	.own_cpuid10 = true,                                           \
	.eax = (version) | (counters) << 8 | (width) << 16 | 7u << 24, \
	.edx = (fixed) | (width) << 5

struct machine_case {
	const char *name;
	const char *pmu;
	u8 vendor, family, model;
	int cpuid_level;
	u32 features;
	bool own_cpuid10, own_cpuid35;
	u32 subleaves, bitmap, fixed_bitmap; /* of leaf 35 */
	u32 eax, edx;
	bool has_misc_enable;
	u64 misc_enable;
	enum pmu_kind pmu_kind;
	bool perf_uses_pmu;
	int hotplug_error;
	/* expected; no name: refused */
	const char *core_name;
	const char *map_name; /* NULL: not looked at */
	unsigned int counters, fixed;
};

/* What a kernel that was booted in a process of its own found. */
struct finding {
	int error;
	bool has_name;
	char name[32], map_name[32];
	unsigned int counters, fixed;
	char log[512];
	u64 reserve_writes; /* of MSRs on each CPU */
	bool left_alone; /* nothing is taken, counter 0 is zero */
	bool hotplug; /* callbacks are installed */
};

/* Each kernel boots once, so it needs a process of its own. */
struct finding detect_in_child(const struct machine_case *c);

/* Boots each, and fails if it does not find what is expected. */
void detect_check(const struct machine_case *cases, size_t n);

#endif
