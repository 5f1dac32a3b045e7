// SPDX-License-Identifier: MIT
/*
 * Adds the events of one kind of core to the table of a hybrid processor, under perf's
 * names CPU_CORE/EVENT and CPU_ATOM/EVENT; for the load function. A selector counts them
 * only on CPUs of that kind.
 *
 * Fixed counters have no selector, so events that need one are not added; events for the
 * latency of loads are not added either.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_size.h"
#include "eventfiles/eventfiles.h"
#include "tables.h"

#define GENERIC_COUNTERS 0xffffU

/*
 * The tables point to these rows, so they are never freed; there is one set per file.
 * Protected by the lock of pfmlib_init.c.
 */
static struct kind {
	const struct pfmlib_event_file *of;
	struct pfmlib_event_file file;
} kept[6];

static bool is_usable(const struct pfmlib_file_row *row)
{
	return row->extra != LATENCY && row->counters & GENERIC_COUNTERS;
}

static const char *prefixed(const char *prefix, const char *event)
{
	size_t size = strlen(prefix) + strlen(event) + 1;
	char *name = malloc(size);

	if (name)
		snprintf(name, size, "%s%s", prefix, event);
	return name;
}

/* Rows of the same event are adjacent and share its name. */
static const char *name_of(const struct pfmlib_file_row *rows, unsigned int n,
			   const struct pfmlib_file_row *row,
			   const char *prefix)
{
	if (n && !strcmp(rows[n - 1].event + strlen(prefix), row->event))
		return rows[n - 1].event;
	return prefixed(prefix, row->event);
}

static void free_names(struct pfmlib_file_row *rows, unsigned int num)
{
	for (unsigned int i = 0; i < num; i++)
		if (!i || rows[i].event != rows[i - 1].event)
			free((void *)rows[i].event);
	free(rows);
}

static bool make(struct kind *kind, const struct pfmlib_event_file *file,
		 const char *prefix, unsigned int flag)
{
	struct pfmlib_file_row *rows = calloc(file->num_rows, sizeof(*rows));
	unsigned int n = 0;

	if (!rows)
		return false;
	for (unsigned int i = 0; i < file->num_rows; i++) {
		const struct pfmlib_file_row *row = &file->rows[i];

		if (!is_usable(row))
			continue;
		rows[n] = *row;
		rows[n].event = name_of(rows, n, row, prefix);
		rows[n].flags |= flag;
		rows[n].counters &= GENERIC_COUNTERS;
		if (!rows[n].event) {
			free_names(rows, n);
			return false;
		}
		n++;
	}
	kind->of = file;
	kind->file.rows = rows;
	kind->file.num_rows = n;
	return true;
}

static void add_kind(struct pfmlib_table *table,
		     const struct pfmlib_event_file *file, const char *prefix,
		     unsigned int flag)
{
	struct kind *kind = kept;

	while (kind->of && kind->of != file)
		kind++;
	if (kind->of || make(kind, file, prefix, flag))
		pfmlib_table_add_file(table, &kind->file);
	else
		table->error = PFMLIB_ERR_NOMEM;
}

void pfmlib_table_add_kinds(struct pfmlib_table *table,
			    const struct pfmlib_event_file *core,
			    const struct pfmlib_event_file *atom)
{
	add_kind(table, core, "CPU_CORE/", PFMLIB_FILE_CORE);
	add_kind(table, atom, "CPU_ATOM/", PFMLIB_FILE_ATOM);
}
