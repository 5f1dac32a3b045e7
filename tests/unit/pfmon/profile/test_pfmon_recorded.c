// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols that were recorded: which a file of samples gets, and when reports use them,
 * whatever became of the programs.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "message.h"
#include "profile/kept.h"
#include "profiled.h"
#include "samples.h"
#include "scratch_dir.h"
#include "views/symbols_process.h"
#include "views/verbs.h"

/* More than any process has for its number. */
#define NOBODY 4194999

#define RUN(verb, ...)                                                         \
	profiled_run(profiled_directory, verb,                                 \
		     (const char *const[]){ __VA_ARGS__ __VA_OPT__(, ) NULL }, \
		     NULL)

static char *path_of(const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", profiled_directory, name) > 0);
	return path;
}

/* Samples of a program that was mapped so, and the symbols that it had. */
struct recorded {
	const char *path;
	const uint8_t *build_id; /* NULL: none */
	const char *stored_path; /* NULL: there are no symbols */
	const uint8_t *stored_id;
	const char *name;
};

static const char *name_of(const struct recorded *wanted)
{
	static const struct image_options options = { 0 };
	static const struct pfmd_symbol rows[] = { { 0x1000, 0x30, 0 } };
	static const uint64_t ips[] = { PROFILED_FA + 1, 0 };
	struct writer writer;

	samples_begin(&writer, SAMPLES_META);
	samples_map(&writer, 2, 71, PROFILED_FA, 0x1000, 0x1000, wanted->path,
		    wanted->build_id);
	samples_add(&writer, &(struct samples_of){ .tgid = 71,
						   .tid = 71,
						   .time = 5,
						   .period = 997,
						   .ips = ips });
	if (wanted->stored_path)
		samples_symbols(&writer, wanted->stored_path, wanted->stored_id,
				rows, 1, wanted->name,
				strlen(wanted->name) + 1);
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	return profiled_name(&options);
}

static void the_file_comes_first_if_it_is_the_one_that_was_sampled(void **state)
{
	uint8_t id[PFMD_BUILD_ID_SIZE], other[PFMD_BUILD_ID_SIZE];
	char *prof = path_of("prof"), *gone = path_of("gone");
	const struct {
		struct recorded recorded;
		const char *name;
	} cases[] = {
		{ { prof, id, prof, id, "then" }, "fa" },
		/* It was built anew since. */
		{ { prof, other, prof, other, "then" }, "then" },
		/* Of the same build, whatever it was called. */
		{ { gone, other, prof, other, "then" }, "then" },
		{ { gone, NULL, gone, NULL, "then" }, "then" },
		/* Of the same name, but another build. */
		{ { gone, id, gone, other, "then" }, "[gone+0x1001]" },
		{ { gone, id, gone, NULL, "then" }, "[gone+0x1001]" },
		{ { gone, NULL, gone, id, "then" }, "[gone+0x1001]" },
		{ { gone, NULL, prof, NULL, "then" }, "[gone+0x1001]" },
	};

	(void)state;
	profiled_build_id(profiled_directory, id);
	memset(other, 0x5a, sizeof(other));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		message_catch();
		assert_string_equal(name_of(&cases[i].recorded), cases[i].name);
		if (*cases[i].name == '[')
			message_expect(
				"note: ", gone,
				": not here, and its symbols were not recorded",
				NULL);
		else
			message_expect_none();
	}
	free(prof);
	free(gone);
}

/* Adds what pfmon record would, with the standard input that it would give. */
static void add_symbols(const char *option)
{
	/* The file has an end, which what is added has to be before. */
	profiled_shell(profiled_directory,
		       "head -c -32 pfmon.data > part && mv part pfmon.data");
	free(option ? RUN(verb_symbols, option) : RUN(verb_symbols));
	profiled_shell(profiled_directory, "cat out >> pfmon.data");
}

/* The report of a file without an end, which is not the message that is expected. */
static char *report(void)
{
	char *text = RUN(verb_report);

	assert_non_null(text);
	return text;
}

static void names_are_the_same_when_the_program_is_gone(void **state)
{
	char *text;

	(void)state;
	profiled_write(profiled_directory);
	add_symbols(NULL);
	profiled_shell(profiled_directory, "mv prof kept");
	message_catch();
	text = report();
	message_expect("breaks off", NULL);
	assert_non_null(
		strstr(text, "       601   59.92   54.74-64.89   59.92  fa "));
	free(text);
	/* Another build of the same name does not change them. */
	profiled_shell(profiled_directory,
		       "objcopy --redefine-sym fa=za --remove-section "
		       ".note.gnu.build-id kept prof 2> /dev/null");
	message_catch();
	text = report();
	message_expect("breaks off", NULL);
	profiled_shell(profiled_directory, "mv kept prof");
	assert_non_null(
		strstr(text, "       601   59.92   54.74-64.89   59.92  fa "));
	free(text);
}

