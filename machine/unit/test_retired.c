// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that the owner counts: each model counts the kinds that its event is made
 * of, at the level of the instructions, and interrupts in time.
 */

#include "pmu_harness.h"

#define BRANCH_KINDS PMU_LOAD /* the first that is none */

static uint64_t retired[PMU_RETIRED_KINDS];

/* So many instructions, and of each kind a number of its own. */
#define INSNS 10000

static const uint64_t numbers[PMU_RETIRED_KINDS] = {
	[PMU_COND_TAKEN] = 1000,   [PMU_COND_NOT_TAKEN] = 200,
	[PMU_JUMP] = 30,	   [PMU_CALL] = 4,
	[PMU_JUMP_INDIRECT] = 500, [PMU_CALL_INDIRECT] = 60,
	[PMU_RETURN] = 7,	   [PMU_FAR] = 2000,
	[PMU_LOAD] = 300,	   [PMU_STORE] = 40,
	[PMU_LOAD_STORE] = 5,	   [PMU_LOCKED] = 2,
};

#define ALL 3801
#define TAKEN 3601
#define NEAR_TAKEN 1601
#define CONDITIONAL 1200
#define CALLS 64
#define INDIRECT 560

static const struct {
	const char *model;
	uint64_t select;
	uint64_t count;
} events[] = {
	{ "k7", 0xc2, ALL },
	{ "k7", 0xc4, TAKEN },
	{ "k7", 0xc6, 2000 },
	{ "k10", 0xc8, 7 },
	{ "fam15h", 0xc2, ALL },
	{ "fam15h", 0xc8, 7 },
	{ "zen", 0xc2, ALL },
	{ "zen", 0xc4, TAKEN },
	{ "zen", 0xc6, 2000 },
	{ "zen", 0xc8, 7 },
	{ "zen", 0xd1, CONDITIONAL },
	{ "zen4", 0xcc, INDIRECT },
	{ "zen4", 0xd1, CONDITIONAL },
	{ "zen4", 0x1000000c9, ALL - CONDITIONAL },
	{ "p6", 0xc4, ALL },
	{ "p6", 0xc9, TAKEN },
	{ "coreduo", 0xc9, TAKEN },
	{ "core2", 0x00c4, ALL },
	{ "core2", 0x03c4, 200 },
	{ "core2", 0x0cc4, TAKEN },
	{ "core2", 0x0fc4, ALL },
	{ "arch2", 0x00c4, ALL },
	{ "nehalem", 0x01c4, CONDITIONAL },
	{ "nehalem", 0x02c4, CALLS },
	{ "westmere", 0x04c4, ALL },
	{ "skylake", 0x00c4, ALL },
	{ "skylake", 0x01c4, CONDITIONAL },
	{ "skylake", 0x02c4, CALLS },
	{ "haswell", 0x04c4, ALL },
	{ "skylake", 0x08c4, 7 },
	{ "broadwell", 0x10c4, 200 },
	{ "sandybridge", 0x20c4, NEAR_TAKEN },
	{ "skylake", 0x40c4, 2000 },
	{ "icelake", 0x00c4, ALL },
	{ "icelake", 0x01c4, 1000 },
	{ "spr", 0x02c4, CALLS },
	{ "gnr", 0x08c4, 7 },
	{ "icelake", 0x10c4, 200 },
	{ "goldencove", 0x11c4, CONDITIONAL },
	{ "icelake", 0x20c4, NEAR_TAKEN },
	{ "icelake", 0x40c4, 2000 },
	{ "goldencove", 0x80c4, INDIRECT },
	{ "lioncove", 0x00c4, ALL },
	{ "gracemont", 0x00c4, ALL },
	{ "gracemont", 0x7ec4, CONDITIONAL },
	{ "gracemont", 0xbfc4, 2000 },
	{ "gracemont", 0xc0c4, NEAR_TAKEN },
	{ "gracemont", 0xebc4, INDIRECT },
	{ "srf", 0xf7c4, 7 },
	{ "srf", 0xf9c4, CALLS },
	{ "gracemont", 0xfbc4, 60 },
	{ "gracemont", 0xfdc4, 4 },
	{ "gracemont", 0xfec4, 1000 },
	{ "skymont", 0x00c4, ALL },
	{ "core2", 0x01c0, 305 },
	{ "core2", 0x02c0, 45 },
	{ "nehalem", 0x010b, 305 },
	{ "westmere", 0x020b, 45 },
	{ "nehalem", 0x100b, 305 },
	{ "sandybridge", 0x21d0, 2 },
	{ "skylake", 0x01cd, 305 },
	{ "haswell", 0x81d0, 305 },
	{ "skylake", 0x82d0, 45 },
	{ "icelake", 0x21d0, 2 },
	{ "icelake", 0x81d0, 305 },
	{ "spr", 0x01cd, 305 },
	{ "spr", 0x82d0, 45 },
	{ "goldencove", 0x83d0, 345 },
	{ "gracemont", 0x21d0, 2 },
	{ "gracemont", 0x81d0, 305 },
	{ "srf", 0x82d0, 45 },
};

