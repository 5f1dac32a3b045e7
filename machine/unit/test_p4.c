// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4: which registers it has, how a counter finds its event, and
 * what overflows do. The expectations are from the manuals, not from the model.
 */

#include <string.h>

#include "pmu_harness.h"

#define COUNTERS 18
#define CTR(i) (0x300u + (i))
#define CCCR(i) (0x360u + (i))
#define PEBS_ENABLE 0x3f1u
#define MATRIX_VERT 0x3f2u

#define EXT_CASCADE (1u << 11)
#define ENABLE (1u << 12)
#define SELECT(n) ((n) << 13)
#define THREADS (3u << 16)
#define COMPARE (1u << 18)
#define COMPLEMENT (1u << 19)
#define THRESHOLD(n) ((n) << 20)
#define CMP_EDGE (1u << 24)
#define FORCE_OVF (1u << 25)
#define PMI_T0 (1u << 26)
#define PMI_T1 (1u << 27)
#define CASCADE (1u << 30)
#define OVF (1u << 31)

#define T0_USR (1u << 2)
#define T0_OS (1u << 3)
#define ESCR(event, mask) ((event) << 25 | (mask) << 9)

#define FULL 0xffffffffffull /* 40 bits */

/* An event with a known rate, in each of the groups of counters. */
struct group {
	unsigned int first, last; /* counters */
	unsigned int select;
	uint32_t escr[2]; /* addresses: first and second half */
	uint32_t event; /* without levels */
	unsigned int num, den;
};

static const struct group groups[] = {
	{ 0, 3, 6, { 0x3a2, 0x3a3 }, ESCR(0x13u, 1), 3, 2 }, /* clocks */
	{ 4, 7, 0, { 0x3c0, 0x3c1 }, ESCR(9u, 7), 1, 1 }, /* uops written */
	{ 8, 11, 1, { 0x3a4, 0x3a5 }, ESCR(4u, 0x8000), 1, 1 }, /* x87 uops */
	{ 12, 17, 4, { 0x3b8, 0x3b9 }, ESCR(2u, 3), 1, 1 }, /* instructions */
};

static bool is_second_half(unsigned int i)
{
	static const bool second[COUNTERS] = { 0, 0, 1, 1, 0, 0, 1, 1, 0,
					       0, 1, 1, 0, 0, 1, 1, 0, 1 };

	return second[i];
}

static const struct group *group_of(unsigned int i)
{
	const struct group *g = groups;

	while (i > g->last)
		g++;
	return g;
}

static uint32_t escr_of(unsigned int i)
{
	return group_of(i)->escr[is_second_half(i)];
}

/* Let a counter count its group's event. */
static void start(struct pmu *pmu, unsigned int i, uint32_t cccr,
		  uint32_t levels)
{
	const struct group *g = group_of(i);

	wr(pmu, escr_of(i), g->event | levels);
	wr(pmu, CCCR(i), SELECT(g->select) | THREADS | cccr);
}

static struct pmu p4(void)
{
	struct pmu pmu;

	assert_true(pmu_init(&pmu, "p4"));
	return pmu;
}

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

/* ESCR addresses by counter half and selection; 0: none. */
static const uint32_t first_escrs[4][8] = {
	{ 0x3b2, 0x3b4, 0x3aa, 0x3b6, 0x3ac, 0x3c8, 0x3a2, 0x3a0 },
	{ 0x3c0, 0x3c4, 0x3c2, 0, 0, 0, 0, 0 },
	{ 0x3a6, 0x3a4, 0x3ae, 0x3b0, 0, 0x3a8, 0, 0 },
	{ 0x3ba, 0x3ca, 0x3bc, 0x3be, 0x3b8, 0x3cc, 0x3e0, 0 },
};

