// SPDX-License-Identifier: GPL-2.0-only
/*
 * Regions: from the marks in a program to pfmon's report. The kernel is a counter
 * here that goes on when the test works, and whenever it is read (mark_kernel.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define LIKWID_PERFMON
#include <mark/likwid-marker.h>
#include <perfmon/pfm_state.h>

#include "mark_kernel.h"
#include "message.h"
#include "regions/regions.h"

static int file;

static void work(uint64_t instructions)
{
	counted += instructions;
}

/* What the process has handed over since the last time. */
static void take(struct regions *regions, enum regions_grouping grouping)
{
	pfmon_mark_flush();
	assert_int_equal(regions_read(regions, file, grouping,
				      mark_kernel_places, 2),
			 0);
	assert_int_equal(ftruncate(file, sizeof(struct mark_setup)), 0);
}

static const struct region_row *row_of(const struct regions *regions,
				       const char *name)
{
	for (size_t i = 0; i < regions->count; i++) {
		if (!strcmp(regions->rows[i].name, name))
			return &regions->rows[i];
	}
	fail_msg("no region %s", name);
	return NULL;
}

static void expect(const struct regions *regions, const char *name,
		   uint64_t entries, uint64_t count)
{
	const struct region_row *row = row_of(regions, name);

	assert_int_equal(row->entries, entries);
	assert_int_equal(row->counts[1], count);
	assert_int_equal(row->counts[0], 3 * count);
}

/* The first test: afterwards the process knows. */
static void marks_are_nothing_without_pfmon(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (!pid) {
		unsetenv(MARK_VARIABLE);
		pfmon_mark_begin("a");
		pfmon_mark_end("a");
		pfmon_mark_flush();
		_exit(pfmon_mark_active() || sessions || counted);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

static void a_region_has_what_is_between_its_marks(void **state)
{
	struct regions regions;

	(void)state;
	for (int i = 0; i < 3; i++) {
		work(5000);
		PFMON_REGION_BEGIN("loop");
		work(1000);
		PFMON_REGION_END("loop");
	}
	take(&regions, REGIONS_ALL);
	assert_int_equal(regions.count, 1);
	assert_int_equal(regions.threads, 1);
	assert_int_equal(regions.by_calls, 1);
	assert_int_equal(regions.cost[1], BEFORE + BEHIND);
	expect(&regions, "loop", 3, 3000);
	regions_free(&regions);
}

static void inner_marks_are_no_part_of_outer_regions(void **state)
{
	struct regions regions;

	(void)state;
	PFMON_REGION_BEGIN("outer");
	for (int i = 0; i < 100; i++) {
		work(3);
		PFMON_REGION_BEGIN("inner");
		work(5);
		PFMON_REGION_END("inner");
	}
	PFMON_REGION_END("outer");
	take(&regions, REGIONS_ALL);
	expect(&regions, "inner", 100, 500);
	expect(&regions, "outer", 1, 800);
	regions_free(&regions);
}

/* As when a page of the library has to be read. */
static void a_mark_that_takes_longer_is_no_part_of_a_region(void **state)
{
	struct regions regions;

	(void)state;
	PFMON_REGION_BEGIN("outer");
	longer = 1000;
	PFMON_REGION_BEGIN("inner");
	work(5);
	PFMON_REGION_END("inner");
	longer = 0;
	PFMON_REGION_END("outer");
	take(&regions, REGIONS_ALL);
	expect(&regions, "inner", 1, 5);
	expect(&regions, "outer", 1, 5);
	regions_free(&regions);
}

static void regions_overlap_and_begin_again_inside_themselves(void **state)
{
	struct regions regions;

	(void)state;
	pfmon_mark_begin("a");
	work(1);
	pfmon_mark_begin("b");
	work(10);
	pfmon_mark_begin("a");
	work(100);
	pfmon_mark_end("a");
	work(1000);
	pfmon_mark_end("a");
	work(10000);
	pfmon_mark_end("b");
	take(&regions, REGIONS_ALL);
	expect(&regions, "a", 1, 1111);
	expect(&regions, "b", 1, 11110);
	regions_free(&regions);
}

static void counts_have_64_bits(void **state)
{
	const uint64_t many = UINT64_C(0x123456789abcdef);
	struct regions regions;

	(void)state;
	pfmon_mark_begin("long");
	work(many);
	pfmon_mark_end("long");
	take(&regions, REGIONS_ALL);
	expect(&regions, "long", 1, many);
	regions_free(&regions);
}

static void many_regions_are_found_again(void **state)
{
	struct regions regions;
	char name[16];

	(void)state;
	for (unsigned int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "r%u", i % 1000);
		pfmon_mark_begin(name);
		work(i);
		pfmon_mark_end(name);
	}
	take(&regions, REGIONS_ALL);
	assert_int_equal(regions.count, 1000);
	expect(&regions, "r7", 3, 7 + 1007 + 2007);
	regions_free(&regions);
}

static void what_was_handed_over_is_not_told_again(void **state)
{
	struct regions regions;

	(void)state;
	LIKWID_MARKER_INIT;
	LIKWID_MARKER_START("likwid");
	work(20);
	LIKWID_MARKER_STOP("likwid");
	take(&regions, REGIONS_ALL);
	expect(&regions, "likwid", 1, 20);
	regions_free(&regions);
	LIKWID_MARKER_START("likwid");
	work(30);
	LIKWID_MARKER_STOP("likwid");
	LIKWID_MARKER_START("forgotten");
	LIKWID_MARKER_STOP("forgotten");
	LIKWID_MARKER_RESET("forgotten");
	LIKWID_MARKER_CLOSE;
	take(&regions, REGIONS_ALL);
	assert_int_equal(regions.count, 1);
	expect(&regions, "likwid", 1, 30);
	regions_free(&regions);
}

static void marks_without_their_other_end_are_told(void **state)
{
	struct regions regions;

	(void)state;
	pfmon_mark_end("never begun");
	pfmon_mark_begin("never ended");
	take(&regions, REGIONS_ALL);
	assert_int_equal(regions.unmatched, 1);
	assert_int_equal(regions.open, 1);
	regions_free(&regions);
	pfmon_mark_end("never ended");
	take(&regions, REGIONS_ALL);
	assert_int_equal(regions.open, 0);
	assert_int_equal(row_of(&regions, "never ended")->entries, 1);
	regions_free(&regions);
}

static void *thread_works(void *arg)
{
	pfmon_mark_begin("shared");
	work((uintptr_t)arg);
	pfmon_mark_end("shared");
	return NULL;
}

static void run_thread(uintptr_t instructions)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, thread_works,
					(void *)instructions),
			 0);
	pthread_join(thread, NULL);
}

