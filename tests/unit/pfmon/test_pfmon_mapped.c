// SPDX-License-Identifier: GPL-2.0-only
/* Files that are mapped are read as they were, whatever becomes of their names. */
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "message.h"
#include "record/build_id.h"
#include "record/mapped_files.h"
#include "scratch_dir.h"

static char *directory;

/* A file system whose files can be opened when the test says so. */
static int gate[2] = { -1, -1 };

int open(const char *path, int flags, ...)
{
	static int (*real)(const char *, int, ...);
	mode_t mode = 0;
	va_list args;
	char byte;

	va_start(args, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(args, mode_t);
	va_end(args);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "open");
	if (gate[0] >= 0 && strstr(path, "/silent") && read(gate[0], &byte, 1))
		gate[0] = -1;
	return real(path, flags, mode);
}

static char *path_of(const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", directory, name) > 0);
	return path;
}

/* What the kernel would tell of a file that this process has mapped. */
static void map_file(const char *path, struct file_mapping *mapping)
{
	static struct pfmd_map map;
	int fd = open(path, O_RDONLY);
	struct stat about;
	void *memory;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &about), 0);
	memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_true(memory != MAP_FAILED);
	close(fd);
	map = (struct pfmd_map){ .addr = (uint64_t)(uintptr_t)memory,
				 .len = 4096 };
	*mapping = (struct file_mapping){ .pid = getpid(),
					  .map = &map,
					  .path = path,
					  .dev = 7,
					  .ino = about.st_ino };
}

static struct pfmd_file see(struct mapped_files *files,
			    const struct file_mapping *mapping)
{
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	struct pfmd_file file;

	mapped_files_see(files, mapping, build_id, &file);
	return file;
}

/* The rows of the list. */
static size_t listed(struct mapped_files *files, struct kept_file rows[8])
{
	int list = mapped_files_list(files);
	ssize_t size;

	assert_true(list >= 0);
	size = read(list, rows, 8 * sizeof(*rows));
	close(list);
	assert_true(size >= 0);
	return (size_t)size / sizeof(*rows);
}

static bool has_text(int fd, const char *text)
{
	char found[64] = "";

	return pread(fd, found, sizeof(found) - 1, 0) >= 0 &&
	       !strcmp(found, text);
}

static void what_is_removed_later_can_be_read(void **state)
{
	struct mapped_files files = { .keep = true };
	struct kept_file rows[8];
	struct file_mapping mapping;
	struct pfmd_file file;
	char *path = path_of("gone");

	(void)state;
	scratch_write(directory, "gone", "text");
	map_file(path, &mapping);
	file = see(&files, &mapping);
	assert_int_equal(file.size, 4);
	assert_int_equal(file.dev, 7);
	assert_int_equal(file.ino, mapping.ino);
	unlink(path);
	scratch_write(directory, "gone", "another");
	assert_int_equal(listed(&files, rows), 1);
	assert_true(has_text(rows[0].fd, "text"));
	assert_memory_equal(&rows[0].file, &file, sizeof(file));
	/* Programs inherit it. */
	assert_int_equal(fcntl(rows[0].fd, F_GETFD), 0);
	mapped_files_close(&files);
	assert_int_equal(fcntl(rows[0].fd, F_GETFD), -1);
	free(path);
}

static void what_has_the_name_now_is_not_taken_for_it(void **state)
{
	struct mapped_files files = { .keep = true };
	struct kept_file rows[8];
	struct file_mapping mapping;
	struct pfmd_file file;
	char *path = path_of("replaced"), *other;

	(void)state;
	scratch_write(directory, "replaced", "before");
	map_file(path, &mapping);
	scratch_write(directory, "other", "later");
	other = path_of("other");
	assert_int_equal(rename(other, path), 0);
	free(other);
	file = see(&files, &mapping);
	/* Root finds it by its mapping; others know its number alone. */
	if (geteuid() == 0 && file.size) {
		assert_int_equal(file.size, strlen("before"));
		assert_int_equal(listed(&files, rows), 1);
		assert_true(has_text(rows[0].fd, "before"));
	} else {
		assert_int_equal(file.size, 0);
		assert_int_equal(file.ino, mapping.ino);
		assert_int_equal(listed(&files, rows), 0);
	}
	mapped_files_close(&files);
	free(path);
}

