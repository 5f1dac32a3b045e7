// SPDX-License-Identifier: GPL-2.0-only
/* Samples of many files by function, see parts.h. */
#include "views/parts.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "views/rows.h"

static int no_memory(void)
{
	return diag("no memory for the sums");
}

/* What the other ones call it: by rank if there are ranks. */
static void name_part(struct parts *parts, unsigned int part,
		      const struct profile *profile)
{
	const char *host = profile_meta(profile, "host");
	struct json_object *rank;

	parts->ranks[part] = -1;
	if (json_object_object_get_ex(profile->meta, "rank", &rank) && rank)
		parts->ranks[part] =
			strtol(json_object_get_string(rank), NULL, 10);
	if (parts->ranks[part] >= 0)
		snprintf(parts->names[part], sizeof(parts->names[part]),
			 "rank %ld on %s", parts->ranks[part],
			 host ? host : "?");
	else
		snprintf(parts->names[part], sizeof(parts->names[part]), "%s",
			 profile->name);
}

/* The number of the event of that name, or -1. */
static int event_of(struct parts *parts, const char *name)
{
	struct parts_event *event = parts->events;

	for (unsigned int i = 0; i < parts->event_count; i++, event++) {
		if (!strcmp(event->name, name))
			return (int)i;
	}
	if (parts->event_count == PARTS_EVENTS_MAX)
		return diag("too many events");
	event->name = strdup(name);
	event->has = calloc(parts->count, sizeof(*event->has));
	event->samples = calloc(parts->count, sizeof(*event->samples));
	event->periods = calloc(parts->count, sizeof(*event->periods));
	parts->event_count++;
	if (!event->name || !event->has || !event->samples || !event->periods)
		return no_memory();
	return (int)parts->event_count - 1;
}

static int compare_keys(const void *one, const void *other)
{
	const struct parts_row *a = one, *b = other;
	int order = strcmp(a->symbol, b->symbol);

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (!order)
		order = strcmp(a->file, b->file);
	return order ? order :
		       memcmp(a->build_id, b->build_id, sizeof(a->build_id));
}

/* A row of the tree, which owns it. */
static struct parts_row *row_of(struct parts *parts, void **tree,
				const struct parts_row *wanted)
{
	struct parts_row **node = tfind(wanted, tree, compare_keys);
	struct parts_row *row;

	if (node)
		return *node;
	row = calloc(1, sizeof(*row));
	if (!row)
		return NULL;
	row->event = wanted->event;
	memcpy(row->build_id, wanted->build_id, sizeof(row->build_id));
	row->symbol = strdup(wanted->symbol);
	row->file = strdup(wanted->file);
	row->samples = calloc(parts->count, sizeof(*row->samples));
	if (row->symbol && row->file && row->samples &&
	    tsearch(row, tree, compare_keys)) {
		parts->row_count++;
		return row;
	}
	free(row->symbol);
	free(row->file);
	free(row->samples);
	free(row);
	return NULL;
}

static int add_rows(struct parts *parts, void **tree, unsigned int part,
		    unsigned int event, uint64_t period,
		    const struct rows *rows)
{
	struct parts_event *sums = &parts->events[event];

	sums->parts += !sums->has[part];
	sums->has[part] = true;
	sums->periods[part] = period;
	sums->samples[part] += rows->samples;
	sums->sum += rows->samples;
	for (size_t i = 0; i < rows->count; i++) {
		const struct function *function = rows->rows[i].function;
		struct parts_row wanted = {
			.event = event,
			.symbol = function->name,
			.file = (char *)function->file,
		}, *row;

		if (function->image && !function->has_symbol)
			memcpy(wanted.build_id, function->image->build_id,
			       sizeof(wanted.build_id));
		row = row_of(parts, tree, &wanted);
		if (!row)
			return no_memory();
		row->samples[part] += rows->rows[i].samples;
		row->sum += rows->rows[i].samples;
	}
	return 0;
}

static int add_view(struct parts *parts, void **tree, unsigned int part,
		    struct view *view)
{
	struct rows *rows = rows_sum(view, ROWS_FUNCTION);
	char losses[256];
	int ret = rows ? 0 : -1;

	name_part(parts, part, &view->profile);
	if (*view_losses(view, losses, sizeof(losses))) {
		parts->exact = false;
		diag("note: %s: %s", parts->names[part], losses);
	}
	for (unsigned int i = 0; !ret && i < view->profile.event_count; i++) {
		int event;

		/* Events that are only counted have none. */
		if (!view->profile.events[i].period)
			continue;
		event = event_of(parts, view->profile.events[i].name);
		ret = event < 0 ?
			      -1 :
			      add_rows(parts, tree, part, (unsigned int)event,
				       view->profile.events[i].period,
				       &rows[i]);
	}
	rows_free(rows, view);
	if (!ret)
		view_tell_none(view);
	return ret;
}

