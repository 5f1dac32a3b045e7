// SPDX-License-Identifier: GPL-2.0-only
/* pfmon's command line: what is accepted, and one line for what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/event.h"
#include "grammar/options.h"
#include "message.h"
#include "words.h"

/* Parses "pfmon" followed by the words. */
static int parse(struct options *opts, const char *const words[ARGS_MAX])
{
	int argc;
	char **argv = words_of("pfmon", words, &argc);

	return options_parse(opts, argc, argv);
}

#define WORDS(...) ((const char *const[ARGS_MAX]){ __VA_ARGS__ })

/* Words, and what the one line says that they get. */
struct refusal {
	const char *words[ARGS_MAX];
	const char *said;
};

static void refuse(const struct refusal *wrong)
{
	struct options opts;

	message_catch();
	assert_int_equal(parse(&opts, wrong->words), -1);
	message_expect(wrong->said, NULL);
	if (opts.request.follow.only)
		regfree(&opts.only);
	if (opts.request.follow.except)
		regfree(&opts.except);
}

static void counting_is_the_default_action(void **state)
{
	struct options opts;

	(void)state;
	assert_int_equal(parse(&opts, WORDS("-e", "A,B", "gzip", "-k")), 0);
	assert_int_equal(opts.action, ACTION_COUNT);
	assert_string_equal(opts.request.events, "A,B");
	assert_int_equal(opts.request.levels, LEVEL_USER);
	assert_int_equal(opts.request.style.format, REPORT_TABLE);
	assert_null(opts.request.destination.file);
	/* What follows the command belongs to it. */
	assert_string_equal(opts.request.command[0], "gzip");
	assert_string_equal(opts.request.command[1], "-k");
	assert_null(opts.request.command[2]);
}

static void two_dashes_end_the_options(void **state)
{
	struct options opts;

	(void)state;
	assert_int_equal(parse(&opts, WORDS("-e", "A", "--", "-odd", "-e")), 0);
	assert_string_equal(opts.request.command[0], "-odd");
	assert_string_equal(opts.request.command[1], "-e");
}

static void levels_add_up(void **state)
{
	struct options opts;

	(void)state;
	parse(&opts, WORDS("-e", "A", "-k", "true"));
	assert_int_equal(opts.request.levels, LEVEL_KERNEL);
	parse(&opts, WORDS("-uke", "A", "-u", "true"));
	assert_int_equal(opts.request.levels, LEVEL_USER | LEVEL_KERNEL);
	parse(&opts, WORDS("--kernel-level", "--user-level", "-eA", "true"));
	assert_int_equal(opts.request.levels, LEVEL_USER | LEVEL_KERNEL);
}

