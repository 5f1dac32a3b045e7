// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch records: which branches are recorded, where, and when recording stops.
 */

#include "lbr_harness.h"

static void the_newest_branches_are_kept_in_order(void **state)
{
	const struct recorder *r;
	struct pmu pmu;
	unsigned int i;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		start_recorder(&pmu, r);
		for (i = 1; i <= 100; i++)
			branch(&pmu, PMU_JUMP, 0x1000 + i, 0x2000 + i);
		if (!r->newest_first)
			assert_int_equal(rd(&pmu, LBR_TOS), 100 % r->depth);
		for (i = 0; i < r->depth; i++) {
			assert_int_equal(rd(&pmu,
					    record_msr(&pmu, r, r->from, i)),
					 0x1064 - i);
			assert_int_equal(rd(&pmu,
					    record_msr(&pmu, r, r->to, i)),
					 to_field(r, 0x2064 - i));
		}
		assert_int_equal(stat(&pmu, PMU_STAT_BRANCHES), 100);
	}
}

static void nothing_is_recorded_while_it_is_off(void **state)
{
	const struct recorder *r;
	struct pmu pmu;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		start_recorder(&pmu, r);
		wr(&pmu, r->enable, 0);
		wr(&pmu, DEBUGCTL, DEBUGCTL_FREEZE | 2);
		assert_false(pmu_records_branches(&pmu));
		branch(&pmu, PMU_JUMP, 1, 2);
		assert_int_equal(stat(&pmu, PMU_STAT_BRANCHES), 0);
		assert_int_equal(newest_from(&pmu, r), 0);
	}
}

static void each_bit_of_the_selection_leaves_one_kind_out(void **state)
{
	static const struct {
		enum pmu_retired kind;
		uint64_t bit;
	} kinds[] = {
		{ PMU_COND_TAKEN, 0x004 },    { PMU_CALL, 0x008 },
		{ PMU_CALL_INDIRECT, 0x010 }, { PMU_RETURN, 0x020 },
		{ PMU_JUMP_INDIRECT, 0x040 }, { PMU_JUMP, 0x080 },
		{ PMU_FAR, 0x100 },
	};
	const struct recorder *r;
	unsigned int bit, i;
	struct pmu pmu;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		start_recorder(&pmu, r);
		for (bit = 0; bit < ARRAY_SIZE(kinds); bit++) {
			leave_out(&pmu, r, 0);
			branch(&pmu, PMU_JUMP, 0x0f, 0x20);
			wr(&pmu, PMU_STAT_BASE + PMU_STAT_BRANCHES, 0);
			leave_out(&pmu, r, kinds[bit].bit);
			for (i = 0; i < ARRAY_SIZE(kinds); i++) {
				branch(&pmu, kinds[i].kind, 0x10 + i, 0x20);
				assert_int_equal(newest_from(&pmu, r),
						 0x10 + i - (i == bit));
			}
			assert_int_equal(stat(&pmu, PMU_STAT_BRANCHES),
					 ARRAY_SIZE(kinds) - 1);
		}
	}
}

static void a_branch_is_of_the_level_where_it_ends(void **state)
{
	const struct pmu_branch enter = { .from = 0x1000,
					  .to = KERNEL,
					  .kind = PMU_FAR,
					  .to_kernel = true,
					  .insns = 1 };
	const struct pmu_branch leave = {
		.from = KERNEL + 8, .to = 0x1002, .kind = PMU_FAR, .insns = 2
	};
	const struct recorder *r;
	struct pmu pmu;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		start_recorder(&pmu, r);
		leave_out(&pmu, r, 1);
		pmu_record_branch(&pmu, &enter);
		assert_int_equal(stat(&pmu, PMU_STAT_BRANCHES), 0);
		pmu_record_branch(&pmu, &leave);
		assert_int_equal(newest_from(&pmu, r),
				 (KERNEL + 8) & ~r->from_flags);
		leave_out(&pmu, r, 2);
		pmu_record_branch(&pmu, &leave);
		assert_int_equal(stat(&pmu, PMU_STAT_BRANCHES), 1);
		pmu_record_branch(&pmu, &enter);
		assert_int_equal(rd(&pmu, record_msr(&pmu, r, r->to, 0)),
				 to_field(r, KERNEL));
		assert_int_equal(stat(&pmu, PMU_STAT_BRANCHES), 2);
	}
}

static void info_has_the_cycles_since_the_record_before(void **state)
{
	static const struct {
		uint64_t insns, cycles;
	} steps[] = {
		{ 1, 1 },	  { 1, 2 },	    { 100, 150 },
		{ 43690, 65535 }, { 43691, 65535 }, { 1000000, 65535 },
		{ 3, 5 },
	};
	const struct recorder *r = find_recorder("skylake");
	struct pmu pmu;
	unsigned int i;

	(void)state;
	start_recorder(&pmu, r);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		run(&pmu, steps[i].insns - 1);
		branch(&pmu, PMU_JUMP, 1, 2);
		assert_int_equal(rd(&pmu, record_msr(&pmu, r, r->info, 0)),
				 steps[i].cycles);
	}
	/* The time when nothing was recorded is not in it. */
	wr(&pmu, DEBUGCTL, 0);
	run(&pmu, 1000);
	wr(&pmu, DEBUGCTL, DEBUGCTL_LBR);
	run(&pmu, 3);
	branch(&pmu, PMU_JUMP, 1, 2);
	assert_in_range(rd(&pmu, record_msr(&pmu, r, r->info, 0)), 5, 6);
}

