// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events by names that libpfm does not have: perf's generic ones, and the manufacturers'.
 * Those of all event files are judged by checks/makers_codes.py.
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
#include "events/event.h"
#include "events/tables.h"
#include "message.h"
#include "parsed.h"

/* As the drivers of Linux 6.12 count them. */
static const struct value generic_values[] = {
	{ SKYLAKE, "cache-misses", 0x412e, 0, 0, "LONGEST_LAT_CACHE.MISS" },
	{ SKYLAKE, "cache-references", 0x4f2e, 0, 0,
	  "LONGEST_LAT_CACHE.REFERENCE" },
	{ SKYLAKE, "LLC-loads", 0x1b7, 0x3fc0010001, 0,
	  "cpu/event=0xb7,umask=0x1,offcore_rsp=0x3fc0010001/" },
	{ SKYLAKE, "LLC-load-misses", 0x1b7, 0x3ffc020001, 0, NULL },
	{ SKYLAKE, "L1-dcache-loads", 0x81d0, 0, 0,
	  "MEM_INST_RETIRED.ALL_LOADS" },
	{ SKYLAKE, "L1-dcache-load-misses", 0x151, 0, 0, NULL },
	{ SKYLAKE, "dTLB-load-misses", 0xe08, 0, 0, NULL },
	{ SKYLAKE, "iTLB-load-misses", 0xe85, 0, 0, NULL },
	{ SKYLAKE, "branch-loads", 0xc4, 0, 0, NULL },
	{ SKYLAKE, "branch-load-misses:k", 0xc5, 0, 0, NULL },
	{ SKYLAKE, "bus-cycles", 0x13c, 0, 0, NULL },
	{ SKYLAKE, "node-loads", 0x1b7, 0x1fc4000001, 0, NULL },
	{ SANDY_BRIDGE, "dTLB-load-misses", 0x108, 0, 0, NULL },
	{ IVY_BRIDGE, "dTLB-load-misses", 0x8108, 0, 0, NULL },
	{ SANDY_BRIDGE, "stalled-cycles-frontend", 0x180010e, 0, 0, NULL },
	{ SANDY_BRIDGE, "stalled-cycles-backend", 0x18001b1, 0, 0, NULL },
	{ NEHALEM, "idle-cycles-backend", 0x1803fb1, 0, 0, NULL },
	{ BROADWELL, "LLC-load-misses", 0x1b7, 0x1fbc000001, 0, NULL },
	{ SAPPHIRE_RAPIDS, "LLC-loads", 0x12a, 0x10001, 0, NULL },
	{ SILVERMONT, "iTLB-loads", 0xc0, 0, 0, NULL },
	{ GRACEMONT, "L1-dcache-loads", 0x81d0, 0, 0, NULL },
	{ P6, "cache-misses", 0x12e, 0, 0, NULL },
	{ P6, "bus-cycles", 0x62, 0, 0, NULL },
	{ K8, "cache-misses", 0x77e, 0, 0, NULL },
	{ K8, "stalled-cycles-backend", 0xd1, 0, 0, NULL },
	{ K8, "LLC-stores", 0x17f, 0, 0, NULL },
	{ ZEN1, "cache-misses", 0x964, 0, 0, NULL },
	{ ZEN1, "stalled-cycles-frontend", 0x287, 0, 0, NULL },
	{ ZEN2, "stalled-cycles-frontend", 0xa9, 0, 0, NULL },
	{ ZEN1, "L1-dcache-load-misses", 0xc860, 0, 0, NULL },
	{ ZEN4, "ref-cycles", 0x100000120, 0, 0, NULL },
};

static void generic_events_are_what_linux_counts(void **state)
{
	(void)state;
	expect_values(generic_values, ARRAY_SIZE(generic_values));
}

