// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register map in sysfs, and which counter counts which event on it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assign.h"
#include "fake_pmu.h"
#include "message.h"
#include "scratch_dir.h"

#define EVENTS_MAX 40

static struct event events[EVENTS_MAX];
static struct event_list list = { .events = events };
static struct regmap map;
static struct pfarg_setinfo info;
static struct plan plan;

static void use_pmu(const char *name)
{
	char *sysfs = scratch_make();

	fake_pmu_write(sysfs, name);
	assert_int_equal(regmap_read(&map, sysfs), 0);
	info = fake_pmu_info(name);
	scratch_remove(sysfs);
	list.count = 0;
}

static struct event *want(uint64_t selector)
{
	struct event *event = &events[list.count++];

	*event = (struct event){
		.selector = selector | 0x500000,
		.counters = UINT32_MAX,
	};
	event->name = (char *)"event";
	return event;
}

static void expect_pmd(int event, unsigned int pmd)
{
	assert_int_equal(plan.pmds[event].reg_num, pmd);
	assert_int_equal(plan.pmds[event].reg_value, 0);
}

static void expect_pmc(int i, unsigned int pmc, uint64_t value, int event)
{
	assert_int_equal(plan.pmcs[i].reg_num, pmc);
	assert_int_equal(plan.pmcs[i].reg_value, value);
	assert_int_equal(plan.pmc_event[i], event);
}

static void assign_or_fail(void)
{
	assert_int_equal(assign_events(&plan, &list, &map, &info), 0);
	assert_int_equal(plan.event_count, list.count);
}

static void refuse(const char *text, const char *more)
{
	message_catch();
	assert_int_equal(assign_events(&plan, &list, &map, &info), -1);
	message_expect(text, more, NULL);
}

static void the_map_is_read_from_sysfs(void **state)
{
	(void)state;
	use_pmu("core2");
	assert_string_equal(map.model, "Intel Core");
	assert_true(map.pmc[0].present && map.pmc[1].present);
	assert_string_equal(map.pmc[1].name, "PERFEVTSEL1");
	assert_int_equal(map.pmc[0].reserved, 0xffffffff00300000);
	assert_int_equal(map.pmc[0].fixed_to, 0x100000);
	assert_int_equal(map.pmc[16].fixed_to, 0x888);
	assert_string_equal(map.pmd[18].name, "FIXED_CTR2");
	assert_false(map.pmc[2].present || map.pmd[2].present ||
		     map.pmd[19].present);
}

