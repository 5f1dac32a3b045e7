// SPDX-License-Identifier: GPL-2.0-only
/*
 * The statistics and fault-control MSRs of the PMU model (pmu_stats.h). Called
 * by pmu.c for accesses to the block.
 */

#include "design.h"

bool pmu_is_stat_msr(uint32_t msr)
{
	return msr >= PMU_STAT_BASE && msr < PMU_STAT_BASE + PMU_STAT_WORDS;
}

enum pmu_result pmu_read_stat(const struct pmu *pmu, uint32_t msr,
			      uint64_t *value)
{
	const unsigned int stat = msr - PMU_STAT_BASE;

	if (stat == PMU_STAT_INSNS)
		*value = pmu->insns;
	else if (stat == PMU_STAT_MAGIC)
		*value = PMU_STAT_MAGIC_VALUE;
	else if (stat <= PMU_STAT_PEBS ||
		 (stat >= PMU_STAT_USER_INSNS && stat <= PMU_STAT_BRANCHES))
		*value = pmu->stat[stat];
	else
		return PMU_GP;
	return PMU_OK;
}

static enum pmu_result set_fault(struct pmu *pmu, uint64_t value)
{
	return pmu_set_fault(pmu, value >> 32, value & UINT32_MAX) ? PMU_OK :
								     PMU_GP;
}

enum pmu_result pmu_write_stat(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	const unsigned int stat = msr - PMU_STAT_BASE;

	if (stat == PMU_STAT_FAULT)
		return set_fault(pmu, value);
	if (stat == PMU_STAT_OFF_VECTOR && value < PMU_BY_INSTRUCTION) {
		pmu->stat[stat] = value;
		return PMU_OK;
	}
	if (value || stat == PMU_STAT_INSNS)
		return PMU_GP;
	if (stat == PMU_STAT_OFF || stat == PMU_STAT_OFF_IRQ)
		pmu_clear_sections(pmu, stat);
	else if (stat <= PMU_STAT_PEBS || stat == PMU_STAT_USER_INSNS ||
		 (stat >= PMU_STAT_PEBS_DROPPED && stat <= PMU_STAT_BRANCHES))
		pmu->stat[stat] = 0;
	else
		return PMU_GP;
	return PMU_OK;
}
