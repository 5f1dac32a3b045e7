// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers for events that are values of a selector: what qualifies them, fixed
 * counters, and the counters that named events leave.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/tables.h"
#include "fake_pmu.h"
#include "message.h"
#include "registers/assign.h"
#include "registers/sets.h"
#include "scratch_dir.h"

#define FIXED_CONTROL 16
#define OFFCORE_0 19
#define OFFCORE_1 31
#define FRONTEND 32

static struct event_list list;
static struct regmap map;
static struct pfarg_setinfo info;
static struct plan plan;

static int use_skylake(void **state)
{
	char *sysfs = scratch_make();

	(void)state;
	fake_pmu_write(sysfs, "skylake");
	assert_int_equal(regmap_read(&map, sysfs), 0);
	scratch_remove(sysfs);
	info = fake_pmu_info("skylake");
	return tables_init("46,6,94,3");
}

static int forget(void **state)
{
	(void)state;
	events_free(&list);
	return 0;
}

static void want(const char *events, unsigned int levels)
{
	events_free(&list);
	assert_int_equal(events_parse(&list, events, levels), 0);
}

static void assign(const char *events)
{
	want(events, LEVEL_USER);
	assert_int_equal(assign_events(&plan, &list, &map, &info), 0);
	assert_int_equal(plan.event_count, list.count);
}

static void refuse(const char *events, const char *text)
{
	want(events, LEVEL_USER);
	message_catch();
	assert_int_equal(assign_events(&plan, &list, &map, &info), -1);
	message_expect(text, NULL);
}

/* The value of a control register, 0: the plan has none. */
static uint64_t pmc(unsigned int number)
{
	uint64_t value = 0;

	for (int i = 0; i < plan.pmc_count; i++) {
		if (plan.pmcs[i].reg_num != number)
			continue;
		/* Nobody writes it twice. */
		assert_int_equal(value, 0);
		value = plan.pmcs[i].reg_value;
	}
	return value;
}

/* The selector is on the counter that counts the event. */
static void expect_selector(int event, uint64_t selector)
{
	assert_in_range(plan.pmds[event].reg_num, 0, 3);
	assert_int_equal(pmc(plan.pmds[event].reg_num), selector);
	assert_int_equal(plan.selectors[event], selector);
}

static void two_offcore_events_have_a_register_each(void **state)
{
	(void)state;
	assign("LLC-loads,LLC-load-misses");
	expect_selector(0, 0x5101b7);
	assert_int_equal(pmc(OFFCORE_0), 0x3fc0010001);
	/* The other one has another selector. */
	expect_selector(1, 0x5101bb);
	assert_int_equal(pmc(OFFCORE_1), 0x3ffc020001);
	assert_int_equal(plan.pmc_count, 4);
}

static void events_with_the_same_value_share_it(void **state)
{
	(void)state;
	assign("LLC-loads:u,LLC-loads:k,LLC-stores");
	expect_selector(0, 0x5101b7);
	expect_selector(1, 0x5201b7);
	expect_selector(2, 0x5101bb);
	assert_int_equal(plan.pmc_count, 5);
	assign("frontend_retired.dsb_miss:u,frontend_retired.dsb_miss:k");
	assert_int_equal(pmc(FRONTEND), 0x11);
	assert_int_equal(plan.pmc_count, 3);
}

static void a_third_value_waits_for_another_set(void **state)
{
	static const struct sets_wish wish = { .split = true,
					       .reference = "none",
					       .levels = LEVEL_USER };
	struct event_list reference = { .count = 0 };
	static struct event_sets sets;

	(void)state;
	refuse("LLC-loads,LLC-load-misses,LLC-stores", "another value");
	refuse("frontend_retired.dsb_miss,frontend_retired.l1i_miss",
	       "another value");
	want("LLC-loads,LLC-load-misses,LLC-stores,cache-misses", LEVEL_USER);
	assert_int_equal(
		sets_make(&sets, &list, &wish, &reference, &map, &info), 0);
	assert_int_equal(sets.count, 2);
	assert_int_equal(sets.set_of[1], 0);
	assert_int_equal(sets.set_of[2], 1);
	events_free(&reference);
}

static void a_processor_without_the_register_refuses_it(void **state)
{
	(void)state;
	info.set_avail_pmcs[0] &=
		~(1ull << OFFCORE_0 | 1ull << OFFCORE_1 | 1ull << FRONTEND);
	refuse("LLC-loads", "is not there");
	refuse("frontend_retired.dsb_miss", "is not there");
	assign("cache-misses");
}

static void names_of_fixed_counters_get_them(void **state)
{
	(void)state;
	assign("inst_retired.any,cpu_clk_unhalted.thread:k,"
	       "cpu_clk_unhalted.ref_tsc:uk");
	assert_int_equal(plan.pmds[0].reg_num, 16);
	assert_int_equal(plan.pmds[1].reg_num, 17);
	assert_int_equal(plan.pmds[2].reg_num, 18);
	assert_int_equal(pmc(FIXED_CONTROL), 0xb9a);
	assert_int_equal(plan.pmc_count, 1);
}

static void they_share_their_control_with_events_of_libpfm(void **state)
{
	(void)state;
	assign("instructions,cpu_clk_unhalted.thread,inst_retired.any");
	assert_int_equal(plan.pmds[0].reg_num, 16);
	assert_int_equal(plan.pmds[1].reg_num, 17);
	/* Its fixed counter is taken: a selector counts the same. */
	expect_selector(2, 0x5100c0);
	assert_int_equal(pmc(FIXED_CONTROL), 0xaa);
	assert_int_equal(plan.pmc_count, 2);
}

static void what_only_a_fixed_counter_counts_needs_it(void **state)
{
	(void)state;
	refuse("cpu_clk_unhalted.ref_tsc,cpu_clk_unhalted.ref_tsc:k",
	       "too many events");
	info.set_avail_pmds[0] &= ~(7ull << 16);
	refuse("cpu_clk_unhalted.ref_tsc", "no counter");
	assign("inst_retired.any");
	expect_selector(0, 0x5100c0);
	assign("inst_retired.any:c=2");
	expect_selector(0, 0x25100c0);
}

static void named_events_leave_the_others_their_counters(void **state)
{
	(void)state;
	assign("cache-misses,MEM_LOAD_RETIRED:L1_HIT,cpu/event=0xc2,umask=2/,"
	       "instructions");
	expect_selector(0, 0x51412e);
	expect_selector(1, 0x5101d1);
	expect_selector(2, 0x5102c2);
	assert_int_equal(plan.pmds[3].reg_num, 16);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, use_skylake, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(two_offcore_events_have_a_register_each),
		TEST(events_with_the_same_value_share_it),
		TEST(a_third_value_waits_for_another_set),
		TEST(a_processor_without_the_register_refuses_it),
		TEST(names_of_fixed_counters_get_them),
		TEST(they_share_their_control_with_events_of_libpfm),
		TEST(what_only_a_fixed_counter_counts_needs_it),
		TEST(named_events_leave_the_others_their_counters),
	};

	return cmocka_run_group_tests_name("pfmon_values", tests, NULL, NULL);
}