static uint32_t documented_escr(unsigned int i, unsigned int select)
{
	const uint32_t first = first_escrs[group_of(i) - groups][select];

	if (!first || !is_second_half(i))
		return first;
	return first == 0x3be ? 0 : first + 1;
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

static bool is_documented(const char *model, uint32_t msr)
{
	unsigned int i, select;

	if ((msr >= 0x300 && msr <= 0x311) || (msr >= 0x360 && msr <= 0x371) ||
	    msr == PEBS_ENABLE || msr == MATRIX_VERT)
		return true;
	if (msr == 0x3ba || msr == 0x3bb)
		return !strcmp(model, "p4m1") || !strcmp(model, "p4m2");
	for (i = 0; i < COUNTERS; i++)
		for (select = 0; select < 8; select++)
			if (msr && msr == documented_escr(i, select))
				return true;
	return false;
}

static void exactly_the_documented_registers_exist(void **state)
{
	static const char *const names[] = { "p4", "p4m1", "p4m2", "p4ht" };
	static const uint32_t elsewhere[] = { 0x11,  0xc1,  0x186,
					      0x345, 0x38f, 0xc0010000 };
	unsigned int n, i, present;
	struct pmu pmu;
	uint64_t value;
	uint32_t msr;

	(void)state;
	for (n = 0; n < ARRAY_SIZE(names); n++) {
		assert_true(pmu_init(&pmu, names[n]));
		for (msr = 0x300, present = 0; msr < 0x400; msr++) {
			const bool exists = is_documented(names[n], msr);

			if (pmu_rdmsr(&pmu, msr, &value) == PMU_NOT_MINE) {
				assert_false(exists);
				continue;
			}
			present += exists;
			assert_int_equal(pmu_rdmsr(&pmu, msr, &value),
					 exists ? PMU_OK : PMU_GP);
			assert_int_equal(pmu_wrmsr(&pmu, msr, 0),
					 exists ? PMU_OK : PMU_GP);
		}
		/* 18 + 18 + 43 ESCRs + 2, and IQ_ESCR0 and 1. */
		assert_int_equal(present, n == 1 || n == 2 ? 83 : 81);
		for (i = 0; i < ARRAY_SIZE(elsewhere); i++)
			rd_faults(&pmu, elsewhere[i]);
	}
}

/* Every bit that may be set alone, and no other. */
static void check_bits(struct pmu *pmu, uint32_t msr, uint64_t bits)
{
	unsigned int bit;

	for (bit = 0; bit < 64; bit++) {
		if (bits >> bit & 1) {
			wr(pmu, msr, 1ull << bit);
			assert_int_equal(rd(pmu, msr), 1ull << bit);
			wr(pmu, msr, 0);
		} else {
			wr_faults(pmu, msr, 1ull << bit);
		}
	}
}

static void reserved_bits_fault(void **state)
{
	struct pmu pmu = p4();

	(void)state;
	check_bits(&pmu, CTR(0), FULL);
	check_bits(&pmu, 0x3b8, 0x7ffffffc);
	check_bits(&pmu, PEBS_ENABLE, 0x07001fff);
	check_bits(&pmu, MATRIX_VERT, 0x13);
	/* Those that make it count want both ACTIVE_THREAD bits. */
	check_bits(&pmu, CCCR(0), 0x87ffe000);
	wr_faults(&pmu, CCCR(0), ENABLE | 1u << 16);
	wr_faults(&pmu, CCCR(0), CASCADE | 1u << 17);
	wr(&pmu, CCCR(0), ENABLE | CASCADE | THREADS);
	wr_faults(&pmu, CCCR(0), PMI_T1);
	wr_faults(&pmu, CCCR(0), ENABLE | THREADS | EXT_CASCADE);
}

static void hyper_threading_has_bits_of_the_second_thread(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "p4ht"));
	check_bits(&pmu, 0x3b8, 0x7fffffff);
	check_bits(&pmu, CCCR(0), 0xcffff000);
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

static void extended_cascading_exists_from_model_2_on(void **state)
{
	static const struct {
		const char *name;
		bool has;
	} models4[] = { { "p4m1", false }, { "p4m2", true }, { "p4", true } };
	struct pmu pmu;
	unsigned int m, i;

	(void)state;
	for (m = 0; m < ARRAY_SIZE(models4); m++) {
		assert_true(pmu_init(&pmu, models4[m].name));
		for (i = 0; i < COUNTERS; i++) {
			const bool takes_it = i == 12 || i >= 15;

			assert_int_equal(
				pmu_wrmsr(&pmu, CCCR(i), THREADS | EXT_CASCADE),
				models4[m].has && takes_it ? PMU_OK : PMU_GP);
		}
	}
}

