// SPDX-License-Identifier: GPL-2.0-only
/* The file of samples as it is written, byte by byte. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "profile/crc32c.h"
#include "profile/writer.h"

#define FILE_MAX 4096

static char file[FILE_MAX];
static int pipes[2];

static int open_pipe(void **state)
{
	(void)state;
	memset(file, 0, sizeof(file));
	return pipe(pipes);
}

/* Takes what was written. Returns how much. */
static size_t take(void)
{
	ssize_t size;

	close(pipes[1]);
	size = read(pipes[0], file, sizeof(file));
	close(pipes[0]);
	assert_true(size >= 0);
	return (size_t)size;
}

static const struct pfmd_chunk *chunk_at(size_t offset)
{
	assert_int_equal(offset % PFMD_ALIGN, 0);
	return (const void *)(file + offset);
}

static void the_checksum_is_that_of_the_standard(void **state)
{
	static const unsigned char zeros[32];
	unsigned char ascending[32];
	uint32_t parts;

	(void)state;
	for (unsigned char i = 0; i < sizeof(ascending); i++)
		ascending[i] = i;
	assert_int_equal(crc32c(0, "", 0), 0);
	assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
	assert_int_equal(crc32c(0, zeros, sizeof(zeros)), 0x8a9136aa);
	assert_int_equal(crc32c(0, ascending, sizeof(ascending)), 0x46dd794e);
	for (size_t cut = 0; cut <= sizeof(ascending); cut++) {
		parts = crc32c(0, ascending, cut);
		parts = crc32c(parts, ascending + cut, sizeof(ascending) - cut);
		assert_int_equal(parts, 0x46dd794e);
		assert_int_equal(crc32c_by_table(7, ascending, cut),
				 crc32c(7, ascending, cut));
	}
}

static void chunks_are_padded_with_zeros(void **state)
{
	static const char *const texts[] = {
		"", "a", "{}", "1234567", "12345678", "123456789"
	};
	size_t at = PFMD_MAGIC_SIZE;
	struct writer writer;

	(void)state;
	assert_int_equal(writer_begin(&writer, pipes[1]), 0);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(writer_text(&writer, PFMD_META, texts[i]), 0);
	assert_int_equal(take(), writer.bytes);
	assert_memory_equal(file, "PFMD0001", PFMD_MAGIC_SIZE);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct pfmd_chunk *chunk = chunk_at(at);
		size_t length = strlen(texts[i]), end;

		assert_int_equal(chunk->type, PFMD_META);
		assert_int_equal(chunk->flags, 0);
		assert_int_equal(chunk->length, length);
		assert_memory_equal(chunk + 1, texts[i], length);
		end = at + sizeof(*chunk) + length;
		at = (end + PFMD_ALIGN - 1) / PFMD_ALIGN * PFMD_ALIGN;
		for (; end < at; end++)
			assert_int_equal(file[end], 0);
	}
	assert_int_equal(at, writer.bytes);
}

static void a_mapping_has_its_path_and_its_file(void **state)
{
	static const char *const paths[] = { "", "abc", "abcd", "/bin/true" };
	const struct pfmd_map map = { .time = 1,
				      .addr = 0x400000,
				      .len = 0x1000,
				      .tgid = 7,
				      .prot = 5,
				      .build_id = { 0xab } };
	const struct pfmd_file about = { .dev = 1, .ino = 2, .size = 4 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		const struct pfmd_chunk *chunk = (const void *)file;
		size_t end = PFMD_MAP_PATH + strlen(paths[i]) + 1;
		struct writer writer = { .fd = pipes[1] };

		assert_int_equal(writer_map(&writer, &map, paths[i], &about),
				 0);
		end = (end + PFMD_ALIGN - 1) / PFMD_ALIGN * PFMD_ALIGN;
		assert_int_equal(read(pipes[0], file, sizeof(file)),
				 sizeof(*chunk) + end + sizeof(about));
		assert_int_equal(chunk->length, end + sizeof(about));
		assert_memory_equal(chunk + 1, &map, PFMD_MAP_PATH);
		assert_string_equal(file + sizeof(*chunk) + PFMD_MAP_PATH,
				    paths[i]);
		assert_memory_equal(file + sizeof(*chunk) + end, &about,
				    sizeof(about));
	}
	take();
}

static void a_mapping_without_a_file_ends_with_its_path(void **state)
{
	const struct pfmd_chunk *chunk = (const void *)file;
	struct writer writer = { .fd = pipes[1] };
	struct pfmd_map map = { .time = 1 };

	(void)state;
	assert_int_equal(writer_map(&writer, &map, "[vdso]", NULL), 0);
	take();
	assert_int_equal(chunk->type, PFMD_MAP);
	assert_int_equal(chunk->length, PFMD_MAP_PATH + sizeof("[vdso]"));
}

static void a_task_has_its_name(void **state)
{
	const struct pfmd_task task = { .time = 9,
					.tid = 8,
					.kind = PFMD_COMM };
	const struct pfmd_chunk *chunk = (const void *)file;
	struct writer writer = { .fd = pipes[1] };

	(void)state;
	assert_int_equal(writer_task(&writer, &task, "prof"), 0);
	assert_int_equal(writer_task(&writer, &task, NULL), 0);
	take();
	assert_int_equal(chunk->length, sizeof(task) + sizeof("prof"));
	assert_memory_equal(chunk + 1, &task, sizeof(task));
	assert_string_equal(file + sizeof(*chunk) + sizeof(task), "prof");
	chunk = chunk_at(sizeof(*chunk) + sizeof(task) + 8);
	assert_int_equal(chunk->length, sizeof(task) + 1);
}

