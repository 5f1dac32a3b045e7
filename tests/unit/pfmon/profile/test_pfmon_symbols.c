// SPDX-License-Identifier: GPL-2.0-only
/* Which symbol an address has, and from where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "profile/read_places.h"
#include "profiled.h"
#include "samples.h"
#include "scratch_dir.h"
#include "symbols/address_maps.h"
#include "symbols/demangle.h"
#include "symbols/functions.h"

static void add(struct symbol_table *table, uint64_t start, uint64_t size,
		const char *name, enum symbol_binding binding)
{
	assert_int_equal(
		table_add(table,
			  &(struct symbol){ .start = start,
					    .size = size,
					    .limit = 0x9000,
					    .name = (char *)(uintptr_t)name,
					    .binding = binding }),
		0);
}

static void of_several_symbols_the_best_known_has_the_address(void **state)
{
	static const struct {
		uint64_t address;
		const char *name; /* NULL: none */
	} cases[] = {
		{ 0x0fff, NULL },	   { 0x1000, "global" },
		{ 0x100f, "global" },	   { 0x1010, "wide" },
		{ 0x10ff, "wide" },	   { 0x1100, NULL },
		{ 0x2000, "weak" },	   { 0x3000, "aa" },
		{ 0x3008, "long" },	   { 0x4000, "to_the_next" },
		{ 0x4fff, "to_the_next" }, { 0x5000, "to_the_end" },
		{ 0x8fff, "to_the_end" },  { 0x9000, NULL },
	};
	struct symbol_table table = { 0 };

	(void)state;
	add(&table, 0x1000, 0x100, "wide", BINDING_GLOBAL);
	add(&table, 0x1000, 0x10, "global", BINDING_GLOBAL);
	add(&table, 0x1000, 0x8, "local", BINDING_LOCAL);
	add(&table, 0x2000, 0x8, "local2", BINDING_LOCAL);
	add(&table, 0x2000, 0x10, "weak", BINDING_WEAK);
	add(&table, 0x3000, 0x10, "long", BINDING_LOCAL);
	add(&table, 0x3000, 0x8, "ab", BINDING_LOCAL);
	add(&table, 0x3000, 0x8, "aa", BINDING_LOCAL);
	add(&table, 0x4000, 0, "to_the_next", BINDING_LOCAL);
	add(&table, 0x5000, 0, "to_the_end", BINDING_LOCAL);
	assert_int_equal(table_finish(&table), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct symbol *found =
			table_find(&table, cases[i].address);

		if (!cases[i].name)
			assert_null(found);
		else
			assert_string_equal(found ? found->name : "none",
					    cases[i].name);
	}
	table_free(&table);
}

static void a_table_without_symbols_has_none(void **state)
{
	struct symbol_table table = { 0 };

	(void)state;
	assert_int_equal(table_finish(&table), 0);
	assert_null(table_find(&table, 0));
	table_free(&table);
}

static void write_one(const char *program, const uint8_t *build_id, uint64_t ip)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", profiled_directory, program) > 0);
	profiled_write_ips(profiled_directory, path, build_id,
			   (const uint64_t[]){ ip, 0 });
	free(path);
}

static void symbols_are_those_of_the_file_that_was_mapped(void **state)
{
	const struct image_options options = { 0 };
	uint8_t build_id[PFMD_BUILD_ID_SIZE];

	(void)state;
	profiled_build_id(profiled_directory, build_id);
	write_one("prof", build_id, PROFILED_FB + 1);
	assert_string_equal(profiled_name(&options), "fb");
	/* No symbol covers it; nothing was mapped there. */
	write_one("prof", build_id, PROFILED_FB + 0x38);
	assert_string_equal(profiled_name(&options), "[prof+0x1078]");
	write_one("prof", build_id, 0x666000);
	assert_string_equal(profiled_name(&options), "[unknown 0x666000]");
	write_one("prof", NULL, PROFILED_FC);
	assert_string_equal(profiled_name(&options), "fc");
	build_id[3] ^= 1;
	write_one("prof", build_id, PROFILED_FB);
	assert_string_equal(profiled_name(&options), "[prof+0x1040 changed]");
	write_one("gone", NULL, PROFILED_FB);
	assert_string_equal(profiled_name(&options), "[gone+0x1040]");
}

