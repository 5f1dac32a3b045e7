// SPDX-License-Identifier: GPL-2.0-only
/*
 * The profile for the Firefox Profiler, read by the rules of its format: each table is
 * columns of one length, numbers are of rows that exist, and a stack is on one before
 * it. The stacks of its samples are those of the folded lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "array_size.h"
#include "profiled.h"
#include "samples.h"
#include "stacked.h"
#include "views/verbs.h"

#define LINES_MAX 32
#define LINE_MAX_SIZE 256

#define EXPORT(...)                                   \
	profiled_run(profiled_directory, verb_export, \
		     (const char *const[]){ __VA_ARGS__, NULL }, NULL)

static struct json_object *member(struct json_object *object, const char *key)
{
	struct json_object *value;

	assert_true(json_object_object_get_ex(object, key, &value));
	return value;
}

/* The member of a table has as many rows as the table. */
static size_t check_table(struct json_object *thread, const char *name,
			  const char *const *columns)
{
	struct json_object *table = member(thread, name);
	size_t length = (size_t)json_object_get_int64(member(table, "length"));

	for (; *columns; columns++)
		assert_int_equal(
			json_object_array_length(member(table, *columns)),
			length);
	return length;
}

/* A number of a column that is below the limit; limit: it is null. */
static size_t number_at(struct json_object *thread, const char *table,
			const char *column, size_t row, size_t limit)
{
	struct json_object *value = json_object_array_get_idx(
		member(member(thread, table), column), row);
	int64_t number;

	if (!value)
		return limit;
	assert_true(json_object_is_type(value, json_type_int));
	number = json_object_get_int64(value);
	assert_in_range(number, 0, limit - 1);
	return (size_t)number;
}

struct sizes {
	size_t samples, stacks, frames, functions, strings;
};

static struct sizes check_thread(struct json_object *thread)
{
	return (struct sizes){
		.samples = check_table(thread, "samples",
				       (const char *const[]){ "stack", "time",
							      "weight", NULL }),
		.stacks = check_table(
			thread, "stackTable",
			(const char *const[]){ "frame", "prefix", "category",
					       "subcategory", NULL }),
		.frames = check_table(thread, "frameTable",
				      (const char *const[]){
					      "address", "inlineDepth",
					      "category", "subcategory", "func",
					      "nativeSymbol", "innerWindowID",
					      "implementation", "line",
					      "column", NULL }),
		.functions = check_table(
			thread, "funcTable",
			(const char *const[]){ "name", "isJS", "relevantForJS",
					       "resource", "fileName",
					       "lineNumber", "columnNumber",
					       NULL }),
		.strings =
			json_object_array_length(member(thread, "stringArray")),
	};
}

/* Appends the stack, the outermost first. */
static void fold(struct json_object *thread, const struct sizes *sizes,
		 size_t stack, char *line)
{
	size_t prefix = number_at(thread, "stackTable", "prefix", stack, stack);
	size_t frame =
		number_at(thread, "stackTable", "frame", stack, sizes->frames);
	size_t function = number_at(thread, "frameTable", "func", frame,
				    sizes->functions);
	size_t name = number_at(thread, "funcTable", "name", function,
				sizes->strings);
	size_t kernel = number_at(thread, "frameTable", "category", frame, 2);

	assert_int_equal(kernel,
			 number_at(thread, "stackTable", "category", stack, 2));
	if (prefix != stack)
		fold(thread, sizes, prefix, line);
	assert_true(strlen(line) < LINE_MAX_SIZE - 64);
	strcat(line, ";");
	strcat(line, json_object_get_string(json_object_array_get_idx(
			     member(thread, "stringArray"), name)));
	strcat(line, kernel ? "_[k]" : "");
}

struct lines {
	char texts[LINES_MAX][LINE_MAX_SIZE];
	unsigned int samples[LINES_MAX];
	size_t count;
};

static void add_line(struct lines *lines, const char *text)
{
	size_t i;

	for (i = 0; i < lines->count; i++) {
		if (!strcmp(lines->texts[i], text))
			break;
	}
	assert_true(i < LINES_MAX);
	strcpy(lines->texts[i], text);
	lines->samples[i]++;
	lines->count += i == lines->count;
}

