// SPDX-License-Identifier: GPL-2.0-only
/* Where reports go: names with letters, files that are complete or not there. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "message.h"
#include "report/output.h"
#include "report/rank.h"
#include "scratch_dir.h"

static char *directory;

/* What launchers say of a rank, and of a job. */
static const char *const variables[] = {
	"PMIX_RANK",
	"OMPI_COMM_WORLD_RANK",
	"PMI_RANK",
	"PALS_RANKID",
	"MV2_COMM_WORLD_RANK",
	"SLURM_STEP_ID",
	"SLURM_PROCID",
	"SLURM_JOB_ID",
	"SLURM_JOBID",
	"PBS_JOBID",
	"LSB_JOBID",
	"JOB_ID",
	"SLURM_STEP_NUM_TASKS",
	"OMPI_COMM_WORLD_SIZE",
	"PMI_SIZE",
	"MV2_COMM_WORLD_SIZE",
};

static int prepare(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++)
		unsetenv(variables[i]);
	directory = scratch_make();
	return chdir(directory);
}

static int finish(void **state)
{
	(void)state;
	scratch_remove(directory);
	return chdir("/");
}

/* A name and its text; room for the text and its end, and for one byte less. */
static void expect_name(const char *name, const char *wanted)
{
	char text[300];
	size_t size = strlen(wanted) + 1;

	assert_int_equal(output_expand(name, text, sizeof(text)), 0);
	assert_string_equal(text, wanted);
	assert_int_equal(output_expand(name, text, size), 0);
	assert_string_equal(text, wanted);
	message_catch();
	assert_int_equal(output_expand(name, text, size - 1), -1);
	message_expect("-o ", "the name is too long", NULL);
}

static void letters_stand_for_what_is_known(void **state)
{
	char host[64], pid[32];

	(void)state;
	assert_int_equal(gethostname(host, sizeof(host)), 0);
	snprintf(pid, sizeof(pid), "a%db", getpid());
	expect_name("plain", "plain");
	expect_name("%h", host);
	expect_name("a%pb", pid);
	expect_name("%%%r-%j%%", "%0-0%");
	setenv("PMI_RANK", "12", 1);
	setenv("SLURM_JOB_ID", "345", 1);
	expect_name("%r-%j", "12-345");
}

static void ranks_have_names_of_their_own(void **state)
{
	(void)state;
	setenv("PMI_RANK", "12", 1);
	expect_name("a", "a.12");
	expect_name("%j", "0.12");
	expect_name("a%rb", "a12b");
	expect_name("/dev/null", "/dev/null");
	expect_name("/device", "/device.12");
}

static void letters_that_are_none_are_refused(void **state)
{
	static const char *const rows[][2] = {
		{ "a%", "% is not known" },
		{ "%x%h", "%x is not known" },
		{ "%%%", "% is not known" },
		{ "%H", "%H is not known" },
	};
	char text[100];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		message_catch();
		assert_int_equal(output_expand(rows[i][0], text, sizeof(text)),
				 -1);
		message_expect(rows[i][1], NULL);
	}
}

/* Each launcher's variable is a rank, if it is a number. */
static void launchers_tell_the_rank(void **state)
{
	(void)state;
	for (size_t i = 0; i < 5; i++) {
		assert_null(rank_own());
		setenv(variables[i], "0", 1);
		assert_string_equal(rank_own(), "0");
		setenv(variables[i], "1234567890123456789", 1);
		assert_string_equal(rank_own(), "1234567890123456789");
		setenv(variables[i], "12345678901234567890", 1);
		assert_null(rank_own());
		setenv(variables[i], "", 1);
		assert_null(rank_own());
		setenv(variables[i], "1a", 1);
		assert_null(rank_own());
		unsetenv(variables[i]);
	}
	/* A batch script of Slurm is no rank. */
	setenv("SLURM_PROCID", "3", 1);
	assert_null(rank_own());
	setenv("SLURM_STEP_ID", "0", 1);
	assert_string_equal(rank_own(), "3");
	assert_int_equal(rank_count(), 0);
	setenv("SLURM_STEP_NUM_TASKS", "8", 1);
	assert_int_equal(rank_count(), 8);
	unsetenv("SLURM_STEP_ID");
	assert_int_equal(rank_count(), 0);
}

