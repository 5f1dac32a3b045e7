// SPDX-License-Identifier: GPL-2.0-only
/* Expressions of events, and the groups that have them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/kernel_pmu.h"
#include "events/tables.h"
#include "message.h"
#include "scratch_dir.h"
#include "metrics/expression.h"
#include "metrics/formula.h"
#include "metrics/formula_set.h"
#include "metrics/groups.h"

#define ZEN "16,23,1,0"

/* a is 6, b-c is 3, zero is 0, and unseen has no value. */
static enum expression_end name(const char *text, size_t len, double *value,
				void *arg)
{
	static const struct {
		const char *name;
		double value;
		enum expression_end end;
	} names[] = {
		{ "a", 6, EXPRESSION_DONE },
		{ "b-c", 3, EXPRESSION_DONE },
		{ "E:MASK:c=2", 8, EXPRESSION_DONE },
		{ "power/a-b/", 12, EXPRESSION_DONE },
		{ "zero", 0, EXPRESSION_DONE },
		{ "unseen", 0, EXPRESSION_NO_VALUE },
	};

	(void)arg;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i].name) != len ||
		    strncmp(names[i].name, text, len) != 0)
			continue;
		*value = names[i].value;
		return names[i].end;
	}
	return EXPRESSION_WRONG;
}

static void expressions_have_the_usual_precedence(void **state)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
		{ "1", 1 },
		{ " 1.25 ", 1.25 },
		{ "a", 6 },
		{ "a / b-c", 2 },
		{ "a - b-c", 3 },
		{ "a-1", 0 }, /* a name, see below */
		{ "a - 1", 5 },
		{ "a -1", 5 },
		{ "2 + 3 * 4", 14 },
		{ "(2 + 3) * 4", 20 },
		{ "24 / 4 / 2", 3 },
		{ "10 - 4 - 3", 3 },
		{ "-a + 10", 4 },
		{ "2 * -(a - 4)", -4 },
		{ "E:MASK:c=2/2", 4 },
		{ "0 / a", 0 },
		{ "'power/a-b/'", 12 },
		{ "2*'power/a-b/'/a", 4 },
		{ "'a'", 6 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double value = 0;
		enum expression_end end =
			expression_value(rows[i].text, name, NULL, &value);

		if (!strcmp(rows[i].text, "a-1")) {
			assert_int_equal(end, EXPRESSION_WRONG);
			continue;
		}
		assert_int_equal(end, EXPRESSION_DONE);
		assert_true(value == rows[i].value);
	}
}

static void what_was_not_seen_makes_no_value(void **state)
{
	static const char *const none[] = { "unseen", "a + unseen",
					    "0 * unseen", "a / zero",
					    "1 / (a - 6)" };
	static const char *const wrong[] = {
		"",   "other",	    "(a",	   "a)",    "a b",
		"*a", "a +",	    "1..2",	   "a % 2", "unseen + other",
		"()", "power/a-b/", "'power/a-b/", "'",	    "''"
	};
	char deep[256] = "";
	double value;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		assert_int_equal(expression_value(none[i], name, NULL, &value),
				 EXPRESSION_NO_VALUE);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(expression_value(wrong[i], name, NULL, &value),
				 EXPRESSION_WRONG);
	memset(deep, '(', sizeof(deep) - 1);
	assert_int_equal(expression_value(deep, name, NULL, &value),
			 EXPRESSION_WRONG);
}

static void the_first_events_that_the_model_has_are_used(void **state)
{
	static const char text[] = "short text\n"
				   "# comment\n\n"
				   "events instructions,NO_SUCH_EVENT\n"
				   "metric one x = instructions\n"
				   "events instructions,cycles\n"
				   "metric two x = instructions / cycles\n"
				   "metric three y = time * cpu_hz\n"
				   "events instructions\r\n"
				   "metric four x = instructions\n";
	struct group_choice choice = { .metric_count = 0 };

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	assert_int_equal(groups_parse(&choice, "G", text, NULL), 0);
	assert_string_equal(choice.events, "instructions,cycles");
	assert_int_equal(choice.metric_count, 2);
	assert_string_equal(choice.metrics[0].name, "two");
	assert_string_equal(choice.metrics[0].expression,
			    "instructions / cycles");
	/* A second group adds what is new, and one metric of it. */
	assert_int_equal(groups_parse(&choice, "H",
				      "events instructions,branches\n"
				      "metric p x = branches\n"
				      "metric q x = instructions\n",
				      "Q"),
			 0);
	assert_string_equal(choice.events, "instructions,cycles,branches");
	assert_int_equal(choice.metric_count, 3);
	assert_string_equal(choice.metrics[2].name, "q");
	assert_int_equal(groups_parse(&choice, "H", "events NO_SUCH\n", NULL),
			 1);
	assert_int_equal(groups_parse(&choice, "H", text, "four"), 1);
}

