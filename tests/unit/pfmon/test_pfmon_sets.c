// SPDX-License-Identifier: GPL-2.0-only
/* Which events are counted together, and by what the others are estimated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/tables.h"
#include "fake_pmu.h"
#include "message.h"
#include "registers/sets.h"
#include "scratch_dir.h"

#define TEN "rc1,rc2,rc3,rc4,rc5,rc6,rc7,rc8,rc9,rca"

static struct event_list list, reference;
static struct regmap map;
static struct pfarg_setinfo info;
static struct event_sets sets;

/* Six counters, all of which can count all of the events below. */
static int setup(void **state)
{
	char *sysfs = scratch_make();

	(void)state;
	fake_pmu_write(sysfs, "zen");
	assert_int_equal(regmap_read(&map, sysfs), 0);
	info = fake_pmu_info("zen");
	scratch_remove(sysfs);
	return tables_init("16,23,1,0");
}

static int make(const char *events, struct sets_wish wish)
{
	wish.levels = LEVEL_USER;
	events_free(&list);
	events_free(&reference);
	assert_int_equal(events_parse(&list, events, LEVEL_USER), 0);
	return sets_make(&sets, &list, &wish, &reference, &map, &info);
}

#define MAKE(events, ...) \
	assert_int_equal(make(events, (struct sets_wish){ __VA_ARGS__ }), 0)

/* How many counters each set has in use. */
static void expect_sets(const char *used)
{
	assert_int_equal(sets.count, strlen(used));
	for (int i = 0; i < sets.count; i++)
		assert_int_equal(sets.list[i].plan.event_count, used[i] - '0');
}

static void lists_have_sets_and_groups(void **state)
{
	static const struct {
		const char *text;
		int set[4], group[4];
	} rows[] = {
		{ "rc0,rc1;rc2;rc3", { 0, 0, 1, 2 }, { 0 } },
		{ "rc0,{rc1,rc2},rc3", { 0 }, { 0, 1, 1, 0 } },
		{ "{rc0,rc1},{rc2,rc3}", { 0 }, { 1, 1, 2, 2 } },
		{ "rc0;{rc1,rc2},rc3", { 0, 1, 1, 1 }, { 0, 1, 1, 0 } },
	};
	static const struct {
		const char *text, *said;
	} bad[] = {
		{ "rc0,{rc1,rc2", "{ without }" },
		{ "rc0,rc1}", "} without {" },
		{ "{rc0,{rc1}}", "{ in a group" },
		{ "{rc0;rc1}", "a group is in one set" },
		{ "{rc0,rc1}:u", "a comma must follow" },
		{ "rc0;", "empty event name" },
		{ "{rc0},", "empty event name" },
		{ "{}", "empty event name" },
		{ ";rc0", "empty event name" },
		{ "rc0{rc1}", "a comma must follow" },
	};
	struct event_list parsed;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(
			events_parse(&parsed, rows[i].text, LEVEL_USER), 0);
		assert_int_equal(parsed.count, 4);
		for (int j = 0; j < 4; j++) {
			assert_int_equal(parsed.events[j].set, rows[i].set[j]);
			assert_int_equal(parsed.events[j].group,
					 rows[i].group[j]);
		}
		events_free(&parsed);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		message_catch();
		assert_int_equal(events_parse(&parsed, bad[i].text, LEVEL_USER),
				 -1);
		message_expect(bad[i].said, NULL);
		events_free(&parsed);
	}
}

static void what_fits_is_one_set_without_reference(void **state)
{
	(void)state;
	MAKE("rc0,rc1,rc2,rc3,rc4,rc5", .split = true);
	expect_sets("6");
	assert_false(sets_take_turns(&sets));
	assert_int_equal(sets.list[0].reference, -1);
}

static void what_does_not_fit_is_split_where_that_is_wished(void **state)
{
	(void)state;
	MAKE(TEN, .split = true);
	/* Five and cycles, twice. */
	expect_sets("66");
	assert_string_equal(sets.reference->name, "cycles");
	assert_int_equal(sets.reference_event, -1);
	assert_int_equal(sets.switch_events, SETS_EVENTS_DEFAULT);
	for (int i = 0; i < list.count; i++) {
		const struct event_set *set = &sets.list[sets.set_of[i]];

		assert_int_equal(sets.set_of[i], i / 5);
		assert_int_equal(set->events[sets.place_of[i]], i);
	}
	message_catch();
	assert_int_equal(make(TEN, (struct sets_wish){ .split = false }), -1);
	message_expect("too many events: 10 given", "6 counters", NULL);
}

