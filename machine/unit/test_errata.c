// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errata: switched on, and worked around as Linux does.
 */

#include "pmu_harness.h"

#define PMC0 0xc1
#define SELECT0 0x186
#define FORCE_ABORT 0x10f
#define OFFCORE_RSP0 0x1a6
#define INST_RETIRED_ALL 0x01c0ull
#define BRANCHES 0x00c4ull

static void start(struct pmu *pmu, const char *model, uint64_t erratum)
{
	assert_true(pmu_init(pmu, model));
	wr(pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
	   PMU_FAULT(PMU_FAULT_ERRATA, erratum));
}

/* Counter 1 counts an event from a period before its overflow. */
static void arm(struct pmu *pmu, uint64_t event, uint64_t period)
{
	wr(pmu, SELECT0 + 1, event | OS | INT | EN);
	wr(pmu, PMC0 + 1, (uint32_t)-period);
}

static void only_those_that_the_processor_has_can_be_asked_for(void **state)
{
	static const struct {
		const char *model;
		uint64_t has;
	} rows[] = {
		{ "nehalem", PMU_ERRATUM_PERIOD | PMU_ERRATUM_REPROGRAM },
		{ "westmere", PMU_ERRATUM_REPROGRAM },
		{ "haswell", PMU_ERRATUM_PERIOD },
		{ "broadwell", PMU_ERRATUM_PERIOD },
		{ "skylake", PMU_ERRATUM_FORCE_ABORT },
		{ "icelake", 0 },
		{ "zen", 0 },
		{ "p5", 0 },
	};
	struct pmu pmu;
	uint64_t bit;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		for (bit = 1; bit < 16; bit *= 2) {
			const uint64_t value = PMU_FAULT(PMU_FAULT_ERRATA, bit);

			assert_true(pmu_init(&pmu, rows[i].model));
			if (rows[i].has & bit)
				wr(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT, value);
			else
				wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
					  value);
		}
}

/* How often counter 1 interrupts for one overflow of this period. */
static unsigned int interrupts(const char *model, uint64_t event,
			       uint64_t period)
{
	unsigned int times = 0;
	struct pmu pmu;

	start(&pmu, model, PMU_ERRATUM_PERIOD);
	arm(&pmu, event, period);
	run(&pmu, 1000);
	while (times < 10 && pmu_take_pmi(&pmu)) {
		assert_int_equal(rd(&pmu, GLOBAL_STATUS), 2);
		wr(&pmu, GLOBAL_OVF_CTRL, 2);
		times++;
	}
	return times;
}

static void short_periods_interrupt_a_second_time(void **state)
{
	static const struct {
		const char *model;
		uint64_t event;
		unsigned int shortest;
	} rows[] = {
		{ "nehalem", INSNS_EVENT, 32 },
		{ "haswell", INSNS_EVENT, 32 },
		{ "haswell", INST_RETIRED_ALL, 128 },
		{ "broadwell", INSNS_EVENT, 1 },
		{ "broadwell", INST_RETIRED_ALL, 128 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const unsigned int shortest = rows[i].shortest;

		assert_int_equal(
			interrupts(rows[i].model, rows[i].event, shortest), 1);
		if (shortest > 1)
			assert_int_equal(interrupts(rows[i].model,
						    rows[i].event,
						    shortest - 1),
					 2);
	}
}

/* What is in counter 1 after so many instructions. */
static uint64_t after(const char *model, uint64_t period, uint64_t insns)
{
	struct pmu pmu;

	start(&pmu, model, PMU_ERRATUM_PERIOD);
	arm(&pmu, INST_RETIRED_ALL, period);
	run(&pmu, insns);
	return rd(&pmu, PMC0 + 1);
}

static void inst_retired_all_counts_wrongly_with_short_periods(void **state)
{
	(void)state;
	assert_int_equal(after("haswell", 100, 100), 100);
	assert_int_equal(after("haswell", 130, 130), 0);
	assert_int_equal(after("broadwell", 130, 130), 130 % 64);
	assert_int_equal(after("broadwell", 192, 192), 0);
	/* Once: it is not armed again. */
	assert_int_equal(after("haswell", 100, 1000), 1000);
}

/* What counter 0 has of an event after another one, in 1000 instructions. */
static uint64_t after_another(struct pmu *pmu, uint64_t event)
{
	wr(pmu, SELECT0, event | OS | EN);
	wr(pmu, PMC0, 0);
	wr(pmu, GLOBAL_CTRL, 0xf);
	run(pmu, 1000);
	wr(pmu, GLOBAL_CTRL, 0);
	return rd(pmu, PMC0);
}

static void run_magic_events(struct pmu *pmu)
{
	static const uint64_t magic[] = { 0x4300b5, 0x4300d2, 0x4300b1,
					  0x4300b1 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(magic); i++) {
		wr(pmu, SELECT0 + i, magic[i]);
		wr(pmu, PMC0 + i, 0);
	}
	wr(pmu, GLOBAL_CTRL, 0xf);
	wr(pmu, GLOBAL_CTRL, 0);
	for (i = 0; i < ARRAY_SIZE(magic); i++)
		wr(pmu, SELECT0 + i, 0);
}

static void another_event_counts_cycles_until_the_magic_ones_ran(void **state)
{
	static const char *const with[] = { "nehalem", "westmere" };
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(with); i++) {
		start(&pmu, with[i], PMU_ERRATUM_REPROGRAM);
		wr(&pmu, GLOBAL_CTRL, 0);
		assert_int_equal(after_another(&pmu, BRANCHES), 1500);
		assert_int_equal(after_another(&pmu, INSNS_EVENT), 1500);
		run_magic_events(&pmu);
		assert_int_equal(after_another(&pmu, INSNS_EVENT), 1000);
		/* The same event again is no other one. */
		wr(&pmu, SELECT0, 0);
		assert_int_equal(after_another(&pmu, INSNS_EVENT), 1000);
		/* They help what is written next, no longer. */
		assert_int_equal(after_another(&pmu, BRANCHES), 1500);
		run_magic_events(&pmu);
		wr(&pmu, GLOBAL_CTRL, 0xf);
		wr(&pmu, GLOBAL_CTRL, 0);
		assert_int_equal(after_another(&pmu, INSNS_EVENT), 1500);
	}
}