static void wrong_lines_are_told_with_their_number(void **state)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{ "shorts x\n", "line 1: short, events, metric or formulas" },
		{ "\nevents a b\n", "line 2: events: one list" },
		{ "events\n", "line 1: events: one list" },
		{ "events cycles\nmetric a\n", "line 2: metric: NAME UNIT" },
		{ "events cycles\nmetric a b c d\n", "line 2: metric: NAME" },
		{ "events cycles\nmetric a b = instructions\n",
		  "line 2: metric: no expression of the events" },
		{ "events cycles\nmetric a b = \n", "line 2: metric: " },
	};

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct group_choice choice = { .metric_count = 0 };

		message_catch();
		assert_int_equal(
			groups_parse(&choice, "G", cases[i].text, NULL), -1);
		message_expect("group G: ", cases[i].said, NULL);
	}
}

static void shipped_groups_work_where_they_should(void **state)
{
	static const struct {
		const char *model, *groups;
	} rows[] = {
		{ ZEN,
		  "CLOCK,BRANCH,L2,L2CACHE,TLB,FLOPS_DP,FLOPS_SP,DATA,DIVIDE,TLB_DATA,TLB_INSTR" },
		{ "16,25,17,1",
		  "FLOPS_DP,FLOPS_SP,DATA,DIVIDE,L2,L2CACHE,TLB,TLB_DATA,TMA" },
		{ "16,26,2,1",
		  "FLOPS_DP,FLOPS_SP,DATA,DIVIDE,L2,L2CACHE,TLB,TLB_DATA,TMA" },
		{ "16,21,1,2",
		  "FLOPS_DP,FLOPS_SP,DATA,L2,L2CACHE,TLB,TLB_DATA,TLB_INSTR" },
		{ "16,16,4,2",
		  "FLOPS_DP,FLOPS_SP,L2,L2CACHE,TLB,TLB_DATA,TLB_INSTR" },
		{ "16,15,5,1",
		  "CLOCK,BRANCH,L2,L2CACHE,TLB,TLB_DATA,TLB_INSTR" },
		{ "36",
		  "CLOCK,BRANCH,L2,L2CACHE,TLB,FLOPS_DP,FLOPS_SP,DATA,DIVIDE" },
		{ "40",
		  "CLOCK,L2,L2CACHE,L3,TLB,FLOPS_DP,FLOPS_SP,DATA,DIVIDE" },
		{ "42",
		  "FLOPS_DP,DATA,DIVIDE,L2,L3,CYCLE_STALLS,TLB_DATA,TLB_INSTR,TMA" },
		{ "44",
		  "DATA,DIVIDE,L2,L3,CYCLE_STALLS,TLB_DATA,TLB_INSTR,TMA" },
		{ "46",
		  "CLOCK,BRANCH,L2,L2CACHE,L3,TLB,FLOPS_DP,FLOPS_SP,DATA,CYCLE_STALLS" },
		{ "48",
		  "FLOPS_DP,FLOPS_SP,DATA,DIVIDE,L2,L3,CYCLE_STALLS,TLB_DATA,TMA" },
		{ "50", "CLOCK,BRANCH,DATA,DIVIDE" },
		{ "80", "DATA,TLB_DATA,TLB_INSTR,TMA" },
		{ "32", "CLOCK,BRANCH" },
	};

	(void)state;
	setenv("PFMON_GROUPS", "tools/pfmon/groups", 1);
	setenv("PFMON_FORMULAS", "tools/pfmon/formulas", 1);
	setenv("XDG_CONFIG_HOME", "/nowhere", 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct group_choice choice = { .metric_count = 0 };

		assert_int_equal(tables_init(rows[i].model), 0);
		assert_int_equal(groups_choose(&choice, rows[i].groups), 0);
		assert_true(choice.metric_count > 4);
		groups_free(&choice);
		choice = (struct group_choice){ .metric_count = 0 };
		assert_int_equal(groups_choose_metrics(&choice, "ipc"), 0);
		assert_string_equal(choice.events, "instructions,cycles");
		assert_int_equal(choice.metric_count, 1);
	}
}

