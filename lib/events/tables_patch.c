// SPDX-License-Identifier: MIT
/* Applies the changes to libpfm4's tables (patch_rows.h) to a table. */
#include <stdlib.h>
#include <string.h>

#include "event_masks.h"
#include "patch_rows.h"
#include "pfmlib_events.h"
#include "tables.h"

static void drop_event(struct pfmlib_table *table,
		       struct pfmlib_event_desc *event)
{
	unsigned int after =
		table->num_events - 1 - (unsigned int)(event - table->events);

	free((void *)event->masks);
	memmove(event, event + 1, after * sizeof(*event));
	table->num_events--;
}

static void add_event(struct pfmlib_table *table,
		      const struct pfmlib_patch *patch)
{
	const struct pfmlib_event_desc event = {
		.name = patch->event,
		.desc = patch->desc,
		.code = patch->code,
		.flags = patch->models & PFMLIB_PATCH_UNCORE ?
				 PFMLIB_EV_UNCORE :
				 0,
	};

	pfmlib_table_add(table, &event, 1);
}

/* For an event whose masks are loaded later, the patch is applied then. */
static void patch_mask(struct pfmlib_table *table,
		       struct pfmlib_event_desc *event, unsigned int models,
		       const struct pfmlib_patch *patch)
{
	int ret;

	if (patch->kind == SET_MASK_PRECISE)
		event->flags |= PFMLIB_EV_PRECISE;
	if (event->lacks_masks) {
		event->mask_patches |= patch->models & models;
		return;
	}
	ret = pfmlib_event_patch_mask(event, patch);
	if (ret != PFMLIB_SUCCESS)
		table->error = ret;
}

static void apply(struct pfmlib_table *table, unsigned int models,
		  const struct pfmlib_patch *patch)
{
	struct pfmlib_event_desc *event;

	event = pfmlib_table_find(table, patch->event);
	if (patch->kind == ADD_EVENT) {
		if (event)
			drop_event(table, event);
		add_event(table, patch);
		return;
	}
	/* Later versions of libpfm4 may drop an event. */
	if (!event)
		return;
	switch (patch->kind) {
	case DROP_EVENT:
		drop_event(table, event);
		break;
	case SET_DEFAULT:
		pfmlib_event_set_default(event, patch->row);
		break;
	case SET_EVENT_CODE:
		event->code = patch->code;
		break;
	case SET_MASK_OPTIONAL:
		event->flags |= PFMLIB_EV_MASK_OPTIONAL;
		break;
	default:
		patch_mask(table, event, models, patch);
		break;
	}
}

void pfmlib_table_patch(struct pfmlib_table *table, unsigned int models)
{
	const struct pfmlib_patch *patch = pfmlib_patches;

	for (; patch->models && !table->error; patch++) {
		if (patch->models & models)
			apply(table, models, patch);
	}
}
