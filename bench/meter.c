// SPDX-License-Identifier: GPL-2.0-only
#include "meter.h"

#include "machine.h"

static int msr = -1;
static struct cost empty; /* of measuring nothing */

int meter_open(void)
{
	struct cost least = DEAREST;
	struct meter meter;
	int i;

	msr = msr_open(0);
	if (msr < 0 || pin_to_cpu(0))
		return -1;
	empty = (struct cost){ 0 };
	for (i = 0; i < 300; i++) {
		meter_start(&meter);
		keep_least(&least, meter_stop(&meter));
	}
	empty = least;
	return 0;
}

void meter_start(struct meter *meter)
{
	meter->interrupts = msr_stat(msr, PMU_STAT_PMI);
	meter->accesses = pmu_accesses(msr);
	meter->user = msr_stat(msr, PMU_STAT_USER_INSNS);
	meter->instructions = msr_stat(msr, PMU_STAT_INSNS);
}

struct cost meter_stop(const struct meter *meter)
{
	uint64_t now = msr_stat(msr, PMU_STAT_INSNS);

	return (struct cost){
		.instructions = now - meter->instructions - empty.instructions,
		.user = msr_stat(msr, PMU_STAT_USER_INSNS) - meter->user -
			empty.user,
		.accesses = pmu_accesses_since(msr, &meter->accesses),
	};
}

uint64_t meter_interrupts(const struct meter *meter)
{
	return msr_stat(msr, PMU_STAT_PMI) - meter->interrupts;
}

uint64_t accesses_of(const struct cost *cost)
{
	return cost->accesses.wrmsr + cost->accesses.rdmsr +
	       cost->accesses.rdpmc;
}

void keep_least(struct cost *least, struct cost cost)
{
	if (cost.instructions < least->instructions ||
	    (cost.instructions == least->instructions &&
	     accesses_of(&cost) < accesses_of(least)))
		*least = cost;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

struct cost cost_difference(struct cost a, struct cost b)
{
	if (a.instructions == DEAREST.instructions)
		return a;
	return (struct cost){
		.instructions = less(a.instructions, b.instructions),
		.user = less(a.user, b.user),
		.accesses = {
			.wrmsr = less(a.accesses.wrmsr, b.accesses.wrmsr),
			.rdmsr = less(a.accesses.rdmsr, b.accesses.rdmsr),
			.rdpmc = less(a.accesses.rdpmc, b.accesses.rdpmc),
		},
	};
}
