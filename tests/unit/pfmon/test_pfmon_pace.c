// SPDX-License-Identifier: GPL-2.0-only
/* How fast samples came, and whether that is too fast. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/pace.h"

#define MS 1000000ull

/* Samples at equal distances, with a pause after each so many. */
static struct pace paced(uint64_t samples, uint64_t ns, uint64_t burst,
			 uint64_t pause_ns)
{
	struct pace pace = { 0 };
	uint64_t now = MS;

	for (uint64_t i = 0; i < samples; i++) {
		if (i % PACE_STEP == 0)
			pace_see(&pace, i, now);
		now += ns;
		if (burst && i % burst == burst - 1)
			now += pause_ns;
	}
	return pace;
}

static void a_few_samples_have_no_pace(void **state)
{
	struct pace pace = paced(PACE_STEP, 100, 0, 0);

	(void)state;
	assert_int_equal(pace_peak(&pace), 0);
	assert_false(pace_is_too_fast(&pace));
}

static void what_goes_on_must_not_be_faster_than_the_kernel_allows(void **state)
{
	struct pace slow = paced(10000, 11000, 0, 0);
	struct pace fast = paced(10000, 9000, 0, 0);

	(void)state;
	assert_int_equal(pace_peak(&slow), 90909);
	assert_false(pace_is_too_fast(&slow));
	assert_int_equal(pace_peak(&fast), 111111);
	assert_true(pace_is_too_fast(&fast));
}

/* 500 of a tick, then two ticks without any: there are 40000 a second. */
static void pauses_of_those_that_were_stopped_do_not_hide_the_pace(void **state)
{
	struct pace pace = paced(10000, 5000, 500, 10 * MS);

	(void)state;
	assert_int_equal(pace_peak(&pace), 200000);
	assert_true(pace_is_too_fast(&pace));
}

/* As a program has that seldom does what is sampled, but then often at once. */
static void a_short_burst_may_be_somewhat_faster(void **state)
{
	struct pace pace = paced(10000, 8000, 200, 10 * MS);

	(void)state;
	assert_int_equal(pace_peak(&pace), 125000);
	assert_false(pace_is_too_fast(&pace));
}

static void several_have_the_pace_of_the_fastest(void **state)
{
	struct pace slow = paced(10000, 11000, 0, 0);
	struct pace fast = paced(10000, 9000, 0, 0);
	struct pace sum = { 0 };

	(void)state;
	pace_join(&sum, &slow);
	assert_int_equal(pace_peak(&sum), 90909);
	pace_join(&sum, &fast);
	pace_join(&sum, &slow);
	pace_join(&sum, &(struct pace){ 0 });
	assert_int_equal(pace_peak(&sum), 111111);
	assert_true(pace_is_too_fast(&sum));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_few_samples_have_no_pace),
		cmocka_unit_test(
			what_goes_on_must_not_be_faster_than_the_kernel_allows),
		cmocka_unit_test(
			pauses_of_those_that_were_stopped_do_not_hide_the_pace),
		cmocka_unit_test(a_short_burst_may_be_somewhat_faster),
		cmocka_unit_test(several_have_the_pace_of_the_fastest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
