// SPDX-License-Identifier: GPL-2.0-only
/* The verdicts of the self-test, of measurements that are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "selftest/judge.h"

#define N 1000000ull
#define C 20 /* instructions around the loop */

/* The runs of a case; the list ends with a count of END. */
#define END UINT64_MAX
#define RUN(count, disturbances)    \
	{                           \
		count, disturbances \
	}

static struct runs runs_of(uint64_t length, const struct run *list)
{
	struct runs runs = { .length = length };

	while (runs.count < RUNS_MAX && list[runs.count].count != END) {
		runs.run[runs.count] = list[runs.count];
		runs.count++;
	}
	return runs;
}

static void expect(const char *name, const struct ruling *ruling,
		   enum verdict verdict, const char *cause)
{
	if (ruling->verdict != verdict)
		fail_msg("%s: verdict %d, not %d (%s)", name, ruling->verdict,
			 verdict, ruling->cause);
	if (cause && !strstr(ruling->cause, cause))
		fail_msg("%s: '%s' is not in '%s'", name, cause, ruling->cause);
}

struct exact_case {
	const char *name;
	struct run runs[6];
	struct circumstances around;
	enum verdict verdict;
	const char *cause;
};

static const struct exact_case exact_cases[] = {
	{ "exact",
	  { RUN(N + C, 0), RUN(N + C, 0), RUN(END, 0) },
	  { 0 },
	  VERDICT_RIGHT,
	  NULL },
	{ "an interrupt may add two",
	  { RUN(N + C, 0), RUN(N + C + 2, 1), RUN(END, 0) },
	  { 0 },
	  VERDICT_RIGHT,
	  NULL },
	{ "two for each interrupt, and eight",
	  { RUN(N + C, 0), RUN(N + C + 28, 10), RUN(END, 0) },
	  { 0 },
	  VERDICT_RIGHT,
	  NULL },
	{ "one beyond that",
	  { RUN(N + C, 0), RUN(N + C + 29, 10), RUN(END, 0) },
	  { 0 },
	  VERDICT_WRONG,
	  "more than was executed" },
	{ "one too few",
	  { RUN(N + C, 0), RUN(N + C - 1, 0), RUN(END, 0) },
	  { 0 },
	  VERDICT_WRONG,
	  "events are missing" },
	{ "always one too many without interrupts",
	  { RUN(N + C + 1, 0), RUN(N + C + 1, 0), RUN(END, 0) },
	  { 0 },
	  VERDICT_WRONG,
	  "in runs without an interrupt" },
	{ "one too many with interrupts in each run",
	  { RUN(N + C + 1, 1), RUN(N + C + 1, 2), RUN(END, 0) },
	  { 0 },
	  VERDICT_RIGHT,
	  NULL },
	{ "a storm of interrupts",
	  { RUN(N + C, 200000), RUN(N + C, 300000), RUN(END, 0) },
	  { 0 },
	  VERDICT_UNSURE,
	  "too many interrupts" },
	{ "nothing, others count",
	  { RUN(0, 0), RUN(0, 0), RUN(END, 0) },
	  { .others_count = true },
	  VERDICT_WRONG,
	  "this counter does not" },
	{ "nothing, others count, under a hypervisor",
	  { RUN(0, 0), RUN(0, 0), RUN(END, 0) },
	  { .others_count = true, .hypervisor = true },
	  VERDICT_WRONG,
	  "the host filters the event on it" },
	{ "nothing, under a hypervisor",
	  { RUN(0, 0), RUN(0, 0), RUN(END, 0) },
	  { .hypervisor = true },
	  VERDICT_WRONG,
	  "the host filters" },
	{ "nothing at all",
	  { RUN(0, 0), RUN(0, 0), RUN(END, 0) },
	  { 0 },
	  VERDICT_WRONG,
	  "nothing counts" },
	{ "nothing in some runs",
	  { RUN(N + C, 0), RUN(0, 0), RUN(END, 0) },
	  { 0 },
	  VERDICT_WRONG,
	  "whole runs are missing" },
	{ "twice",
	  { RUN(2 * (N + C), 0), RUN(2 * (N + C), 0), RUN(END, 0) },
	  { 0 },
	  VERDICT_WRONG,
	  "counts twice" },
	{ "cycles",
	  { RUN(1400000, 0), RUN(1400000, 0), RUN(END, 0) },
	  { .cycles = 1410000 },
	  VERDICT_WRONG,
	  "counts cycles" },
	{ "half",
	  { RUN(N / 2, 0), RUN(N / 2, 0), RUN(END, 0) },
	  { 0 },
	  VERDICT_WRONG,
	  "events are missing" },
};

