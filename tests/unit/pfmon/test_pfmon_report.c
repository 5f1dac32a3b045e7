// SPDX-License-Identifier: GPL-2.0-only
/* The output formats of pfmon, byte by byte. */
#include <errno.h>
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

static const struct report_event two_events[] = {
	{ .name = "RETIRED_INSTRUCTIONS",
	  .native = "RETIRED_INSTRUCTIONS",
	  .meaning = MEANS_INSTRUCTIONS,
	  .level = "user",
	  .unit = "",
	  .has_counter = true,
	  .counter = 0,
	  .selector = 0x5100c0 },
	{ .name = "cycles",
	  .native = "CYCLES_NOT_IN_HALT",
	  .meaning = MEANS_CYCLES,
	  .level = "user",
	  .unit = "",
	  .has_counter = true,
	  .counter = 17,
	  .selector = 0x510076 },
};

static const uint64_t counts[] = { 2000000012, UINT64_MAX };
static const uint64_t few[] = { 3000, 4000 };

static const struct report_row total[] = {
	{ .scope = SCOPE_TOTAL, .counts = counts, .counted_ns = 999000 },
};

static const struct report_row threads[] = {
	{ .scope = SCOPE_THREAD,
	  .pid = 7,
	  .tid = 8,
	  .ppid = 1,
	  .comm = "sh",
	  .counts = few,
	  .counted_ns = 5 },
	{ .scope = SCOPE_TOTAL, .counts = few, .counted_ns = 5 },
};

static const struct report_row cpus[] = {
	{ .scope = SCOPE_CPU, .cpu = 3, .counts = few, .counted_ns = 5 },
};

static const struct report_row places[] = {
	{ .scope = SCOPE_CORE,
	  .place = "S0-D0-C1",
	  .cpus = 2,
	  .counts = few,
	  .counted_ns = 5 },
	{ .scope = SCOPE_SOCKET,
	  .place = "S1",
	  .cpus = 8,
	  .counts = few,
	  .counted_ns = 5 },
};

static char *const command[] = { (char *)"/bin/sh", (char *)"-c",
				 (char *)"echo \"a\xc3\xa4\xff\"", NULL };

static const struct report report = {
	.verb = "",
	.command = command,
	.model = "AMD Core Perfctr",
	.follow = "none",
	.advice = "use --follow-all",
	.scope = "command",
	.exit_status = 3,
	.run = 1,
	.elapsed_ns = 1234567890123,
	.user_ns = 1500000,
	.sys_ns = 250000,
	.coverage = { .cpu_ns = 1000000, .counted_ns = 999000, .threads = 1 },
	.event_count = 2,
	.events = two_events,
	.row_count = 1,
	.rows = total,
};

/* Four workers beside the one that was counted. */
static const struct coverage partial = { .cpu_ns = 3609000000,
					 .counted_ns = 2700000,
					 .threads = 1 };

/* json-c 0.18 writes an empty array in one line, earlier ones did in two. */
static void join_empty_array(char *text)
{
	static const char two_lines[] = "[\n  ]";
	char *at = strstr(text, two_lines);

	if (at)
		memmove(at + 1, at + sizeof(two_lines) - 2,
			strlen(at + sizeof(two_lines) - 2) + 1);
}

static void expect_style(const struct report *what,
			 const struct report_style *style, const char *wanted)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(report_write(what, style, out), 0);
	fclose(out);
	join_empty_array(text);
	assert_string_equal(text, wanted);
	free(text);
}

static void expect(const struct report *what, enum report_format format,
		   const char *wanted)
{
	const struct report_style style = { .format = format,
					    .separator = ",",
					    .first = true };

	expect_style(what, &style, wanted);
}

static void table(void **state)
{
	(void)state;
	expect(&report, REPORT_TABLE,
	       "               COUNT  LEVEL        EVENT\n"
	       "          2000000012  user         RETIRED_INSTRUCTIONS\n"
	       "18446744073709551615  user         cycles\n");
}

static void a_table_begins_with_what_was_missed(void **state)
{
	struct report one = report;

	(void)state;
	one.coverage = partial;
	one.event_count = 1;
	expect(&one, REPORT_TABLE,
	       "# note: counted 0.1 % of the command's CPU time: threads or "
	       "children were not followed; use --follow-all\n"
	       "               COUNT  LEVEL        EVENT\n"
	       "          2000000012  user         RETIRED_INSTRUCTIONS\n");
}

