// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is told of functions with those that they have called: a sample counts once for
 * each function of its chain, also if that has called itself.
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
#include "profiled.h"
#include "stacked.h"
#include "views/verbs.h"

#define EXPORT(...)                                   \
	profiled_run(profiled_directory, verb_export, \
		     (const char *const[]){ __VA_ARGS__, NULL }, NULL)

/* fa calls itself, and fb and fa each other; once fc is the outermost. */
static const char *const chains[] = { "a",    "aab", "aab", "abab",
				      "abac", "abc", "c",   NULL };

/* What report wrote without the name of the directory; words up to NULL. */
static void expect_report(const char *const *words, const char *expected)
{
	char *text = profiled_run(profiled_directory, verb_report, words, NULL);
	char *shown = calloc(1, strlen(text) + 1);
	size_t length = strlen(profiled_directory);
	char *out = shown;

	for (const char *c = text; *c;) {
		if (!strncmp(c, profiled_directory, length)) {
			*out++ = 'D';
			c += length;
		} else {
			*out++ = *c++;
		}
	}
	assert_string_equal(shown, expected);
	free(shown);
	free(text);
}

#define REPORT(expected, ...) \
	expect_report((const char *const[]){ __VA_ARGS__ }, expected)

#define EVENT                                                               \
	"# instructions:u (RETIRED_INSTRUCTIONS): 7 samples, 6979 events\n" \
	"# only 7 samples, see RANGE%; a smaller -c or a greater -F takes more\n"

#define HEAD_OF(symbol)                                                              \
	EVENT "   SAMPLES   SELF%        RANGE%    CUM%      TOTAL  TOTAL%  " symbol \
	      "  FILE\n"
#define HEAD HEAD_OF("SYMBOL")

static void
a_report_has_samples_of_functions_with_what_they_called(void **state)
{
	(void)state;
	stacked_write(chains);
	REPORT(HEAD
	       "         3   42.86    8.35-86.05   42.86          5   71.43  fb      D/prof\n"
	       "         3   42.86    8.35-86.05   85.71          3   42.86  fc      D/prof\n"
	       "         1   14.29    1.13-70.91  100.00          6   85.71  fa      D/prof\n",
	       NULL);
	REPORT(HEAD
	       "         1   14.29    1.13-70.91   14.29          6   85.71  fa      D/prof\n"
	       "         3   42.86    8.35-86.05   57.14          5   71.43  fb      D/prof\n"
	       "         3   42.86    8.35-86.05  100.00          3   42.86  fc      D/prof\n",
	       "--children", NULL);
	REPORT(EVENT
	       "   SAMPLES   SELF%        RANGE%    CUM%  SYMBOL  FILE\n"
	       "         3   42.86    8.35-86.05   42.86  fb      D/prof\n"
	       "         3   42.86    8.35-86.05   85.71  fc      D/prof\n"
	       "         1   14.29    1.13-70.91  100.00  fa      D/prof\n",
	       "--no-children", NULL);
}

static void functions_without_samples_of_their_own_are_told(void **state)
{
	(void)state;
	stacked_write((const char *const[]){ "ab", "ac", NULL });
	REPORT("# instructions:u (RETIRED_INSTRUCTIONS): 2 samples, 1994 events\n"
	       "# only 2 samples, see RANGE%; a smaller -c or a greater -F takes more\n"
	       "   SAMPLES   SELF%        RANGE%    CUM%      TOTAL  TOTAL%  SYMBOL  FILE\n"
	       "         1   50.00    4.04-95.96   50.00          1   50.00  fb      D/prof\n"
	       "         1   50.00    4.04-95.96  100.00          1   50.00  fc      D/prof\n"
	       "         0    0.00    0.00-84.48  100.00          2  100.00  fa      D/prof\n",
	       NULL);
}

/* Lines of callers add up to TOTAL; of callees to what is not SAMPLES of it. */
static void callers_and_callees_add_up(void **state)
{
	(void)state;
	stacked_write(chains);
	REPORT(HEAD_OF("SYMBOL   ") "         3   42.86    8.35-86.05   42.86          5   71.43  fb         D/prof\n"
				    "                                                  5   71.43  <- fa      D/prof\n"
				    "                                                  1   14.29  -> fa      D/prof\n"
				    "                                                  1   14.29  -> fc      D/prof\n",
	       "--callers", "--callees=fb", NULL);
	REPORT(HEAD_OF("SYMBOL   ") "         3   42.86    8.35-86.05   42.86          5   71.43  fb         D/prof\n"
				    "                                                  5   71.43  <- fa      D/prof\n"
				    "         3   42.86    8.35-86.05   85.71          3   42.86  fc         D/prof\n"
				    "                                                  1   14.29  <- [root]  -\n"
				    "                                                  1   14.29  <- fa      D/prof\n"
				    "                                                  1   14.29  <- fb      D/prof\n"
				    "         1   14.29    1.13-70.91  100.00          6   85.71  fa         D/prof\n"
				    "                                                  6   85.71  <- [root]  -\n",
	       "--callers", NULL);
	REPORT(HEAD
	       "         3   42.86    8.35-86.05   42.86          5   71.43  fb      D/prof\n"
	       "                                                  1   14.29  -> fa   D/prof\n"
	       "                                                  1   14.29  -> fc   D/prof\n"
	       "         3   42.86    8.35-86.05   85.71          3   42.86  fc      D/prof\n"
	       "         1   14.29    1.13-70.91  100.00          6   85.71  fa      D/prof\n"
	       "                                                  4   57.14  -> fb   D/prof\n"
	       "                                                  1   14.29  -> fc   D/prof\n",
	       "--callees", NULL);
}

