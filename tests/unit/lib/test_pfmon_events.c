// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event lists to event select values: raw values, libpfm4's names, levels. The
 * tables are chosen by name, so the machine that runs the test does not matter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "constraints.h"
#include "event.h"
#include "message.h"
#include "tables.h"

#define ZEN "amd64_fam17h_zen1"

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
#define EXPECT_SELECTORS(rows) \
	expect_selectors(rows, sizeof(rows) / sizeof((rows)[0]))

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
		/* All other bits are the user's. */
		{ "rfff00000ff8cffc0", U, 0xfff00000ffddffc0 },
	};

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	EXPECT_SELECTORS(rows);
}

static void names_are_looked_up_in_the_table(void **state)
{
	static const struct row rows[] = {
		{ "RETIRED_INSTRUCTIONS", U, 0x5100c0 },
		{ "retired_instructions", U, 0x5100c0 },
		{ "RETIRED_INSTRUCTIONS", K, 0x5200c0 },
		{ "RETIRED_INSTRUCTIONS", U | K, 0x5300c0 },
		{ "RETIRED_INSTRUCTIONS:k", U, 0x5200c0 },
		{ "RETIRED_INSTRUCTIONS:u:k", U, 0x5300c0 },
		{ ZEN "::RETIRED_INSTRUCTIONS", U, 0x5100c0 },
		{ "CYCLES_NOT_IN_HALT", U, 0x510076 },
		{ "CYCLES_NOT_IN_HALT:c=2:i:e", U, 0x2d50076 },
		/* The host bit alone is no level. */
		{ "CYCLES_NOT_IN_HALT:h", U, 0x20000510076 },
	};

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	assert_string_equal(tables_pmu(), ZEN);
	EXPECT_SELECTORS(rows);
}

static void each_table_can_be_chosen(void **state)
{
	static const struct row core[] = {
		{ "INSTRUCTIONS_RETIRED", U, 0x5100c0 },
		{ "UNHALTED_CORE_CYCLES", U, 0x51003c },
		{ "UNHALTED_REFERENCE_CYCLES", U, 0x510300 },
		{ "L1I_MISSES", K, 0x520081 },
	};
	static const struct row k7[] = {
		{ "RETIRED_INSTRUCTIONS", U, 0x5100c0 },
	};

	(void)state;
	assert_int_equal(tables_init("core"), 0);
	EXPECT_SELECTORS(core);
	assert_int_equal(tables_init("amd64_k7"), 0);
	EXPECT_SELECTORS(k7);
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
	assert_string_equal(
		list.events[1].full_name,
		ZEN "::RETIRED_INSTRUCTIONS:k=1:u=0:e=0:i=0:c=0:h=0:g=0");
	assert_string_equal(event_level_name(&list.events[0]), "user");
	assert_string_equal(event_level_name(&list.events[1]), "kernel");
	events_free(&list);
	assert_int_equal(events_parse(&list, "r76", U | K), 0);
	assert_string_equal(event_level_name(&list.events[0]), "user+kernel");
	events_free(&list);
}

static void constrained_events_get_their_counters(void **state)
{
	struct event_list list;

	(void)state;
	assert_int_equal(tables_init("core"), 0);
	events_parse(&list, "FP_ASSIST,CYCLES_DIV_BUSY,r12,rc0", U);
	assert_int_equal(list.events[0].counters, 2);
	assert_int_equal(list.events[1].counters, 1);
	assert_int_equal(list.events[2].counters, 2);
	assert_int_equal(list.events[3].counters, UINT32_MAX);
	events_free(&list);
	/* Same code, another processor: no constraint. */
	assert_int_equal(constraints_counters("skl", 0x510012), UINT32_MAX);
	assert_int_equal(constraints_counters(NULL, 0x510012), UINT32_MAX);
	/* By unit mask, and tables that share their rows. */
	assert_int_equal(constraints_counters("skl", 0x5101c0), 2);
	assert_int_equal(constraints_counters("clx", 0x5101c0), 2);
	assert_int_equal(constraints_counters("skl", 0x5100c0), UINT32_MAX);
	assert_int_equal(constraints_counters("snb_ep", 0x5101cd), 8);
	assert_int_equal(constraints_counters("pm", 0x5100c1), 1);
	/* The longer name is not the shorter one's variant. */
	assert_int_equal(constraints_counters("coreduo", 0x510012), UINT32_MAX);
}

