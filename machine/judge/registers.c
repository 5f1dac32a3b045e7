// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers: which PMU MSRs the processor has, what they keep, and that all
 * others fault. Which design it is follows from CPUID alone. Also the
 * statistics block.
 */

#include <cpuid.h>
#include <stdio.h>
#include <string.h>

#include "judge.h"
#include "pmu_stats.h"

#define MAX_RANGES 24
#define MAX_EFFECTS 5

struct range {
	uint32_t first, last;
};

/* A write and what can be read afterwards. */
struct effect {
	uint32_t msr;
	bool faults;
	uint64_t value, readback;
};

struct design {
	const char *name;
	struct range present[MAX_RANGES];
	const struct effect *effects[MAX_EFFECTS]; /* each ends with msr == 0 */
};

/* Where any x86 processor has PMU registers. */
static const struct range pmu_ranges[] = {
	{ 0x11, 0x13 },
	{ 0xc1, 0xc8 },
	{ 0x186, 0x18d },
	{ 0x1a6, 0x1a7 },
	{ 0x300, 0x318 },
	{ 0x345, 0x345 },
	{ 0x360, 0x371 },
	{ 0x38d, 0x392 },
	{ 0x3a0, 0x3e1 },
	{ 0x3f1, 0x3f2 },
	{ 0x3f6, 0x3f7 },
	{ 0x4c1, 0x4c8 },
	{ 0xc0000300, 0xc0000303 },
	{ 0xc0010000, 0xc0010007 },
	{ 0xc0010200, 0xc001020f },
	{ 0xc0011030, 0xc001103d },
};

/* Reserved selector bits do not fault on AMD but read as zero. */
static const struct effect amd_effects[] = {
	{ 0xc0010004, false, ~0ull, 0xffffffffffff },
	{ 0xc0010007, false, 0x123456789abc, 0x123456789abc },
	{ 0xc0010000, false, 0x80000000002100c0, 0x100c0 },
	{ 0 },
};

static const struct effect core_ext_effects[] = {
	{ 0xc001020b, false, ~0ull, 0xffffffffffff },
	{ 0xc001020a, false, 0x80000000002100c0, 0x100c0 },
	{ 0 },
};

static const struct effect p6_effects[] = {
	{ 0xc1, false, 0x80000000, 0xff80000000 },
	{ 0xc2, false, 0x127fffffff, 0x7fffffff },
	{ 0x186, false, 0x100c0, 0x100c0 },
	{ 0x186, true, 1ull << 21, 0 },
	{ 0x187, true, 1ull << 32, 0 },
	{ 0 },
};

/* Global control, status, status clear and status set. */
static const struct effect perfmon_v2_effects[] = {
	{ 0xc001020b, false, ~0ull, 0xffffffffffff },
	{ 0xc001020a, false, 0x80000000002100c0, 0x100c0 },
	{ 0xc0000301, false, ~0ull, 0x3f },
	{ 0xc0000300, false, ~0ull, 0 },
	{ 0xc0000302, false, ~0ull, 0 },
	{ 0 },
};

/* Without the bits that enable the units. */
static const struct effect ibs_effects[] = {
	{ 0xc001103a, true, 0, 0 },
	{ 0xc0011030, false, 0xf400ffff00001000, 0x1000 },
	{ 0xc0011034, false, 0xffff800012345678, 0xffff800012345678 },
	{ 0 },
};

static const struct effect arch_effects[] = {
	{ 0xc1, false, 0x7fffffff, 0x7fffffff },
	{ 0xc1, false, 0x1200000001, 1 },
	{ 0x186, false, 0x100c0, 0x100c0 },
	{ 0x187, true, 1ull << 35, 0 },
	{ 0x309, false, 0x123456789a, 0x123456789a },
	{ 0x309, true, 1ull << 48, 0 },
	{ 0x38d, false, 0xbbb, 0xbbb },
	{ 0x38d, true, 1ull << 30, 0 },
	{ 0x38e, true, 0, 0 },
	{ 0x38f, true, 1ull << 31, 0 },
	{ 0x38f, true, 1ull << 39, 0 },
	{ 0x390, false, 1, 0 },
	{ 0x390, true, 1ull << 56, 0 },
	{ 0 },
};