static void a_program_is_found_by_its_build_id(void **state)
{
	struct mapped_files files = { .keep = true };
	uint8_t build_id[PFMD_BUILD_ID_SIZE], found[PFMD_BUILD_ID_SIZE];
	struct pfmd_map map = { .addr = 1, .len = 1 };
	struct file_mapping mapping = { .pid = getpid(),
					.map = &map,
					.path = "/not/there" };
	struct kept_file rows[8];
	struct pfmd_file file;
	int self = open("/proc/self/exe", O_RDONLY);

	(void)state;
	if (!build_id_read(self, build_id))
		skip();
	close(self);
	/* It was removed, but it runs. */
	memcpy(map.build_id, build_id, sizeof(build_id));
	mapped_files_see(&files, &mapping, found, &file);
	assert_memory_equal(found, build_id, sizeof(found));
	assert_int_equal(listed(&files, rows), 1);
	assert_memory_equal(rows[0].build_id, build_id, sizeof(found));
	/* Another one is not the program. */
	map.build_id[0] ^= 1;
	mapped_files_see(&files, &mapping, found, &file);
	assert_memory_equal(found, map.build_id, sizeof(found));
	assert_int_equal(listed(&files, rows), 1);
	mapped_files_close(&files);
}

static void what_is_written_anew_is_another_file(void **state)
{
	static const struct timespec times[2] = { { 5, 0 }, { 5, 0 } };
	struct mapped_files files = { .keep = true };
	struct file_mapping mapping;
	struct pfmd_file first, second;
	char *path = path_of("anew");

	(void)state;
	scratch_write(directory, "anew", "one");
	map_file(path, &mapping);
	first = see(&files, &mapping);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	second = see(&files, &mapping);
	assert_int_equal(second.mtime_ns, 5000000000);
	assert_int_not_equal(first.mtime_ns, second.mtime_ns);
	mapped_files_close(&files);
	free(path);
}

static void sessions_have_their_share_of_descriptors(void **state)
{
	struct mapped_files files = { .keep = true };
	struct kept_file rows[8];
	struct rlimit before, few = { 16, 0 };
	char name[16];

	(void)state;
	getrlimit(RLIMIT_NOFILE, &before);
	few.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_NOFILE, &few);
	for (int i = 0; i < 6; i++) {
		struct file_mapping mapping;
		char *path;

		snprintf(name, sizeof(name), "many%d", i);
		scratch_write(directory, name, name);
		path = path_of(name);
		map_file(path, &mapping);
		assert_int_equal(see(&files, &mapping).size, strlen(name));
		free(path);
	}
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(listed(&files, rows), 4);
	mapped_files_close(&files);
}

static void nothing_is_kept_unless_it_is_wanted(void **state)
{
	struct mapped_files files = { .keep = false };
	struct kept_file rows[8];
	struct file_mapping mapping;
	char *path = path_of("looked");

	(void)state;
	scratch_write(directory, "looked", "at");
	map_file(path, &mapping);
	assert_int_equal(see(&files, &mapping).size, 2);
	assert_int_equal(listed(&files, rows), 0);
	mapped_files_close(&files);
	free(path);
}

static void names_lose_what_the_kernel_puts_behind_them(void **state)
{
	static const struct {
		const char *told, *name;
	} cases[] = {
		{ "/x/prog (deleted)", "/x/prog" },
		{ "/x/prog", "/x/prog" },
		{ "/ (deleted)", "/" },
		{ " (deleted)", " (deleted)" },
		{ "[heap] (deleted)", "[heap] (deleted)" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char path[32];

		strcpy(path, cases[i].told);
		mapped_files_cut(path);
		assert_string_equal(path, cases[i].name);
	}
}

/* The last test: the thread that waits stays. */
static void a_file_that_does_not_answer_stops_nobody(void **state)
{
	struct mapped_files files = { .keep = true };
	struct kept_file rows[8];
	struct file_mapping mapping;
	char *path = path_of("silent"), *other = path_of("other");

	(void)state;
	scratch_write(directory, "silent", "text");
	map_file(path, &mapping);
	assert_int_equal(pipe(gate), 0);
	message_catch();
	assert_int_equal(see(&files, &mapping).size, 0);
	message_expect("/silent: not opened within 2 s", NULL);
	/* The next one is not even asked for. */
	scratch_write(directory, "other", "text");
	map_file(other, &mapping);
	message_catch();
	assert_int_equal(see(&files, &mapping).size, 0);
	message_expect_none();
	assert_int_equal(listed(&files, rows), 0);
	mapped_files_close(&files);
	free(path);
	free(other);
}

static int set_up(void **state)
{
	(void)state;
	directory = scratch_make();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	scratch_remove(directory);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_removed_later_can_be_read),
		cmocka_unit_test(what_has_the_name_now_is_not_taken_for_it),
		cmocka_unit_test(a_program_is_found_by_its_build_id),
		cmocka_unit_test(what_is_written_anew_is_another_file),
		cmocka_unit_test(sessions_have_their_share_of_descriptors),
		cmocka_unit_test(nothing_is_kept_unless_it_is_wanted),
		cmocka_unit_test(names_lose_what_the_kernel_puts_behind_them),
		cmocka_unit_test(a_file_that_does_not_answer_stops_nobody),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