static void rows_tell_whose_they_are(void **state)
{
	struct report one = report;

	(void)state;
	one.rows = threads;
	one.event_count = 1;
	expect(&one, REPORT_TABLE,
	       "               COUNT  LEVEL        EVENT\n"
	       "                3000  user         RETIRED_INSTRUCTIONS sh (7,8,1)\n");
	one.rows = cpus;
	expect(&one, REPORT_TABLE,
	       "               COUNT  LEVEL        EVENT\n"
	       "CPU3                   3000  user         RETIRED_INSTRUCTIONS\n");
	one.rows = places;
	expect(&one, REPORT_TABLE,
	       "               COUNT  LEVEL        EVENT\n"
	       "S0-D0-C1                   3000  user         RETIRED_INSTRUCTIONS\n");
}

static void numbers_have_the_marks_that_were_asked_for(void **state)
{
	static const struct {
		enum report_digits digits;
		const char *text;
	} cases[] = {
		{ DIGITS_COMMA, "2,000,000,012" },
		{ DIGITS_POINT, "2.000.000.012" },
		{ DIGITS_HEX, "0x7735940c" },
	};
	struct report one = report;

	(void)state;
	one.event_count = 1;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct report_style style = { .digits = cases[i].digits };
		char wanted[128];

		snprintf(wanted, sizeof(wanted),
			 "%20s  user         RETIRED_INSTRUCTIONS\n",
			 cases[i].text);
		expect_style(&one, &style, wanted);
	}
}

static void times_are_those_of_3_9(void **state)
{
	const struct report_style style = { .times = true };
	struct report one = report;

	(void)state;
	one.row_count = 0;
	expect_style(&one, &style,
		     "real 0h20m34.567s user 0h00m00.001s sys 0h00m00.000s\n");
	one.elapsed_ns = 3600000000000 * 101 - 1;
	one.user_ns = 59999999999;
	expect_style(
		&one, &style,
		"real 100h59m59.999s user 0h00m59.999s sys 0h00m00.000s\n");
}

static void a_header_tells_what_was_measured(void **state)
{
	struct report_style style = { .header = true, .first = true };
	char *const plain[] = { (char *)"ls", (char *)"-l", NULL };
	struct report one = report;

	(void)state;
	one.command = plain;
	one.event_count = 1;
	expect_style(
		&one, &style,
		"# command line     : ls -l\n"
		"# PMU              : AMD Core Perfctr\n"
		"# followed by      : none\n"
		"# PMD0: RETIRED_INSTRUCTIONS = user\n"
		"               COUNT  LEVEL        EVENT\n"
		"          2000000012  user         RETIRED_INSTRUCTIONS\n");
}

static void stat_text(void **state)
{
	struct report one = report;

	(void)state;
	one.rows = &threads[1];
	one.verb = "stat";
	expect(&one, REPORT_STAT,
	       " counted: 1 thread, 99.9 % of its CPU time\n"
	       "              3000      RETIRED_INSTRUCTIONS    #  0.750 per cycle\n"
	       "              4000      cycles                  CYCLES_NOT_IN_HALT          \n"
	       "  1234.567890 s elapsed     0.001500 s user     0.000250 s sys\n");
	one.coverage = partial;
	one.event_count = 0;
	one.advice = "omit -i";
	expect(&one, REPORT_STAT,
	       " NOT ALL COUNTED: counted 0.1 % of the command's CPU time: "
	       "threads or children were not followed; omit -i\n"
	       "  1234.567890 s elapsed     0.001500 s user     0.000250 s sys\n");
}

