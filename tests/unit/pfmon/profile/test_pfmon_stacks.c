// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples with stacks: what is read of a file, what is refused, and that the verbs
 * and the formats of other tools show the callers.
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
#include "diag.h"
#include "message.h"
#include "profile/read_profile.h"
#include "profiled.h"
#include "samples.h"
#include "stacked.h"
#include "views/verbs.h"

#define EXPORT(...)                                   \
	profiled_run(profiled_directory, verb_export, \
		     (const char *const[]){ __VA_ARGS__, NULL }, NULL)

/* fa, fb called by fa, and twice fc called by fb, which it returns to, called by fa. */
static void write_calls_of(uint64_t return_to)
{
	static const uint64_t fa[] = { PROFILED_FA + 5 };
	static const uint64_t fb[] = { PROFILED_FB,
				       PROFILED_FA + PROFILED_RETURN };
	const uint64_t fc[] = { PROFILED_FC, return_to,
				PROFILED_FA + PROFILED_RETURN };
	const struct stacked stacks[] = { stacked_of(1, fa), stacked_of(2, fb),
					  stacked_of(3, fc),
					  stacked_of(3, fc) };
	struct writer writer;

	stacked_begin(&writer);
	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++)
		stacked_add(&writer, &stacks[i]);
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
}

/* The call is the last instruction of fb: what follows is not of it. */
static void write_calls(void)
{
	write_calls_of(PROFILED_FB + PROFILED_SIZE);
}

/* Reads what holds one chunk of STACKS. */
static int read_stack(struct profile *profile, const char *meta,
		      const struct stacked *stack)
{
	struct writer writer;
	size_t size;
	char *bytes;
	int ret;

	samples_begin(&writer, meta);
	stacked_add(&writer, stack);
	samples_end(&writer);
	bytes = samples_bytes(&writer, &size);
	ret = profile_read_stream(profile, samples_stream(bytes, size), "f");
	free(bytes);
	return ret;
}

static void addresses_and_values_are_read(void **state)
{
	static const uint64_t ips[] = { 0xffffffff81000000, 0x20, 0x30, 44 };
	struct stacked stack = stacked_of(4, ips);
	struct profile profile;

	(void)state;
	stack.entry.nr = 3;
	stack.entry.nr_kernel = 1;
	stack.entry.ovfl_pmd = 1;
	assert_int_equal(read_stack(&profile, SAMPLES_META_TWO, &stack), 0);
	assert_int_equal(profile.sample_count, 1);
	assert_int_equal(profile.samples[0].ip, ips[0]);
	assert_int_equal(profile.samples[0].period, 997);
	assert_int_equal(profile.samples[0].event, 1);
	assert_int_equal(profile.samples[0].frames, 3);
	assert_int_equal(profile.samples[0].kernel_frames, 1);
	assert_int_equal(profile.ip_count, 3);
	assert_memory_equal(profile.ips + profile.samples[0].stack, ips, 24);
	assert_int_equal(profile.value_count, 1);
	assert_int_equal(profile.values[profile.samples[0].values], 44);
	profile_free(&profile);
}

static void refuse(struct stacked stack, const char *meta, const char *why)
{
	struct profile profile;

	message_catch();
	assert_int_equal(read_stack(&profile, meta, &stack), -1);
	message_expect(why, NULL);
	profile_free(&profile);
}

static void entries_that_contradict_themselves_are_refused(void **state)
{
	static const uint64_t ips[] = { 0x10, 0x20, 0x30 };
	const struct stacked good = stacked_of(3, ips);
	struct stacked bad;

	(void)state;
	bad = good;
	bad.entry.nr = 2;
	refuse(bad, SAMPLES_META, "the size of a sample");
	bad.entry.nr = UINT16_MAX;
	refuse(bad, SAMPLES_META, "the size of a sample");
	bad = good;
	bad.entry.nr_kernel = 4;
	refuse(bad, SAMPLES_META, "the size of a sample");
	bad = good;
	bad.entry.size = 40;
	refuse(bad, SAMPLES_META, "too short");
	bad.entry.size = 48;
	refuse(bad, SAMPLES_META, "the size of a sample");
	bad = good;
	bad.entry.ovfl_pmd = 7;
	refuse(bad, SAMPLES_META, "a counter that META does not have");
	/* Its event has a value, for which there is no room. */
	bad = good;
	bad.entry.ovfl_pmd = 1;
	refuse(bad, SAMPLES_META_TWO, "the size of a sample");
}