static const struct model *model_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (!strcmp(models[i].name, name))
			return &models[i];
	fail_msg("no model %s", name);
	return NULL;
}

static void start(struct pmu *pmu, const struct model *m)
{
	start_model(pmu, m);
	pmu_use_retired(pmu, retired);
}

/* Retire instructions, so many of them of this kind. */
static void retire(struct pmu *pmu, uint64_t insns, enum pmu_retired kind,
		   uint64_t number)
{
	retired[kind] += number;
	run(pmu, insns);
}

static void retire_all(struct pmu *pmu)
{
	for (int kind = 0; kind < PMU_RETIRED_KINDS; kind++)
		retired[kind] += numbers[kind];
	run(pmu, INSNS);
}

static uint64_t count(const struct model *m, uint64_t select)
{
	struct pmu pmu;

	start(&pmu, m);
	retire_all(&pmu);
	start_counter(&pmu, m, 0, select | USR | OS);
	retire_all(&pmu);
	return rd(&pmu, counter_msr(m, 0));
}

static void events_are_made_of_the_kinds_that_the_model_has(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		const struct model *m = model_of(events[i].model);
		const uint64_t got = count(m, events[i].select);

		if (got != events[i].count)
			fail_msg("%s, %#llx: %llu, expected %llu", m->name,
				 (unsigned long long)events[i].select,
				 (unsigned long long)got,
				 (unsigned long long)events[i].count);
	}
}

static void other_events_keep_their_rate(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		assert_int_equal(count(&models[i], INSNS_EVENT), INSNS);
		assert_in_range(count(&models[i], 0x41c8), 1, INSNS / 2);
	}
}

/* The architectural event of Intel's, and AMD's. */
static uint64_t branches_event(const struct model *m)
{
	return m->select >= 0xc0000000 ? 0xc2 : 0xc4;
}

static void without_an_owner_that_counts_there_is_a_rate(void **state)
{
	struct pmu pmu;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		const struct model *m = &models[i];
		uint64_t limits[PMU_RETIRED_KINDS];

		start_model(&pmu, m);
		start_counter(&pmu, m, 0, branches_event(m) | OS | INT);
		assert_false(pmu_counts_retired(&pmu));
		assert_true(pmu_distance(&pmu) != PMU_NEVER);
		pmu_retired_limits(&pmu, limits);
		assert_true(limits[PMU_JUMP] == PMU_NEVER);
		run(&pmu, INSNS);
		assert_true(rd(&pmu, counter_msr(m, 0)) > 0);
	}
}

static void events_count_for_the_level_of_their_instruction(void **state)
{
	struct pmu pmu;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		const struct model *m = &models[i];

		start(&pmu, m);
		start_counter(&pmu, m, 0, branches_event(m) | USR);
		start_counter(&pmu, m, 1, branches_event(m) | OS);
		assert_true(pmu_counts_retired(&pmu));
		retire(&pmu, 100, PMU_RETURN, 10);
		pmu_set_user(&pmu, true);
		assert_true(pmu_counts_retired(&pmu));
		retire(&pmu, 100, PMU_CALL, 3);
		retire(&pmu, 1, PMU_FAR, 1);
		pmu_set_user(&pmu, false);
		retire(&pmu, 100, PMU_JUMP, 20);
		assert_int_equal(rd(&pmu, counter_msr(m, 0)), 4);
		assert_int_equal(rd(&pmu, counter_msr(m, 1)), 30);
	}
}

/* The owner need not count while this is false. */
static void the_owner_counts_only_while_a_counter_does(void **state)
{
	struct pmu pmu;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		const struct model *m = &models[i];

		start(&pmu, m);
		assert_false(pmu_counts_retired(&pmu));
		start_counter(&pmu, m, 0, INSNS_EVENT | USR | OS | INT);
		assert_false(pmu_counts_retired(&pmu));
		start_counter(&pmu, m, 1, branches_event(m) | USR);
		assert_false(pmu_counts_retired(&pmu));
		pmu_set_user(&pmu, true);
		assert_true(pmu_counts_retired(&pmu));
		wr(&pmu, select_msr(m, 1), branches_event(m) | USR);
		if (!m->shared_enable) /* else the first one enables both */
			assert_false(pmu_counts_retired(&pmu));
		pmu_reset(&pmu);
		assert_false(pmu_counts_retired(&pmu));
	}
}