/* sysfs of a machine, as far as the groups of PMUs outside the cores look at it. */
static const struct {
	const char *path, *text;
} files[] = {
	{ "power/type", "10\n" },
	{ "power/format/event", "config:0-7\n" },
	{ "power/events/energy-pkg", "event=0x02\n" },
	{ "uncore_imc_0/type", "20\n" },
	{ "uncore_imc_0/format/event", "config:0-7\n" },
	{ "uncore_imc_0/events/cas_count_read", "event=0x04\n" },
	{ "uncore_imc_0/events/cas_count_write", "event=0x0c\n" },
};

static void groups_of_other_pmus_are_there_with_these(void **state)
{
	struct group_choice choice = { .metric_count = 0 };
	const char *own = kernel_pmu_directory;
	char *directory = scratch_make();

	(void)state;
	setenv("PFMON_GROUPS", "tools/pfmon/groups", 1);
	assert_int_equal(tables_init(ZEN), 0);
	kernel_pmu_directory = directory;
	message_catch();
	assert_int_equal(groups_choose(&choice, "ENERGY"), -1);
	message_expect("group ENERGY", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		scratch_write(directory, files[i].path, files[i].text);
	choice = (struct group_choice){ .metric_count = 0 };
	assert_int_equal(groups_choose(&choice, "ENERGY,MEM"), 0);
	assert_string_equal(
		choice.events,
		"power/energy-pkg/,instructions:uk,uncore_imc/cas_count_read/,uncore_imc/cas_count_write/");
	assert_int_equal(choice.metric_count, 6);
	kernel_pmu_directory = own;
	scratch_remove(directory);
}

static void groups_that_are_not_there_get_one_line(void **state)
{
	static const struct {
		const char *names, *said;
	} cases[] = {
		{ "NOWHERE", "group NOWHERE: there is none" },
		{ "../CLOCK", "a list of names" },
		{ "CLOCK,", "a list of names" },
		{ "", "a list of names" },
	};
	struct group_choice choice = { .metric_count = 0 };

	(void)state;
	assert_int_equal(tables_init(ZEN), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		message_catch();
		assert_int_equal(groups_choose(&choice, cases[i].names), -1);
		message_expect(cases[i].said, NULL);
	}
	message_catch();
	assert_int_equal(groups_choose_metrics(&choice, "nothing"), -1);
	groups_free(&choice);
	message_expect("metric nothing: no group", NULL);
	/* The P6 counts no misses of the TLB for data. */
	assert_int_equal(tables_init("32"), 0);
	message_catch();
	assert_int_equal(groups_choose(&choice, "TLB"), -1);
	message_expect("group TLB: ", "has not its events", NULL);
}

/* Each name is 6; zero is 0, and unseen has no value. */
static bool six(const struct formula_node *node, double *value, void *arg)
{
	(void)arg;
	*value = strcmp(node->name, "zero") ? 6 : 0;
	return strcmp(node->name, "unseen");
}

static void formulas_never_have_an_infinite_value(void **state)
{
	static const struct {
		const char *text;
		double value; /* -1: it has none */
	} rows[] = {
		{ "a / zero", -1 },
		{ "d_ratio(a, zero)", 0 },
		{ "a % zero", -1 },
		{ "1e300 * 1e300", -1 },
		{ "unseen + 1", -1 },
		{ "1 if a else a / zero", 1 },
		{ "a / zero if zero else 2", 2 },
		{ "1 if unseen else 2", -1 },
		{ "unseen & zero", 0 },
		{ "unseen | a", 1 },
		{ "2 + 3 * a - 4 / 2", 18 },
		{ "10 - 4 - 3", 3 },
		{ "a > 5 & 2 < 1 | 1", 1 },
		{ "min(max(2, a), 1.5e1)", 6 },
		{ "cpu@A.B\\,cmask\\=1@ * branch\\-misses", 36 },
		{ "E@cmask=0x2@ - 1", 5 },
		{ "(1 if zero else 0 if zero else 7)", 7 },
		{ "-a % 4 + 3", 1 },
	};
	const char *why;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct formula *formula = formula_parse(rows[i].text, &why);
		double value = -1;

		assert_non_null(formula);
		if (formula_value(formula, six, NULL, &value))
			assert_true(value == rows[i].value);
		else
			assert_true(rows[i].value == -1);
		formula_free(formula);
	}
}