static void output_options_are_taken(void **state)
{
	struct options opts;

	(void)state;
	parse(&opts, WORDS("--json", "-o", "f", "-v", "-eA", "true"));
	assert_int_equal(opts.request.style.format, REPORT_JSON);
	assert_string_equal(opts.request.destination.file, "f");
	assert_true(opts.request.verbose);
	parse(&opts,
	      WORDS("--csv", "--outfile=g", "--pmu=core", "-eA", "true"));
	assert_int_equal(opts.request.style.format, REPORT_CSV);
	assert_string_equal(opts.request.destination.file, "g");
	assert_string_equal(opts.request.pmu, "core");
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
	assert_string_equal(opts.request.destination.file, "f");
	assert_false(opts.hotplug);
	assert_int_equal(parse(&opts, WORDS("--self-test=hotplug")), 0);
	assert_true(opts.hotplug);
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
	static const struct refusal cases[] = {
		{ { NULL }, "no command" },
		{ { "-e", "A" }, "no command" },
		{ { "-e", "A", "--" }, "no command" },
		{ { "-e" }, "-e: argument missing" },
		{ { "--pmu" }, "--pmu: argument missing" },
		{ { "-z" }, "-z: unknown option" },
		{ { "-uz", "-e", "A" }, "-z: unknown option" },
		{ { "--nonsense" }, "--nonsense: unknown option" },
		{ { "--json=yes" }, "--json=yes: wrong use" },
		{ { "--json", "--csv" }, "choose one" },
		{ { "-x", ",", "-j" }, "choose one" },
		{ { "-l", "A", "B" }, "B: not expected" },
		{ { "-I", "A" }, "A: not expected" },
		{ { "--self-test=no" }, "must be quick, full or hotplug" },
		{ { "--self-test", "true" }, "true: not expected" },
		{ { "--self-test", "-e", "A" }, "-e: not with" },
		{ { "--self-test", "-u" }, "-u, -k: not with" },
		{ { "--self-test", "--csv" }, "--csv: not with" },
		{ { "--cpus=0", "-e", "A", "true" }, "only with --self-test" },
		{ { "-t", "soon", "true" }, "-t soon: not a time" },
		{ { "-t", "0", "true" }, "-t 0: not a time" },
		{ { "-r", "10001", "true" }, "-r 10001: not a number" },
		{ { "--log-fd", "-1", "true" }, "--log-fd -1: not a number" },
		{ { "--follow-exec=(", "true" }, "regular expression" },
		{ { "--follow-exec=++++++++++++++++++++", "true" },
		  "--follow-exec=++++++++++++++++++++: too many repetitions" },
		{ { "--follow-exec=a", "--follow-exec=b", "true" },
		  "--follow-exec is given twice" },
		{ { "--follow-exec-exclude=a", "--follow-exec-exclude=b",
		    "true" },
		  "--follow-exec-exclude is given twice" },
		{ { "--launch=x", "true" }, "--launch=x: must be auto" },
		{ { "--start=", "true" }, "--start=: must be exec, entry" },
		{ { "--follow=x", "true" },
		  "--follow=x: must be auto, kernel" },
		{ { "--follow" }, "--follow: argument missing" },
		/* Abbreviations have to be of one option. */
		{ { "--follow-e", "true" },
		  "one of --follow-exec, --follow-exec-exclude" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		refuse(&cases[i]);
}

static void options_that_are_not_there_are_refused_by_name(void **state)
{
	static const struct refusal cases[] = {
		{ { "--print-syms", "true" }, "option --print-syms: " },
		{ { "--trigger-code-start=x", "true" }, "no triggers" },
		{ { "-2", "true" }, "option -2: x86 has no such level" },
		{ { "--cpu-set-relative", "true" },
		  "option --cpu-set-relative: " },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		refuse(&cases[i]);
}

static void what_does_not_go_together_is_refused(void **state)
{
	static const struct refusal cases[] = {
		{ { "-p", "1", "true" }, "a command and -p" },
		{ { "-a", "-p", "1" }, "-a and -p" },
		{ { "-a", "--follow-all", "true" }, "-a and --follow" },
		{ { "-a", "--print-interval=10", "-t", "0.01" }, "shorter" },
		{ { "-a", "-r", "3" }, "-r: needs a command" },
		{ { "-o", "f", "--log-fd", "3", "true" }, "-o and --log-fd" },
		{ { "--append", "true" }, "--append: only with -o" },
		{ { "--pin-command", "true" }, "--pin-command: only with -C" },
		{ { "--interval-count=3", "-a" }, "only with -I" },
		{ { "--launch=self", "--follow-all", "true" }, "--follow-*" },
		{ { "--launch=self", "--follow-exec=x", "true" },
		  "--launch=self and --follow-exec" },
		{ { "--launch=self", "-a", "true" }, "-a and --launch" },
		{ { "--launch=ptrace", "-p", "1" }, "needs a command" },
		{ { "--start=f", "-p", "1" }, "--start: needs a command" },
		{ { "--start=f", "-a", "true" }, "-a and --start" },
		{ { "--start=f", "--launch=self", "true" },
		  "--launch=self and --start" },
		{ { "--start=f", "--dont-start", "true" },
		  "--dont-start and --start" },
		{ { "--start=f", "--follow-exec=x", "true" },
		  "--follow-exec and --start" },
		{ { "--switch-timeout=1", "--switch-events=5000", "true" },
		  "--switch-events and --switch-timeout" },
		{ { "--switch-events=5000", "--reference=none", "true" },
		  "--switch-events and --reference=none" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		refuse(&cases[i]);
}

static void starting_and_times_are_of_a_command(void **state)
{
	static const struct refusal cases[] = {
		{ { "--dont-start", "-p", "1" }, "needs a command" },
		{ { "--dont-start", "-a", "true" }, "--dont-start and -a" },
		{ { "--dont-start", "--follow-fork", "true" },
		  "--dont-start and --follow-*" },
		{ { "--dont-start", "--follow-exec=x", "true" },
		  "--dont-start and --follow-*" },
		{ { "--dont-start", "--control=fd:3", "true" },
		  "--dont-start and --control" },
		{ { "--dont-start", "--trigger-start-delay=1", "true" },
		  "--dont-start and --trigger-start-delay" },
		{ { "--show-time", "-p", "1" }, "--show-time and -p" },
		{ { "--show-time", "-p", "1", "--follow-all" },
		  "--show-time and -p" },
		{ { "--show-time", "-a", "true" }, "--show-time and -a" },
		{ { "--show-time", "-j", "true" }, "--show-time: only with" },
		{ { "--show-time", "-t", "1", "true" }, "--show-time and -t" },
		{ { "--show-time", "--print-interval=5", "true" },
		  "--show-time and --print-interval" },
		{ { "--show-time", "-r", "2", "true" }, "--show-time and -r" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		refuse(&cases[i]);
}

static void what_a_means_cannot_do_is_refused(void **state)
{
	static const struct refusal cases[] = {
		{ { "--follow=none", "--follow-all", "true" },
		  "--follow=none and --follow-*" },
		{ { "--follow=none", "--follow-exec=x", "true" },
		  "--follow=none and --follow-*" },
		{ { "--follow=kernel", "-a", "true" },
		  "-a and --follow=kernel" },
		{ { "--follow=ptrace", "-a", "true" },
		  "-a and --follow=ptrace" },
		{ { "--follow=kernel", "--follow-exec=x", "-p", "1" },
		  "--follow=kernel and --follow-exec" },
		{ { "--follow=kernel", "--follow-exec=x", "true" },
		  "--follow=kernel and --follow-exec" },
		{ { "--follow=kernel", "--follow-fork", "true" },
		  "--follow=kernel and --follow-fork" },
		{ { "--follow=kernel", "--switch-events=5000", "true" },
		  "--follow=kernel and --switch-events" },
		{ { "--follow=kernel" }, "no command" },
		{ { "--launch=self", "--follow=ptrace", "true" },
		  "--launch=self and --follow=ptrace" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		refuse(&cases[i]);
}

static bool follows(const struct request *request, bool forks, bool threads)
{
	return request->follow.forks == forks &&
	       request->follow.vforks == forks &&
	       request->follow.threads == threads;
}

/* By some means: all, unless some are named. */
static void a_means_follows_all_or_what_is_named(void **state)
{
	struct options opts;
	const struct request *request = &opts.request;

	(void)state;
	assert_int_equal(parse(&opts, WORDS("true")), 0);
	assert_true(follows(request, false, false));
	assert_int_equal(request->means, FOLLOW_AUTO);
	assert_int_equal(parse(&opts, WORDS("--follow=auto", "true")), 0);
	assert_true(follows(request, false, false));
	assert_int_equal(parse(&opts, WORDS("--follow=ptrace", "true")), 0);
	assert_true(follows(request, true, true));
	assert_int_equal(request->means, FOLLOW_PTRACE);
	assert_int_equal(request->grouping, GROUP_THREADS);
	assert_int_equal(parse(&opts, WORDS("--follow=ptrace",
					    "--follow-pthread", "true")),
			 0);
	assert_true(follows(request, false, true));
	assert_int_equal(parse(&opts, WORDS("--follow=none", "true")), 0);
	assert_true(follows(request, false, false));
	assert_int_equal(parse(&opts, WORDS("--follow=ptrace", "-p", "7")), 0);
	assert_string_equal(request->processes, "7");
}

/* It has one sum, hence no rows. */
static void the_kernel_follows_for_one_result(void **state)
{
	struct options opts;
	const struct request *request = &opts.request;

	(void)state;
	assert_int_equal(parse(&opts, WORDS("--follow=kernel", "true")), 0);
	assert_true(follows(request, true, true));
	assert_int_equal(request->means, FOLLOW_KERNEL);
	assert_int_equal(request->grouping, GROUP_ALL);
	assert_int_equal(parse(&opts, WORDS("--follow=kernel",
					    "--follow-pthread", "true")),
			 0);
	assert_true(follows(request, false, true));
	/* It does so for all threads of what runs already. */
	assert_int_equal(parse(&opts, WORDS("--follow=kernel", "-p", "12")), 0);
	assert_true(follows(request, true, true));
	assert_string_equal(request->processes, "12");
	assert_int_equal(request->grouping, GROUP_ALL);
	/* Whether it can is asked later. */
	assert_int_equal(parse(&opts, WORDS("--launch=self", "--follow-all",
					    "--aggr", "true")),
			 0);
}

/* As they are found in scripts of pfmon 3.9: glued, abbreviated, repeated. */
static void command_lines_of_3_9_are_understood(void **state)
{
	struct options opts;
	const struct request *request = &opts.request;

	(void)state;
	assert_int_equal(parse(&opts, WORDS("-eCYC,INST", "--eu-c", "ls")), 0);
	assert_string_equal(request->events, "CYC,INST");
	assert_int_equal(request->style.digits, DIGITS_POINT);
	assert_int_equal(parse(&opts, WORDS("--us-c", "-u", "-k", "ls")), 0);
	assert_int_equal(request->style.digits, DIGITS_COMMA);
	assert_int_equal(parse(&opts, WORDS("--aggr", "--follow-all", "ls")),
			 0);
	assert_int_equal(request->grouping, GROUP_ALL);
	assert_true(request->follow.forks && request->follow.vforks &&
		    request->follow.threads);
	assert_int_equal(parse(&opts, WORDS("--follow-all", "--with-header",
					    "--append", "-of", "ls")),
			 0);
	assert_int_equal(request->grouping, GROUP_THREADS);
	assert_true(request->style.header && request->destination.append);
	assert_int_equal(parse(&opts, WORDS("-k", "--system-wide", "-t", "10")),
			 0);
	assert_int_equal(request->grouping, GROUP_CPUS);
	assert_true(request->system_wide && request->timeout_ns == 10000000000);
	assert_null(request->command);
	assert_int_equal(parse(&opts, WORDS("--cpu-list=0,2-5", "-t1")), 0);
	assert_string_equal(request->cpus, "0,2-5");
	assert_int_equal(parse(&opts, WORDS("--attach-task=77")), 0);
	assert_string_equal(request->threads, "77");
	assert_int_equal(parse(&opts, WORDS("-p77", "--follow-pthread")), 0);
	assert_string_equal(request->processes, "77");
	assert_int_equal(parse(&opts, WORDS("-3", "-0", "--hex", "ls")), 0);
	assert_int_equal(request->levels, LEVEL_USER | LEVEL_KERNEL);
	assert_int_equal(request->style.digits, DIGITS_HEX);
	assert_int_equal(parse(&opts, WORDS("--follow-exec=^cc1", "make")), 0);
	assert_non_null(request->follow.only);
	regfree(&opts.only);
	assert_int_equal(parse(&opts, WORDS("--no-cmd-output", "ls")), 0);
	assert_true(request->no_output);
	assert_int_equal(parse(&opts, WORDS("--check-events-only", "-eA")), 0);
	assert_true(request->check_only);
	assert_int_equal(parse(&opts, WORDS("-i", "CYC")), 0);
	assert_int_equal(opts.action, ACTION_DESCRIBE_EVENT);
	assert_int_equal(parse(&opts, WORDS("--show-t", "--dont", "ls")), 0);
	assert_true(request->style.times && request->dont_start);
	/* Each further list is a set. */
	assert_int_equal(parse(&opts, WORDS("-eA,B", "-e", "C",
					    "--switch-timeout=10", "ls")),
			 0);
	assert_string_equal(request->events, "A,B;C");
	assert_int_equal(request->switch_ns, 10000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_means_follows_all_or_what_is_named),
		cmocka_unit_test(what_a_means_cannot_do_is_refused),
		cmocka_unit_test(the_kernel_follows_for_one_result),
		cmocka_unit_test(counting_is_the_default_action),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(levels_add_up),
		cmocka_unit_test(output_options_are_taken),
		cmocka_unit_test(list_takes_a_pattern_in_each_form),
		cmocka_unit_test(the_self_test_is_quick_unless_told),
		cmocka_unit_test(help_wins_over_what_is_missing),
		cmocka_unit_test(wrong_use_gets_one_line),
		cmocka_unit_test(
			options_that_are_not_there_are_refused_by_name),
		cmocka_unit_test(what_does_not_go_together_is_refused),
		cmocka_unit_test(starting_and_times_are_of_a_command),
		cmocka_unit_test(command_lines_of_3_9_are_understood),
	};

	return cmocka_run_group_tests_name("pfmon_options", tests, NULL, NULL);
}