static void perf_knows_them_by_several_names(void **state)
{
	static const char *const rows[][2] = {
		{ "L1-dcache-load-misses", "l1d-misses" },
		{ "L1-dcache-load-misses", "L1-dcache-misses" },
		{ "L1-dcache-load-misses", "L1-DCACHE-MISS-LOADS" },
		{ "L1-dcache-loads", "l1-d" },
		{ "L1-dcache-loads", "L1-data-read-refs" },
		{ "L1-dcache-stores", "l1d-write-access" },
		{ "LLC-loads", "LLC" },
		{ "LLC-load-misses", "L2-misses" },
		{ "dTLB-load-misses", "Data-TLB-load-miss" },
		{ "branch-loads", "bpu" },
		{ "branch-load-misses", "btb-read-misses" },
		{ "cache-misses", "CACHE-MISSES" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t selector = parse(SKYLAKE, rows[i][0])->selector;
		uint64_t extra = parsed_list.events->coding.value;

		events_free(&parsed_list);
		assert_int_equal(parse(SKYLAKE, rows[i][1])->selector,
				 selector);
		assert_int_equal(parsed_list.events->coding.value, extra);
		events_free(&parsed_list);
	}
}

static void what_a_processor_has_not_is_said(void **state)
{
	static const char *const rows[][3] = {
		{ SKYLAKE, "stalled-cycles-frontend", "has no event for it" },
		{ SKYLAKE, "LLC-prefetches", "has no event for it" },
		{ SKYLAKE, "iTLB-stores", "has no event for it" },
		{ ICE_LAKE, "iTLB-loads", "has no event for it" },
		{ ZEN1, "LLC-loads", "has no event for it" },
		{ ZEN1, "bus-cycles", "has no event for it" },
		{ ZEN2, "stalled-cycles-backend", "has no event for it" },
		{ PENTIUM_4, "cache-misses", "has no event for it" },
		{ CORE2, "LLC-load-load", "not an event" },
		{ CORE2, "LLC-loads-", "not an event" },
		{ CORE2, "LLC-misses-refs", "not an event" },
		{ SKYLAKE, "LLC-loads:x", "unknown modifier x" },
		{ SKYLAKE, "LLC-loads:pp", "no precise samples" },
		{ SKYLAKE, "cycles:xp", "no modifier" },
		{ SKYLAKE, "cache-misses:h", "choose others" },
		{ SKYLAKE, "cpu_clk_unhalted.ref_tsc:c=2",
		  "only a fixed counter" },
	};

	(void)state;
	expect_refusals(rows, ARRAY_SIZE(rows));
}

static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
				      "iTLB",	   "branch",	"node" };
static const char *const what[] = { "loads",	  "load-misses",
				    "stores",	  "store-misses",
				    "prefetches", "prefetch-misses" };
static const char *const models[] = { CORE2,
				      NEHALEM,
				      SANDY_BRIDGE,
				      IVY_BRIDGE,
				      BROADWELL,
				      SKYLAKE,
				      ICE_LAKE,
				      SAPPHIRE_RAPIDS,
				      SILVERMONT,
				      GRACEMONT,
				      P6,
				      PENTIUM_4,
				      K8,
				      ZEN1,
				      ZEN2,
				      ZEN4,
				      KNIGHTS_LANDING,
				      "39",
				      "41",
				      "44",
				      "50",
				      "51",
				      "60",
				      "62",
				      "63",
				      "79",
				      "80",
				      "81",
				      "34",
				      "35",
				      "16,26,2,0" };

/* Each of them has a value, or is refused by its name. */
static void all_of_them_are_known_on_all_processors(void **state)
{
	int taken = 0;

	(void)state;
	for (size_t i = 0;
	     i < ARRAY_SIZE(models) * ARRAY_SIZE(caches) * ARRAY_SIZE(what);
	     i++) {
		const char *model =
			models[i / ARRAY_SIZE(caches) / ARRAY_SIZE(what)];
		char name[64];

		snprintf(name, sizeof(name), "%s-%s",
			 caches[i / ARRAY_SIZE(what) % ARRAY_SIZE(caches)],
			 what[i % ARRAY_SIZE(what)]);
		assert_int_equal(tables_init(model), 0);
		message_catch();
		if (events_parse(&parsed_list, name, LEVEL_USER)) {
			message_expect("has no event for it", NULL);
		} else {
			message_expect_none();
			assert_true(parsed_list.events->by_value);
			taken++;
		}
		events_free(&parsed_list);
	}
	assert_in_range(taken, 400, 800);
}

static void the_manufacturers_names_are_taken(void **state)
{
	static const struct value values[] = {
		{ SKYLAKE, "inst_retired.any", 0xc0, 0, 1, "INST_RETIRED.ANY" },
		{ SKYLAKE, "MEM_LOAD_RETIRED.L1_HIT", 0x1d1, 0, 0,
		  "MEM_LOAD_RETIRED.L1_HIT" },
		{ SKYLAKE, "mem_load_retired.l1_hit:k", 0x1d1, 0, 0, NULL },
		{ SKYLAKE, "cpu_clk_unhalted.ref_tsc", 0, 0, 3, NULL },
		{ SKYLAKE, "cpu_clk_unhalted.thread:c=1:i", 0x180003c, 0, 0,
		  NULL },
		{ SKYLAKE, "cycle_activity.stalls_l1d_miss", 0xc000ca3, 0, 0,
		  NULL },
		{ SKYLAKE, "OFFCORE_RESPONSE.DEMAND_DATA_RD.L3_HIT.ANY_SNOOP",
		  0x1b7, 0x3fc01c0001, 0, NULL },
		{ SKYLAKE, "frontend_retired.dsb_miss", 0x1c6, 0x11, 0, NULL },
		{ BROADWELL, "MEM_LOAD_UOPS_RETIRED.L3_MISS", 0x20d1, 0, 0,
		  NULL },
		{ ZEN1, "ex_ret_instr", 0xc0, 0, 0, "EX_RET_INSTR" },
		{ ZEN4, "ls_dispatch.ld_dispatch", 0x129, 0, 0, NULL },
		/* No alias of libpfm's, whose masks have other names. */
		{ SKYLAKE, "OFFCORE_RESPONSE:DEMAND_RFO:ANY_RESPONSE", 0x1b7,
		  0x10002, 0, NULL },
	};
	const struct event *event;

	(void)state;
	expect_values(values, ARRAY_SIZE(values));
	event = parse(GRACEMONT, "mem_load_uops_retired.l2_hit:u");
	assert_false(event->by_value);
	assert_string_equal(event->full_name, "MEM_LOAD_UOPS_RETIRED:L2_HIT");
	events_free(&parsed_list);
	event = parse("16,26,2,0", "ls_dispatch.ld_dispatch");
	assert_string_equal(event->full_name, "LS_DISPATCH:LD_DISPATCH");
	events_free(&parsed_list);
	/* Where libpfm has the name it is libpfm's. */
	event = parse(SKYLAKE, "MEM_LOAD_RETIRED:L1_HIT:k");
	assert_false(event->by_value);
	events_free(&parsed_list);
}

