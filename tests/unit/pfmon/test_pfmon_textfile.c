// SPDX-License-Identifier: GPL-2.0-only
/* Series as the parser of Prometheus takes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/report.h"

#define HEAD                                                                         \
	"# HELP pfmon_events_total Events that pfmon has counted since its start.\n" \
	"# TYPE pfmon_events_total counter\n"
#define TAIL                                                                          \
	"# HELP pfmon_coverage_ratio Part of the time that was counted.\n"            \
	"# TYPE pfmon_coverage_ratio gauge\n"                                         \
	"pfmon_coverage_ratio{scope=\"system\"} 0.500\n"                              \
	"# HELP pfmon_exact 1 if all was counted that was to be.\n"                   \
	"# TYPE pfmon_exact gauge\n"                                                  \
	"pfmon_exact{scope=\"system\"} 0\n"                                           \
	"# HELP pfmon_start_time_seconds When the counting began, since the epoch.\n" \
	"# TYPE pfmon_start_time_seconds gauge\n"                                     \
	"pfmon_start_time_seconds{scope=\"system\"} 1700000000\n"

static const struct report_event events[] = {
	{ .given = "instructions", .level = "user", .has_counter = true },
	{ .given = "A\"\\B", .level = "kernel", .has_counter = true },
	/* The same series again, which the parser would refuse. */
	{ .given = "instructions", .level = "user", .has_counter = true },
};

static const uint64_t first[] = { 736682309, 7, 1 }, second[] = { 5, 6, 1 },
		      sum[] = { 736682314, UINT64_MAX, 2 };

static void expect_of(const struct report_event *list, int list_count,
		      const struct report_row *rows, int count,
		      const char *wanted)
{
	const struct report report = {
		.scope = "system",
		.started_s = 1700000000,
		.coverage = { .cpu_ns = 100000000,
			      .counted_ns = 50000000,
			      .threads = 2,
			      .system_wide = true },
		.event_count = list_count,
		.events = list,
		.row_count = count,
		.rows = rows,
	};
	const struct report_style style = { .format = REPORT_TEXTFILE };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(report_write(&report, &style, out), 0);
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
}

static void expect(const struct report_row *rows, int count, const char *wanted)
{
	expect_of(events, 3, rows, count, wanted);
}

static void the_whole_is_one_series_for_each_event(void **state)
{
	static const struct report_row total[] = {
		{ .scope = SCOPE_TOTAL, .counts = sum },
	};

	(void)state;
	expect(total, 1,
	       HEAD
	       "pfmon_events_total{event=\"instructions\",level=\"user\",scope=\"system\"} 736682314\n"
	       "pfmon_events_total{event=\"A\\\"\\\\B\",level=\"kernel\",scope=\"system\"} 18446744073709551615\n" TAIL);
}

static void cpus_are_told_without_their_sum(void **state)
{
	static const struct report_row rows[] = {
		{ .scope = SCOPE_CPU, .cpu = 0, .counts = first },
		{ .scope = SCOPE_CPU, .cpu = 3, .counts = second },
		{ .scope = SCOPE_TOTAL, .counts = sum },
	};

	(void)state;
	expect(rows, 3,
	       HEAD
	       "pfmon_events_total{event=\"instructions\",level=\"user\",scope=\"system\",cpu=\"0\"} 736682309\n"
	       "pfmon_events_total{event=\"A\\\"\\\\B\",level=\"kernel\",scope=\"system\",cpu=\"0\"} 7\n"
	       "pfmon_events_total{event=\"instructions\",level=\"user\",scope=\"system\",cpu=\"3\"} 5\n"
	       "pfmon_events_total{event=\"A\\\"\\\\B\",level=\"kernel\",scope=\"system\",cpu=\"3\"} 6\n" TAIL);
}

/* A CPU reads the energy of its socket, but it is not that CPU's. */
static const struct report_event outside[] = {
	{ .given = "instructions", .level = "user", .has_counter = true },
	{ .given = "power/energy-pkg/", .level = "system", .of_machine = true },
};
static const bool none_absent[2], energy_absent[] = { false, true };

static void energy_is_of_the_whole_beside_cpus(void **state)
{
	static const struct report_row rows[] = {
		{ .scope = SCOPE_CPU,
		  .cpu = 0,
		  .counts = first,
		  .absent = none_absent },
		{ .scope = SCOPE_CPU,
		  .cpu = 3,
		  .counts = second,
		  .absent = energy_absent },
		{ .scope = SCOPE_TOTAL, .counts = sum, .absent = none_absent },
	};

	(void)state;
	expect_of(
		outside, 2, rows, 3,
		HEAD
		"pfmon_events_total{event=\"instructions\",level=\"user\",scope=\"system\",cpu=\"0\"} 736682309\n"
		"pfmon_events_total{event=\"instructions\",level=\"user\",scope=\"system\",cpu=\"3\"} 5\n"
		"pfmon_events_total{event=\"power/energy-pkg/\",level=\"system\",scope=\"system\"} 18446744073709551615\n" TAIL);
}

static void sockets_have_series_of_their_own(void **state)
{
	static const struct report_row rows[] = {
		{ .scope = SCOPE_SOCKET,
		  .place = "S0",
		  .counts = first,
		  .absent = none_absent },
		{ .scope = SCOPE_SOCKET,
		  .place = "S1",
		  .counts = second,
		  .absent = energy_absent },
		{ .scope = SCOPE_TOTAL, .counts = sum, .absent = energy_absent },
	};

	(void)state;
	expect_of(
		outside, 2, rows, 3,
		HEAD
		"pfmon_events_total{event=\"instructions\",level=\"user\",scope=\"system\",socket=\"S0\"} 736682309\n"
		"pfmon_events_total{event=\"power/energy-pkg/\",level=\"system\",scope=\"system\",socket=\"S0\"} 7\n"
		"pfmon_events_total{event=\"instructions\",level=\"user\",scope=\"system\",socket=\"S1\"} 5\n" TAIL);
}

/* A series that ends says so; one that stands still would be a wrong number. */
static void what_cannot_be_read_any_more_has_no_series(void **state)
{
	static const struct report_row total[] = {
		{ .scope = SCOPE_TOTAL, .counts = sum, .absent = energy_absent },
	};

	(void)state;
	expect_of(
		outside, 2, total, 1,
		HEAD
		"pfmon_events_total{event=\"instructions\",level=\"user\",scope=\"system\"} 736682314\n" TAIL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_whole_is_one_series_for_each_event),
		cmocka_unit_test(cpus_are_told_without_their_sum),
		cmocka_unit_test(energy_is_of_the_whole_beside_cpus),
		cmocka_unit_test(sockets_have_series_of_their_own),
		cmocka_unit_test(what_cannot_be_read_any_more_has_no_series),
	};

	return cmocka_run_group_tests_name("pfmon_textfile", tests, NULL, NULL);
}
