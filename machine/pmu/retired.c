// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that the owner of the model counts one by one, of the kinds of retired.h.
 * A counter counts the kinds that its event is made of; the steps of its rate are
 * these, where they are instructions for other events. Used by pmu.c and evntsel.c.
 *
 * How far away the next overflow is depends on what the guest will execute. So the
 * owner gets a number of branches for each kind: before any of the kinds has come
 * that often, no counter overflows. Loads and stores are in the middle of what the owner
 * executes in one go: as one instruction is one of them at most, the room that is left
 * is a number of instructions that are safe.
 */

#include <string.h>

#include "design.h"

static const struct pmu_retired_event *
find_row(const struct pmu_retired_event *row, uint32_t code)
{
	for (; row && row->care; row++)
		if (!((row->code ^ code) & row->care))
			return row;
	return NULL;
}

uint32_t pmu_retired_kinds(const struct pmu *pmu, uint32_t code)
{
	const struct pmu_retired_event *row =
		pmu->retired ? find_row(pmu->model->retired, code) : NULL;

	return row ? row->kinds : 0;
}

void pmu_use_retired(struct pmu *pmu, const uint64_t *retired)
{
	pmu->retired = retired;
	memcpy(pmu->retired_seen, retired, sizeof(pmu->retired_seen));
}

bool pmu_take_retired(struct pmu *pmu, uint64_t *news)
{
	bool any = false;
	unsigned int kind;

	for (kind = 0; kind < PMU_RETIRED_KINDS; kind++) {
		news[kind] = 0;
		if (!pmu->retired ||
		    pmu->retired[kind] == pmu->retired_seen[kind])
			continue;
		news[kind] = pmu->retired[kind] - pmu->retired_seen[kind];
		pmu->retired_seen[kind] = pmu->retired[kind];
		any = true;
	}
	return any;
}

uint64_t pmu_steps(const struct pmu_counter *c, uint64_t insns,
		   const uint64_t *news)
{
	uint64_t events = 0;
	unsigned int kind;

	if (!c->retired)
		return insns;
	for (kind = 0; kind < PMU_RETIRED_KINDS; kind++)
		if (c->retired >> kind & 1)
			events += news[kind];
	if (!c->absent)
		return events;
	return events < insns ? insns - events : 0;
}

/*
 * One event an instruction at most: a counter mask of 1 changes nothing, with
 * inversion it counts the other instructions, and a greater one is never reached.
 * Each event is an edge.
 */
struct pmu_rate pmu_retired_filter(struct pmu_counter *c, unsigned int cmask,
				   bool invert, bool edge)
{
	const struct pmu_rate each = { 1, 1, 0 }, none = { 0, 1, 0 };

	c->absent = cmask == 1 && invert && !edge;
	if (cmask <= 1)
		return each;
	c->retired = 0;
	return invert && !edge ? each : none;
}

uint32_t pmu_counts_retired(const struct pmu *pmu)
{
	const uint8_t level = pmu->user ? PMU_COUNT_USER : PMU_COUNT_KERNEL;
	uint32_t kinds = 0;
	unsigned int i;

	for (i = 0; pmu->retired && i < pmu->model->counters; i++)
		if (pmu->counter[i].flags & level)
			kinds |= pmu->counter[i].retired;
	return kinds;
}

bool pmu_is_limited(const struct pmu_counter *c)
{
	return c->retired & PMU_RETIRED_BRANCHES && !c->absent;
}

/* If n kinds come less than 1/n of the room each, the counter has room left. */
static uint64_t share_of_room(const struct pmu_counter *c)
{
	const unsigned int kinds = __builtin_popcount(c->retired);
	const uint64_t room = pmu_insns_to_overflow(c);

	return room == PMU_NEVER ? room : (room - 1) / kinds + 1;
}

void pmu_retired_limits(const struct pmu *pmu, uint64_t *limits)
{
	const uint8_t level = pmu->user ? PMU_COUNT_USER : PMU_COUNT_KERNEL;
	const struct pmu_counter *c;
	unsigned int i, kind;
	uint64_t share;

	for (kind = 0; kind < PMU_RETIRED_KINDS; kind++)
		limits[kind] = PMU_NEVER;
	for (i = 0; i < pmu->model->counters; i++) {
		c = &pmu->counter[i];
		if (!pmu_is_limited(c) || !(c->flags & level) ||
		    !(c->flags & PMU_COUNT_IRQ))
			continue;
		share = share_of_room(c);
		for (kind = 0; kind < PMU_RETIRED_KINDS; kind++)
			if (c->retired >> kind & 1 && share < limits[kind])
				limits[kind] = share;
	}
}
