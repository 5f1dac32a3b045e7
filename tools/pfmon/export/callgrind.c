// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon export callgrind: what kcachegrind and callgrind_annotate read. Costs are
 * samples of each event, by address and, where DWARF tells, by source line.
 *
 * With call chains calls follow the costs of their function. What readers take for the
 * inclusive cost of a function is the sum of its calls: so a sample is in one of them
 * for each function, and what is the outermost function is called as well.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "export/formats.h"
#include "views/calls.h"
#include "views/rows.h"

#define UNKNOWN "???"

/* A line of one event; those of a function follow one another. */
struct cost {
	const struct function *function; /* NULL: who calls the outermost */
	const struct function *callee; /* NULL: its own cost */
	const struct place *place; /* NULL: of the outermost */
	unsigned int column;
	uint64_t samples;
};

struct costs {
	struct cost *rows;
	size_t count;
};

static int compare_functions(const struct function *f, const struct function *g)
{
	int names;

	if (f == g)
		return 0;
	if (!f || !g)
		return f ? 1 : -1;
	names = strcmp(f->file, g->file);
	if (!names)
		names = strcmp(f->name, g->name);
	if (names)
		return names;
	return f->index < g->index ? -1 : 1;
}

static int compare(const void *one, const void *other)
{
	const struct cost *a = one, *b = other;
	int functions = compare_functions(a->function, b->function);

	if (functions)
		return functions;
	if (!a->callee != !b->callee)
		return a->callee ? 1 : -1;
	if (a->place != b->place)
		return a->place->place < b->place->place ? -1 : 1;
	functions = compare_functions(a->callee, b->callee);
	if (functions)
		return functions;
	return a->column < b->column ? -1 : a->column > b->column;
}

static void print_name(const char *key, const char *name, FILE *out)
{
	fprintf(out, "%s=", key);
	for (; *name; name++)
		fputc(*name == '\n' ? ' ' : *name, out);
	fputc('\n', out);
}

/* Where something is written, as far as it is known. */
static const char *source_at(const struct image *image, uint64_t place,
			     int *line)
{
	const char *source;

	if (image && image->elf &&
	    elf_file_line(image->elf, place, &source, line))
		return source;
	*line = 0;
	return UNKNOWN;
}

static const char *object_of(const struct function *function)
{
	return function && *function->file ? function->file : UNKNOWN;
}

/* As a caller and as a callee it has the same source: that of its begin. */
static const char *source_of(const struct function *function, int *line)
{
	*line = 0;
	return function ? source_at(function->image, function->start, line) :
			  UNKNOWN;
}

static void print_function(const struct cost *cost, const struct cost *last,
			   const char **source, FILE *out)
{
	int line;

	*source = source_of(cost->function, &line);
	if (!last ||
	    strcmp(object_of(cost->function), object_of(last->function)) != 0)
		print_name("ob", object_of(cost->function), out);
	print_name("fl", *source, out);
	print_name("fn", cost->function ? cost->function->name : CALLS_ROOT,
		   out);
}

/* How often is not known: the samples stand for it. */
static void print_callee(const struct cost *cost, FILE *out)
{
	const struct function *callee = cost->callee;
	int line;
	const char *source = source_of(callee, &line);

	print_name("cob", object_of(callee), out);
	print_name("cfi", source, out);
	print_name("cfn", callee->name, out);
	fprintf(out, "calls=%" PRIu64 " 0x%" PRIx64 " %d\n", cost->samples,
		callee->start, line);
}

static void print_cost(const struct cost *cost, const struct cost *last,
		       const char **last_source, FILE *out)
{
	const struct place *place = cost->place;
	const char *source = UNKNOWN;
	int line = 0;

	if (!last || cost->function != last->function)
		print_function(cost, last, last_source, out);
	if (place)
		source = source_at(place->image, place->place, &line);
	if (strcmp(source, *last_source) != 0) {
		/* A part of it that was written elsewhere. */
		print_name("fi", source, out);
		*last_source = source;
	}
	if (cost->callee)
		print_callee(cost, out);
	fprintf(out, "0x%" PRIx64 " %d", place ? place->place : 0, line);
	for (unsigned int i = 0; i < cost->column; i++)
		fputs(" 0", out);
	fprintf(out, " %" PRIu64 "\n", cost->samples);
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

/* Which of the columns an event has: those without samples have none. */
static unsigned int column_of(const struct rows *sums, unsigned int event)
{
	unsigned int column = 0;

	for (unsigned int i = 0; i < event; i++)
		column += sums[i].samples != 0;
	return column;
}

static void fill_own(struct costs *costs, const struct rows *rows,
		     unsigned int column)
{
	for (size_t i = 0; i < rows->count; i++)
		costs->rows[costs->count++] = (struct cost){
			.function = rows->rows[i].function,
			.place = rows->rows[i].place,
			.column = column,
			.samples = rows->rows[i].samples,
		};
}

static void fill_calls(struct costs *costs, const struct calls *calls,
		       const struct rows *sums)
{
	for (size_t i = 0; i < calls->count; i++)
		costs->rows[costs->count++] = (struct cost){
			.function = calls->rows[i].caller,
			.callee = calls->rows[i].callee,
			.place = calls->rows[i].site,
			.column = column_of(sums, calls->rows[i].event),
			.samples = calls->rows[i].samples,
		};
}

static int print_all(const struct view *view, const struct rows *sums,
		     const struct calls *calls)
{
	const struct cost *last = NULL;
	const char *last_source = "";
	struct costs costs = { 0 };
	size_t room = calls->count + 1;

	for (unsigned int i = 0; i < view->profile.event_count; i++)
		room += sums[i].count;
	costs.rows = calloc(room, sizeof(*costs.rows));
	if (!costs.rows)
		return diag("no memory for the costs");
	for (unsigned int i = 0; i < view->profile.event_count; i++)
		fill_own(&costs, &sums[i], column_of(sums, i));
	fill_calls(&costs, calls, sums);
	qsort(costs.rows, costs.count, sizeof(*costs.rows), compare);
	print_header(view, sums);
	for (size_t i = 0; i < costs.count; last = &costs.rows[i++])
		print_cost(&costs.rows[i], last, &last_source,
			   view->output.stream);
	free(costs.rows);
	return 0;
}

int export_callgrind(struct view *view)
{
	struct rows *sums = rows_sum(view, ROWS_PLACE);
	struct calls calls = { 0 };
	bool chains = false;
	int ret = sums ? 0 : -1;

	for (unsigned int i = 0; sums && i < view->profile.event_count; i++)
		chains |= sums[i].chains;
	if (chains)
		ret = calls_sum(&calls, view, CALLS_SITES);
	if (!ret)
		ret = print_all(view, sums, &calls);
	calls_free(&calls);
	rows_free(sums, view);
	return ret;
}
