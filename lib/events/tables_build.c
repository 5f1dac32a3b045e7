// SPDX-License-Identifier: MIT
/* Builds the event table of a model for the load functions, see tables.h. */
#include "tables.h"

#include <stdlib.h>
#include <string.h>

#include "event_masks.h"
#include "libpfm4.h"
#include "pfmlib_events.h"

/*
 * Step by which tables of events grow: a table is full whenever the number of events is a
 * multiple of it.
 */
#define EVENTS_STEP 64

void pfmlib_table_add_mask(struct pfmlib_table *table,
			   struct pfmlib_event_desc *event, unsigned int place,
			   const struct pfmlib_mask *mask)
{
	int ret = pfmlib_event_add_mask(event, place, mask);

	if (ret != PFMLIB_SUCCESS)
		table->error = ret;
}

/* Adds the event without its masks.  Returns NULL if there is no memory. */
static struct pfmlib_event_desc *
add_event(struct pfmlib_table *table, const struct pfmlib_event_desc *event)
{
	struct pfmlib_event_desc *events = table->events;

	if (table->num_events % EVENTS_STEP == 0)
		events = realloc(events, (table->num_events + EVENTS_STEP) *
						 sizeof(*events));
	if (!events) {
		table->error = PFMLIB_ERR_NOMEM;
		return NULL;
	}
	table->events = events;
	events += table->num_events++;
	*events = *event;
	events->masks = NULL;
	events->num_masks = 0;
	return events;
}

void pfmlib_table_add(struct pfmlib_table *table,
		      const struct pfmlib_event_desc *events,
		      unsigned int num_events)
{
	for (unsigned int i = 0; i < num_events && !table->error; i++) {
		struct pfmlib_event_desc *event = add_event(table, &events[i]);

		if (event)
			event->libpfm4 = -1;
		for (unsigned int m = 0; event && m < events[i].num_masks; m++)
			pfmlib_table_add_mask(table, event, m,
					      &events[i].masks[m]);
	}
}

/* The low six bits of a P4 code are the event select; an ESCR select follows. */
#define P4_EVENT_SELECT 0x3f

static void add_libpfm4_event(struct pfmlib_table *table, int index,
			      enum pfmlib_code_style style)
{
	struct pfmlib_event_desc desc = { .libpfm4 = index };
	struct pfmlib_event_desc *event;
	struct libpfm4_entry entry;

	if (pfmlib_libpfm4_event(index, &entry)) {
		table->error = PFMLIB_ERR_NOTSUPP;
		return;
	}
	desc.name = entry.name;
	desc.desc = entry.desc;
	desc.code = entry.code;
	if (style == PFMLIB_CODES_P4)
		desc.code &= P4_EVENT_SELECT;
	if (!strncmp(desc.name, "UNC_", 4))
		desc.flags |= PFMLIB_EV_UNCORE;
	if (entry.precise)
		desc.flags |= PFMLIB_EV_PRECISE;
	if (entry.has_masks)
		desc.flags |= PFMLIB_EV_MASKS;

	desc.lacks_masks = style != PFMLIB_CODES_P4;
	event = add_event(table, &desc);
	if (event && !event->lacks_masks)
		table->error = pfmlib_event_add_libpfm4_masks(event, true);
}

void pfmlib_table_add_libpfm4(struct pfmlib_table *table, const char *pmu,
			      enum pfmlib_code_style style)
{
	int index = pfmlib_libpfm4_first_event(pmu);

	if (index < 0)
		table->error = PFMLIB_ERR_NOTSUPP;
	for (; index >= 0 && !table->error;
	     index = pfmlib_libpfm4_next_event(index))
		add_libpfm4_event(table, index, style);
}

static bool is_usable(const struct pfmlib_event_desc *event)
{
	uint64_t values[2];

	return pfmlib_libpfm4_encode(event->libpfm4, NULL, 0, true, true,
				     values) > 0;
}

/* Checks for masks without loading all of them. */
static bool has_masks(const struct pfmlib_event_desc *event)
{
	struct libpfm4_entry entry;

	return event->num_masks || event->flags & PFMLIB_EV_MASKS ||
	       (event->lacks_masks &&
		!pfmlib_libpfm4_mask(event->libpfm4, 0, &entry));
}

void pfmlib_table_use_defaults(struct pfmlib_table *table, bool may_lack_masks)
{
	unsigned int num = 0;

	for (unsigned int i = 0; i < table->num_events; i++) {
		struct pfmlib_event_desc *event = &table->events[i];

		/* All of its masks are for another model: no program can use it. */
		if (may_lack_masks && !has_masks(event) && !is_usable(event))
			continue;
		/* Asking for all events now would be a third of a program's start. */
		event->flags |= PFMLIB_EV_ASK_LIBPFM4;
		table->events[num++] = *event;
	}
	table->num_events = num;
}

static struct pfmlib_event_desc *find_of(struct pfmlib_table *table,
					 unsigned int num, const char *name)
{
	struct pfmlib_event_desc *event = table->events;
	struct pfmlib_event_desc *end = event + num;

	while (event < end && !pfmlib_is_name(event->name, name, strlen(name)))
		event++;
	return event < end ? event : NULL;
}

struct pfmlib_event_desc *pfmlib_table_find(struct pfmlib_table *table,
					    const char *name)
{
	return find_of(table, table->num_events, name);
}

struct pfmlib_event_desc *pfmlib_table_event(struct pfmlib_table *table,
					     const char *name)
{
	return pfmlib_table_event_of(table, table->num_events, name);
}

struct pfmlib_event_desc *pfmlib_table_event_of(struct pfmlib_table *table,
						unsigned int num,
						const char *name)
{
	struct pfmlib_event_desc *event = find_of(table, num, name);
	int ret;

	if (!event)
		return NULL;
	ret = pfmlib_load_masks(event);
	if (ret == PFMLIB_SUCCESS)
		return event;
	table->error = ret;
	return NULL;
}

static void free_events(struct pfmlib_event_desc *events, unsigned int num)
{
	for (unsigned int i = 0; i < num; i++)
		free((void *)events[i].masks);
	free(events);
}

int pfmlib_table_finish(struct pfmlib_table *table, struct pfmlib_pmu *pmu)
{
	if (table->error) {
		free_events(table->events, table->num_events);
		return table->error;
	}
	pmu->events = table->events;
	pmu->num_events = table->num_events;
	return PFMLIB_SUCCESS;
}

void pfmlib_table_free(struct pfmlib_pmu *pmu)
{
	free_events((struct pfmlib_event_desc *)pmu->events, pmu->num_events);
	pmu->events = NULL;
	pmu->num_events = 0;
}
