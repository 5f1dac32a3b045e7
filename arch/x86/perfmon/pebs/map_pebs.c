// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS in the register map, and whether this processor has a kind of it that can be used.
 */
#include <linux/bits.h>
#include <linux/init.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#include <asm/perfmon_compat.h>
#include <asm/processor.h>

#include "../build.h"
#include "../map.h"
#include "../perfctr_core.h"
#include "pebs.h"

/* Its number, as libpfm has it for all models. */
#define PERFMON_PEBS_PMC	17

/* Bits 32 and up of PEBS_ENABLE let a counter record the latency of loads. */
#define LATENCY_SHIFT	32

/* In IA32_PERF_CAPABILITIES: the format, in bits 11:8. */
#define CAP_FORMAT_SHIFT	8

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
	*format = PEBS_FORMAT;
	*counters = pebs_counters;
	return pebs_counters;
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
	return (caps >> CAP_FORMAT_SHIFT & 0xf) == PEBS_FORMAT;
}

/* Add PEBS_ENABLE.  Return: is there PEBS? */
bool __init perfctr_pebs_fill_map(struct perfmon_pmu *pmu)
{
	u64 counters = BIT_ULL(PERFMON_PEBS_COUNTERS) - 1;
	struct perfmon_reg *reg;
	unsigned int n;
	u64 bits;

	if (!pebs_is_usable())
		return false;
	for (n = 0; n < PERFMON_PEBS_COUNTERS; n++)
		pebs_counter_msr[n] = perfctr_design->counter_msr(n);
	pebs_counters = counters & (BIT_ULL(perfctr_design->nr_counters) - 1);
	bits = pebs_counters;
	if (perfctr_design->extra[PERFCTR_LD_LAT].mask)
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