/* The first that can be a part of the name of a file. */
static void launchers_tell_the_job(void **state)
{
	char name[65];

	(void)state;
	memset(name, 'j', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_null(rank_job());
	setenv("LSB_JOBID", "3", 1);
	assert_string_equal(rank_job(), "3");
	setenv("PBS_JOBID", "2.host", 1);
	assert_string_equal(rank_job(), "2.host");
	setenv("SLURM_JOB_ID", "1", 1);
	assert_string_equal(rank_job(), "1");
	setenv("SLURM_JOB_ID", "", 1);
	assert_string_equal(rank_job(), "2.host");
	setenv("SLURM_JOB_ID", "../1", 1);
	assert_string_equal(rank_job(), "2.host");
	setenv("SLURM_JOB_ID", name, 1);
	assert_string_equal(rank_job(), "2.host");
	name[sizeof(name) - 2] = '\0';
	setenv("SLURM_JOB_ID", name, 1);
	assert_string_equal(rank_job(), name);
}

static const char *content(const char *name)
{
	static char text[100];
	FILE *file = fopen(name, "re");
	size_t len;

	if (!file)
		return "(none)";
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	return text;
}

static int files(void)
{
	char *line = NULL;
	size_t size = 0;
	FILE *list = popen("ls -A | wc -l", "re");
	int count;

	assert_true(getline(&line, &size, list) > 0);
	count = atoi(line);
	free(line);
	pclose(list);
	return count;
}

/* Writes a word; what the file is before and after its end. */
static void write_file(const struct destination *destination, bool complete,
		       const char *before, const char *after)
{
	struct output output;

	assert_int_equal(output_open(&output, destination), 0);
	assert_false(output.is_stderr);
	fputs("word", output.stream);
	fflush(output.stream);
	assert_string_equal(content(destination->file), before);
	assert_int_equal(output_close(&output, complete), 0);
	assert_null(output.stream);
	assert_string_equal(content(destination->file), after);
	assert_int_equal(output_close(&output, complete), 0);
}

static void files_are_there_when_they_are_complete(void **state)
{
	const struct destination to = { .file = "a", .fd = -1 };
	const struct destination end = { .file = "a",
					 .fd = -1,
					 .append = true };

	(void)state;
	write_file(&to, false, "(none)", "(none)");
	assert_int_equal(files(), 0);
	write_file(&to, true, "(none)", "word");
	scratch_write(directory, "a", "old");
	write_file(&to, false, "old", "old");
	write_file(&to, true, "old", "word");
	write_file(&end, true, "wordword", "wordword");
	write_file(&end, false, "wordwordword", "wordwordword");
	assert_int_equal(files(), 1);
}

static void what_is_no_file_is_written_in_place(void **state)
{
	const struct destination to = { .file = "pipe", .fd = -1 };
	struct output output;
	char text[4];
	int fd;

	(void)state;
	assert_int_equal(mkfifo("pipe", 0600), 0);
	fd = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_int_equal(output_open(&output, &to), 0);
	fputs("word", output.stream);
	assert_int_equal(output_close(&output, false), 0);
	assert_int_equal(read(fd, text, sizeof(text)), sizeof(text));
	close(fd);
	assert_int_equal(files(), 1);
}

static void one_writes_to_the_end_of_a_file(void **state)
{
	const struct destination end = { .file = "a",
					 .fd = -1,
					 .append = true };
	struct output one, other;

	(void)state;
	assert_int_equal(output_open(&one, &end), 0);
	message_catch();
	assert_int_equal(output_open(&other, &end), -1);
	message_expect("-o a: another pfmon", NULL);
	if (other.stream)
		fclose(other.stream);
	assert_int_equal(output_close(&one, true), 0);
	assert_int_equal(output_open(&other, &end), 0);
	assert_int_equal(output_close(&other, true), 0);
}

static void descriptors_are_copied(void **state)
{
	int fd = open("a", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	const struct destination to = { .fd = fd };
	struct output output;

	(void)state;
	assert_int_equal(output_open(&output, &to), 0);
	assert_true(fcntl(fileno(output.stream), F_GETFD) & FD_CLOEXEC);
	fputs("word", output.stream);
	assert_int_equal(output_close(&output, false), 0);
	assert_string_equal(content("a"), "word");
	assert_int_equal(write(fd, "s", 1), 1);
	close(fd);
}

static void the_stream_is_the_one_that_was_chosen(void **state)
{
	static const struct {
		struct destination destination;
		bool is_stderr;
	} rows[] = {
		{ { .fd = -1 }, false },
		{ { .fd = -1, .standard_error = true }, true },
		{ { .file = "-", .fd = -1 }, false },
		{ { .file = "-", .fd = -1, .standard_error = true }, false },
	};
	struct stat streams[2], seen;

	(void)state;
	assert_int_equal(fstat(STDOUT_FILENO, &streams[0]), 0);
	assert_int_equal(fstat(STDERR_FILENO, &streams[1]), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct output output;

		assert_int_equal(output_open(&output, &rows[i].destination), 0);
		assert_int_equal(output.is_stderr, rows[i].is_stderr);
		assert_int_equal(fstat(fileno(output.stream), &seen), 0);
		assert_int_equal(seen.st_ino,
				 streams[rows[i].is_stderr].st_ino);
		assert_int_equal(output_close(&output, true), 0);
	}
}

static void what_cannot_be_written_is_said_first(void **state)
{
	struct destination to = { .fd = open("/dev/full",
					     O_WRONLY | O_CLOEXEC) };
	struct output output;
	int full = to.fd;

	(void)state;
	message_catch();
	assert_int_equal(output_open(&output, &to), -1);
	message_expect("--log-fd", "No space", NULL);
	close(full);
	to.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	message_catch();
	assert_int_equal(output_open(&output, &to), -1);
	message_expect("--log-fd", "not open for writing", NULL);
	close(to.fd);
	message_catch();
	assert_int_equal(output_open(&output, &to), -1);
	message_expect("--log-fd", "Bad file", NULL);
	to = (struct destination){ .file = "no/a", .fd = -1 };
	message_catch();
	assert_int_equal(output_open(&output, &to), -1);
	message_expect("-o no/a: ", strerror(ENOENT), NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, finish)
		TEST(letters_stand_for_what_is_known),
		TEST(ranks_have_names_of_their_own),
		TEST(letters_that_are_none_are_refused),
		TEST(launchers_tell_the_rank),
		TEST(launchers_tell_the_job),
		TEST(files_are_there_when_they_are_complete),
		TEST(what_is_no_file_is_written_in_place),
		TEST(one_writes_to_the_end_of_a_file),
		TEST(descriptors_are_copied),
		TEST(the_stream_is_the_one_that_was_chosen),
		TEST(what_cannot_be_written_is_said_first),
	};

	return cmocka_run_group_tests_name("pfmon_output", tests, NULL, NULL);
}
