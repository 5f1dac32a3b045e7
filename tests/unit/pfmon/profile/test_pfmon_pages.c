// SPDX-License-Identifier: GPL-2.0-only
/* Samples for browsers: graphs, pages, and the Firefox Profiler. */
#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "profiled.h"
#include "samples.h"
#include "views/verbs.h"

#define RUN(...)                                      \
	profiled_run(profiled_directory, verb_export, \
		     (const char *const[]){ __VA_ARGS__, NULL }, NULL)

static void the_firefox_profiler_gets_every_sample_once(void **state)
{
	struct json_object *root, *threads, *thread, *samples, *value;
	char *text;

	(void)state;
	profiled_write(profiled_directory);
	text = RUN("firefox");
	root = json_tokener_parse(text);
	assert_non_null(root);
	assert_true(json_object_object_get_ex(root, "threads", &threads));
	assert_int_equal(json_object_array_length(threads), 1);
	thread = json_object_array_get_idx(threads, 0);
	assert_true(json_object_object_get_ex(thread, "name", &value));
	assert_string_equal(json_object_get_string(value), "prof");
	assert_true(json_object_object_get_ex(thread, "samples", &samples));
	assert_true(json_object_object_get_ex(samples, "stack", &value));
	assert_int_equal(json_object_array_length(value), 1003);
	assert_int_equal(
		json_object_get_int(json_object_array_get_idx(value, 1002)), 2);
	assert_true(json_object_object_get_ex(thread, "stringArray", &value));
	assert_string_equal(
		json_object_get_string(json_object_array_get_idx(value, 2)),
		"fc");
	json_object_put(root);
	free(text);
}

static void a_flame_graph_has_boxes_as_wide_as_their_samples(void **state)
{
	char *text;

	(void)state;
	profiled_write(profiled_directory);
	text = RUN("flame");
	assert_non_null(strstr(text, "<?xml version="));
	assert_non_null(
		strstr(text, "data-s=\"0\" data-n=\"1003\" data-name=\"all\""));
	assert_non_null(
		strstr(text, "data-s=\"601\" data-n=\"301\" data-name=\"fb\""));
	assert_non_null(strstr(text, "fc (101 samples, 10.07 %)"));
	assert_null(strstr(text, "href"));
	free(text);
}

/* Whether the box of a name has a colour of the kernel's: more blue than red. */
static bool is_cold(const char *text, const char *name)
{
	unsigned int red, blue;
	const char *box;
	char *wanted;

	assert_true(asprintf(&wanted, "data-name=\"%s\">", name) > 0);
	box = strstr(text, wanted);
	free(wanted);
	assert_non_null(box);
	box = strstr(box, "fill=\"rgb(");
	assert_non_null(box);
	assert_int_equal(sscanf(box, "fill=\"rgb(%u,%*u,%u)", &red, &blue), 2);
	return blue > red;
}

