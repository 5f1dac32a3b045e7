// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon export callgrind: what kcachegrind and callgrind_annotate read. Costs are
 * samples of each event, by address and, where DWARF tells, by source line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "export/formats.h"
#include "views/rows.h"

/* All of one event; rows of places in the order of files and functions. */
struct cost {
	const struct row *row;
	unsigned int column;
};

static int compare(const void *one, const void *other)
{
	const struct cost *a = one, *b = other;
	const struct function *f = a->row->function, *g = b->row->function;
	int names = strcmp(f->file, g->file);

	if (!names)
		names = strcmp(f->name, g->name);
	if (names)
		return names;
	if (f->index != g->index)
		return f->index < g->index ? -1 : 1;
	if (a->row->place->place != b->row->place->place)
		return a->row->place->place < b->row->place->place ? -1 : 1;
	return a->column < b->column ? -1 : a->column > b->column;
}

static void print_name(const char *key, const char *name, FILE *out)
{
	fprintf(out, "%s=", key);
	for (; *name; name++)
		fputc(*name == '\n' ? ' ' : *name, out);
	fputc('\n', out);
}

/* Where a function is written, as far as it is known. */
static const char *source_of(const struct place *place, int *line)
{
	const char *source;

	*line = 0;
	if (place->image && place->image->elf &&
	    elf_file_line(place->image->elf, place->place, &source, line))
		return source;
	*line = 0;
	return "???";
}

static void print_cost(const struct cost *cost, const struct function **last,
		       const char **last_source, FILE *out)
{
	const struct place *place = cost->row->place;
	const struct function *function = cost->row->function;
	const char *source;
	int line;

	source = source_of(place, &line);
	if (function != *last) {
		if (!*last || strcmp(function->file, (*last)->file) != 0)
			print_name("ob",
				   *function->file ? function->file : "???",
				   out);
		print_name("fl", source, out);
		print_name("fn", function->name, out);
		*last_source = source;
	} else if (strcmp(source, *last_source) != 0) {
		/* A part of it that was written elsewhere. */
		print_name("fi", source, out);
		*last_source = source;
	}
	*last = function;
	fprintf(out, "0x%" PRIx64 " %d", place->place, line);
	for (unsigned int i = 0; i < cost->column; i++)
		fputs(" 0", out);
	fprintf(out, " %" PRIu64 "\n", cost->row->samples);
}

static void print_header(const struct view *view, const struct rows *sums)
{
	FILE *out = view->output.stream;

	fputs("# callgrind format\nversion: 1\ncreator: pfmon " PFMON_VERSION
	      "\npositions: instr line\n",
	      out);
	for (unsigned int i = 0; i < view->profile.event_count; i++) {
		if (sums[i].samples)
			fprintf(out, "event: E%u : samples of %s\n", i,
				view->profile.events[i].name);
	}
	fputs("events:", out);
	for (unsigned int i = 0; i < view->profile.event_count; i++) {
		if (sums[i].samples)
			fprintf(out, " E%u", i);
	}
	fputs("\nsummary:", out);
	for (unsigned int i = 0; i < view->profile.event_count; i++) {
		if (sums[i].samples)
			fprintf(out, " %" PRIu64, sums[i].samples);
	}
	fputs("\n\n", out);
}

static int print_all(const struct view *view, const struct rows *sums)
{
	const struct function *last = NULL;
	const char *last_source = "";
	unsigned int columns = 0;
	struct cost *costs;
	size_t count = 0;

	for (unsigned int i = 0; i < view->profile.event_count; i++)
		count += sums[i].count;
	costs = calloc(count + 1, sizeof(*costs));
	if (!costs)
		return diag("no memory for the costs");
	count = 0;
	for (unsigned int i = 0; i < view->profile.event_count; i++) {
		for (size_t n = 0; n < sums[i].count; n++)
			costs[count++] =
				(struct cost){ &sums[i].rows[n], columns };
		columns += sums[i].samples != 0;
	}
	qsort(costs, count, sizeof(*costs), compare);
	print_header(view, sums);
	for (size_t i = 0; i < count; i++)
		print_cost(&costs[i], &last, &last_source, view->output.stream);
	free(costs);
	return 0;
}

int export_callgrind(struct view *view)
{
	struct rows *sums = calloc(view->profile.event_count, sizeof(*sums));
	int ret = sums ? 0 : diag("no memory for the costs");

	for (unsigned int i = 0; !ret && i < view->profile.event_count; i++)
		ret = rows_sum(&sums[i], view, i, ROWS_PLACE);
	if (!ret)
		ret = print_all(view, sums);
	for (unsigned int i = 0; sums && i < view->profile.event_count; i++)
		rows_free(&sums[i]);
	free(sums);
	return ret;
}
