// SPDX-License-Identifier: GPL-2.0-only
/* The registers of -v, see programmed.h. */
#include "verbs/programmed.h"

#include <stdio.h>

#include "events/tables.h"

static void print_set(const struct measurement *m, int number)
{
	const struct event_set *set = &m->sets.list[number];
	const struct plan *plan = &set->plan;

	if (sets_take_turns(&m->sets))
		fprintf(stderr, "pfmon: set %d, by %s\n", number,
			m->sets.reference ? m->sets.reference->name : "time");
	for (int i = 0; i < plan->event_count; i++) {
		const struct event *event =
			set->events[i] < 0 ?
				m->sets.reference :
				&m->hardware.events[set->events[i]];

		fprintf(stderr, "pfmon: event %s: pmd%u, selector 0x%llx%s%s\n",
			event->name, plan->pmds[i].reg_num,
			(unsigned long long)plan->selectors[i],
			event->full_name ? ", " : "",
			event->full_name ? event->full_name : "");
	}
	for (int i = 0; i < plan->pmc_count; i++)
		fprintf(stderr, "pfmon: pmc%u = 0x%llx\n",
			plan->pmcs[i].reg_num,
			(unsigned long long)plan->pmcs[i].reg_value);
}

void programmed_print(const struct measurement *m)
{
	const char *events = tables_pmu();

	fprintf(stderr, "pfmon: PMU: %s, events of: %s\n", m->map.model,
		events ? events : "none");
	for (int i = 0; i < m->sets.count; i++)
		print_set(m, i);
}
