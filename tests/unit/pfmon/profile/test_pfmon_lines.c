// SPDX-License-Identifier: GPL-2.0-only
/* What DWARF tells of addresses: source lines, and functions that were inlined. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profiled.h"
#include "scratch_dir.h"
#include "symbols/elf_file.h"
#include "symbols/table.h"

static void count_name(const char *name, void *context)
{
	int *counts = context;

	counts[0] += !strcmp(name, "inner");
	counts[1] += !strcmp(name, "middle");
}

/* Inner in middle in outer: each address of inner is in both. */
static void functions_in_functions_are_told_from_the_inside(void **state)
{
	const struct symbol *outer = NULL;
	struct symbol_table table = { 0 };
	struct elf_file *elf;
	int counts[2] = { 0, 0 }, line, lines = 0;
	const char *source;
	char *path;

	(void)state;
	scratch_write(
		profiled_directory, "inlined.c",
		"#define INLINE static inline __attribute__((always_inline))\n"
		"INLINE int inner(int a) { return a * a + 7; }\n"
		"INLINE int middle(int a) { return inner(a) ^ 3; }\n"
		"int outer(int a) { return middle(a) / 5; }\n");
	profiled_shell(
		profiled_directory,
		"cc -g -O2 -shared -nostdlib -fPIC -o inlined inlined.c");
	assert_true(asprintf(&path, "%s/inlined", profiled_directory) > 0);
	elf = elf_file_open(path);
	assert_non_null(elf);
	assert_int_equal(elf_file_symbols(elf, &table), 0);
	assert_int_equal(table_finish(&table), 0);
	for (size_t i = 0; i < table.count; i++) {
		if (!strcmp(table.rows[i].name, "outer"))
			outer = &table.rows[i];
	}
	assert_non_null(outer);
	for (uint64_t i = 0; i < outer->size; i++) {
		elf_file_inlined(elf, outer->start + i, count_name, counts);
		if (elf_file_line(elf, outer->start + i, &source, &line))
			lines |= 1 << line;
	}
	assert_true(counts[0] > 0);
	assert_true(counts[1] >= counts[0]);
	assert_true(lines & 1 << 2 && lines & 1 << 4);
	table_free(&table);
	elf_file_close(elf);
	free(path);
}

/* What the function f of a library in the directory was written in. */
static void expect_source(const char *library, const char *expected)
{
	const struct symbol *f = NULL;
	struct symbol_table table = { 0 };
	struct elf_file *elf;
	const char *source, *again;
	char *path;
	int line;

	assert_true(asprintf(&path, "%s/%s", profiled_directory, library) > 0);
	elf = elf_file_open(path);
	assert_non_null(elf);
	assert_int_equal(elf_file_symbols(elf, &table), 0);
	assert_int_equal(table_finish(&table), 0);
	for (size_t i = 0; i < table.count; i++) {
		if (!strcmp(table.rows[i].name, "f"))
			f = &table.rows[i];
	}
	assert_non_null(f);
	assert_true(elf_file_line(elf, f->start, &source, &line));
	assert_true(elf_file_line(elf, f->start, &again, &line));
	assert_string_equal(source, expected);
	assert_string_equal(again, expected);
	assert_int_equal(line, 1);
	table_free(&table);
	elf_file_close(elf);
	free(path);
}

/*
 * Compiled by a path from where the compiler was: that alone is a file only there. If
 * the builder has hidden where that was, nothing more is known.
 */
static void sources_are_found_from_anywhere(void **state)
{
	char *expected;

	(void)state;
	profiled_shell(
		profiled_directory,
		"mkdir -p part && echo 'int f(void) { return 1; }' > part/f.c && "
		"cc -g -shared -nostdlib -fPIC -o told part/f.c && "
		"cc -g -shared -nostdlib -fPIC -fdebug-prefix-map=\"$PWD\"=. -o hidden part/f.c");
	assert_true(asprintf(&expected, "%s/part/f.c", profiled_directory) > 0);
	expect_source("told", expected);
	expect_source("hidden", "part/f.c");
	free(expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			functions_in_functions_are_told_from_the_inside),
		cmocka_unit_test(sources_are_found_from_anywhere),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