static void fields_are_in_the_order_of_perf(void **state)
{
	const struct spread spreads[] = {
		{ .runs = 2, .mean = 3000, .min = 3000, .max = 3000 },
		{ .runs = 2, .mean = 4000, .min = 4000, .max = 4000 },
	};
	struct report_style timed = { .format = REPORT_SEPARATED,
				      .separator = ";",
				      .timed = true };
	struct report one = report;

	(void)state;
	one.rows = threads;
	one.row_count = 2;
	expect(&one, REPORT_SEPARATED,
	       "sh-8,3000,,RETIRED_INSTRUCTIONS,5,100.00,0.75,insn per cycle\n"
	       "sh-8,4000,,cycles,5,100.00\n");
	one.rows = &threads[1];
	one.row_count = 1;
	expect(&one, REPORT_SEPARATED,
	       "3000,,RETIRED_INSTRUCTIONS,5,100.00,0.75,insn per cycle\n"
	       "4000,,cycles,5,100.00\n");
	one.spreads = spreads;
	one.event_count = 1;
	expect(&one, REPORT_SEPARATED,
	       "3000,,RETIRED_INSTRUCTIONS,5,100.00,0.00%\n");
	one.spreads = NULL;
	one.rows = cpus;
	expect_style(
		&one, &timed,
		"1234.567890123;CPU3;3000;;RETIRED_INSTRUCTIONS;5;100.00\n");
	one.rows = places;
	one.row_count = 2;
	expect(&one, REPORT_SEPARATED,
	       "S0-D0-C1,2,3000,,RETIRED_INSTRUCTIONS,5,100.00\n"
	       "S1,8,3000,,RETIRED_INSTRUCTIONS,5,100.00\n");
}

static void repeated_runs_tell_their_spread(void **state)
{
	struct spread spread = { 0 };
	struct report one = report;

	(void)state;
	one.event_count = 1;
	one.rows = cpus;
	one.spreads = &spread;
	spread_add(&spread, 3000);
	spread_add(&spread, 3000);
	expect(&one, REPORT_TABLE,
	       "               COUNT  LEVEL        EVENT\n"
	       "CPU3                   3000  user         RETIRED_INSTRUCTIONS  = in 2 runs\n");
	/* 2900, 3000, 3100: s = 100, t = 4.303, 100 t / sqrt(3) / 3000. */
	spread = (struct spread){ 0 };
	spread_add(&spread, 2900);
	spread_add(&spread, 3000);
	spread_add(&spread, 3100);
	assert_int_equal(spread_mean(&spread), 3000);
	expect(&one, REPORT_TABLE,
	       "               COUNT  LEVEL        EVENT\n"
	       "CPU3                   3000  user         RETIRED_INSTRUCTIONS  +-8.28% in 3 runs\n");
}

#define COLUMNS                                                               \
	"event,level,count,counter,selector,native,set,estimate,stderr,seen," \
	"scope,run,time_ns,unit,covered\n"

static void csv(void **state)
{
	(void)state;
	expect(&report, REPORT_CSV,
	       COLUMNS
	       "RETIRED_INSTRUCTIONS,user,2000000012,pmd0,0x5100c0,"
	       "RETIRED_INSTRUCTIONS,0,,,1,command,1,1234567890123,,0.999\n"
	       "cycles,user,18446744073709551615,pmd17,0x510076,"
	       "CYCLES_NOT_IN_HALT,0,,,1,command,1,1234567890123,,0.999\n");
}

static void csv_quotes_what_needs_it(void **state)
{
	const struct report_event event = { .name = "a,\"b\"",
					    .native = "n",
					    .meaning = MEANS_TIME,
					    .level = "software",
					    .unit = "ns" };
	struct report one = report;

	(void)state;
	one.events = &event;
	one.event_count = 1;
	one.rows = threads;
	expect(&one, REPORT_CSV,
	       COLUMNS "\"a,\"\"b\"\"\",software,3000,,,n,0,,,1,thread:8,1,"
		       "1234567890123,ns,0.999\n");
}

#define JSON_TAIL                       \
	"  \"version\": 1,\n"           \
	"  \"verb\": \"\",\n"           \
	"  \"follow\": \"none\",\n"     \
	"  \"run\": 1,\n"               \
	"  \"part\": \"whole\",\n"      \
	"  \"user_ns\": 1500000,\n"     \
	"  \"sys_ns\": 250000,\n"       \
	"  \"coverage\": {\n"           \
	"    \"threads\": 1,\n"         \
	"    \"counted\": 1,\n"         \
	"    \"cpu_ns\": 1000000,\n"    \
	"    \"counted_ns\": 999000,\n" \
	"    \"blind_ns\": 0,\n"        \
	"    \"throttled_ns\": 0,\n"    \
	"    \"lost_children\": 0,\n"   \
	"    \"lost_samples\": 0\n"     \
	"  },\n"                        \
	"  \"exact\": true\n"           \
	"}\n"

