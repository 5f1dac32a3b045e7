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
	static const uint32_t msrs[] = { DEBUGCTL,   0x1c8,	 0x1c9,
					 0x680,	     0x6c0,	 0xdc0,
					 0xc000010e, 0xc000010f, 0xc0010300,
					 0x14ce,     0x14cf,	 0x1200,
					 0x1500,     0x1600 };
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
			wr(&pmu, r->from + i * r->step, 0x100 + i);
			wr(&pmu, r->to + i * r->step, 0x200 + i);
			if (r->info)
				wr(&pmu, r->info + i, 0x300 + i);
		}
		for (i = 0; i < r->depth; i++) {
			assert_int_equal(rd(&pmu, r->from + i * r->step),
					 0x100 + i);
			assert_int_equal(rd(&pmu, r->to + i * r->step),
					 0x200 + i);
			if (r->info)
				assert_int_equal(rd(&pmu, r->info + i),
						 0x300 + i);
		}
		assert_int_equal(pmu_rdmsr(&pmu, r->from + r->depth * r->step,
					   &value),
				 PMU_NOT_MINE);
		assert_int_equal(pmu_rdmsr(&pmu, r->to + r->depth * r->step,
					   &value),
				 PMU_NOT_MINE);
		if (!r->info)
			assert_int_equal(pmu_rdmsr(&pmu, 0xdc0, &value),
					 PMU_NOT_MINE);
	}
}

/* On these processors: all of Intel's, or by their format. */
#define ALL_INTEL (OLD | TSX | WITH_INFO)
enum who { OLD = 1, TSX = 2, WITH_INFO = 4, AMD = 8, ARCHITECTURAL = 16 };

static bool is_for(const struct recorder *r, unsigned int who)
{
	switch (r->format) {
	case 3:
		return who & OLD;
	case 4:
		return who & TSX;
	case 5:
		return who & WITH_INFO;
	case 0x3f:
		return who & ARCHITECTURAL;
	default:
		return who & AMD;
	}
}

static void keeps(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	wr(pmu, msr, value);
	assert_int_equal(rd(pmu, msr), value);
}

static const struct {
	unsigned int who;
	uint32_t msr;
	uint64_t value;
	bool refused;
} writes[] = {
	{ ALL_INTEL, DEBUGCTL, 0x5fc3, false },
	{ ALL_INTEL, DEBUGCTL, 1ull << 2, true },
	{ ALL_INTEL, DEBUGCTL, 1ull << 13, true },
	{ ALL_INTEL, DEBUGCTL, 1ull << 32, true },
	{ AMD, DEBUGCTL, 0x183f, false },
	{ ALL_INTEL, 0x1c8, 0x1ff, false },
	{ TSX | WITH_INFO, 0x1c8, 0x3ff, false },
	{ OLD, 0x1c8, 0x200, true },
	{ ALL_INTEL, 0x1c8, 0x400, true },
	{ ALL_INTEL, 0x1c8, 1ull << 32, true },
	{ AMD, 0xc000010e, 0x1ff, false },
	{ AMD, 0xc000010f, 0x40, false },
	{ ALL_INTEL, LBR_TOS, 15, false },
	{ WITH_INFO, LBR_TOS, 31, false },
	{ OLD | TSX, LBR_TOS, 16, true },
	{ ALL_INTEL, LBR_TOS, 32, true },
	{ ALL_INTEL, 0x680, 0x7fffffffffff, false },
	{ ALL_INTEL, 0x680, KERNEL, false },
	{ ALL_INTEL, 0x680, 0x800000000000, true },
	{ OLD | TSX, 0x680, 1ull << 63, false },
	{ OLD | TSX, 0x680, KERNEL & ~(1ull << 63), false },
	{ OLD | TSX, 0x680, KERNEL & ~(1ull << 62), true },
	{ WITH_INFO, 0x680, KERNEL & ~(1ull << 63), true },
	{ ALL_INTEL, 0x6c0, KERNEL, false },
	{ ALL_INTEL, 0x6c0, KERNEL & ~(1ull << 63), true },
	{ WITH_INFO, 0xdc0, 0xe00000000000ffff, false },
	{ WITH_INFO, 0xdc0, 0x10000, true },
	{ ARCHITECTURAL, 0x14ce, 0x7f000f, false },
	{ ARCHITECTURAL, 0x14ce, 1 << 4, true },
	{ ARCHITECTURAL, 0x14ce, 1 << 23, true },
	{ ARCHITECTURAL, 0x14cf, 8, false },
	{ ARCHITECTURAL, 0x14cf, 24, true },
	{ ARCHITECTURAL, 0x14cf, 64, true },
	{ ARCHITECTURAL, 0x1500, KERNEL, false },
	{ ARCHITECTURAL, 0x1500, KERNEL & ~(1ull << 63), true },
	{ ARCHITECTURAL, 0x1600, 0x800000000000, true },
	{ ARCHITECTURAL, 0x1200, 0xff0000000000ffff, false },
	{ ARCHITECTURAL, 0x1200, 0x10000, true },
	{ ARCHITECTURAL, DEBUGCTL, 0x5fc2, false },
	{ ARCHITECTURAL, DEBUGCTL, 1 << 13, true },
	{ AMD, 0xc0010300, UINT64_MAX, false },
	{ AMD, 0xc0010301, UINT64_MAX, false },
};

