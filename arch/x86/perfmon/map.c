// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register maps: which logical PMCs and PMDs this processor has.
 *
 * The design of the processor fills its map at boot (perfctr_design.fill_map)
 * with the functions of this file.  The map is constant from then on and
 * published in /sys/kernel/perfmon/pmu_desc.  The numbers are an ABI: libpfm
 * and its users address registers by them.
 */
#include <linux/init.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>

#include "map.h"
#include "perfctr_core.h"

struct perfmon_pmu perfmon_pmu __ro_after_init;
unsigned long perfmon_also_pmcs __ro_after_init;

struct perfmon_reg *__init perfmon_add_pmc(struct perfmon_pmu *pmu,
					   unsigned int num, u16 type)
{
	struct perfmon_reg *reg = &pmu->pmcs[pmu->nr_pmcs];

	pmu->pmc_pos[num] = pmu->nr_pmcs++;
	reg->num = num;
	reg->type = type;
	reg->width = 64;
	return reg;
}

struct perfmon_reg *__init perfmon_add_pmd(struct perfmon_pmu *pmu,
					   unsigned int num, unsigned int ctrl,
					   u16 type, u8 width)
{
	struct perfmon_reg *reg = &pmu->pmds[pmu->nr_pmds];

	pmu->pmd_pos[num] = pmu->nr_pmds++;
	reg->num = num;
	reg->type = type;
	reg->width = width;
	reg->ctrl = pmu->pmc_pos[ctrl];
	return reg;
}

/*
 * Add programmable counter @n and its selector, with the MSRs of the low-level
 * design.
 */
void __init perfmon_add_counter(struct perfmon_pmu *pmu, unsigned int n,
				u64 rsvd, u8 width, unsigned int hw_bits,
				const char *selector, const char *counter)
{
	struct perfmon_reg *reg = perfmon_add_pmc(pmu, n, SELECTOR_TYPE);

	snprintf(reg->name, sizeof(reg->name), "%s%u", selector, n);
	reg->addr = perfctr_design->evntsel_msr(n);
	reg->dfl = EVNTSEL_INT;
	reg->no64 = EVNTSEL_INT;
	reg->priv = EVNTSEL_OS | (EVNTSEL_ANY & ~rsvd);
	reg->rsvd = rsvd;

	reg = perfmon_add_pmd(pmu, n, n, COUNTER_TYPE, width);
	snprintf(reg->name, sizeof(reg->name), "%s%u", counter, n);
	reg->addr = perfctr_design->counter_msr(n);
	reg->hw = n;
	reg->rsvd = hw_bits ? ~((1ULL << hw_bits) - 1) : 0;
}

/*
 * Add counter @n, which has no interrupt, and its selector, which has no enable
 * bit.  The selector has at most 32 bits, except those in @rsvd.
 */
void __init perfmon_add_plain_counter(struct perfmon_pmu *pmu, unsigned int n,
				      u32 rsvd, u64 priv, u8 width,
				      const char *selector, const char *counter)
{
	struct perfmon_reg *reg;

	reg = perfmon_add_pmc(pmu, n, PERFMON_REG_WC | PERFMON_ANY_SESSION);
	snprintf(reg->name, sizeof(reg->name), "%s%u", selector, n);
	reg->addr = perfctr_design->evntsel_msr(n);
	reg->rsvd = ~0ULL << 32 | rsvd;
	reg->priv = priv;

	reg = perfmon_add_pmd(pmu, n, n, PERFMON_REG_C64 | PERFMON_ANY_SESSION,
			      width);
	snprintf(reg->name, sizeof(reg->name), "%s%u", counter, n);
	reg->addr = perfctr_design->counter_msr(n);
	reg->hw = n;
	reg->rsvd = ~((1ULL << width) - 1);
}

/* The time stamp counter as a data register, without a control register. */
#define TSC_PMD	256

static void __init add_tsc(struct perfmon_pmu *pmu)
{
	struct perfmon_reg *reg;

	if (!(perfctr_info.cpu_features & PERFCTR_FEATURE_RDTSC))
		return;
	reg = &pmu->pmds[pmu->nr_pmds];
	pmu->pmd_pos[TSC_PMD] = pmu->nr_pmds++;
	strscpy(reg->name, "TSC");
	reg->num = TSC_PMD;
	reg->type = PERFMON_REG_V | PERFMON_ANY_SESSION;
	reg->width = 64;
	reg->ctrl = PERFMON_NO_REG;
	reg->hw = PERFMON_HW_TSC;
}

/** perfmon_map_fill - fill the map of this processor; its design is known */
void __init perfmon_map_fill(struct perfmon_pmu *pmu)
{
	unsigned int i;

	memset(pmu->pmc_pos, PERFMON_NO_REG, sizeof(pmu->pmc_pos));
	memset(pmu->pmd_pos, PERFMON_NO_REG, sizeof(pmu->pmd_pos));
	pmu->records_pmc = PERFMON_NO_REG;
	for (i = 0; i < PERFCTR_MAX_EXTRA; i++)
		perfctr_design->extra[i].pmc = PERFMON_NO_REG;
	perfctr_design->fill_map(pmu);
	add_tsc(pmu);
}