/* A thread had them if its last function was of the kernel. */
static void only_the_kernel_has_its_colours(void **state)
{
	static const struct pfmd_symbol rows[] = { { 0, 0x1000, 0 } };
	const uint64_t ips[] = { 0x7000, 0xffffffff81000000, 0 };
	struct writer writer;
	char *text;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 0, PFMD_EXEC, 5, 5, 0, "thread");
	samples_map(&writer, 0, 5, 0x7000, 0x1000, 0, "/gone", NULL);
	samples_map(&writer, 0, PFMD_KERNEL, ips[1], 0x1000, 0, "[kernel]",
		    NULL);
	samples_symbols(&writer, "/gone", NULL, rows, 1, "user", 5);
	samples_symbols(&writer, "[kernel]", NULL, rows, 1, "call", 5);
	samples_add(&writer,
		    &(struct samples_of){ .tgid = 5, .tid = 5, .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	text = RUN("flame");
	assert_false(is_cold(text, "thread"));
	assert_false(is_cold(text, "/gone"));
	assert_false(is_cold(text, "user"));
	assert_true(is_cold(text, "[kernel]"));
	assert_true(is_cold(text, "call"));
	free(text);
}

static void a_page_has_graph_functions_and_hot_spots(void **state)
{
	char *text;

	(void)state;
	profiled_write(profiled_directory);
	text = RUN("html");
	assert_non_null(strstr(text, "<svg class=\"flame\""));
	assert_non_null(strstr(
		text, "<td class=\"n\">601</td><td class=\"n\">59.92</td>"
		      "<td>fa</td>"));
	assert_non_null(strstr(
		text, "<td class=\"n\">201</td><td class=\"n\">20.04</td>"
		      "<td>fa</td><td>+0x7</td><td>prof.c:2</td>"));
	assert_null(strstr(text, "src="));
	free(text);
}

/* Those that pfmon annotate shows. */
static void hot_spots_have_their_instructions(void **state)
{
	char *text;

	(void)state;
	profiled_write(profiled_directory);
	text = RUN("html");
	assert_non_null(strstr(text, "<th>instruction</th>"));
	assert_non_null(strstr(text, "<td>+0x5</td><td>prof.c:2</td>"
				     "<td>decl %eax</td></tr>"));
	assert_non_null(strstr(text, "<td>+0x7</td><td>prof.c:2</td>"
				     "<td>jne 0x401005</td></tr>"));
	free(text);
}

static void store_one_sample(const char *meta)
{
	const uint64_t ips[] = { 0x7000, 0 };
	struct writer writer;

	samples_begin(&writer, meta);
	samples_add(&writer,
		    &(struct samples_of){ .tgid = 5, .tid = 5, .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
}

static void a_page_tells_what_was_run(void **state)
{
	static const char meta[] =
		"{\"version\":1,\"argv\":[\"pfmon\",\"record\",\"-e\",\"a b\"],"
		"\"command\":[\"/x/prof\",\"it's\",\"\",\"<b>\"],"
		"\"host\":\"h&m\",\"kernel\":\"6.12\",\"model\":\"AMD\","
		"\"start\":\"2026-11-27T08:00:00Z\",\"events\":[{\"id\":0,"
		"\"name\":\"instructions\",\"native\":\"INSNS\",\"level\":"
		"\"user\",\"period\":997,\"pmd\":0,\"smpl_pmds\":[]}]}";
	static const char *const told[] = {
		"<dt>command</dt><dd>/x/prof &#39;it&#39;\\&#39;&#39;s&#39; "
		"&#39;&#39; &#39;&lt;b&gt;&#39;</dd>",
		"<dt>recorded by</dt><dd>pfmon record -e &#39;a b&#39;</dd>",
		"<dt>begun</dt><dd>2026-11-27T08:00:00Z</dd>",
		"<dt>host</dt><dd>h&amp;m</dd>",
		"<dt>kernel</dt><dd>6.12</dd>",
		"<dt>processor</dt><dd>AMD</dd>",
		"<dt>event</dt><dd>instructions:u (INSNS), a sample each 997</dd>",
	};
	char *text;

	(void)state;
	store_one_sample(meta);
	text = RUN("html");
	for (size_t i = 0; i < ARRAY_SIZE(told); i++)
		assert_non_null(strstr(text, told[i]));
	free(text);
}

/* Old files, and those of others. */
static void a_page_leaves_out_what_is_not_told(void **state)
{
	char *text;

	(void)state;
	store_one_sample(SAMPLES_META_TWO);
	text = RUN("html");
	assert_null(strstr(text, "<dt>command</dt>"));
	assert_non_null(strstr(text, "<dt>host</dt><dd>h</dd>"));
	assert_null(strstr(text, "<dt>processor</dt>"));
	free(text);
}

/* Whoever makes a program chooses its names. */
static void names_do_not_become_markup(void **state)
{
	static const char name[] = "<script>\"'&;\xff\n\x01";
	static const struct pfmd_symbol rows[] = { { 0, 0x1000, 0 } };
	static const char *const formats[] = { "flame", "html", "firefox" };
	const uint64_t ips[] = { 0x7000, 0 };
	struct writer writer;
	char *text;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	samples_map(&writer, 0, 5, 0x7000, 0x1000, 0, "/gone", NULL);
	samples_symbols(&writer, "/gone", NULL, rows, 1, name, sizeof(name));
	samples_add(&writer,
		    &(struct samples_of){ .tgid = 5, .tid = 5, .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		text = RUN(formats[i]);
		assert_null(strstr(text, "<script>\"'"));
		assert_null(strchr(text, '\xff'));
		assert_null(strchr(text, '\x01'));
		free(text);
	}
	text = RUN("folded");
	assert_string_equal(text, "[unknown];<script>\"'&:\xff \x01 1\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_firefox_profiler_gets_every_sample_once),
		cmocka_unit_test(
			a_flame_graph_has_boxes_as_wide_as_their_samples),
		cmocka_unit_test(only_the_kernel_has_its_colours),
		cmocka_unit_test(a_page_has_graph_functions_and_hot_spots),
		cmocka_unit_test(hot_spots_have_their_instructions),
		cmocka_unit_test(a_page_tells_what_was_run),
		cmocka_unit_test(a_page_leaves_out_what_is_not_told),
		cmocka_unit_test(names_do_not_become_markup),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
