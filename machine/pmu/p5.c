// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel P5 (Pentium), with and without MMX, and Cyrix 6x86MX, MII and III: two
 * counters of 40 bits, both selected by CESR, without an interrupt. The P5
 * without MMX has no RDPMC. Reserved bits raise #GP.
 *
 * A half of CESR: event in bits 5:0, bit 6 counts at levels 0 to 2, bit 7 at
 * level 3, bit 8 counts clocks whatever the event. Cyrix extends the event with
 * bit 10. There is no enable bit: without a level nothing is counted.
 */

#include "cesr.h"

#define CESR 0x11u
#define CTR0 0x12u
#define COUNTERS 2
#define HALF_BITS 16
#define HALF_MASK 0xffffu

#define HALF_EVENT 0x43full
#define HALF_KERNEL (1ull << 6)
#define HALF_USER (1ull << 7)
#define HALF_CLOCKS (1ull << 8)

static const struct pmu_event p5_events[] = {
	{ 0x16, HALF_EVENT, { 1, 1, 0 } }, /* INSTRUCTIONS_EXECUTED */
	{ 0, 0, { 0, 1, 0 } },
};

static const struct pmu_rate clocks = { 3, 2, 0 };

struct pmu_reg cesr_decode(const struct pmu *pmu, uint32_t msr)
{
	(void)pmu;
	if (msr == CESR)
		return (struct pmu_reg){ PMU_REG_CONTROL, 0 };
	if (msr >= CTR0 && msr < CTR0 + COUNTERS)
		return (struct pmu_reg){ PMU_REG_COUNTER, msr - CTR0 };
	return PMU_NO_REG;
}

int cesr_rdpmc(const struct pmu *pmu, uint32_t index)
{
	(void)pmu;
	return index < COUNTERS ? (int)index : -1;
}

enum pmu_result cesr_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
	(void)msr;
	*value = pmu->counter[0].select | pmu->counter[1].select << HALF_BITS;
	return PMU_OK;
}

bool cesr_split(struct pmu *pmu, uint64_t value)
{
	const uint64_t half = pmu->model->select_mask;

	if (value & ~(half | half << HALF_BITS))
		return false;
	pmu->counter[0].select = value & HALF_MASK;
	pmu->counter[1].select = value >> HALF_BITS;
	return true;
}

static void apply_half(struct pmu *pmu, unsigned int i)
{
	struct pmu_counter *c = &pmu->counter[i];

	pmu_set_rate(c, c->select & HALF_CLOCKS ?
				clocks :
				pmu_event_rate(pmu->model->design->events,
					       c->select & HALF_EVENT));
	c->flags = 0;
	if (c->select & HALF_KERNEL)
		c->flags |= PMU_COUNT_KERNEL;
	if (c->select & HALF_USER)
		c->flags |= PMU_COUNT_USER;
}

static enum pmu_result p5_write_cesr(struct pmu *pmu, uint32_t msr,
				     uint64_t value)
{
	unsigned int i;

	(void)msr;
	if (!cesr_split(pmu, value))
		return PMU_GP;
	for (i = 0; i < COUNTERS; i++)
		apply_half(pmu, i);
	return PMU_OK;
}

static enum pmu_result p5_write_counter(struct pmu *pmu, unsigned int i,
					uint64_t value)
{
	if (value & ~pmu->counter[i].mask)
		return PMU_GP;
	pmu->counter[i].value = value;
	return PMU_OK;
}

const struct pmu_design pmu_p5 = {
	.events = p5_events,
	.decode = cesr_decode,
	.write_counter = p5_write_counter,
	.read_control = cesr_read,
	.write_control = p5_write_cesr,
};

const struct pmu_design pmu_p5mmx = {
	.events = p5_events,
	.decode = cesr_decode,
	.rdpmc = cesr_rdpmc,
	.write_counter = p5_write_counter,
	.read_control = cesr_read,
	.write_control = p5_write_cesr,
};
