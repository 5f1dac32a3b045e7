// SPDX-License-Identifier: GPL-2.0-only
/* A program whose samples are known, see profiled.h. */
#include "profiled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/read_profile.h"
#include "samples.h"
#include "scratch_dir.h"
#include "symbols/elf_file.h"
#include "symbols/functions.h"

#define WORDS_MAX 12

/* Lines 1 to 3 of a source of its own are those of fa. */
static const char source[] = "	.text\n"
			     "	.file 1 \"prof.c\"\n"
			     "	.globl _start, fa, fb\n"
			     "	.type fa, @function\n"
			     "fa:\n"
			     "	.loc 1 1\n"
			     "	mov $3, %eax\n"
			     "	.loc 1 2\n"
			     "1:	dec %eax\n"
			     "	jnz 1b\n"
			     "	.loc 1 3\n"
			     "	ret\n"
			     "	.org 0x1b, 0x90\n"
			     "	call fc\n"
			     "	.org 0x2b, 0x90\n"
			     "	call fc\n"
			     "	.size fa, . - fa\n"
			     "	.org 0x40, 0x90\n"
			     "	.type fb, @function\n"
			     "fb:	.loc 1 5\n"
			     "	ret\n"
			     "	.org 0x5b, 0x90\n"
			     "	call fc\n"
			     "	.org 0x6b, 0x90\n"
			     "	call fc\n"
			     "	.size fb, . - fb\n"
			     "	.org 0x80, 0x90\n"
			     "	.type fc, @function\n"
			     "fc:	.loc 1 7\n"
			     "	ret\n"
			     "	.org 0x9b, 0x90\n"
			     "	call fc\n"
			     "	.org 0xab, 0x90\n"
			     "	call fc\n"
			     "	.size fc, . - fc\n"
			     "	.org 0xc0, 0x90\n"
			     "_start:	hlt\n"
			     "	.org 0xd0, 0x90\n"
			     "	call . + 0x100000\n"
			     "	.org 0x1000, 0x90\n"
			     "	.data\n"
			     "	.type board, @object\n"
			     "board:	.skip 128\n"
			     "	.size board, . - board\n"
			     "	.skip 64\n";

void profiled_shell(const char *directory, const char *command)
{
	char *line;

	assert_true(asprintf(&line, "cd '%s' && { %s; }", directory, command) >
		    0);
	if (system(line))
		fail_msg("failed: %s", line);
	free(line);
}

char *profiled_directory;

int profiled_set_up(void **state)
{
	char *directory = scratch_make();

	(void)state;
	scratch_write(directory, "prof.s", source);
	scratch_write(directory, "prof.c",
		      "int fa(void)\n{ while (--n)\n}\n\nint fb\n\nint fc\n");
	profiled_shell(
		directory,
		"cc -g -nostdlib -static -no-pie -Wl,-Ttext=0x401000 -Wl,-Tdata=0x405000 -Wl,--build-id=sha1 -o prof prof.s");
	profiled_directory = directory;
	return 0;
}

int profiled_tear_down(void **state)
{
	(void)state;
	scratch_remove(profiled_directory);
	return 0;
}

static char *path_of(const char *directory, const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", directory, name) > 0);
	return path;
}

void profiled_build_id(const char *directory,
		       uint8_t build_id[PFMD_BUILD_ID_SIZE])
{
	char *path = path_of(directory, "prof");
	struct elf_file *file = elf_file_open(path);

	assert_non_null(file);
	assert_true(elf_file_build_id(file, build_id));
	elf_file_close(file);
	free(path);
}

/* Where the code is in the file, of a linker that puts it on pages of its own. */
static uint64_t offset_of_code(const char *directory)
{
	char *path = path_of(directory, "prof");
	struct elf_file *file = elf_file_open(path);
	uint64_t offset = 0, address = 0;

	assert_non_null(file);
	while (!elf_file_address(file, offset, &address) ||
	       address != PROFILED_FA) {
		offset += 0x10;
		assert_true(offset < 0x10000);
	}
	elf_file_close(file);
	free(path);
	return offset;
}