static void each_thread_has_a_session_and_a_row(void **state)
{
	int before = sessions;
	struct regions regions;

	(void)state;
	run_thread(100);
	run_thread(200);
	thread_works((void *)400);
	assert_int_equal(sessions, before + 2);
	take(&regions, REGIONS_THREADS);
	assert_int_equal(regions.count, 3);
	assert_int_equal(regions.rows[0].counts[1] + regions.rows[1].counts[1] +
				 regions.rows[2].counts[1],
			 700);
	assert_int_equal(regions.rows[0].pid, getpid());
	assert_true(regions.rows[0].tid < regions.rows[1].tid);
	regions_free(&regions);
	run_thread(100);
	thread_works((void *)400);
	take(&regions, REGIONS_PROCESSES);
	assert_int_equal(regions.count, 1);
	assert_int_equal(regions.rows[0].threads, 2);
	expect(&regions, "shared", 2, 500);
	regions_free(&regions);
}

/* So that its table grows, time and again. */
#define NAMES 3000

static void *thread_names(void *done)
{
	char name[16];

	for (int i = 0; i < 2 * NAMES; i++) {
		snprintf(name, sizeof(name), "n%d", i % NAMES);
		pfmon_mark_begin(name);
		work(10);
		pfmon_mark_end(name);
	}
	__atomic_store_n((bool *)done, true, __ATOMIC_RELEASE);
	return NULL;
}

static void threads_go_on_while_others_hand_over(void **state)
{
	struct regions regions;
	bool done = false;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, thread_names, &done), 0);
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
		pfmon_mark_flush();
	pthread_join(thread, NULL);
	take(&regions, REGIONS_ALL);
	assert_false(regions.broken);
	assert_int_equal(regions.count, NAMES);
	for (int i = 0; i < NAMES; i++) {
		assert_int_equal(regions.rows[i].entries, 2);
		assert_int_equal(regions.rows[i].counts[1], 20);
	}
	regions_free(&regions);
}

static void a_thread_that_cannot_be_counted_is_told(void **state)
{
	struct regions regions;

	(void)state;
	attach_error = EEXIST;
	run_thread(100);
	attach_error = 0;
	take(&regions, REGIONS_ALL);
	assert_int_equal(regions.uncounted, 1);
	assert_int_equal(regions.why, EEXIST);
	assert_false(row_of(&regions, "shared")->counted);
	assert_int_equal(row_of(&regions, "shared")->entries, 1);
	regions_free(&regions);
}

