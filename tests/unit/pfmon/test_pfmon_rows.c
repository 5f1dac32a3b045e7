// SPDX-License-Identifier: GPL-2.0-only
/* What rows of threads have of the events that the kernel tells of a command. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "report/report.h"

static const uint64_t few[] = { 3000, 4000 };

static const struct report_row threads[] = {
	{ .scope = SCOPE_THREAD, .tid = 8, .comm = "sh", .counts = few },
	{ .scope = SCOPE_TOTAL, .counts = few },
};

/* The report as text, to be freed. */
static char *written(const struct report *report, enum report_format format)
{
	const struct report_style style = { .format = format,
					    .separator = "," };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(report_write(report, &style, out), 0);
	fclose(out);
	return text;
}

/* Lines, or objects of JSON, whose event has this name. */
static int lines_with(const char *text, const char *name)
{
	int count = 0;

	for (const char *at = text; (at = strstr(at, name)); count++)
		at = strpbrk(at, "\n}") ? strpbrk(at, "\n}") : at + strlen(at);
	return count;
}

static void of_rows_only_the_whole_has_the_switches_of_all(void **state)
{
	static const struct report_event soft[] = {
		{ .name = "task-clock",
		  .native = "clock",
		  .meaning = MEANS_TIME,
		  .level = "user",
		  .unit = "ns" },
		{ .name = "context-switches",
		  .native = "switches",
		  .level = "user",
		  .unit = "" },
	};
	/* perf's fields have no total beside rows. */
	static const struct {
		enum report_format format;
		int clocks, switches;
	} cases[] = {
		{ REPORT_TABLE, 2, 1 },	    { REPORT_STAT, 2, 1 },
		{ REPORT_JSON, 2, 1 },	    { REPORT_CSV, 2, 1 },
		{ REPORT_SEPARATED, 1, 0 },
	};
	const struct report one = {
		.verb = "",
		.model = "AMD Core Perfctr",
		.follow = "ptrace",
		.scope = "command",
		.event_count = 2,
		.events = soft,
		.row_count = 2,
		.rows = threads,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = written(&one, cases[i].format);

		assert_int_equal(lines_with(text, "task-clock"),
				 cases[i].clocks);
		assert_int_equal(lines_with(text, "context-switches"),
				 cases[i].switches);
		free(text);
	}
}

/* Where one CPU counts for all, it alone has a row beside the whole. */
static void what_one_cpu_counts_for_all_is_in_its_row(void **state)
{
	static const struct report_event events[] = {
		{ .name = "msr/tsc/",
		  .given = "msr/tsc/",
		  .native = "tsc",
		  .level = "system",
		  .of_machine = true,
		  .unit = "" },
		{ .name = "retired_insns",
		  .given = "retired_insns",
		  .native = "INSTRUCTIONS",
		  .level = "user",
		  .has_counter = true,
		  .unit = "" },
	};
	static const bool none[2], first[] = { true, false };
	static const struct report_row rows[] = {
		{ .scope = SCOPE_CPU, .cpu = 0, .counts = few, .absent = none },
		{ .scope = SCOPE_CPU, .cpu = 1, .counts = few, .absent = first },
		{ .scope = SCOPE_TOTAL, .counts = few, .absent = none },
	};
	static const struct {
		enum report_format format;
		int machine, cores;
	} cases[] = {
		{ REPORT_TABLE, 2, 3 },	    { REPORT_STAT, 2, 3 },
		{ REPORT_JSON, 2, 3 },	    { REPORT_CSV, 2, 3 },
		{ REPORT_SEPARATED, 1, 2 }, { REPORT_TEXTFILE, 1, 2 },
	};
	const struct report one = {
		.verb = "",
		.model = "AMD Core Perfctr",
		.follow = "none",
		.scope = "system",
		.event_count = 2,
		.events = events,
		.row_count = 3,
		.rows = rows,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = written(&one, cases[i].format);

		assert_int_equal(lines_with(text, "msr/tsc/"),
				 cases[i].machine);
		assert_int_equal(lines_with(text, "retired_insns"),
				 cases[i].cores);
		free(text);
	}
}

static void what_cannot_be_read_any_more_is_nowhere(void **state)
{
	static const enum report_format formats[] = {
		REPORT_TABLE, REPORT_STAT,	REPORT_JSON,
		REPORT_CSV,   REPORT_SEPARATED, REPORT_TEXTFILE,
	};
	static const struct report_event events[] = {
		{ .name = "power/energy-pkg/",
		  .given = "power/energy-pkg/",
		  .native = "energy",
		  .level = "system",
		  .of_machine = true,
		  .unit = "uJ" },
	};
	static const bool gone[] = { true };
	static const struct report_row rows[] = {
		{ .scope = SCOPE_TOTAL, .counts = few, .absent = gone },
	};
	const struct report one = {
		.verb = "stat",
		.model = "AMD Core Perfctr",
		.follow = "none",
		.scope = "system",
		.event_count = 1,
		.events = events,
		.row_count = 1,
		.rows = rows,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		char *text = written(&one, formats[i]);

		assert_int_equal(lines_with(text, "energy-pkg"), 0);
		free(text);
	}
}

/* Threads choose their names: a row stays a line. */
static void control_characters_of_names_are_question_marks(void **state)
{
	static const struct report_event event = { .name = "cycles",
						   .native = "cycles",
						   .level = "user",
						   .unit = "",
						   .has_counter = true };
	static const struct report_row row = { .scope = SCOPE_THREAD,
					       .tid = 8,
					       .comm = "a\033[31mb\nc",
					       .counts = few };
	static const enum report_format formats[] = { REPORT_TABLE,
						      REPORT_STAT };
	const struct report one = { .verb = "",
				    .model = "AMD Core Perfctr",
				    .follow = "ptrace",
				    .scope = "command",
				    .event_count = 1,
				    .events = &event,
				    .row_count = 1,
				    .rows = &row };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		char *text = written(&one, formats[i]);

		assert_non_null(strstr(text, "a?[31mb?c"));
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			of_rows_only_the_whole_has_the_switches_of_all),
		cmocka_unit_test(what_one_cpu_counts_for_all_is_in_its_row),
		cmocka_unit_test(what_cannot_be_read_any_more_is_nowhere),
		cmocka_unit_test(
			control_characters_of_names_are_question_marks),
	};

	return cmocka_run_group_tests_name("pfmon_rows", tests, NULL, NULL);
}
