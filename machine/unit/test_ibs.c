// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instruction-based sampling: which instruction the units tag, what they tell of it,
 * and when they interrupt.
 */

#include "ibs_harness.h"

static void the_instruction_behind_the_period_is_tagged(void **state)
{
	static const struct {
		const char *model;
		uint64_t ctl;
		uint64_t tagged;
	} rows[] = {
		/* Three cycles in two instructions. */
		{ "k10", OP_MAX(0x90), 97 },
		{ "k10", OP_MAX(0x1000), 2732 },
		{ "fam15h", OP_MAX(0x90), 97 },
		{ "fam15h", OP_OPS | OP_MAX(0x90), 145 },
		{ "zen", OP_OPS | OP_MAX(0x10), 17 },
		{ "zen", OP_OPS | OP_MAX(0xffff0), 0xffff1 },
		/* Bits 26:20 of the period are there as they are. */
		{ "zen", OP_OPS | 0x7f00000 | OP_MAX(0xffff0), 0x7fffff1 },
		{ "zen4", OP_OPS | 0x100000, 0x100001 },
		{ "zen5", OP_OPS | OP_MAX(992), 993 },
	};
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		start(&pmu, rows[i].model);
		wr(&pmu, OP_CTL, OP_EN | rows[i].ctl);
		assert_int_equal(run_to_interrupt(&pmu, 1ull << 30),
				 rows[i].tagged);
		assert_int_equal(rd(&pmu, OP_CTL),
				 OP_EN | OP_VAL | rows[i].ctl);
		assert_int_equal(rd(&pmu, OP_RIP), rows[i].tagged);
		assert_int_equal(stat(&pmu, PMU_STAT_IBS_OP), 1);
		assert_int_equal(stat(&pmu, PMU_STAT_IBS_FETCH), 0);
	}
}

static void each_fourth_instruction_is_a_fetch(void **state)
{
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ibs_models); i++) {
		start(&pmu, ibs_models[i]);
		wr(&pmu, FETCH_CTL, FETCH_EN | OP_MAX(0x20));
		assert_int_equal(run_to_interrupt(&pmu, 1000), 4 * 0x21);
		assert_int_equal(rd(&pmu, FETCH_LINEAR), 4 * 0x21);
		assert_int_equal(rd(&pmu, FETCH_PHYSICAL), 0x100000 + 4 * 0x21);
		assert_int_equal(rd(&pmu, FETCH_CTL),
				 FETCH_EN | FETCH_VAL | FETCH_COMPLETE |
					 FETCH_PHYSICAL_VALID | OP_MAX(0x20) |
					 0x20 >> 4 << 16);
		assert_int_equal(stat(&pmu, PMU_STAT_IBS_FETCH), 1);
	}
}

static void both_units_tag_the_same_instruction(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu, "zen");
	wr(&pmu, FETCH_CTL, FETCH_EN | OP_MAX(0x20));
	/* 4 * 33 - 1 instructions before: the count of 0x90 has got 13. */
	wr(&pmu, OP_CTL,
	   OP_EN | OP_OPS | OP_MAX(0x90) | 13ull << OP_COUNT_SHIFT);
	assert_int_equal(run_to_interrupt(&pmu, 1000), 132);
	assert_true(op_valid(&pmu) && fetch_valid(&pmu));
	assert_int_equal(rd(&pmu, OP_RIP), 132);
	assert_int_equal(rd(&pmu, FETCH_LINEAR), 132);
	/* One interrupt for both. */
	assert_false(pmu_take_ibs(&pmu));
}

static void the_data_are_the_user_instructions_before(void **state)
{
	static const struct {
		unsigned int user; /* of the period of 992, then the kernel */
		bool tagged_user;
	} rows[] = { { 0, false },
		     { 1, false },
		     { 500, false },
		     { 992, false },
		     { 992, true } };
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		start(&pmu, "zen");
		pmu_set_user(&pmu, true);
		run(&pmu, 7);
		wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
		run(&pmu, rows[i].user);
		pmu_set_user(&pmu, rows[i].tagged_user);
		assert_int_equal(run_to_interrupt(&pmu, 2000),
				 993 - rows[i].user);
		assert_int_equal(rd(&pmu, OP_DATA), 7 + rows[i].user);
		assert_int_equal(rd(&pmu, DC_LINEAR), 0);
	}
}

