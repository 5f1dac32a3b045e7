// SPDX-License-Identifier: GPL-2.0-only
/* Which lines of a file of metrics a processor has, and which it passes over. */
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
#include "metrics/formula_files.h"

#define SKYLAKE "46,6,94,3"
#define ZEN "16,23,1,0"
#define GRACEMONT "61,6,190,0"
#define HYBRID "82,6,151,0"

#define MODELS                                   \
	"model 0 zen AMD 23 0-16 0-15\n"         \
	"model 3 skylake Intel 6 94-94 0-15\n"   \
	"model 4 skylake2 Intel 6 90-100 0-15\n" \
	"model 5 late Intel 6 94-94 4-15\n"      \
	"model 6 hybrid Intel 6 151-151 0-15\n"

/* The names of the metrics that a processor has of a file, with commas. */
static const char *taken(const char *processor, const char *text)
{
	static char names[200];
	struct formula_files files = { .count = 0 };
	char *copy = strdup(text);

	*names = '\0';
	assert_int_equal(tables_init(processor), 0);
	assert_int_equal(formula_files_take(&files, "F", copy), 0);
	for (size_t i = 0; i < files.count; i++) {
		const struct formula_metric *metric = &files.metrics[i];

		/* Whatever is passed over leaves nothing behind. */
		assert_string_equal(metric->text, metric->name);
		snprintf(names + strlen(names), sizeof(names) - strlen(names),
			 "%s,", metric->name);
	}
	formula_files_free(&files);
	free(copy);
	return names;
}

static void each_processor_has_the_metrics_of_its_models(void **state)
{
	static const char text[] = MODELS "metric all\n= all\n"
					  "metric amd\n"
					  "in 1\nof A B\n= amd\n"
					  "metric sky\n"
					  "in 8\nunit 1\n= sky\n"
					  "metric both\n"
					  "in 9\nshort x\n= both\n"
					  "metric second\n"
					  "in 10\n= second\n"
					  "metric late\n"
					  "in 20\n= late\n"
					  "metric end\n= end\n";

	(void)state;
	assert_string_equal(taken(ZEN, text), "all,amd,both,end,");
	/* The first model that fits is the processor's. */
	assert_string_equal(taken(SKYLAKE, text), "all,sky,both,end,");
	assert_string_equal(taken("46,6,94,4", text), "all,sky,both,end,");
	assert_string_equal(taken("46,6,158,3", text), "all,end,");
}

static void stepping_family_and_model_have_ends(void **state)
{
	static const struct {
		const char *processor, *names;
	} rows[] = {
		{ "46,6,78,2", "" },	 { "46,6,94,1", "" },
		{ "46,6,94,2", "one," }, { "46,6,94,5", "one," },
		{ "46,6,94,6", "" },	 { "46,6,85,5", "one," },
		{ "46,6,142,5", "" },
	};
	static const char text[] = "model 63 m Intel 6 85-94 2-5\n"
				   "metric one\n"
				   "in 8000000000000000\n= one\n";

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(taken(rows[i].processor, text), rows[i].names) != 0)
			fail_msg("%s", rows[i].processor);
}

static void metrics_of_a_kind_of_core_need_it(void **state)
{
	static const char text[] = "metric a\ncore cpu_atom\nof X\n= a\n"
				   "metric c\ncore cpu_core\nof X\n= c\n"
				   "metric b\n= b\n";

	(void)state;
	assert_string_equal(taken(SKYLAKE, text), "c,b,");
	assert_string_equal(taken(ZEN, text), "c,b,");
	assert_string_equal(taken(GRACEMONT, text), "a,b,");
	assert_string_equal(taken(HYBRID, text), "a,c,b,");
}

static void wrong_lines_are_named(void **state)
{
	static const struct {
		const char *text, *said;
	} rows[] = {
		{ "model x\n", "line 1: not a model" },
		{ "model 64 m Intel 6 1-2 0-15\n", "line 1: not a model" },
		{ "# a\n\nmetric\n", "line 3: the name of a metric" },
		{ "metric a b\n", "line 1: the name of a metric" },
		{ "metric a,b\n", "line 1: the name of a metric" },
		{ "of One\n", "line 1: metric is expected first" },
		{ "metric a\n"
		  "in x\n",
		  "line 2: not a number of models" },
		{ "metric a\n"
		  "in 1x\n",
		  "line 2: not a number of models" },
		{ "metric a\n"
		  "in\n",
		  "line 2: not a number of models" },
		{ "metric a\ncore cpu\n", "line 2: cpu_core or cpu_atom" },
		{ "metric a\n\t= 1\r\nunits\n", "line 3: metric, in, core" },
	};

	(void)state;
	assert_int_equal(tables_init(SKYLAKE), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct formula_files files = { .count = 0 };
		char *copy = strdup(rows[i].text);

		message_catch();
		assert_int_equal(formula_files_take(&files, "F", copy), -1);
		message_expect("F: ", rows[i].said, NULL);
		formula_files_free(&files);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_processor_has_the_metrics_of_its_models),
		cmocka_unit_test(stepping_family_and_model_have_ends),
		cmocka_unit_test(metrics_of_a_kind_of_core_need_it),
		cmocka_unit_test(wrong_lines_are_named),
	};

	return cmocka_run_group_tests_name("pfmon_formula_files", tests, NULL,
					   NULL);
}
