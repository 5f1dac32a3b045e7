// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables of options themselves, as the grammars hand them to getopt_long(): each
 * option changes what is asked for, is refused by its name, or is one of those that
 * are documented to have no effect. None is ignored.
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
#include "grammar/later.h"
#include "grammar/options.h"
#include "grammar/record.h"
#include "grammar/stat.h"
#include "message.h"
#include "words.h"

/* All that a command line is made into; without padding that nobody sets. */
union parsed {
	struct options classic;
	struct stat_options stat;
	struct record_options record;
};

static int parse_classic(union parsed *all, int argc, char **argv)
{
	return options_parse(&all->classic, argc, argv);
}

static int parse_stat(union parsed *all, int argc, char **argv)
{
	return stat_parse(&all->stat, argc, argv);
}

static int parse_record(union parsed *all, int argc, char **argv)
{
	return record_parse(&all->record, argc, argv);
}

static struct request *classic_request(union parsed *all)
{
	return &all->classic.request;
}

static struct request *stat_request(union parsed *all)
{
	return &all->stat.request;
}

static struct request *record_request(union parsed *all)
{
	return &all->record.request;
}

/* How an option is tried: what it needs around it. */
struct trial {
	const char *name; /* or the letter */
	const char *context[3]; /* words before it */
	const char *value; /* "1" if it needs one and none is said */
	int alone; /* it goes without a command */
};

#define SAMPLED "--long-smpl-periods=1000"

static const struct trial classic_trials[] = {
	{ "3", { "-k" }, NULL, 0 },
	{ "append", { "-of" }, NULL, 0 },
	{ "attach-task", { NULL }, NULL, 1 },
	{ "control", { NULL }, "fd:3", 0 },
	{ "counter-mask", { "-eA" }, NULL, 0 },
	{ "cpus", { "--self-test" }, NULL, 1 },
	{ "demangle-cpp", { SAMPLED }, NULL, 0 },
	{ "demangle-java", { SAMPLED }, NULL, 0 },
	{ "edge-mask", { "-eA" }, NULL, 0 },
	{ "event-info", { NULL }, NULL, 1 },
	{ "extra-smpl-pmds", { SAMPLED }, NULL, 0 },
	{ "follow", { NULL }, "ptrace", 0 },
	{ "follow-exec", { NULL }, "x", 0 },
	{ "guest-mask", { "-eA" }, NULL, 0 },
	{ "host-mask", { "-eA" }, NULL, 0 },
	{ "I", { NULL }, NULL, 1 },
	{ "i", { NULL }, NULL, 1 },
	{ "info", { NULL }, NULL, 1 },
	{ "interval-clear", { "--print-interval=1" }, NULL, 0 },
	{ "interval-count", { "--print-interval=1" }, NULL, 0 },
	{ "inv-mask", { "-eA" }, NULL, 0 },
	{ "L", { NULL }, NULL, 1 },
	{ "l", { NULL }, NULL, 1 },
	{ "launch", { NULL }, "self", 0 },
	{ "list-events", { NULL }, NULL, 1 },
	{ "list-pmus", { NULL }, NULL, 1 },
	{ "long-show-events", { NULL }, NULL, 1 },
	{ "no-overflow-block", { SAMPLED }, NULL, 0 },
	{ "overflow-block", { SAMPLED }, NULL, 0 },
	{ "p", { NULL }, NULL, 1 },
	{ "pin-command", { "-C0" }, NULL, 0 },
	{ "priv-levels", { "-eA" }, "u", 0 },
	{ "repeat", { NULL }, "2", 0 },
	{ "r", { NULL }, "2", 0 },
	{ "reset-non-smpl-periods", { SAMPLED }, NULL, 0 },
	{ "resolve-addresses", { SAMPLED }, NULL, 0 },
	{ "S", { NULL }, "raw", 1 },
	{ "saturate-smpl-buffer", { SAMPLED }, NULL, 0 },
	{ "self-test", { NULL }, NULL, 1 },
	{ "show-events", { NULL }, NULL, 1 },
	{ "smpl-compact", { SAMPLED }, NULL, 0 },
	{ "smpl-cum-threshold", { SAMPLED }, NULL, 0 },
	{ "smpl-eager-save", { SAMPLED }, NULL, 0 },
	{ "smpl-entries", { SAMPLED }, NULL, 0 },
	{ "smpl-ignore-pids", { SAMPLED, "-a" }, NULL, 0 },
	{ "smpl-module", { SAMPLED }, "compact", 0 },
	{ "smpl-module-info", { NULL }, "raw", 1 },
	{ "smpl-outfile", { SAMPLED }, NULL, 0 },
	{ "smpl-per-function", { SAMPLED }, NULL, 0 },
	{ "smpl-periods-random", { SAMPLED }, NULL, 0 },
	{ "smpl-print-counts", { SAMPLED }, NULL, 0 },
	{ "smpl-raw", { SAMPLED, "--smpl-outfile=f" }, NULL, 0 },
	{ "smpl-show-top", { SAMPLED }, NULL, 0 },
	{ "switch-events", { NULL }, "1000", 0 },
	{ "symbol-file", { SAMPLED }, NULL, 0 },
	{ "sysmap-file", { SAMPLED }, NULL, 0 },
	{ "u", { "-k" }, NULL, 0 },
	{ "user-level", { "-k" }, NULL, 0 },
	{ "V", { NULL }, NULL, 1 },
	{ "version", { NULL }, NULL, 1 },
	{ NULL, { NULL }, NULL, 0 },
};