static void rdpmc_has_a_fast_form_of_32_bits(void **state)
{
	struct pmu pmu = p4();
	uint64_t value;
	unsigned int i;

	(void)state;
	for (i = 0; i < COUNTERS; i++) {
		wr(&pmu, CTR(i), 0xab12345600ull + i);
		assert_int_equal(pmu_rdpmc(&pmu, i, &value), PMU_OK);
		assert_int_equal(value, 0xab12345600ull + i);
		assert_int_equal(pmu_rdpmc(&pmu, 1u << 31 | i, &value), PMU_OK);
		assert_int_equal(value, 0x12345600u + i);
	}
	assert_int_equal(pmu_rdpmc(&pmu, 18, &value), PMU_GP);
	assert_int_equal(pmu_rdpmc(&pmu, 1u << 31 | 18, &value), PMU_GP);
	assert_int_equal(pmu_rdpmc(&pmu, 1u << 30, &value), PMU_GP);
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

static void an_overflow_sets_the_flag_of_its_cccr(void **state)
{
	struct pmu pmu = p4();

	(void)state;
	start(&pmu, 16, ENABLE, T0_OS);
	wr(&pmu, CTR(16), FULL - 99);
	run(&pmu, 99);
	assert_false(rd(&pmu, CCCR(16)) & OVF);
	run(&pmu, 1);
	assert_true(rd(&pmu, CCCR(16)) & OVF);
	assert_int_equal(rd(&pmu, CTR(16)), 0);
	/* It stays until it is cleared. */
	run(&pmu, 1000);
	assert_true(rd(&pmu, CCCR(16)) & OVF);
	wr(&pmu, CCCR(16), rd(&pmu, CCCR(16)) & ~OVF);
	assert_false(rd(&pmu, CCCR(16)) & OVF);
	assert_false(pmu_take_pmi(&pmu));
}

static void the_interrupt_comes_exactly_and_masks_the_lvtpc(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 12; i < COUNTERS; i++) {
		struct pmu pmu = p4();

		start(&pmu, i, ENABLE | PMI_T0, T0_OS);
		wr(&pmu, CTR(i), FULL - 996);
		assert_int_equal(pmu_distance(&pmu), 997);
		run(&pmu, 996);
		assert_false(pmu_take_pmi(&pmu));
		run(&pmu, 1);
		assert_int_equal(pmu_distance(&pmu), 0);
		assert_true(pmu_take_pmi(&pmu));
		assert_true(pmu_lvt_automask(&pmu));
	}
}

static void the_interrupt_repeats_until_its_flag_is_cleared(void **state)
{
	struct pmu pmu = p4();

	(void)state;
	start(&pmu, 12, ENABLE | PMI_T0, T0_OS);
	start(&pmu, 13, ENABLE | PMI_T0, T0_OS);
	wr(&pmu, CTR(12), FULL);
	wr(&pmu, CTR(13), FULL);
	run(&pmu, 1);
	assert_true(pmu_take_pmi(&pmu));
	assert_true(pmu_take_pmi(&pmu));
	wr(&pmu, CCCR(12), 0);
	assert_true(pmu_take_pmi(&pmu)); /* the other one's */
	wr(&pmu, CCCR(13), rd(&pmu, CCCR(13)) & ~OVF);
	assert_false(pmu_take_pmi(&pmu));
	assert_true(pmu_distance(&pmu) > 1000);
	/* Software can set the flag itself. */
	wr(&pmu, CCCR(13), OVF | PMI_T0);
	assert_true(pmu_take_pmi(&pmu));
	wr(&pmu, CCCR(13), OVF);
	assert_false(pmu_take_pmi(&pmu));
}

static void force_ovf_makes_each_event_an_overflow(void **state)
{
	struct pmu pmu = p4();

	(void)state;
	start(&pmu, 12, ENABLE | PMI_T0 | FORCE_OVF, T0_USR);
	wr(&pmu, CTR(12), FULL - 1000);
	run(&pmu, 100); /* kernel: no events */
	assert_false(pmu_take_pmi(&pmu));
	pmu_set_user(&pmu, true);
	assert_int_equal(pmu_distance(&pmu), 1);
	run(&pmu, 1);
	assert_true(rd(&pmu, CCCR(12)) & OVF);
	assert_int_equal(rd(&pmu, CTR(12)), FULL - 999);
	assert_true(pmu_take_pmi(&pmu));
	wr(&pmu, CCCR(12), rd(&pmu, CCCR(12)) & ~OVF);
	assert_false(pmu_take_pmi(&pmu));
	run(&pmu, 1);
	assert_true(pmu_take_pmi(&pmu));
}