static void formulas_that_are_none_are_refused(void **state)
{
	static const char *const texts[] = {
		"",	"1 +",	    "(1",	   "1)", "a b",	  "min(1)",
		"1..2", "1e",	    "a if b",	   "#",	 "cpu@a", "a = b",
		"max(", "1 else 2", "has_event(1", "$a", "2x",	  "if",
	};
	static char deep[FORMULA_TEXT_MAX * 2];
	const char *why;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_null(formula_parse(texts[i], &why));
		assert_non_null(why);
	}
	for (size_t i = 0; i < 2; i++) {
		memset(deep, "(-"[i], FORMULA_TEXT_MAX - 1);
		assert_null(formula_parse(deep, &why));
		assert_string_equal(why, "too deep");
	}
	memset(deep, 'a', sizeof(deep) - 1);
	assert_null(formula_parse(deep, &why));
	for (size_t i = 0; i < FORMULA_TEXT_MAX; i += 2)
		memcpy(deep + i, "1+", 2);
	strcpy(deep + FORMULA_TEXT_MAX - 2, "1");
	assert_null(formula_parse(deep, &why));
	assert_string_equal(why, "too long");
}

static bool six_times(const char *text, double *count, void *arg)
{
	(void)text;
	(void)arg;
	*count = 6;
	return true;
}

static char own_metrics[] =
	"metric good\nof One Two\nunit 100%\nabove good > 0.2\n"
	"= INST_RETIRED.ANY / part\n"
	"metric part\n= CPU_CLK_UNHALTED.THREAD\n"
	"metric chosen\n= good if #core_wide < 1 else "
	"NO_SUCH.EVENT\n"
	"metric circle\n= round + 1\n"
	"metric round\n= 2 * circle\n"
	"metric outside\n= UNC_M_CAS_COUNT.RD\n"
	"metric slots\n= topdown\\-retiring / 2\n"
	"metric nowhere\n= good + NO_SUCH.EVENT\n"
	"metric broken\n= 1 +\n";

static void metrics_of_files_name_what_is_missing(void **state)
{
	static const struct {
		const char *name, *missing;
	} rows[] = {
		{ "good", NULL },
		{ "chosen", NULL },
		{ "circle", "the metric is a part of itself" },
		{ "outside", "UNC_M_CAS_COUNT.RD: a PMU outside" },
		{ "slots", "PERF_METRICS is not supported yet" },
		{ "nowhere", "NO_SUCH.EVENT: pfmon does not count it" },
		{ "broken", "it ends too early" },
	};
	struct formula_set *set = calloc(1, sizeof(*set));
	const struct formula_counts counts = { .event = six_times };
	double value;

	(void)state;
	assert_int_equal(tables_init("46,6,94,3"), 0);
	assert_int_equal(formula_files_take(&set->files, "F", own_metrics), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int number = formula_set_add(
			set, formula_files_find(&set->files, rows[i].name, ""));

		if (!rows[i].missing) {
			assert_true(number >= 0);
			continue;
		}
		assert_int_equal(number, -1);
		assert_non_null(strstr(set->missing, rows[i].missing));
	}
	assert_int_equal(set->event_count, 2);
	/* 100 times 6 / 6. */
	assert_true(formula_set_value(set, 2, &counts, &value));
	assert_true(value == 1);
	assert_true(formula_set_value(set, 1, &counts, &value));
	assert_true(value == 100);
	formula_set_thresholds(set);
	assert_true(formula_set_exceeds(set, 1, &counts));
	assert_string_equal(set->events[0], "INST_RETIRED.ANY");
	assert_true(formula_metric_is_in(set->entries[1].metric, "two"));
	assert_false(formula_metric_is_in(set->entries[1].metric, "tw"));
	formula_set_free(set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions_have_the_usual_precedence),
		cmocka_unit_test(formulas_never_have_an_infinite_value),
		cmocka_unit_test(formulas_that_are_none_are_refused),
		cmocka_unit_test(metrics_of_files_name_what_is_missing),
		cmocka_unit_test(what_was_not_seen_makes_no_value),
		cmocka_unit_test(the_first_events_that_the_model_has_are_used),
		cmocka_unit_test(wrong_lines_are_told_with_their_number),
		cmocka_unit_test(shipped_groups_work_where_they_should),
		cmocka_unit_test(groups_of_other_pmus_are_there_with_these),
		cmocka_unit_test(groups_that_are_not_there_get_one_line),
	};

	return cmocka_run_group_tests_name("pfmon_metrics", tests, NULL, NULL);
}