static void a_broken_map_gets_one_line(void **state)
{
	static const struct {
		const char *attr;
		const char *text;
	} cases[] = {
		{ "pmu_desc/model", "" },
		{ "pmu_desc/model", "\n" },
		{ "pmu_desc/pmc0/name", "no newline" },
		{ "pmu_desc/pmc1/rsvd_msk", "12\n" },
		{ "pmu_desc/pmc1/rsvd_msk", "0x\n" },
		{ "pmu_desc/pmd1/dfl_val", "0x12g\n" },
		{ "pmu_desc/pmd1/dfl_val", "0x11112222333344445\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *sysfs = scratch_make();

		fake_pmu_write(sysfs, "zen");
		scratch_write(sysfs, cases[i].attr, cases[i].text);
		message_catch();
		assert_int_equal(regmap_read(&map, sysfs), -1);
		message_expect(cases[i].attr, "unexpected content", NULL);
		scratch_unlink(sysfs, cases[i].attr);
		if (!strstr(cases[i].attr, "name")) {
			message_catch();
			assert_int_equal(regmap_read(&map, sysfs), -1);
			message_expect(cases[i].attr, "No such file", NULL);
		}
		scratch_remove(sysfs);
	}
}

static void the_owner_is_read_from_sysfs(void **state)
{
	char owner[REGMAP_TEXT];
	char *sysfs = scratch_make();

	(void)state;
	assert_false(regmap_owner(owner, sysfs));
	scratch_write(sysfs, "pmu_owner", "none\n");
	assert_false(regmap_owner(owner, sysfs));
	scratch_write(sysfs, "pmu_owner", "perf_event\n");
	assert_true(regmap_owner(owner, sysfs));
	assert_string_equal(owner, "perf_event");
	scratch_remove(sysfs);
}

static void counters_are_given_in_order(void **state)
{
	(void)state;
	use_pmu("zen");
	for (int i = 0; i < 6; i++)
		want(0x100c0 + (uint64_t)i);
	assign_or_fail();
	assert_int_equal(plan.pmc_count, 6);
	for (int i = 0; i < 6; i++) {
		expect_pmd(i, (unsigned int)i);
		expect_pmc(i, (unsigned int)i, 0x5100c0 + (uint64_t)i, i);
	}
}

static void too_many_events_are_refused_with_the_number(void **state)
{
	(void)state;
	use_pmu("zen");
	for (int i = 0; i < 7; i++)
		want(0x100c0);
	refuse("too many events: 7 given", "6 counters");
	list.count = 0;
	for (int i = 0; i < EVENTS_MAX; i++)
		want(0x100c0);
	refuse("too many events: 40 given", "6 counters");
}

static void counters_that_others_hold_are_not_used(void **state)
{
	(void)state;
	use_pmu("k8");
	info.set_avail_pmcs[0] = 0xd; /* pmc1 is taken */
	info.set_avail_pmds[0] = 0x7; /* and so is pmd3 */
	want(0x100c0);
	want(0x10076);
	assign_or_fail();
	expect_pmd(0, 0);
	expect_pmd(1, 2);
	want(0x10041);
	refuse("3 given", "2 counters");
	info.set_avail_pmcs[0] = 0;
	refuse("no counters", "AMD64");
}

static void fixed_counters_serve_when_the_general_run_out(void **state)
{
	(void)state;
	use_pmu("core2");
	want(0x100c0); /* instructions */
	want(0x1003c); /* cycles */
	assign_or_fail();
	expect_pmd(0, 0);
	expect_pmd(1, 1);
	/* Two events that have no fixed counter push them out. */
	want(0x10081);
	want(0x20080);
	assign_or_fail();
	expect_pmd(0, 16);
	expect_pmd(1, 17);
	assert_int_equal(plan.pmc_count, 3);
	expect_pmc(2, 16, 0x888 | 0x2 | 0x20, 1);
	want(0x100c4);
	refuse("too many events", "Intel Core has 5 counters");
}

static void fixed_counters_get_the_levels(void **state)
{
	(void)state;
	use_pmu("core2");
	want(0x200c0); /* kernel */
	want(0x3003c); /* both */
	want(0x10081);
	want(0x10080);
	assign_or_fail();
	expect_pmc(2, 16, 0x888 | 0x1 | 0x30, 1);
}

/* Event 0 with unit mask 3 is the way to write "reference cycles". */
static void reference_cycles_need_their_fixed_counter(void **state)
{
	(void)state;
	use_pmu("core2");
	want(0x10300);
	assign_or_fail();
	expect_pmd(0, 18);
	assert_int_equal(plan.pmc_count, 1);
	expect_pmc(0, 16, 0x888 | 0x200, 0);
	want(0x10300);
	refuse("counters that can count it are taken", "count fewer");
	list.count = 0;
	want(0x10400); /* of a fourth fixed counter */
	refuse("no counter of Intel Core", "choose another");
	list.count = 0;
	want(0x1010300); /* a threshold */
	refuse("no counter of Intel Core", "choose another");
}

/* On AMD, event 0 with a unit mask is an event like others. */
static void event_0_is_ordinary_on_amd(void **state)
{
	(void)state;
	use_pmu("zen");
	want(0x10300);
	assign_or_fail();
	expect_pmd(0, 0);
}

static void options_keep_events_off_fixed_counters(void **state)
{
	static const uint64_t options[] = { 1 << 18, 1 << 23, 1 << 24 };

	(void)state;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		use_pmu("core2");
		want(0x10080);
		want(0x10081);
		want(0x100c0 | options[i]);
		refuse("counters that can count it are taken", "Intel Core");
	}
}