static void the_operand_in_memory_is_there(void **state)
{
	static const struct {
		struct pmu_access access;
		uint64_t data3;
	} rows[] = {
		{ { .linear = 0x7fff12345678, .loads = true },
		  1 << 17 | 1 << 22 | 1 },
		{ { .linear = 0xffff8880000003c0,
		    .physical = 0x3c0,
		    .has_physical = true,
		    .stores = true,
		    .size = 3 },
		  1 << 18 | 1 << 17 | 4 << 22 | 2 },
		{ { .linear = 8, .loads = true, .stores = true, .size = 4 },
		  1 << 17 | 5 << 22 | 3 },
		{ { 0 }, 0 },
	};
	const struct pmu_place place = { .linear = 0x401000 };
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		start(&pmu, "zen");
		wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
		run(&pmu, 992);
		pmu_set_place(&pmu, &place);
		pmu_set_access(&pmu, &rows[i].access);
		run(&pmu, 1);
		assert_true(op_valid(&pmu) && pmu_take_ibs(&pmu));
		assert_int_equal(rd(&pmu, OP_DATA3), rows[i].data3);
		assert_int_equal(rd(&pmu, DC_LINEAR), rows[i].access.linear);
		assert_int_equal(rd(&pmu, DC_PHYSICAL),
				 rows[i].access.physical);
		/* The next one has none. */
		wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
		assert_int_equal(run_to_interrupt(&pmu, 2000), 993);
		assert_int_equal(rd(&pmu, OP_DATA3), 0);
		assert_int_equal(rd(&pmu, DC_LINEAR), 0);
	}
}

/* A slice that is too long costs the place, and not the number. */
static void a_tagged_instruction_that_nobody_saw_has_no_place(void **state)
{
	struct pmu pmu;
	int user;

	(void)state;
	for (user = 0; user < 2; user++) {
		start(&pmu, "zen");
		pmu_set_user(&pmu, user);
		wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
		assert_int_equal(run_to_interrupt(&pmu, 5000), 993);
		assert_int_equal(rd(&pmu, OP_RIP), 993);
		wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
		run(&pmu, 5000);
		assert_true(op_valid(&pmu));
		assert_int_equal(rd(&pmu, OP_RIP), 0);
		assert_int_equal(rd(&pmu, OP_DATA), user ? 993 + 992 : 0);
		assert_int_equal(stat(&pmu, PMU_STAT_IBS_OP), 2);
	}
}

static void a_unit_stands_still_until_valid_is_cleared(void **state)
{
	const uint64_t ctl = OP_EN | OP_OPS | OP_MAX(992);
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 1; i < ARRAY_SIZE(ibs_models); i++) {
		start(&pmu, ibs_models[i]);
		wr(&pmu, OP_CTL, ctl);
		assert_int_equal(run_to_interrupt(&pmu, 5000), 993);
		assert_int_equal(pmu_distance(&pmu), PMU_NEVER);
		assert_int_equal(run_to_interrupt(&pmu, 5000), NEVER_SAMPLED);
		wr(&pmu, OP_CTL, ctl | OP_VAL);
		assert_int_equal(run_to_interrupt(&pmu, 5000), NEVER_SAMPLED);
		assert_int_equal(rd(&pmu, OP_RIP), 993);
		wr(&pmu, OP_CTL, ctl);
		assert_int_equal(run_to_interrupt(&pmu, 5000), 993);
		assert_int_equal(stat(&pmu, PMU_STAT_IBS_OP), 2);
		wr(&pmu, OP_CTL, ctl & ~OP_EN);
		assert_int_equal(run_to_interrupt(&pmu, 5000), NEVER_SAMPLED);
	}
}

static void fault(struct pmu *pmu, uint64_t kind, uint64_t arg)
{
	wr(pmu, PMU_STAT_BASE + PMU_STAT_FAULT, PMU_FAULT(kind, arg));
}

