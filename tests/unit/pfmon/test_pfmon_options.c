// SPDX-License-Identifier: GPL-2.0-only
/* pfmon's command line: what is accepted, and one line for what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/event.h"
#include "message.h"
#include "grammar/options.h"

#define ARGS_MAX 10

/* Parses "pfmon" followed by the words. */
static int parse(struct options *opts, const char *const words[ARGS_MAX])
{
	static char storage[ARGS_MAX + 1][64];
	static char *argv[ARGS_MAX + 2];
	int argc = 1;

	strcpy(storage[0], "pfmon");
	argv[0] = storage[0];
	for (; argc <= ARGS_MAX && words[argc - 1]; argc++) {
		strcpy(storage[argc], words[argc - 1]);
		argv[argc] = storage[argc];
	}
	argv[argc] = NULL;
	return options_parse(opts, argc, argv);
}

#define WORDS(...) ((const char *const[ARGS_MAX]){ __VA_ARGS__ })

static void counting_is_the_default_action(void **state)
{
	struct options opts;

	(void)state;
	assert_int_equal(parse(&opts, WORDS("-e", "A,B", "gzip", "-k")), 0);
	assert_int_equal(opts.action, ACTION_COUNT);
	assert_string_equal(opts.events, "A,B");
	assert_int_equal(opts.levels, LEVEL_USER);
	assert_int_equal(opts.format, REPORT_TABLE);
	assert_null(opts.outfile);
	/* What follows the command belongs to it. */
	assert_string_equal(opts.command[0], "gzip");
	assert_string_equal(opts.command[1], "-k");
	assert_null(opts.command[2]);
}

static void two_dashes_end_the_options(void **state)
{
	struct options opts;

	(void)state;
	assert_int_equal(parse(&opts, WORDS("-e", "A", "--", "-odd", "-e")), 0);
	assert_string_equal(opts.command[0], "-odd");
	assert_string_equal(opts.command[1], "-e");
}

static void levels_add_up(void **state)
{
	struct options opts;

	(void)state;
	parse(&opts, WORDS("-e", "A", "-k", "true"));
	assert_int_equal(opts.levels, LEVEL_KERNEL);
	parse(&opts, WORDS("-uke", "A", "-u", "true"));
	assert_int_equal(opts.levels, LEVEL_USER | LEVEL_KERNEL);
	parse(&opts, WORDS("--kernel-level", "--user-level", "-eA", "true"));
	assert_int_equal(opts.levels, LEVEL_USER | LEVEL_KERNEL);
}

static void output_options_are_taken(void **state)
{
	struct options opts;

	(void)state;
	parse(&opts, WORDS("--json", "-o", "f", "-v", "-eA", "true"));
	assert_int_equal(opts.format, REPORT_JSON);
	assert_string_equal(opts.outfile, "f");
	assert_true(opts.verbose);
	parse(&opts,
	      WORDS("--csv", "--outfile=g", "--pmu=core", "-eA", "true"));
	assert_int_equal(opts.format, REPORT_CSV);
	assert_string_equal(opts.outfile, "g");
	assert_string_equal(opts.pmu, "core");
}

static void list_takes_a_pattern_in_each_form(void **state)
{
	struct options opts;

	(void)state;
	assert_int_equal(parse(&opts, WORDS("-l")), 0);
	assert_int_equal(opts.action, ACTION_LIST_EVENTS);
	assert_null(opts.pattern);
	assert_int_equal(parse(&opts, WORDS("-l", "CYC")), 0);
	assert_string_equal(opts.pattern, "CYC");
	assert_int_equal(parse(&opts, WORDS("-lCYC")), 0);
	assert_string_equal(opts.pattern, "CYC");
	assert_int_equal(parse(&opts, WORDS("--list-events=CYC")), 0);
	assert_string_equal(opts.pattern, "CYC");
}

static void the_self_test_is_quick_unless_told(void **state)
{
	struct options opts;

	(void)state;
	assert_int_equal(parse(&opts, WORDS("--self-test")), 0);
	assert_int_equal(opts.action, ACTION_SELF_TEST);
	assert_false(opts.full);
	assert_int_equal(parse(&opts, WORDS("--self-test=quick")), 0);
	assert_false(opts.full);
	assert_int_equal(parse(&opts, WORDS("--self-test=full", "--cpus", "0,2",
					    "-o", "f")),
			 0);
	assert_true(opts.full);
	assert_string_equal(opts.cpus, "0,2");
	assert_string_equal(opts.outfile, "f");
}

static void help_wins_over_what_is_missing(void **state)
{
	struct options opts;

	(void)state;
	assert_int_equal(parse(&opts, WORDS("--json", "--help", "--csv")), 0);
	assert_int_equal(opts.action, ACTION_HELP);
}

static void wrong_use_gets_one_line(void **state)
{
	static const struct {
		const char *words[ARGS_MAX];
		const char *said;
	} cases[] = {
		{ { NULL }, "-e EVENT" },
		{ { "true" }, "-e EVENT" },
		{ { "-e", "A" }, "no command" },
		{ { "-e", "A", "--" }, "no command" },
		{ { "-e" }, "-e: argument missing" },
		{ { "--pmu" }, "--pmu: argument missing" },
		{ { "-z" }, "-z: unknown option" },
		{ { "-uz", "-e", "A" }, "-z: unknown option" },
		{ { "--nonsense" }, "--nonsense: unknown option" },
		{ { "--json=yes" }, "--json=yes: " },
		{ { "--json", "--csv" }, "choose one" },
		{ { "-e", "A", "-e", "B", "true" }, "given twice" },
		{ { "-l", "A", "B" }, "B: not expected" },
		{ { "-L", "A" }, "A: not expected" },
		{ { "--self-test=no" }, "must be quick or full" },
		{ { "--self-test", "true" }, "true: not expected" },
		{ { "--self-test", "-e", "A" }, "-e: not with" },
		{ { "--self-test", "-u" }, "-u, -k: not with" },
		{ { "--self-test", "--csv" }, "--csv: not with" },
		{ { "--cpus=0", "-e", "A", "true" }, "only with --self-test" },
	};
	struct options opts;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		message_catch();
		assert_int_equal(parse(&opts, cases[i].words), -1);
		message_expect(cases[i].said, NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counting_is_the_default_action),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(levels_add_up),
		cmocka_unit_test(output_options_are_taken),
		cmocka_unit_test(list_takes_a_pattern_in_each_form),
		cmocka_unit_test(the_self_test_is_quick_unless_told),
		cmocka_unit_test(help_wins_over_what_is_missing),
		cmocka_unit_test(wrong_use_gets_one_line),
	};

	return cmocka_run_group_tests_name("pfmon_options", tests, NULL, NULL);
}