static const struct trial stat_trials[] = {
	{ "A", { "-a" }, NULL, 0 },
	{ "all-user", { "--all-kernel" }, NULL, 0 },
	{ "append", { "-of" }, NULL, 0 },
	{ "control", { NULL }, "fd:3", 0 },
	{ "follow", { NULL }, "ptrace", 0 },
	{ "interval-clear", { "-I1" }, NULL, 0 },
	{ "interval-count", { "-I1" }, NULL, 0 },
	{ "launch", { NULL }, "self", 0 },
	{ "no-aggr", { "-a" }, NULL, 0 },
	{ "no-big-num", { "-B" }, NULL, 0 },
	{ "p", { NULL }, NULL, 1 },
	{ "no-merge", { "-a" }, NULL, 0 },
	{ "per-core", { "-a" }, NULL, 0 },
	{ "per-die", { "-a" }, NULL, 0 },
	{ "per-cpu", { "-a" }, NULL, 0 },
	{ "per-node", { "-a" }, NULL, 0 },
	{ "per-socket", { "-a" }, NULL, 0 },
	{ "pid", { NULL }, NULL, 1 },
	{ "pin-command", { "-C0" }, NULL, 0 },
	{ "repeat", { NULL }, "2", 0 },
	{ "r", { NULL }, "2", 0 },
	{ "switch-events", { NULL }, "1000", 0 },
	{ "t", { NULL }, NULL, 1 },
	{ "tid", { NULL }, NULL, 1 },
	{ NULL, { NULL }, NULL, 0 },
};

static const struct trial record_trials[] = {
	{ "all-user", { "--all-kernel" }, NULL, 0 },
	{ "branch-filter", { NULL }, "cond", 0 },
	{ "call-graph", { NULL }, "fp", 0 },
	{ "follow", { NULL }, "ptrace", 0 },
	{ "j", { NULL }, "cond", 0 },
	{ "m", { NULL }, "4K", 0 },
	{ "map", { NULL }, "maps", 0 },
	{ "mappings", { NULL }, "maps", 0 },
	{ "ldlat", { NULL }, "30", 0 },
	{ "mmap-size", { NULL }, "4K", 0 },
	{ "p", { NULL }, NULL, 1 },
	{ "pid", { NULL }, NULL, 1 },
	{ "pin-command", { "-C0" }, NULL, 0 },
	{ "t", { NULL }, NULL, 1 },
	{ "tid", { NULL }, NULL, 1 },
	{ NULL, { NULL }, NULL, 0 },
};

