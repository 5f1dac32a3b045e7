// SPDX-License-Identifier: GPL-2.0-only
/* Events as perf writes them: cpu/event=0xc0,umask=0x1/u. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/event.h"
#include "parsed.h"

static void terms_are_what_linux_has_in_its_format(void **state)
{
	static const struct value values[] = {
		{ SKYLAKE, "cpu/event=0xc0,umask=0/", 0xc0, 0, 0,
		  "cpu/event=0xc0/" },
		{ SKYLAKE, "cpu/event=0xd1,umask=0x1/u", 0x1d1, 0, 0,
		  "cpu/event=0xd1,umask=0x1/" },
		{ SKYLAKE, "CPU/umask=1,event=209/k", 0x1d1, 0, 0, NULL },
		{ SKYLAKE, "cpu/event=0x3c,inv,cmask=4,edge,any=1/", 0x4a4003c,
		  0, 0, NULL },
		{ SKYLAKE, "cpu/event=0xc2,pc=1,in_tx,in_tx_cp=1/", 0x3000800c2,
		  0, 0, NULL },
		{ SKYLAKE, "cpu/event=0xb7,umask=1,offcore_rsp=0x10001/", 0x1b7,
		  0x10001, 0, NULL },
		{ SKYLAKE, "cpu/event=0xc6,umask=1,frontend=0x11/", 0x1c6, 0x11,
		  0, NULL },
		{ SKYLAKE, "cpu/config=0x41412e/", 0x41412e, 0, 0, NULL },
		{ SKYLAKE, "cpu/event=0,umask=3/", 0, 0, 3,
		  "cpu/event=0x0,umask=0x3/" },
		{ SKYLAKE, "cpu/cache-misses/", 0x412e, 0, 0, NULL },
		{ SKYLAKE, "cpu/mem_load_retired.l1_hit,edge/k", 0x401d1, 0, 0,
		  NULL },
		{ ZEN1, "cpu/event=0x1c7,umask=0x10/", 0x1000010c7, 0, 0,
		  NULL },
		{ P6, "cpu/event=0xc0,cmask=1/", 0x10000c0, 0, 0, NULL },
	};
	const struct event *event;

	(void)state;
	expect_values(values, ARRAY_SIZE(values));
	event = parse(SKYLAKE, "cpu/instructions,cmask=1,inv/u");
	assert_false(event->by_value);
	assert_string_equal(event->full_name, "INSTRUCTION_RETIRED");
	assert_int_equal(event->modifiers.threshold, 1);
	assert_true(event->modifiers.invert && !event->modifiers.edge);
	assert_int_equal(event->levels, LEVEL_USER);
	events_free(&parsed_list);
	event = parse(SKYLAKE, "cpu/cycles/");
	assert_string_equal(event->full_name, "UNHALTED_CORE_CYCLES");
	events_free(&parsed_list);
}

static void commas_between_slashes_are_no_ends_of_events(void **state)
{
	static const char text[] =
		"{cycles,cpu/event=0xc0,umask=0x0/u},instructions,"
		"cpu/cache-misses,cmask=2/;cpu/event=0xc2/,rc0";
	static const char *const names[] = {
		"cycles",	   "cpu/event=0xc0,umask=0x0/u",
		"instructions",	   "cpu/cache-misses,cmask=2/",
		"cpu/event=0xc2/", "rc0",
	};
	static const int sets[] = { 0, 0, 0, 0, 1, 1 };

	(void)state;
	parse(SKYLAKE, text);
	assert_int_equal(parsed_list.count, ARRAY_SIZE(names));
	for (int i = 0; i < parsed_list.count; i++) {
		assert_string_equal(parsed_list.events[i].name, names[i]);
		assert_int_equal(parsed_list.events[i].set, sets[i]);
	}
	assert_int_equal(parsed_list.events[1].group, 1);
	assert_int_equal(parsed_list.events[2].group, 0);
	events_free(&parsed_list);
	parse(HYBRID, "cpu_core/cycles,cpu_atom/cycles/,cpu_core/cycles/u");
	assert_int_equal(parsed_list.count, 3);
	events_free(&parsed_list);
}

static void wrong_terms_get_one_line(void **state)
{
	static const char *const rows[][3] = {
		{ SKYLAKE, "cpu/evnt=0xc0/", "no term evnt" },
		{ SKYLAKE, "cpu/evnt=0xc0/",
		  "has event, umask, edge, pc, any, inv, cmask, in_tx" },
		{ SKYLAKE, "cpu/event=0x1c0/", "event=0x1c0: at most 0xff" },
		{ SKYLAKE, "cpu/event=0xc0,umask=256/", "at most 0xff" },
		{ SKYLAKE, "cpu/event=0xc0,inv=2/", "inv=2: at most 0x1" },
		{ SKYLAKE, "cpu/event=0xc0,umask=/", "must be a number" },
		{ SKYLAKE, "cpu/event=0xc0,umask/", "must be a number" },
		{ SKYLAKE, "cpu/event=-1/", "must be a number" },
		{ SKYLAKE, "cpu/event=99999999999999999999/", "at most" },
		{ SKYLAKE, "cpu/event=0xc0,,umask=1/", "empty term" },
		{ SKYLAKE, "cpu//", "empty term" },
		{ SKYLAKE, "cpu/event=0xc0", "a slash must end" },
		{ SKYLAKE, "cpu/event=0xc0/x", "unknown modifier x" },
		{ SKYLAKE, "cpu/event=0xb1/pp", "no precise samples" },
		{ SKYLAKE, "cpu/cycles,instructions/", "two names" },
		{ SKYLAKE, "cpu/cycles,umask=1/", "beside a name" },
		{ SKYLAKE, "cpu/no_such_event/", "not an event" },
		{ SKYLAKE, "cpu/event=0xcd,umask=1,ldlat=3/", "PEBS" },
		{ ICE_LAKE, "cpu/event=0xc0,any=1/", "no term any" },
		{ NEHALEM, "cpu/event=0xc0,in_tx=1/", "no term in_tx" },
		{ ZEN1, "cpu/event=0xc0,offcore_rsp=1/", "no term offcore" },
		{ ZEN1, "cpu/event=0x1000/", "at most 0xfff" },
		{ PENTIUM_4, "cpu/event=0xc0/", "event select registers" },
		{ SKYLAKE, "power/energy-pkg/", "no PMU power;" },
		{ SKYLAKE, "uncore_imc_0/event=1,umask=2/", "no PMU uncore" },
		{ SKYLAKE, "cpu_atom/event=0xc0/", "no such kind of core" },
	};

	(void)state;
	/* No machine has these PMUs there. */
	kernel_pmu_directory = "/";
	expect_refusals(rows, ARRAY_SIZE(rows));
}

static void without_sysfs_no_pmu_is_said_to_be_absent(void **state)
{
	static const char *const rows[][3] = {
		{ SKYLAKE, "power/energy-pkg/",
		  "nothing is known of PMU power; /sys/bus/event_source is not there; mount -t sysfs" },
	};

	(void)state;
	kernel_pmu_directory = "/nonexistent/directory";
	expect_refusals(rows, ARRAY_SIZE(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terms_are_what_linux_has_in_its_format),
		cmocka_unit_test(commas_between_slashes_are_no_ends_of_events),
		cmocka_unit_test(wrong_terms_get_one_line),
		cmocka_unit_test(without_sysfs_no_pmu_is_said_to_be_absent),
	};

	return cmocka_run_group_tests_name("pfmon_terms", tests, NULL, NULL);
}
