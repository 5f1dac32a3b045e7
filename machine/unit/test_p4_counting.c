// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4: how a counter finds its event, and what it counts of it.
 */

#include "p4_harness.h"

static void each_counter_counts_its_groups_event(void **state)
{
	unsigned int i, other;

	(void)state;
	for (i = 0; i < COUNTERS; i++) {
		const struct group *g = group_of(i);
		struct pmu pmu = p4();

		start(&pmu, i, ENABLE, T0_USR | T0_OS);
		run(&pmu, 1000);
		assert_int_equal(rd(&pmu, CTR(i)), 1000 * g->num / g->den);
		for (other = 0; other < COUNTERS; other++)
			if (other != i)
				assert_int_equal(rd(&pmu, CTR(other)), 0);
	}
}

static void all_counters_count_at_once(void **state)
{
	struct pmu pmu = p4();
	unsigned int i;

	(void)state;
	for (i = 0; i < COUNTERS; i++)
		start(&pmu, i, ENABLE, T0_USR | T0_OS);
	run(&pmu, 1000000);
	for (i = 0; i < COUNTERS; i++)
		assert_int_equal(rd(&pmu, CTR(i)),
				 1000000 / group_of(i)->den * group_of(i)->num);
}

static void nothing_counts_without_enable(void **state)
{
	struct pmu pmu = p4();

	(void)state;
	start(&pmu, 12, 0, T0_USR | T0_OS);
	run(&pmu, 1000);
	assert_int_equal(rd(&pmu, CTR(12)), 0);
}

static void the_escr_names_the_levels(void **state)
{
	static const struct {
		uint32_t levels;
		uint64_t count;
	} rows[] = {
		{ 0, 0 },
		{ T0_USR, 100 },
		{ T0_OS, 30 },
		{ T0_USR | T0_OS, 130 },
	};
	unsigned int r;

	(void)state;
	for (r = 0; r < ARRAY_SIZE(rows); r++) {
		struct pmu pmu = p4();

		start(&pmu, 14, ENABLE, rows[r].levels);
		run(&pmu, 30);
		pmu_set_user(&pmu, true);
		run(&pmu, 100);
		assert_int_equal(rd(&pmu, CTR(14)), rows[r].count);
	}
}

/* With all ESCRs at work but one, a counter stops if it was that one's. */
static void escr_select_decides_which_escr_feeds_the_counter(void **state)
{
	static const uint32_t any_event = ESCR(0x3fu, 1) | T0_USR | T0_OS;
	unsigned int i, select;

	(void)state;
	for (i = 0; i < COUNTERS; i++) {
		for (select = 0; select < 8; select++) {
			const uint32_t escr = documented_escr(i, select);
			struct pmu pmu;
			uint32_t msr;
			uint64_t value;

			assert_true(pmu_init(&pmu, "p4m1"));
			for (msr = 0x3a0; msr <= 0x3e1; msr++)
				pmu_wrmsr(&pmu, msr, any_event);
			wr(&pmu, CCCR(i), SELECT(select) | THREADS | ENABLE);
			run(&pmu, 5000);
			assert_int_equal(rd(&pmu, CTR(i)) != 0, escr != 0);
			if (!escr)
				continue;
			value = rd(&pmu, CTR(i));
			wr(&pmu, escr, 0);
			run(&pmu, 5000);
			assert_int_equal(rd(&pmu, CTR(i)), value);
		}
	}
}

static void an_event_without_mask_bits_counts_nothing(void **state)
{
	struct pmu pmu = p4();

	(void)state;
	wr(&pmu, 0x3b8, ESCR(2u, 0) | T0_OS);
	wr(&pmu, CCCR(12), SELECT(4) | THREADS | ENABLE);
	run(&pmu, 5000);
	assert_int_equal(rd(&pmu, CTR(12)), 0);
	/* Bogus instructions do not retire. */
	wr(&pmu, 0x3b8, ESCR(2u, 0xc) | T0_OS);
	run(&pmu, 5000);
	assert_int_equal(rd(&pmu, CTR(12)), 0);
}