/* Bits for a counter that counts what both hyper-threads do. */
static const struct effect any_thread_effects[] = {
	{ 0x186, false, 0x2100c0, 0x2100c0 },
	{ 0x38d, false, 0x444, 0x444 },
	{ 0 },
};

static const struct effect no_any_thread_effects[] = {
	{ 0x186, true, 0x2100c0, 0 },
	{ 0x38d, true, 0x4, 0 },
	{ 0 },
};

static const struct effect full_width_effects[] = {
	{ 0x345, true, 0, 0 },
	{ 0x4c1, false, 0x123456789a, 0x123456789a },
	{ 0x4c1, true, 1ull << 48, 0 },
	{ 0 },
};

static const struct effect no_baseline_effects[] = {
	{ 0x187, true, 1ull << 34, 0 },
	{ 0x38d, true, 1ull << 32, 0 },
	{ 0 },
};

static const struct effect version4_effects[] = {
	{ 0x391, false, 0, 0 },
	{ 0x391, true, 1ull << 63, 0 },
	{ 0x392, true, 0, 0 },
	{ 0 },
};

static void add_range(struct design *design, uint32_t first, uint32_t number)
{
	int i = 0;

	if (!number)
		return;
	while (design->present[i].first)
		i++;
	design->present[i] = (struct range){ first, first + number - 1 };
}

static void add_effects(struct design *design, const struct effect *effects)
{
	int i = 0;

	while (design->effects[i])
		i++;
	design->effects[i] = effects;
}

/* The registers of instruction-based sampling. */
static void find_ibs(struct design *design)
{
	unsigned int caps = 0, ebx, ecx, edx;

	__get_cpuid(0x8000001b, &caps, &ebx, &ecx, &edx);
	add_range(design, 0xc0011030, 11);
	if (caps >> 5 & 1)
		add_range(design, 0xc001103b, 1);
	if (caps >> 9 & 1)
		add_range(design, 0xc001103c, 1);
	if (caps >> 10 & 1)
		add_range(design, 0xc001103d, 1);
	add_effects(design, ibs_effects);
}

static void find_amd(struct design *design)
{
	unsigned int eax = 0, ebx, ecx = 0, edx;

	design->name = "AMD";
	add_range(design, 0xc0010000, 8);
	__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx);
	if (ecx >> 10 & 1)
		find_ibs(design);
	if (!(ecx >> 23 & 1)) {
		add_effects(design, amd_effects);
		return;
	}
	add_range(design, 0xc0010200, 12);
	if (__get_cpuid(0x80000022, &eax, &ebx, &ecx, &edx) && eax & 1) {
		design->name = "AMD PerfMonV2";
		add_range(design, 0xc0000300, 4);
		add_effects(design, perfmon_v2_effects);
	} else {
		design->name = "AMD core extension";
		add_effects(design, core_ext_effects);
	}
}

/* What CPUID says of fixed counters and their any-thread bits. */
static void find_fixed(struct design *design, unsigned int version,
		       unsigned int ecx, unsigned int edx)
{
	const bool any_thread = version >= 3 && !(edx >> 15 & 1);
	uint32_t i;

	for (i = 0; i < 16; i++)
		if (i < (edx & 0x1f) || (version >= 5 && ecx >> i & 1))
			add_range(design, 0x309 + i, 1);
	if (find_kind() == KIND_CORE)
		add_range(design, 0x30c, 1);
	add_range(design, 0x38d, version >= 4 ? 6 : 4);
	add_effects(design, arch_effects);
	add_effects(design,
		    any_thread ? any_thread_effects : no_any_thread_effects);
	if (version >= 4)
		add_effects(design, version4_effects);
}

/* The registers that qualify events belong to models and not to versions. */
static void find_extra(struct design *design)
{
	unsigned int eax = 0, ebx, ecx, edx, model;

	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);
	if (model == 15 || model == 23) /* Core 2 */
		return;
	add_range(design, 0x1a6, model == 26 ? 1 : 2); /* Nehalem */
	/* Skylake, and not the line of Gracemont */
	add_range(design, 0x3f6,
		  model < 94 || model == 175 || find_kind() == KIND_ATOM ? 1 :
									   2);
}

