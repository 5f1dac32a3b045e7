// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflow: the interrupt becomes pending with the very instruction that wraps
 * the counter, and pmu_distance() knows which. Also injected faults.
 */

#include "pmu_harness.h"

/* Counter 0 counts an event at kernel level, period events before a wrap. */
static void start_period(struct pmu *pmu, const struct model *m,
			 uint64_t select, uint64_t period)
{
	start_model(pmu, m);
	wr(pmu, counter_msr(m, 0), -period);
	start_counter(pmu, m, 0, select | OS | INT);
}

static void check_boundary(const struct model *m, uint64_t select,
			   uint64_t period)
{
	uint64_t distance;
	struct pmu pmu;

	start_period(&pmu, m, select, period);
	distance = pmu_distance(&pmu);
	assert_true(distance >= 1 && distance != PMU_NEVER);
	run(&pmu, distance - 1);
	assert_false(pmu_take_pmi(&pmu));
	assert_int_equal(pmu_distance(&pmu), 1);
	run(&pmu, 1);
	assert_int_equal(pmu_distance(&pmu), 0);
	assert_true(pmu_take_pmi(&pmu));
	assert_false(pmu_take_pmi(&pmu));
	assert_true(rd(&pmu, counter_msr(m, 0)) < 2);
}

/* No event, L2_RQSTS without a unit mask, off-core events with an empty one. */
static bool counts_nothing_somewhere(uint64_t event)
{
	static const uint64_t events[] = { 0,	  0x2e,	 0x1b7, 0x1bb,
					   0x2b7, 0x12a, 0x12b };

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i] == event)
			return true;
	return false;
}

static void interrupts_come_with_the_wrapping_instruction(void **state)
{
	uint32_t random = 3;
	unsigned int model, round;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++) {
		for (round = 0; round < 20000; round++) {
			const uint64_t event = next_random(&random) & 0xffff;
			const uint64_t period =
				1 + next_random(&random) % 1000000;

			if (counts_nothing_somewhere(event))
				continue;
			if (!(pmu_model_counters(models[model].name, event) &
			      1))
				continue;
			check_boundary(&models[model], event, period);
		}
		check_boundary(&models[model], INSNS_EVENT, 1);
		check_boundary(&models[model], INSNS_EVENT, 0x7fffffff);
		check_boundary(&models[model], models[model].cycles_event, 1);
	}
}

static void no_interrupt_without_the_interrupt_bit(void **state)
{
	unsigned int model;
	struct pmu pmu;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++) {
		const struct model *m = &models[model];

		start_model(&pmu, m);
		wr(&pmu, counter_msr(m, 0), -10ull);
		start_counter(&pmu, m, 0, INSNS_EVENT | OS);
		assert_int_equal(pmu_distance(&pmu), PMU_NEVER);
		run(&pmu, 20);
		assert_false(pmu_take_pmi(&pmu));
		assert_int_equal(rd(&pmu, counter_msr(m, 0)), 10);
	}
}

static void distance_is_for_the_present_level_only(void **state)
{
	unsigned int model;
	struct pmu pmu;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++) {
		start_period(&pmu, &models[model], INSNS_EVENT, 100);
		run(&pmu, 40);
		pmu_set_user(&pmu, true);
		assert_int_equal(pmu_distance(&pmu), PMU_NEVER);
		run(&pmu, 1000);
		pmu_set_user(&pmu, false);
		assert_int_equal(pmu_distance(&pmu), 60);
	}
}

static void distance_is_that_of_the_nearest_counter(void **state)
{
	unsigned int model;
	struct pmu pmu;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++) {
		const struct model *m = &models[model];

		start_period(&pmu, m, INSNS_EVENT, 1000);
		wr(&pmu, counter_msr(m, 1), -500ull);
		start_counter(&pmu, m, 1, INSNS_EVENT | OS | INT);
		assert_int_equal(pmu_distance(&pmu), 500);
		run(&pmu, 500);
		assert_true(pmu_take_pmi(&pmu));
		assert_int_equal(pmu_distance(&pmu), 500);
	}
}