/* Events that come where no instruction retires, in the turns of a REP. */
static void events_without_an_instruction_are_not_lost(void **state)
{
	const struct model *m = model_of("zen");
	struct pmu pmu;

	(void)state;
	start(&pmu, m);
	start_counter(&pmu, m, 0, 0xc2 | OS);
	retire(&pmu, 0, PMU_JUMP, 3);
	retire(&pmu, 1, PMU_JUMP, 1);
	assert_int_equal(rd(&pmu, counter_msr(m, 0)), 4);
}

static void filters_know_that_an_instruction_is_one_branch(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		const struct model *m = &models[i];
		const uint64_t event = branches_event(m);

		assert_int_equal(count(m, event | CMASK(1)), ALL);
		assert_int_equal(count(m, event | CMASK(1) | INV), INSNS - ALL);
		assert_int_equal(count(m, event | CMASK(2)), 0);
		assert_int_equal(count(m, event | CMASK(2) | INV), INSNS);
		assert_int_equal(count(m, event | CMASK(2) | INV | EDGE), 0);
		assert_int_equal(count(m, event | INV), ALL);
		assert_int_equal(count(m, event | EDGE), ALL);
		assert_int_equal(count(m, event | EDGE | CMASK(1) | INV), ALL);
	}
}

static uint64_t smallest_limit(const struct pmu *pmu)
{
	uint64_t limits[PMU_RETIRED_KINDS], least = PMU_NEVER;

	pmu_retired_limits(pmu, limits);
	for (int kind = 0; kind < PMU_RETIRED_KINDS; kind++)
		least = limits[kind] < least ? limits[kind] : least;
	return least;
}

/* As the owner does: branches at random until a limit is reached, and again. */
static uint64_t events_until_interrupt(struct pmu *pmu, uint32_t *random)
{
	uint64_t limits[PMU_RETIRED_KINDS], branches = 0;
	int kind;

	while (!pmu_take_pmi(pmu)) {
		assert_true(smallest_limit(pmu) != PMU_NEVER);
		pmu_retired_limits(pmu, limits);
		do {
			kind = (int)(next_random(random) % BRANCH_KINDS);
			retired[kind]++;
			branches++;
		} while (--limits[kind]);
		run(pmu, 1000000);
	}
	return branches;
}

static void no_interrupt_is_early_or_late(void **state)
{
	static const uint64_t periods[] = { 1, 2, 7, 8, 9, 100, 1000, 77777 };
	uint32_t random = 5;
	struct pmu pmu;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		const struct model *m = &models[i];

		for (size_t k = 0; k < ARRAY_SIZE(periods); k++) {
			start(&pmu, m);
			wr(&pmu, counter_msr(m, 0), -periods[k]);
			start_counter(&pmu, m, 0, branches_event(m) | OS | INT);
			assert_int_equal(pmu_distance(&pmu), PMU_NEVER);
			assert_int_equal(events_until_interrupt(&pmu, &random),
					 periods[k]);
			assert_int_equal(rd(&pmu, counter_msr(m, 0)), 0);
		}
	}
}

static void limits_are_those_of_the_nearest_counter(void **state)
{
	const struct model *m = model_of("skylake");
	uint64_t limits[PMU_RETIRED_KINDS];
	struct pmu pmu;

	(void)state;
	start(&pmu, m);
	wr(&pmu, counter_msr(m, 0), -10ull);
	wr(&pmu, counter_msr(m, 1), -3ull);
	wr(&pmu, counter_msr(m, 2), -1ull);
	start_counter(&pmu, m, 0, 0x2c4 | OS | INT); /* calls */
	start_counter(&pmu, m, 1, 0x8c4 | OS | INT); /* returns */
	start_counter(&pmu, m, 2, 0xc4 | OS); /* without an interrupt */
	pmu_retired_limits(&pmu, limits);
	assert_int_equal(limits[PMU_CALL], 5);
	assert_int_equal(limits[PMU_CALL_INDIRECT], 5);
	assert_int_equal(limits[PMU_RETURN], 3);
	assert_true(limits[PMU_JUMP] == PMU_NEVER);
	pmu_set_user(&pmu, true);
	assert_true(smallest_limit(&pmu) == PMU_NEVER);
}