/* What PERF_CAPABILITIES announces. PEBS with a baseline has a bit in selectors. */
static void find_capabilities(struct design *design, uint32_t counters)
{
	unsigned int eax, ebx, ecx = 0, edx = 0;
	uint64_t capabilities = 0;

	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	if (ecx >> 15 & 1) {
		add_range(design, 0x345, 1);
		read_msr(judge_cpu, 0x345, &capabilities);
	}
	if (capabilities >> 13 & 1) {
		add_range(design, 0x4c1, counters);
		add_effects(design, full_width_effects);
	}
	if (!(capabilities >> 14 & 1))
		add_effects(design, no_baseline_effects);
	if (edx >> 21 & 1)
		add_range(design, 0x3f1, capabilities >> 14 & 1 ? 2 : 1);
}

static const struct effect p4_effects[] = {
	{ 0x300, false, 0x123456789a, 0x123456789a },
	{ 0x311, true, 1ull << 40, 0 },
	{ 0x360, false, 0x37000, 0x37000 },
	{ 0x360, true, 1ull << 28, 0 },
	{ 0x36e, true, 0x30800, 0 }, /* no extended cascading there */
	{ 0x3b8, false, 0x7ffffffc, 0x7ffffffc },
	{ 0x3b8, true, 1ull << 31, 0 },
	{ 0x3f1, false, 0x01000601, 0x01000601 },
	{ 0x3f2, true, 1ull << 5, 0 },
	{ 0 },
};

/* Models up to 2 have two more ESCRs. */
static void find_p4(struct design *design, unsigned int model)
{
	static const struct range present[] = {
		{ 0x300, 0x311 }, { 0x360, 0x371 }, { 0x3a0, 0x3b9 },
		{ 0x3bc, 0x3be }, { 0x3c0, 0x3c5 }, { 0x3c8, 0x3cd },
		{ 0x3e0, 0x3e1 }, { 0x3f1, 0x3f2 },
	};

	design->name = "P4";
	add_effects(design, p4_effects);
	memcpy(design->present, present, sizeof(present));
	if (model <= 2)
		design->present[sizeof(present) / sizeof(present[0])] =
			(struct range){ 0x3ba, 0x3bb };
}

static void find_intel(struct design *design)
{
	unsigned int eax = 0, ebx, ecx = 0, edx = 0, version;
	uint32_t counters = 2;

	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	if ((eax >> 8 & 0xf) == 15) {
		find_p4(design, eax >> 4 & 0xf);
		return;
	}
	eax = 0;
	edx = 0;
	__get_cpuid(0xa, &eax, &ebx, &ecx, &edx);
	version = eax & 0xff;
	if (version)
		counters = eax >> 8 & 0xff;
	/* There the leaf has those of the other kind, see find_fixed() as well. */
	if (find_kind() == KIND_CORE)
		counters += 2;
	add_range(design, 0xc1, counters);
	add_range(design, 0x186, counters);
	if (version < 2) {
		design->name = version ? "Core Duo" : "P6";
		add_effects(design, p6_effects);
		return;
	}
	design->name = "architectural";
	find_fixed(design, version, ecx, edx);
	find_extra(design);
	find_capabilities(design, counters);
}

static struct design find_design(void)
{
	struct design design = { 0 };
	unsigned int eax, vendor = 0, ecx, edx;

	__get_cpuid(0, &eax, &vendor, &ecx, &edx);
	if (vendor == signature_AMD_ebx)
		find_amd(&design);
	else if (vendor == signature_INTEL_ebx)
		find_intel(&design);
	return design;
}

static bool is_present(const struct design *design, uint32_t msr)
{
	int i;

	for (i = 0; i < MAX_RANGES; i++)
		if (design->present[i].first &&
		    msr >= design->present[i].first &&
		    msr <= design->present[i].last)
			return true;
	return false;
}

/* A register must be readable if and only if the processor has it. */
static void judge_presence(const struct design *design)
{
	uint32_t msr, wrong = 0, present = 0, absent = 0;
	uint64_t value;
	unsigned int i;

	for (i = 0; i < sizeof(pmu_ranges) / sizeof(pmu_ranges[0]); i++) {
		for (msr = pmu_ranges[i].first; msr <= pmu_ranges[i].last;
		     msr++) {
			const bool want = is_present(design, msr);

			want ? present++ : absent++;
			if (read_msr(judge_cpu, msr, &value) != want ||
			    (!want && write_msr(judge_cpu, msr, 0))) {
				note("MSR %#x", msr);
				wrong++;
			}
		}
	}
	check(!wrong, "%s: %u PMU registers exist, access to %u others faults",
	      design->name, present, absent);
}

