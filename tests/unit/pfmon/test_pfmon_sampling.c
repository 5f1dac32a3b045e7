// SPDX-License-Identifier: GPL-2.0-only
/* The classic command line where it samples, and the periods that follow from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/event.h"
#include "grammar/options.h"
#include "message.h"
#include "record/periods.h"
#include "words.h"

static struct options opts;
static const struct request *const request = &opts.request;
static const struct sample_wish *const wish = &opts.request.samples;
static const struct sampling_view *const view = &opts.smpl;

/* Parses "pfmon" followed by the words. */
static int parse(const char *const words[ARGS_MAX])
{
	int argc;
	char **argv = words_of("pfmon", words, &argc);

	return options_parse(&opts, argc, argv);
}

#define TAKE(...) \
	assert_int_equal(parse((const char *const[ARGS_MAX]){ __VA_ARGS__ }), 0)

static void a_period_makes_samples(void **state)
{
	(void)state;
	TAKE("-eA", "ls");
	assert_false(wish->wanted);
	TAKE("--long-smpl-periods=1000", "ls");
	assert_true(wish->wanted && wish->first_events);
	assert_string_equal(request->events, "cycles");
	assert_int_equal(request->launch, LAUNCH_PTRACE);
	assert_int_equal(view->module, MODULE_INST_HIST);
	TAKE("--short-smpl-periods=1000,50", "-eA,B", "ls");
	assert_true(wish->wanted);
	assert_int_equal(wish->short_periods.values[1], 50);
	TAKE("--long-smpl-periods=9", "-a");
	assert_int_equal(request->launch, LAUNCH_AUTO);
}

/* As they are found in scripts of pfmon 3.9. */
static void command_lines_of_3_9_are_understood(void **state)
{
	(void)state;
	TAKE("--long-smpl-period=5000", "--resolve-addresses",
	     "--smpl-per-function", "--smpl-show-top=20", "./a.out");
	assert_int_equal(wish->periods.values[0], 5000);
	assert_true(view->resolve && view->per_function);
	assert_int_equal(view->top, 20);
	TAKE("--smpl-module=inst-hist", "--smpl-show-top=40", "-eX", "-k",
	     "--long-smpl-period=10000", "--resolv", "--system-wide", "-t10");
	assert_true(view->resolve && request->system_wide);
	TAKE("-eA,B", "--long-smpl-periods=100000",
	     "--smpl-periods-random=0xff:4", "--smpl-entries=2048",
	     "--smpl-module=detailed", "--smpl-outfile=f", "--with-header",
	     "ls");
	assert_int_equal(view->module, MODULE_DETAILED);
	assert_string_equal(view->outfile, "f");
	assert_int_equal(wish->random.values[0], 0xff);
	assert_int_equal(wish->entries, 2048);
	TAKE("--smpl-compact", "--long-smpl-per=7", "--overflow-b", "ls");
	assert_int_equal(view->module, MODULE_COMPACT);
	assert_int_equal(wish->block, BLOCK_ALWAYS);
	TAKE("--smpl-raw", "--smpl-out=f", "--long-smpl-per=7", "--no-over",
	     "ls");
	assert_int_equal(view->module, MODULE_RAW);
	assert_int_equal(wish->block, BLOCK_NEVER);
	TAKE("--long-smpl-p=7", "--smpl-print-counts", "-o", "f",
	     "--smpl-eager", "--demangle-cpp", "--demangle-java",
	     "--symbol-file=s", "ls");
	assert_true(view->print_counts && view->demangle);
	assert_string_equal(view->symbol_file, "s");
	TAKE("--long-smpl-p=7", "--extra-smpl-pmds=3,256", "--reset-non",
	     "--saturate", "--sysmap-file=m", "--smpl-cum-thr=50", "ls");
	assert_int_equal(wish->extra.count, 2);
	assert_int_equal(wish->extra.list[1], 256);
	assert_true(wish->reset && wish->saturate);
	assert_int_equal(wish->resets.count, 0);
	assert_int_equal(view->cum_threshold, 50);
	TAKE("--long-smpl-p=7", "--reset-non=2", "--smpl-ignore", "-a");
	assert_int_equal(wish->resets.list[0], 2);
	assert_true(view->ignore_pids);
	TAKE("-S", "raw");
	assert_int_equal(opts.action, ACTION_DESCRIBE_MODULE);
	assert_string_equal(opts.pattern, "raw");
}

#define LONG "--long-smpl-periods=7"