static void json(void **state)
{
	struct report one = report;

	(void)state;
	one.event_count = 1;
	expect(&one, REPORT_JSON,
	       "{\n"
	       "  \"command\": [\n"
	       "    \"/bin/sh\",\n"
	       "    \"-c\",\n"
	       "    \"echo \\\"a\xc3\xa4\xef\xbf\xbd\\\"\"\n"
	       "  ],\n"
	       "  \"pmu\": \"AMD Core Perfctr\",\n"
	       "  \"exit_status\": 3,\n"
	       "  \"elapsed_ns\": 1234567890123,\n"
	       "  \"events\": [\n"
	       "    {\n"
	       "      \"event\": \"RETIRED_INSTRUCTIONS\",\n"
	       "      \"level\": \"user\",\n"
	       "      \"count\": 2000000012,\n"
	       "      \"counter\": \"pmd0\",\n"
	       "      \"selector\": \"0x5100c0\",\n"
	       "      \"native\": \"RETIRED_INSTRUCTIONS\",\n"
	       "      \"set\": 0,\n"
	       "      \"seen\": 1,\n"
	       "      \"unit\": \"\",\n"
	       "      \"scope\": \"command\"\n"
	       "    }\n"
	       "  ],\n" JSON_TAIL);
}

static void json_of_several_runs_is_one_line_each(void **state)
{
	struct report_style style = { .format = REPORT_JSON, .lines = true };
	struct report one = report;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	one.coverage = partial;
	assert_int_equal(report_write(&one, &style, out), 0);
	fclose(out);
	assert_ptr_equal(strchr(text, '\n'), text + size - 1);
	assert_non_null(strstr(text, "\"exact\":false"));
	free(text);
}

/* Each is one invalid byte, or valid text that has to stay. */
static void json_text_is_always_utf8(void **state)
{
	static const struct {
		const char *in;
		const char *out;
	} cases[] = {
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "\xe2\x82\xac", "\xe2\x82\xac" },
		{ "\xc3", "\xef\xbf\xbd" },
		{ "\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xf4\x90\x80\x80",
		  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *const words[] = { (char *)cases[i].in, NULL };
		struct report one = report;
		char wanted[1024];

		one.command = words;
		one.event_count = 0;
		snprintf(wanted, sizeof(wanted),
			 "{\n  \"command\": [\n    \"%s\"\n  ],\n"
			 "  \"pmu\": \"AMD Core Perfctr\",\n"
			 "  \"exit_status\": 3,\n"
			 "  \"elapsed_ns\": 1234567890123,\n"
			 "  \"events\": [],\n" JSON_TAIL,
			 cases[i].out);
		expect(&one, REPORT_JSON, wanted);
	}
}

static void a_full_disk_is_reported(void **state)
{
	const struct report_style style = { .format = REPORT_TABLE };
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(out);
	assert_int_equal(report_write(&report, &style, out), -1);
	assert_int_equal(errno, ENOSPC);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(a_table_begins_with_what_was_missed),
		cmocka_unit_test(rows_tell_whose_they_are),
		cmocka_unit_test(numbers_have_the_marks_that_were_asked_for),
		cmocka_unit_test(times_are_those_of_3_9),
		cmocka_unit_test(a_header_tells_what_was_measured),
		cmocka_unit_test(stat_text),
		cmocka_unit_test(fields_are_in_the_order_of_perf),
		cmocka_unit_test(repeated_runs_tell_their_spread),
		cmocka_unit_test(json_of_several_runs_is_one_line_each),
		cmocka_unit_test(csv),
		cmocka_unit_test(csv_quotes_what_needs_it),
		cmocka_unit_test(json),
		cmocka_unit_test(json_text_is_always_utf8),
		cmocka_unit_test(a_full_disk_is_reported),
	};

	return cmocka_run_group_tests_name("pfmon_report", tests, NULL, NULL);
}
