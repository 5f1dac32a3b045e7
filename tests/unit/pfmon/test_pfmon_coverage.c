// SPDX-License-Identifier: GPL-2.0-only
/* What is said of the CPU time that was counted, and of that which was not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "engine/coverage.h"

#define MS 1000000ull

static void the_share_is_rounded_to_tenths_of_a_percent(void **state)
{
	static const struct {
		struct coverage coverage;
		unsigned int permille;
	} cases[] = {
		{ { .cpu_ns = 0 }, 1000 },
		{ { .cpu_ns = 1000, .counted_ns = 0 }, 0 },
		{ { .cpu_ns = 1000, .counted_ns = 1000 }, 1000 },
		/* Clocks of two kinds: never more than all. */
		{ { .cpu_ns = 1000, .counted_ns = 1001 }, 1000 },
		{ { .cpu_ns = 4863700000, .counted_ns = 4862400000 }, 1000 },
		{ { .cpu_ns = 3609000000, .counted_ns = 2700000 }, 1 },
		{ { .cpu_ns = 1000, .counted_ns = 501 }, 501 },
		{ { .cpu_ns = UINT64_MAX, .counted_ns = UINT64_MAX / 2 }, 500 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(coverage_permille(&cases[i].coverage),
				 cases[i].permille);
}

static void the_kinds_of_core_are_told_if_events_are_of_one(void **state)
{
	const struct coverage none = { .cpu_ns = 1, .counted_ns = 1 };
	const struct coverage some = { .kind_ns = { 412, 588 } };
	const struct coverage one = { .kind_ns = { 0, 7 } };
	char text[64];

	(void)state;
	assert_null(coverage_kinds(&none, text, sizeof(text)));
	assert_string_equal(coverage_kinds(&some, text, sizeof(text)),
			    "41.2 % on cpu_core, 58.8 % on cpu_atom");
	assert_string_equal(coverage_kinds(&one, text, sizeof(text)),
			    "0.0 % on cpu_core, 100.0 % on cpu_atom");
}