static void refuse(const char *word, const char *other, const char *why)
{
	char *data;
	char *words[5] = { (char *)"report", (char *)(uintptr_t)word };
	int count = 2;

	assert_true(asprintf(&data, "%s/pfmon.data", profiled_directory) > 0);
	if (other)
		words[count++] = (char *)(uintptr_t)other;
	words[count++] = data;
	message_catch();
	assert_int_equal(verb_report(count, words), STATUS_FAILED);
	message_expect(why, NULL);
	free(data);
}

static void what_chains_do_not_tell_is_refused(void **state)
{
	(void)state;
	stacked_write(chains);
	refuse("--callers=fd", NULL, "no function of this name");
	refuse("--children", "--no-children", "both given");
	refuse("--callees", "--no-children", "both given");
	profiled_write(profiled_directory);
	refuse("--children", NULL, "no call chains");
	refuse("--callers", NULL, "no call chains");
	refuse("--callees=fa", NULL, "no call chains");
}

static void folded_lines_and_graphs_have_each_sample_once(void **state)
{
	char *text;

	(void)state;
	stacked_write(chains);
	text = EXPORT("folded");
	assert_string_equal(text, "prof;fa 1\n"
				  "prof;fa;fa;fb 2\n"
				  "prof;fa;fb;fa;fb 1\n"
				  "prof;fa;fb;fa;fc 1\n"
				  "prof;fa;fb;fc 1\n"
				  "prof;fc 1\n");
	free(text);
	text = EXPORT("flame");
	/* The outer fa, and the inner one of two samples. */
	assert_non_null(
		strstr(text, "data-s=\"0\" data-n=\"6\" data-name=\"fa\""));
	assert_non_null(
		strstr(text, "data-s=\"1\" data-n=\"2\" data-name=\"fa\""));
	free(text);
	text = EXPORT("html");
	assert_non_null(
		strstr(text, "<td class=\"n\">1</td><td class=\"n\">14.29</td>"
			     "<td class=\"n\">6</td><td class=\"n\">85.71</td>"
			     "<td>fa</td>"));
	free(text);
}

static void callgrind_has_calls_behind_costs(void **state)
{
	char *text;

	(void)state;
	stacked_write((const char *const[]){ "ab", "ab", "b", NULL });
	text = EXPORT("callgrind");
	assert_non_null(strstr(text, "\nfl=???\nfn=[root]\n"));
	assert_non_null(strstr(text, "\nfn=fb\n0x1060 5 3\n"));
	assert_non_null(strstr(text, "cfn=fb\ncalls=2 0x1040 5\n0x101f 3 2\n"));
	assert_non_null(strstr(text, "cfn=fb\ncalls=1 0x1040 5\n0x0 0 1\n"));
	free(text);
	/* Without chains there are costs alone. */
	profiled_write(profiled_directory);
	text = EXPORT("callgrind");
	assert_null(strstr(text, "calls="));
	free(text);
}

/* Costs as callgrind_annotate shows them, of the functions of the program. */
static void expect_annotated(const char *option, const char *expected)
{
	char *command, *text;

	/* It takes off the name of its directory, in some places only. */
	assert_true(
		asprintf(
			&command,
			"cd / && callgrind_annotate --auto=no %s --threshold=100 "
			"'%s/out' > '%s/shown' && awk '/prof.c:f/ { sub(\".*:\", "
			"\"\", $3); print $1, $3 }' '%s/shown' | sort > "
			"'%s/annotated'",
			option, profiled_directory, profiled_directory,
			profiled_directory, profiled_directory) > 0);
	profiled_shell(profiled_directory, command);
	text = profiled_read(profiled_directory, "annotated", NULL);
	assert_string_equal(text, expected);
	free(text);
	free(command);
}

static void callgrind_annotate_reads_the_same_totals(void **state)
{
	(void)state;
	if (system("command -v callgrind_annotate > /dev/null"))
		skip();
	stacked_write(chains);
	free(EXPORT("callgrind"));
	expect_annotated("--inclusive=no", "1 fa\n3 fb\n3 fc\n");
	expect_annotated("--inclusive=yes", "3 fc\n5 fb\n6 fa\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_report_has_samples_of_functions_with_what_they_called),
		cmocka_unit_test(
			functions_without_samples_of_their_own_are_told),
		cmocka_unit_test(callers_and_callees_add_up),
		cmocka_unit_test(what_chains_do_not_tell_is_refused),
		cmocka_unit_test(folded_lines_and_graphs_have_each_sample_once),
		cmocka_unit_test(callgrind_has_calls_behind_costs),
		cmocka_unit_test(callgrind_annotate_reads_the_same_totals),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
