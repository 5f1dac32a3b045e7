// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event lists: raw values, names that libpfm knows, levels and modifiers. The
 * model is chosen, so the machine that runs the test does not matter.
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
#include "message.h"
#include "events/suggest.h"
#include "events/tables.h"

#define ZEN "16,23,1,0"
#define ZEN_NAME "AMD64 (Family 17h, Zen1)"

struct row {
	const char *text;
	unsigned int levels;
	uint64_t selector;
};

static void expect_selectors(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct event_list list;

		assert_int_equal(
			events_parse(&list, rows[i].text, rows[i].levels), 0);
		assert_int_equal(list.count, 1);
		if (list.events[0].selector != rows[i].selector)
			fail_msg("%s: 0x%llx, not 0x%llx", rows[i].text,
				 (unsigned long long)list.events[0].selector,
				 (unsigned long long)rows[i].selector);
		events_free(&list);
	}
}

#define U LEVEL_USER
#define K LEVEL_KERNEL
#define EXPECT_SELECTORS(rows) expect_selectors(rows, ARRAY_SIZE(rows))

static void raw_values_are_selectors(void **state)
{
	static const struct row rows[] = {
		/* Without a level in the value, -u and -k decide. */
		{ "rc0", U, 0x5100c0 },
		{ "rc0", K, 0x5200c0 },
		{ "rc0", U | K, 0x5300c0 },
		{ "R00C0", U, 0x5100c0 },
		/* With one, the value does. */
		{ "r5100c0", K, 0x5100c0 },
		{ "r5300c0", U, 0x5300c0 },
		{ "r1013c", K, 0x51013c },
		/* And a modifier above all. */
		{ "r5300c0:u", K, 0x5100c0 },
		{ "r5100c0:k", U, 0x5200c0 },
		{ "rc0:U:K", U, 0x5300c0 },
		{ "rc0:uk", U, 0x5300c0 },
		/* All other bits are the user's. */
		{ "rfff00000ff8cffc0", U, 0xfff00000ffddffc0 },
	};

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	EXPECT_SELECTORS(rows);
}

static void names_are_looked_up_in_the_model(void **state)
{
	static const struct {
		const char *text;
		unsigned int levels;
		const char *full_name;
		unsigned int levels_found;
	} rows[] = {
		{ "RETIRED_INSTRUCTIONS", U, "RETIRED_INSTRUCTIONS", U },
		{ "retired_instructions", U | K, "RETIRED_INSTRUCTIONS",
		  U | K },
		{ "RETIRED_INSTRUCTIONS:k", U, "RETIRED_INSTRUCTIONS", K },
		{ "RETIRED_INSTRUCTIONS:U:k", U, "RETIRED_INSTRUCTIONS",
		  U | K },
		{ "retired_mmx_fp_instructions:mmx_instr:k:SSE_instr", U,
		  "RETIRED_MMX_FP_INSTRUCTIONS:MMX_INSTR:SSE_INSTR", K },
	};

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	assert_string_equal(tables_pmu(), ZEN_NAME);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_list list;
		const struct event *event;

		assert_int_equal(
			events_parse(&list, rows[i].text, rows[i].levels), 0);
		event = list.events;
		assert_string_equal(event->full_name, rows[i].full_name);
		assert_int_equal(event->levels, rows[i].levels_found);
		assert_int_equal(event->found.plm,
				 (event->levels & U ? PFM_PLM3 : 0) |
					 (event->levels & K ? PFM_PLM0 : 0));
		events_free(&list);
	}
}

static void modifiers_are_no_unit_masks(void **state)
{
	struct event_list list;
	const struct modifiers *modifiers;

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	events_parse(&list,
		     "CYCLES_NOT_IN_HALT:c=2:i:E,CYCLES_NOT_IN_HALT:h:g,"
		     "CYCLES_NOT_IN_HALT:c=0xff:t,RETIRED_INSTRUCTIONS:u",
		     U);
	assert_int_equal(list.count, 4);
	modifiers = &list.events[0].modifiers;
	assert_int_equal(modifiers->threshold, 2);
	assert_true(modifiers->invert && modifiers->edge);
	assert_false(modifiers->host || modifiers->guest);
	modifiers = &list.events[1].modifiers;
	assert_true(modifiers->host && modifiers->guest);
	assert_false(modifiers->threshold || modifiers->edge);
	modifiers = &list.events[2].modifiers;
	assert_int_equal(modifiers->threshold, 255);
	assert_true(modifiers->any_thread);
	/* The level is no business of libpfm's model input. */
	assert_false(modifiers_any(&list.events[3].modifiers));
	events_free(&list);
}

