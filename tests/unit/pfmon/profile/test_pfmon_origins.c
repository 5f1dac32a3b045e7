// SPDX-License-Identifier: GPL-2.0-only
/* Where symbols are found that are not in the program: debug files, lists, the vdso. */
#include <dlfcn.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "profiled.h"
#include "samples.h"
#include "scratch_dir.h"
#include "symbols/elf_file.h"

/* pfmon.data has a sample at an address of a mapping, which begins at an offset. */
static void write_mapped(const char *path, uint64_t begin, uint64_t offset,
			 const uint8_t *build_id, uint64_t ip)
{
	const uint64_t ips[] = { ip, 0 };
	struct writer writer;

	samples_begin(&writer, SAMPLES_META);
	samples_map(&writer, 2, 71, begin, 0x10000, offset, path, build_id);
	samples_add(&writer,
		    &(struct samples_of){
			    .tgid = 71, .tid = 71, .time = 5, .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
}

/*
 * Programs without a .symtab, each below root/ of the directory: what its shell makes
 * there, in a directory of its own, is all that is left of them.
 */
static void what_is_stripped_is_named_by_what_was_kept_elsewhere(void **state)
{
	static const char by_id[] =
		"id=$(readelf -n ../prof | sed -n 's/.*Build ID: //p') && "
		"to=usr/lib/debug/.build-id/${id%${id#??}} && mkdir -p $to && "
		"objcopy --only-keep-debug ../prof $to/${id#??}.debug";
	static const struct {
		const char *program, *commands[2], *name;
	} cases[] = {
		{ "alone", { "objcopy -S ../prof alone" }, "[alone+0x1001]" },
		{ "by_id", { by_id, "objcopy -S ../prof by_id" }, "fa" },
		/* The program is on another machine. */
		{ "far", { by_id }, "fa" },
		{ "linked",
		  { "mkdir .debug && objcopy --only-keep-debug ../prof .debug/kept",
		    "cp .debug/kept . && objcopy -S --add-gnu-debuglink=kept "
		    "../prof linked && rm kept" },
		  "fa" },
		/* As distributions have it: the symbols alone, compressed. */
		{ "mini",
		  { "objcopy --only-keep-debug ../prof kept && strip -g kept && xz kept",
		    "objcopy -S --add-section .gnu_debugdata=kept.xz ../prof mini" },
		  "fa" },
		/* What others may call stays. */
		{ "shared",
		  { "cc -shared -nostdlib -s -Wl,--build-id=none -o shared ../prof.s" },
		  "fa" },
	};
	struct image_options options = { 0 };
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	char *root;

	(void)state;
	profiled_build_id(profiled_directory, build_id);
	assert_true(asprintf(&root, "%s/root", profiled_directory) > 0);
	options.symfs = root;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char path[32];

		profiled_shell(profiled_directory, "rm -rf root && mkdir root");
		for (int n = 0; n < 2 && cases[i].commands[n]; n++)
			profiled_shell(root, cases[i].commands[n]);
		snprintf(path, sizeof(path), "/%s", cases[i].program);
		write_mapped(path, PROFILED_FA, 0x1000,
			     strcmp(path, "/shared") != 0 ? build_id : NULL,
			     PROFILED_FA + 1);
		assert_string_equal(profiled_name(&options), cases[i].name);
	}
	free(root);
}

/* What a process made has no file: its mapping is anonymous, of one kind or another. */
static void code_that_was_made_is_named_by_the_list_of_its_process(void **state)
{
	static const struct {
		const char *list, *mapping;
		uint64_t ip;
		const char *name;
	} cases[] = {
		{ "perf-71.map", "//anon", 0x7008, "made" },
		{ "perf-71.map", "/memfd:jit (deleted)", 0x7008, "made" },
		{ "perf-71.map", "[heap]", 0x700f, "made" },
		{ "perf-71.map", "[heap]", 0x7010, "[heap+0x7010]" },
		{ "perf-71.map", "", 0x7010, "[anonymous+0x7010]" },
		/* That of another process is not asked. */
		{ "perf-72.map", "//anon", 0x7008, "[anon+0x7008]" },
	};
	const struct image_options options = { .map_dir = profiled_directory };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		profiled_shell(profiled_directory, "rm -f perf-*.map");
		scratch_write(profiled_directory, cases[i].list,
			      "7000 10 made\n");
		write_mapped(cases[i].mapping, 0x7000, 0, NULL, cases[i].ip);
		assert_string_equal(profiled_name(&options), cases[i].name);
	}
}

static void the_vdso_is_that_of_the_kernel(void **state)
{
	const struct image_options options = { 0 };
	const uint64_t begin = getauxval(AT_SYSINFO_EHDR);
	void *vdso = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);
	static const uint8_t other[PFMD_BUILD_ID_SIZE] = { 1, 2, 3 };
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	struct elf_file *elf;
	char *unnamed;
	uint64_t ip;

	(void)state;
	if (!begin || !vdso)
		skip();
	/* Two pages at least; what is behind the headers is zeros. */
	elf = elf_file_open_memory((const void *)(uintptr_t)begin, 0x1000);
	ip = (uintptr_t)dlsym(vdso, "__vdso_getcpu");
	assert_true(elf && elf_file_build_id(elf, build_id) && ip);
	elf_file_close(elf);
	write_mapped("[vdso]", begin, 0, build_id, ip);
	assert_string_equal(profiled_name(&options), "__vdso_getcpu");
	/* Of another kernel, and of who knows which. */
	assert_true(asprintf(&unnamed, "[vdso+0x%" PRIx64 "]", ip - begin) > 0);
	write_mapped("[vdso]", begin, 0, other, ip);
	assert_string_equal(profiled_name(&options), unnamed);
	write_mapped("[vdso]", begin, 0, NULL, ip);
	assert_string_equal(profiled_name(&options), unnamed);
	free(unnamed);
	dlclose(vdso);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			what_is_stripped_is_named_by_what_was_kept_elsewhere),
		cmocka_unit_test(
			code_that_was_made_is_named_by_the_list_of_its_process),
		cmocka_unit_test(the_vdso_is_that_of_the_kernel),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
