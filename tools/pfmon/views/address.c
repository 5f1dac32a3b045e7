// SPDX-License-Identifier: GPL-2.0-only
/*
 * The address of a function: pfmon executes this for --start, with a file and a name.
 * The address is that of the file's program headers.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "symbols/demangle.h"
#include "symbols/elf_file.h"
#include "views/verbs.h"

struct search {
	const char *name;
	const struct symbol *found;
	unsigned int places; /* where one with this name and binding begins */
};

/* As in the symbols, or as in the source, with or without its arguments. */
static bool is_called(const struct symbol *symbol, const char *name)
{
	char *plain;
	bool is;

	if (!strcmp(symbol->name, name))
		return true;
	plain = demangle(symbol->name);
	is = plain && demangled_is(plain, name);
	free(plain);
	return is;
}

static bool is_local(const struct symbol *symbol)
{
	return symbol->binding == BINDING_LOCAL;
}

/* Names that other files know come before those that several files may have. */
static void consider(struct search *search, const struct symbol *symbol)
{
	const struct symbol *found = search->found;

	if (!is_called(symbol, search->name))
		return;
	if (!found || (is_local(found) && !is_local(symbol))) {
		search->found = symbol;
		search->places = 1;
	} else if (is_local(found) == is_local(symbol) &&
		   symbol->start != found->start) {
		search->places++;
	}
}

static int print_address(struct elf_file *file, const struct search *search)
{
	uint64_t address;

	if (!search->found)
		return diag(
			"--start=%s: the program has no such function; is it stripped?",
			search->name);
	if (search->places > 1)
		return diag(
			"--start=%s: the program has %u functions of this name",
			search->name, search->places);
	if (!elf_file_address(file, search->found->start, &address))
		return diag("--start=%s: it is not loaded with the program",
			    search->name);
	printf("%" PRIx64 "\n", address);
	return 0;
}

static int find(struct elf_file *file, const char *name)
{
	struct search search = { .name = name };
	struct symbol_table table = { 0 };
	int ret;

	if (elf_file_symbols(file, &table) || table_finish(&table)) {
		ret = diag("--start=%s: no memory for the symbols", name);
	} else {
		for (size_t i = 0; i < table.count; i++)
			consider(&search, &table.rows[i]);
		ret = print_address(file, &search);
	}
	table_free(&table);
	return ret;
}

int verb_address(int argc, char **argv)
{
	struct elf_file *file;
	int ret;

	if (argc != 3)
		return STATUS_FAILED;
	file = elf_file_open(argv[1]);
	if (!file) {
		diag("--start=%s: the symbols of the program cannot be read",
		     argv[2]);
		return STATUS_FAILED;
	}
	ret = find(file, argv[2]);
	elf_file_close(file);
	return ret ? STATUS_FAILED : 0;
}