/* Both bounds have to be crossed. */
static void little_uncounted_time_is_exact(void **state)
{
	static const struct {
		struct coverage coverage;
		bool exact;
	} cases[] = {
		{ { .cpu_ns = 10 * MS, .counted_ns = 0 }, true },
		{ { .cpu_ns = 10 * MS + 1, .counted_ns = 0 }, false },
		{ { .cpu_ns = 1000 * MS, .counted_ns = 950 * MS }, true },
		{ { .cpu_ns = 1000 * MS, .counted_ns = 950 * MS - 1 }, false },
		/* Each has a beginning and an end that nobody counts. */
		{ { .cpu_ns = 136 * MS, .counted_ns = 119 * MS, .traced = 14 },
		  true },
		{ { .cpu_ns = 136 * MS + 1,
		    .counted_ns = 119 * MS,
		    .traced = 14 },
		  false },
		/* Fork, exec and exit of many: none of them is missing. */
		{ { .cpu_ns = 163 * MS,
		    .counted_ns = 127 * MS,
		    .threads = 51,
		    .told = true },
		  true },
		{ { .cpu_ns = 163 * MS,
		    .counted_ns = 127 * MS,
		    .told = true,
		    .lost = 1 },
		  false },
		{ { .cpu_ns = 1, .counted_ns = 1, .lost = 1 }, false },
		{ { .cpu_ns = 1, .counted_ns = 1, .departed = 1 }, false },
		{ { .cpu_ns = 1, .counted_ns = 1, .blind_ns = 1 }, false },
		{ { .cpu_ns = 1, .counted_ns = 1, .throttled_ns = 1 }, false },
		{ { .cpu_ns = 1, .counted_ns = 1, .missed = 1 }, false },
		{ { .cpu_ns = 1, .counted_ns = 1, .off_line = 1 }, false },
		/* Shorter than any clock tells, but there. */
		{ { .cpu_ns = 1, .counted_ns = 1, .others = OTHERS_SOME },
		  false },
		{ { .cpu_ns = 1, .counted_ns = 1, .others = OTHERS_NONE },
		  true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(coverage_is_exact(&cases[i].coverage),
				 cases[i].exact);
}

static const struct {
	struct coverage coverage;
	const char *advice;
	const char *text;
} notes[] = {
	{ { .cpu_ns = 3609000000, .counted_ns = 2700000 },
	  "use --follow-all",
	  "counted 0.1 % of the command's CPU time: threads or children were not followed; use --follow-all" },
	{ { .cpu_ns = 100 * MS, .counted_ns = 50 * MS, .cgroup = true },
	  "use --follow=ptrace",
	  "counted 50.0 % of the cgroup's CPU time: processes entered it later" },
	{ { .cpu_ns = 100 * MS, .counted_ns = 50 * MS, .lost = 4 },
	  NULL,
	  "counted 50.0 % of the command's CPU time: 4 threads or children were not followed" },
	{ { .cpu_ns = 100 * MS, .counted_ns = 99 * MS, .lost = 1 },
	  NULL,
	  "counted 99.0 % of the command's CPU time: 1 thread or child was not followed" },
	{ { .cpu_ns = 100 * MS, .counted_ns = 100 * MS, .throttled_ns = 7 * MS },
	  NULL,
	  "counted 100.0 % of the command's CPU time: counting was throttled for 7 ms" },
	{ { .cpu_ns = 100 * MS, .counted_ns = 100 * MS, .missed = 12 },
	  "use --follow-all",
	  "counted 100.0 % of the command's CPU time: 12 samples found no room (-m)" },
	{ { .cpu_ns = 100 * MS,
	    .counted_ns = 100 * MS,
	    .missed = 12,
	    .unknown = 4 },
	  NULL,
	  "counted 100.0 % of the command's CPU time: 8 samples found no room (-m)" },
	{ { .cpu_ns = 100 * MS,
	    .counted_ns = 100 * MS,
	    .missed = 12,
	    .unknown = 12 },
	  NULL,
	  "counted 100.0 % of the command's CPU time: 12 records were of several events at once, or late" },
	{ { .cpu_ns = 100 * MS,
	    .counted_ns = 100 * MS,
	    .missed = 12,
	    .system_wide = true },
	  NULL,
	  "counted 100.0 % of the CPUs' time: 12 samples found no room (-m)" },
	{ { .cpu_ns = 100 * MS, .counted_ns = 90 * MS, .departed = 1 },
	  "use --follow=ptrace",
	  "counted 90.0 % of the command's CPU time: 1 thread or child had more rights than you (set-user-ID) or measured itself" },
	{ { .cpu_ns = 100 * MS, .counted_ns = 90 * MS, .departed = 2 },
	  NULL,
	  "counted 90.0 % of the command's CPU time: 2 threads or children had more rights than you (set-user-ID) or measured themselves" },
	{ { .cpu_ns = 100 * MS, .counted_ns = 10 * MS, .left_out = 2 },
	  "use --follow-all",
	  "counted 10.0 % of the command's CPU time: 2 programs were left out as told" },
	{ { .cpu_ns = 100 * MS, .counted_ns = 25 * MS, .system_wide = true },
	  NULL,
	  "counted 25.0 % of the CPUs' time: a CPU was not counted all along" },
};

static void the_note_gives_the_reason_and_the_remedy(void **state)
{
	char text[256];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++)
		assert_string_equal(coverage_note(&notes[i].coverage,
						  notes[i].advice, text,
						  sizeof(text)),
				    notes[i].text);
}

/* The time of new children is in no clock of the attached threads. */
static void of_others_beside_attached_threads_there_is_no_share(void **state)
{
	struct coverage coverage = { .cpu_ns = 1000,
				     .counted_ns = 1000,
				     .attached = true,
				     .others = OTHERS_SOME };
	char text[128];

	(void)state;
	assert_string_equal(coverage_note(&coverage, "omit -i", text,
					  sizeof(text)),
			    "threads or children were not followed; omit -i");
	coverage.counted_ns = 900;
	assert_string_equal(
		coverage_note(&coverage, NULL, text, sizeof(text)),
		"counted 90.0 % of the threads' CPU time: threads or children were not followed");
}

static void the_summary_counts_threads_or_cpus(void **state)
{
	struct coverage coverage = { .cpu_ns = 1000,
				     .counted_ns = 1000,
				     .threads = 5 };
	char text[128];

	(void)state;
	assert_string_equal(coverage_summary(&coverage, text, sizeof(text)),
			    "5 threads, 100.0 % of their CPU time");
	coverage.threads = 1;
	assert_string_equal(coverage_summary(&coverage, text, sizeof(text)),
			    "1 thread, 100.0 % of its CPU time");
	coverage.system_wide = true;
	assert_string_equal(coverage_summary(&coverage, text, sizeof(text)),
			    "1 CPU, 100.0 % of its time");
}

/* A share of the time would look as if threads were missing. */
static void none_missed_is_said_where_much_time_is_of_no_thread(void **state)
{
	struct coverage coverage = { .cpu_ns = 163 * MS,
				     .counted_ns = 127 * MS,
				     .threads = 51,
				     .told = true };
	char text[128];

	(void)state;
	assert_string_equal(coverage_summary(&coverage, text, sizeof(text)),
			    "51 threads, none missed");
	/* Of one that was throttled the time is missing all the same. */
	coverage.throttled_ns = 30 * MS;
	assert_string_equal(coverage_summary(&coverage, text, sizeof(text)),
			    "51 threads, 77.9 % of their CPU time");
	coverage.throttled_ns = 0;
	coverage.told = false;
	assert_string_equal(coverage_summary(&coverage, text, sizeof(text)),
			    "51 threads, 77.9 % of their CPU time");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_share_is_rounded_to_tenths_of_a_percent),
		cmocka_unit_test(
			the_kinds_of_core_are_told_if_events_are_of_one),
		cmocka_unit_test(little_uncounted_time_is_exact),
		cmocka_unit_test(the_note_gives_the_reason_and_the_remedy),
		cmocka_unit_test(
			of_others_beside_attached_threads_there_is_no_share),
		cmocka_unit_test(the_summary_counts_threads_or_cpus),
		cmocka_unit_test(
			none_missed_is_said_where_much_time_is_of_no_thread),
	};

	return cmocka_run_group_tests_name("pfmon_coverage", tests, NULL, NULL);
}
