// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults that change counts or are there from the start; those of single
 * interrupts are in test_overflow.c.
 */

#include "pmu_harness.h"

#define PMC0 0xc1
#define SELECT0 0x186
#define VECTOR 0xef

static void fault(struct pmu *pmu, uint64_t kind, uint64_t arg)
{
	wr(pmu, PMU_STAT_BASE + PMU_STAT_FAULT, PMU_FAULT(kind, arg));
}

/* Counters 0 and 1 and fixed ones 0 and 1 count instructions and cycles. */
static void start(struct pmu *pmu)
{
	assert_true(pmu_init(pmu, "skylake"));
	wr(pmu, GLOBAL_CTRL, 0xf | 7ull << 32);
	wr(pmu, FIXED_CTRL, 0x333);
	wr(pmu, SELECT0, INSNS_EVENT | USR | OS | EN);
	wr(pmu, SELECT0 + 1, INSNS_EVENT | USR | OS | EN);
}

static void a_leaking_counter_misses_one_of_eight(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu);
	fault(&pmu, PMU_FAULT_LEAK, 1);
	fault(&pmu, PMU_FAULT_LEAK, 33);
	run(&pmu, 800);
	assert_int_equal(rd(&pmu, PMC0), 800);
	assert_int_equal(rd(&pmu, PMC0 + 1), 700);
	assert_int_equal(rd(&pmu, FIXED_CTR0), 800);
	assert_int_equal(rd(&pmu, FIXED_CTR0 + 1), 1050);
}

static void a_counter_that_stands_still_does_so_until_cleared(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu);
	fault(&pmu, PMU_FAULT_STILL, 32);
	fault(&pmu, PMU_FAULT_STILL, 0);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, FIXED_CTR0), 0);
	assert_int_equal(rd(&pmu, PMC0), 0);
	assert_int_equal(rd(&pmu, PMC0 + 1), 100);
	fault(&pmu, PMU_FAULT_CLEAR, 0);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, FIXED_CTR0), 100);
	assert_int_equal(rd(&pmu, PMC0), 100);
}

static void a_filtered_event_counts_on_fixed_counters_only(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu);
	fault(&pmu, PMU_FAULT_FILTER, INSNS_EVENT);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, PMC0), 0);
	assert_int_equal(rd(&pmu, FIXED_CTR0), 100);
	wr(&pmu, SELECT0, 0x3c | OS | EN);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, PMC0), 150);
}

/* An interrupt comes after so many instructions at user level, and ends. */
static void interrupt_user(struct pmu *pmu, unsigned int insns)
{
	pmu_set_user(pmu, true);
	run(pmu, insns);
	pmu_set_user(pmu, false);
	pmu_interrupts_off(pmu, pmu->insns, VECTOR, 0);
	run(pmu, 10);
	pmu_interrupts_on(pmu, pmu->insns);
}

static void interrupts_at_user_level_may_count_as_one_more(void **state)
{
	struct pmu pmu;
	unsigned int i;

	(void)state;
	start(&pmu);
	wr(&pmu, SELECT0, INSNS_EVENT | USR | EN);
	wr(&pmu, SELECT0 + 1, INSNS_EVENT | USR | EN);
	fault(&pmu, PMU_FAULT_EXTRA, 1);
	for (i = 0; i < 5; i++)
		interrupt_user(&pmu, 100);
	/* Not those at kernel level, nor system calls. */
	pmu_interrupts_off(&pmu, pmu.insns, VECTOR, 0);
	pmu_interrupts_on(&pmu, pmu.insns);
	pmu_set_user(&pmu, true);
	run(&pmu, 1);
	pmu_set_user(&pmu, false);
	pmu_interrupts_off(&pmu, pmu.insns, PMU_BY_INSTRUCTION, 0);
	assert_int_equal(rd(&pmu, PMC0), 501);
	assert_int_equal(rd(&pmu, PMC0 + 1), 506);
}

static void the_one_more_may_overflow(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu);
	wr(&pmu, SELECT0 + 1, INSNS_EVENT | USR | INT | EN);
	wr(&pmu, PMC0 + 1, -101ull);
	fault(&pmu, PMU_FAULT_EXTRA, 1);
	interrupt_user(&pmu, 100);
	assert_int_equal(rd(&pmu, GLOBAL_STATUS), 2);
	assert_true(pmu_take_pmi(&pmu));
}

static void skid_delays_each_interrupt(void **state)
{
	struct pmu pmu;
	unsigned int i;

	(void)state;
	start(&pmu);
	wr(&pmu, SELECT0, INSNS_EVENT | OS | INT | EN);
	fault(&pmu, PMU_FAULT_SKID, 7);
	for (i = 0; i < 3; i++) {
		wr(&pmu, PMC0, -100ull);
		run(&pmu, 100);
		assert_int_equal(pmu_distance(&pmu), 7);
		run(&pmu, 6);
		assert_false(pmu_take_pmi(&pmu));
		run(&pmu, 1);
		assert_true(pmu_take_pmi(&pmu));
	}
}

static void a_stuck_status_bit_cannot_be_reset(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu);
	fault(&pmu, PMU_FAULT_STUCK, 34);
	wr(&pmu, GLOBAL_OVF_CTRL, 1ull << 34);
	assert_int_equal(rd(&pmu, GLOBAL_STATUS), 1ull << 34);
	assert_true(pmu_init(&pmu, "zen4"));
	fault(&pmu, PMU_FAULT_STUCK, 3);
	wr(&pmu, V2_GLOBAL_STATUS_CLR, 0x3f);
	assert_int_equal(rd(&pmu, V2_GLOBAL_STATUS), 8);
	/* No status, no bit. */
	assert_true(pmu_init(&pmu, "k7"));
	wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
		  PMU_FAULT(PMU_FAULT_STUCK, 0));
}

