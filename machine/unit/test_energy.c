// SPDX-License-Identifier: GPL-2.0-only
/* Counters of energy: a constant power, in the units that the processor tells. */

#include "pmu_harness.h"

#define MS 1000000ull
#define S (1000 * MS)

#define INTEL_UNITS 0x606
#define INTEL_PACKAGE 0x611
#define INTEL_MEMORY 0x619
#define INTEL_CORES 0x639
#define AMD_UNITS 0xc0010299
#define AMD_ONE_CORE 0xc001029a
#define AMD_PACKAGE 0xc001029b

static uint64_t energy(struct pmu *pmu, uint32_t msr, uint64_t ns)
{
	uint64_t value;

	assert_int_equal(pmu_rdmsr(pmu, msr, &value), PMU_ENERGY);
	return pmu_energy(pmu, msr, ns);
}

static void each_domain_draws_a_constant_power(void **state)
{
	static const struct {
		const char *model;
		uint32_t msr;
		uint64_t ns; /* of a unit */
	} rows[] = {
		{ "haswell", INTEL_PACKAGE, 1 << 20 },
		{ "skylake", INTEL_PACKAGE, 1 << 20 },
		{ "skylake", INTEL_CORES, 1 << 21 },
		{ "skylake", INTEL_MEMORY, 1 << 23 },
		{ "icelake", INTEL_PACKAGE, 1 << 20 },
		{ "icelake", INTEL_MEMORY, 1 << 21 },
		{ "spr", INTEL_MEMORY, 1 << 23 },
		{ "goldencove", INTEL_CORES, 1 << 21 },
		{ "gracemont", INTEL_PACKAGE, 1 << 20 },
		{ "zen", AMD_PACKAGE, 1 << 18 },
		{ "zen", AMD_ONE_CORE, 1 << 20 },
		{ "zen4", AMD_PACKAGE, 1 << 18 },
	};

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		const uint64_t ns = rows[i].ns;
		struct pmu pmu;

		assert_true(pmu_init(&pmu, rows[i].model));
		assert_int_equal(energy(&pmu, rows[i].msr, 0), 0);
		assert_int_equal(energy(&pmu, rows[i].msr, ns - 1), 0);
		assert_int_equal(energy(&pmu, rows[i].msr, ns), 1);
		assert_int_equal(energy(&pmu, rows[i].msr, 1000 * ns), 1000);
	}
}

static void the_units_are_those_of_the_maker(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "skylake"));
	assert_int_equal(rd(&pmu, INTEL_UNITS) >> 8 & 0x1f, 14);
	assert_true(pmu_init(&pmu, "zen"));
	assert_int_equal(rd(&pmu, AMD_UNITS) >> 8 & 0x1f, 16);
}

static void the_second_package_draws_twice_the_power(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "zen"));
	pmu_set_package(&pmu, 1);
	assert_int_equal(energy(&pmu, AMD_PACKAGE, 100 << 18), 200);
	pmu_reset(&pmu);
	assert_int_equal(energy(&pmu, AMD_PACKAGE, 100 << 18), 200);
}

static void counters_wrap_at_32_bits(void **state)
{
	const uint64_t ns = 1ull << 20;
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "skylake"));
	assert_int_equal(energy(&pmu, INTEL_PACKAGE, ns << 32), 0);
	assert_int_equal(energy(&pmu, INTEL_PACKAGE, (ns << 32) - 1),
			 UINT32_MAX);
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
	   PMU_FAULT(PMU_FAULT_ENERGY, 10ull));
	assert_int_equal(energy(&pmu, INTEL_PACKAGE, 9 * ns), UINT32_MAX);
	assert_int_equal(energy(&pmu, INTEL_PACKAGE, 10 * ns), 0);
	wr(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT, PMU_FAULT_CLEAR);
	assert_int_equal(energy(&pmu, INTEL_PACKAGE, 9 * ns), 9);
}

static void they_can_be_read_only(void **state)
{
	static const uint32_t intel[] = { INTEL_UNITS, INTEL_PACKAGE,
					  INTEL_MEMORY, INTEL_CORES };
	static const uint32_t amd[] = { AMD_UNITS, AMD_PACKAGE, AMD_ONE_CORE };
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "skylake"));
	for (unsigned int i = 0; i < ARRAY_SIZE(intel); i++)
		wr_faults(&pmu, intel[i], 0);
	assert_true(pmu_init(&pmu, "zen"));
	for (unsigned int i = 0; i < ARRAY_SIZE(amd); i++)
		wr_faults(&pmu, amd[i], 0);
}

/* What a driver of the PMU costs is counted without them. */
static void reading_them_is_no_access_to_the_pmu(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "zen"));
	energy(&pmu, AMD_PACKAGE, S);
	rd(&pmu, AMD_UNITS);
	assert_int_equal(stat(&pmu, PMU_STAT_RDMSR), 0);
	assert_int_equal(stat(&pmu, PMU_STAT_GP), 0);
}

static void others_have_none(void **state)
{
	static const struct {
		const char *model;
		uint32_t msr;
	} rows[] = {
		{ "core2", INTEL_UNITS },  { "nehalem", INTEL_PACKAGE },
		{ "fam15h", AMD_PACKAGE }, { "k7", AMD_UNITS },
		{ "zen", INTEL_PACKAGE },  { "skylake", AMD_PACKAGE },
		{ "spr", AMD_UNITS },	   { "zen", INTEL_UNITS },
		{ "skylake", 0x64d },
	};
	struct pmu pmu;
	uint64_t value;

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_true(pmu_init(&pmu, rows[i].model));
		assert_int_equal(pmu_rdmsr(&pmu, rows[i].msr, &value),
				 PMU_NOT_MINE);
		assert_int_equal(pmu_wrmsr(&pmu, rows[i].msr, 0), PMU_NOT_MINE);
	}
	assert_true(pmu_init(&pmu, "core2"));
	wr_faults(&pmu, PMU_STAT_BASE + PMU_STAT_FAULT,
		  PMU_FAULT(PMU_FAULT_ENERGY, 1ull));
}

static void amd_tells_of_them_by_cpuid(void **state)
{
	uint32_t regs[4] = { 1, 2, 3, 0x100 };
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "zen"));
	assert_true(pmu_cpuid(&pmu, 0x80000007, 0, regs));
	assert_int_equal(regs[3], 0x4100);
	assert_true(regs[0] == 1 && regs[1] == 2 && regs[2] == 3);
	assert_true(pmu_init(&pmu, "fam15h"));
	assert_false(pmu_cpuid(&pmu, 0x80000007, 0, regs));
	assert_true(pmu_init(&pmu, "skylake"));
	assert_false(pmu_cpuid(&pmu, 0x80000007, 0, regs));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_domain_draws_a_constant_power),
		cmocka_unit_test(the_units_are_those_of_the_maker),
		cmocka_unit_test(the_second_package_draws_twice_the_power),
		cmocka_unit_test(counters_wrap_at_32_bits),
		cmocka_unit_test(they_can_be_read_only),
		cmocka_unit_test(reading_them_is_no_access_to_the_pmu),
		cmocka_unit_test(others_have_none),
		cmocka_unit_test(amd_tells_of_them_by_cpuid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
