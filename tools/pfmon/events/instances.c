// SPDX-License-Identifier: GPL-2.0-only
/* Events of PMUs that there are several of, see instances.h. */
#include "events/instances.h"

#include <stdlib.h>

#include "diag.h"

static int count_all(const struct event_list *list)
{
	int count = 0;

	for (int i = 0; i < list->count; i++) {
		const struct kernel_event *kernel = list->events[i].kernel;

		count += kernel ? kernel->count : 1;
	}
	return count;
}

/* One event for each instance of another. False without memory. */
static bool add_instances(struct event_list *to, const struct event *event)
{
	for (int i = 0; i < event->kernel->count; i++) {
		struct event *one = &to->events[to->count];

		*one = *event;
		one->kernel = kernel_pmu_one(event->kernel, event->name, i,
					     &one->name);
		if (!one->kernel)
			return false;
		to->count++;
	}
	return true;
}

int events_split_instances(struct event_list *list)
{
	struct event_list all = { .count = 0 };
	bool kept = true;

	all.events = calloc((size_t)count_all(list) + 1, sizeof(*all.events));
	if (!all.events)
		return diag("out of memory");
	for (int i = 0; i < list->count; i++) {
		struct event *event = &list->events[i];

		if (!event->kernel) {
			all.events[all.count++] = *event;
			event->name = event->full_name = NULL;
			continue;
		}
		kept = kept && add_instances(&all, event);
	}
	events_free(list);
	*list = all;
	return kept ? 0 : diag("out of memory");
}
