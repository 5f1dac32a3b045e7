// SPDX-License-Identifier: GPL-2.0-only
/*
 * VIA C3: what is left of a P6. Only EVNTSEL1 and PERFCTR1 exist, 32 bits wide;
 * PERFCTR0 is another name of the time stamp counter. The selector has nine
 * event bits and nothing else: the counter counts at all levels, always. It
 * cannot be set to a value of software's choice: it refuses writes here, so
 * that a driver which relies on one is noticed.
 *
 * Event 0x1c0 counts iterations of string instructions, which nobody tells us
 * about; it has a steady rate like any other event.
 */

#include "design.h"

#define C3_TSC 0xc1u
#define C3_PERFCTR1 0xc2u
#define C3_EVNTSEL1 0x187u
#define C3_COUNTER 1

#define C3_EVENT 0x1ffull

static const struct pmu_event c3_events[] = {
	{ 0x0c0, C3_EVENT, { 1, 1, 0 } }, /* INSTRUCTIONS_EXECUTED */
	{ 0x079, C3_EVENT, { 3, 2, 0 } }, /* INTERNAL_CLOCKS */
	{ 0, 0, { 0, 1, 0 } },
};

static void apply(struct pmu *pmu)
{
	struct pmu_counter *c = &pmu->counter[C3_COUNTER];

	pmu_set_rate(c, pmu_event_rate(c3_events, c->select));
	c->flags = PMU_COUNT_KERNEL | PMU_COUNT_USER;
}

/* The counter that does not exist must not count. */
static void c3_reset(struct pmu *pmu)
{
	pmu->counter[0].mask = 0;
	apply(pmu);
}

static struct pmu_reg c3_decode(const struct pmu *pmu, uint32_t msr)
{
	(void)pmu;
	switch (msr) {
	case C3_TSC:
		return (struct pmu_reg){ PMU_REG_TSC, 0 };
	case C3_PERFCTR1:
		return (struct pmu_reg){ PMU_REG_COUNTER, C3_COUNTER };
	case C3_EVNTSEL1:
		return (struct pmu_reg){ PMU_REG_SELECT, C3_COUNTER };
	default:
		return PMU_NO_REG;
	}
}

static int c3_rdpmc(const struct pmu *pmu, uint32_t index)
{
	(void)pmu;
	return index == C3_COUNTER ? C3_COUNTER : -1;
}

static enum pmu_result c3_write_counter(struct pmu *pmu, unsigned int i,
					uint64_t value)
{
	(void)pmu;
	(void)i;
	(void)value;
	return PMU_GP;
}

static enum pmu_result c3_write_select(struct pmu *pmu, unsigned int i,
				       uint64_t value)
{
	if (value & ~pmu->model->select_mask)
		return PMU_GP;
	pmu->counter[i].select = value;
	apply(pmu);
	return PMU_OK;
}

const struct pmu_design pmu_c3 = {
	.events = c3_events,
	.reset = c3_reset,
	.decode = c3_decode,
	.rdpmc = c3_rdpmc,
	.write_counter = c3_write_counter,
	.write_select = c3_write_select,
};