static void refuse(const char *const words[ARGS_MAX], const char *said)
{
	message_catch();
	assert_int_equal(parse(words), -1);
	message_expect(said, NULL);
}

static void what_makes_no_sense_is_refused(void **state)
{
	static const struct {
		const char *words[ARGS_MAX];
		const char *said;
	} cases[] = {
		{ { "--long-smpl-periods=0", "ls" }, "not periods from 1" },
		{ { "--short-smpl-periods=x", "ls" }, "not periods from 1" },
		{ { "--smpl-show-top=5", "ls" },
		  "--smpl-show-top: only of samples" },
		{ { "--resolv", "ls" },
		  "--resolve-addresses: only of samples" },
		{ { "--smpl-eager-save", "ls" }, "--smpl-eager-save: only of" },
		{ { LONG, "--smpl-show-top=0", "ls" },
		  "--smpl-show-top 0: not" },
		{ { LONG, "--smpl-cum-threshold=101", "ls" }, "1 to 100" },
		{ { LONG, "--smpl-module=hist", "ls" },
		  "--smpl-module=hist: must be inst-hist" },
		{ { LONG, "--smpl-raw", "--smpl-compact", "ls" },
		  "raw and compact: both given" },
		{ { LONG, "--smpl-raw", "ls" }, "give a file" },
		{ { LONG, "--smpl-raw", "--smpl-outfile=f", "--resolv", "ls" },
		  "--smpl-raw and --resolve-addresses" },
		{ { LONG, "--smpl-compact", "--smpl-per-function", "ls" },
		  "only with --smpl-module=inst-hist" },
		{ { LONG, "--smpl-ignore-pids", "ls" }, "only with -a" },
		{ { LONG, "--extra-smpl-pmds=a", "ls" },
		  "--extra-smpl-pmds=a" },
		{ { LONG, "--extra-smpl-pmds=1,", "ls" },
		  "--extra-smpl-pmds=1," },
		{ { LONG, "--extra-smpl-pmds=9999", "ls" }, "counters below" },
		{ { LONG, "--reset-non-smpl-periods=", "ls" },
		  "--reset-non-smpl" },
		{ { LONG, "--saturate-smpl", "--overflow-block", "ls" },
		  "--saturate-smpl-buffer and --overflow-block" },
		{ { LONG, "--overflow-block", "-a" }, "CPU cannot wait" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		refuse(cases[i].words, cases[i].said);
}

static void what_is_not_of_samples_is_refused(void **state)
{
	static const struct {
		const char *words[ARGS_MAX];
		const char *said;
	} cases[] = {
		{ { LONG, "--print-interval=5", "ls" },
		  "and --print-interval" },
		{ { LONG, "-r3", "ls" }, "and -r" },
		{ { LONG, "--control=fd:3", "ls" }, "and --control" },
		{ { LONG, "--dont-start", "ls" }, "and --dont-start" },
		{ { LONG, "--launch=self", "ls" }, "and --launch=self" },
		{ { LONG, "--switch-timeout=3", "ls" }, "sets and samples" },
		{ { LONG, "--textfile=f", "-a" }, "and --textfile" },
		{ { LONG, "-j", "ls" }, "only with --smpl-print-counts" },
		{ { LONG, "-o", "f", "ls" }, "see --smpl-outfile" },
		{ { LONG, "--show-time", "ls" }, "only with --smpl-print" },
		{ { LONG, "-p", "1", "ls" }, "a command and -p" },
		{ { LONG }, "no command" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		refuse(cases[i].words, cases[i].said);
}

/* Each has its own line about what it does. */
static void modules_are_described(void **state)
{
	static const char *const names[] = { "inst-hist", "compact", "detailed",
					     "raw" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *text = NULL, *line;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		assert_int_equal(sampling_describe(names[i], out), 0);
		fclose(out);
		assert_true(asprintf(&line, "name        : %s\n", names[i]) >
			    0);
		assert_memory_equal(text, line, strlen(line));
		assert_non_null(strstr(text, "\ndescription : "));
		free(line);
		free(text);
	}
	message_catch();
	assert_int_equal(sampling_describe("nothing", stdout), -1);
	message_expect("-S nothing: must be inst-hist, compact", NULL);
}

/* Of a model with a counter for each of three events. */
static int make(struct periods *periods)
{
	static struct event events[3] = {
		{ .name = (char *)"cycles", .meaning = MEANS_CYCLES },
		{ .name = (char *)"instructions",
		  .meaning = MEANS_INSTRUCTIONS },
		{ .name = (char *)"other" },
	};
	static const struct event_set set = {
		.plan = { .event_count = 3,
			  .pmds = { { .reg_num = 2 },
				    { .reg_num = 70 },
				    { .reg_num = 1 } } },
		.events = { 0, 1, 2 },
	};
	const struct event_list list = { events, 3 };

	return periods_make(periods, wish, &list, &set, 0);
}

static void periods_are_of_the_first_events(void **state)
{
	struct periods periods;

	(void)state;
	TAKE("--long-smpl-periods=1000", "--smpl-periods-random=7", "ls");
	assert_int_equal(make(&periods), 0);
	assert_int_equal(periods.list[0].every, 1000);
	assert_int_equal(periods.list[0].shortly, 1000);
	assert_int_equal(periods.list[0].random, 7);
	assert_int_equal(periods.list[1].every, 0);
	assert_int_equal(periods.list[1].random, 0);
	assert_int_equal(periods.recorded, 2);
	assert_int_equal(periods.list[0].attr.reg_smpl_pmds[0], 1 << 1);
	assert_int_equal(periods.list[0].attr.reg_smpl_pmds[1], 1 << 6);
	assert_false(periods.sums);
	TAKE("--long-smpl-periods=1000,900", "--short-smpl-periods=500", "ls");
	assert_int_equal(make(&periods), 0);
	assert_int_equal(periods.list[0].shortly, 500);
	assert_int_equal(periods.list[1].shortly, 900);
	assert_int_equal(periods.recorded, 1);
	TAKE("--short-smpl-periods=600", "ls");
	assert_int_equal(make(&periods), 0);
	assert_int_equal(periods.list[0].every, 600);
	TAKE("--long-smpl-periods=1,2,3,4", "ls");
	message_catch();
	assert_int_equal(make(&periods), -1);
	message_expect("4 numbers for 3 events", NULL);
}

static void registers_are_recorded_and_begin_anew(void **state)
{
	static struct regmap map = { .model = "M" };
	struct periods periods;
	const struct period *first = &periods.list[0];

	(void)state;
	TAKE("--long-smpl-periods=9", "--extra-smpl-pmds=70,0",
	     "--reset-non-smpl-periods", "--saturate-smpl-buffer", "ls");
	assert_int_equal(make(&periods), 0);
	assert_int_equal(first->attr.reg_smpl_pmds[0], 1 << 1 | 1);
	assert_int_equal(first->attr.reg_smpl_pmds[1], 1 << 6);
	assert_int_equal(first->attr.reg_reset_pmds[0], 1 << 1);
	assert_int_equal(first->attr.reg_reset_pmds[1], 1 << 6);
	assert_int_equal(first->pmd.reg_flags, 0);
	assert_int_equal(periods.recorded, 3);
	assert_true(periods.sums);
	/* In the order of their numbers, behind pmd0. */
	assert_int_equal(periods.value_of[0], -1);
	assert_int_equal(periods.value_of[1], 2);
	assert_int_equal(periods.value_of[2], 1);
	map.pmd[70].present = true;
	message_catch();
	assert_int_equal(periods_check(wish, &map), -1);
	message_expect("pmd0: M has none", NULL);
	map.pmd[0].present = true;
	assert_int_equal(periods_check(wish, &map), 0);
	TAKE("--long-smpl-periods=9", "--reset-non-smpl-periods=1", "ls");
	assert_int_equal(make(&periods), 0);
	assert_int_equal(first->attr.reg_reset_pmds[0], 1 << 1);
	assert_int_equal(first->attr.reg_reset_pmds[1], 0);
	for (int i = 2; i <= 3; i++) {
		char word[40];

		snprintf(word, sizeof(word), "--reset-non-smpl-periods=%d", i);
		TAKE("--long-smpl-periods=9", word, "ls");
		message_catch();
		assert_int_equal(make(&periods), -1);
		message_expect("counts no event without a period", NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_period_makes_samples),
		cmocka_unit_test(command_lines_of_3_9_are_understood),
		cmocka_unit_test(what_makes_no_sense_is_refused),
		cmocka_unit_test(what_is_not_of_samples_is_refused),
		cmocka_unit_test(modules_are_described),
		cmocka_unit_test(periods_are_of_the_first_events),
		cmocka_unit_test(registers_are_recorded_and_begin_anew),
	};

	return cmocka_run_group_tests_name("pfmon_sampling", tests, NULL, NULL);
}