/* The waiting counter starts with the instruction after the overflow. */
static void check_cascade(unsigned int from, unsigned int to, uint32_t bit,
			  bool works)
{
	struct pmu pmu = p4();

	start(&pmu, to, bit, T0_OS);
	start(&pmu, from, ENABLE, T0_OS);
	wr(&pmu, CTR(from), FULL - 199);
	run(&pmu, 1000000);
	if (!works) {
		assert_int_equal(rd(&pmu, CTR(to)), 0);
		return;
	}
	if (group_of(from)->den == 2) /* clocks: 134 instructions for 201 */
		assert_in_range(rd(&pmu, CTR(to)), 1499798, 1499802);
	else
		assert_int_equal(rd(&pmu, CTR(to)), 999800);
	assert_false(rd(&pmu, CCCR(to)) & ENABLE);
	/* A new value of its CCCR ends it. */
	wr(&pmu, CCCR(to), rd(&pmu, CCCR(to)));
	wr(&pmu, CTR(to), 0);
	run(&pmu, 1000);
	assert_int_equal(rd(&pmu, CTR(to)), 0);
}

static void cascade_switches_on_the_counter_of_the_other_half(void **state)
{
	unsigned int from, to;

	(void)state;
	for (from = 0; from < COUNTERS; from++) {
		for (to = 0; to < COUNTERS; to++) {
			const bool pair = to < 16 && from == (to ^ 2);
			const bool third = to >= 16 && from == to - 2;

			if (from != to)
				check_cascade(from, to, CASCADE, pair || third);
		}
	}
}

static void extended_cascade_has_ways_of_its_own(void **state)
{
	static const struct {
		unsigned int from, to;
	} ways[] = { { 16, 12 }, { 17, 15 }, { 17, 16 }, { 16, 17 } };
	unsigned int w, from;

	(void)state;
	for (w = 0; w < ARRAY_SIZE(ways); w++)
		for (from = 12; from < COUNTERS; from++)
			if (from != ways[w].to)
				check_cascade(from, ways[w].to, EXT_CASCADE,
					      from == ways[w].from);
}

/* 200 of one event, then 400 of another, then the interrupt. */
static void nested_periods_interrupt_exactly(void **state)
{
	struct pmu pmu = p4();
	uint64_t insns = 0, distance;

	(void)state;
	start(&pmu, 14, CASCADE | PMI_T0, T0_OS);
	start(&pmu, 12, ENABLE, T0_OS);
	wr(&pmu, CTR(12), FULL - 199);
	wr(&pmu, CTR(14), FULL - 399);
	while ((distance = pmu_distance(&pmu)) != 0) {
		assert_true(distance <= 400);
		run(&pmu, distance);
		insns += distance;
	}
	assert_int_equal(insns, 600);
	assert_int_equal(rd(&pmu, CTR(14)), 0);
	assert_int_equal(rd(&pmu, CTR(12)), 400);
	assert_true(pmu_take_pmi(&pmu));
}

static void reset_clears_all_registers(void **state)
{
	struct pmu pmu = p4();
	uint64_t value;
	uint32_t msr;

	(void)state;
	for (msr = 0x300; msr < 0x400; msr++)
		pmu_wrmsr(&pmu, msr, 0x10);
	start(&pmu, 12, ENABLE | PMI_T0, T0_OS);
	pmu_reset(&pmu);
	for (msr = 0x300; msr < 0x400; msr++)
		if (pmu_rdmsr(&pmu, msr, &value) == PMU_OK)
			assert_int_equal(value, 0);
	run(&pmu, 1000);
	assert_int_equal(rd(&pmu, CTR(12)), 0);
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
		cmocka_unit_test(exactly_the_documented_registers_exist),
		cmocka_unit_test(reserved_bits_fault),
		cmocka_unit_test(hyper_threading_has_bits_of_the_second_thread),
		cmocka_unit_test(
			with_hyper_threading_only_the_first_thread_runs),
		cmocka_unit_test(extended_cascading_exists_from_model_2_on),
		cmocka_unit_test(rdpmc_has_a_fast_form_of_32_bits),
		cmocka_unit_test(
			thresholds_compare_the_events_of_an_instruction),
		cmocka_unit_test(an_overflow_sets_the_flag_of_its_cccr),
		cmocka_unit_test(
			the_interrupt_comes_exactly_and_masks_the_lvtpc),
		cmocka_unit_test(
			the_interrupt_repeats_until_its_flag_is_cleared),
		cmocka_unit_test(force_ovf_makes_each_event_an_overflow),
		cmocka_unit_test(
			cascade_switches_on_the_counter_of_the_other_half),
		cmocka_unit_test(extended_cascade_has_ways_of_its_own),
		cmocka_unit_test(nested_periods_interrupt_exactly),
		cmocka_unit_test(reset_clears_all_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
