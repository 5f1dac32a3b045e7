// SPDX-License-Identifier: MIT
/* Builds the event table of a model for the load functions, see tables.h. */
#include "tables.h"

#include <stdlib.h>
#include <string.h>

#include "libpfm4.h"
#include "pfmlib_events.h"

/* Steps by which tables of events, and events' masks, grow. */
#define EVENTS_STEP 64
#define MASKS_STEP 8

/*
 * Makes room for one more element.  Arrays are always multiples of step long,
 * so nothing but num is needed to know when one is full.
 */
static void *grown(void *array, unsigned int num, unsigned int step,
		   size_t size)
{
	if (num % step)
		return array;
	return realloc(array, (num + step) * size);
}

/* The masks are copies, which may change until the table is finished. */
static struct pfmlib_mask *masks_of(struct pfmlib_event_desc *event)
{
	return (struct pfmlib_mask *)event->masks;
}

void pfmlib_table_add_mask(struct pfmlib_table *table,
			   struct pfmlib_event_desc *event, unsigned int place,
			   const struct pfmlib_mask *mask)
{
	struct pfmlib_mask *masks = grown(masks_of(event), event->num_masks,
					  MASKS_STEP, sizeof(*masks));

	if (!masks) {
		table->error = PFMLIB_ERR_NOMEM;
		return;
	}
	event->masks = masks;
	if (place > event->num_masks)
		place = event->num_masks;
	memmove(&masks[place + 1], &masks[place],
		(event->num_masks - place) * sizeof(*masks));
	masks[place] = *mask;
	event->num_masks++;
}

/* Adds the event without its masks.  Returns NULL without memory. */
static struct pfmlib_event_desc *
add_event(struct pfmlib_table *table, const struct pfmlib_event_desc *event)
{
	struct pfmlib_event_desc *events = grown(
		table->events, table->num_events, EVENTS_STEP, sizeof(*events));

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

static void add_libpfm4_masks(struct pfmlib_table *table,
			      struct pfmlib_event_desc *event,
			      enum pfmlib_code_style style)
{
	struct libpfm4_entry entry;

	while (!table->error &&
	       !pfmlib_libpfm4_mask(event->libpfm4, event->num_masks, &entry)) {
		const struct pfmlib_mask mask = {
			.name = entry.name,
			.desc = entry.desc,
			.code = style == PFMLIB_CODES_P4 ? 1U << entry.code :
							   entry.code,
			.flags = entry.precise ? PFMLIB_MASK_PRECISE : 0,
		};

		pfmlib_table_add_mask(table, event, event->num_masks, &mask);
	}
}

/* A P4 code has the event select in its low six bits; an ESCR select follows. */
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

	event = add_event(table, &desc);
	if (event)
		add_libpfm4_masks(table, event, style);
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

void pfmlib_table_use_defaults(struct pfmlib_table *table, bool may_lack_masks)
{
	unsigned int num = 0;

	for (unsigned int i = 0; i < table->num_events; i++) {
		struct pfmlib_event_desc *event = &table->events[i];

		/* Asked of all, it is a third of a program's start. */
		if (event->num_masks)
			event->flags |= PFMLIB_EV_ASK_LIBPFM4;
		/* Its masks belong to a sibling: no program can use it. */
		else if (may_lack_masks && !is_usable(event))
			continue;
		table->events[num++] = *event;
	}
	table->num_events = num;
}

struct pfmlib_event_desc *pfmlib_table_event(struct pfmlib_table *table,
					     const char *name)
{
	for (unsigned int i = 0; i < table->num_events; i++) {
		if (pfmlib_is_name(table->events[i].name, name, strlen(name)))
			return &table->events[i];
	}
	return NULL;
}

static void free_events(struct pfmlib_event_desc *events, unsigned int num)
{
	for (unsigned int i = 0; i < num; i++)
		free(masks_of(&events[i]));
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