static void a_child_has_its_own_counts(void **state)
{
	struct regions regions;
	int status;
	pid_t pid;

	(void)state;
	pfmon_mark_begin("parent");
	work(50);
	pid = fork();
	if (!pid) {
		pfmon_mark_end("parent");
		thread_works((void *)8);
		pfmon_mark_flush();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	pfmon_mark_end("parent");
	take(&regions, REGIONS_PROCESSES);
	assert_int_equal(regions.processes, 2);
	assert_int_equal(regions.unmatched, 1);
	assert_int_equal(regions.count, 2);
	expect(&regions, "parent", 1, 50);
	expect(&regions, "shared", 1, 8);
	assert_int_equal(row_of(&regions, "shared")->pid, pid);
	regions_free(&regions);
}

static void a_file_that_took_the_number_is_left_alone(void **state)
{
	int number = atoi(getenv(MARK_VARIABLE)), status;
	struct regions regions;
	char byte;
	pid_t pid;

	(void)state;
	pid = fork();
	if (!pid) {
		/* On the device that pfmon's is on. */
		int other = memfd_create("other", MFD_CLOEXEC);

		dup2(other, number);
		thread_works((void *)8);
		pfmon_mark_flush();
		_exit(pread(number, &byte, 1, 0) == 0 ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	take(&regions, REGIONS_ALL);
	assert_int_equal(regions.processes, 0);
	regions_free(&regions);
}

/* Copies the records with so many bytes, one of them changed. */
static void read_changed(const char *records, size_t size, size_t where,
			 char value)
{
	int copy = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	struct regions regions;

	assert_int_equal(pwrite(copy, records, size, sizeof(struct mark_setup)),
			 size);
	if (where < size)
		assert_int_equal(
			pwrite(copy, &value, 1,
			       (off_t)(sizeof(struct mark_setup) + where)),
			1);
	assert_int_equal(regions_read(&regions, copy, REGIONS_THREADS,
				      mark_kernel_places, 2),
			 0);
	if (where >= size)
		assert_true(regions.broken || !size);
	regions_free(&regions);
	close(copy);
}

/* The name ends the record. */
static void a_name_that_is_longer_than_the_record_is_refused(void **state)
{
	const off_t words = sizeof(struct mark_region) + MARK_PADDED(6);
	struct mark_region long_one = { .name_length = MARK_NAME_MAX - 1 };
	struct regions regions;

	(void)state;
	thread_works((void *)8);
	pfmon_mark_flush();
	assert_int_equal(fcntl(file, F_SETFL, 0), 0);
	assert_int_equal(pwrite(file, &long_one, sizeof(long_one),
				lseek(file, 0, SEEK_END) - words),
			 sizeof(long_one));
	assert_int_equal(fcntl(file, F_SETFL, O_APPEND), 0);
	assert_int_equal(regions_read(&regions, file, REGIONS_THREADS,
				      mark_kernel_places, 2),
			 0);
	assert_true(regions.broken);
	assert_int_equal(regions.count, 0);
	regions_free(&regions);
	assert_int_equal(ftruncate(file, sizeof(struct mark_setup)), 0);
}

static void nothing_in_a_record_is_believed(void **state)
{
	char records[4096];
	ssize_t size;

	(void)state;
	thread_works((void *)8);
	run_thread(8);
	pfmon_mark_flush();
	size = pread(file, records, sizeof(records), sizeof(struct mark_setup));
	assert_true(size > 0 && size < (ssize_t)sizeof(records));
	for (size_t i = 0; i < (size_t)size; i++) {
		read_changed(records, i, i, 0);
		read_changed(records, (size_t)size, i, -1);
		read_changed(records, (size_t)size, i, 0);
		read_changed(records, (size_t)size, i, 64);
	}
	assert_int_equal(ftruncate(file, sizeof(struct mark_setup)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_are_nothing_without_pfmon),
		cmocka_unit_test(a_region_has_what_is_between_its_marks),
		cmocka_unit_test(inner_marks_are_no_part_of_outer_regions),
		cmocka_unit_test(
			a_mark_that_takes_longer_is_no_part_of_a_region),
		cmocka_unit_test(
			regions_overlap_and_begin_again_inside_themselves),
		cmocka_unit_test(counts_have_64_bits),
		cmocka_unit_test(many_regions_are_found_again),
		cmocka_unit_test(what_was_handed_over_is_not_told_again),
		cmocka_unit_test(marks_without_their_other_end_are_told),
		cmocka_unit_test(each_thread_has_a_session_and_a_row),
		cmocka_unit_test(threads_go_on_while_others_hand_over),
		cmocka_unit_test(a_thread_that_cannot_be_counted_is_told),
		cmocka_unit_test(a_child_has_its_own_counts),
		cmocka_unit_test(a_file_that_took_the_number_is_left_alone),
		cmocka_unit_test(nothing_in_a_record_is_believed),
		cmocka_unit_test(
			a_name_that_is_longer_than_the_record_is_refused),
	};

	file = mark_kernel_ask();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
