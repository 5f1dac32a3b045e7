// SPDX-License-Identifier: GPL-2.0-only
/*
 * The longest section with interrupts off: what ends and begins one, who has
 * begun it, what clears the longest.
 */

#include "pmu_harness.h"

#define HERE 0xffffffff81000000ull
#define TIMER 0xec
#define OVERFLOW 0xee

static void start(struct pmu *pmu)
{
	assert_true(pmu_init(pmu, "k7"));
}

static void section(struct pmu *pmu, uint64_t *now, unsigned int cause,
		    uint64_t where, uint64_t length)
{
	pmu_interrupts_off(pmu, *now, cause, where);
	*now += length;
	pmu_interrupts_on(pmu, *now);
	*now += 10;
}

static void expect_longest(struct pmu *pmu, unsigned int stat_offset,
			   uint64_t length, uint64_t where)
{
	assert_int_equal(stat(pmu, stat_offset), length);
	assert_int_equal(stat(pmu, stat_offset + 1), where);
}

static void the_longest_section_stays(void **state)
{
	struct pmu pmu;
	uint64_t now = 1000;

	(void)state;
	start(&pmu);
	expect_longest(&pmu, PMU_STAT_OFF, 0, 0);
	section(&pmu, &now, PMU_BY_INSTRUCTION, HERE, 5);
	section(&pmu, &now, PMU_BY_INSTRUCTION, HERE + 1, 20001);
	section(&pmu, &now, PMU_BY_INSTRUCTION, HERE + 2, 20001);
	section(&pmu, &now, PMU_BY_INSTRUCTION, HERE + 3, 20000);
	expect_longest(&pmu, PMU_STAT_OFF, 20001, HERE + 1);
	expect_longest(&pmu, PMU_STAT_OFF_IRQ, 0, 0);
}

static void interrupts_are_apart(void **state)
{
	struct pmu pmu;
	uint64_t now = 0;

	(void)state;
	start(&pmu);
	section(&pmu, &now, PMU_BY_INSTRUCTION, HERE, 70);
	section(&pmu, &now, TIMER, HERE + 8, 900);
	section(&pmu, &now, OVERFLOW, HERE + 16, 100);
	expect_longest(&pmu, PMU_STAT_OFF, 70, HERE);
	expect_longest(&pmu, PMU_STAT_OFF_IRQ, 900, HERE + 8);
}

static void one_vector_is_chosen(void **state)
{
	struct pmu pmu;
	uint64_t now = 0;

	(void)state;
	start(&pmu);
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_OFF_VECTOR, OVERFLOW);
	assert_int_equal(stat(&pmu, PMU_STAT_OFF_VECTOR), OVERFLOW);
	section(&pmu, &now, TIMER, HERE + 8, 900);
	section(&pmu, &now, OVERFLOW, HERE + 16, 100);
	section(&pmu, &now, PMU_BY_INSTRUCTION, HERE, 70);
	expect_longest(&pmu, PMU_STAT_OFF_IRQ, 100, HERE + 16);
	expect_longest(&pmu, PMU_STAT_OFF, 70, HERE);
	wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_OFF_VECTOR, 256);
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_OFF_VECTOR, 0);
	section(&pmu, &now, TIMER, HERE + 8, 900);
	expect_longest(&pmu, PMU_STAT_OFF_IRQ, 900, HERE + 8);
}

/* An exception, or an NMI, comes while they are off already. */
static void off_while_off_is_one_section(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu);
	pmu_interrupts_off(&pmu, 100, PMU_BY_INSTRUCTION, HERE);
	pmu_interrupts_off(&pmu, 150, 2, HERE + 8);
	pmu_interrupts_on(&pmu, 300);
	pmu_interrupts_on(&pmu, 400);
	expect_longest(&pmu, PMU_STAT_OFF, 200, HERE);
	expect_longest(&pmu, PMU_STAT_OFF_IRQ, 0, 0);
}

static void clearing_leaves_out_what_is_open(void **state)
{
	struct pmu pmu;
	uint64_t now = 1000;

	(void)state;
	start(&pmu);
	section(&pmu, &now, PMU_BY_INSTRUCTION, HERE, 500);
	section(&pmu, &now, TIMER, HERE, 600);
	pmu_interrupts_off(&pmu, now, PMU_BY_INSTRUCTION, HERE);
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_OFF, 0);
	pmu_interrupts_on(&pmu, now + 5000);
	expect_longest(&pmu, PMU_STAT_OFF, 0, 0);
	expect_longest(&pmu, PMU_STAT_OFF_IRQ, 600, HERE);
	now += 6000;
	section(&pmu, &now, PMU_BY_INSTRUCTION, HERE, 7);
	expect_longest(&pmu, PMU_STAT_OFF, 7, HERE);

	/* One of the other kind goes on. */
	pmu_interrupts_off(&pmu, now, TIMER, HERE + 8);
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_OFF, 0);
	pmu_interrupts_on(&pmu, now + 5000);
	expect_longest(&pmu, PMU_STAT_OFF_IRQ, 5000, HERE + 8);
}

static void a_reset_begins_no_section(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu);
	pmu_interrupts_off(&pmu, 100, PMU_BY_INSTRUCTION, HERE);
	pmu_reset(&pmu);
	pmu_interrupts_on(&pmu, 90000);
	expect_longest(&pmu, PMU_STAT_OFF, 0, 0);
}

static void addresses_cannot_be_written(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu);
	wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_OFF, 1);
	wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_OFF_AT, 0);
	wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_OFF_IRQ, 1);
	wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_OFF_IRQ_AT, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_section_stays),
		cmocka_unit_test(interrupts_are_apart),
		cmocka_unit_test(one_vector_is_chosen),
		cmocka_unit_test(off_while_off_is_one_section),
		cmocka_unit_test(clearing_leaves_out_what_is_open),
		cmocka_unit_test(a_reset_begins_no_section),
		cmocka_unit_test(addresses_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