/* The architectural INFO has the kind as well. */
static void info_has_the_kind(void **state)
{
	static const struct {
		enum pmu_retired kind;
		uint64_t type;
	} kinds[] = {
		{ PMU_COND_TAKEN, 0 }, { PMU_JUMP_INDIRECT, 1 },
		{ PMU_JUMP, 2 },       { PMU_CALL_INDIRECT, 3 },
		{ PMU_CALL, 4 },       { PMU_RETURN, 5 },
		{ PMU_FAR, 8 },
	};
	const struct recorder *r;
	struct pmu pmu;
	unsigned int i;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		if (r->format != 0x3f)
			continue;
		start_recorder(&pmu, r);
		for (i = 0; i < ARRAY_SIZE(kinds); i++) {
			branch(&pmu, kinds[i].kind, 1, 2);
			assert_int_equal(rd(&pmu, r->info) >> 56,
					 0x10 | kinds[i].type);
		}
	}
}

static void a_fault_mispredicts_each_so_many(void **state)
{
	const struct recorder *r;
	unsigned int age;
	struct pmu pmu;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		const uint32_t flags = r->info ? r->info : r->from;

		start_recorder(&pmu, r);
		branch(&pmu, PMU_JUMP, 1, 2);
		wr(&pmu, PMU_STAT_BASE + PMU_STAT_BRANCHES, 0);
		wr(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
		   PMU_FAULT(PMU_FAULT_MISPREDICT, 3));
		for (age = 0; age < 7; age++)
			branch(&pmu, PMU_JUMP, KERNEL, 2);
		for (age = 0; age < 8; age++)
			assert_int_equal(
				rd(&pmu, record_msr(&pmu, r, flags, age)) >> 63,
				age == 1 || age == 4);
	}
}

static void a_return_takes_its_call_away(void **state)
{
	const struct recorder *r;
	unsigned int i;
	struct pmu pmu;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		if (!r->has_call_stack)
			continue;
		start_recorder(&pmu, r);
		leave_out(&pmu, r, CALL_STACK | 0x1c5);
		branch(&pmu, PMU_RETURN, 1, 2);
		if (!r->newest_first)
			assert_int_equal(rd(&pmu, LBR_TOS), 0);
		branch(&pmu, PMU_CALL, 0x100, 0x1000);
		branch(&pmu, PMU_CALL_INDIRECT, 0x200, 0x2000);
		branch(&pmu, PMU_CALL, 0x300, 0x305);
		branch(&pmu, PMU_JUMP, 0x400, 0x4000);
		assert_int_equal(newest_from(&pmu, r), 0x200);
		branch(&pmu, PMU_RETURN, 0x2008, 0x202);
		assert_int_equal(newest_from(&pmu, r), 0x100);
		/* Nothing of it is left behind the newest one. */
		assert_int_equal(rd(&pmu,
				    record_msr(&pmu, r, r->from, r->depth - 1)),
				 0);
		branch(&pmu, PMU_RETURN, 0x1008, 0x105);
		assert_int_equal(newest_from(&pmu, r), 0);
		for (i = 0; i < r->depth + 2; i++)
			branch(&pmu, PMU_CALL, 0x1000 + i, 0x5000);
		for (i = r->depth + 2; i-- > 2;) {
			assert_int_equal(newest_from(&pmu, r), 0x1000 + i);
			branch(&pmu, PMU_RETURN, 0x5001, 0x2000);
		}
		assert_int_equal(newest_from(&pmu, r), 0);
	}
}

/* Counter 0 overflows in so many instructions. */
static void start_overflow(struct pmu *pmu, const struct recorder *r,
			   uint64_t insns, uint64_t select)
{
	const bool is_amd = r->select == 0xc000010e;

	wr(pmu, is_amd ? 0xc0010201 : 0xc1, -insns & 0xffffffffffff);
	wr(pmu, is_amd ? 0xc0010200 : 0x186,
	   INSNS_EVENT | USR | OS | EN | select);
	wr(pmu, is_amd ? V2_GLOBAL_CTL : GLOBAL_CTRL, 1);
}

static void ask_for_freeze(struct pmu *pmu)
{
	wr(pmu, DEBUGCTL, rd(pmu, DEBUGCTL) | DEBUGCTL_FREEZE);
}