static void a_script_has_a_line_for_each_caller(void **state)
{
	char *text, *expected;

	(void)state;
	write_calls();
	text = profiled_run(profiled_directory, verb_script,
			    (const char *const[]){ NULL }, NULL);
	assert_true(asprintf(&expected,
			     "prof 71/71 [000] 0.000000005: 997 "
			     "instructions:u: 401080 fc+0x0 (%s/prof)\n"
			     "\t401070 fb+0x30 (%s/prof)\n"
			     "\t401020 fa+0x20 (%s/prof)\n",
			     profiled_directory, profiled_directory,
			     profiled_directory) > 0);
	assert_non_null(strstr(text, expected));
	free(expected);
	free(text);
}

static void folded_lines_begin_with_the_outermost(void **state)
{
	char *text;

	(void)state;
	write_calls();
	text = EXPORT("folded");
	assert_string_equal(text, "prof;fa 1\nprof;fa;fb 1\nprof;fa;fb;fc 2\n");
	free(text);
}

/* Begin and width of the box of this name, of 4 samples. */
static void expect_box(const char *text, const char *name, const char *numbers)
{
	char *box;

	assert_true(asprintf(&box, "<g class=\"box\" %s data-name=\"%s\">",
			     numbers, name) > 0);
	assert_non_null(strstr(text, box));
	free(box);
}

static void a_flame_has_callers_below(void **state)
{
	char *text;

	(void)state;
	write_calls();
	text = EXPORT("flame");
	expect_box(text, "prof", "data-s=\"0\" data-n=\"4\"");
	expect_box(text, "fa", "data-s=\"0\" data-n=\"4\"");
	expect_box(text, "fb", "data-s=\"1\" data-n=\"3\"");
	expect_box(text, "fc", "data-s=\"2\" data-n=\"2\"");
	/* all, prof and three functions. */
	assert_non_null(strstr(text, "viewBox=\"0 0 1200 154\""));
	free(text);
}

static void perf_reads_the_same_stacks(void **state)
{
	char *text;

	(void)state;
	if (system("perf --version > /dev/null 2>&1"))
		skip();
	/* perf looks for the address that is returned to. */
	write_calls_of(PROFILED_FB + PROFILED_RETURN);
	free(EXPORT("perfdata"));
	profiled_shell(profiled_directory,
		       "perf script -F ip,sym -i out 2> /dev/null | "
		       "awk '{ print $2 }' | tr '\\n' ' ' > perf.txt");
	text = profiled_read(profiled_directory, "perf.txt", NULL);
	assert_string_equal(text, " fa   fb fa   fc fb fa   fc fb fa  ");
	free(text);
}

/* Samples of perf.data have the addresses between marks. */
static void perfdata_tells_the_kernel_from_the_program(void **state)
{
	static const uint64_t ips[] = { 0xffffffff81000010, 0xffffffff81000020,
					PROFILED_FA };
	static const uint64_t chain[] = { 5,
					  (uint64_t)-128,
					  0xffffffff81000010,
					  0xffffffff81000020,
					  (uint64_t)-512,
					  PROFILED_FA };
	struct stacked stack = stacked_of(3, ips);
	struct writer writer;
	size_t size;
	char *text;

	(void)state;
	stack.entry.nr_kernel = 2;
	samples_begin(&writer, SAMPLES_META);
	stacked_add(&writer, &stack);
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	text = profiled_run(profiled_directory, verb_export,
			    (const char *const[]){ "perfdata", NULL }, &size);
	assert_non_null(memmem(text, size, chain, sizeof(chain)));
	free(text);
}

/*
 * Writes 30 samples of fc with these callers, up to 0: what frame pointers that are none
 * have led to.
 */
static void write_callers(const uint64_t *callers)
{
	struct stacked stack;
	uint64_t ips[8] = { PROFILED_FC };
	struct writer writer;
	unsigned int nr = 1;

	for (; *callers; callers++)
		ips[nr++] = *callers;
	stack = stacked_of(nr, ips);
	stacked_begin(&writer);
	for (int i = 0; i < 30; i++)
		stacked_add(&writer, &stack);
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
}

