// SPDX-License-Identifier: GPL-2.0-only
/*
 * A processor without a PMU, or with one that nobody knows: RDPMC is not an
 * instruction, and all PMU registers fault.
 */

#include "design.h"

static struct pmu_reg none_decode(const struct pmu *pmu, uint32_t msr)
{
	(void)pmu;
	(void)msr;
	return PMU_NO_REG;
}

const struct pmu_design pmu_none = {
	.decode = none_decode,
};