static void
the_end_tells_the_samples_and_the_checksum_of_all_before(void **state)
{
	struct writer writer;
	const struct pfmd_chunk *chunk;
	const struct pfmd_end *end;
	size_t size, at;

	(void)state;
	assert_int_equal(writer_begin(&writer, pipes[1]), 0);
	assert_int_equal(writer_text(&writer, PFMD_META, "{}"), 0);
	writer.samples = 1003;
	assert_int_equal(writer_end(&writer), 0);
	size = take();
	at = size - sizeof(*chunk) - sizeof(*end);
	chunk = chunk_at(at);
	end = (const void *)(chunk + 1);
	assert_int_equal(chunk->type, PFMD_END);
	assert_int_equal(chunk->length, sizeof(*end));
	assert_int_equal(end->samples, 1003);
	assert_int_equal(end->crc32c, crc32c(0, file, at));
	assert_int_equal(end->zero, 0);
}

static void nothing_follows_an_error(void **state)
{
	struct writer writer;
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	(void)state;
	take();
	assert_true(full >= 0);
	assert_int_equal(writer_begin(&writer, full), -1);
	assert_int_equal(errno, ENOSPC);
	errno = 0;
	writer.fd = -1;
	assert_int_equal(writer_end(&writer), -1);
	assert_int_equal(errno, ENOSPC);
	close(full);
}

static void ignore(int sig)
{
	(void)sig;
}

/* A signal ends a call that waits for room, with what it has written. */
static void interrupt_each_millisecond(void)
{
	const struct sigaction action = { .sa_handler = ignore };
	const struct itimerval each = { .it_interval.tv_usec = 1000,
					.it_value.tv_usec = 1000 };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &each, NULL);
}

/* More than a pipe takes at once, for a reader that is slow. */
static void what_is_written_in_parts_is_whole(void **state)
{
	static char large[300000];
	const struct iovec parts[] = { { large, 100001 },
				       { large + 100001, 199999 } };
	struct writer writer = { .fd = pipes[1] };
	uint32_t crc = 0;
	ssize_t got;
	pid_t child;

	(void)state;
	for (size_t i = 0; i < sizeof(large); i++)
		large[i] = (char)(i * 7 / 5);
	child = fork();
	if (!child) {
		interrupt_each_millisecond();
		writer_chunk(&writer, PFMD_SAMPLES, parts, 2);
		_exit(0);
	}
	close(pipes[1]);
	while ((got = read(pipes[0], file, 4000)) > 0 && !usleep(1500))
		crc = crc32c(crc, file, (size_t)got);
	close(pipes[0]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	pipes[1] = open("/dev/null", O_WRONLY | O_CLOEXEC);
	writer = (struct writer){ .fd = pipes[1] };
	assert_int_equal(writer_chunk(&writer, PFMD_SAMPLES, parts, 2), 0);
	assert_int_equal(crc, writer.crc);
	close(pipes[1]);
}

/* What goes into a pipe can be read again, up to where the copy has no room. */
static void a_copy_has_what_was_written(void **state)
{
	static char copy[FILE_MAX];
	int fd = memfd_create("copy", MFD_CLOEXEC);
	struct writer writer;
	size_t size;

	(void)state;
	writer_begin(&writer, pipes[1]);
	writer_copy(&writer, fd);
	writer_text(&writer, PFMD_META, "{}");
	writer_text(&writer, PFMD_COUNTS, "123456789");
	assert_true(writer.has_copy);
	size = take();
	assert_int_equal(pread(fd, copy, sizeof(copy), 0), size);
	assert_memory_equal(copy, file, size);
	close(fd);
}

static void a_copy_that_has_no_room_ends(void **state)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct writer writer;

	(void)state;
	writer_begin(&writer, pipes[1]);
	writer_copy(&writer, full);
	assert_false(writer.has_copy);
	assert_int_equal(writer_text(&writer, PFMD_META, "{}"), 0);
	close(full);
	full = memfd_create("copy", MFD_CLOEXEC);
	writer_copy(&writer, full);
	writer.bytes = WRITER_COPY_MAX;
	assert_int_equal(writer_text(&writer, PFMD_COUNTS, "{}"), 0);
	assert_false(writer.has_copy);
	assert_int_equal(lseek(full, 0, SEEK_END), PFMD_MAGIC_SIZE);
	close(full);
	take();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_checksum_is_that_of_the_standard),
		cmocka_unit_test_setup(chunks_are_padded_with_zeros, open_pipe),
		cmocka_unit_test_setup(a_mapping_has_its_path_and_its_file,
				       open_pipe),
		cmocka_unit_test_setup(
			a_mapping_without_a_file_ends_with_its_path, open_pipe),
		cmocka_unit_test_setup(a_task_has_its_name, open_pipe),
		cmocka_unit_test_setup(
			the_end_tells_the_samples_and_the_checksum_of_all_before,
			open_pipe),
		cmocka_unit_test_setup(nothing_follows_an_error, open_pipe),
		cmocka_unit_test_setup(what_is_written_in_parts_is_whole,
				       open_pipe),
		cmocka_unit_test_setup(a_copy_has_what_was_written, open_pipe),
		cmocka_unit_test_setup(a_copy_that_has_no_room_ends, open_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
