/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols of one file or address space, and which of them an address belongs to. */
#ifndef PFMON_SYMBOL_TABLE_H
#define PFMON_SYMBOL_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum symbol_binding {
	BINDING_GLOBAL, /* the first wins where several cover an address */
	BINDING_WEAK,
	BINDING_LOCAL,
};

struct symbol {
	uint64_t start;
	uint64_t size; /* 0 before table_finish(): up to the next one */
	uint64_t limit; /* end of its section, which it does not leave */
	char *name; /* as in the file */
	enum symbol_binding binding;
};

/* Zeros are an empty one. */
struct symbol_table {
	struct symbol *rows;
	size_t count, capacity;
	uint64_t *reach; /* the greatest end of a row and of those before it */
};

/* Adds a copy. 0, or -1 without memory. */
int table_add(struct symbol_table *table, const struct symbol *symbol);

/* Puts what was added in order. 0, or -1 without memory. */
int table_finish(struct symbol_table *table);

/* The symbol that covers the address; NULL: none. */
const struct symbol *table_find(const struct symbol_table *table,
				uint64_t address);

void table_free(struct symbol_table *table);

#endif /* PFMON_SYMBOL_TABLE_H */
