// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of branch records: which there are, what writes keep, what faults.
 */

#include "lbr_harness.h"

static bool has_records(const char *model)
{
	const struct recorder *r;

	FOR_EACH_RECORDER(r)
	if (!strncmp(r->model, model, strcspn(model, "-")))
		return true;
	return false;
}

static void processors_without_records_have_no_such_registers(void **state)
{
	static const uint32_t msrs[] = { DEBUGCTL, LBR_SELECT, LBR_TOS,
					 LBR_FROM, LBR_TO,     LBR_INFO };
	struct pmu pmu;
	uint64_t value;
	unsigned int m, i;

	(void)state;
	for (m = 0; m < ARRAY_SIZE(models); m++) {
		if (has_records(models[m].name))
			continue;
		assert_true(pmu_init(&pmu, models[m].name));
		assert_false(pmu_records_branches(&pmu));
		for (i = 0; i < ARRAY_SIZE(msrs); i++) {
			assert_int_equal(pmu_rdmsr(&pmu, msrs[i], &value),
					 PMU_NOT_MINE);
			assert_int_equal(pmu_wrmsr(&pmu, msrs[i], 1),
					 PMU_NOT_MINE);
		}
	}
}

static void each_record_has_its_registers(void **state)
{
	const struct recorder *r;
	struct pmu pmu;
	uint64_t value;
	uint32_t i;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		assert_true(pmu_init(&pmu, r->model));
		for (i = 0; i < r->depth; i++) {
			wr(&pmu, LBR_FROM + i, 0x100 + i);
			wr(&pmu, LBR_TO + i, 0x200 + i);
			if (r->has_info)
				wr(&pmu, LBR_INFO + i, 0x300 + i);
		}
		for (i = 0; i < r->depth; i++) {
			assert_int_equal(rd(&pmu, LBR_FROM + i), 0x100 + i);
			assert_int_equal(rd(&pmu, LBR_TO + i), 0x200 + i);
			if (r->has_info)
				assert_int_equal(rd(&pmu, LBR_INFO + i),
						 0x300 + i);
		}
		assert_int_equal(pmu_rdmsr(&pmu, LBR_FROM + r->depth, &value),
				 PMU_NOT_MINE);
		assert_int_equal(pmu_rdmsr(&pmu, LBR_TO + r->depth, &value),
				 PMU_NOT_MINE);
		if (!r->has_info)
			assert_int_equal(pmu_rdmsr(&pmu, LBR_INFO, &value),
					 PMU_NOT_MINE);
	}
}

/* On all, on those with INFO, without it, with a stack of calls, without one. */
enum who { ALL, WITH_INFO, WITHOUT_INFO, STACKING, NOT_STACKING };

static bool is_for(const struct recorder *r, enum who who)
{
	switch (who) {
	case ALL:
		return true;
	case WITH_INFO:
	case WITHOUT_INFO:
		return r->has_info == (who == WITH_INFO);
	default:
		return r->has_call_stack == (who == STACKING);
	}
}

static void keeps(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	wr(pmu, msr, value);
	assert_int_equal(rd(pmu, msr), value);
}

static void registers_keep_what_they_have_and_refuse_the_rest(void **state)
{
	static const struct {
		enum who who;
		uint32_t msr;
		uint64_t value;
		bool refused;
	} writes[] = {
		{ ALL, DEBUGCTL, 0x5fc3, false },
		{ ALL, DEBUGCTL, 1ull << 2, true },
		{ ALL, DEBUGCTL, 1ull << 13, true },
		{ ALL, DEBUGCTL, 1ull << 32, true },
		{ ALL, LBR_SELECT, 0x1ff, false },
		{ STACKING, LBR_SELECT, 0x3ff, false },
		{ NOT_STACKING, LBR_SELECT, 0x200, true },
		{ ALL, LBR_SELECT, 0x400, true },
		{ ALL, LBR_SELECT, 1ull << 32, true },
		{ ALL, LBR_TOS, 15, false },
		{ WITH_INFO, LBR_TOS, 31, false },
		{ WITHOUT_INFO, LBR_TOS, 16, true },
		{ ALL, LBR_TOS, 32, true },
		{ ALL, LBR_FROM, 0x7fffffffffff, false },
		{ ALL, LBR_FROM, KERNEL, false },
		{ ALL, LBR_FROM, 0x800000000000, true },
		{ WITHOUT_INFO, LBR_FROM, 1ull << 63, false },
		{ WITHOUT_INFO, LBR_FROM, KERNEL & ~(1ull << 63), false },
		{ WITHOUT_INFO, LBR_FROM, KERNEL & ~(1ull << 62), true },
		{ WITH_INFO, LBR_FROM, KERNEL & ~(1ull << 63), true },
		{ ALL, LBR_TO, KERNEL, false },
		{ ALL, LBR_TO, KERNEL & ~(1ull << 63), true },
		{ WITH_INFO, LBR_INFO, 0xe00000000000ffff, false },
		{ WITH_INFO, LBR_INFO, 0x10000, true },
	};
	const struct recorder *r;
	struct pmu pmu;
	unsigned int i;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		assert_true(pmu_init(&pmu, r->model));
		for (i = 0; i < ARRAY_SIZE(writes); i++) {
			if (!is_for(r, writes[i].who))
				continue;
			if (writes[i].refused)
				wr_faults(&pmu, writes[i].msr, writes[i].value);
			else
				keeps(&pmu, writes[i].msr, writes[i].value);
		}
	}
}

static void the_format_is_announced(void **state)
{
	const struct recorder *r;
	struct pmu pmu;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		assert_true(pmu_init(&pmu, r->model));
		assert_int_equal(rd(&pmu, PERF_CAPABILITIES) & 0x3f,
				 r->has_info	   ? 5 :
				 r->has_call_stack ? 4 :
						     3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			processors_without_records_have_no_such_registers),
		cmocka_unit_test(each_record_has_its_registers),
		cmocka_unit_test(
			registers_keep_what_they_have_and_refuse_the_rest),
		cmocka_unit_test(the_format_is_announced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
