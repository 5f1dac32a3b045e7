// SPDX-License-Identifier: GPL-2.0-only
/* How each format marks what is estimated or was not seen, and its metrics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/report.h"

#define EVENT(word, number, what)                                        \
	{                                                                \
		.name = word ":u", .given = word, .native = word,        \
		.meaning = what, .level = "user", .unit = "",            \
		.has_counter = true, .counter = number, .selector = 0x5, \
		.set = number                                            \
	}

static const struct report_event events[] = {
	EVENT("instructions", 0, MEANS_INSTRUCTIONS),
	EVENT("branches", 1, MEANS_BRANCHES),
	EVENT("loads", 2, MEANS_OTHER),
	EVENT("stores", 3, MEANS_OTHER),
};

/* The reference; bounded; open upwards; without a turn. */
static const uint64_t counts[] = { 1000, 400, 300, 0 };
static const struct estimate estimates[] = {
	{ 500, 1000, 1000, 1000, true, 1 },
	{ 200, 400, 200, 700, true, 0.5 },
	{ 150, 300, 150, 150, false, 0.5 },
	{ 0, 0, 0, 1000, true, 0 },
};

static const uint64_t set_runs[] = { 6, 5, 5, 0 };
static const uint64_t set_ns[] = { 500, 250, 250, 0 };

static const struct report_row rows[] = {
	{ .scope = SCOPE_TOTAL,
	  .counts = counts,
	  .estimates = estimates,
	  .set_runs = set_runs,
	  .set_ns = set_ns,
	  .counted_ns = 1000 },
};

static const struct metric metrics[] = {
	{ "branch-rate", "per-instruction", "branches / instructions", 0 },
	{ "unseen", "per-instruction", "stores / instructions", 0 },
	{ "rate", "per-s", "loads / time", 0 },
};

static const struct report report = {
	.verb = "stat",
	.model = "M",
	.follow = "none",
	.scope = "command",
	.run = 1,
	.elapsed_ns = 2000000000,
	.coverage = { .cpu_ns = 1000, .counted_ns = 1000, .threads = 1 },
	.event_count = 4,
	.events = events,
	.row_count = 1,
	.rows = rows,
	.metrics = metrics,
	.metric_count = 3,
	.sets = 4,
	.reference = "instructions",
};

static void expect(enum report_format format, const char *wanted)
{
	const struct report_style style = { .format = format,
					    .separator = ",",
					    .header = true,
					    .first = true,
					    .lines = true };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(report_write(&report, &style, out), 0);
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
}

static void stat_text(void **state)
{
	(void)state;
	expect(REPORT_STAT,
	       " counted: 1 thread, 100.0 % of its CPU time\n"
	       "              1000      instructions:u          instructions                \n"
	       "               400      branches:u              branches                     # estimate, seen 50.0 %, 200 to 700\n"
	       "               300      loads:u                 loads                        # estimate, seen 50.0 %, at least 150\n"
	       "        <not seen>      stores:u                stores                      \n"
	       "            0.4000      branch-rate             per-instruction # estimate, seen 50.0 %\n"
	       "          150.0000      rate                    per-s # estimate, seen 50.0 %\n"
	       "     2.000000 s elapsed\n");
}

static void table(void **state)
{
	(void)state;
	expect(REPORT_TABLE,
	       "# command line     :\n"
	       "# PMU              : M\n"
	       "# followed by      : none\n"
	       "# PMD0: instructions = user\n"
	       "# instructions:u: set 0 of 4, by instructions\n"
	       "# PMD1: branches = user\n"
	       "# branches:u: set 1 of 4, by instructions\n"
	       "# PMD2: loads = user\n"
	       "# loads:u: set 2 of 4, by instructions\n"
	       "# PMD3: stores = user\n"
	       "# stores:u: set 3 of 4, by instructions\n"
	       "               COUNT  LEVEL        EVENT\n"
	       "                1000  user         instructions:u\n"
	       "                 400  user         branches:u  (estimate, seen 50.0 %, 200 to 700)\n"
	       "                 300  user         loads:u  (estimate, seen 50.0 %, at least 150)\n"
	       "          <not seen>  user         stores:u\n");
}

static void fields(void **state)
{
	(void)state;
	expect(REPORT_SEPARATED,
	       "1000,,instructions:u,1000,100.00\n"
	       "400,,branches:u,1000,50.00\n"
	       "300,,loads:u,1000,50.00\n"
	       "<not counted>,,stores:u,1000,0.00\n"
	       ",,,,50.00,0.400000,branch-rate per-instruction\n"
	       ",,,,50.00,150.000000,rate per-s\n");
}

