// SPDX-License-Identifier: GPL-2.0-only
/* What the self-test prints of its verdicts, and its exit status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "selftest/selftest.h"
#include "selftest/tap.h"

static const struct place place = { 3, "PMC1", "instructions" };
static const struct ruling wrong = { VERDICT_WRONG, 10, 18, 7, "the cause" };
static const struct ruling unsure = { VERDICT_UNSURE, 10, 18, 7, "busy" };
static const struct ruling right = { VERDICT_RIGHT, 10, 18, 10, "" };

struct written {
	struct tap tap;
	char *text;
	size_t size;
};

static struct written *open_tap(void)
{
	static struct written w;

	tap_open(&w.tap, open_memstream(&w.text, &w.size));
	return &w;
}

static void expect(struct written *w, int status, const char *text)
{
	assert_int_equal(tap_status(&w->tap), status);
	tap_close(&w->tap);
	fclose(w->tap.out);
	if (!strstr(w->text, text))
		fail_msg("'%s' is not in '%s'", text, w->text);
	free(w->text);
}

static void a_right_test_is_one_line(void **state)
{
	struct written *w = open_tap();

	(void)state;
	tap_begin(&w->tap, "name");
	tap_ruling(&w->tap, &place, &right);
	tap_end(&w->tap);
	tap_plan(&w->tap);
	expect(w, SELFTEST_RIGHT, "TAP version 13\nok 1 - name\n1..1\n");
}

static void a_wrong_count_names_where_and_why(void **state)
{
	struct written *w = open_tap();

	(void)state;
	tap_begin(&w->tap, "name");
	tap_ruling(&w->tap, &place, &wrong);
	tap_end(&w->tap);
	expect(w, SELFTEST_WRONG,
	       "not ok 1 - name\n"
	       "# CPU 3, PMC1, instructions: expected 10 to 18, got 7: the cause\n");
}

static void no_upper_limit_is_no_number(void **state)
{
	static const struct ruling zero = { VERDICT_WRONG, 1, UINT64_MAX, 0,
					    "the cause" };
	struct written *w = open_tap();

	(void)state;
	tap_begin(&w->tap, "name");
	tap_ruling(&w->tap, &place, &zero);
	tap_end(&w->tap);
	expect(w, SELFTEST_WRONG, "expected at least 1, got 0: the cause\n");
}

static void many_findings_of_a_test_are_summed_up(void **state)
{
	struct written *w = open_tap();

	(void)state;
	tap_begin(&w->tap, "name");
	for (int i = 0; i < 20; i++)
		tap_ruling(&w->tap, &place, &wrong);
	tap_end(&w->tap);
	expect(w, SELFTEST_WRONG, "# and 4 more of this kind\n");
}

static void a_failed_call_is_wrong(void **state)
{
	struct written *w = open_tap();

	(void)state;
	tap_begin(&w->tap, "name");
	tap_failed(&w->tap, &place, "cannot measure", EBUSY);
	tap_end(&w->tap);
	expect(w, SELFTEST_WRONG,
	       "# CPU 3, PMC1, instructions: cannot measure: ");
}

static void an_inconclusive_test_is_to_be_done_again(void **state)
{
	struct written *w = open_tap();

	(void)state;
	tap_begin(&w->tap, "name");
	tap_ruling(&w->tap, &place, &unsure);
	tap_end(&w->tap);
	tap_begin(&w->tap, "other");
	tap_end(&w->tap);
	expect(w, SELFTEST_UNSURE,
	       "not ok 1 - name # TODO inconclusive: busy\n");
}

static void wrong_outweighs_inconclusive(void **state)
{
	struct written *w = open_tap();

	(void)state;
	tap_begin(&w->tap, "name");
	tap_ruling(&w->tap, &place, &wrong);
	tap_end(&w->tap);
	tap_begin(&w->tap, "other");
	tap_unsure(&w->tap, "busy");
	tap_end(&w->tap);
	expect(w, SELFTEST_WRONG, "not ok 2 - other # TODO");
}

static void a_skip_hides_no_wrong_count(void **state)
{
	struct written *w = open_tap();

	(void)state;
	tap_begin(&w->tap, "skipped");
	tap_skip(&w->tap, "no %s", "right");
	tap_end(&w->tap);
	tap_begin(&w->tap, "name");
	tap_ruling(&w->tap, &place, &wrong);
	tap_skip(&w->tap, "no right");
	tap_end(&w->tap);
	expect(w, SELFTEST_WRONG,
	       "ok 1 - skipped # SKIP no right\nnot ok 2 - name\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_right_test_is_one_line),
		cmocka_unit_test(a_wrong_count_names_where_and_why),
		cmocka_unit_test(no_upper_limit_is_no_number),
		cmocka_unit_test(many_findings_of_a_test_are_summed_up),
		cmocka_unit_test(a_failed_call_is_wrong),
		cmocka_unit_test(an_inconclusive_test_is_to_be_done_again),
		cmocka_unit_test(wrong_outweighs_inconclusive),
		cmocka_unit_test(a_skip_hides_no_wrong_count),
	};

	return cmocka_run_group_tests_name("pfmon_tap", tests, NULL, NULL);
}
