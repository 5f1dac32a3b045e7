// SPDX-License-Identifier: GPL-2.0-only
/* Samples of functions of C++ and Rust, and of those that were inlined there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "profiled.h"
#include "samples.h"
#include "scratch_dir.h"
#include "symbols/elf_file.h"
#include "symbols/table.h"
#include "views/verbs.h"

/* box<int>::twice() is a part of outer(); the names of the others are of Rust. */
static const char source[] =
	"namespace app {\n"
	"template <typename T> struct box {\n"
	"	__attribute__((always_inline)) T twice(T a) { return a * a + 7; }\n"
	"};\n"
	"int outer(int a) { return box<int>().twice(a) / 5; }\n"
	"}\n"
	"int v0(int a) asm(\"_RNvC6_123foo3bar\");\n"
	"int v0(int a) { return a ^ 3; }\n"
	"int legacy(int a) asm(\"_ZN4core3fmt5write17h0123456789abcdefE\");\n"
	"int legacy(int a) { return a ^ 5; }\n";

#define TWICE "_ZN3app3boxIiE5twiceEi"
#define BASE 0x7f0000000000ULL

static struct elf_file *elf;
static struct symbol_table table;

static int set_up(void **state)
{
	char *path;

	profiled_set_up(state);
	scratch_write(profiled_directory, "app.cc", source);
	profiled_shell(
		profiled_directory,
		"g++ -g -O2 -shared -nostdlib -fPIC -Wl,--build-id=none -o app app.cc");
	assert_true(asprintf(&path, "%s/app", profiled_directory) > 0);
	elf = elf_file_open(path);
	assert_non_null(elf);
	assert_int_equal(elf_file_symbols(elf, &table), 0);
	assert_int_equal(table_finish(&table), 0);
	free(path);
	return 0;
}

static int tear_down(void **state)
{
	table_free(&table);
	elf_file_close(elf);
	return profiled_tear_down(state);
}

static const struct symbol *symbol_of(const char *name)
{
	for (size_t i = 0; i < table.count; i++) {
		if (!strcmp(table.rows[i].name, name))
			return &table.rows[i];
	}
	fail_msg("no symbol %s", name);
	return NULL;
}

static void is_twice(const char *name, void *context)
{
	*(bool *)context |= !strcmp(name, TWICE);
}

/* Where outer() has the code of twice(). */
static uint64_t place_of_twice(void)
{
	const struct symbol *outer = symbol_of("_ZN3app5outerEi");

	for (uint64_t i = 0; i < outer->size; i++) {
		bool found = false;

		elf_file_inlined(elf, outer->start + i, is_twice, &found);
		if (found)
			return outer->start + i;
	}
	fail_msg("nothing was inlined");
	return 0;
}

/* Three samples of twice(), two of v0() and one of legacy(). */
static void write_samples(void)
{
	const uint64_t twice = BASE + place_of_twice(),
		       v0 = BASE + symbol_of("_RNvC6_123foo3bar")->start,
		       legacy =
			       BASE +
			       symbol_of(
				       "_ZN4core3fmt5write17h0123456789abcdefE")
				       ->start;
	const uint64_t ips[] = { twice, twice, twice, v0, v0, legacy, 0 };
	struct writer writer;
	char *path;

	assert_true(asprintf(&path, "%s/app", profiled_directory) > 0);
	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 1, PFMD_EXEC, 71, 71, 0, "app");
	samples_map(&writer, 2, 71, BASE, 0x10000, 0, path, NULL);
	samples_add(&writer,
		    &(struct samples_of){
			    .tgid = 71, .tid = 71, .time = 5, .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	free(path);
}

/* Each text is in what the verb writes with the words. */
static void functions_have_the_names_that_people_gave_them(void **state)
{
	static const struct {
		int (*verb)(int argc, char **argv);
		const char *words[3], *texts[3];
	} cases[] = {
		{ verb_report,
		  { NULL },
		  { "  app::outer(int)  ", "  123foo::bar  ",
		    "  core::fmt::write  " } },
		{ verb_report,
		  { "--inline" },
		  { "  app::box<int>::twice(int) (inlined)  ",
		    "  123foo::bar  ", "  core::fmt::write  " } },
		{ verb_report,
		  { "--no-demangle" },
		  { "  _ZN3app5outerEi  ", "  _RNvC6_123foo3bar  ",
		    "  _ZN4core3fmt5write17h0123456789abcdefE  " } },
		{ verb_report,
		  { "--inline", "--no-demangle" },
		  { "  " TWICE " (inlined)  ", "  _RNvC6_123foo3bar  " } },
		{ verb_export,
		  { "folded" },
		  { "app;app::outer(int) 3\n", "app;123foo::bar 2\n",
		    "app;core::fmt::write 1\n" } },
		{ verb_export,
		  { "folded", "--inline" },
		  { "app::box<int>::twice(int) (inlined) 3\n" } },
		{ verb_annotate,
		  { "app::outer(int)" },
		  { "# app::outer(int) in ", "app.cc:3 " } },
		{ verb_script, { NULL }, { " app::outer(int)+0x" } },
	};

	(void)state;
	write_samples();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = profiled_run(profiled_directory, cases[i].verb,
					  cases[i].words, NULL);

		for (int n = 0; n < 3 && cases[i].texts[n]; n++) {
			if (!strstr(text, cases[i].texts[n]))
				fail_msg("case %zu: '%s' is not in:\n%s", i,
					 cases[i].texts[n], text);
		}
		free(text);
	}
}

/* One is in another: its samples are its own, and no longer those of the other. */
static void what_was_inlined_takes_samples_away(void **state)
{
	const char *const words[] = { "--inline", NULL };
	char *text;

	(void)state;
	write_samples();
	text = profiled_run(profiled_directory, verb_report, words, NULL);
	assert_non_null(strstr(
		text, "\n         3   50.00    9.86-90.14   50.00  app::box"));
	assert_null(strstr(text, "app::outer"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			functions_have_the_names_that_people_gave_them),
		cmocka_unit_test(what_was_inlined_takes_samples_away),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
