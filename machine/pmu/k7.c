// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD K7, K8 and family 10h: four counters of 48 bits with an enable bit each.
 * No global registers and no status: software tells an overflow from the top
 * bit of the counter. Selector bits that do not exist read as zero; writing
 * them does not fault. core_ext.c uses the register functions too.
 */

#include "amd.h"

#define K7_EVNTSEL0 0xc0010000u
#define K7_PERFCTR0 0xc0010004u
#define K7_COUNTERS 4

/* Neither event has unit masks. */
const struct pmu_event amd_events[] = {
	{ 0xc0, 0xff, { 1, 1, 0 } }, /* retired instructions */
	{ 0x76, 0xff, { 3, 2, 0 } }, /* cycles not halted */
	{ 0, 0, { 0, 1, 0 } },
};

struct pmu_reg amd_decode_legacy(const struct pmu *pmu, uint32_t msr)
{
	(void)pmu;
	if (msr >= K7_PERFCTR0 && msr < K7_PERFCTR0 + K7_COUNTERS)
		return (struct pmu_reg){ PMU_REG_COUNTER, msr - K7_PERFCTR0 };
	if (msr >= K7_EVNTSEL0 && msr < K7_EVNTSEL0 + K7_COUNTERS)
		return (struct pmu_reg){ PMU_REG_SELECT, msr - K7_EVNTSEL0 };
	return PMU_NO_REG;
}

int amd_rdpmc(const struct pmu *pmu, uint32_t index)
{
	return index < pmu->model->counters ? (int)index : -1;
}

enum pmu_result amd_write_counter(struct pmu *pmu, unsigned int i,
				  uint64_t value)
{
	pmu->counter[i].value = value & pmu->counter[i].mask;
	return PMU_OK;
}

/* A selector may make its counter the upper half of the one before. */
void amd_update(struct pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < pmu->model->counters; i++)
		pmu_apply_evntsel(pmu, i, pmu->counter[i].select & EVNTSEL_EN);
}

enum pmu_result amd_write_select(struct pmu *pmu, unsigned int i,
				 uint64_t value)
{
	pmu->counter[i].select = value & pmu->model->select_mask;
	amd_update(pmu);
	return PMU_OK;
}

const struct pmu_design pmu_k7 = {
	.events = amd_events,
	.update = amd_update,
	.decode = amd_decode_legacy,
	.rdpmc = amd_rdpmc,
	.write_counter = amd_write_counter,
	.write_select = amd_write_select,
};
