// SPDX-License-Identifier: GPL-2.0-only
/* Sums of samples, see rows.h. */
#include "views/rows.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"

static int compare_names(const struct row *a, const struct row *b)
{
	int names = strcmp(a->function->name, b->function->name);

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

static int by_samples(const void *one, const void *other)
{
	const struct row *a = one, *b = other;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return compare_names(a, b);
}

static int by_total(const void *one, const void *other)
{
	const struct row *a = one, *b = other;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return by_samples(a, b);
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

static struct row *row_at(struct rows *rows, const struct place *place,
			  enum rows_by by)
{
	struct row *row = row_of(
		rows, by == ROWS_PLACE ? place->index : place->function->index);

	if (row && !row->function) {
		row->function = place->function;
		row->place = place;
	}
	return row;
}

/* A function that calls itself has a sample once. */
static int add_total(struct rows *rows, struct view *view,
		     const struct profile_sample *sample)
{
	for (unsigned int i = 0; i < functions_depth(sample); i++) {
		const struct place *place =
			functions_caller(view->functions, sample, i);
		struct row *row = place ? row_at(rows, place, ROWS_TOTAL) :
					  NULL;

		if (!row)
			return -1;
		row->total += row->last != rows->samples;
		row->last = rows->samples;
	}
	return 0;
}

static int add(struct rows *rows, struct view *view,
	       const struct profile_sample *sample, const struct place *place,
	       enum rows_by by)
{
	struct row *row = row_at(rows, place, by);

	if (!row)
		return -1;
	row->samples++;
	row->periods += sample->period;
	rows->samples++;
	rows->periods += sample->period;
	rows->chains |= sample->frames != 0;
	return by == ROWS_TOTAL ? add_total(rows, view, sample) : 0;
}

static void sort(struct rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++) {
		if (rows->rows[i].function)
			rows->rows[kept++] = rows->rows[i];
	}
	rows->count = kept;
	if (kept)
		qsort(rows->rows, kept, sizeof(*rows->rows), by_samples);
}

void rows_sort_by_total(struct rows *rows)
{
	if (rows->count)
		qsort(rows->rows, rows->count, sizeof(*rows->rows), by_total);
}

struct rows *rows_sum(struct view *view, enum rows_by by)
{
	struct rows *rows = calloc(view->profile.event_count, sizeof(*rows));
	const struct profile_sample *sample;
	const struct place *place;
	int ret;

	if (!rows) {
		diag("no memory for the sums");
		return NULL;
	}
	ret = view_rewind(view);
	while (!ret && (ret = view_next(view, &sample, &place)) > 0)
		ret = add(&rows[sample->event], view, sample, place, by);
	if (ret) {
		rows_free(rows, view);
		return NULL;
	}
	for (unsigned int i = 0; i < view->profile.event_count; i++)
		sort(&rows[i]);
	return rows;
}

void rows_free(struct rows *rows, const struct view *view)
{
	for (unsigned int i = 0; rows && i < view->profile.event_count; i++)
		free(rows[i].rows);
	free(rows);
}
