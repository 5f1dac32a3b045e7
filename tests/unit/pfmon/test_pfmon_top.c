// SPDX-License-Identifier: GPL-2.0-only
/* The command lines and the tables of pfmon top. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "diag.h"
#include "message.h"
#include "top/messages.h"
#include "top/table.h"
#include "top/wish.h"

static int parse(struct wish *wish, const char *line)
{
	static char words[512];
	char *argv[32];
	int argc = 0;

	snprintf(words, sizeof(words), "top --pfmon=/bin/pfmon %s", line);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	return wish_parse(wish, argc, argv);
}

static void commands_count_what_is_wished(void **state)
{
	static const struct {
		const char *line, *file, *command;
	} cases[] = {
		{ "", NULL, "/bin/pfmon stat -I 1000 -o - -a -j" },
		{ "--by=cpus -I 50 -e a,b -C 0-3", NULL,
		  "/bin/pfmon stat -I 50 -o - -e a,b -C 0-3 -j -A" },
		{ "--by=threads -p 7 --all-user", NULL,
		  "/bin/pfmon stat -I 1000 -o - -p 7 --all-user -j "
		  "--per-thread" },
		{ "--by=functions -F 99", "f",
		  "/bin/pfmon record --timeout 1000 -o f -a -F 99" },
		{ "--by=functions -t 7 -c 5 --all-kernel", "f",
		  "/bin/pfmon record --timeout 1000 -o f -t 7 --all-kernel -c "
		  "5" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[256] = "";
		struct wish wish;

		assert_int_equal(parse(&wish, cases[i].line), 0);
		for (char **word = wish_command(&wish, cases[i].file); *word;
		     word++)
			strcat(strcat(text, *text ? " " : ""), *word);
		assert_string_equal(text, cases[i].command);
	}
}

static void wishes_that_cannot_be_are_refused(void **state)
{
	static const char *const cases[][2] = {
		{ "--by=weather",
		  "must be events, cpus, threads or functions" },
		{ "--by=threads", "only with -p or -t" },
		{ "--by=cpus -p 1", "not with -p and -t" },
		{ "-p 1 -C 0", "-C and -p or -t" },
		{ "-I 1", "-I 1: not a number from 10" },
		{ "-n 0", "-n 0: not a number" },
		{ "-s 0", "-s 0: not a number" },
		{ "true", "takes no command" },
		{ "--pu", "unknown option" },
	};
	struct wish wish;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		message_catch();
		assert_int_equal(parse(&wish, cases[i][0]), -1);
		message_expect(cases[i][1], NULL);
	}
}

#define EVENT(scope, name, count)                                         \
	"{\"event\":\"" name "\",\"count\":" #count ",\"scope\":\"" scope \
	"\",\"comm\":\"c\"}"

static void expect_text(const struct table *table, size_t line,
			const char *wanted)
{
	char text[256];

	assert_string_equal(table_text(table, line, text, sizeof(text)),
			    wanted);
}

static void rows_are_sorted_and_the_sum_is_last(void **state)
{
	struct table table;
	char text[256];

	(void)state;
	assert_int_equal(
		table_of_counts(
			&table,
			"{\"elapsed_ns\":3000000000,\"exact\":true,\"events\":[" EVENT(
				"attached", "cyc",
				900) "," EVENT("thread:1", "cyc",
					       300) "," EVENT("thread:2", "cyc",
							      600) "," EVENT("thread:2",
									     "ins",
									     7) "]}",
			1000000000),
		0);
	assert_true(table.exact);
	table_sort(&table, 0);
	assert_string_equal(table_heading(&table, 1, text, sizeof(text)),
			    "             cyc >           ins  WHO");
	expect_text(&table, 0, "             300               4  c-2");
	expect_text(&table, 1, "             150               -  c-1");
	expect_text(&table, 2, "             450               -  total");
	expect_text(&table, 3, "");
	table_sort(&table, 31);
	expect_text(&table, 0, "             300               4  c-2");
	table_free(&table);
}

static void a_sum_alone_has_its_events_as_lines(void **state)
{
	struct table table;
	char text[256];

	(void)state;
	assert_int_equal(
		table_of_counts(
			&table,
			"{\"elapsed_ns\":2000000000,\"exact\":false,\"events\":[" EVENT(
				"system", "a",
				8) ","
				   "{\"event\":\"b\",\"count\":1,\"estimate\":null},"
				   "{\"event\":\"c\",\"count\":1,\"estimate\":40}]}",
			0),
		0);
	assert_false(table.exact);
	table_sort(&table, 0);
	table_heading(&table, 0, text, sizeof(text));
	assert_string_equal(text, "      PER SECOND  EVENT");
	expect_text(&table, 0, "               4  a");
	expect_text(&table, 1, "               -  b");
	expect_text(&table, 2, "              20  c");
	expect_text(&table, 3, "");
	table_free(&table);
}

static void what_is_no_result_is_refused(void **state)
{
	static const char *const cases[] = {
		"",
		"{",
		"[]",
		"{}",
		"{\"elapsed_ns\":1}",
		"{\"elapsed_ns\":\"1\",\"events\":[]}",
		"{\"elapsed_ns\":1,\"events\":[{}]}",
		"{\"elapsed_ns\":1,\"events\":[7]}",
		"{\"elapsed_ns\":1,\"events\":{}}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct table table;

		assert_int_equal(table_of_counts(&table, cases[i], 0), -1);
		table_free(&table);
	}
}

static void functions_come_from_a_report(void **state)
{
	static char report[] =
		"# note: 3 samples were lost\n"
		"# cycles: 10 samples, 10000 events\n"
		"   SAMPLES   SELF%        RANGE%    CUM%  SYMBOL  FILE\n"
		"         4   40.00   10.20-80.10   40.00  f(int, char)  /x/y\n"
		"         6   60.00   20.00-90.00  100.00  main  /x/y\n";
	struct table table;
	FILE *in = fmemopen(report, sizeof(report) - 1, "r");

	(void)state;
	assert_int_equal(table_of_report(&table, in), 0);
	fclose(in);
	assert_false(table.exact);
	table_sort(&table, 0);
	expect_text(&table, 0, "               6           60.00  main  /x/y");
	expect_text(&table, 1,
		    "               4           40.00  f(int, char)  /x/y");
	table_free(&table);
}

/* So that what ends the program can be read after the screen. */
static void messages_wait_for_the_end_of_the_screen(void **state)
{
	char text[64] = "";
	int ends[2], before;

	(void)state;
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	before = dup(STDERR_FILENO);
	dup2(ends[1], STDERR_FILENO);
	messages_keep();
	diag("the last word");
	assert_int_equal(read(ends[0], text, sizeof(text)), -1);
	messages_show();
	dup2(before, STDERR_FILENO);
	close(before);
	assert_true(read(ends[0], text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "pfmon: the last word\n");
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_count_what_is_wished),
		cmocka_unit_test(wishes_that_cannot_be_are_refused),
		cmocka_unit_test(rows_are_sorted_and_the_sum_is_last),
		cmocka_unit_test(a_sum_alone_has_its_events_as_lines),
		cmocka_unit_test(what_is_no_result_is_refused),
		cmocka_unit_test(functions_come_from_a_report),
		cmocka_unit_test(messages_wait_for_the_end_of_the_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