static void add_thread(struct lines *lines, struct json_object *thread)
{
	struct sizes sizes = check_thread(thread);
	double last = 0;

	for (size_t i = 0; i < sizes.samples; i++) {
		char line[LINE_MAX_SIZE] = "";
		double time = json_object_get_double(json_object_array_get_idx(
			member(member(thread, "samples"), "time"), i));

		strcpy(line, json_object_get_string(member(thread, "name")));
		fold(thread, &sizes,
		     number_at(thread, "samples", "stack", i, sizes.stacks),
		     line);
		add_line(lines, line);
		assert_true(time >= last);
		last = time;
	}
}

/* All lines of what folded wrote are there, with their samples. */
static void expect_folded(const struct lines *lines)
{
	char *text = EXPORT("folded");
	size_t found = 0;
	char *line, *rest = text;

	while ((line = strsep(&rest, "\n")) && *line) {
		char *number = strrchr(line, ' ');

		*number = '\0';
		for (size_t i = 0; i < lines->count; i++) {
			if (strcmp(lines->texts[i], line) != 0)
				continue;
			assert_int_equal(lines->samples[i],
					 strtoul(number + 1, NULL, 10));
			found++;
		}
	}
	assert_int_equal(found, lines->count);
	free(text);
}

static void expect_same_stacks(size_t threads, size_t different)
{
	static struct lines lines;
	char *text = EXPORT("firefox");
	struct json_object *profile = json_tokener_parse(text);
	struct json_object *list;

	lines = (struct lines){ .count = 0 };
	assert_non_null(profile);
	assert_int_equal(
		json_object_get_int(member(member(profile, "meta"),
					   "preprocessedProfileVersion")),
		48);
	list = member(profile, "threads");
	assert_int_equal(json_object_array_length(list), threads);
	for (size_t i = 0; i < threads; i++)
		add_thread(&lines, json_object_array_get_idx(list, i));
	assert_int_equal(lines.count, different);
	json_object_put(profile);
	free(text);
	expect_folded(&lines);
}

static void stacks_are_those_of_folded_lines(void **state)
{
	(void)state;
	stacked_write((const char *const[]){ "a", "aab", "abab", "aab", "abac",
					     "c", NULL });
	expect_same_stacks(1, 5);
}

static void samples_without_chains_have_one_frame(void **state)
{
	(void)state;
	profiled_write(profiled_directory);
	expect_same_stacks(1, 3);
}

/* Threads 71 and 72 of one process. */
static void write_threads(void)
{
	static const uint64_t user[] = { PROFILED_FB + 1, PROFILED_FA + 1 };
	static const uint64_t kernel[] = { 0xffffffff81000010, PROFILED_FC + 1,
					   PROFILED_FA + 1 };
	struct stacked stacks[] = { stacked_of(2, user), stacked_of(3, kernel),
				    stacked_of(2, user) };
	struct writer writer;

	stacks[1].entry.nr_kernel = 1;
	stacks[1].entry.pid = 72;
	stacked_begin(&writer);
	samples_task(&writer, 3, PFMD_FORK, 71, 72, 71, "worker");
	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++)
		stacked_add(&writer, &stacks[i]);
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
}

static void each_thread_has_stacks_of_its_own(void **state)
{
	(void)state;
	write_threads();
	expect_same_stacks(2, 2);
}

/*
 * Before version 47 the Profiler decided itself which threads are main threads, and
 * took all of them. Stacks that it makes have the category that is grey.
 */
static void the_version_has_all_that_is_written(void **state)
{
	struct json_object *profile, *categories, *thread;
	bool grey = false;
	char *text;

	(void)state;
	write_threads();
	text = EXPORT("firefox");
	profile = json_tokener_parse(text);
	free(text);
	categories = member(member(profile, "meta"), "categories");
	for (size_t i = 0; i < json_object_array_length(categories); i++)
		grey |= !strcmp(
			json_object_get_string(
				member(json_object_array_get_idx(categories, i),
				       "color")),
			"grey");
	assert_true(grey);
	for (size_t i = 0; i < 2; i++) {
		thread = json_object_array_get_idx(member(profile, "threads"),
						   i);
		assert_int_equal(json_object_get_int(member(thread, "tid")),
				 71 + i);
		assert_int_equal(
			json_object_get_boolean(member(thread, "isMainThread")),
			!i);
	}
	json_object_put(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_are_those_of_folded_lines),
		cmocka_unit_test(samples_without_chains_have_one_frame),
		cmocka_unit_test(each_thread_has_stacks_of_its_own),
		cmocka_unit_test(the_version_has_all_that_is_written),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