static void partners_count_the_same_event_alike(void **state)
{
	const uint32_t event = ESCR(1u, 0x21) | T0_OS; /* of no known rate */
	struct pmu pmu = p4();

	(void)state;
	wr(&pmu, 0x3ca, event);
	wr(&pmu, 0x3cb, event);
	wr(&pmu, CCCR(12), SELECT(1) | THREADS | ENABLE);
	wr(&pmu, CCCR(14), SELECT(1) | THREADS | ENABLE);
	run(&pmu, 100000);
	assert_true(rd(&pmu, CTR(12)) > 0);
	assert_int_equal(rd(&pmu, CTR(12)), rd(&pmu, CTR(14)));
}

/* The second thread is halted and its interrupts arrive elsewhere. */
static void with_hyper_threading_only_the_first_thread_runs(void **state)
{
	static const struct {
		uint32_t threads, levels;
		uint64_t count;
	} rows[] = {
		{ 3u << 16, T0_OS, 100 }, /* any */
		{ 1u << 16, T0_OS, 100 }, /* exactly one */
		{ 2u << 16, T0_OS, 0 }, /* both */
		{ 0, T0_OS, 0 }, /* none */
		{ 3u << 16, 3, 0 }, /* the other one's levels */
	};
	struct pmu pmu;
	unsigned int r;

	(void)state;
	for (r = 0; r < ARRAY_SIZE(rows); r++) {
		assert_true(pmu_init(&pmu, "p4ht"));
		wr(&pmu, 0x3b8, ESCR(2u, 3) | rows[r].levels);
		wr(&pmu, CTR(12), FULL - 49);
		wr(&pmu, CCCR(12),
		   SELECT(4) | ENABLE | PMI_T1 | rows[r].threads);
		assert_int_equal(pmu_distance(&pmu), PMU_NEVER);
		run(&pmu, 100);
		assert_int_equal(rd(&pmu, CTR(12)),
				 (FULL - 49 + rows[r].count) & FULL);
		assert_false(pmu_take_pmi(&pmu));
	}
}

static void thresholds_compare_the_events_of_an_instruction(void **state)
{
	/* Clocks: one and two of them, by turns. */
	static const struct {
		uint32_t cccr;
		uint64_t count;
	} rows[] = {
		{ 0, 150 },
		{ THRESHOLD(1) | COMPLEMENT, 150 }, /* not without COMPARE */
		{ COMPARE | THRESHOLD(0), 100 },
		{ COMPARE | THRESHOLD(1), 50 },
		{ COMPARE | THRESHOLD(2), 0 },
		{ COMPARE | COMPLEMENT | THRESHOLD(0), 0 },
		{ COMPARE | COMPLEMENT | THRESHOLD(1), 50 },
		{ COMPARE | COMPLEMENT | THRESHOLD(15), 100 },
		{ COMPARE | CMP_EDGE | THRESHOLD(1), 50 },
		{ COMPARE | CMP_EDGE | THRESHOLD(0), 0 },
	};
	unsigned int r;

	(void)state;
	for (r = 0; r < ARRAY_SIZE(rows); r++) {
		struct pmu pmu = p4();

		start(&pmu, 3, ENABLE | rows[r].cccr, T0_OS);
		run(&pmu, 100);
		assert_int_equal(rd(&pmu, CTR(3)), rows[r].count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_counter_counts_its_groups_event),
		cmocka_unit_test(all_counters_count_at_once),
		cmocka_unit_test(nothing_counts_without_enable),
		cmocka_unit_test(the_escr_names_the_levels),
		cmocka_unit_test(
			escr_select_decides_which_escr_feeds_the_counter),
		cmocka_unit_test(an_event_without_mask_bits_counts_nothing),
		cmocka_unit_test(partners_count_the_same_event_alike),
		cmocka_unit_test(
			with_hyper_threading_only_the_first_thread_runs),
		cmocka_unit_test(
			thresholds_compare_the_events_of_an_instruction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