static void each_model_can_be_chosen(void **state)
{
	static const struct {
		const char *pmu;
		const char *name;
		const char *event;
	} rows[] = {
		{ "36", "Intel Core", "L1I_MISSES" },
		{ "Intel Core", "Intel Core", "L1I_MISSES" },
		{ "intel core", "Intel Core", "L1I_MISSES" },
		{ "16,6,1,0", "AMD64 (K7)", "RETIRED_INSTRUCTIONS" },
		{ "33", "Pentium4/Xeon/EM64T", "INSTR_RETIRED:NBOGUSNTAG" },
		{ "VIA C3", "VIA C3", "INTERNAL_CLOCKS" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_list list;

		assert_int_equal(tables_init(rows[i].pmu), 0);
		assert_string_equal(tables_pmu(), rows[i].name);
		assert_int_equal(events_parse(&list, rows[i].event, U), 0);
		events_free(&list);
	}
}

static void lists_keep_their_order_and_names(void **state)
{
	struct event_list list;

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	assert_int_equal(
		events_parse(&list, "r76,RETIRED_INSTRUCTIONS:k,r76", U), 0);
	assert_int_equal(list.count, 3);
	assert_string_equal(list.events[0].name, "r76");
	assert_null(list.events[0].full_name);
	assert_string_equal(list.events[1].name, "RETIRED_INSTRUCTIONS:k");
	assert_string_equal(list.events[1].full_name, "RETIRED_INSTRUCTIONS");
	assert_string_equal(event_level_name(&list.events[0]), "user");
	assert_string_equal(event_level_name(&list.events[1]), "kernel");
	events_free(&list);
	assert_int_equal(events_parse(&list, "r76", U | K), 0);
	assert_string_equal(event_level_name(&list.events[0]), "user+kernel");
	events_free(&list);
}

/* libpfm knows the numbers of events, too. */
static void raw_values_get_the_counters_of_the_event(void **state)
{
	(void)state;
	assert_int_equal(tables_init("36"), 0);
	assert_int_equal(tables_raw_counters(0x510011), 2); /* FP_ASSIST */
	assert_int_equal(tables_raw_counters(0x510014), 1);
	assert_int_equal(tables_raw_counters(0x5100c0) & 3, 3);
	assert_int_equal(tables_raw_counters(0x5100ff), UINT32_MAX);
	/* Same code, another processor: no constraint. */
	assert_int_equal(tables_init("46"), 0);
	assert_int_equal(tables_raw_counters(0x510011), UINT32_MAX);
	/* The unit mask matters where it makes a difference. */
	assert_int_equal(tables_init("47"), 0);
	assert_int_equal(tables_raw_counters(0x5101d1), 0xf);
	assert_int_equal(tables_raw_counters(0x510ca3), 0xf);
	assert_int_equal(tables_raw_counters(0x5104a3), 0xff);
	assert_int_equal(tables_init("48"), 0);
	assert_int_equal(tables_raw_counters(0x5102cd), 1);
	assert_int_equal(tables_init("16,21,1,0"), 0);
	assert_int_equal(tables_raw_counters(0x510103), 8);
	assert_false(tables_raw_is_pair(0x510103));
	assert_int_equal(tables_init("16,25,1,0"), 0);
	assert_int_equal(tables_raw_counters(0x510103), 0x15);
	assert_true(tables_raw_is_pair(0x510103));
	/* AMD's numbers have twelve bits. */
	assert_int_equal(tables_init("16,16,2,2"), 0);
	assert_int_equal(tables_raw_counters(0x4005100e0), 0xf);
}

static void wrong_events_get_one_line(void **state)
{
	static const struct {
		const char *list;
		const char *said[2];
	} cases[] = {
		{ "NO_SUCH_EVENT", { "event NO_SUCH_EVENT: ", ZEN_NAME } },
		{ "", { "empty event", "" } },
		{ "rc0,,rc1", { "empty event", "" } },
		{ "rc0,", { "empty event", "" } },
		{ "r", { "event r: ", "not an event" } },
		{ "rc0x", { "event rc0x: ", "not an event" } },
		{ "r11112222333344445", { "64 bits", "16 digits" } },
		{ "rc0:x", { "event rc0:x: ", ":u, :k and :p" } },
		{ "rc0:", { "event rc0:: ", ":u, :k and :p" } },
		{ "rc0:ux", { "event rc0:ux: ", ":u, :k and :p" } },
		{ "rc0:u::k", { "event rc0:u::k: ", ":u, :k and :p" } },
		{ "RETIRED_INSTRUCTION",
		  { "did you mean", "RETIRED_INSTRUCTIONS" } },
		{ "cycels:u", { "event cycels:u: ", "did you mean cycles" } },
		{ "ref-cycles",
		  { "event ref-cycles: ", "has no event for it" } },
		{ "RETIRED_INSTRUCTIONS:ux", { "ux: ", "modifier" } },
		{ "RETIRED_INSTRUCTIONS:bad", { "unit mask", "pfmon -l" } },
		{ "RETIRED_INSTRUCTIONS:c=999", { "c=999: ", "modifier" } },
		{ "RETIRED_INSTRUCTIONS:c=", { "c=: ", "modifier" } },
		{ "RETIRED_INSTRUCTIONS:cc", { "cc: ", "modifier" } },
		{ "RETIRED_INSTRUCTIONS:u:", { "u:: ", "modifier" } },
		{ "RETIRED_MMX_FP_INSTRUCTIONS", { "unit mask", "pfmon -l" } },
		{ "MMX_INSTRUCTIONS_AND_THE_LIKE", { "not an event", "" } },
		{ ":::", { "event :::: ", "" } },
	};
	struct event_list list;

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		message_catch();
		assert_int_equal(events_parse(&list, cases[i].list, U), -1);
		message_expect(cases[i].said[0], cases[i].said[1], NULL);
		events_free(&list);
	}
}