static void what_is_stripped_has_the_symbols_of_its_debug_file(void **state)
{
	const struct image_options options = { 0 };
	struct image_options named = { 0 };
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	char *path;

	(void)state;
	profiled_build_id(profiled_directory, build_id);
	profiled_shell(profiled_directory,
		       "objcopy --only-keep-debug prof lean.debug && "
		       "objcopy -S prof bare && "
		       "objcopy -S --add-gnu-debuglink=lean.debug prof lean");
	write_one("bare", build_id, PROFILED_FA + 1);
	assert_string_equal(profiled_name(&options), "[bare+0x1001]");
	write_one("lean", build_id, PROFILED_FA + 1);
	assert_string_equal(profiled_name(&options), "fa");
	/* By its build-id, whatever it is called. */
	assert_true(asprintf(&path, "%s/prof", profiled_directory) > 0);
	named.symbol_file = path;
	write_one("bare", build_id, PROFILED_FA + 1);
	assert_string_equal(profiled_name(&named), "fa");
	free(path);
}

static void another_directory_stands_for_the_root(void **state)
{
	struct image_options options = { 0 };
	char *root;

	(void)state;
	assert_true(asprintf(&root, "%s/root", profiled_directory) > 0);
	profiled_shell(profiled_directory,
		       "mkdir -p root$(pwd) && cp prof root$(pwd)/moved");
	options.symfs = root;
	write_one("moved", NULL, PROFILED_FA);
	assert_string_equal(profiled_name(&options), "fa");
	free(root);
}

static void a_file_that_is_gone_has_the_symbols_that_were_recorded(void **state)
{
	static const struct pfmd_symbol rows[] = { { 0x1000, 8, 0 } };
	const struct image_options options = { 0 };
	struct functions_options plain = { 0 };
	struct writer writer;
	struct profile profile;
	struct images *images;
	struct functions *functions;
	size_t size;
	char *bytes;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	samples_map(&writer, 0, 5, 0x7000, 0x1000, 0x1000, "/gone", NULL);
	samples_symbols(&writer, "/gone", NULL, rows, 1, "_ZN1aC1Ev", 10);
	samples_add(&writer,
		    &(struct samples_of){
			    .tgid = 5,
			    .tid = 5,
			    .ips = (const uint64_t[]){ 0x7007, 0x7008, 0 } });
	samples_end(&writer);
	bytes = samples_bytes(&writer, &size);
	assert_int_equal(profile_read_stream(&profile,
					     samples_stream(bytes, size), "f"),
			 0);
	images = images_new(&profile, &options);
	functions = functions_new(&profile, images, &plain);
	assert_string_equal(
		functions_at(functions, &profile.samples[0])->function->name,
		"a::a()");
	assert_string_equal(
		functions_at(functions, &profile.samples[1])->function->name,
		"[gone+0x1008]");
	functions_free(functions);
	images_free(images);
	profile_free(&profile);
	free(bytes);
}

static void lists_of_addresses_are_believed_if_their_owner_is(void **state)
{
	struct symbol_table table = { 0 };
	char *path;

	(void)state;
	scratch_write(
		profiled_directory, "perf-7.map",
		"1000 20 one two\nnonsense\n2000 0 empty\n3000 10 three\n");
	assert_true(asprintf(&path, "%s/perf-7.map", profiled_directory) > 0);
	assert_int_equal(address_maps_program(path, getuid() + 1, &table), 0);
	assert_int_equal(table.count, 0);
	assert_int_equal(address_maps_program(path, getuid(), &table), 0);
	assert_int_equal(table_finish(&table), 0);
	assert_int_equal(table.count, 2);
	assert_string_equal(table_find(&table, 0x101f)->name, "one two");
	table_free(&table);
	free(path);
}

