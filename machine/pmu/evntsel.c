// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event selects in the layout that the P6 introduced and that AMD and Intel's
 * architectural PMUs share: event, unit mask, levels, edge, interrupt, enable,
 * inversion, counter mask. Used by k7.c, core_ext.c, p6.c and arch.c; the rates
 * of events by all designs.
 */

#include <stddef.h>

#include "design.h"

uint64_t pmu_width_mask(unsigned int width)
{
	return (1ull << width) - 1;
}

uint64_t pmu_sign_extend32(uint64_t value)
{
	return (uint64_t)(int64_t)(int32_t)(uint32_t)value;
}

/*
 * Events without a row in the design's table have a rate too: one event every
 * 2 to 1025 instructions, the number being a hash of event and unit mask. It
 * looks random but is the same on every run.
 */
static struct pmu_rate filler_rate(uint32_t code)
{
	uint32_t hash = (code + 1) * 2654435761u;

	hash ^= hash >> 15;
	return (struct pmu_rate){ 1, 2 + hash % 1024, 0 };
}

/* Codes above 16 bits have no rows. */
static const struct pmu_event *find_row(const struct pmu_event *row,
					uint32_t code)
{
	for (; code <= UINT16_MAX && row->care; row++)
		if (((row->code ^ code) & row->care) == 0)
			return row;
	return NULL;
}

struct pmu_rate pmu_event_rate(const struct pmu_event *row, uint32_t code)
{
	row = find_row(row, code);
	return row ? row->rate : filler_rate(code);
}

/* The rate of an event code on this model. */
struct pmu_rate pmu_model_rate(const struct pmu_model *model, uint32_t code)
{
	const struct pmu_event *row =
		model->events ? find_row(model->events, code) : NULL;

	return row ? row->rate : pmu_event_rate(model->design->events, code);
}

/* AMD's bits 35:32 extend the event. Elsewhere they are 0, or bit 34 is PEBS'. */
uint32_t pmu_event_extension(const struct pmu_model *model, uint64_t select)
{
	if (model->capabilities & PEBS_BASELINE)
		select &= ~PEBS_ADAPTIVE;
	return (select >> 32) & 0xf;
}

static uint32_t event_code(const struct pmu *pmu, uint64_t select)
{
	return pmu_event_extension(pmu->model, select) << 16 |
	       (select & (EVNTSEL_EVENT | EVNTSEL_UMASK));
}

/* A step is an instruction, or one of the kinds that the event is made of. */
static struct pmu_rate selected_rate(const struct pmu *pmu, unsigned int i,
				     struct pmu_counter *c)
{
	const uint64_t select = c->select;
	const unsigned int cmask = select >> EVNTSEL_CMASK_SHIFT & 0xff;
	const bool invert = select & EVNTSEL_INV, edge = select & EVNTSEL_EDGE;
	struct pmu_rate rate;

	c->absent = false;
	c->retired = erratum_counts_cycles(pmu, i) ?
			     0 :
			     pmu_retired_kinds(pmu, event_code(pmu, select));
	if (c->retired)
		return erratum_rate(pmu, i,
				    pmu_retired_filter(c, cmask, invert, edge));
	rate = pmu_model_rate(pmu->model, event_code(pmu, select));
	rate = pmu_unpaired_rate(pmu, i, rate);
	rate = erratum_rate(pmu, i, rate);
	return pmu_rate_filter(rate, cmask, invert, edge);
}

/* Derive what counter i does from its selector. */
void pmu_apply_evntsel(struct pmu *pmu, unsigned int i, bool enabled)
{
	struct pmu_counter *c = &pmu->counter[i];
	const uint64_t select = c->select;
	struct pmu_rate rate = selected_rate(pmu, i, c);

	rate = pmu_faulty_rate(pmu, i, rate);
	c->flags = 0;
	/* Keep the old event's rest while the counter stands still. */
	if (!enabled || !rate.num ||
	    !(pmu_counters_for(pmu->model, select) >> i & 1))
		return;
	pmu_set_rate(c, rate);
	if (select & EVNTSEL_USR)
		c->flags |= PMU_COUNT_USER;
	if (select & EVNTSEL_OS)
		c->flags |= PMU_COUNT_KERNEL;
	if (select & EVNTSEL_INT)
		c->flags |= PMU_COUNT_IRQ;
	if (pmu_is_paired(pmu, i))
		c->flags |= PMU_COUNT_PAIR;
}
