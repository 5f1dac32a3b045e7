// SPDX-License-Identifier: GPL-2.0-only
/*
 * The longest section with interrupts off (pmu_stats.h). The owner tells when
 * the interrupt flag changes; stats.c clears.
 */

#include "design.h"

void pmu_interrupts_off(struct pmu *pmu, uint64_t insns, unsigned int cause,
			uint64_t where)
{
	if (cause != PMU_BY_INSTRUCTION && (pmu->user || pmu->left_user))
		pmu_count_interrupt(pmu);
	if (pmu->section.off)
		return;
	pmu->section.off = true;
	pmu->section.ignored = false;
	pmu->section.cause = cause;
	pmu->section.since = insns;
	pmu->section.where = where;
}

static bool is_wanted(const struct pmu *pmu)
{
	const uint64_t vector = pmu->stat[PMU_STAT_OFF_VECTOR];

	if (pmu->section.cause == PMU_BY_INSTRUCTION)
		return true;
	return !vector || vector == pmu->section.cause;
}

void pmu_interrupts_on(struct pmu *pmu, uint64_t insns)
{
	const uint64_t length = insns - pmu->section.since;
	uint64_t *longest;

	if (!pmu->section.off)
		return;
	pmu->section.off = false;
	if (pmu->section.ignored || !is_wanted(pmu))
		return;
	longest = &pmu->stat[pmu->section.cause == PMU_BY_INSTRUCTION ?
				     PMU_STAT_OFF :
				     PMU_STAT_OFF_IRQ];
	if (length <= *longest)
		return;
	longest[0] = length;
	longest[1] = pmu->section.where;
}

void pmu_clear_sections(struct pmu *pmu, unsigned int stat)
{
	const bool by_instruction = pmu->section.cause == PMU_BY_INSTRUCTION;

	pmu->stat[stat] = 0;
	pmu->stat[stat + 1] = 0;
	if (by_instruction == (stat == PMU_STAT_OFF))
		pmu->section.ignored = true;
}