static void expect_folded(const char *expected)
{
	char *text = EXPORT("folded");

	assert_string_equal(text, expected);
	free(text);
}

static void a_chain_ends_before_what_no_call_returns_to(void **state)
{
	static const uint64_t wrong[] = {
		PROFILED_FA, /* an entry, behind nothing */
		PROFILED_FA + 7, /* dec %eax */
		PROFILED_FB + PROFILED_RETURN - 1, /* within a call */
		PROFILED_FC + 0x38, /* padding */
		0x402010, /* the bytes of a call to nowhere, below it 0 */
		0x10000, /* nothing is mapped there */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		write_callers((const uint64_t[]){
			PROFILED_FB + PROFILED_RETURN, wrong[i],
			PROFILED_FA + PROFILED_RETURN, 0 });
		expect_folded("prof;fb;fc 30\n");
	}
	write_callers((const uint64_t[]){ PROFILED_FB + PROFILED_RETURN,
					  PROFILED_FA + PROFILED_RETURN, 0 });
	expect_folded("prof;fa;fb;fc 30\n");
}

static void a_direct_call_that_leaves_the_code_is_none(void **state)
{
	(void)state;
	write_callers((const uint64_t[]){ PROFILED_FAR, 0 });
	expect_folded("prof;fc 30\n");
}

static void what_has_no_file_with_its_code_is_taken_for_it(void **state)
{
	static const uint64_t fc[] = { PROFILED_FC, PROFILED_FB + 3 };
	const struct stacked stack = stacked_of(2, fc);
	struct writer writer;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 2, PFMD_EXEC, 71, 71, 0, "prof");
	samples_map(&writer, 2, 71, PROFILED_FA, 0x1000, 0x1000, "//anon",
		    NULL);
	stacked_add(&writer, &stack);
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	expect_folded("prof;[anon+0x401042];[anon+0x401080] 1\n");
}

static void the_mark_of_a_broken_chain_is_no_function(void **state)
{
	char *text;

	(void)state;
	write_callers((const uint64_t[]){ PROFILED_FA, 0 });
	text = profiled_run(profiled_directory, verb_script,
			    (const char *const[]){ NULL }, NULL);
	assert_non_null(strstr(text, "prof)\n\t[broken]\nprof "));
	free(text);
	text = profiled_run(profiled_directory, verb_report,
			    (const char *const[]){ "--callers", NULL }, NULL);
	assert_non_null(strstr(
		text, "# note: 100 % of call chains end at their first frame: "
		      "that code has no frame pointers\n"));
	assert_non_null(strstr(text, " <- [broken]  -\n"));
	assert_null(strstr(text, "fa"));
	free(text);
}

static void chains_that_are_whole_get_no_note(void **state)
{
	char *text;

	(void)state;
	write_callers((const uint64_t[]){ PROFILED_FB + PROFILED_RETURN, 0 });
	text = profiled_run(profiled_directory, verb_report,
			    (const char *const[]){ "--callers", NULL }, NULL);
	assert_null(strstr(text, "note"));
	assert_non_null(strstr(text, " <- [root]  -\n"));
	free(text);
}

static void symbols_of_callers_go_into_the_file(void **state)
{
	char *text;
	size_t size;

	(void)state;
	write_calls();
	text = profiled_run(profiled_directory, verb_symbols,
			    (const char *const[]){ NULL }, &size);
	assert_non_null(memmem(text, size, "fa\0fb\0fc", 9));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_and_values_are_read),
		cmocka_unit_test(
			entries_that_contradict_themselves_are_refused),
		cmocka_unit_test(a_script_has_a_line_for_each_caller),
		cmocka_unit_test(folded_lines_begin_with_the_outermost),
		cmocka_unit_test(a_flame_has_callers_below),
		cmocka_unit_test(perf_reads_the_same_stacks),
		cmocka_unit_test(perfdata_tells_the_kernel_from_the_program),
		cmocka_unit_test(a_chain_ends_before_what_no_call_returns_to),
		cmocka_unit_test(a_direct_call_that_leaves_the_code_is_none),
		cmocka_unit_test(
			what_has_no_file_with_its_code_is_taken_for_it),
		cmocka_unit_test(the_mark_of_a_broken_chain_is_no_function),
		cmocka_unit_test(chains_that_are_whole_get_no_note),
		cmocka_unit_test(symbols_of_callers_go_into_the_file),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
