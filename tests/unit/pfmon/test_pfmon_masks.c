// SPDX-License-Identifier: GPL-2.0-only
/* The options of pfmon 3.9 that give each event of a set a value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "grammar/masks.h"
#include "message.h"

static struct request request;

static void set_events(const char *events)
{
	memset(&request, 0, sizeof(request));
	strcpy(request.event_lists, events);
	request.events = request.event_lists;
}

static void values_become_modifiers_of_the_last_set(void **state)
{
	static const struct {
		const char *events;
		int option;
		const char *values, *expected;
	} cases[] = {
		{ "A,B", OPT_COUNTER_MASK, "1,2", "A:c=1,B:c=2" },
		{ "A,B", OPT_COUNTER_MASK, "0,255", "A,B:c=255" },
		{ "A;B,C", OPT_COUNTER_MASK, ",3", "A;B,C:c=3" },
		{ "A,B;C", OPT_COUNTER_MASK, "3", "A,B;C:c=3" },
		{ "A,B:X", OPT_PRIV_LEVELS, "uk,3", "A:uk,B:X:u" },
		{ "A,B", OPT_PRIV_LEVELS, "k", "A:k,B" },
		{ "A,B", OPT_PRIV_LEVELS, "0,03", "A:k,B:uk" },
		{ "A,B", OPT_INV_MASK, "y,n", "A:i,B" },
		{ "A,B", OPT_EDGE_MASK, "0,1", "A,B:e" },
		{ "A", OPT_GUEST_MASK, "y", "A:g" },
		{ "A", OPT_HOST_MASK, "1", "A:h" },
		{ "{A,B},C", OPT_EDGE_MASK, "n,y,y", "{A,B:e},C:e" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		set_events(cases[i].events);
		assert_int_equal(masks_take(&request, cases[i].option,
					    cases[i].values),
				 0);
		assert_string_equal(request.events, cases[i].expected);
	}
}

static void bad_values_are_refused(void **state)
{
	static const struct {
		const char *events;
		int option;
		const char *values, *expected;
	} cases[] = {
		{ NULL, OPT_COUNTER_MASK, "1", "behind the events" },
		{ "A", OPT_COUNTER_MASK, "1,2", "more values than events" },
		{ "A", OPT_COUNTER_MASK, "-1", "not a value of it" },
		{ "A", OPT_COUNTER_MASK, "1000", "not a value of it" },
		{ "A", OPT_PRIV_LEVELS, "x", "not a value of it" },
		{ "A", OPT_INV_MASK, "yes", "not a value of it" },
		{ "A", OPT_INV_MASK, "yyyyyyyyyyyyyyyyyyyyyyy", "not a list" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		set_events(cases[i].events ? cases[i].events : "");
		if (!cases[i].events)
			request.events = NULL;
		message_catch();
		assert_int_equal(masks_take(&request, cases[i].option,
					    cases[i].values),
				 -1);
		message_expect(cases[i].expected, NULL);
	}
}

static void what_does_not_fit_is_refused(void **state)
{
	char many[EVENT_LISTS_MAX];

	(void)state;
	memset(many, 'A', sizeof(many));
	many[sizeof(many) - 5] = '\0';
	set_events(many);
	assert_int_equal(masks_take(&request, OPT_COUNTER_MASK, "1"), 0);
	message_catch();
	assert_int_equal(masks_take(&request, OPT_COUNTER_MASK, "1"), -1);
	message_expect("too many events", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_become_modifiers_of_the_last_set),
		cmocka_unit_test(bad_values_are_refused),
		cmocka_unit_test(what_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
