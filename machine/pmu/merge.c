// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pairs of counters, as Zen has them: events that may come more than 15 times a
 * cycle need an even counter, and the merge event in the next odd one, which then
 * holds bits 63:48 of the count. Alone a counter loses what comes in crowds; here
 * that is one event of four. Used by evntsel.c and pmu.c.
 */

#include "design.h"

#define FLOPS_EVENT 0x003u
#define MERGE_EVENT 0xfffu
#define UPPER_BITS 0xffffull

static unsigned int event_of(const struct pmu *pmu, unsigned int i)
{
	const uint64_t select = pmu->counter[i].select;

	return (select >> 32 & 0xf) << 8 | (select & EVNTSEL_EVENT);
}

bool pmu_is_paired(const struct pmu *pmu, unsigned int i)
{
	return pmu->model->merges && i % 2 == 0 &&
	       i + 1 < pmu->model->counters &&
	       event_of(pmu, i) == FLOPS_EVENT &&
	       event_of(pmu, i + 1) == MERGE_EVENT &&
	       pmu->counter[i + 1].select & EVNTSEL_EN;
}

struct pmu_rate pmu_unpaired_rate(const struct pmu *pmu, unsigned int i,
				  struct pmu_rate rate)
{
	if (!pmu->model->merges)
		return rate;
	if (event_of(pmu, i) == MERGE_EVENT)
		return (struct pmu_rate){ 0, 1, 0 };
	if (event_of(pmu, i) != FLOPS_EVENT || pmu_is_paired(pmu, i))
		return rate;
	return (struct pmu_rate){ rate.num * 3, rate.den * 4, rate.phase * 4 };
}

bool pmu_carry(struct pmu *pmu, unsigned int i)
{
	struct pmu_counter *upper = &pmu->counter[i + 1];

	upper->value = (upper->value + 1) & UPPER_BITS;
	return !upper->value;
}