static void status_shows_and_loses_overflows(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "arch2"));
	wr(&pmu, GLOBAL_CTRL, 0xf | 7ull << 32);
	wr(&pmu, 0xc2, -10ull);
	wr(&pmu, 0x187, INSNS_EVENT | OS | EN);
	wr(&pmu, FIXED_CTR0 + 1, 0xffffffffffff);
	wr(&pmu, FIXED_CTRL, 0x90); /* cycles, kernel, interrupt */
	run(&pmu, 5);
	assert_int_equal(rd(&pmu, GLOBAL_STATUS), 1ull << 33);
	assert_true(pmu_take_pmi(&pmu));
	run(&pmu, 5);
	assert_int_equal(rd(&pmu, GLOBAL_STATUS), 2 | 1ull << 33);
	assert_false(pmu_take_pmi(&pmu));
	wr(&pmu, GLOBAL_OVF_CTRL, 2);
	assert_int_equal(rd(&pmu, GLOBAL_STATUS), 1ull << 33);
}

static void fault(struct pmu *pmu, uint64_t value)
{
	wr(pmu, PMU_STAT_BASE + PMU_STAT_FAULT, value);
}

static void a_delayed_interrupt_comes_later_by_its_delay(void **state)
{
	struct pmu pmu;

	(void)state;
	start_period(&pmu, &models[0], INSNS_EVENT, 100);
	fault(&pmu, PMU_FAULT(PMU_FAULT_DELAY, 30));
	run(&pmu, 100);
	assert_false(pmu_take_pmi(&pmu));
	assert_int_equal(pmu_distance(&pmu), 30);
	run(&pmu, 29);
	assert_false(pmu_take_pmi(&pmu));
	run(&pmu, 1);
	assert_true(pmu_take_pmi(&pmu));
	/* Only the next one was asked for. */
	wr(&pmu, counter_msr(&models[0], 0), -100ull);
	run(&pmu, 100);
	assert_true(pmu_take_pmi(&pmu));
}

static void lost_interrupts_do_not_stop_the_counter(void **state)
{
	struct pmu pmu;
	unsigned int i;

	(void)state;
	start_period(&pmu, &models[0], INSNS_EVENT, 100);
	fault(&pmu, PMU_FAULT(PMU_FAULT_LOSE, 2));
	for (i = 0; i < 2; i++) {
		wr(&pmu, counter_msr(&models[0], 0), -100ull);
		run(&pmu, 110);
		assert_false(pmu_take_pmi(&pmu));
		assert_int_equal(rd(&pmu, counter_msr(&models[0], 0)), 10);
	}
	wr(&pmu, counter_msr(&models[0], 0), -100ull);
	run(&pmu, 100);
	assert_true(pmu_take_pmi(&pmu));
}

static void a_spurious_interrupt_is_pending_at_once(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "zen"));
	fault(&pmu, PMU_FAULT(PMU_FAULT_SPURIOUS, 0));
	assert_int_equal(pmu_distance(&pmu), 0);
	assert_true(pmu_take_pmi(&pmu));
	assert_false(pmu_take_pmi(&pmu));
}

static void faults_can_be_taken_back(void **state)
{
	struct pmu pmu;

	(void)state;
	start_period(&pmu, &models[0], INSNS_EVENT, 100);
	fault(&pmu, PMU_FAULT(PMU_FAULT_LOSE, 1));
	fault(&pmu, PMU_FAULT(PMU_FAULT_DELAY, 10));
	fault(&pmu, PMU_FAULT_CLEAR);
	run(&pmu, 100);
	assert_true(pmu_take_pmi(&pmu));
	wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
		  PMU_FAULT(PMU_FAULT_KINDS, 0));
	rd_faults(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interrupts_come_with_the_wrapping_instruction),
		cmocka_unit_test(no_interrupt_without_the_interrupt_bit),
		cmocka_unit_test(distance_is_for_the_present_level_only),
		cmocka_unit_test(distance_is_that_of_the_nearest_counter),
		cmocka_unit_test(status_shows_and_loses_overflows),
		cmocka_unit_test(a_delayed_interrupt_comes_later_by_its_delay),
		cmocka_unit_test(lost_interrupts_do_not_stop_the_counter),
		cmocka_unit_test(a_spurious_interrupt_is_pending_at_once),
		cmocka_unit_test(faults_can_be_taken_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