/* How often a text has another one. */
static int count_of(const char *text, const char *part)
{
	int count = 0;

	while ((text = strstr(text, part))) {
		count++;
		text += strlen(part);
	}
	return count;
}

/* Runs a report with its errors in a file, which is returned. */
static char *errors_of_report(char **text)
{
	char *path = path_of("err");
	int before = dup(STDERR_FILENO);
	int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	dup2(file, STDERR_FILENO);
	*text = report();
	dup2(before, STDERR_FILENO);
	close(before);
	close(file);
	free(path);
	return profiled_read(profiled_directory, "err", NULL);
}

static void why_there_are_no_symbols_is_said_once(void **state)
{
	char *text, *errors, *expected;

	(void)state;
	profiled_write(profiled_directory);
	profiled_shell(profiled_directory, "mv prof kept");
	add_symbols(NULL);
	errors = errors_of_report(&text);
	profiled_shell(profiled_directory, "mv kept prof");
	assert_true(
		asprintf(
			&expected,
			"pfmon: note: %s/prof: removed (or replaced) before its symbols could be read\n",
			profiled_directory) > 0);
	assert_int_equal(count_of(errors, expected), 1);
	assert_non_null(strstr(text, "  [prof+0x1040] "));
	free(expected);
	free(errors);
	free(text);
	/* Found again, it is the file that was sampled. */
	errors = errors_of_report(&text);
	assert_int_equal(count_of(errors, "prof: "), 0);
	assert_non_null(strstr(text, "  fa "));
	free(errors);
	free(text);
}

/* Gives the rows to the next program that reads the standard input. */
static void give(const struct kept_file *rows, size_t count)
{
	int fd = memfd_create("kept", 0);
	char name[32];

	assert_int_equal(write(fd, rows, count * sizeof(*rows)),
			 count * sizeof(*rows));
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	assert_non_null(freopen(name, "r", stdin));
	close(fd);
}

static void files_that_were_held_open_are_asked_first(void **state)
{
	struct kept_file rows[2] = { { .fd = -1 } };
	char *prof = path_of("prof"), *text;
	uint8_t build_id[PFMD_BUILD_ID_SIZE];

	(void)state;
	profiled_build_id(profiled_directory, build_id);
	profiled_write(profiled_directory);
	memset(rows[0].build_id, 0x11, sizeof(rows[0].build_id));
	rows[0].fd = open("/dev/null", O_RDONLY);
	rows[1].fd = open(prof, O_RDONLY);
	memcpy(rows[1].build_id, build_id, sizeof(build_id));
	profiled_shell(profiled_directory, "cp -p prof kept && rm prof");
	give(rows, 2);
	add_symbols("--kept");
	message_catch();
	text = report();
	message_expect("breaks off", NULL);
	profiled_shell(profiled_directory, "mv kept prof");
	assert_non_null(
		strstr(text, "       601   59.92   54.74-64.89   59.92  fa "));
	free(text);
	close(rows[0].fd);
	close(rows[1].fd);
	free(prof);
}

/* Without a build-id, it is the number and the times that tell files apart. */
static void files_without_a_build_id_do_not_mix(void **state)
{
	static const uint64_t ips[] = { PROFILED_FA, 0 };
	struct pfmd_map map = { .time = 2,
				.tgid = 71,
				.addr = PROFILED_FA,
				.len = 0x1000,
				.pgoff = 0x1000,
				.prot = PROT_READ | PROT_EXEC };
	const struct image_options options = { 0 };
	char *path = path_of("plain");
	struct stat about;

	(void)state;
	profiled_shell(
		profiled_directory,
		"objcopy --remove-section .note.gnu.build-id prof plain 2> /dev/null");
	assert_int_equal(stat(path, &about), 0);
	for (int i = 0; i < 4; i++) {
		struct pfmd_file file = {
			.dev = 1,
			.ino = about.st_ino + (i == 1),
			.mtime_ns =
				(uint64_t)about.st_mtim.tv_sec * 1000000000 +
				(uint64_t)about.st_mtim.tv_nsec,
			.size = (uint64_t)about.st_size + (i == 2),
		};
		struct writer writer;

		if (i == 3)
			file.mtime_ns = file.size = 0;
		samples_begin(&writer, SAMPLES_META);
		writer_map(&writer, &map, path, &file);
		samples_add(&writer, &(struct samples_of){ .tgid = 71,
							   .tid = 71,
							   .time = 5,
							   .period = 997,
							   .ips = ips });
		samples_end(&writer);
		samples_store(&writer, profiled_directory);
		message_catch();
		if (i == 1 || i == 2) {
			assert_string_equal(profiled_name(&options),
					    "[plain+0x1000 changed]");
			message_expect("not the file that was sampled", NULL);
		} else {
			assert_string_equal(profiled_name(&options), "fa");
			message_expect_none();
		}
	}
	free(path);
}