void profiled_write_ips(const char *directory, const char *path,
			const uint8_t *build_id, const uint64_t *ips)
{
	uint64_t offset = offset_of_code(directory);
	struct writer writer;

	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 1, PFMD_FORK, 71, 71, 0, "sh");
	samples_task(&writer, 2, PFMD_EXEC, 71, 71, 0, "prof");
	samples_map(&writer, 2, 71, PROFILED_FA, 0x1000, offset, path,
		    build_id);
	samples_add(&writer, &(struct samples_of){ .tgid = 71,
						   .tid = 71,
						   .time = 1234567890,
						   .period = 997,
						   .ips = ips });
	samples_end(&writer);
	samples_store(&writer, directory);
}

void profiled_write(const char *directory)
{
	static const struct {
		uint64_t ip;
		int samples;
	} parts[] = {
		{ PROFILED_FA, 200 },	  { PROFILED_FA + 5, 200 },
		{ PROFILED_FA + 7, 201 }, { PROFILED_FB, 301 },
		{ PROFILED_FC, 101 },
	};
	static uint64_t ips[1004];
	char *path = path_of(directory, "prof");
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	size_t count = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		for (int n = 0; n < parts[i].samples; n++)
			ips[count++] = parts[i].ip;
	}
	ips[count] = 0;
	profiled_build_id(directory, build_id);
	profiled_write_ips(directory, path, build_id, ips);
	free(path);
}

char *profiled_read(const char *directory, const char *name, size_t *size)
{
	char *path = path_of(directory, name);
	FILE *in = fopen(path, "re");
	size_t length;
	char *bytes;

	free(path);
	assert_non_null(in);
	assert_int_equal(fseek(in, 0, SEEK_END), 0);
	length = (size_t)ftell(in);
	rewind(in);
	bytes = calloc(1, length + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, length, in), length);
	fclose(in);
	if (size)
		*size = length;
	return bytes;
}

void profiled_write_precise(const char *directory, const char *meta,
			    const void *entries, size_t count, size_t each)
{
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	struct writer writer;
	char *path;

	profiled_build_id(directory, build_id);
	assert_true(asprintf(&path, "%s/prof", directory) > 0);
	samples_begin(&writer, meta);
	samples_task(&writer, 2, PFMD_EXEC, 71, 71, 0, "prof");
	samples_map(&writer, 2, 71, PROFILED_FA, 0x1000, 0x1000, path,
		    build_id);
	free(path);
	for (size_t i = 0; i < count; i++)
		samples_add_precise(
			&writer, 71,
			(const void *)((const char *)entries + i * each));
	samples_end(&writer);
	samples_store(&writer, directory);
}

const char *profiled_name(const struct image_options *options)
{
	static char name[128];
	struct functions_options plain = { 0 };
	struct profile profile;
	struct images *images;
	struct functions *functions;
	const struct place *place;
	char *path;

	assert_true(asprintf(&path, "%s/pfmon.data", profiled_directory) > 0);
	assert_int_equal(profile_read(&profile, path), 0);
	images = images_new(&profile, options);
	functions = functions_new(&profile, images, &plain);
	place = functions_at(functions, &profile.samples[0]);
	assert_non_null(place);
	snprintf(name, sizeof(name), "%s", place->function->name);
	functions_free(functions);
	images_free(images);
	profile_free(&profile);
	free(path);
	return name;
}

char *profiled_run(const char *directory, int (*verb)(int argc, char **argv),
		   const char *const *words, size_t *size)
{
	char *out = path_of(directory, "out");
	char *data = path_of(directory, "pfmon.data");
	char *argv[WORDS_MAX + 6] = { (char *)"verb", (char *)"-o", out,
				      (char *)"-i", data };
	int argc = 5;

	for (; *words && argc < WORDS_MAX + 5; words++)
		argv[argc++] = (char *)(uintptr_t)*words;
	assert_int_equal(verb(argc, argv), 0);
	free(data);
	free(out);
	return profiled_read(directory, "out", size);
}