static void unknown_models_are_refused(void **state)
{
	static const char *const pmus[] = { "no_such_pmu", "", "99",
					    "16,7,0,0" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pmus); i++) {
		message_catch();
		assert_int_equal(tables_init(pmus[i]), -1);
		message_expect("--pmu ", pmus[i], "pfmon -I", NULL);
	}
}

static void raw_events_work_without_a_model(void **state)
{
	struct event_list list;

	(void)state;
	message_catch();
	assert_int_equal(tables_init("no_such_pmu"), -1);
	message_expect("no such model", NULL);
	assert_null(tables_pmu());
	assert_int_equal(events_parse(&list, "rc0", U), 0);
	assert_int_equal(list.events[0].selector, 0x5100c0);
	events_free(&list);
	message_catch();
	assert_int_equal(events_parse(&list, "RETIRED_INSTRUCTIONS", U), -1);
	message_expect("no events are known", "raw events", "--pmu", NULL);
	events_free(&list);
}

static char *list_events(const char *pattern, int *ret)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	*ret = tables_list_events(pattern, out);
	fclose(out);
	return text;
}

static void listed_events_can_be_counted(void **state)
{
	struct event_list list;
	char *text, *line;
	int ret, lines = 0;

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	text = list_events(NULL, &ret);
	assert_int_equal(ret, 0);
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		line[strcspn(line, " ")] = '\0';
		assert_int_equal(events_parse(&list, line, U), 0);
		events_free(&list);
		lines++;
	}
	assert_true(lines > 64);
	free(text);
}

static void lists_can_be_filtered(void **state)
{
	char *text;
	int ret;

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	text = list_events("^cycles_not_in_halt$", &ret);
	assert_int_equal(ret, 0);
	assert_ptr_equal(strstr(text, "CYCLES_NOT_IN_HALT  "), text);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	free(text);

	message_catch();
	text = list_events("no such event", &ret);
	assert_int_equal(ret, -1);
	assert_string_equal(text, "");
	message_expect("-l no such event: ", ZEN_NAME, NULL);
	free(text);

	message_catch();
	text = list_events("(", &ret);
	assert_int_equal(ret, -1);
	message_expect("-l (: ", "regular expression", NULL);
	free(text);
}

static void models_are_listed_with_their_numbers(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(tables_init("36"), 0);
	assert_int_equal(tables_list_pmus(out), 0);
	fclose(out);
	assert_non_null(strstr(text, " 36  Intel Core (in use)\n"));
	assert_non_null(strstr(text, " 58  VIA C3\n"));
	free(text);
}