static void a_skid_moves_the_interrupt_and_not_the_sample(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu, "zen");
	fault(&pmu, PMU_FAULT_SKID, 7);
	wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
	assert_int_equal(run_to_interrupt(&pmu, 5000), 1000);
	assert_int_equal(rd(&pmu, OP_RIP), 993);
	assert_int_equal(rd(&pmu, OP_DATA), 0);
}

static void interrupts_are_lost_and_samples_are_not(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu, "zen");
	fault(&pmu, PMU_FAULT_LOSE, 1);
	wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
	assert_int_equal(run_to_interrupt(&pmu, 5000), NEVER_SAMPLED);
	assert_true(op_valid(&pmu));
	wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
	assert_int_equal(run_to_interrupt(&pmu, 5000), 993);
}

static void others_stop_the_op_unit_once(void **state)
{
	static const struct {
		unsigned int after;
		uint64_t sampled;
	} rows[] = { { 1, NEVER_SAMPLED },
		     { 992, NEVER_SAMPLED },
		     { 993, 993 },
		     { 2000, 993 } };
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		start(&pmu, "zen");
		wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
		fault(&pmu, PMU_FAULT_IBS_FOREIGN, rows[i].after);
		assert_int_equal(run_to_interrupt(&pmu, 5000), rows[i].sampled);
		run(&pmu, 5000);
		assert_int_equal(rd(&pmu, OP_CTL), 0);
		wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
		assert_int_equal(run_to_interrupt(&pmu, 5000), 993);
	}
}

static void an_interrupt_before_it_is_tagged_instead(void **state)
{
	const struct pmu_place user = { 0x1000, 0, false };
	const struct pmu_place handler = { 0x2000, 0, false };
	struct pmu pmu;

	(void)state;
	start(&pmu, "zen");
	pmu_set_user(&pmu, true);
	wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
	run(&pmu, 992);
	assert_true(pmu_wants_place(&pmu));
	pmu_set_place(&pmu, &user);
	pmu_set_user(&pmu, false);
	assert_true(pmu_wants_place(&pmu));
	pmu_set_place(&pmu, &handler);
	run(&pmu, 1);
	assert_int_equal(rd(&pmu, OP_RIP), 0x2000);
	assert_int_equal(rd(&pmu, OP_DATA), 992);
}

static void counters_do_not_know_of_it(void **state)
{
	struct pmu pmu;

	(void)state;
	start(&pmu, "zen");
	wr(&pmu, 0xc0010201, (1ull << 48) - 2000);
	wr(&pmu, 0xc0010200, INSNS_EVENT | USR | OS | INT | EN);
	wr(&pmu, OP_CTL, OP_EN | OP_OPS | OP_MAX(992));
	assert_int_equal(run_to_interrupt(&pmu, 1500), 993);
	assert_int_equal(rd(&pmu, 0xc0010201), (1ull << 48) - 2000 + 993);
	assert_false(pmu_take_pmi(&pmu));
	assert_int_equal(pmu_distance(&pmu), 1007);
	run(&pmu, 1007);
	assert_true(pmu_take_pmi(&pmu));
	assert_false(pmu_take_ibs(&pmu));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_instruction_behind_the_period_is_tagged),
		cmocka_unit_test(each_fourth_instruction_is_a_fetch),
		cmocka_unit_test(both_units_tag_the_same_instruction),
		cmocka_unit_test(the_data_are_the_user_instructions_before),
		cmocka_unit_test(the_operand_in_memory_is_there),
		cmocka_unit_test(
			a_tagged_instruction_that_nobody_saw_has_no_place),
		cmocka_unit_test(a_unit_stands_still_until_valid_is_cleared),
		cmocka_unit_test(a_skid_moves_the_interrupt_and_not_the_sample),
		cmocka_unit_test(interrupts_are_lost_and_samples_are_not),
		cmocka_unit_test(others_stop_the_op_unit_once),
		cmocka_unit_test(an_interrupt_before_it_is_tagged_instead),
		cmocka_unit_test(counters_do_not_know_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
