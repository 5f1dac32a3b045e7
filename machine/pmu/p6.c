// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel P6 (Pentium Pro to Pentium M) and the Core Duo: two counters of 40
 * bits. The enable bit of EVNTSEL0 enables both; the one of EVNTSEL1 does not
 * exist. A write to a counter takes 32 bits and extends their sign. Delivering
 * an interrupt masks the LVTPC.
 *
 * The Core Duo has the events of later processors and announces its counters by
 * CPUID, as version 1 of the architectural PMU.
 */

#include "arch.h"

#define P6_PERFCTR0 0xc1u
#define P6_EVNTSEL0 0x186u

static const struct pmu_event p6_events[] = {
	{ 0xc0, 0xff, { 1, 1, 0 } }, /* INST_RETIRED */
	{ 0x79, 0xff, { 3, 2, 0 } }, /* CPU_CLK_UNHALTED */
	{ 0x2e, 0xffff, { 0, 1, 0 } }, /* L2_RQSTS without a unit mask */
	{ 0, 0, { 0, 1, 0 } },
};

static struct pmu_reg p6_decode(const struct pmu *pmu, uint32_t msr)
{
	const uint32_t counters = pmu->model->counters;

	if (msr >= P6_PERFCTR0 && msr < P6_PERFCTR0 + counters)
		return (struct pmu_reg){ PMU_REG_COUNTER, msr - P6_PERFCTR0 };
	if (msr >= P6_EVNTSEL0 && msr < P6_EVNTSEL0 + counters)
		return (struct pmu_reg){ PMU_REG_SELECT, msr - P6_EVNTSEL0 };
	return PMU_NO_REG;
}

static int p6_rdpmc(const struct pmu *pmu, uint32_t index)
{
	return index < pmu->model->counters ? (int)index : -1;
}

static enum pmu_result p6_write_counter(struct pmu *pmu, unsigned int i,
					uint64_t value)
{
	struct pmu_counter *c = &pmu->counter[i];

	c->value = pmu_sign_extend32(value) & c->mask;
	return PMU_OK;
}

static void p6_update(struct pmu *pmu)
{
	const bool enabled = pmu->counter[0].select & EVNTSEL_EN;
	unsigned int i;

	for (i = 0; i < pmu->model->counters; i++)
		pmu_apply_evntsel(pmu, i, enabled);
}

static enum pmu_result p6_write_select(struct pmu *pmu, unsigned int i,
				       uint64_t value)
{
	if (value & ~pmu->model->select_mask)
		return PMU_GP;
	if (i > 0)
		value &= ~EVNTSEL_EN;
	pmu->counter[i].select = value;
	p6_update(pmu);
	return PMU_OK;
}

const struct pmu_design pmu_p6 = {
	.lvt_automask = true,
	.events = p6_events,
	.update = p6_update,
	.decode = p6_decode,
	.rdpmc = p6_rdpmc,
	.write_counter = p6_write_counter,
	.write_select = p6_write_select,
};

const struct pmu_design pmu_core_duo = {
	.lvt_automask = true,
	.events = arch_events,
	.update = p6_update,
	.decode = p6_decode,
	.rdpmc = p6_rdpmc,
	.write_counter = p6_write_counter,
	.write_select = p6_write_select,
	.cpuid = arch_cpuid,
};
