// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS in the register map, and whether this processor has a kind of it that can be used.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/init.h>
#include <linux/perfmon_pmu.h>
#include <linux/printk.h>
#include <linux/string.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#include <asm/perfmon_compat.h>
#include <asm/processor.h>

#include "../build.h"
#include "../intel.h"
#include "../map.h"
#include "../perfctr_core.h"
#include "pebs.h"

/* Its number, as libpfm has it for all models. */
#define PERFMON_PEBS_PMC	17

/* Bits 32 and up of PEBS_ENABLE let a counter record the latency of loads. */
#define LATENCY_SHIFT	32

/* In IA32_PERF_CAPABILITIES: the format, in bits 11:8, and groups for all counters. */
#define CAP_FORMAT_SHIFT	8
#define CAP_BASELINE		BIT_ULL(14)

/*
 * The counters that can make records: without groups, and with them.  Fixed counters from
 * the fifth on count no events that have records.
 */
#define COUNTERS_WORDS	0xfULL
#define COUNTERS_ATOM	0x1ULL
#define COUNTERS_GROUPS	0xf000000ffULL

u8 pebs_format __ro_after_init;
u64 pebs_counters __ro_after_init;
u32 pebs_counter_msr[PERFMON_PEBS_COUNTERS] __ro_after_init;

/**
 * perfmon_arch_pebs - what PEBS can do
 * @format: filled: of the records
 * @counters: filled: counters that can make them, one bit each
 *
 * Return: false if there is no PEBS that can be used.
 */
bool perfmon_arch_pebs(unsigned int *format, u64 *counters)
{
	*format = pebs_format;
	*counters = pebs_counters;
	return pebs_counters;
}

/*
 * Formats 4 and up can have registers and addresses only where all counters can: others
 * would have the address of the instruction alone.
 */
static bool __init pebs_is_known(unsigned int format, u64 caps)
{
	switch (format) {
	case 1:
	case 2:
	case 3:
		return true;
	case 4:
	case 5:
	case 6:
		return caps & CAP_BASELINE;
	default:
		return false;
	}
}

/*
 * Sandy Bridge writes wrong records before these revisions of the microcode, as perf_event
 * has them.
 */
struct microcode {
	u8 model; /* of family 6 */
	u8 stepping;
	u16 revision;
};

static const struct microcode fixed[] __initconst = {
	{ 0x2a, 7, 0x28 },
	{ 0x2d, 6, 0x618 },
	{ 0x2d, 7, 0x70c },
};

static bool __init pebs_is_broken(void)
{
	const struct cpuinfo_x86 *c = &boot_cpu_data;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fixed); i++)
		if (c->x86 == 6 && c->x86_model == fixed[i].model &&
		    c->x86_stepping == fixed[i].stepping &&
		    c->microcode < fixed[i].revision) {
			pr_notice("no records (PEBS): the processor needs microcode %#x\n",
				  fixed[i].revision);
			return true;
		}
	return false;
}

/* Kinds of core may have formats of their own. */
static bool __init pebs_is_usable(void)
{
	u64 caps;

	if (!boot_cpu_has(X86_FEATURE_PEBS) || !boot_cpu_has(X86_FEATURE_DTES64) ||
	    !boot_cpu_has(X86_FEATURE_PDCM) || boot_cpu_has(X86_FEATURE_HYBRID_CPU) ||
	    !perfctr_lvtpc_exists() || !pebs_area_suffices())
		return false;
	if (rdmsrl_safe(MSR_IA32_PERF_CAPABILITIES, &caps))
		return false;
	pebs_format = caps >> CAP_FORMAT_SHIFT & 0xf;
	return pebs_is_known(pebs_format, caps) && !pebs_is_broken();
}

/* Silvermont to Goldmont Plus, and Knights Landing. */
static bool __init pebs_is_atom(void)
{
	static const u8 models[] __initconst = {
		0x37, 0x4a, 0x4c, 0x4d, 0x57, 0x5a, 0x5c, 0x5d, 0x5f, 0x75,
		0x7a, 0x85,
	};

	return boot_cpu_data.x86 == 6 &&
	       memchr(models, boot_cpu_data.x86_model, sizeof(models));
}

static void __init pebs_find_counters(void)
{
	const u64 existing = perfctr_intel_all_counters(perfctr_design);
	u64 makers = COUNTERS_GROUPS;
	unsigned int n;

	if (pebs_format < PEBS_FORMAT_GROUPS)
		makers = pebs_is_atom() ? COUNTERS_ATOM : COUNTERS_WORDS;
	pebs_counters = existing & makers;
	for (n = 0; n < PERFMON_PEBS_COUNTERS; n++) {
		if (!(pebs_counters & pebs_bit(n)))
			continue;
		pebs_counter_msr[n] =
			n < PERFMON_PEBS_FIXED ?
				perfctr_design->counter_msr(n) :
				perfctr_design->fixed_msr(n - PERFMON_PEBS_FIXED);
	}
}

/* Add PEBS_ENABLE.  Return: is there PEBS? */
bool __init perfctr_pebs_fill_map(struct perfmon_pmu *pmu)
{
	struct perfmon_reg *reg;
	u64 bits;

	if (!pebs_is_usable())
		return false;
	pebs_find_counters();
	bits = pebs_counters;
	/* With groups all counters can record the latency. */
	if (perfctr_design->extra[PERFCTR_LD_LAT].mask &&
	    pebs_format < PEBS_FORMAT_GROUPS)
		bits |= pebs_counters << LATENCY_SHIFT;
	pmu->records_pmc = pmu->nr_pmcs;
	perfmon_also_pmcs |= BIT(pmu->nr_pmcs);
	reg = perfmon_add_pmc(pmu, PERFMON_PEBS_PMC,
			      PERFMON_REG_CLAIM | PERFMON_REG_REC |
			      PERFMON_ANY_SESSION);
	strscpy(reg->name, "PEBS_ENABLE");
	reg->addr = MSR_IA32_PEBS_ENABLE;
	reg->rsvd = ~bits;
	return true;
}
