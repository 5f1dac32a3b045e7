// SPDX-License-Identifier: GPL-2.0-only
/* What pfmon makes of the records that marked programs write: sums, costs, groups. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "regions/regions.h"

static int file;

static int prepare(void **state)
{
	(void)state;
	file = memfd_create("records", MFD_CLOEXEC);
	return ftruncate(file, sizeof(struct mark_setup)) ||
	       lseek(file, 0, SEEK_END) < 0;
}

static int finish(void **state)
{
	(void)state;
	return close(file);
}

static void put(const void *bytes, size_t size)
{
	assert_int_equal(write(file, bytes, size), size);
}

/* A process with one thread, which has one region. */
struct record {
	uint32_t pid, tid;
	const char *comm;
	uint32_t means;
	uint64_t cost[2];
	const char *name;
	struct mark_region words;
};

static void put_record(const struct record *record)
{
	char name[16] = "";
	struct mark_region words = record->words;
	struct mark_thread thread = { .tid = record->tid,
				      .regions = 1,
				      .means = record->means,
				      .why = EBUSY };
	struct mark_process process = { .magic = MARK_PROCESS_MAGIC,
					.pid = record->pid,
					.threads = 1,
					.unmatched = 2 };

	strcpy(name, record->name);
	strcpy(process.comm, record->comm);
	memcpy(thread.cost, record->cost, sizeof(record->cost));
	words.name_length = (uint32_t)strlen(name);
	process.length = sizeof(process) + sizeof(thread) + sizeof(words) +
			 MARK_PADDED(words.name_length);
	put(&process, sizeof(process));
	put(&thread, sizeof(thread));
	put(&words, sizeof(words));
	put(name, MARK_PADDED(words.name_length));
}

/* Counters 0 and 1 are events 1 and 0. */
static void read_all(struct regions *regions, enum regions_grouping grouping)
{
	static const int places[] = { 1, 0 };

	assert_int_equal(regions_read(regions, file, grouping, places, 2), 0);
	assert_false(regions->broken);
}

/* So much is left of a count, if each of so many marks has its cost. */
static void what_marks_cost_is_taken_off(void **state)
{
	static const struct {
		uint64_t count, marks, cost, left;
	} rows[] = {
		{ 100, 0, 7, 100 },
		{ 100, 3, 0, 100 },
		{ 100, 3, 7, 79 },
		{ 21, 3, 7, 0 },
		{ 20, 3, 7, 0 },
		{ 0, 3, 7, 0 },
		{ UINT64_MAX, 1, UINT64_MAX, 0 },
		{ UINT64_MAX, 2, UINT64_MAX / 2, 1 },
		{ UINT64_MAX, 3, UINT64_MAX / 2, 0 },
	};
	struct regions regions;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct record record = {
			.comm = "a",
			.cost = { rows[i].cost, 1 },
			.name = "r",
			.words = { .marks = rows[i].marks,
				   .counts = { rows[i].count, UINT64_MAX } },
		};

		put_record(&record);
		read_all(&regions, REGIONS_THREADS);
		assert_int_equal(regions.rows[0].counts[1], rows[i].left);
		assert_int_equal(regions.rows[0].counts[0],
				 UINT64_MAX - rows[i].marks);
		assert_int_equal(regions.cost[1], rows[i].cost);
		assert_int_equal(regions.cost[0], 1);
		regions_free(&regions);
		assert_int_equal(ftruncate(file, sizeof(struct mark_setup)), 0);
		lseek(file, 0, SEEK_END);
	}
}

static const struct record records[] = {
	{ 8,
	  9,
	  "b",
	  MARK_BY_PAGE,
	  { 4, 1 },
	  "second",
	  { .entries = 1, .time_ns = 10, .counts = { 100, 7 } } },
	{ 8,
	  8,
	  "b",
	  MARK_BY_CALLS,
	  { 2, 5 },
	  "first",
	  { .entries = 2, .time_ns = 20, .counts = { 200, 7 } } },
	{ 8,
	  9,
	  "b",
	  MARK_BY_PAGE,
	  { 0, 0 },
	  "second",
	  { .entries = 4, .time_ns = 40, .counts = { 400, 7 } } },
	{ 8,
	  7,
	  "b",
	  MARK_BY_PAGE,
	  { 0, 0 },
	  "second",
	  { .open = 3, .entries = 8, .time_ns = 80, .counts = { 800, 7 } } },
	{ 5,
	  6,
	  "a",
	  MARK_UNCOUNTED,
	  { 0, 0 },
	  "second",
	  { .open = 1, .entries = 16, .time_ns = 160 } },
};