/* What the manual page says to have none. */
static const char *const without_effect[] = { "demangle-java", "no-una-detect",
					      "smpl-eager-save" };

static const struct grammar {
	const char *name;
	int (*parse)(union parsed *all, int argc, char **argv);
	struct request *(*request)(union parsed *all);
	const struct later *refused;
	const struct trial *trials;
	int least; /* options, of which the table has more */
} grammars[] = {
	{ "pfmon", parse_classic, classic_request, later_classic,
	  classic_trials, 80 },
	{ "stat", parse_stat, stat_request, later_stat, stat_trials, 50 },
	{ "record", parse_record, record_request, later_record, record_trials,
	  50 },
};

static const struct option *known;
static const char *letters;

int __real_getopt_long(int argc, char *const *argv, const char *short_options,
		       const struct option *long_options, int *index);
int __wrap_getopt_long(int argc, char *const *argv, const char *short_options,
		       const struct option *long_options, int *index);

int __wrap_getopt_long(int argc, char *const *argv, const char *short_options,
		       const struct option *long_options, int *index)
{
	known = long_options;
	letters = short_options;
	return __real_getopt_long(argc, argv, short_options, long_options,
				  index);
}

/*
 * Where the command is among the words is of no interest, nor which option was about
 * samples.
 */
static int parse(const struct grammar *grammar, const char *const words[],
		 union parsed *all)
{
	int argc, ret;
	char **argv = words_of(grammar->name, words, &argc);

	memset(all, 0, sizeof(*all));
	ret = grammar->parse(all, argc, argv);
	grammar->request(all)->command = NULL;
	if (grammar->parse == parse_classic)
		all->classic.smpl.given = NULL;
	return ret;
}

static void forget(const struct grammar *grammar, union parsed *all)
{
	const struct follow_rules *follow = &grammar->request(all)->follow;

	if (follow->only)
		regfree(&all->classic.only);
	if (follow->except)
		regfree(&all->classic.except);
}

static const struct trial *trial_of(const struct grammar *grammar,
				    const char *name)
{
	static const struct trial plain;
	const struct trial *trial = grammar->trials;

	while (trial->name && strcmp(trial->name, name) != 0)
		trial++;
	return trial->name ? trial : &plain;
}

static bool has_no_effect(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(without_effect); i++) {
		if (!strcmp(without_effect[i], name))
			return true;
	}
	return false;
}

/* The words of a trial, with the option or without it. */
static void words_for(const struct trial *trial, const char *option,
		      const char *words[ARGS_MAX])
{
	int count = 0;

	for (; count < 3 && trial->context[count]; count++)
		words[count] = trial->context[count];
	if (option)
		words[count++] = option;
	if (!trial->alone || !option)
		words[count++] = "true";
	words[count] = NULL;
}

/*
 * The option has its value with it, and is refused or does something. The two
 * requests are made in one place, as they point to themselves.
 */
static void try_option(const struct grammar *grammar, const char *name,
		       const char *option, const char *refusal)
{
	static union parsed all, before;
	const struct trial *trial = trial_of(grammar, name);
	const char *words[ARGS_MAX];

	if (refusal) {
		words_for(&(struct trial){ .name = name }, option, words);
		message_catch();
		assert_int_equal(parse(grammar, words, &all), -1);
		message_expect(refusal, NULL);
		return;
	}
	words_for(trial, NULL, words);
	diag_quiet(true);
	parse(grammar, words, &all);
	diag_quiet(false);
	before = all;
	words_for(trial, option, words);
	if (parse(grammar, words, &all))
		fail_msg("%s %s: refused", grammar->name, option);
	if (!memcmp(&all, &before, sizeof(all)) != has_no_effect(name))
		fail_msg("%s %s: %s", grammar->name, option,
			 has_no_effect(name) ? "has an effect" : "ignored");
	forget(grammar, &all);
}