static void counted_instructions_are_the_reference(void **state)
{
	(void)state;
	MAKE("rc1,rc2,rc3,rc4,rc5,cycles,instructions", .split = true);
	assert_int_equal(sets.reference_event, 6);
	/* Where it is anyway, it has no second counter. */
	expect_sets("62");
	assert_int_equal(sets.list[0].events[5], -1);
	assert_int_equal(sets.list[0].reference, 5);
	assert_int_equal(sets.list[1].events[sets.list[1].reference], 6);
}

static void groups_stay_together(void **state)
{
	(void)state;
	MAKE("rc1,rc2,rc3,{rc4,rc5,rc6},rc7,rc8", .split = true);
	expect_sets("46");
	assert_int_equal(sets.set_of[3], 1);
	assert_int_equal(sets.set_of[5], 1);
	message_catch();
	assert_int_equal(make("{rc1,rc2,rc3,rc4,rc5,rc6,rc7},rc8",
			      (struct sets_wish){ .split = true }),
			 -1);
	message_expect("too many events", NULL);
}

static void sets_that_are_written_are_kept(void **state)
{
	(void)state;
	MAKE("rc1;rc2,rc3;instructions", .split = false);
	expect_sets("231");
	/* None has a counter left for a reference in each set: time it is. */
	MAKE("rc1;rc1,rc2,rc3,rc4,rc5,rc6", .split = false);
	expect_sets("16");
	assert_null(sets.reference);
	assert_int_equal(sets.timeout_ns, SETS_TIMEOUT_DEFAULT);
	assert_int_equal(sets.switch_events, 0);
}

static void the_user_chooses_the_reference_and_the_turns(void **state)
{
	(void)state;
	MAKE(TEN, .split = true, .reference = "branches",
	     .switch_events = 5000);
	assert_string_equal(sets.reference->full_name,
			    "RETIRED_BRANCH_INSTRUCTIONS");
	assert_int_equal(sets.switch_events, 5000);
	MAKE(TEN, .split = true, .reference = "none");
	expect_sets("64");
	assert_null(sets.reference);
	/* By time, estimated by the reference. */
	MAKE(TEN, .split = true, .timeout_ns = 1000000);
	assert_int_equal(sets.switch_events, 0);
	assert_int_equal(sets.timeout_ns, 1000000);
	assert_non_null(sets.reference);
}

static void wishes_that_cannot_be_met_get_one_line(void **state)
{
	static const struct {
		const char *events;
		struct sets_wish wish;
		const char *said;
	} cases[] = {
		{ TEN, { .split = true, .reference = "NONSENSE" }, "NONSENSE" },
		{ TEN, { .split = true, .reference = "rc0,rc1" }, "not one" },
		{ TEN, { .split = true, .reference = "task-clock" }, "not one" },
		{ "rc1;rc1,rc2,rc3,rc4,rc5,rc6",
		  { .reference = "cycles" },
		  "too many events" },
		{ "rc1;rc1,rc2,rc3,rc4,rc5,rc6",
		  { .switch_events = 5000 },
		  "too many events" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		message_catch();
		assert_int_equal(make(cases[i].events, cases[i].wish), -1);
		message_expect(cases[i].said, NULL);
	}
}

static void too_many_sets_are_refused(void **state)
{
	char text[256] = "rc0";

	(void)state;
	for (int i = 0; i < SETS_MAX; i++)
		strcat(text, ";rc0");
	message_catch();
	assert_int_equal(make(text, (struct sets_wish){ .split = false }), -1);
	message_expect("too many sets: at most 16", NULL);
}

static void forget_events(void)
{
	events_free(&list);
	events_free(&reference);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_have_sets_and_groups),
		cmocka_unit_test(what_fits_is_one_set_without_reference),
		cmocka_unit_test(
			what_does_not_fit_is_split_where_that_is_wished),
		cmocka_unit_test(counted_instructions_are_the_reference),
		cmocka_unit_test(groups_stay_together),
		cmocka_unit_test(sets_that_are_written_are_kept),
		cmocka_unit_test(the_user_chooses_the_reference_and_the_turns),
		cmocka_unit_test(wishes_that_cannot_be_met_get_one_line),
		cmocka_unit_test(too_many_sets_are_refused),
	};

	atexit(forget_events);
	return cmocka_run_group_tests_name("pfmon_sets", tests, setup, NULL);
}
