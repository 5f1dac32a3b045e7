// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's core performance counter extension (CPUID 0x80000001 ECX bit 23), as
 * in family 15h and Zen: six counters of 48 bits, selectors and counters taking
 * turns from 0xc0010200. The legacy addresses of K7 are other names of the first
 * four.
 */

#include "amd.h"

#define CORE_EXT_BASE 0xc0010200u

struct pmu_reg amd_decode_core_ext(const struct pmu *pmu, uint32_t msr)
{
	const uint32_t offset = msr - CORE_EXT_BASE;

	if (msr < CORE_EXT_BASE || offset >= 2u * pmu->model->counters)
		return amd_decode_legacy(pmu, msr);
	return (struct pmu_reg){
		offset & 1 ? PMU_REG_COUNTER : PMU_REG_SELECT,
		offset / 2,
	};
}

const struct pmu_design pmu_core_ext = {
	.events = amd_events,
	.update = amd_update,
	.decode = amd_decode_core_ext,
	.rdpmc = amd_rdpmc,
	.write_counter = amd_write_counter,
	.write_select = amd_write_select,
};