static void constrained_events_move_others(void **state)
{
	(void)state;
	use_pmu("core2");
	want(0x10080);
	want(0x10010)->counters = 1;
	assign_or_fail();
	expect_pmd(0, 1);
	expect_pmd(1, 0);
	expect_pmc(0, 0, 0x510010, 1);
	expect_pmc(1, 1, 0x510080, 0);
	want(0x10014)->counters = 1;
	refuse("counters that can count it are taken", "count fewer");
}

/* A chain: each event has to leave its counter to the one after it. */
static void moves_can_be_chained(void **state)
{
	(void)state;
	use_pmu("nehalem");
	want(0x10001)->counters = 0x3;
	want(0x10002)->counters = 0x6;
	want(0x10003)->counters = 0xc;
	want(0x10004)->counters = 0x1;
	want(0x100c0);
	assign_or_fail();
	expect_pmd(0, 1);
	expect_pmd(1, 2);
	expect_pmd(2, 3);
	expect_pmd(3, 0);
	expect_pmd(4, 16);
}

static void reserved_bits_are_refused(void **state)
{
	(void)state;
	use_pmu("k8");
	want(0x1000100c0);
	refuse("bits 0x100000000 are reserved on AMD64", "choose another");
	list.count = 0;
	want(0x2100c0);
	refuse("bits 0x200000 are reserved", "choose another");
	/* The same selector is fine where the bits exist. */
	use_pmu("zen");
	want(0x1000100c0);
	assign_or_fail();
}

static void the_shared_enable_bit_of_p6_is_always_set(void **state)
{
	(void)state;
	use_pmu("p6");
	want(0x100c0);
	want(0x10012)->counters = 2;
	assign_or_fail();
	assert_int_equal(plan.pmc_count, 2);
	expect_pmc(0, 0, 0x5100c0, 0);
	expect_pmc(1, 1, 0x510012, 1);
	/* Only the second counter is used: the first selector enables it. */
	list.count = 0;
	want(0x10012)->counters = 2;
	assign_or_fail();
	expect_pmd(0, 1);
	assert_int_equal(plan.pmc_count, 2);
	expect_pmc(0, 1, 0x510012, 0);
	expect_pmc(1, 0, 0x400000, 0);
}

/* IBS and other registers that are no event counters. */
static void other_registers_are_no_counters(void **state)
{
	(void)state;
	use_pmu("k8");
	map.pmc[4] = (struct reg){ .present = true, .name = "IBSFETCHCTL" };
	map.pmd[4] = map.pmc[4];
	info.set_avail_pmcs[0] = 0x1f;
	info.set_avail_pmds[0] = 0x1f;
	for (int i = 0; i < 5; i++)
		want(0x100c0);
	refuse("5 given", "4 counters");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_map_is_read_from_sysfs),
		cmocka_unit_test(a_broken_map_gets_one_line),
		cmocka_unit_test(the_owner_is_read_from_sysfs),
		cmocka_unit_test(counters_are_given_in_order),
		cmocka_unit_test(too_many_events_are_refused_with_the_number),
		cmocka_unit_test(counters_that_others_hold_are_not_used),
		cmocka_unit_test(fixed_counters_serve_when_the_general_run_out),
		cmocka_unit_test(fixed_counters_get_the_levels),
		cmocka_unit_test(reference_cycles_need_their_fixed_counter),
		cmocka_unit_test(event_0_is_ordinary_on_amd),
		cmocka_unit_test(options_keep_events_off_fixed_counters),
		cmocka_unit_test(constrained_events_move_others),
		cmocka_unit_test(moves_can_be_chained),
		cmocka_unit_test(reserved_bits_are_refused),
		cmocka_unit_test(the_shared_enable_bit_of_p6_is_always_set),
		cmocka_unit_test(other_registers_are_no_counters),
	};

	return cmocka_run_group_tests_name("pfmon_assign", tests, NULL, NULL);
}
