// SPDX-License-Identifier: GPL-2.0-only
/* Symbols by address, see table.h. */
#include "symbols/table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int table_add(struct symbol_table *table, const struct symbol *symbol)
{
	char *name;

	if (table->count == table->capacity) {
		size_t capacity = table->capacity ? 2 * table->capacity : 64;
		struct symbol *more =
			reallocarray(table->rows, capacity, sizeof(*more));

		if (!more)
			return -1;
		table->rows = more;
		table->capacity = capacity;
	}
	name = strdup(symbol->name);
	if (!name)
		return -1;
	table->rows[table->count] = *symbol;
	table->rows[table->count++].name = name;
	return 0;
}

static int by_start(const void *one, const void *other)
{
	const struct symbol *a = one, *b = other;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Those without a size end where the next one begins, or their section ends. */
static void complete_sizes(struct symbol_table *table)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = table->count; i--;) {
		struct symbol *row = &table->rows[i];

		if (i + 1 < table->count && row[1].start > row->start)
			next = row[1].start;
		if (!row->size && next > row->start)
			row->size = (next < row->limit ? next : row->limit) -
				    row->start;
		if (row->size > UINT64_MAX - row->start)
			row->size = UINT64_MAX - row->start;
	}
}

int table_finish(struct symbol_table *table)
{
	uint64_t reach = 0;

	if (!table->count)
		return 0;
	table->reach = calloc(table->count, sizeof(*table->reach));
	if (!table->reach)
		return -1;
	qsort(table->rows, table->count, sizeof(*table->rows), by_start);
	complete_sizes(table);
	for (size_t i = 0; i < table->count; i++) {
		const struct symbol *row = &table->rows[i];

		if (row->start + row->size > reach)
			reach = row->start + row->size;
		table->reach[i] = reach;
	}
	return 0;
}

/* The first of the rows that begin behind the address. */
static size_t first_behind(const struct symbol_table *table, uint64_t address)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->rows[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_better(const struct symbol *a, const struct symbol *b)
{
	if (!b)
		return true;
	if (a->binding != b->binding)
		return a->binding < b->binding;
	if (a->size != b->size)
		return a->size < b->size;
	return strcmp(a->name, b->name) < 0;
}

const struct symbol *table_find(const struct symbol_table *table,
				uint64_t address)
{
	const struct symbol *best = NULL;

	if (!table->reach)
		return NULL;
	for (size_t i = first_behind(table, address);
	     i && table->reach[i - 1] > address; i--) {
		const struct symbol *row = &table->rows[i - 1];

		if (address - row->start < row->size && is_better(row, best))
			best = row;
	}
	return best;
}

void table_free(struct symbol_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->rows[i].name);
	free(table->rows);
	free(table->reach);
	*table = (struct symbol_table){ 0 };
}
