// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of threads that are shorter than a period, names that would break lines, and
 * options that no sample matches.
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
#include "profiled.h"
#include "samples.h"
#include "views/verbs.h"

#define RUN(verb, ...)                         \
	profiled_run(profiled_directory, verb, \
		     (const char *const[]){ __VA_ARGS__ }, NULL)

/* What it wrote is this. */
static void expect(char *text, const char *expected)
{
	assert_string_equal(text, expected);
	free(text);
}

/* What it wrote has this in it. */
static void expect_part(char *text, const char *expected)
{
	if (!strstr(text, expected))
		fail_msg("not there: %s\n%s", expected, text);
	free(text);
}

/*
 * Periods vary, so that a thread begins in the middle of one: the samples of short ones
 * have a part of a period each. The counts tell what they stand for together.
 */
static void samples_of_short_threads_stand_for_all_events(void **state)
{
	static const struct {
		const char *counts, *events;
	} cases[] = {
		{ "{\"events\":[{\"event\":\"instructions:u\",\"level\":"
		  "\"user\",\"count\":8000}]}",
		  "4 samples, 8000 events\n" },
		{ "{\"events\":[{\"event\":\"cycles:u\",\"level\":\"user\","
		  "\"count\":8000}]}",
		  "4 samples, 3988 events\n" },
		{ NULL, "4 samples, 3988 events\n" },
	};
	const uint64_t ips[] = { 0x10, 0 };
	struct writer writer;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		samples_begin(&writer, SAMPLES_META);
		for (uint32_t child = 0; child < 4; child++)
			samples_add(&writer,
				    &(struct samples_of){ .tgid = 7 + child,
							  .tid = 7 + child,
							  .time = child,
							  .period = 10 + child,
							  .ips = ips });
		if (cases[i].counts)
			writer_text(&writer, PFMD_COUNTS, cases[i].counts);
		samples_end(&writer);
		samples_store(&writer, profiled_directory);
		expect_part(RUN(verb_report, NULL), cases[i].events);
		/* Each sample has what it was taken after. */
		expect_part(RUN(verb_script, NULL), ": 13 instructions:u: ");
	}
}

/* Programs choose their names: a line stays a line. */
static void control_characters_of_names_are_question_marks(void **state)
{
	const uint64_t ips[] = { 0x7010, 0 };
	struct writer writer;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 0, PFMD_COMM, 7, 7, 1, "a\033[31mb\nc");
	samples_map(&writer, 0, 7, 0x7000, 0x1000, 0, "/gone\n\033/x\ty", NULL);
	samples_add(&writer, &(struct samples_of){ .tgid = 7,
						   .tid = 7,
						   .time = 1,
						   .period = 997,
						   .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	expect(RUN(verb_script, NULL),
	       "a?[31mb?c 7/7 [001] 0.000000001: 997 instructions:u: 7010 "
	       "[x?y+0x10] (/gone?"
	       "?/x?y)\n");
	expect_part(RUN(verb_report, NULL), "  [x?y+0x10]  /gone?"
					    "?/x?y\n");
}

static void what_matches_nothing_is_said(void **state)
{
	static const char *const words[][3] = {
		{ "--comm", "nosuch", "is of a thread called nosuch" },
		{ "--dso", "nosuch", "is in nosuch" },
		{ "--pid", "99", "is what was asked for" },
	};

	(void)state;
	profiled_write(profiled_directory);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		message_catch();
		free(RUN(verb_report, words[i][0], words[i][1], NULL));
		message_expect("note: ", words[i][2], NULL);
		message_catch();
		free(RUN(verb_script, words[i][0], words[i][1], NULL));
		message_expect("note: ", words[i][2], NULL);
	}
}

/* As pfmon stat calls it, so that both files can be compared by eye. */
static void events_of_both_levels_have_both_in_their_name(void **state)
{
	const uint64_t ips[] = { 0x10, 0 };
	struct writer writer;

	(void)state;
	samples_begin(&writer,
		      "{\"version\":1,\"events\":[{\"name\":\"instructions\","
		      "\"level\":\"all\",\"period\":997,\"varies\":true,"
		      "\"pmd\":0,\"smpl_pmds\":[]}]}");
	samples_add(&writer,
		    &(struct samples_of){
			    .tgid = 7, .tid = 7, .period = 997, .ips = ips });
	writer_text(&writer, PFMD_COUNTS,
		    "{\"events\":[{\"event\":\"instructions:uk\",\"level\":"
		    "\"user+kernel\",\"count\":5000}]}");
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	expect_part(RUN(verb_report, "-e", "instructions:uk", NULL),
		    "# instructions:uk: 1 samples, 5000 events\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_of_short_threads_stand_for_all_events),
		cmocka_unit_test(
			control_characters_of_names_are_question_marks),
		cmocka_unit_test(what_matches_nothing_is_said),
		cmocka_unit_test(events_of_both_levels_have_both_in_their_name),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
