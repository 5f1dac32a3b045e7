// SPDX-License-Identifier: MIT
/*
 * Makes one event file from two, for the load function: the events that both kinds of
 * core of a hybrid processor count under the same name and code, with their common
 * counters.
 */
#include <stdlib.h>
#include <string.h>

#include "array_size.h"
#include "eventfiles/eventfiles.h"
#include "pfmlib_events.h"
#include "tables.h"

/*
 * The tables point to these rows, so they are never freed; there are no more of them than
 * pairs of files. Protected by the lock of pfmlib_init.c.
 */
static struct common {
	const struct pfmlib_event_file *core;
	struct pfmlib_event_file file;
} kept[3];

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/*
 * Rows with registers that qualify events differ between kinds, even under the same name.
 */
static bool same_meaning(const struct pfmlib_file_row *a,
			 const struct pfmlib_file_row *b)
{
	/*
	 * Each row is compared with each: the fields that differ most often come first.
	 */
	return a->umask == b->umask && a->select == b->select &&
	       a->cmask == b->cmask && a->extra == NONE && b->extra == NONE &&
	       !((a->flags ^ b->flags) & ~(unsigned int)PFMLIB_FILE_PRECISE) &&
	       a->counters & b->counters && same_text(a->event, b->event) &&
	       same_text(a->mask, b->mask);
}

static const struct pfmlib_file_row *
find_same(const struct pfmlib_event_file *file,
	  const struct pfmlib_file_row *row)
{
	for (unsigned int i = 0; i < file->num_rows; i++)
		if (same_meaning(&file->rows[i], row))
			return &file->rows[i];
	return NULL;
}

static bool make(struct common *common, const struct pfmlib_event_file *core,
		 const struct pfmlib_event_file *atom)
{
	struct pfmlib_file_row *rows = calloc(core->num_rows, sizeof(*rows));
	unsigned int n = 0;

	if (!rows)
		return false;
	for (unsigned int i = 0; i < core->num_rows; i++) {
		const struct pfmlib_file_row *row = &core->rows[i];
		const struct pfmlib_file_row *same = find_same(atom, row);

		if (!same)
			continue;
		rows[n] = *row;
		rows[n].flags &= same->flags;
		rows[n++].counters &= same->counters;
	}
	common->core = core;
	common->file.rows = rows;
	common->file.num_rows = n;
	return true;
}

void pfmlib_table_add_common(struct pfmlib_table *table,
			     const struct pfmlib_event_file *core,
			     const struct pfmlib_event_file *atom)
{
	struct common *common = kept;

	while (common->core && common->core != core)
		common++;
	if (common->core || make(common, core, atom))
		pfmlib_table_add_file(table, &common->file);
	else
		table->error = PFMLIB_ERR_NOMEM;
}