static void names_mean_what_counts(void **state)
{
	static const struct {
		const char *model, *text;
		enum event_meaning meaning;
	} rows[] = {
		{ SKYLAKE, "inst_retired.any", MEANS_INSTRUCTIONS },
		{ SKYLAKE, "cpu_clk_unhalted.thread", MEANS_CYCLES },
		{ SKYLAKE, "cpu/event=0xc0/", MEANS_INSTRUCTIONS },
		{ SKYLAKE, "cpu/event=0xc0,umask=1/", MEANS_OTHER },
		{ SKYLAKE, "cpu/instructions,cmask=1/", MEANS_INSTRUCTIONS },
		{ ZEN1, "ls_not_halted_cyc", MEANS_CYCLES },
		{ ZEN1, "branch-loads", MEANS_BRANCHES },
		{ SKYLAKE, "cache-misses", MEANS_OTHER },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (parse(rows[i].model, rows[i].text)->meaning !=
		    rows[i].meaning)
			fail_msg("%s", rows[i].text);
		events_free(&parsed_list);
	}
}

static void names_that_cannot_be_counted_get_the_reason(void **state)
{
	static const char *const rows[][3] = {
		{ SKYLAKE, "mem_trans_retired.load_latency_gt_4", "PEBS" },
		{ NEHALEM, "mem_inst_retired.latency_above_threshold_4",
		  "PEBS" },
		{ "81,6,189,0", "topdown_fe_bound.all",
		  "a fixed counter that" },
		{ SKYLAKE, "mem_load_retired.l1_hit:x", "unknown modifier x" },
		{ SKYLAKE, "mem_load_retired.l1_hut", "unit mask" },
		{ SKYLAKE, "unc_arb_trk_requests.all", "outside the cores" },
		{ BROADWELL, "mem_load_retired.l1_hit", "not an event" },
	};

	(void)state;
	expect_refusals(rows, ARRAY_SIZE(rows));
}

/* Selectors and off-core values of one kind of core have a bit each. */
static void one_kind_of_core_has_events_of_its_own(void **state)
{
	static const struct value values[] = {
		{ HYBRID, "L1-dcache-loads", 0x81d0, 0, 0, NULL },
		{ HYBRID, "bus-cycles", 0x13c, 0, 0, NULL },
		{ HYBRID, "cpu_core/LLC-loads", 0x400000000000012a,
		  0x1000000000010001, 0, NULL },
		{ HYBRID, "cpu_atom/LLC-loads:k", 0x80000000000001b7,
		  0x2000000000010001, 0, NULL },
		{ HYBRID, "cpu_atom/event=0xc0,umask=1/", 0x80000000000001c0, 0,
		  0, NULL },
	};
	static const char *const rows[][3] = {
		{ HYBRID, "LLC-loads", "as cpu_core/LLC-loads/" },
		{ HYBRID, "branch-loads", "as cpu_core/branch-loads/" },
		{ HYBRID, "cpu_atom/mem_uops_retired.load_latency_gt_4",
		  "PEBS" },
	};
	const struct event *event;

	(void)state;
	expect_values(values, ARRAY_SIZE(values));
	expect_refusals(rows, ARRAY_SIZE(rows));
	event = parse(HYBRID, "cpu_core/inst_retired.nop/k");
	assert_string_equal(event->full_name, "CPU_CORE/INST_RETIRED:NOP");
	events_free(&parsed_list);
	event = parse(HYBRID, "cpu_core/cycles,cmask=2/");
	assert_int_equal(event->modifiers.threshold, 2);
	events_free(&parsed_list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generic_events_are_what_linux_counts),
		cmocka_unit_test(perf_knows_them_by_several_names),
		cmocka_unit_test(what_a_processor_has_not_is_said),
		cmocka_unit_test(all_of_them_are_known_on_all_processors),
		cmocka_unit_test(the_manufacturers_names_are_taken),
		cmocka_unit_test(names_mean_what_counts),
		cmocka_unit_test(names_that_cannot_be_counted_get_the_reason),
		cmocka_unit_test(one_kind_of_core_has_events_of_its_own),
	};

	return cmocka_run_group_tests_name("pfmon_names", tests, NULL, NULL);
}
