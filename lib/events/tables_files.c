// SPDX-License-Identifier: MIT
/*
 * Adds the events of an event file (eventfiles/) to a table, for the load functions; and
 * finds the row of an event again, for the dispatchers.
 */
#include <string.h>

#include "event_masks.h"
#include "eventfiles/eventfiles.h"
#include "pfmlib_events.h"
#include "tables.h"

static bool same_event(const struct pfmlib_file_row *a,
		       const struct pfmlib_file_row *b)
{
	return !strcmp(a->event, b->event);
}

/*
 * The event select of most rows is the event's; some rows, such as for fixed counters,
 * have another one.
 */
static unsigned int select_of(const struct pfmlib_file_row *rows,
			      unsigned int num_rows)
{
	unsigned int best = 0, most = 0;

	for (unsigned int i = 0; i < num_rows; i++) {
		unsigned int times = 0;

		for (unsigned int j = 0; j < num_rows; j++)
			times += rows[i].select &&
				 rows[j].select == rows[i].select;
		if (times > most) {
			most = times;
			best = rows[i].select;
		}
	}
	return best;
}

static bool has_mask(const struct pfmlib_event_desc *event, const char *name)
{
	for (unsigned int i = 0; i < event->num_masks; i++)
		if (pfmlib_is_name(event->masks[i].name, name, strlen(name)))
			return true;
	return false;
}

static void add_mask(struct pfmlib_table *table,
		     struct pfmlib_event_desc *event,
		     const struct pfmlib_file_row *row)
{
	const struct pfmlib_mask mask = pfmlib_file_mask(event, row);

	if (mask.flags & PFMLIB_MASK_PRECISE)
		event->flags |= PFMLIB_EV_PRECISE;
	pfmlib_table_add_mask(table, event, event->num_masks, &mask);
}

static void add_masks(struct pfmlib_table *table,
		      struct pfmlib_event_desc *event,
		      const struct pfmlib_file_row *rows, unsigned int num_rows)
{
	for (unsigned int i = 0; i < num_rows && !table->error; i++)
		if (rows[i].mask && !has_mask(event, rows[i].mask))
			add_mask(table, event, &rows[i]);
}

static void add_event(struct pfmlib_table *table,
		      const struct pfmlib_file_row *rows, unsigned int num_rows)
{
	const struct pfmlib_event_desc event = {
		.name = rows->event,
		.code = select_of(rows, num_rows),
	};

	pfmlib_table_add(table, &event, 1);
	if (table->error)
		return;
	add_masks(table, &table->events[table->num_events - 1], rows, num_rows);
	if (num_rows == 1 || !rows->mask)
		pfmlib_event_set_default(&table->events[table->num_events - 1],
					 rows);
}

void pfmlib_table_add_file(struct pfmlib_table *table,
			   const struct pfmlib_event_file *file)
{
	/*
	 * Rows of the same event are adjacent, so only events of earlier sources are
	 * searched.
	 */
	unsigned int known = table->num_events;
	struct pfmlib_event_desc *event;
	unsigned int first, next;

	for (first = 0; first < file->num_rows && !table->error; first = next) {
		next = first + 1;
		while (next < file->num_rows &&
		       same_event(&file->rows[first], &file->rows[next]))
			next++;
		event = pfmlib_table_event_of(table, known,
					      file->rows[first].event);
		if (event)
			add_masks(table, event, &file->rows[first],
				  next - first);
		else
			add_event(table, &file->rows[first], next - first);
	}
}

const struct pfmlib_file_row *pfmlib_file_row(const struct pfmlib_pmu *pmu,
					      const pfmlib_event_t *event)
{
	const struct pfmlib_event_desc *desc = &pmu->events[event->event];

	if (!event->num_masks)
		return desc->row;
	return event->num_masks == 1 ? desc->masks[event->unit_masks[0]].row :
				       NULL;
}
