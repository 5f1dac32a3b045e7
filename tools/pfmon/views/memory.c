// SPDX-License-Identifier: GPL-2.0-only
/* Loads and stores, see memory.h. */
#include "views/memory.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "profile/read_places.h"
#include "report/plain.h"
#include "views/access.h"
#include "views/data_objects.h"

#define LINE_SIZE 64 /* of a cache, of all processors that sample accesses */
#define NAME_SIZE 1024

/* A line of the table. */
struct sum {
	char *name;
	uint64_t samples, loads, stores;
	uint64_t misses; /* loads with a latency; of AMD, that missed the first cache */
	uint64_t latency; /* cycles of these */
};

struct table {
	struct sum **rows;
	size_t count;
	void *by_name; /* a tree of search.h */
	struct sum all;
	uint64_t samples; /* with the ones that access no memory */
};

static const struct {
	enum memory_by by;
	const char *word, *title;
} kinds[] = {
	{ MEMORY_SOURCE, "source", "SOURCE" },
	{ MEMORY_FUNCTION, "symbol", "SYMBOL" },
	{ MEMORY_LINE, "line", "LINE" },
	{ MEMORY_DATA, "data", "DATA" },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

enum memory_by memory_by_word(const char *word)
{
	for (size_t i = 0; i < KINDS; i++)
		if (!strcmp(word, kinds[i].word))
			return kinds[i].by;
	return MEMORY_NONE;
}

static const char *title_of(enum memory_by by)
{
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].by == by)
			return kinds[i].title;
	return "";
}

static int compare_names(const void *one, const void *other)
{
	return strcmp(((const struct sum *)one)->name,
		      ((const struct sum *)other)->name);
}

/* Most samples first, then by name. */
static int compare_rows(const void *one, const void *other)
{
	const struct sum *a = *(struct sum *const *)one;
	const struct sum *b = *(struct sum *const *)other;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return compare_names(a, b);
}

static struct sum *add_row(struct table *table, const char *name)
{
	struct sum **grown = reallocarray(table->rows, table->count + 1,
					  sizeof(struct sum *));
	struct sum *sum = calloc(1, sizeof(*sum));

	if (grown)
		table->rows = grown;
	if (sum)
		sum->name = strdup(name);
	if (!grown || !sum || !sum->name ||
	    !tsearch(sum, &table->by_name, compare_names)) {
		free(sum ? sum->name : NULL);
		free(sum);
		return NULL;
	}
	table->rows[table->count++] = sum;
	return sum;
}

/* The line of this name. NULL after a message. */
static struct sum *row_of(struct table *table, const char *name)
{
	const struct sum key = { .name = (char *)(uintptr_t)name };
	struct sum **node = tfind(&key, &table->by_name, compare_names);
	struct sum *sum = node ? *node : add_row(table, name);

	if (!sum)
		diag("no memory for the report");
	return sum;
}

static void add(struct sum *sum, const struct access *access)
{
	sum->samples++;
	sum->loads += access->load;
	sum->stores += access->store;
	sum->misses += access->miss_latency != 0;
	sum->latency += access->miss_latency;
}

/* Which line a sample belongs to. */
static void name_sample(const struct view *view, enum memory_by by,
			const struct profile_sample *sample,
			const struct place *place, const struct access *access,
			char name[NAME_SIZE])
{
	const struct profile_memory *memory =
		profile_memory(&view->profile, sample);
	const uint64_t line = memory->address & ~(uint64_t)(LINE_SIZE - 1);
	char object[NAME_SIZE - 32];

	if (by == MEMORY_SOURCE) {
		strcpy(name, access_source_name(access->source));
	} else if (by == MEMORY_FUNCTION) {
		snprintf(name, NAME_SIZE, "%s  %s", place->function->name,
			 *place->function->file ? place->function->file : "-");
	} else if (!memory->has_address) {
		strcpy(name, "[address not known]");
	} else if (by == MEMORY_DATA) {
		data_object_name(view, sample, place, memory->address, false,
				 name, NAME_SIZE);
	} else {
		data_object_name(view, sample, place, line, true, object,
				 sizeof(object));
		snprintf(name, NAME_SIZE, "%" PRIx64 "  %s", line, object);
	}
}

static int take_sample(const struct view *view, struct table *table,
		       enum memory_by by, const struct profile_sample *sample,
		       const struct place *place)
{
	char name[NAME_SIZE];
	struct access access;
	struct sum *sum;

	table->samples++;
	if (!access_of(&view->profile, sample, &access))
		return 0;
	name_sample(view, by, sample, place, &access, name);
	sum = row_of(table, name);
	if (!sum)
		return -1;
	add(sum, &access);
	add(&table->all, &access);
	return 0;
}

static void print_row(const struct table *table, const struct sum *sum,
		      FILE *out)
{
	fprintf(out, "%10" PRIu64 " %7.2f %10" PRIu64 " %10" PRIu64,
		sum->samples,
		100.0 * (double)sum->samples / (double)table->all.samples,
		sum->loads, sum->stores);
	if (sum->misses)
		fprintf(out, " %9.1f  ",
			(double)sum->latency / (double)sum->misses);
	else
		fprintf(out, " %9s  ", "-");
	plain_write(sum->name, 0, out);
	fputc('\n', out);
}

static void print_table(const struct view *view, unsigned int event,
			const struct table *table, enum memory_by by)
{
	FILE *out = view->output.stream;

	fprintf(out,
		"# %s: %" PRIu64 " samples, %" PRIu64
		" of them of instructions that access memory\n",
		view->profile.events[event].name, table->samples,
		table->all.samples);
	fprintf(out, "%10s %7s %10s %10s %9s  %s\n", "SAMPLES", "SHARE%",
		"LOADS", "STORES", "LATENCY", title_of(by));
	qsort(table->rows, table->count, sizeof(struct sum *), compare_rows);
	for (size_t i = 0; i < table->count; i++)
		print_row(table, table->rows[i], out);
}

static void keep(void *sum)
{
	(void)sum;
}

static void free_table(struct table *table)
{
	tdestroy(table->by_name, keep);
	for (size_t i = 0; i < table->count; i++) {
		free(table->rows[i]->name);
		free(table->rows[i]);
	}
	free(table->rows);
}

static int print_all(struct view *view, struct table *tables, enum memory_by by)
{
	const struct profile_sample *sample;
	const struct place *place;
	bool first = true;
	int ret;

	while ((ret = view_next(view, &sample, &place)) > 0)
		if (take_sample(view, &tables[sample->event], by, sample,
				place))
			return -1;
	for (unsigned int i = 0; !ret && i < view->profile.event_count; i++) {
		if (!view->profile.events[i].precise)
			continue;
		if (!first)
			fputc('\n', view->output.stream);
		print_table(view, i, &tables[i], by);
		first = false;
	}
	if (!ret)
		view_tell_none(view);
	return ret;
}

int memory_report(struct view *view, enum memory_by by)
{
	unsigned int count = view->profile.event_count;
	struct table *tables;
	int ret;

	if (!view->profile.has_memory)
		return diag(
			"--mem: the samples have no accesses to memory; record them with -d");
	tables = calloc(count, sizeof(*tables));
	if (!tables)
		return diag("no memory for the report");
	ret = print_all(view, tables, by);
	for (unsigned int i = 0; i < count; i++)
		free_table(&tables[i]);
	free(tables);
	return ret;
}
