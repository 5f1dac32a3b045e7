// SPDX-License-Identifier: GPL-2.0-only
/* How far the reading of large files is, as terminals show it. */
#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/read_profile.h"
#include "profile/read_progress.h"
#include "samples.h"

/* Of a type that nobody knows: it is read, and nothing is kept of it. */
#define NEWS ((enum pfmd_type)99)

static FILE *real_stderr;

/* A file with a sample behind so many bytes, in chunks of a usual size. */
static int file_of(size_t bytes)
{
	static const uint64_t ips[] = { 0x40100a, 0 };
	static char news[1 << 20];
	struct writer writer;

	samples_begin(&writer, SAMPLES_META);
	for (size_t done = 0; done < bytes; done += sizeof(news))
		assert_int_equal(writer_chunk(&writer, NEWS,
					      &(const struct iovec){
						      news, sizeof(news) },
					      1),
				 0);
	samples_add(&writer, &(struct samples_of){ .ips = ips });
	samples_end(&writer);
	assert_int_equal(lseek(writer.fd, 0, SEEK_SET), 0);
	return writer.fd;
}

/* Messages go to a terminal, whose other end is returned. */
static int begin_terminal(void)
{
	int here, there;

	assert_int_equal(openpty(&here, &there, NULL, NULL, NULL), 0);
	real_stderr = stderr;
	stderr = fdopen(there, "w");
	setvbuf(stderr, NULL, _IONBF, 0);
	return here;
}

/* What it showed, with its controls. It passes on what is written in its own time. */
static const char *end_terminal(int here)
{
	static const char end = 1;
	static char text[16384];
	size_t size = 0;

	assert_int_equal(write(fileno(stderr), &end, 1), 1);
	do
		assert_int_equal(read(here, text + size, 1), 1);
	while (text[size] != end && ++size < sizeof(text));
	assert_true(size < sizeof(text));
	text[size] = '\0';
	fclose(stderr);
	stderr = real_stderr;
	close(here);
	return text;
}

static void read_file(int fd)
{
	struct profile profile;

	assert_int_equal(profile_read_stream(&profile, fdopen(fd, "r"), "/x/f"),
			 0);
	assert_int_equal(profile.sample_count, 1);
	profile_free(&profile);
}

static void scan_file(int fd)
{
	const struct profile_sample *sample;
	struct profile profile;

	assert_int_equal(profile_scan_stream(&profile, fdopen(fd, "r"), "/x/f"),
			 0);
	assert_int_equal(profile_next(&profile, &sample), 1);
	assert_int_equal(profile_next(&profile, &sample), 0);
	profile_free(&profile);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), behind = strlen(end);

	return length >= behind && !strcmp(text + length - behind, end);
}

static void a_large_file_tells_how_far_it_is_read(void **state)
{
	int here = begin_terminal();
	const char *text;

	(void)state;
	read_file(file_of(PROGRESS_LARGE));
	text = end_terminal(here);
	assert_non_null(strstr(text, "\rpfmon: f: 50 % read\033[K"));
	assert_non_null(strstr(text, "\rpfmon: f: 99 % read\033[K"));
	/* Nothing of it is left. */
	assert_true(ends_with(text, "\r\033[K"));
	assert_null(strchr(text, '\n'));
}

static void who_reads_it_again_tells_that_as_well(void **state)
{
	int here = begin_terminal();
	const char *text;

	(void)state;
	scan_file(file_of(PROGRESS_LARGE));
	text = end_terminal(here);
	assert_non_null(strstr(text, "\rpfmon: f: 50 % read\033[K"));
	assert_non_null(strstr(text, "\rpfmon: f: 50 % read again\033[K"));
	assert_true(ends_with(text, "\r\033[K"));
}

static void a_message_takes_the_line(void **state)
{
	int fd = file_of(PROGRESS_LARGE);
	off_t size = lseek(fd, 0, SEEK_END);
	int here = begin_terminal();
	const char *text;

	(void)state;
	assert_int_equal(ftruncate(fd, size - 8), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	read_file(fd);
	text = end_terminal(here);
	/* Terminals make two characters of the end of a line. */
	assert_non_null(strstr(text, " % read\033[K\r\033[Kpfmon: note: /x/f: "
				     "breaks off at byte"));
	assert_true(ends_with(text, "before\r\n"));
}

static void a_pipe_tells_how_much_was_read(void **state)
{
	int ends[2], fd = file_of(PROGRESS_LARGE), here;
	off_t size = lseek(fd, 0, SEEK_END), at = 0;
	const char *text;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	if (!fork()) {
		close(ends[0]);
		while (at < size &&
		       sendfile(ends[1], fd, &at, (size_t)size) > 0)
			;
		_exit(0);
	}
	close(ends[1]);
	close(fd);
	here = begin_terminal();
	read_file(ends[0]);
	text = end_terminal(here);
	assert_non_null(strstr(text, "\rpfmon: f: 32 MiB read\033[K"));
	assert_true(ends_with(text, "\r\033[K"));
}

static void small_files_tell_nothing(void **state)
{
	int here = begin_terminal();

	(void)state;
	scan_file(file_of(PROGRESS_LARGE / 2));
	assert_string_equal(end_terminal(here), "");
}

static void nor_do_large_ones_where_there_is_no_terminal(void **state)
{
	char *text = NULL;
	size_t size;

	(void)state;
	real_stderr = stderr;
	stderr = open_memstream(&text, &size);
	scan_file(file_of(PROGRESS_LARGE));
	fclose(stderr);
	stderr = real_stderr;
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_large_file_tells_how_far_it_is_read),
		cmocka_unit_test(who_reads_it_again_tells_that_as_well),
		cmocka_unit_test(a_message_takes_the_line),
		cmocka_unit_test(a_pipe_tells_how_much_was_read),
		cmocka_unit_test(small_files_tell_nothing),
		cmocka_unit_test(nor_do_large_ones_where_there_is_no_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