/* What record says of options that are about reports. */
static bool is_of_samples(const struct grammar *grammar, const char *name)
{
	static const char *const reports[] = {
		"append",
		"B",
		"control",
		"csv",
		"eu-counter-format",
		"hex-counter-format",
		"interval-clear",
		"interval-count",
		"json",
		"json-strings",
		"launch",
		"log-fd",
		"r",
		"reference",
		"repeat",
		"switch-events",
		"switch-timeout",
		"textfile",
		"us-counter-format",
		"x",
	};

	for (size_t i = 0; i < ARRAY_SIZE(reports); i++) {
		if (!strcmp(grammar->name, "record") &&
		    !strcmp(reports[i], name))
			return false;
	}
	return true;
}

static const char *refusal_of(const struct grammar *grammar, int value,
			      const char *name)
{
	static char said[200];

	if (!is_of_samples(grammar, name))
		return "not of samples; use pfmon stat";
	for (int i = 0; grammar->refused[i].why; i++) {
		const struct later *row = &grammar->refused[i];
		bool by_letter = name[1] == '\0' && row->letter == *name;

		if (!by_letter && value != OPT_LATER + i)
			continue;
		snprintf(said, sizeof(said), "option %s%s: %s",
			 by_letter ? "-" : "--", name, row->why);
		return said;
	}
	return NULL;
}

static void long_options_of(const struct grammar *grammar)
{
	static union parsed all;
	int count = 0;

	parse(grammar, (const char *const[ARGS_MAX]){ "true" }, &all);
	for (const struct option *row = known; row->name; row++, count++) {
		const struct trial *trial = trial_of(grammar, row->name);
		bool with = row->has_arg == required_argument || trial->value;
		char option[64];

		snprintf(option, sizeof(option), "--%s%s%s", row->name,
			 with ? "=" : "", with ? trial->value ?: "1" : "");
		try_option(grammar, row->name, option,
			   refusal_of(grammar, row->val, row->name));
	}
	assert_true(count > grammar->least);
}

static void letters_of(const struct grammar *grammar)
{
	static union parsed all;
	int count = 0;

	parse(grammar, (const char *const[ARGS_MAX]){ "true" }, &all);
	for (const char *c = letters + 2; *c; c++, count++) {
		const char name[] = { *c, '\0' };
		const struct trial *trial = trial_of(grammar, name);
		bool needs = c[1] == ':' && c[2] != ':';
		char option[64];

		snprintf(option, sizeof(option), "-%c%s", *c,
			 trial->value  ?:
				 needs ? "1" :
					 "");
		try_option(grammar, name, option,
			   refusal_of(grammar, *c, name));
		while (c[1] == ':')
			c++;
	}
	assert_true(count > 15);
}

static void no_long_option_is_ignored(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(grammars); i++)
		long_options_of(&grammars[i]);
}

static void no_letter_is_ignored(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(grammars); i++)
		letters_of(&grammars[i]);
}

/* Else one of the two would be dead: getopt_long() takes the first. */
static void no_name_is_there_twice(void **state)
{
	static union parsed all;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(grammars); i++) {
		parse(&grammars[i], (const char *const[ARGS_MAX]){ "true" },
		      &all);
		for (const struct option *one = known; one->name; one++) {
			for (const struct option *two = known; two < one;
			     two++) {
				if (!strcmp(one->name, two->name))
					fail_msg("%s --%s: twice",
						 grammars[i].name, one->name);
			}
		}
	}
}

static void the_same_words_are_the_same_request(void **state)
{
	static union parsed all, before;
	const char *const words[ARGS_MAX] = { "-eA", "-v", "true" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(grammars); i++) {
		assert_int_equal(parse(&grammars[i], words, &all), 0);
		before = all;
		assert_int_equal(parse(&grammars[i], words, &all), 0);
		assert_memory_equal(&all, &before, sizeof(all));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_words_are_the_same_request),
		cmocka_unit_test(no_name_is_there_twice),
		cmocka_unit_test(no_long_option_is_ignored),
		cmocka_unit_test(no_letter_is_ignored),
	};

	return cmocka_run_group_tests_name("pfmon_every_option", tests, NULL,
					   NULL);
}