static void instructions_are_exact_but_for_interrupts(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(exact_cases); i++) {
		const struct exact_case *c = &exact_cases[i];
		struct runs runs = runs_of(N, c->runs);
		struct ruling ruling = judge_exact(&runs, C, &c->around);

		expect(c->name, &ruling, c->verdict, c->cause);
	}
}

static void the_overhead_is_that_of_most_counters(void **state)
{
	static const int64_t most[] = { 20, -990, 20, 20 };
	static const int64_t tie[] = { -1000, 20 };
	static const int64_t cycles[] = { 569, 569, 20, 569 };
	static const int64_t none[] = { 569, -1000 };

	(void)state;
	assert_int_equal(judge_overhead(most, 4), 20);
	/* Of two that differ the one that counts less is the liar. */
	assert_int_equal(judge_overhead(tie, 2), 20);
	/* Most of them count something else. */
	assert_int_equal(judge_overhead(cycles, 4), 20);
	assert_int_equal(judge_overhead(none, 2), 0);
}

static void kernel_level_does_not_grow_with_the_loop(void **state)
{
	static const struct run few[] = { RUN(900, 0), RUN(END, 0) };
	static const struct run same[] = { RUN(950, 0), RUN(END, 0) };
	static const struct run irq[] = { RUN(15000, 1), RUN(END, 0) };
	static const struct run user[] = { RUN(N + 900, 0), RUN(END, 0) };
	static const struct run none[] = { RUN(0, 0), RUN(END, 0) };
	static const struct {
		const char *name;
		const struct run *shorter, *longer;
		enum verdict verdict;
		const char *cause;
	} cases[] = {
		{ "the same", few, same, VERDICT_RIGHT, NULL },
		{ "an interrupt", few, irq, VERDICT_RIGHT, NULL },
		{ "user's as well", few, user, VERDICT_WRONG,
		  "user's instructions" },
		{ "none", none, none, VERDICT_WRONG, "nothing of the kernel" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct runs shorter = runs_of(1000, cases[i].shorter);
		struct runs longer = runs_of(N, cases[i].longer);
		struct ruling ruling = judge_kernel(&shorter, &longer);

		expect(cases[i].name, &ruling, cases[i].verdict,
		       cases[i].cause);
	}
}

static void both_levels_are_more_than_one(void **state)
{
	static const struct {
		const char *name;
		struct run runs[2];
		enum verdict verdict;
		const char *cause;
	} cases[] = {
		{ "both",
		  { RUN(N + C + 900, 0), RUN(END, 0) },
		  VERDICT_RIGHT,
		  NULL },
		{ "user only",
		  { RUN(N + C, 0), RUN(END, 0) },
		  VERDICT_WRONG,
		  "missing" },
		{ "kernel only",
		  { RUN(900, 0), RUN(END, 0) },
		  VERDICT_WRONG,
		  "missing" },
		{ "somebody else's",
		  { RUN(5 * N, 0), RUN(END, 0) },
		  VERDICT_WRONG,
		  "another thread" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct runs runs = runs_of(N, cases[i].runs);
		struct ruling ruling = judge_both(&runs, C);

		expect(cases[i].name, &ruling, cases[i].verdict,
		       cases[i].cause);
	}
}

static void zero_is_zero(void **state)
{
	struct ruling silent = judge_zero(0), loud = judge_zero(1);

	(void)state;
	expect("silent", &silent, VERDICT_RIGHT, NULL);
	expect("loud", &loud, VERDICT_WRONG, "not told to");
}

static void counters_at_the_same_time_agree(void **state)
{
	static const uint64_t same[] = { N, N + 64, N + 1 };
	static const uint64_t apart[] = { N, N + 65, N + 1 };
	static const uint64_t one_stands[] = { N, 0, N };
	struct ruling ruling;

	(void)state;
	ruling = judge_spread(same, 3, 0);
	expect("same", &ruling, VERDICT_RIGHT, NULL);
	ruling = judge_spread(apart, 3, 0);
	expect("apart", &ruling, VERDICT_WRONG, "differ");
	ruling = judge_spread(apart, 3, 1);
	expect("apart with an interrupt", &ruling, VERDICT_RIGHT, NULL);
	ruling = judge_spread(one_stands, 3, 0);
	expect("one stands", &ruling, VERDICT_WRONG, "stands still");
}

static void a_loop_has_its_instructions_in_each_turn(void **state)
{
	static const struct {
		const char *name;
		uint64_t shorter, longer;
		unsigned int uncertain;
		enum verdict verdict;
	} cases[] = {
		{ "four", 4000 + C, 8000 + C, 0, VERDICT_RIGHT },
		{ "three", 3000 + C, 6000 + C, 0, VERDICT_WRONG },
		{ "three, uncertain", 3000 + C, 6000 + C, 1, VERDICT_RIGHT },
		{ "six, uncertain", 6000 + C, 12000 + C, 1, VERDICT_WRONG },
		{ "three and a half, uncertain", 3500 + C, 7000 + C, 1,
		  VERDICT_WRONG },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct run one[] = { RUN(cases[i].shorter, 0),
					   RUN(END, 0) };
		const struct run two[] = { RUN(cases[i].longer, 0),
					   RUN(END, 0) };
		struct runs shorter = runs_of(4000, one);
		struct runs longer = runs_of(8000, two);
		struct ruling ruling = judge_slope(&shorter, &longer, 1000, 4,
						   cases[i].uncertain);

		expect(cases[i].name, &ruling, cases[i].verdict, NULL);
	}
}

static void filtered_branches_are_found(void **state)
{
	static const struct run none[] = { RUN(0, 0), RUN(END, 0) };
	static const struct run one[] = { RUN(1005, 0), RUN(END, 0) };
	static const struct run two[] = { RUN(2005, 0), RUN(END, 0) };
	static const struct run odd[] = { RUN(2700, 0), RUN(END, 0) };
	struct runs shorter = runs_of(2000, one), longer = runs_of(4000, two);
	struct runs zero = runs_of(4000, none), other = runs_of(4000, odd);
	struct ruling ruling;

	(void)state;
	ruling = judge_branches(&shorter, &longer, 1000, false);
	expect("one in each turn", &ruling, VERDICT_RIGHT, NULL);
	ruling = judge_branches(&zero, &zero, 1000, false);
	expect("none", &ruling, VERDICT_WRONG, "a host filters");
	ruling = judge_branches(&zero, &zero, 1000, true);
	expect("none, emulated", &ruling, VERDICT_WRONG, "a host filters");
	ruling = judge_branches(&shorter, &other, 1000, false);
	expect("another rate", &ruling, VERDICT_WRONG, "not one branch");
	ruling = judge_branches(&shorter, &other, 1000, true);
	expect("another rate, emulated", &ruling, VERDICT_RIGHT, NULL);
}

static void counters_that_count_an_event_are_found(void **state)
{
	static const uint64_t some[] = { 1000, 0, 990, 0 };
	static const uint64_t rare[] = { 63, 0, 0, 0 };

	(void)state;
	assert_int_equal(judge_counting(some, 4), 0x5);
	assert_int_equal(judge_counting(rare, 4), 0);
}

static const struct {
	const char *name;
	struct sampled sampled;
	enum verdict verdict;
	const char *cause;
} sample_cases[] = {
	{ "all",
	  { .period = 100003, .total = 2050000, .samples = 20 },
	  VERDICT_RIGHT,
	  NULL },
	{ "with skid",
	  { .period = 100003, .total = 2050000, .samples = 19 },
	  VERDICT_RIGHT,
	  NULL },
	{ "lost",
	  { .period = 100003, .total = 2050000, .samples = 9 },
	  VERDICT_WRONG,
	  "lost or come late" },
	{ "none",
	  { .period = 100003, .total = 2050000 },
	  VERDICT_WRONG,
	  "no overflow interrupt" },
	{ "lost beside others",
	  { .period = 100003, .total = 2050000, .samples = 9, .beside = 3 },
	  VERDICT_WRONG,
	  "when another counter overflows" },
	{ "too many",
	  { .period = 100003, .total = 2050000, .samples = 40 },
	  VERDICT_WRONG,
	  "more overflows" },
	{ "soon",
	  { .period = 100003, .total = 2050000, .samples = 20, .latest = 16384 },
	  VERDICT_RIGHT,
	  NULL },
	{ "late",
	  { .period = 100003, .total = 2050000, .samples = 20, .latest = 16385 },
	  VERDICT_WRONG,
	  "late" },
	{ "elsewhere",
	  { .period = 100003, .total = 2050000, .samples = 20, .outside = 10 },
	  VERDICT_WRONG,
	  "outside of the loop" },
	{ "throttled",
	  { .period = 31, .total = 2050000, .samples = 9, .throttled = true },
	  VERDICT_UNSURE,
	  "too often" },
};

static void samples_fit_the_count(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sample_cases); i++) {
		struct ruling ruling = judge_samples(&sample_cases[i].sampled);

		expect(sample_cases[i].name, &ruling, sample_cases[i].verdict,
		       sample_cases[i].cause);
	}
}