static void an_interrupt_freezes_the_records_if_told(void **state)
{
	const struct recorder *r;
	struct pmu pmu;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		start_recorder(&pmu, r);
		start_overflow(&pmu, r, 10, INT);
		run(&pmu, 10);
		assert_true(pmu_take_pmi(&pmu));
		assert_true(pmu_records_branches(&pmu));

		start_recorder(&pmu, r);
		ask_for_freeze(&pmu);
		start_overflow(&pmu, r, 10, INT);
		run(&pmu, 9);
		assert_true(pmu_records_branches(&pmu));
		run(&pmu, 1);
		assert_false(pmu_records_branches(&pmu));
		branch(&pmu, PMU_JUMP, 1, 2);
		assert_int_equal(stat(&pmu, PMU_STAT_BRANCHES), 0);
		if (r->status) {
			assert_int_equal(rd(&pmu, r->status),
					 STATUS_LBR_FRZ | 1);
			assert_int_equal(rd(&pmu, r->enable) & r->enable_bit,
					 r->enable_bit);
			wr(&pmu, r->status_reset, STATUS_LBR_FRZ);
		} else {
			assert_int_equal(rd(&pmu, GLOBAL_STATUS), 1);
			assert_int_equal(rd(&pmu, DEBUGCTL), DEBUGCTL_FREEZE);
			wr(&pmu, DEBUGCTL, DEBUGCTL_LBR | DEBUGCTL_FREEZE);
		}
		assert_true(pmu_records_branches(&pmu));
	}
}

static void only_an_interrupt_that_comes_freezes_the_records(void **state)
{
	const struct recorder *r;
	struct pmu pmu;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		start_recorder(&pmu, r);
		ask_for_freeze(&pmu);
		start_overflow(&pmu, r, 10, 0);
		run(&pmu, 20);
		assert_true(pmu_records_branches(&pmu));
		wr(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
		   PMU_FAULT(PMU_FAULT_LOSE, 1));
		start_overflow(&pmu, r, 10, INT);
		run(&pmu, 20);
		assert_true(pmu_records_branches(&pmu));
		wr(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
		   PMU_FAULT(PMU_FAULT_SKID, 7));
		start_overflow(&pmu, r, 10, INT);
		run(&pmu, 10);
		assert_true(pmu_records_branches(&pmu));
		run(&pmu, 7);
		assert_false(pmu_records_branches(&pmu));
	}
}

/* The interrupt comes behind the branch: it is not recorded itself. */
static void a_branch_that_overflows_is_recorded(void **state)
{
	struct pmu_branch taken = { .from = 0x1000,
				    .to = KERNEL,
				    .kind = PMU_FAR,
				    .to_kernel = true,
				    .insns = 10 };
	const struct recorder *r;
	struct pmu pmu;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		start_recorder(&pmu, r);
		ask_for_freeze(&pmu);
		start_overflow(&pmu, r, 10, INT);
		run(&pmu, 10);
		assert_false(pmu_records_branches(&pmu));
		taken.retires = false;
		pmu_record_branch(&pmu, &taken);
		assert_int_equal(stat(&pmu, PMU_STAT_BRANCHES), 0);
		taken.retires = true;
		pmu_record_branch(&pmu, &taken);
		assert_int_equal(stat(&pmu, PMU_STAT_BRANCHES), 1);
	}
}

static void a_debug_exception_clears_two_bits_of_debugctl(void **state)
{
	const struct recorder *r;
	struct pmu pmu;
	uint64_t before;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		start_recorder(&pmu, r);
		wr(&pmu, DEBUGCTL, rd(&pmu, DEBUGCTL) | DEBUGCTL_FREEZE | 2);
		before = rd(&pmu, DEBUGCTL);
		branch(&pmu, PMU_JUMP, 1, 2);
		pmu_debug_exception(&pmu);
		assert_int_equal(rd(&pmu, DEBUGCTL), before & ~3ull);
		assert_int_equal(pmu_records_branches(&pmu),
				 r->enable != DEBUGCTL);
		assert_int_equal(newest_from(&pmu, r), 1);
	}
}

static void a_reset_forgets_the_records(void **state)
{
	const struct recorder *r;
	struct pmu pmu;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		start_recorder(&pmu, r);
		branch(&pmu, PMU_JUMP, 1, 2);
		assert_int_equal(newest_from(&pmu, r), 1);
		pmu_reset(&pmu);
		assert_false(pmu_records_branches(&pmu));
		assert_int_equal(rd(&pmu, r->from), 0);
		assert_int_equal(rd(&pmu, r->from + r->step), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_branches_are_kept_in_order),
		cmocka_unit_test(nothing_is_recorded_while_it_is_off),
		cmocka_unit_test(each_bit_of_the_selection_leaves_one_kind_out),
		cmocka_unit_test(a_branch_is_of_the_level_where_it_ends),
		cmocka_unit_test(info_has_the_cycles_since_the_record_before),
		cmocka_unit_test(info_has_the_kind),
		cmocka_unit_test(a_fault_mispredicts_each_so_many),
		cmocka_unit_test(a_return_takes_its_call_away),
		cmocka_unit_test(an_interrupt_freezes_the_records_if_told),
		cmocka_unit_test(
			only_an_interrupt_that_comes_freezes_the_records),
		cmocka_unit_test(a_branch_that_overflows_is_recorded),
		cmocka_unit_test(a_debug_exception_clears_two_bits_of_debugctl),
		cmocka_unit_test(a_reset_forgets_the_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
