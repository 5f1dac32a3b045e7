// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether the ranges that a report shows hold, and whether samples that keep step with a
 * program are noticed: programs whose shares are known are sampled, in numbers only.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "array_size.h"
#include "record/periods.h"
#include "views/range.h"
#include "views/steps.h"

#define RUNS 1000
#define FUNCTIONS 3

/* A loop of three functions; the last one ends with the round. */
struct program {
	const char *name;
	uint64_t ends[FUNCTIONS]; /* events from the begin of a round */
	uint64_t rounds;
};

static const struct program prof = { "half, nearly a third, a fifth",
				     { 100007, 160009, 200013 },
				     200 };
static const struct program brief = { "a loop that is shorter than a period",
				      { 500, 800, 1000 },
				      40000 };
static const struct program phases = { "long phases",
				       { 20000000, 32000000, 40000000 },
				       1 };

static uint64_t state;

/* The same in each run of the test (splitmix64). */
static uint64_t next_random(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* What pfmon record -c makes of it; every: of one event. */
static struct period period_of(uint64_t every, bool vary)
{
	static char name[] = "instructions";
	static struct event event = { .name = name };
	static const struct event_set set = { .plan.event_count = 1 };
	const struct sample_wish wish = {
		.periods = { .values = { every }, .count = 1 },
		.vary = vary,
	};
	const struct event_list list = { &event, 1 };
	struct periods periods;

	assert_int_equal(periods_make(&periods, &wish, &list, &set, 0), 0);
	return periods.list[0];
}

static unsigned int function_at(const struct program *program, uint64_t place)
{
	unsigned int function = 0;

	place %= program->ends[FUNCTIONS - 1];
	while (place >= program->ends[function])
		function++;
	return function;
}

/* Samples of each function of one run, as the kernel takes them; their number. */
static uint64_t run(const struct program *program, const struct period *period,
		    uint64_t samples[FUNCTIONS], struct steps *steps)
{
	uint64_t end = program->rounds * program->ends[FUNCTIONS - 1];
	uint64_t sum = 0;
	uint64_t at = period->varies ? next_random() % period->every :
				       period->every;

	for (; at < end; at += -period->attr.reg_short_reset +
			       (next_random() & period->attr.reg_random_mask)) {
		unsigned int function = function_at(program, at);

		samples[function]++;
		sum++;
		if (steps)
			steps_add(steps, 0, function);
	}
	return sum;
}

static double share_of(const struct program *program, unsigned int function)
{
	uint64_t begin = function ? program->ends[function - 1] : 0;

	return (double)(program->ends[function] - begin) /
	       (double)program->ends[FUNCTIONS - 1];
}

/* In how many of the runs the true share of each function is in its range. */
static void count_holds(const struct program *program,
			const struct period *period,
			unsigned int holds[FUNCTIONS])
{
	for (unsigned int i = 0; i < RUNS; i++) {
		uint64_t samples[FUNCTIONS] = { 0 };
		double all = (double)run(program, period, samples, NULL);

		for (unsigned int f = 0; all > 0 && f < FUNCTIONS; f++) {
			struct share share = { (double)samples[f], all, all };
			struct range range = range_of(&share);
			double truth = share_of(program, f);

			holds[f] += range.low <= truth && truth <= range.high;
		}
	}
}

static void ranges_hold_in_99_of_100_runs(void **unused)
{
	static const struct {
		const struct program *program;
		uint64_t every;
	} cases[] = {
		/* In step with a round, twice in one, once in five of them. */
		{ &prof, 200013 },
		{ &prof, 100003 },
		{ &prof, 100006 },
		{ &prof, 1000003 },
		{ &prof, 1000065 },
		{ &prof, 66671 },
		/* Just where fewer bits vary, and more. */
		{ &prof, 163840 },
		{ &prof, 163841 },
		{ &brief, 100000 },
		{ &brief, 100003 },
		{ &phases, 100003 },
		{ &phases, 1000003 },
	};

	(void)unused;
	state = 1;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct period period = period_of(cases[i].every, true);

		unsigned int holds[FUNCTIONS] = { 0 };

		count_holds(cases[i].program, &period, holds);
		for (unsigned int f = 0; f < FUNCTIONS; f++) {
			if (holds[f] < RUNS * 99 / 100)
				fail_msg("%s, period %lu, function %u: %u runs",
					 cases[i].program->name, cases[i].every,
					 f, holds[f]);
		}
	}
}