static void judge_effect(const struct effect *effect)
{
	uint64_t before, after = 0;
	bool faults;

	if (!read_msr(judge_cpu, effect->msr, &before)) {
		check(false, "MSR %#x is readable", effect->msr);
		return;
	}
	faults = !write_msr(judge_cpu, effect->msr, effect->value);
	read_msr(judge_cpu, effect->msr, &after);
	if (effect->faults)
		check(faults && after == before,
		      "writing %#llx to MSR %#x faults",
		      (unsigned long long)effect->value, effect->msr);
	else
		check(!faults && after == effect->readback,
		      "MSR %#x takes %#llx as %#llx", effect->msr,
		      (unsigned long long)effect->value,
		      (unsigned long long)effect->readback);
	if (!faults)
		write_msr(judge_cpu, effect->msr, before);
}

void judge_registers(void)
{
	struct design design;
	const struct effect *effect;
	int i;

	if (!have_msr_driver(judge_cpu)) {
		skip("PMU registers", "no msr driver");
		return;
	}
	design = find_design();
	if (!design.name) {
		skip("PMU registers", "the judge does not know this processor");
		return;
	}
	judge_presence(&design);
	for (i = 0; i < MAX_EFFECTS && design.effects[i]; i++)
		for (effect = design.effects[i]; effect->msr; effect++)
			judge_effect(effect);
}

/* User instructions between two reads of their statistic. */
static __attribute__((noinline)) uint64_t
user_insns_around_loop(uint32_t iterations)
{
	const uint64_t before = read_stat(judge_cpu, PMU_STAT_USER_INSNS);

	run_loop(iterations);
	return read_stat(judge_cpu, PMU_STAT_USER_INSNS) - before;
}

/* Without those of another process, which now and then has its turn in between. */
static uint64_t fewest_user_insns(uint32_t iterations)
{
	uint64_t insns, fewest = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		insns = user_insns_around_loop(iterations);
		if (insns < fewest)
			fewest = insns;
	}
	return fewest;
}

static void judge_user_insns(void)
{
	const uint64_t few = fewest_user_insns(10);
	const uint64_t many = fewest_user_insns(1000000);

	check(many - few == (1000000 - 10) * LOOP_INSNS,
	      "the user instructions of a loop show in the statistics: %+lld",
	      (long long)(many - few - (1000000 - 10) * LOOP_INSNS));
}

static void judge_refusal_statistics(void)
{
	const uint64_t faults = read_stat(judge_cpu, PMU_STAT_GP);
	const uint32_t absent = 0x3df; /* between registers of a P4 */
	uint64_t value;

	read_msr(judge_cpu, absent, &value);
	check(read_stat(judge_cpu, PMU_STAT_GP) == faults + 1 &&
		      read_stat(judge_cpu, PMU_STAT_GP_MSR) == absent,
	      "the statistics tell which access was refused");
}

void judge_statistics(void)
{
	uint64_t magic = 0, reads;

	if (!have_msr_driver(judge_cpu)) {
		skip("statistics block", "no msr driver");
		return;
	}
	read_msr(judge_cpu, PMU_STAT_BASE + PMU_STAT_MAGIC, &magic);
	check(magic == PMU_STAT_MAGIC_VALUE, "the statistics block exists");
	reads = read_stat(judge_cpu, PMU_STAT_RDMSR);
	check(read_stat(judge_cpu, PMU_STAT_RDMSR) == reads,
	      "reading the statistics is not counted");
	judge_user_insns();
	check(write_msr(judge_cpu, PMU_STAT_BASE + PMU_STAT_RDMSR, 0) &&
		      read_stat(judge_cpu, PMU_STAT_RDMSR) == 0,
	      "writing 0 clears a statistic");
	check(!write_msr(judge_cpu, PMU_STAT_BASE + PMU_STAT_RDMSR, 1),
	      "writing anything else to it faults");
	judge_refusal_statistics();
}
