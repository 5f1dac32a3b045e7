// SPDX-License-Identifier: GPL-2.0-only
/* Estimates from sets that take turns, and what is certain of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_size.h"
#include "engine/estimate.h"

static void what_was_not_seen_is_supposed_to_be_alike(void **state)
{
	static const struct {
		uint64_t counted, part, whole;
		unsigned int most;
		struct estimate wanted;
	} cases[] = {
		/* All of it. */
		{ 7, 100, 100, 0, { 7, 7, 7, 7, true, 1 } },
		/* Half of it, and at most one with each of the reference. */
		{ 40, 100, 200, 1, { 40, 80, 40, 140, true, 0.5 } },
		/* Nothing is known of how many there can be. */
		{ 40, 100, 200, 0, { 40, 80, 40, 40, false, 0.5 } },
		/* Rounded, not cut. */
		{ 3, 2, 3, 0, { 3, 5, 3, 3, false, 2. / 3 } },
		{ 0, 50, 100, 1, { 0, 0, 0, 50, true, 0.5 } },
		/* Not seen at all. */
		{ 0, 0, 100, 1, { 0, 0, 0, 100, true, 0 } },
		/* There was nothing to be seen. */
		{ 0, 0, 0, 1, { 0, 0, 0, 0, true, 1 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct estimate *wanted = &cases[i].wanted;
		struct estimate made =
			estimate_make(cases[i].counted, cases[i].part,
				      cases[i].whole, cases[i].most);

		assert_int_equal(made.counted, wanted->counted);
		assert_int_equal(made.value, wanted->value);
		assert_int_equal(made.low, wanted->low);
		assert_int_equal(made.bounded, wanted->bounded);
		if (wanted->bounded)
			assert_int_equal(made.high, wanted->high);
		assert_true(made.seen >= wanted->seen - 1e-9 &&
			    made.seen <= wanted->seen + 1e-9);
	}
}

static void large_counts_keep_their_digits(void **state)
{
	struct estimate made =
		estimate_make(1ull << 61, 1ull << 61, 1ull << 62, 1);

	(void)state;
	assert_true(made.value == 1ull << 62);
	assert_true(made.high == 1ull << 62);
}

static void only_what_was_seen_all_along_is_exact(void **state)
{
	struct estimate all = estimate_make(5, 10, 10, 0),
			half = estimate_make(5, 5, 10, 1),
			none = estimate_make(0, 0, 10, 1);

	(void)state;
	assert_true(estimate_is_exact(&all) && estimate_is_seen(&all));
	assert_true(!estimate_is_exact(&half) && estimate_is_seen(&half));
	assert_false(estimate_is_exact(&none) || estimate_is_seen(&none));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_not_seen_is_supposed_to_be_alike),
		cmocka_unit_test(large_counts_keep_their_digits),
		cmocka_unit_test(only_what_was_seen_all_along_is_exact),
	};

	return cmocka_run_group_tests_name("pfmon_estimate", tests, NULL, NULL);
}