static void samples_pause_no_longer_than_three_periods(void **state)
{
	struct sampled s = { .samples = 20,
			     .average_ns = 400000000,
			     .longest_ns = 1210000000 };
	struct ruling ruling = judge_pauses(&s);

	(void)state;
	expect("two are late", &ruling, VERDICT_RIGHT, NULL);
	s.longest_ns += 1000;
	ruling = judge_pauses(&s);
	expect("two are lost", &ruling, VERDICT_WRONG, "was lost");
}

static void a_period_works_if_nearly_all_samples_come(void **state)
{
	struct sampled s = { .period = 100, .total = 100000, .samples = 1000 };

	(void)state;
	assert_true(judge_period_works(&s));
	s.samples = 899;
	assert_false(judge_period_works(&s));
	s.samples = 1001;
	assert_false(judge_period_works(&s));
	s.samples = 1000;
	s.throttled = true;
	assert_false(judge_period_works(&s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_are_exact_but_for_interrupts),
		cmocka_unit_test(the_overhead_is_that_of_most_counters),
		cmocka_unit_test(kernel_level_does_not_grow_with_the_loop),
		cmocka_unit_test(both_levels_are_more_than_one),
		cmocka_unit_test(zero_is_zero),
		cmocka_unit_test(counters_at_the_same_time_agree),
		cmocka_unit_test(a_loop_has_its_instructions_in_each_turn),
		cmocka_unit_test(filtered_branches_are_found),
		cmocka_unit_test(counters_that_count_an_event_are_found),
		cmocka_unit_test(samples_fit_the_count),
		cmocka_unit_test(samples_pause_no_longer_than_three_periods),
		cmocka_unit_test(a_period_works_if_nearly_all_samples_come),
	};

	return cmocka_run_group_tests_name("pfmon_judge", tests, NULL, NULL);
}