static struct parts *gathered;
static size_t gathered_count;

/* The rows move from the tree into the list. */
static void gather(void *node)
{
	struct parts_row *row = node;

	if (gathered->rows)
		gathered->rows[gathered_count++] = *row;
	free(row);
}

static int list_rows(struct parts *parts, void *tree)
{
	size_t room = parts->row_count ? parts->row_count : 1;

	parts->rows = calloc(room, sizeof(*parts->rows));
	gathered = parts;
	gathered_count = 0;
	tdestroy(tree, gather);
	parts->row_count = gathered_count;
	return parts->rows ? 0 : no_memory();
}

/* As many samples as there would be of the longest period. Returns their sum. */
static uint64_t weigh(const struct parts *parts,
		      const struct parts_event *event, uint64_t *samples)
{
	uint64_t longest = 0, sum = 0;

	/* A part without samples has none that could be more or less. */
	for (unsigned int i = 0; i < parts->count; i++) {
		if (event->samples[i] && event->periods[i] > longest)
			longest = event->periods[i];
	}
	for (unsigned int i = 0; i < parts->count; i++) {
		if (samples[i] && event->periods[i] != longest)
			samples[i] =
				(uint64_t)((double)samples[i] *
						   (double)event->periods[i] /
						   (double)longest +
					   0.5);
		sum += samples[i];
	}
	return sum;
}

static void weigh_all(struct parts *parts)
{
	for (size_t i = 0; i < parts->row_count; i++) {
		struct parts_row *row = &parts->rows[i];

		row->sum =
			weigh(parts, &parts->events[row->event], row->samples);
	}
	for (unsigned int i = 0; i < parts->event_count; i++) {
		struct parts_event *event = &parts->events[i];

		event->sum = weigh(parts, event, event->samples);
	}
}

/* Two files of a rank are a mistake: its samples would be in the sum twice. */
static int check_rank(const struct parts *parts, unsigned int part,
		      char *const *files)
{
	for (unsigned int i = 0; i < part; i++) {
		if (parts->ranks[part] >= 0 &&
		    parts->ranks[i] == parts->ranks[part])
			return diag("%s: of rank %ld, as %s; give one of them",
				    files[part], parts->ranks[part], files[i]);
	}
	return 0;
}

int parts_read(struct parts *parts, struct view *whole, char *const *files,
	       unsigned int count, bool is_sum)
{
	const struct destination destination = {
		.file = whole->options.output,
		.fd = -1,
	};
	void *tree = NULL;
	int ret = 0;

	*parts = (struct parts){ .count = count, .exact = true };
	parts->names = calloc(count, sizeof(*parts->names));
	parts->ranks = calloc(count, sizeof(*parts->ranks));
	if (!parts->names || !parts->ranks)
		return no_memory();
	for (unsigned int i = 0; !ret && i < count; i++) {
		struct view view = { .options = whole->options };

		view.options.file = files[i];
		view.options.output = NULL;
		ret = view_open(&view);
		if (!ret)
			ret = add_view(parts, &tree, i, &view);
		if (!ret && is_sum)
			ret = check_rank(parts, i, files);
		if (view_close(&view, ret))
			ret = -1;
	}
	if (list_rows(parts, tree) || ret)
		return -1;
	if (is_sum)
		weigh_all(parts);
	return output_open(&whole->output, &destination);
}

void parts_free(struct parts *parts)
{
	for (unsigned int i = 0; i < parts->event_count; i++) {
		free(parts->events[i].name);
		free(parts->events[i].has);
		free(parts->events[i].samples);
		free(parts->events[i].periods);
	}
	for (size_t i = 0; i < parts->row_count; i++) {
		free(parts->rows[i].symbol);
		free(parts->rows[i].file);
		free(parts->rows[i].samples);
	}
	free(parts->rows);
	free(parts->names);
	free(parts->ranks);
}

static const struct parts *sorted;

/* Events by their names: that of the first file is not that of all orders. */
static int compare_rows(const void *one, const void *other)
{
	const struct parts_row *a = one, *b = other;
	int order = strcmp(sorted->events[a->event].name,
			   sorted->events[b->event].name);

	if (order)
		return order;
	if (a->order > b->order || a->order < b->order)
		return a->order > b->order ? -1 : 1;
	return compare_keys(a, b);
}

void parts_sort(struct parts *parts)
{
	sorted = parts;
	qsort(parts->rows, parts->row_count, sizeof(*parts->rows),
	      compare_rows);
}

int parts_own_words(int argc, char **argv,
		    int (*take)(int argc, char **argv, void *arg), void *arg)
{
	int left = 1;

	for (int i = 1; i < argc;) {
		int taken = take(argc - i, argv + i, arg);

		if (taken < 0)
			return -1;
		if (!taken)
			argv[left++] = argv[i++];
		i += taken;
	}
	argv[left] = NULL;
	return left;
}
