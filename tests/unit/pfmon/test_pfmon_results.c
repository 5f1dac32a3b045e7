// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results that are read again: compared, put together, and refused where they are
 * none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "message.h"
#include "report/rank.h"
#include "results/compare.h"
#include "results/gather.h"

#define FILES 64

static void parse(struct results *results, const char *file, const char *text)
{
	assert_int_equal(results_parse(results, file, text, strlen(text)), 0);
}

/* One object of pfmon --json with one event. */
#define RUN(run, value)                                                  \
	"{\"run\":" #run ",\"exact\":true,\"events\":[{\"event\":\"i\"," \
	"\"level\":\"user\",\"count\":" #value ",\"scope\":\"command\"}]}\n"

static void the_whole_is_taken_or_else_the_sum_of_the_rows(void **state)
{
	static const char rows[] =
		"{\"events\":["
		"{\"event\":\"i\",\"level\":\"user\",\"count\":5,\"scope\":\"cpu:0\"},"
		"{\"event\":\"i\",\"level\":\"user\",\"count\":\"7\",\"scope\":\"cpu:1\"}"
		"%s]}";
	static const struct {
		const char *total;
		uint64_t value;
	} cases[] = {
		{ "", 12 },
		{ ",{\"event\":\"i\",\"level\":\"user\",\"count\":13,\"scope\":\"system\"}",
		  13 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct results results;
		char text[512];

		snprintf(text, sizeof(text), rows, cases[i].total);
		parse(&results, "f", text);
		assert_int_equal(results.count, 1);
		assert_int_equal(results.list[0].event_count, 1);
		assert_int_equal(results.list[0].events[0].value,
				 cases[i].value);
		results_free(&results);
	}
}

static void runs_are_apart_and_intervals_add_up(void **state)
{
	struct results results;

	(void)state;
	parse(&results, "f", RUN(1, 5) RUN(2, 6));
	assert_int_equal(results.count, 2);
	assert_int_equal(results.list[1].events[0].value, 6);
	results_free(&results);
	parse(&results, "f", RUN(1, 5) RUN(1, 6));
	assert_int_equal(results.count, 1);
	assert_int_equal(results.list[0].events[0].value, 11);
	results_free(&results);
}

/* The same of a pfmon that tells what part of the run it is. */
#define PART(run, part, value)                                             \
	"{\"run\":" #run ",\"part\":" part ",\"exact\":true,\"events\":[{" \
	"\"event\":\"i\",\"level\":\"user\",\"count\":" #value "}]}\n"
#define WHOLE "\"whole\""
#define SNAPSHOT "\"snapshot\""
#define INTERVAL(number) "\"interval\",\"number\":" #number

static void runs_that_were_appended_are_no_intervals(void **state)
{
	static const struct {
		const char *text;
		int runs;
		uint64_t values[2];
	} cases[] = {
		{ PART(1, WHOLE, 5) PART(1, WHOLE, 6), 2, { 5, 6 } },
		{ PART(1, INTERVAL(1), 5) PART(1, INTERVAL(2), 6), 1, { 11 } },
		{ PART(1, INTERVAL(1), 5) PART(1, INTERVAL(2), 6)
			  PART(1, INTERVAL(1), 7) PART(1, INTERVAL(2), 8),
		  2,
		  { 11, 15 } },
		{ PART(1, INTERVAL(1), 5) PART(1, WHOLE, 6), 2, { 5, 6 } },
		{ PART(1, SNAPSHOT, 5) PART(1, WHOLE, 6), 1, { 6 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct results results;

		parse(&results, "f", cases[i].text);
		assert_int_equal(results.count, cases[i].runs);
		for (int run = 0; run < results.count; run++)
			assert_int_equal(results.list[run].events[0].value,
					 cases[i].values[run]);
		results_free(&results);
	}
}

static void estimates_keep_their_intervals(void **state)
{
	static const char text[] =
		"{\"events\":[{\"event\":\"a\",\"level\":\"user\",\"count\":5,"
		"\"estimate\":10,\"interval\":[5,25]},"
		"{\"event\":\"b\",\"level\":\"user\",\"count\":5,"
		"\"estimate\":10,\"interval\":[5,null]},"
		"{\"event\":\"c\",\"level\":\"user\",\"count\":0,\"estimate\":null}]}";
	const struct result_event *events;
	struct results results;

	(void)state;
	parse(&results, "f", text);
	events = results.list[0].events;
	assert_int_equal(events[0].value, 10);
	assert_int_equal(events[0].low, 5);
	assert_int_equal(events[0].high, 25);
	assert_true(events[0].bounded && !events[1].bounded);
	assert_true(events[1].seen && !events[2].seen);
	results_free(&results);
}

static void what_is_no_result_gets_one_line(void **state)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{ "", "no results" },
		{ " \n", "no results" },
		{ "{", "not JSON" },
		{ "nonsense", "not JSON" },
		{ "{}", "not a result" },
		{ "[]", "not a result" },
		{ "null", "not JSON" },
		{ "7", "not JSON" },
		{ "{\"events\":7}", "not a result" },
		{ "{\"events\":[7]}", "event 0 has no count" },
		{ "{\"events\":[null]}", "event 0 has no count" },
		{ "{\"events\":[{}]}", "event 0 has no count" },
		{ "{\"events\":[{\"count\":-1}]}", "event 0 has no count" },
		{ "{\"events\":[{\"count\":1.5}]}", "event 0 has no count" },
		{ "{\"events\":[{\"count\":\"1x\"}]}", "event 0 has no count" },
		{ "{\"events\":[{\"count\":1,\"estimate\":2}]}",
		  "event 0 has no count" },
		{ "{\"events\":[{\"count\":1,\"estimate\":2,\"interval\":[5,1]}]}",
		  "event 0 has no count" },
		{ "{\"version\":2,\"events\":[]}", "version" },
		{ RUN(1, 5) "x", "not JSON" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct results results;

		message_catch();
		assert_int_equal(results_parse(&results, "f", cases[i].text,
					       strlen(cases[i].text)),
				 -1);
		message_expect("f: ", cases[i].said, NULL);
		results_free(&results);
	}
}

static void differences_tell_how_certain_they_are(void **state)
{
	static const struct {
		const char *a, *b;
		enum certainty certainty;
		bool significant;
	} cases[] = {
		{ RUN(1, 5), RUN(1, 5), CERTAIN_EXACT, false },
		{ RUN(1, 5), RUN(1, 6), CERTAIN_EXACT, true },
		{ RUN(1, 5) RUN(2, 5), RUN(1, 6), CERTAIN_EXACT, true },
		{ RUN(1, 1000) RUN(2, 1010) RUN(3, 1005),
		  RUN(1, 1200) RUN(2, 1210) RUN(3, 1190), CERTAIN_95, true },
		{ RUN(1, 1000) RUN(2, 1010) RUN(3, 1005),
		  RUN(1, 1008) RUN(2, 990) RUN(3, 1012), CERTAIN_95, false },
		{ RUN(1, 1000) RUN(2, 1010), RUN(1, 2000), CERTAIN_NOT, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct difference difference;
		struct results a, b;

		parse(&a, "a", cases[i].a);
		parse(&b, "b", cases[i].b);
		assert_true(compare_event(&a, &b, &a.list[0].events[0],
					  &difference));
		assert_int_equal(difference.certainty, cases[i].certainty);
		assert_int_equal(difference.significant, cases[i].significant);
		results_free(&a);
		results_free(&b);
	}
}

/* 1005 with a deviation of 5, 1200 with one of 10: 195 +- 27.8 by Welch. */
static void the_interval_is_that_of_welch(void **state)
{
	struct spread a = { 0 }, b = { 0 };
	double low, high;

	(void)state;
	for (int i = -1; i <= 1; i++) {
		spread_add(&a, (uint64_t)(1005 + 5 * i));
		spread_add(&b, (uint64_t)(1200 + 10 * i));
	}
	assert_true(spread_difference(&a, &b, &low, &high));
	/* 2.94 degrees of freedom, of which two are counted. */
	assert_true(low > 167.2 && low < 167.3);
	assert_true(high > 222.7 && high < 222.8);
}

static void failed_runs_are_no_part_of_a_mean(void **state)
{
	static const char failed[] =
		"{\"run\":3,\"exit_status\":1,\"events\":[{\"event\":\"i\","
		"\"level\":\"user\",\"count\":9}]}";
	struct results a, *files = calloc(1, sizeof(*files));
	struct difference difference;
	struct gathered gathered;
	char text[1024];

	(void)state;
	snprintf(text, sizeof(text), "%s%s", RUN(1, 5) RUN(2, 5), failed);
	parse(&a, "a", text);
	assert_int_equal(compare_runs(&a), 2);
	assert_true(compare_event(&a, &a, &a.list[0].events[0], &difference));
	assert_true(difference.a == 5);
	files[0] = a;
	assert_int_equal(gather_results(&gathered, files, 1), 0);
	assert_int_equal(gathered.events[0].sum, 5);
	gather_free(&gathered);
}

/* Rank i of FILES has counted 1000 + i; in an order that depends on seed. */
static void gather_ranks(struct gathered *gathered, unsigned int seed,
			 int count)
{
	struct results *files = calloc(FILES, sizeof(*files));
	int order[FILES];

	for (int i = 0; i < count; i++)
		order[i] = i;
	for (int i = count - 1; i > 0; i--) {
		int j, kept = order[i];

		seed = seed * 1103515245 + 12345;
		j = (int)(seed >> 16) % (i + 1);
		order[i] = order[j];
		order[j] = kept;
	}
	for (int i = 0; i < count; i++) {
		char text[256];

		snprintf(text, sizeof(text),
			 "{\"rank\":\"%d\",\"ranks\":%d,\"events\":"
			 "[{\"event\":\"i\",\"level\":\"user\",\"count\":%d}]}",
			 order[i], FILES, 1000 + order[i]);
		parse(&files[i], "f", text);
	}
	assert_int_equal(gather_results(gathered, files, count), 0);
}

static void ranks_are_merged_in_any_order(void **state)
{
	struct gathered gathered;
	char missing[64];

	(void)state;
	for (unsigned int seed = 1; seed < 10; seed++) {
		const struct gathered_event *event;

		gather_ranks(&gathered, seed, FILES);
		event = gathered.events;
		assert_int_equal(gathered.event_count, 1);
		assert_int_equal(event->parts, FILES);
		assert_int_equal(event->sum, 1000 * FILES + FILES * 63 / 2);
		assert_int_equal(event->min, 1000);
		assert_int_equal(event->max, 1063);
		assert_string_equal(event->max_part, "rank 63");
		assert_true(event->mean == 1031.5);
		assert_string_equal(gather_missing(&gathered, missing,
						   sizeof(missing)),
				    "");
		gather_free(&gathered);
	}
	gather_ranks(&gathered, 1, 60);
	assert_string_equal(gather_missing(&gathered, missing, sizeof(missing)),
			    "60-63");
	gather_free(&gathered);
}

static void files_of_one_host_are_told_apart(void **state)
{
	static const struct {
		const char *host, *other, *most;
	} cases[] = {
		{ "h", "h", "two" },
		{ "h", "i", "i" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct results *files = calloc(2, sizeof(*files));
		struct gathered gathered;
		char text[256];

		snprintf(text, sizeof(text), "{\"host\":\"%s\",%s",
			 cases[i].host, RUN(1, 5) + 1);
		parse(&files[0], "one", text);
		snprintf(text, sizeof(text), "{\"host\":\"%s\",%s",
			 cases[i].other, RUN(1, 6) + 1);
		parse(&files[1], "two", text);
		assert_int_equal(gather_results(&gathered, files, 2), 0);
		assert_string_equal(gathered.events[0].max_part, cases[i].most);
		gather_free(&gathered);
	}
}

static void a_rank_that_is_given_twice_is_refused(void **state)
{
	static const char text[] = "{\"rank\":\"3\",\"events\":[]}";
	struct results *files = calloc(2, sizeof(*files));
	struct gathered gathered;

	(void)state;
	parse(&files[0], "one", text);
	parse(&files[1], "two", text);
	message_catch();
	assert_int_equal(gather_results(&gathered, files, 2), -1);
	message_expect("of rank 3, as ", NULL);
	gather_free(&gathered);
}

static void launchers_tell_the_rank(void **state)
{
	static const char *const names[] = {
		"PMIX_RANK",	"OMPI_COMM_WORLD_RANK", "PMI_RANK",
		"PALS_RANKID",	"MV2_COMM_WORLD_RANK",	"SLURM_PROCID",
		"SLURM_STEP_ID"
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unsetenv(names[i]);
	assert_null(rank_own());
	/* A batch script is no rank. */
	setenv("SLURM_PROCID", "0", 1);
	assert_null(rank_own());
	setenv("SLURM_STEP_ID", "0", 1);
	assert_string_equal(rank_own(), "0");
	setenv("PMIX_RANK", "7", 1);
	assert_string_equal(rank_own(), "7");
	setenv("PMIX_RANK", "../7", 1);
	assert_string_equal(rank_own(), "0");
	setenv("SLURM_JOB_ID", "4711", 1);
	assert_string_equal(rank_job(), "4711");
	unsetenv("PMIX_RANK");
	unsetenv("SLURM_STEP_ID");
	unsetenv("SLURM_PROCID");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_whole_is_taken_or_else_the_sum_of_the_rows),
		cmocka_unit_test(runs_are_apart_and_intervals_add_up),
		cmocka_unit_test(runs_that_were_appended_are_no_intervals),
		cmocka_unit_test(estimates_keep_their_intervals),
		cmocka_unit_test(what_is_no_result_gets_one_line),
		cmocka_unit_test(differences_tell_how_certain_they_are),
		cmocka_unit_test(the_interval_is_that_of_welch),
		cmocka_unit_test(failed_runs_are_no_part_of_a_mean),
		cmocka_unit_test(ranks_are_merged_in_any_order),
		cmocka_unit_test(files_of_one_host_are_told_apart),
		cmocka_unit_test(a_rank_that_is_given_twice_is_refused),
		cmocka_unit_test(launchers_tell_the_rank),
	};

	return cmocka_run_group_tests_name("pfmon_results", tests, NULL, NULL);
}