static void the_mean_of_the_periods_is_what_was_asked_for(void **unused)
{
	static const uint64_t cases[] = { 64, 1000, 100003, 1000003,
					  4000000007 };

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct period period = period_of(cases[i], true);
		uint64_t least = -period.attr.reg_long_reset;

		assert_true(period.varies);
		assert_int_equal(least + period.random / 2, cases[i]);
		assert_true(least >= cases[i] / 5);
		assert_true(period.random > cases[i] / 5 * 4 - 2);
	}
}

static void check_first_periods(bool seeded)
{
	struct period period = period_of(1000003, true);
	unsigned int early = 0;
	double sum = 0;

	for (unsigned int i = 1; i <= 100000; i++) {
		uint64_t value = periods_begin(&period, seeded ? i : 0);
		double first = (double)-value / 1000003;

		assert_true(!seeded || value == periods_begin(&period, i));
		assert_true(first > 0 && first < 1.8);
		early += first < 0.1;
		sum += first;
	}
	/* The mean is half of (1 + the variance of a period); each by 5 deviations. */
	assert_float_equal(early / 100000.0, 0.1, 0.005);
	assert_float_equal(sum / 100000, (1 + 1.0995 / 12) / 2, 0.01);
}

static void a_first_period_ends_anywhere(void **unused)
{
	(void)unused;
	check_first_periods(false);
	check_first_periods(true);
}

static void periods_that_do_not_vary_begin_with_a_whole_one(void **unused)
{
	struct period same = period_of(1000003, false);
	struct period tiny = period_of(63, true);

	(void)unused;
	assert_false(same.varies);
	assert_int_equal(same.attr.reg_long_reset, -1000003);
	assert_int_equal(periods_begin(&same, 0), -1000003);
	assert_false(tiny.varies);
	assert_int_equal(periods_begin(&tiny, 0), -63);
}

static void ranges_are_shares(void **unused)
{
	static const struct {
		struct share share;
		double low, high;
	} cases[] = {
		{ { 0, 1, 1 }, 0, 0.9158 },
		{ { 1, 1, 1 }, 0.0842, 1 },
		{ { 50, 100, 100 }, 0.3434, 0.6566 },
		/* Ten times as long periods tell no more. */
		{ { 500, 1000, 10000 }, 0.3434, 0.6566 },
		{ { 0, 100000, 100000 }, 0, 0.0001 },
	};

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct range range = range_of(&cases[i].share);

		assert_float_equal(range.low, cases[i].low, 0.0001);
		assert_float_equal(range.high, cases[i].high, 0.0001);
	}
}

static bool keeps_step(const struct program *program, uint64_t every, bool vary)
{
	struct period period = period_of(every, vary);
	uint64_t samples[FUNCTIONS] = { 0 };
	struct steps steps = { 0 };
	double all = (double)run(program, &period, samples, &steps);
	double chance = 0;

	for (unsigned int f = 0; f < FUNCTIONS; f++)
		chance += (double)samples[f] * (double)samples[f] / all / all;
	return steps_are_kept(&steps, chance);
}

static void samples_in_step_are_noticed(void **unused)
{
	static const struct {
		const struct program *program;
		uint64_t every;
		bool in_step;
	} cases[] = {
		{ &prof, 100003, true },    { &prof, 66671, true },
		{ &prof, 40003, true },	    { &prof, 997, false },
		{ &prof, 123457, false },   { &phases, 100003, false },
		{ &phases, 400009, false }, { &brief, 100003, false },
	};

	(void)unused;
	state = 2;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool found =
			keeps_step(cases[i].program, cases[i].every, false);

		if (found != cases[i].in_step)
			fail_msg("%s, period %lu", cases[i].program->name,
				 cases[i].every);
	}
}

static void functions_of_other_threads_are_not_compared(void **unused)
{
	struct steps steps = { 0 };

	(void)unused;
	for (uint32_t i = 1; i <= 1000; i++)
		steps_add(&steps, i, i % 2);
	assert_false(steps_are_kept(&steps, 0));
	for (uint32_t i = 0; i < 1000; i++)
		steps_add(&steps, 0, i % 2);
	assert_true(steps_are_kept(&steps, 0.5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_hold_in_99_of_100_runs),
		cmocka_unit_test(the_mean_of_the_periods_is_what_was_asked_for),
		cmocka_unit_test(a_first_period_ends_anywhere),
		cmocka_unit_test(
			periods_that_do_not_vary_begin_with_a_whole_one),
		cmocka_unit_test(ranges_are_shares),
		cmocka_unit_test(samples_in_step_are_noticed),
		cmocka_unit_test(functions_of_other_threads_are_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