static void registers_keep_what_they_have_and_refuse_the_rest(void **state)
{
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

static void reserved_bits_of_amd_read_as_zero(void **state)
{
	static const struct {
		uint32_t msr;
		uint64_t bits;
	} registers[] = {
		{ DEBUGCTL, 0x183f },
		{ 0xc000010e, 0x1ff },
		{ 0xc000010f, 0x40 },
	};
	struct pmu pmu;
	unsigned int i;

	(void)state;
	assert_true(pmu_init(&pmu, "zen4"));
	for (i = 0; i < ARRAY_SIZE(registers); i++) {
		wr(&pmu, registers[i].msr, UINT64_MAX);
		assert_int_equal(rd(&pmu, registers[i].msr), registers[i].bits);
	}
}

static void a_write_of_the_depth_forgets_the_records(void **state)
{
	const struct recorder *r = find_recorder("spr");
	struct pmu pmu;
	uint64_t value;
	unsigned int i;

	(void)state;
	start_recorder(&pmu, r);
	assert_int_equal(rd(&pmu, 0x14cf), 32);
	for (i = 1; i <= 40; i++)
		branch(&pmu, PMU_JUMP, i, 2);
	assert_int_equal(rd(&pmu, r->from + 31), 9);
	wr(&pmu, 0x14cf, 8);
	for (i = 0; i < 8; i++)
		assert_int_equal(rd(&pmu, r->from + i), 0);
	for (i = 1; i <= 11; i++)
		branch(&pmu, PMU_JUMP, i, 2);
	for (i = 0; i < 8; i++)
		assert_int_equal(rd(&pmu, r->from + i), 11 - i);
	assert_int_equal(pmu_rdmsr(&pmu, r->from + 8, &value), PMU_GP);
	wr_faults(&pmu, r->info + 8, 0);
	/* This bit of DEBUGCTL is not there. */
	wr(&pmu, DEBUGCTL, 1);
	assert_int_equal(rd(&pmu, DEBUGCTL), 0);
}

/* Leaves 7 and 28. */
static bool tells_of_architectural(const struct pmu *pmu)
{
	uint32_t features[4] = { 0 }, regs[4] = { 0 };
	const bool changed = pmu_cpuid(pmu, 7, 0, features);
	const bool told = changed && features[3] >> 19 & 1;

	assert_int_equal(pmu_cpuid(pmu, 28, 0, regs), told);
	assert_int_equal(regs[0], told ? 0x8000000b : 0);
	assert_int_equal(regs[1], told ? 7 : 0);
	assert_int_equal(regs[2], told ? 7 : 0);
	return told;
}

static void the_records_are_announced(void **state)
{
	const struct recorder *r;
	uint32_t regs[4] = { 0 };
	struct pmu pmu;

	(void)state;
	FOR_EACH_RECORDER(r)
	{
		assert_true(pmu_init(&pmu, r->model));
		if (r->format) {
			assert_int_equal(rd(&pmu, PERF_CAPABILITIES) & 0x3f,
					 r->format);
			assert_int_equal(tells_of_architectural(&pmu),
					 r->format == 0x3f);
			continue;
		}
		assert_true(pmu_cpuid(&pmu, 0x80000022, 0, regs));
		assert_int_equal(regs[0], 7);
		assert_int_equal(regs[1] >> 4 & 0x3f, r->depth);
	}
	assert_true(pmu_init(&pmu, "perfmonv2-15"));
	assert_true(pmu_cpuid(&pmu, 0x80000022, 0, regs));
	assert_int_equal(regs[0], 1);
	assert_int_equal(regs[1], 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			processors_without_records_have_no_such_registers),
		cmocka_unit_test(each_record_has_its_registers),
		cmocka_unit_test(
			registers_keep_what_they_have_and_refuse_the_rest),
		cmocka_unit_test(reserved_bits_of_amd_read_as_zero),
		cmocka_unit_test(a_write_of_the_depth_forgets_the_records),
		cmocka_unit_test(the_records_are_announced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
