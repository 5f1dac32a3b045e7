// SPDX-License-Identifier: GPL-2.0-only
/* Regular expressions of users: what matches, and what would take all memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/pattern.h"

static int matches(const char *pattern, const char *text)
{
	regex_t compiled;
	int found;

	assert_null(pattern_compile(pattern, &compiled));
	found = !regexec(&compiled, text, 0, NULL, 0);
	regfree(&compiled);
	return found;
}

static void patterns_are_extended_and_ignore_case(void **state)
{
	(void)state;
	assert_true(matches("/(gcc|g\\+\\+)+$", "/usr/bin/G++"));
	assert_false(matches("/(gcc|g\\+\\+)+$", "/usr/bin/gccgo"));
	assert_true(matches("^a{2,300}$", "aaa"));
}

/* In brackets, or after a backslash, they repeat nothing. */
static void characters_that_stand_for_themselves_cost_nothing(void **state)
{
	static const char *const patterns[] = {
		"[++++++++++++++++++++++++++++++]",
		"[]++++++++++++++++++++++++++++++]",
		"[^]++++++++++++++++++++++++++++++]",
		"\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
		assert_true(matches(patterns[i], "++++++++++++++++++++a"));
}

static void expressions_that_would_take_all_memory_are_refused(void **state)
{
	static const char *const patterns[] = {
		"a++++++++++++++++++++++++++++++",
		"((((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+",
		"((a{300}){300}){300}",
		"((a{2,300}){300,}){1,300}",
		"a{99999999999999999999}",
		"(a{18446744073709551615}){2}",
	};
	regex_t compiled;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
		assert_string_equal(pattern_compile(patterns[i], &compiled),
				    "too many repetitions");
}

static void what_is_none_is_told(void **state)
{
	static const char *const patterns[] = { "(", "[", "a{2,1}", "\\" };
	regex_t compiled;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
		assert_true(!strncmp(pattern_compile(patterns[i], &compiled),
				     "not a regular expression", 24));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_are_extended_and_ignore_case),
		cmocka_unit_test(
			characters_that_stand_for_themselves_cost_nothing),
		cmocka_unit_test(
			expressions_that_would_take_all_memory_are_refused),
		cmocka_unit_test(what_is_none_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
