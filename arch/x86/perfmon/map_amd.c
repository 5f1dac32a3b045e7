// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register map of AMD and Hygon processors.  ibs.c adds the registers of IBS.
 */
#include <linux/init.h>
#include <linux/perfmon_pmu.h>

#include <asm/cpufeature.h>
#include <asm/processor.h>

#include "map.h"
#include "perfctr_core.h"

/* Selectors with event bits 35:32 and host/guest bits 41:40. */
#define WIDE_SELECTOR_RSVD	0xfffffcf000300000ULL

void __init perfctr_amd_fill_map(struct perfmon_pmu *pmu)
{
	u64 rsvd = boot_cpu_data.x86 < 0x10 ? SELECTOR_RSVD :
					      WIDE_SELECTOR_RSVD;
	unsigned int n;

	pmu->model = boot_cpu_has(X86_FEATURE_PERFCTR_CORE) ?
		     "AMD Core Perfctr" : "AMD64";
	for (n = 0; n < perfctr_design->nr_counters; n++)
		perfmon_add_counter(pmu, n, rsvd, 47, 48, "PERFSEL", "PERFCTR");
	perfctr_ibs_fill_map(pmu);
	perfctr_lbr_fill_map(pmu);
}