static void wrong_events_get_one_line(void **state)
{
	static const struct {
		const char *list;
		const char *said[2];
	} cases[] = {
		{ "NO_SUCH_EVENT", { "event NO_SUCH_EVENT: ", ZEN } },
		{ "", { "empty event", "" } },
		{ "rc0,,rc1", { "empty event", "" } },
		{ "rc0,", { "empty event", "" } },
		{ "r", { "event r: ", "not in the table" } },
		{ "rc0x", { "event rc0x: ", "not in the table" } },
		{ "r11112222333344445", { "64 bits", "16 digits" } },
		{ "rc0:x", { "event rc0:x: ", ":u and :k" } },
		{ "rc0:", { "event rc0:: ", ":u and :k" } },
		{ "rc0:uk", { "event rc0:uk: ", ":u and :k" } },
		{ "RETIRED_INSTRUCTIONS:bad", { "unit mask", "pfmon -l" } },
		{ "RETIRED_INSTRUCTIONS:c=999", { "c=999: ", "value" } },
		{ "RETIRED_SSE_AVX_FLOPS:", { "event ", "" } },
		{ "core::DIV", { "another processor", "--pmu core" } },
		{ "rapl::RAPL_ENERGY_PKG", { "rapl", "core" } },
		{ ":::", { "event :::: ", "" } },
	};
	struct event_list list;

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		message_catch();
		assert_int_equal(events_parse(&list, cases[i].list, U), -1);
		message_expect(cases[i].said[0], cases[i].said[1], NULL);
		events_free(&list);
	}
}

static void events_of_two_registers_are_refused(void **state)
{
	struct event_list list;

	(void)state;
	assert_int_equal(tables_init("skl"), 0);
	message_catch();
	assert_int_equal(events_parse(&list, "OFFCORE_RESPONSE_0", U), -1);
	message_expect("OFFCORE_RESPONSE_0: needs 2 registers", NULL);
	events_free(&list);
}

static void unknown_tables_are_refused(void **state)
{
	(void)state;
	message_catch();
	assert_int_equal(tables_init("no_such_pmu"), -1);
	message_expect("--pmu no_such_pmu: ", "pfmon -L", NULL);
	/* Its energy counters are no processor core. */
	message_catch();
	assert_int_equal(tables_init("rapl"), -1);
	message_expect("--pmu rapl: ", NULL);
}

/* A later libpfm4 may know this machine; then the case cannot be made. */
static void raw_events_work_without_a_table(void **state)
{
	struct event_list list;

	(void)state;
	message_catch();
	assert_int_equal(tables_init("no_such_pmu"), -1);
	message_expect("no such table", NULL);
	assert_null(tables_pmu());
	assert_int_equal(events_parse(&list, "rc0", U), 0);
	assert_int_equal(list.events[0].selector, 0x5100c0);
	events_free(&list);
	message_catch();
	assert_int_equal(events_parse(&list, "RETIRED_INSTRUCTIONS", U), -1);
	message_expect("no table", "raw events", "--pmu", NULL);
	events_free(&list);
}

static void the_environment_does_not_reach_libpfm4(void **state)
{
	static const struct row rows[] = {
		{ "RETIRED_INSTRUCTIONS", U, 0x5100c0 },
	};

	(void)state;
	setenv("LIBPFM_FORCE_PMU", "core", 1);
	setenv("LIBPFM_VERBOSE", "1", 1);
	setenv("LIBPFM_DEBUG", "1", 1);
	setenv("LIBPFM_DISABLED_PMUS", "amd64", 1);
	message_catch();
	assert_int_equal(tables_init(ZEN), 0);
	EXPECT_SELECTORS(rows);
	message_expect_none();
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
	message_expect("-l no such event: ", ZEN, NULL);
	free(text);

	message_catch();
	text = list_events("(", &ret);
	assert_int_equal(ret, -1);
	message_expect("-l (: ", "regular expression", NULL);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raw_values_are_selectors),
		cmocka_unit_test(names_are_looked_up_in_the_table),
		cmocka_unit_test(each_table_can_be_chosen),
		cmocka_unit_test(lists_keep_their_order_and_names),
		cmocka_unit_test(constrained_events_get_their_counters),
		cmocka_unit_test(wrong_events_get_one_line),
		cmocka_unit_test(events_of_two_registers_are_refused),
		cmocka_unit_test(unknown_tables_are_refused),
		cmocka_unit_test(raw_events_work_without_a_table),
		cmocka_unit_test(the_environment_does_not_reach_libpfm4),
		cmocka_unit_test(listed_events_can_be_counted),
		cmocka_unit_test(lists_can_be_filtered),
	};

	return cmocka_run_group_tests_name("pfmon_events", tests, NULL, NULL);
}