static const struct row {
	const char *name, *comm;
	uint32_t pid, tid;
	unsigned int threads;
	uint64_t entries, time_ns, counts[2];
	bool counted;
} of_threads[] = {
	{ "first", "b", 8, 8, 1, 2, 20, { 7, 200 }, true },
	{ "second", "a", 5, 6, 1, 16, 160, { 0, 0 }, false },
	{ "second", "b", 8, 7, 1, 8, 80, { 7, 800 }, true },
	{ "second", "b", 8, 9, 2, 5, 50, { 14, 500 }, true },
}, of_processes[] = {
	{ "first", "b", 8, 0, 1, 2, 20, { 7, 200 }, true },
	{ "second", "a", 5, 0, 1, 16, 160, { 0, 0 }, false },
	{ "second", "b", 8, 0, 3, 13, 130, { 21, 1300 }, true },
}, of_all[] = {
	{ "first", "b", 0, 0, 1, 2, 20, { 7, 200 }, true },
	{ "second", "", 0, 0, 4, 29, 290, { 21, 1300 }, false },
};

static void expect_rows(enum regions_grouping grouping, const struct row *rows,
			size_t count)
{
	struct regions regions;

	read_all(&regions, grouping);
	assert_int_equal(regions.count, count);
	for (size_t i = 0; i < count; i++) {
		const struct region_row *row = &regions.rows[i];

		assert_string_equal(row->name, rows[i].name);
		assert_string_equal(row->comm, rows[i].comm);
		assert_int_equal(row->pid, rows[i].pid);
		assert_int_equal(row->tid, rows[i].tid);
		assert_int_equal(row->threads, rows[i].threads);
		assert_int_equal(row->entries, rows[i].entries);
		assert_int_equal(row->time_ns, rows[i].time_ns);
		assert_int_equal(row->counted, rows[i].counted);
		assert_memory_equal(row->counts, rows[i].counts,
				    sizeof(rows[i].counts));
	}
	assert_int_equal(regions.processes, ARRAY_SIZE(records));
	assert_int_equal(regions.threads, ARRAY_SIZE(records));
	assert_int_equal(regions.unmatched, 2 * ARRAY_SIZE(records));
	assert_int_equal(regions.by_calls, 1);
	assert_int_equal(regions.uncounted, 1);
	assert_int_equal(regions.why, EBUSY);
	assert_int_equal(regions.open, 2);
	/* The largest of each event. */
	assert_int_equal(regions.cost[0], 5);
	assert_int_equal(regions.cost[1], 4);
	regions_free(&regions);
}

static void rows_are_put_together(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(records); i++)
		put_record(&records[i]);
	expect_rows(REGIONS_THREADS, of_threads, ARRAY_SIZE(of_threads));
	expect_rows(REGIONS_PROCESSES, of_processes, ARRAY_SIZE(of_processes));
	expect_rows(REGIONS_ALL, of_all, ARRAY_SIZE(of_all));
}

/* Up to the record that is broken, all are taken. */
static void what_follows_is_not_taken(void **state)
{
	static const int places[] = { 1, 0 };
	struct mark_process process = { .magic = MARK_PROCESS_MAGIC,
					.length = sizeof(process),
					.threads = 1 };
	struct regions regions;

	(void)state;
	put_record(&records[0]);
	put(&process, sizeof(process));
	put_record(&records[1]);
	assert_int_equal(regions_read(&regions, file, REGIONS_ALL, places, 2),
			 0);
	assert_true(regions.broken);
	assert_int_equal(regions.count, 1);
	assert_string_equal(regions.rows[0].name, "second");
	regions_free(&regions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, finish)
		TEST(what_marks_cost_is_taken_off),
		TEST(rows_are_put_together),
		TEST(what_follows_is_not_taken),
	};

	return cmocka_run_group_tests_name("pfmon_region_records", tests, NULL,
					   NULL);
}