static void the_kernel_hides_its_addresses_or_has_functions(void **state)
{
	struct symbol_table table = { 0 };
	char *path;

	(void)state;
	scratch_write(profiled_directory, "kallsyms",
		      "0000000000000000 T hidden\n"
		      "ffffffff81000000 T start\n"
		      "ffffffff81000100 t inner\t[mod]\n"
		      "ffffffff81000200 D data\n");
	assert_true(asprintf(&path, "%s/kallsyms", profiled_directory) > 0);
	assert_int_equal(address_maps_kernel(path, &table), 0);
	assert_int_equal(table_finish(&table), 0);
	assert_int_equal(table.count, 2);
	assert_string_equal(table_find(&table, 0xffffffff810000ff)->name,
			    "start");
	assert_string_equal(table_find(&table, 0xffffffff81000100)->name,
			    "inner");
	table_free(&table);
	free(path);
}

static void names_are_shown_as_they_were_written(void **state)
{
	static const struct {
		const char *name, *shown;
	} cases[] = {
		{ "main", "main" },
		{ "_Z1fi", "f(int)" },
		{ "_Znonsense", "_Znonsense" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE",
		  "core::fmt::write" },
		{ "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo.."
		  "Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE",
		  "<Test + 'static as foo::Bar<Test>>::bar" },
		{ "_RNvC6_123foo3bar", "123foo::bar" },
		{ "_RNvC3foo10a_long_nam", "foo::a_long_nam" },
		{ "_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_",
		  "cc::spawn::{closure#0}::{closure#0}" },
		{ "_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBo"
		  "xuEp6OutputuEL_ECs1iopQbuBiw2_3std",
		  "alloc::alloc::box_free::<dyn alloc::boxed::FnBox<()><Output = ()>>" },
		{ "_RNvMC0INtC8arrayvec8ArrayVecpKj7b_E3new",
		  "<arrayvec::ArrayVec<_, 123>>::new" },
		{ "_RNvNtC3foo", "_RNvNtC3foo" },
		{ "_RB_", "_RB_" },
		{ "_R", "_R" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *shown = demangle(cases[i].name);

		assert_string_equal(shown, cases[i].shown);
		free(shown);
	}
}

/* Whatever a file has for a name, reading it ends. */
static void names_that_nobody_would_write_do_no_harm(void **state)
{
	static const char letters[] = "_RNvCsMXYIBEKTRQPOFDGLASup0123456789ae";

	(void)state;
	srandom(1);
	for (int round = 0; round < 50000; round++) {
		char name[64] = "_R";
		size_t length = 2 + (size_t)random() % 40;

		for (size_t i = 2; i < length; i++)
			name[i] = letters[(size_t)random() %
					  (sizeof(letters) - 1)];
		name[length] = '\0';
		free(demangle(name));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			of_several_symbols_the_best_known_has_the_address),
		cmocka_unit_test(a_table_without_symbols_has_none),
		cmocka_unit_test(symbols_are_those_of_the_file_that_was_mapped),
		cmocka_unit_test(
			what_is_stripped_has_the_symbols_of_its_debug_file),
		cmocka_unit_test(another_directory_stands_for_the_root),
		cmocka_unit_test(
			a_file_that_is_gone_has_the_symbols_that_were_recorded),
		cmocka_unit_test(
			lists_of_addresses_are_believed_if_their_owner_is),
		cmocka_unit_test(
			the_kernel_hides_its_addresses_or_has_functions),
		cmocka_unit_test(names_are_shown_as_they_were_written),
		cmocka_unit_test(names_that_nobody_would_write_do_no_harm),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