static void microcode_takes_counter_3_unless_told_not_to(void **state)
{
	uint32_t regs[4] = { 0, 0, 0, 0 };
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "skylake"));
	rd_faults(&pmu, FORCE_ABORT);
	assert_false(pmu_cpuid(&pmu, 7, 0, regs));
	start(&pmu, "skylake", 0);
	assert_true(pmu_cpuid(&pmu, 7, 0, regs));
	assert_int_equal(regs[3], 1u << 13);
	wr(&pmu, SELECT0 + 2, INSNS_EVENT | OS | EN);
	wr(&pmu, SELECT0 + 3, INSNS_EVENT | OS | EN);
	run(&pmu, 1000);
	assert_int_equal(rd(&pmu, PMC0 + 2), 1000);
	assert_int_equal(rd(&pmu, PMC0 + 3), 500);
	wr_faults(&pmu, FORCE_ABORT, 2);
	wr(&pmu, FORCE_ABORT, 1);
	run(&pmu, 1000);
	assert_int_equal(rd(&pmu, PMC0 + 3), 1500);
	assert_int_equal(rd(&pmu, FORCE_ABORT), 1);
}

static void threads_of_a_core_share_what_qualifies_events(void **state)
{
	static const struct {
		const char *model;
		bool shared;
	} rows[] = {
		{ "nehalem", true },
		{ "westmere", true },
		{ "sandybridge", false },
		{ "skylake", false },
	};
	struct pmu first, second;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_true(pmu_init(&first, rows[i].model));
		assert_true(pmu_init(&second, rows[i].model));
		pmu_join_core(&first, &first);
		pmu_join_core(&second, &first);
		wr(&first, OFFCORE_RSP0, 0x11);
		wr(&second, OFFCORE_RSP0, 0x22);
		assert_int_equal(rd(&second, OFFCORE_RSP0), 0x22);
		assert_int_equal(rd(&first, OFFCORE_RSP0),
				 rows[i].shared ? 0x22 : 0x11);
	}
}

static void
an_empty_mask_of_the_core_counts_nothing_in_both_threads(void **state)
{
	struct pmu first, second;

	(void)state;
	assert_true(pmu_init(&first, "westmere"));
	assert_true(pmu_init(&second, "westmere"));
	pmu_join_core(&first, &first);
	pmu_join_core(&second, &first);
	wr(&first, GLOBAL_CTRL, 1);
	wr(&first, SELECT0, 0x1b7 | USR | OS | EN);
	run(&first, 10000);
	assert_int_equal(rd(&first, PMC0), 0);
	wr(&second, OFFCORE_RSP0, 0xffff);
	run(&first, 10000);
	assert_int_not_equal(rd(&first, PMC0), 0);
	wr(&second, OFFCORE_RSP0, 0);
	wr(&first, PMC0, 0);
	run(&first, 10000);
	assert_int_equal(rd(&first, PMC0), 0);
}

static void off_core_events_with_an_empty_mask_do_not_count(void **state)
{
	static const struct {
		const char *model;
		uint64_t event;
	} rows[] = {
		{ "skylake", 0x1b7 },
		{ "icelake", 0x1b7 },
		{ "spr", 0x12a },
	};
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_true(pmu_init(&pmu, rows[i].model));
		wr(&pmu, SELECT0, rows[i].event | USR | OS | EN);
		run(&pmu, 10000);
		assert_int_equal(rd(&pmu, PMC0), 0);
		wr(&pmu, OFFCORE_RSP0, 1);
		run(&pmu, 10000);
		assert_int_not_equal(rd(&pmu, PMC0), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			only_those_that_the_processor_has_can_be_asked_for),
		cmocka_unit_test(short_periods_interrupt_a_second_time),
		cmocka_unit_test(
			inst_retired_all_counts_wrongly_with_short_periods),
		cmocka_unit_test(
			another_event_counts_cycles_until_the_magic_ones_ran),
		cmocka_unit_test(microcode_takes_counter_3_unless_told_not_to),
		cmocka_unit_test(
			off_core_events_with_an_empty_mask_do_not_count),
		cmocka_unit_test(threads_of_a_core_share_what_qualifies_events),
		cmocka_unit_test(
			an_empty_mask_of_the_core_counts_nothing_in_both_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