static void csv(void **state)
{
	(void)state;
	expect(REPORT_CSV,
	       "event,level,count,counter,selector,native,set,estimate,stderr,seen,scope,run,time_ns,unit,covered\n"
	       "instructions:u,user,500,pmd0,0x5,instructions,0,1000,,1,command,1,2000000000,,1.000\n"
	       "branches:u,user,200,pmd1,0x5,branches,1,400,,0.500000,command,1,2000000000,,1.000\n"
	       "loads:u,user,150,pmd2,0x5,loads,2,300,,0.500000,command,1,2000000000,,1.000\n"
	       "stores:u,user,0,pmd3,0x5,stores,3,,,0.000000,command,1,2000000000,,1.000\n");
}

static void json(void **state)
{
	(void)state;
	expect(REPORT_JSON,
	       "{\"command\":[],\"pmu\":\"M\",\"exit_status\":0,\"elapsed_ns\":2000000000,\"events\":[{\"event\":\"instructions:u\",\"level\":\"user\",\"count\":500,\"counter\":\"pmd0\",\"selector\":\"0x5\",\"native\":\"instructions\",\"set\":0,\"set_runs\":6,\"set_ns\":500,\"seen\":1,\"estimate\":1000,\"interval\":[1000,1000],\"unit\":\"\",\"scope\":\"command\"},"
	       "{\"event\":\"branches:u\",\"level\":\"user\",\"count\":200,\"counter\":\"pmd1\",\"selector\":\"0x5\",\"native\":\"branches\",\"set\":1,\"set_runs\":5,\"set_ns\":250,\"seen\":0.5,\"estimate\":400,\"interval\":[200,700],\"unit\":\"\",\"scope\":\"command\"},"
	       "{\"event\":\"loads:u\",\"level\":\"user\",\"count\":150,\"counter\":\"pmd2\",\"selector\":\"0x5\",\"native\":\"loads\",\"set\":2,\"set_runs\":5,\"set_ns\":250,\"seen\":0.5,\"estimate\":300,\"interval\":[150,null],\"unit\":\"\",\"scope\":\"command\"},"
	       "{\"event\":\"stores:u\",\"level\":\"user\",\"count\":0,\"counter\":\"pmd3\",\"selector\":\"0x5\",\"native\":\"stores\",\"set\":3,\"set_runs\":0,\"set_ns\":0,\"seen\":0,\"estimate\":null,\"unit\":\"\",\"scope\":\"command\"}],"
	       "\"metrics\":[{\"metric\":\"branch-rate\",\"unit\":\"per-instruction\",\"value\":0.4,\"seen\":0.5},{\"metric\":\"unseen\",\"unit\":\"per-instruction\",\"value\":null,\"seen\":0},{\"metric\":\"rate\",\"unit\":\"per-s\",\"value\":150,\"seen\":0.5}],"
	       "\"version\":1,\"verb\":\"stat\",\"follow\":\"none\",\"reference\":\"instructions\",\"run\":1,\"part\":\"whole\",\"user_ns\":0,\"sys_ns\":0,"
	       "\"coverage\":{\"threads\":1,\"counted\":1,\"cpu_ns\":1000,\"counted_ns\":1000,\"blind_ns\":0,\"throttled_ns\":0,\"lost_children\":0,\"lost_samples\":0},\"exact\":false}\n");
}

static void a_report_with_estimates_is_not_exact(void **state)
{
	struct report one = report;

	(void)state;
	assert_false(report_is_exact(&one));
	/* The reference alone is. */
	one.event_count = 1;
	assert_true(report_is_exact(&one));
}

/* Whatever their size, and whether they are estimates. */
static void counts_of_json_are_strings_if_wanted(void **state)
{
	const struct report_style style = { .format = REPORT_JSON,
					    .strings = true,
					    .lines = true };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(report_write(&report, &style, out), 0);
	fclose(out);
	assert_non_null(strstr(text, "\"count\":\"200\""));
	assert_non_null(strstr(text, "\"estimate\":\"400\""));
	assert_non_null(strstr(text, "\"interval\":[\"200\",\"700\"]"));
	assert_non_null(strstr(text, "\"interval\":[\"150\",null]"));
	assert_non_null(strstr(text, "\"estimate\":null"));
	assert_non_null(strstr(text, "\"elapsed_ns\":2000000000"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stat_text),
		cmocka_unit_test(table),
		cmocka_unit_test(fields),
		cmocka_unit_test(csv),
		cmocka_unit_test(json),
		cmocka_unit_test(a_report_with_estimates_is_not_exact),
		cmocka_unit_test(counts_of_json_are_strings_if_wanted),
	};

	return cmocka_run_group_tests_name("pfmon_report_sets", tests, NULL,
					   NULL);
}
