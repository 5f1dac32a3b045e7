/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Data registers: the 64-bit value of a PMD, and the overflow that it is armed
 * for.
 */
#ifndef _KERNEL_PERFMON_PMD_H
#define _KERNEL_PERFMON_PMD_H

#include <linux/perfmon_pmu.h>
#include <linux/types.h>

#include "set.h"

/**
 * perfmon_pmd_value - 64-bit value of a PMD as of the last fold
 * @set: set
 * @pos: position of the PMD
 *
 * While a PMD counts its value is the sum that the low-level core keeps.
 *
 * Return: the value.
 */
static inline u64 perfmon_pmd_value(struct perfmon_set *set, unsigned int pos)
{
	return *perfmon_arch_value(&set->arch, pos, &set->pmds[pos].value);
}

/**
 * perfmon_pmd_present - 64-bit value of a PMD as of now
 * @set: set
 * @pos: position of the PMD
 * @live: the set is on this CPU
 *
 * Return: the value.
 */
static __always_inline u64 perfmon_pmd_present(struct perfmon_set *set,
					       unsigned int pos, bool live)
{
	if (!live || !perfmon_arch_counts(&set->arch, pos))
		return perfmon_pmd_value(set, pos);
	return perfmon_arch_read(&set->arch, pos);
}

/**
 * perfmon_pmd_load - give a PMD a new value
 * @set: set, not on the hardware
 * @pos: position of the PMD
 * @value: is also remembered as the last one that was loaded
 */
static inline void perfmon_pmd_load(struct perfmon_set *set, unsigned int pos,
				    u64 value)
{
	set->pmds[pos].last = value;
	*perfmon_arch_value(&set->arch, pos, &set->pmds[pos].value) = value;
}

void perfmon_arm_pmd(struct perfmon_set *set, unsigned int pos);
void perfmon_reset_pmds(struct perfmon_session *s, struct perfmon_set *set,
			const unsigned long *pmds, bool long_reset);

#endif /* _KERNEL_PERFMON_PMD_H */