static void of_overflows_at_the_same_time_one_shows(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu);
	fault(&pmu, PMU_FAULT_SHADOW, 0);
	wr(&pmu, PMC0, -100ull);
	wr(&pmu, PMC0 + 1, -100ull);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, GLOBAL_STATUS), 1);
	wr(&pmu, PMC0 + 1, -100ull);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, GLOBAL_STATUS), 3);
}

static void others_stop_the_counters_once_when_asked_to(void **state)
{
	const struct model *m = &models[0]; /* a K7, without global control */
	struct pmu pmu;

	(void)state;
	start(&pmu);
	fault(&pmu, PMU_FAULT_FOREIGN, 60);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, PMC0), 60);
	assert_int_equal(rd(&pmu, FIXED_CTR0), 60);
	assert_int_equal(rd(&pmu, GLOBAL_CTRL), 0);
	wr(&pmu, GLOBAL_CTRL, 0xf);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, PMC0), 160);

	start_model(&pmu, m);
	start_counter(&pmu, m, 0, INSNS_EVENT | OS);
	fault(&pmu, PMU_FAULT_FOREIGN, 60);
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, counter_msr(m, 0)), 60);
	assert_int_equal(rd(&pmu, select_msr(m, 0)), 0);
}

static void a_host_may_mask_the_lvtpc_of_any_processor(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "zen"));
	assert_false(pmu_lvt_automask(&pmu));
	fault(&pmu, PMU_FAULT_HOST_MASK, 0);
	assert_true(pmu_lvt_automask(&pmu));
}

static void firmware_counts_from_each_reset_on(void **state)
{
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(models); i++) {
		const struct model *m = &models[i];

		assert_true(pmu_init(&pmu, m->name));
		assert_true(pmu_set_boot_faults(&pmu, "firmware"));
		run(&pmu, 100);
		assert_int_equal(rd(&pmu, counter_msr(m, 0)), 100);
		pmu_reset(&pmu);
		run(&pmu, 10);
		assert_int_equal(rd(&pmu, counter_msr(m, 0)), 10);
	}
	assert_true(pmu_init(&pmu, "skylake"));
	assert_true(pmu_set_boot_faults(&pmu, "firmware:33+firmware:34"));
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, FIXED_CTRL), 0x330);
	assert_int_equal(rd(&pmu, FIXED_CTR0 + 1), 150);
}

static void names_of_faults_are_read_to_the_end(void **state)
{
	static const struct {
		const char *model, *names;
		bool good;
	} rows[] = {
		{ "skylake", "filter:0xc0+skid:7+still:32+leak:1", true },
		{ "skylake", "host-mask", true },
		{ "skylake", "errata", true },
		{ "icelake", "errata", false },
		{ "skylake", "", false },
		{ "skylake", "firm", false },
		{ "skylake", "firmwares", false },
		{ "skylake", "skid:", false },
		{ "skylake", "skid:7,", false },
		{ "skylake", "skid:7+", false },
		{ "skylake", "still:4", false },
		{ "skylake", "still:35", false },
		{ "skylake", "skid+skid+skid+skid+skid", false },
		{ "p5", "firmware", false },
		{ "k7", "shadow", false },
		{ "p4", "leak", false },
		{ "p4", "skid:7", true },
	};
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_true(pmu_init(&pmu, rows[i].model));
		assert_int_equal(pmu_set_boot_faults(&pmu, rows[i].names),
				 rows[i].good);
	}
}

static void unknown_kinds_and_counters_are_refused(void **state)
{
	static const struct {
		uint64_t kind, arg;
	} rows[] = {
		{ PMU_FAULT_KINDS, 0 },	       { PMU_FAULT_LEAK, 4 },
		{ PMU_FAULT_EXTRA, 35 },       { PMU_FAULT_STILL, 31 },
		{ PMU_FAULT_FILTER, 1 << 16 }, { PMU_FAULT_STUCK, 64 },
		{ PMU_FAULT_FIRMWARE, 8 },     { PMU_FAULT_ERRATA, 8 },
	};
	struct pmu pmu;
	unsigned int i;

	(void)state;
	start(&pmu);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
			  PMU_FAULT(rows[i].kind, rows[i].arg));
	run(&pmu, 100);
	assert_int_equal(rd(&pmu, PMC0), 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_leaking_counter_misses_one_of_eight),
		cmocka_unit_test(
			a_counter_that_stands_still_does_so_until_cleared),
		cmocka_unit_test(
			a_filtered_event_counts_on_fixed_counters_only),
		cmocka_unit_test(
			interrupts_at_user_level_may_count_as_one_more),
		cmocka_unit_test(the_one_more_may_overflow),
		cmocka_unit_test(skid_delays_each_interrupt),
		cmocka_unit_test(a_stuck_status_bit_cannot_be_reset),
		cmocka_unit_test(of_overflows_at_the_same_time_one_shows),
		cmocka_unit_test(others_stop_the_counters_once_when_asked_to),
		cmocka_unit_test(a_host_may_mask_the_lvtpc_of_any_processor),
		cmocka_unit_test(firmware_counts_from_each_reset_on),
		cmocka_unit_test(names_of_faults_are_read_to_the_end),
		cmocka_unit_test(unknown_kinds_and_counters_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
