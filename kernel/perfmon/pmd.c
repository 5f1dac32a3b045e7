// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data registers: arming them for their overflow, and loading them with their
 * reset values, randomised where the user wants that.
 *
 * Called on the target (target.c) with the set off the hardware.
 */
#include <linux/bitmap.h>
#include <linux/prandom.h>

#include "admin/stats.h"
#include "pmd.h"
#include "session.h"

/**
 * perfmon_arm_pmd - let the hardware interrupt when a PMD gets to its end
 * @set: is not on the hardware
 * @pos: PMD that can interrupt
 */
void perfmon_arm_pmd(struct perfmon_set *set, unsigned int pos)
{
	u64 value = perfmon_pmd_value(set, pos);

	__assign_bit(pos, set->armed, (s64)value < 0);
	perfmon_arch_arm(&set->arch, pos, (s64)value < 0 ? -value : S64_MAX);
}

static u64 pmd_reset_value(struct perfmon_session *s,
			   const struct perfmon_pmd *pmd, bool long_reset)
{
	u64 value, random;

	if (!pmd->attr)
		return 0;
	value = long_reset ? pmd->attr->long_reset :
			     pmd->attr->short_reset;
	if (pmd->flags & PFM_REGFL_RANDOM) {
		random = (u64)prandom_u32_state(&s->random) << 32 |
			 prandom_u32_state(&s->random);
		value -= random & pmd->attr->random_mask;
	}
	return value;
}

/**
 * perfmon_reset_pmds - load registers with their reset values
 * @s: session
 * @set: set, not on the hardware
 * @pmds: which ones
 * @long_reset: after a restart, else after an overflow
 */
void perfmon_reset_pmds(struct perfmon_session *s, struct perfmon_set *set,
			const unsigned long *pmds, bool long_reset)
{
	unsigned int pos;
	u64 value;

	for_each_set_bit(pos, pmds, PERFMON_ARCH_MAX_PMDS) {
		value = pmd_reset_value(s, &set->pmds[pos], long_reset);
		perfmon_pmd_load(set, pos, value);
		if (perfmon_arch_interrupts(&set->arch, pos))
			perfmon_arm_pmd(set, pos);
		perfmon_count(PERFMON_STAT_RESET_PMDS);
	}
}
