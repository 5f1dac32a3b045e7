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
	  .level = "user",
	  .count = 2000000012,
	  .counter = 0,
	  .selector = 0x5100c0 },
	{ .name = "r530076:u:k",
	  .level = "user+kernel",
	  .count = UINT64_MAX,
	  .counter = 17,
	  .selector = 0x530076 },
};

static char *const command[] = { (char *)"/bin/sh", (char *)"-c",
				 (char *)"echo \"a\xc3\xa4\xff\"", NULL };

static const struct report report = {
	.command = command,
	.model = "AMD Core Perfctr",
	.exit_status = 3,
	.elapsed_ns = 1234567890123,
	.event_count = 2,
	.events = two_events,
};

static void expect(const struct report *what, enum report_format format,
		   const char *wanted)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(report_write(what, format, out), 0);
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
}

static void table(void **state)
{
	(void)state;
	expect(&report, REPORT_TABLE,
	       "               COUNT  LEVEL        EVENT\n"
	       "          2000000012  user         RETIRED_INSTRUCTIONS\n"
	       "18446744073709551615  user+kernel  r530076:u:k\n");
}

static void csv(void **state)
{
	(void)state;
	expect(&report, REPORT_CSV,
	       "event,level,count,counter,selector\n"
	       "RETIRED_INSTRUCTIONS,user,2000000012,pmd0,0x5100c0\n"
	       "r530076:u:k,user+kernel,18446744073709551615,pmd17,0x530076\n");
}

static void csv_quotes_what_needs_it(void **state)
{
	const struct report_event event = { .name = "a,\"b\"",
					    .level = "user",
					    .selector = 1 };
	struct report one = report;

	(void)state;
	one.events = &event;
	one.event_count = 1;
	expect(&one, REPORT_CSV,
	       "event,level,count,counter,selector\n"
	       "\"a,\"\"b\"\"\",user,0,pmd0,0x1\n");
}

static void json(void **state)
{
	(void)state;
	expect(&report, REPORT_JSON,
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
	       "      \"selector\": \"0x5100c0\"\n"
	       "    },\n"
	       "    {\n"
	       "      \"event\": \"r530076:u:k\",\n"
	       "      \"level\": \"user+kernel\",\n"
	       "      \"count\": 18446744073709551615,\n"
	       "      \"counter\": \"pmd17\",\n"
	       "      \"selector\": \"0x530076\"\n"
	       "    }\n"
	       "  ]\n"
	       "}\n");
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
		char wanted[512];

		one.command = words;
		one.event_count = 0;
		snprintf(wanted, sizeof(wanted),
			 "{\n  \"command\": [\n    \"%s\"\n  ],\n"
			 "  \"pmu\": \"AMD Core Perfctr\",\n"
			 "  \"exit_status\": 3,\n"
			 "  \"elapsed_ns\": 1234567890123,\n"
			 "  \"events\": [\n  ]\n}\n",
			 cases[i].out);
		expect(&one, REPORT_JSON, wanted);
	}
}

static void a_full_disk_is_reported(void **state)
{
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(out);
	assert_int_equal(report_write(&report, REPORT_TABLE, out), -1);
	assert_int_equal(errno, ENOSPC);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(csv),
		cmocka_unit_test(csv_quotes_what_needs_it),
		cmocka_unit_test(json),
		cmocka_unit_test(json_text_is_always_utf8),
		cmocka_unit_test(a_full_disk_is_reported),
	};

	return cmocka_run_group_tests_name("pfmon_report", tests, NULL, NULL);
}
