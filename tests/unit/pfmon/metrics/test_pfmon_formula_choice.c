// SPDX-License-Identifier: GPL-2.0-only
/* Metrics and groups that are chosen from the user's files and from pfmon's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/tables.h"
#include "message.h"
#include "metrics/formula_choice.h"
#include "scratch_dir.h"

#define SKYLAKE "46,6,94,3"

static const char own_file[] =
	"metric mine\nof Mine Both\nunit 100%\nshort of the user\n"
	"= INST_RETIRED.ANY / CPU_CLK_UNHALTED.THREAD\n"
	"metric same\nof Both\nunit 1own\n= INST_RETIRED.ANY\n";

static const char shipped_file[] =
	"metric same\nof Both\nunit 1other\n= CPU_CLK_UNHALTED.THREAD\n"
	"metric theirs\nof Both\n= BR_INST_RETIRED.ALL_BRANCHES\n"
	"metric nowhere\nof Both Empty\n= NO_SUCH.EVENT\n";

static char *directory;

static int prepare(void **state)
{
	char path[200];

	(void)state;
	directory = scratch_make();
	scratch_write(directory, "own/pfmon/formulas/a", own_file);
	scratch_write(directory, "shipped/b", shipped_file);
	snprintf(path, sizeof(path), "%s/own", directory);
	setenv("XDG_CONFIG_HOME", path, 1);
	snprintf(path, sizeof(path), "%s/shipped", directory);
	setenv("PFMON_FORMULAS", path, 1);
	return tables_init(SKYLAKE);
}

static int finish(void **state)
{
	(void)state;
	scratch_remove(directory);
	return 0;
}

/* Chooses a name, or two: the events, and each metric with its unit. */
static void expect(const char *name, const char *second, const char *events,
		   const char *metrics)
{
	struct group_choice *choice = calloc(1, sizeof(*choice));
	char seen[300] = "";

	assert_int_equal(formula_choose(choice, name), 0);
	if (second)
		assert_int_equal(formula_choose(choice, second), 0);
	for (int i = 0; i < choice->metric_count; i++)
		snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen),
			 "%s %s,", choice->metrics[i].name,
			 choice->metrics[i].unit);
	assert_string_equal(choice->events, events);
	assert_string_equal(seen, metrics);
	groups_free(choice);
	free(choice);
}

static void a_metric_is_chosen_by_its_name(void **state)
{
	(void)state;
	expect("mine", NULL, "INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD",
	       "mine %,");
	expect("THEIRS", NULL, "BR_INST_RETIRED.ALL_BRANCHES", "theirs ,");
}

static void of_two_with_a_name_the_users_is_chosen(void **state)
{
	(void)state;
	expect("same", NULL, "INST_RETIRED.ANY", "same own,");
}

static void a_group_is_all_that_can_be_computed(void **state)
{
	(void)state;
	message_catch();
	expect("both", NULL,
	       "INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD,"
	       "BR_INST_RETIRED.ALL_BRANCHES",
	       "mine %,same own,theirs ,");
	message_expect("note: metric nowhere cannot be computed here: "
		       "NO_SUCH.EVENT",
		       NULL);
}

static void what_is_chosen_twice_is_there_once(void **state)
{
	(void)state;
	expect("mine", "Mine", "INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD",
	       "mine %,");
	expect("same", "mine", "INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD",
	       "same own,mine %,");
}

static void nothing_is_chosen_with_a_reason(void **state)
{
	static const struct {
		const char *name;
		int end;
		const char *said;
	} rows[] = {
		{ "unknown", 1, NULL },
		{ "min", 1, NULL },
		{ "nowhere", -1, "pfmon: metric nowhere cannot be" },
		{ "empty", -1, "pfmon: note: metric nowhere cannot be" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct group_choice *choice = calloc(1, sizeof(*choice));

		message_catch();
		assert_int_equal(formula_choose(choice, rows[i].name),
				 rows[i].end);
		if (rows[i].said)
			message_expect(rows[i].said, NULL);
		else
			message_expect_none();
		assert_int_equal(choice->metric_count, 0);
		assert_string_equal(choice->events, "");
		groups_free(choice);
		free(choice);
	}
}

/* The lines of a list, without what describes the metrics. */
static void expect_list(const char *pattern, int end, const char *wanted)
{
	char *text, seen[300] = "";
	size_t size;
	FILE *out = open_memstream(&text, &size);

	message_catch();
	assert_int_equal(formula_list(pattern, out), end);
	fclose(out);
	if (end)
		message_expect("--metrics", NULL);
	else
		message_expect_none();
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (*line != ' ')
			snprintf(seen + strlen(seen),
				 sizeof(seen) - strlen(seen), "%.*s,",
				 (int)strcspn(line, " "), line);
	assert_string_equal(seen, wanted);
	free(text);
}

static void lists_have_names_and_groups_that_match(void **state)
{
	(void)state;
	expect_list(NULL, 0, "mine,same,same,theirs,nowhere,");
	expect_list("^m", 0, "mine,");
	expect_list("Mine$", 0, "mine,");
	expect_list("^Empty|Empty$", 0, "nowhere,");
	expect_list("unknown", -1, "");
	expect_list("(", -1, "");
}

static void lists_tell_unit_groups_and_what_is_missing(void **state)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(formula_list("mine|nowhere", out), 0);
	fclose(out);
	assert_non_null(
		strstr(text, "% [Mine Both]\n    of the user\nnowhere"));
	assert_non_null(strstr(text, "[Both Empty]\n    \n    not here: "
				     "NO_SUCH.EVENT"));
	assert_null(strstr(strstr(text, "not here") + 1, "not here"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_metric_is_chosen_by_its_name),
		cmocka_unit_test(of_two_with_a_name_the_users_is_chosen),
		cmocka_unit_test(a_group_is_all_that_can_be_computed),
		cmocka_unit_test(what_is_chosen_twice_is_there_once),
		cmocka_unit_test(nothing_is_chosen_with_a_reason),
		cmocka_unit_test(lists_have_names_and_groups_that_match),
		cmocka_unit_test(lists_tell_unit_groups_and_what_is_missing),
	};

	return cmocka_run_group_tests_name("pfmon_formula_choice", tests,
					   prepare, finish);
}
