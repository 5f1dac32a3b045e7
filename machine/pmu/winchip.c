// SPDX-License-Identifier: GPL-2.0-only
/*
 * Centaur WinChip C6, 2 and 3: registers like those of the P5, with eight event
 * bits and nothing else in each half of CESR. Both counters count at all
 * levels, always: what cannot be stopped counts event 0 after a reset.
 *
 * Counters that software cannot set to a value of its choice refuse all writes
 * here, so that a driver which relies on one is noticed.
 */

#include "cesr.h"

#define HALF_EVENT 0xffull

static const struct pmu_event c6_events[] = {
	{ 0x00, HALF_EVENT, { 3, 2, 0 } }, /* INTERNAL_CLOCKS */
	{ 0x02, HALF_EVENT, { 1, 1, 0 } }, /* X86_INSTRUCTIONS */
	{ 0, 0, { 0, 1, 0 } },
};

static const struct pmu_event winchip2_events[] = {
	{ 0x16, HALF_EVENT, { 1, 1, 0 } }, /* INSTRUCTIONS_EXECUTED */
	{ 0x3f, HALF_EVENT, { 3, 2, 0 } }, /* INTERNAL_CLOCKS */
	{ 0, 0, { 0, 1, 0 } },
};

static void apply(struct pmu *pmu)
{
	struct pmu_counter *c;
	unsigned int i;

	for (i = 0; i < pmu->model->counters; i++) {
		c = &pmu->counter[i];
		pmu_set_rate(c, pmu_event_rate(pmu->model->design->events,
					       c->select & HALF_EVENT));
		c->flags = PMU_COUNT_KERNEL | PMU_COUNT_USER;
	}
}

static enum pmu_result write_counter(struct pmu *pmu, unsigned int i,
				     uint64_t value)
{
	(void)pmu;
	(void)i;
	(void)value;
	return PMU_GP;
}

static enum pmu_result write_cesr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	(void)msr;
	if (!cesr_split(pmu, value))
		return PMU_GP;
	apply(pmu);
	return PMU_OK;
}

const struct pmu_design pmu_winchip_c6 = {
	.events = c6_events,
	.reset = apply,
	.decode = cesr_decode,
	.rdpmc = cesr_rdpmc,
	.write_counter = write_counter,
	.read_control = cesr_read,
	.write_control = write_cesr,
};

const struct pmu_design pmu_winchip_2 = {
	.events = winchip2_events,
	.reset = apply,
	.decode = cesr_decode,
	.rdpmc = cesr_rdpmc,
	.write_counter = write_counter,
	.read_control = cesr_read,
	.write_control = write_cesr,
};
