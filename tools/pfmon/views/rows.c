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

/* Samples that count for more are more, by_periods of the rows that are sorted. */
static bool by_periods;

static int by_samples(const void *one, const void *other)
{
	const struct row *a = one, *b = other;

	if (by_periods && a->periods != b->periods)
		return a->periods > b->periods ? -1 : 1;
	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return compare_names(a, b);
}

static int by_total(const void *one, const void *other)
{
	const struct row *a = one, *b = other;

	if (by_periods && a->total_periods != b->total_periods)
		return a->total_periods > b->total_periods ? -1 : 1;
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
	unsigned int depth = functions_depth(view->functions, sample);
	uint64_t worth = profile_worth(&view->profile, sample);

	for (unsigned int i = 0; i < depth; i++) {
		const struct place *place =
			functions_caller(view->functions, i);
		struct row *row = row_at(rows, place, ROWS_TOTAL);

		if (!row)
			return -1;
		if (row->last == rows->samples)
			continue;
		row->total++;
		row->total_periods += worth;
		row->last = rows->samples;
	}
	functions_judge(view->functions, sample, depth, &rows->told);
	return depth ? 0 : -1;
}

static int add(struct rows *rows, struct view *view,
	       const struct profile_sample *sample, const struct place *place,
	       enum rows_by by)
{
	struct row *row = row_at(rows, place, by);
	uint64_t worth = profile_worth(&view->profile, sample);

	if (!row)
		return -1;
	row->samples++;
	row->periods += worth;
	rows->samples++;
	rows->periods += worth;
	rows->squares += rows->by_periods ? (double)worth * (double)worth : 1;
	if (rows->steps)
		steps_add(rows->steps, sample->stream, place->function->index);
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
	by_periods = rows->by_periods;
	if (kept)
		qsort(rows->rows, kept, sizeof(*rows->rows), by_samples);
}

uint64_t rows_self(const struct rows *rows, const struct row *row)
{
	return rows->by_periods ? row->periods : row->samples;
}

uint64_t rows_total(const struct rows *rows, const struct row *row)
{
	return rows->by_periods ? row->total_periods : row->total;
}

uint64_t rows_all(const struct rows *rows)
{
	return rows->by_periods ? rows->periods : rows->samples;
}

struct range rows_range(const struct rows *rows, const struct row *row)
{
	return range_of(&(struct share){
		.part = (double)rows_self(rows, row),
		.all = (double)rows_all(rows),
		.squares = rows->squares,
	});
}

bool rows_keep_step(const struct rows *rows)
{
	double chance = 0;

	if (!rows->steps)
		return false;
	for (size_t i = 0; i < rows->count; i++) {
		double share =
			(double)rows->rows[i].samples / (double)rows->samples;

		chance += share * share;
	}
	return steps_are_kept(rows->steps, chance);
}

void rows_sort_by_total(struct rows *rows)
{
	by_periods = rows->by_periods;
	if (rows->count)
		qsort(rows->rows, rows->count, sizeof(*rows->rows), by_total);
}

/* 0, or -1 without memory. */
static int begin(struct rows *rows, const struct profile_event *event)
{
	rows->by_periods = event->is_mixed;
	if (event->varies)
		return 0;
	rows->steps = calloc(1, sizeof(*rows->steps));
	return rows->steps ? 0 : -1;
}

struct rows *rows_sum(struct view *view, enum rows_by by)
{
	unsigned int events = view->profile.event_count;
	struct rows *rows = calloc(events, sizeof(*rows));
	const struct profile_sample *sample;
	const struct place *place;
	int ret = rows ? 0 : -1;

	for (unsigned int i = 0; !ret && i < events; i++)
		ret = begin(&rows[i], &view->profile.events[i]);
	if (ret)
		diag("no memory for the sums");
	else
		ret = view_rewind(view);
	while (!ret && (ret = view_next(view, &sample, &place)) > 0)
		ret = add(&rows[sample->event], view, sample, place, by);
	if (ret) {
		rows_free(rows, view);
		return NULL;
	}
	for (unsigned int i = 0; i < events; i++)
		sort(&rows[i]);
	return rows;
}

void rows_free(struct rows *rows, const struct view *view)
{
	for (unsigned int i = 0; rows && i < view->profile.event_count; i++) {
		free(rows[i].rows);
		free(rows[i].steps);
	}
	free(rows);
}
