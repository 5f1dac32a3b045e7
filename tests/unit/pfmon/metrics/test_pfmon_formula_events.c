// SPDX-License-Identifier: GPL-2.0-only
/* The names that formulas have for events, as -e takes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/tables.h"
#include "metrics/formula_events.h"

#define SKYLAKE "46,6,94,3"
#define HYBRID "82,6,151,0"

/* What a name is at the levels of the request, and at both. */
static const struct spelling {
	const char *name, *core;
	const char *text, *both;
} of_one_kind[] = {
	{ "A.B", "", "A.B", "A.B:uk" },
	{ "A.B:k", "", "A.B:k", "A.B:k" },
	{ "A.B", "cpu_core", "A.B", "A.B:uk" },
	{ "cpu@A.B,cmask=1@", "", "cpu/A.B,cmask=1/", "cpu/A.B,cmask=1/uk" },
	{ "cpu_core@A.B@", "", "cpu/A.B/", "cpu/A.B/uk" },
	{ "cpu_atom@a@", "cpu_atom", "cpu/a/", "cpu/a/uk" },
	{ "cpu_cores@a@", "", "cpu_cores/a/", "cpu_cores/a/uk" },
	{ "cpu_other@a@", "", "cpu_other/a/", "cpu_other/a/uk" },
	{ "A.B@cmask=1@", "", "cpu/A.B,cmask=1/", "cpu/A.B,cmask=1/uk" },
	{ "a.b@cmask=1@", "", "cpu/a.b,cmask=1/", "cpu/a.b,cmask=1/uk" },
	{ "uncore_imc@UNC.A@", "", "uncore_imc/UNC.A/", "uncore_imc/UNC.A/uk" },
	{ "uncore_imc@a@", "", "uncore_imc/a/", "uncore_imc/a/uk" },
	{ "cpu@a@k", "", "cpu/a/k", NULL },
	{ "cpu@a", "", "cpu/a/", "cpu/a/uk" },
};

static const struct spelling of_two_kinds[] = {
	{ "A.B", "", "A.B", "A.B:uk" },
	{ "A.B", "cpu_core", "cpu_core/A.B/", "cpu_core/A.B/uk" },
	{ "A.B:k", "cpu_core", "A.B:k", "A.B:k" },
	{ "cpu_core@A.B@", "", "cpu_core/A.B/", "cpu_core/A.B/uk" },
	{ "cpu_atom@A.B@", "cpu_core", "cpu_atom/A.B/", "cpu_atom/A.B/uk" },
	{ "A.B@cmask=1@", "cpu_atom", "cpu_atom/A.B,cmask=1/",
	  "cpu_atom/A.B,cmask=1/uk" },
	{ "A.B@cmask=1@", "", "cpu/A.B,cmask=1/", "cpu/A.B,cmask=1/uk" },
};

/* A name and its text; room for the text and its end, and for one byte less. */
static void expect(const char *name, const char *core, bool all_levels,
		   const char *wanted)
{
	char text[100];
	size_t size = strlen(wanted) + 1;

	assert_true(formula_event_spell(name, core, all_levels, text,
					sizeof(text)));
	assert_string_equal(text, wanted);
	assert_true(formula_event_spell(name, core, all_levels, text, size));
	assert_string_equal(text, wanted);
	assert_false(
		formula_event_spell(name, core, all_levels, text, size - 1));
}

static void expect_all(const char *processor, const struct spelling *rows,
		       size_t count)
{
	assert_int_equal(tables_init(processor), 0);
	for (size_t i = 0; i < count; i++) {
		expect(rows[i].name, rows[i].core, false, rows[i].text);
		if (rows[i].both)
			expect(rows[i].name, rows[i].core, true, rows[i].both);
	}
}

static void names_are_spelled_as_options_have_them(void **state)
{
	(void)state;
	expect_all(SKYLAKE, of_one_kind, ARRAY_SIZE(of_one_kind));
}

static void kinds_of_core_are_named_where_there_are_two(void **state)
{
	(void)state;
	expect_all(HYBRID, of_two_kinds, ARRAY_SIZE(of_two_kinds));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_spelled_as_options_have_them),
		cmocka_unit_test(kinds_of_core_are_named_where_there_are_two),
	};

	return cmocka_run_group_tests_name("pfmon_formula_events", tests, NULL,
					   NULL);
}
