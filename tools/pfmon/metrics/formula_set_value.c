// SPDX-License-Identifier: GPL-2.0-only
/* The values of the metrics that were chosen, see formula_set.h. */
#include <stdlib.h>

#include "metrics/formula_set.h"

/* Values that are being computed. */
struct values {
	const struct formula_set *set;
	const struct formula_counts *counts;
	double value[FORMULA_ENTRIES_MAX];
	bool there[FORMULA_ENTRIES_MAX];
};

static bool value_of(const struct formula_node *node, double *value, void *arg)
{
	const struct values *values = arg;
	const struct formula_counts *counts = values->counts;

	switch ((enum formula_meaning)node->c) {
	case EVENT:
		return counts->event(values->set->events[node->a], value,
				     counts->arg);
	case METRIC:
		*value = values->value[node->a];
		return values->there[node->a];
	case SECONDS:
		*value = counts->seconds;
		return true;
	case CYCLES:
		*value = counts->seconds * counts->hz;
		return counts->hz > 0;
	case CONSTANT:
		*value = node->number;
		return true;
	default:
		return false;
	}
}

static void compute(struct values *values, int last)
{
	for (int i = 0; i <= last; i++)
		values->there[i] =
			formula_value(values->set->entries[i].formula, value_of,
				      values, &values->value[i]);
}

bool formula_set_value(const struct formula_set *set, int entry,
		       const struct formula_counts *counts, double *value)
{
	struct values values = { .set = set, .counts = counts };
	const char *unit = set->entries[entry].metric->unit;
	char *end;
	double factor = strtod(unit, &end);

	compute(&values, entry);
	*value = values.value[entry] * (end > unit ? factor : 1);
	return values.there[entry];
}

bool formula_set_exceeds(const struct formula_set *set, int entry,
			 const struct formula_counts *counts)
{
	struct values values = { .set = set, .counts = counts };
	double value;

	if (!set->entries[entry].threshold)
		return false;
	compute(&values, set->count - 1);
	return formula_value(set->entries[entry].threshold, value_of, &values,
			     &value) &&
	       value != 0;
}

void formula_set_each_event(const struct formula_set *set, int entry,
			    void (*act)(const char *text, void *arg), void *arg)
{
	bool part[FORMULA_ENTRIES_MAX] = { false };

	part[entry] = true;
	for (int i = entry; i >= 0; i--) {
		const struct formula *formula = set->entries[i].formula;

		for (int j = 0; part[i] && j < formula->count; j++) {
			const struct formula_node *node = &formula->nodes[j];

			if (node->name && node->c == METRIC)
				part[node->a] = true;
			else if (node->name && node->c == EVENT)
				act(set->events[node->a], arg);
		}
	}
}
