// SPDX-License-Identifier: GPL-2.0-only
/*
 * The search in the tables of constraint_table.c. Used by evntsel.c, and by tests
 * of what chooses counters.
 */

#include "design.h"

static bool holds_for(const struct pmu_constraint *row, unsigned int event,
		      unsigned int umask)
{
	event &= row->event_care;
	return event >= row->first && event <= row->last &&
	       !((umask ^ row->umask) & row->umask_care);
}

uint64_t pmu_counters_for(const struct pmu_model *model, uint64_t selector)
{
	const unsigned int event = pmu_event_extension(model, selector) << 8 |
				   (selector & EVNTSEL_EVENT);
	const unsigned int umask = (selector & EVNTSEL_UMASK) >> 8;
	const uint64_t all = pmu_width_mask(model->counters);
	const struct pmu_constraint *row = model->constraints;

	for (; row && row->first <= row->last; row++)
		if (holds_for(row, event, umask))
			return row->counters & all;
	return all;
}

uint64_t pmu_model_counters(const char *model, uint64_t selector)
{
	const struct pmu_model *found = pmu_find_model(model);

	return found ? pmu_counters_for(found, selector) : 0;
}