static void aliases_are_events_of_the_model(void **state)
{
	static const struct {
		const char *model;
		const char *text;
		const char *full_name;
		enum event_meaning meaning;
	} rows[] = {
		{ ZEN, "instructions", "RETIRED_INSTRUCTIONS",
		  MEANS_INSTRUCTIONS },
		{ ZEN, "Cycles:k", "CYCLES_NOT_IN_HALT", MEANS_CYCLES },
		{ ZEN, "RETIRED_INSTRUCTIONS", "RETIRED_INSTRUCTIONS",
		  MEANS_INSTRUCTIONS },
		{ ZEN, "branches", "RETIRED_BRANCH_INSTRUCTIONS",
		  MEANS_BRANCHES },
		{ ZEN, "branch-misses",
		  "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", MEANS_BRANCHES },
		{ "16,15,5,1", "branch-misses",
		  "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", MEANS_BRANCHES },
		{ "36", "cache-misses", "LAST_LEVEL_CACHE_MISSES",
		  MEANS_OTHER },
		{ "36", "ref-cycles", "UNHALTED_REFERENCE_CYCLES",
		  MEANS_OTHER },
		{ "32", "branches", "BR_INST_RETIRED", MEANS_BRANCHES },
		{ "48", "branches", "BR_INST_RETIRED:ALL_BRANCHES",
		  MEANS_BRANCHES },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_list list;

		assert_int_equal(tables_init(rows[i].model), 0);
		assert_int_equal(events_parse(&list, rows[i].text, U), 0);
		assert_string_equal(list.events[0].full_name,
				    rows[i].full_name);
		assert_string_equal(list.events[0].name, rows[i].text);
		assert_int_equal(list.events[0].meaning, rows[i].meaning);
		events_free(&list);
	}
}

static void events_of_one_kind_may_be_spelled_as_perf_does(void **state)
{
	static const struct {
		const char *text, *name, *full_name;
	} rows[] = {
		{ "cpu_core/instructions", "cpu_core/instructions",
		  "CPU_CORE/INST_RETIRED:ANY_P" },
		{ "cpu_atom/cycles/", "cpu_atom/cycles",
		  "CPU_ATOM/CPU_CLK_UNHALTED:THREAD_P" },
		{ "CPU_ATOM/branch-misses/k", "CPU_ATOM/branch-misses:k",
		  "CPU_ATOM/BR_MISP_RETIRED:ALL_BRANCHES" },
		{ "cpu_core/INST_RETIRED:NOP/:k", "cpu_core/INST_RETIRED:NOP:k",
		  "CPU_CORE/INST_RETIRED:NOP" },
	};

	(void)state;
	assert_int_equal(tables_init("82"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_list list;

		assert_int_equal(events_parse(&list, rows[i].text, U), 0);
		assert_string_equal(list.events[0].name, rows[i].name);
		assert_string_equal(list.events[0].full_name,
				    rows[i].full_name);
		assert_int_equal(list.events[0].levels,
				 strstr(rows[i].name, ":k") ? K : U);
		events_free(&list);
	}
}

static void software_values_need_no_counter(void **state)
{
	struct event_list list, hardware;

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	assert_int_equal(
		events_parse(&list, "task-clock,rc0,CS,page-faults,rc1", U), 0);
	assert_int_equal(list.events[0].soft, SOFT_TASK_CLOCK);
	assert_int_equal(list.events[2].soft, SOFT_CONTEXT_SWITCHES);
	assert_string_equal(event_level_name(&list.events[3]), "software");
	assert_int_equal(events_hardware(&list, &hardware), 0);
	assert_int_equal(hardware.count, 2);
	assert_string_equal(hardware.events[1].name, "rc1");
	free(hardware.events);
	events_free(&list);
}

static void names_differ_in_so_many_characters(void **state)
{
	static const struct {
		const char *a, *b;
		int distance;
	} cases[] = {
		{ "", "", 0 },
		{ "same", "SAME", 0 },
		{ "cycels", "cycles", 2 },
		{ "a", "abc", 2 },
		{ "abc", "c", 2 },
		{ "abcd", "", 3 },
		{ "kitten", "sitting", 3 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(suggest_distance(cases[i].a, cases[i].b, 2),
				 cases[i].distance);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raw_values_are_selectors),
		cmocka_unit_test(names_are_looked_up_in_the_model),
		cmocka_unit_test(modifiers_are_no_unit_masks),
		cmocka_unit_test(each_model_can_be_chosen),
		cmocka_unit_test(lists_keep_their_order_and_names),
		cmocka_unit_test(raw_values_get_the_counters_of_the_event),
		cmocka_unit_test(wrong_events_get_one_line),
		cmocka_unit_test(aliases_are_events_of_the_model),
		cmocka_unit_test(
			events_of_one_kind_may_be_spelled_as_perf_does),
		cmocka_unit_test(software_values_need_no_counter),
		cmocka_unit_test(names_differ_in_so_many_characters),
		cmocka_unit_test(unknown_models_are_refused),
		cmocka_unit_test(raw_events_work_without_a_model),
		cmocka_unit_test(listed_events_can_be_counted),
		cmocka_unit_test(lists_can_be_filtered),
		cmocka_unit_test(models_are_listed_with_their_numbers),
	};

	return cmocka_run_group_tests_name("pfmon_events", tests, NULL, NULL);
}
