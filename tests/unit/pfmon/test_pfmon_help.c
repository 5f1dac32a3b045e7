// SPDX-License-Identifier: GPL-2.0-only
/* What pfmon --help and --help-classic print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "grammar/options.h"
#include "message.h"
#include "words.h"

static int parse(struct options *opts, const char *word)
{
	int argc;
	char **argv =
		words_of("pfmon", (const char *const[ARGS_MAX]){ word }, &argc);

	return options_parse(opts, argc, argv);
}

static int columns_of(const char *line)
{
	return (int)strcspn(line, "\n");
}

/* With the prompt before and after it, 24 lines of 80 characters are left. */
static void help_is_one_screen_with_the_verbs_and_six_examples(void **state)
{
	static const char *const verbs[] = { "stat",   "record",   "report",
					     "script", "annotate", "export",
					     "top",    "diff",	   "merge",
					     "list",   "check" };
	int lines = 0, examples = 0;
	char *text = NULL, word[16];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	options_help(out);
	fclose(out);
	for (const char *line = text; *line; line += columns_of(line) + 1) {
		assert_in_range(columns_of(line), 0, 80);
		lines++;
		examples += !strncmp(line, "  pfmon ", 8);
	}
	assert_in_range(lines, 20, 24);
	assert_int_equal(examples, 6);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		snprintf(word, sizeof(word), "\n  %s ", verbs[i]);
		assert_non_null(strstr(text, word));
	}
	assert_non_null(strstr(text, "pfmon VERB --help"));
	assert_non_null(strstr(text, "pfmon --help-classic"));
	free(text);
}

static void the_classic_options_have_a_help_of_their_own(void **state)
{
	struct options opts;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(parse(&opts, "--help-classic"), 0);
	assert_int_equal(opts.action, ACTION_HELP_CLASSIC);
	options_usage(out);
	fclose(out);
	assert_non_null(strstr(text, "--follow-all"));
	assert_non_null(strstr(text, "--help-classic"));
	free(text);
	message_catch();
	assert_int_equal(parse(&opts, "--nonsense"), -1);
	message_expect("see pfmon --help-classic", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			help_is_one_screen_with_the_verbs_and_six_examples),
		cmocka_unit_test(the_classic_options_have_a_help_of_their_own),
	};

	return cmocka_run_group_tests_name("pfmon_help", tests, NULL, NULL);
}