/* The second process has mapped what was there before by the same name. */
static void nor_do_their_recorded_symbols(void **state)
{
	static const uint64_t ips[] = { PROFILED_FA, 0 };
	struct pfmd_map map = { .time = 2,
				.addr = PROFILED_FA,
				.len = 0x1000,
				.pgoff = 0x1000,
				.prot = PROT_READ | PROT_EXEC };
	char *path = path_of("plain"), *text, *errors;
	struct writer writer;
	struct stat about;

	(void)state;
	assert_int_equal(stat(path, &about), 0);
	samples_begin(&writer, SAMPLES_META);
	for (uint32_t pid = 71; pid < 73; pid++) {
		const struct pfmd_file file = {
			.dev = 1, .ino = about.st_ino + pid - 71
		};

		map.tgid = pid;
		writer_map(&writer, &map, path, &file);
		samples_add(&writer, &(struct samples_of){ .tgid = pid,
							   .tid = pid,
							   .time = 5,
							   .period = 997,
							   .ips = ips });
	}
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	add_symbols(NULL);
	unlink(path);
	errors = errors_of_report(&text);
	assert_int_equal(count_of(text, "  fa "), 1);
	assert_int_equal(count_of(text, "  [plain+0x1000] "), 1);
	assert_int_equal(count_of(errors, "plain: removed (or replaced) "), 1);
	free(errors);
	free(text);
	free(path);
}

static void code_that_a_process_has_made_has_its_names(void **state)
{
	static const uint64_t ips[] = { 0x7007, 0 };
	struct writer writer;
	char path[64], *text;
	FILE *map;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", NOBODY);
	map = fopen(path, "we");
	assert_non_null(map);
	fputs("7000 20 compiled\n", map);
	fclose(map);
	samples_begin(&writer, SAMPLES_META);
	samples_map(&writer, 2, NOBODY, 0x7000, 0x1000, 0, "", NULL);
	samples_map(&writer, 2, NOBODY + 1, 0x7000, 0x1000, 0, "", NULL);
	for (uint32_t pid = NOBODY; pid < NOBODY + 2; pid++)
		samples_add(&writer, &(struct samples_of){ .tgid = pid,
							   .tid = pid,
							   .time = 5,
							   .period = 997,
							   .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	add_symbols(NULL);
	unlink(path);
	message_catch();
	text = report();
	message_expect("breaks off", NULL);
	assert_non_null(strstr(text, "         1   50.00 "));
	assert_int_equal(count_of(text, "  compiled "), 1);
	assert_int_equal(count_of(text, "  [anonymous+0x7007] "), 1);
	free(text);
}

static void a_file_that_takes_too_long_is_told(void **state)
{
	char *text, *errors;
	int before = symbols_seconds;

	(void)state;
	profiled_write(profiled_directory);
	symbols_seconds = 0;
	add_symbols(NULL);
	symbols_seconds = before;
	profiled_shell(profiled_directory, "mv prof kept");
	errors = errors_of_report(&text);
	profiled_shell(profiled_directory, "mv kept prof");
	assert_int_equal(
		count_of(
			errors,
			"prof: reading its symbols took too much time or memory\n"),
		1);
	free(errors);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_file_comes_first_if_it_is_the_one_that_was_sampled),
		cmocka_unit_test(names_are_the_same_when_the_program_is_gone),
		cmocka_unit_test(why_there_are_no_symbols_is_said_once),
		cmocka_unit_test(files_that_were_held_open_are_asked_first),
		cmocka_unit_test(files_without_a_build_id_do_not_mix),
		cmocka_unit_test(nor_do_their_recorded_symbols),
		cmocka_unit_test(code_that_a_process_has_made_has_its_names),
		cmocka_unit_test(a_file_that_takes_too_long_is_told),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
