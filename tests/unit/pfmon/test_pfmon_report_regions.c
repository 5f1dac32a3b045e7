// SPDX-License-Identifier: GPL-2.0-only
/* Reports of regions in each format. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "regions/regions.h"
#include "report/report.h"

static const struct report_event events[] = {
	{ .name = "instructions:u", .native = "INST", .level = "user" },
	{ .name = "cycles:u", .native = "CYC", .level = "user" },
};

/* The report of two regions, as text to be freed; tid: rows are of threads. */
static char *written(enum report_format format, unsigned int tid)
{
	struct region_row rows[] = {
		{ .name = (char *)"a,b",
		  .comm = "prog",
		  .pid = tid ? tid - 1 : 0,
		  .tid = tid,
		  .threads = 2,
		  .counted = true,
		  .entries = 3,
		  .time_ns = 1500000,
		  .counts = { 1000, 2000 } },
		{ .name = (char *)"c",
		  .comm = "prog",
		  .pid = tid ? tid - 1 : 0,
		  .threads = 1,
		  .entries = 1 },
	};
	const struct regions regions = {
		.rows = rows,
		.count = 2,
		.processes = 1,
		.threads = 3,
		.uncounted = 1,
		.why = EEXIST,
		.cost = { 41, 90 },
	};
	const struct report report = {
		.verb = "stat",
		.model = "M",
		.follow = "regions",
		.event_count = 2,
		.events = events,
		.regions = &regions,
	};
	const struct report_style style = { .format = format,
					    .first = true,
					    .lines = true };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_false(report_is_exact(&report));
	assert_int_equal(report_write(&report, &style, out), 0);
	fclose(out);
	return text;
}

static void expect_report(enum report_format format, const char *wanted)
{
	char *text = written(format, 0);

	if (!strstr(text, wanted))
		fail_msg("not in the report: %s\n%s", wanted, text);
	free(text);
}

static void reports_tell_regions_in_place_of_rows(void **state)
{
	(void)state;
	expect_report(REPORT_STAT,
		      " counted: regions of 2 threads in 1 process, read by "
		      "instructions\n NOT ALL COUNTED: 1 of 3 threads without "
		      "counters: File exists\n taken off for each mark: 41 "
		      "instructions:u, 90 cycles:u\n");
	expect_report(REPORT_STAT,
		      "\na,b                             3      0.001500"
		      "               1000 instructions:u\n");
	expect_report(REPORT_STAT, "      <not counted> cycles:u\n");
	expect_report(REPORT_CSV,
		      "\n\"a,b\",cycles:u,user,2000,0,0,prog,2,3,1500000,CYC,"
		      "90\nc,instructions:u,user,,0,0,prog,1,1,0,INST,41\n");
	expect_report(REPORT_JSON,
		      "\"regions\":[{\"region\":\"a,b\",\"comm\":\"prog\","
		      "\"threads\":2,\"entries\":3,\"time_ns\":1500000,"
		      "\"events\":[{\"event\":\"instructions:u\",\"level\":"
		      "\"user\",\"count\":1000,");
	expect_report(REPORT_JSON, "\"exact\":false");
}

/* Where a word of a line ends, -1: it is not there. */
static int end_of(const char *line, const char *word)
{
	const char *place = strstr(line, word);

	return place ? (int)(place + strlen(word) - line) : -1;
}

/* The head is above the columns, in reports of the whole and of threads. */
static void columns_have_their_names_above_them(void **state)
{
	(void)state;
	for (unsigned int tid = 0; tid <= 78; tid += 78) {
		char *text = written(REPORT_STAT, tid);
		char *head = strstr(text, "REGION"), *row;

		assert_non_null(head);
		row = strchr(head, '\n') + 1;
		*strchr(row, '\n') = '\0';
		row[-1] = '\0';
		assert_int_equal(end_of(head, "ENTRIES"), end_of(row, " 3"));
		assert_int_equal(end_of(head, "SECONDS"),
				 end_of(row, "0.001500"));
		assert_int_equal(end_of(head, "COUNT"), end_of(row, "1000"));
		assert_int_equal(strstr(head, "EVENT") - head,
				 strstr(row, "instructions:u") - row);
		assert_int_equal(!strstr(head, "WHO"), !tid);
		assert_int_equal(!strstr(row, "prog-78"), !tid);
		if (tid)
			assert_int_equal(strstr(head, "WHO") - head,
					 strstr(row, "prog-78") - row);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_tell_regions_in_place_of_rows),
		cmocka_unit_test(columns_have_their_names_above_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
