// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two units of IBS, and what this processor has of them.
 */
#include <linux/init.h>
#include <linux/types.h>

#include <asm/msr-index.h>
#include <asm/perf_event.h>

#include "ibs.h"

const struct ibs_unit ibs_units[PERFMON_IBS_UNITS] = {
	[PERFMON_IBS_FETCH] = {
		.ctl = MSR_AMD64_IBSFETCHCTL,
		.enable = IBS_FETCH_ENABLE,
		.valid = IBS_FETCH_VAL,
		.first = PERFMON_IBS_FETCH_CTL,
		.nr = 3,
	},
	[PERFMON_IBS_OP] = {
		.ctl = MSR_AMD64_IBSOPCTL,
		.enable = IBS_OP_ENABLE,
		.valid = IBS_OP_VAL,
		.first = PERFMON_IBS_OP_CTL,
		.nr = 7,
	},
};

u32 ibs_caps __ro_after_init;
u8 ibs_pmc[PERFMON_IBS_UNITS] __ro_after_init;
u8 ibs_pmd[PERFMON_IBS_UNITS] __ro_after_init;

/* Its fields are in units of 16. */
u64 ibs_limit(u64 ctl, unsigned int unit)
{
	u64 count = ctl & IBS_OP_MAX_CNT;

	if (unit == PERFMON_IBS_OP)
		count |= (ctl & IBS_OP_MAX_CNT_EXT_MASK) >> 4;
	return count << 4;
}
