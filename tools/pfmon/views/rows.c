// SPDX-License-Identifier: GPL-2.0-only
/* Sums of samples, see rows.h. */
#include "views/rows.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"

static int compare(const void *one, const void *other)
{
	const struct row *a = one, *b = other;
	int names;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	names = strcmp(a->function->name, b->function->name);
	if (!names)
		names = strcmp(a->function->file, b->function->file);
	if (names)
		return names;
	if (a->place->place != b->place->place)
		return a->place->place < b->place->place ? -1 : 1;
	return a->place->index < b->place->index ?
		       -1 :
		       a->place->index > b->place->index;
}

/* The row of an index; rows without samples are between. */
static struct row *row_of(struct rows *rows, size_t index)
{
	size_t count = rows->count ? rows->count : 64;
	struct row *more;

	if (index < rows->count)
		return &rows->rows[index];
	while (count <= index)
		count *= 2;
	more = reallocarray(rows->rows, count, sizeof(*more));
	if (!more) {
		diag("no memory for the sums");
		return NULL;
	}
	memset(more + rows->count, 0, (count - rows->count) * sizeof(*more));
	rows->rows = more;
	rows->count = count;
	return &more[index];
}

static void sort(struct rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++) {
		if (rows->rows[i].samples)
			rows->rows[kept++] = rows->rows[i];
	}
	rows->count = kept;
	if (kept)
		qsort(rows->rows, kept, sizeof(*rows->rows), compare);
}

int rows_sum(struct rows *rows, struct view *view, unsigned int event,
	     enum rows_by by)
{
	const struct profile_sample *sample;
	const struct place *place;
	int ret;

	*rows = (struct rows){ 0 };
	view_rewind(view);
	while ((ret = view_next(view, &sample, &place)) > 0) {
		struct row *row;

		if (sample->event != event)
			continue;
		row = row_of(rows, by == ROWS_PLACE ? place->index :
						      place->function->index);
		if (!row)
			return -1;
		if (!row->samples) {
			row->function = place->function;
			row->place = place;
		}
		row->samples++;
		row->periods += sample->period;
		rows->samples++;
		rows->periods += sample->period;
	}
	sort(rows);
	return ret;
}

void rows_free(struct rows *rows)
{
	free(rows->rows);
	*rows = (struct rows){ 0 };
}
