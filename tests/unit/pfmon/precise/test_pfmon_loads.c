// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads above a latency and other events whose precise samples have the address of the
 * data, and samples that are spread evenly: how they are named, and on which counters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_size.h"
#include "assigned.h"
#include "events/loads.h"
#include "events/pebs.h"
#include "events/tables.h"
#include "message.h"
#include "parsed.h"

static void loads_have_perfs_names(void **state)
{
	static const struct value values[] = {
		{ SKYLAKE, "mem-loads:p", 0x1cd, 30, 0,
		  "cpu/event=0xcd,umask=0x1,ldlat=0x1e/" },
		{ NEHALEM, "mem-loads:p", 0x100b, 30, 0, NULL },
		{ IVY_BRIDGE, "mem-loads:p", 0x1cd, 30, 0, NULL },
		{ BROADWELL, "mem-stores:p", 0x82d0, 0, 0, NULL },
		{ SKYLAKE, "cpu/mem-loads/pp", 0x1cd, 30, 0, NULL },
		{ ICE_LAKE, "mem-loads:pp", 0x1cd, 30, 0, NULL },
		{ SAPPHIRE_RAPIDS, "mem-loads:P", 0x1cd, 30, 0, NULL },
		{ SKYLAKE, "MEM_TRANS_RETIRED:LOAD_LATENCY:p", 0x1cd, 30, 0,
		  NULL },
		{ SKYLAKE, "mem_trans_retired.load_latency_gt_128:p", 0x1cd,
		  128, 0, NULL },
		{ SKYLAKE, "cpu/event=0xcd,umask=0x1,ldlat=100/p", 0x1cd, 100,
		  0, NULL },
		{ SKYLAKE, "mem-stores:p", 0x82d0, 0, 0,
		  "cpu/event=0xd0,umask=0x82/" },
		{ ICE_LAKE, "mem-stores:p", 0x82d0, 0, 0, NULL },
	};

	(void)state;
	expect_values(values, ARRAY_SIZE(values));
	loads_choose_latency(77);
	assert_int_equal(parse(ICE_LAKE, "mem-loads:p")->coding.value, 77);
	events_free(&parsed_list);
	loads_choose_latency(0);
	assert_int_equal(parse(ICE_LAKE, "mem-loads:p")->coding.value,
			 LOADS_LATENCY);
	events_free(&parsed_list);
}

static void loads_are_not_counted(void **state)
{
	static const char *const rows[][3] = {
		{ SKYLAKE, "mem-loads", "with precise samples (PEBS) only" },
		{ SKYLAKE, "cpu/event=0xcd,umask=0x1,ldlat=3/u",
		  "with precise samples (PEBS) only" },
		{ ZEN1, "mem-loads:p", "" },
		{ NEHALEM, "mem-stores:p", "" },
	};

	(void)state;
	expect_refusals(rows, ARRAY_SIZE(rows));
}

static void events_say_what_their_records_have(void **state)
{
	static const struct {
		const char *model, *text;
		enum loads_access access;
	} rows[] = {
		{ SKYLAKE, "mem-loads:p", LOADS_LATENCY_OF_LOAD },
		{ SKYLAKE, "mem-stores:p", LOADS_STORE },
		{ SKYLAKE, "r11d0:p", LOADS_LOAD },
		{ SKYLAKE, "r12d0:p", LOADS_STORE },
		{ SKYLAKE, "r21d0:p", LOADS_LOAD },
		{ SKYLAKE, "r42d0:p", LOADS_STORE },
		{ SKYLAKE, "r1d1:p", LOADS_LOAD },
		{ SKYLAKE, "r1d3:p", LOADS_LOAD },
		{ ICE_LAKE, "r1d4:p", LOADS_LOAD },
		{ BROADWELL, "r81d0:p", LOADS_LOAD },
		{ IVY_BRIDGE, "r81d0:p", LOADS_NOTHING },
		{ IVY_BRIDGE, "mem-loads:p", LOADS_LATENCY_OF_LOAD },
		{ SKYLAKE, "instructions:p", LOADS_NOTHING },
		{ SKYLAKE, "r81d0", LOADS_NOTHING },
		{ ICE_LAKE, "branches:p", LOADS_NOTHING },
		{ ZEN1, "cycles:p", LOADS_NOTHING },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct event *event = parse(rows[i].model, rows[i].text);

		if (loads_access(event) != rows[i].access)
			fail_msg("%s", rows[i].text);
		events_free(&parsed_list);
	}
}

static void without_an_event_loads_are_sampled_where_they_can(void **state)
{
	(void)state;
	assert_int_equal(tables_init(ICE_LAKE), 0);
	assert_string_equal(loads_default(), "mem-loads:p");
	assert_int_equal(tables_init(ZEN1), 0);
	assert_string_equal(loads_default(), "cycles:p");
}