/* An instruction loads once at most: so many are safe, and fewer each time. */
static void loads_overflow_in_time(void **state)
{
	const struct model *m = model_of("skylake");
	struct pmu pmu;

	(void)state;
	start(&pmu, m);
	wr(&pmu, counter_msr(m, 0), -100ull);
	start_counter(&pmu, m, 0, 0x81d0 | OS | INT);
	assert_int_equal(pmu_counts_retired(&pmu),
			 1u << PMU_LOAD | 1u << PMU_LOAD_STORE);
	assert_true(smallest_limit(&pmu) == PMU_NEVER);
	assert_int_equal(pmu_distance(&pmu), 100);
	retired[PMU_LOAD_STORE] += 30;
	retire(&pmu, 100, PMU_LOAD, 60);
	assert_false(pmu_take_pmi(&pmu));
	assert_int_equal(pmu_distance(&pmu), 10);
	retire(&pmu, 10, PMU_LOAD, 10);
	assert_true(pmu_take_pmi(&pmu));
	assert_int_equal(rd(&pmu, counter_msr(m, 0)), 0);
}

/* They overflow where instructions are no branches, which pmu_distance() knows. */
static void the_absence_of_branches_overflows_in_time(void **state)
{
	const struct model *m = model_of("zen");
	struct pmu pmu;

	(void)state;
	start(&pmu, m);
	wr(&pmu, counter_msr(m, 0), -100ull);
	start_counter(&pmu, m, 0, 0xc2 | CMASK(1) | INV | OS | INT);
	assert_int_equal(pmu_distance(&pmu), 100);
	retire(&pmu, 100, PMU_JUMP, 40);
	assert_false(pmu_take_pmi(&pmu));
	assert_int_equal(pmu_distance(&pmu), 40);
	retire(&pmu, 40, PMU_JUMP, 0);
	assert_true(pmu_take_pmi(&pmu));
}

static void faults_change_these_counts_too(void **state)
{
	const struct model *m = model_of("skylake");
	struct pmu pmu;

	(void)state;
	start(&pmu, m);
	start_counter(&pmu, m, 0, 0xc4 | OS);
	start_counter(&pmu, m, 1, 0xc4 | OS);
	start_counter(&pmu, m, 2, 0xc4 | OS);
	start_counter(&pmu, m, 3, 0xc4 | OS);
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT, PMU_FAULT(PMU_FAULT_LEAK, 0));
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT, PMU_FAULT(PMU_FAULT_STILL, 1));
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
	   PMU_FAULT(PMU_FAULT_ERRATA, PMU_ERRATUM_FORCE_ABORT));
	retire(&pmu, 10000, PMU_JUMP, 800);
	assert_int_equal(rd(&pmu, counter_msr(m, 0)), 700);
	assert_int_equal(rd(&pmu, counter_msr(m, 1)), 0);
	assert_int_equal(rd(&pmu, counter_msr(m, 2)), 800);
	assert_int_equal(rd(&pmu, counter_msr(m, 3)), 400);
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
	   PMU_FAULT(PMU_FAULT_FOREIGN, 50));
	retire(&pmu, 100, PMU_JUMP, 8);
	retire(&pmu, 100, PMU_JUMP, 8);
	assert_int_equal(rd(&pmu, counter_msr(m, 2)), 808);
	assert_false(pmu_counts_retired(&pmu));
}

/* What its erratum makes of another event is cycles, and no branches. */
static void a_stale_counter_counts_cycles(void **state)
{
	const struct model *m = model_of("nehalem");
	struct pmu pmu;

	(void)state;
	start(&pmu, m);
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
	   PMU_FAULT(PMU_FAULT_ERRATA, PMU_ERRATUM_REPROGRAM));
	start_counter(&pmu, m, 0, 0xc4 | OS);
	assert_false(pmu_counts_retired(&pmu));
	retire(&pmu, 1000, PMU_JUMP, 8);
	assert_int_equal(rd(&pmu, counter_msr(m, 0)), 1500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			events_are_made_of_the_kinds_that_the_model_has),
		cmocka_unit_test(other_events_keep_their_rate),
		cmocka_unit_test(without_an_owner_that_counts_there_is_a_rate),
		cmocka_unit_test(
			events_count_for_the_level_of_their_instruction),
		cmocka_unit_test(the_owner_counts_only_while_a_counter_does),
		cmocka_unit_test(events_without_an_instruction_are_not_lost),
		cmocka_unit_test(
			filters_know_that_an_instruction_is_one_branch),
		cmocka_unit_test(no_interrupt_is_early_or_late),
		cmocka_unit_test(limits_are_those_of_the_nearest_counter),
		cmocka_unit_test(loads_overflow_in_time),
		cmocka_unit_test(the_absence_of_branches_overflows_in_time),
		cmocka_unit_test(faults_change_these_counts_too),
		cmocka_unit_test(a_stale_counter_counts_cycles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