static void a_latency_has_its_register(void **state)
{
	unsigned int counter;

	(void)state;
	use_pmu("pebs");
	assert_int_equal(assign(SKYLAKE, "mem-loads:p,instructions:p"), 0);
	counter = plan.pmds[0].reg_num;
	assert_int_equal(plan.latency.reg_num, 18);
	assert_int_equal(plan.latency.reg_value, 30);
	/* A session that makes no records could not have it. */
	assert_int_equal(pmc_value(18), 0);
	assert_int_equal(plan.records.reg_value,
			 1ull << counter | 1ull << (32 + counter) |
				 1ull << plan.pmds[1].reg_num);
	use_pmu("groups");
	assert_int_equal(assign(ICE_LAKE, "mem-loads:p"), 0);
	assert_int_equal(plan.latency.reg_value, 30);
	assert_int_equal(plan.records.reg_value, 1ull << plan.pmds[0].reg_num);
	assert_int_equal(plan.pmd_count, 1);
	message_catch();
	assert_int_equal(assign(ICE_LAKE, "mem-loads:p,"
					  "cpu/event=0xcd,umask=1,ldlat=31/p"),
			 -1);
	message_expect("another event has another latency", NULL);
	assert_int_equal(assign(ICE_LAKE, "mem-loads:p,"
					  "cpu/event=0xcd,umask=1,ldlat=30/p"),
			 0);
	assert_int_equal(assign(ICE_LAKE, "instructions:p"), 0);
	assert_int_equal(plan.latency.reg_value, 0);
	events_free(&parsed_list);
}

static void another_event_counts_beside_loads(void **state)
{
	(void)state;
	use_pmu("groups");
	assert_int_equal(assign(SAPPHIRE_RAPIDS, "mem-loads:pp,instructions:p"),
			 0);
	/* Neither of these is recorded by the first counter. */
	assert_int_not_equal(plan.pmds[0].reg_num, 0);
	assert_int_not_equal(plan.pmds[1].reg_num, 0);
	assert_int_equal(plan.event_count, 2);
	assert_int_equal(plan.pmd_count, 3);
	assert_int_equal(pmc_value(plan.pmds[2].reg_num), 0x418203);
	assert_int_equal(assign(SAPPHIRE_RAPIDS,
				"mem-loads:p,mem-loads:pp,mem-stores:p"),
			 0);
	assert_int_equal(plan.pmd_count, 4);
	events_free(&parsed_list);
}

static void even_samples_have_their_counter(void **state)
{
	static const struct {
		const char *pmu, *model, *text;
		unsigned int pmd;
		uint64_t records, least;
	} rows[] = {
		{ "pebs", BROADWELL, "mem-loads:p", 3, 0x800000008, 0 },
		{ "pebs", NEHALEM, "instructions:p", 0, 0x1, 33 },
		{ "pebs", SKYLAKE, "instructions:ppp", 1, 0x2, 0 },
		{ "pebs", SKYLAKE, "cycles:ppp", 1, 0x2, 0 },
		{ "groups", ICE_LAKE, "instructions:ppp", 16, 1ull << 32, 0 },
		{ "groups", SAPPHIRE_RAPIDS, "instructions:ppp", 16, 1ull << 32,
		  128 },
		{ "groups", SAPPHIRE_RAPIDS, "branches:ppp", 0, 0x1, 128 },
		{ "groups", SAPPHIRE_RAPIDS, "cycles:ppp", 0, 0x1, 128 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		use_pmu(rows[i].pmu);
		assert_int_equal(assign(rows[i].model, rows[i].text), 0);
		assert_int_equal(plan.pmds[0].reg_num, rows[i].pmd);
		assert_int_equal(plan.records.reg_value, rows[i].records);
		assert_int_equal(parsed_list.events->sampler_least,
				 rows[i].least);
	}
	use_pmu("pebs");
	message_catch();
	assert_int_equal(assign(ICE_LAKE, "instructions:ppp"), -1);
	message_expect("its counter makes no records here", NULL);
	message_catch();
	assert_int_equal(assign(SKYLAKE, "instructions:ppp,cycles:ppp"), -1);
	message_expect("count fewer events at once", NULL);
	events_free(&parsed_list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_have_perfs_names),
		cmocka_unit_test(loads_are_not_counted),
		cmocka_unit_test(events_say_what_their_records_have),
		cmocka_unit_test(
			without_an_event_loads_are_sampled_where_they_can),
		cmocka_unit_test(a_latency_has_its_register),
		cmocka_unit_test(another_event_counts_beside_loads),
		cmocka_unit_test(even_samples_have_their_counter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
