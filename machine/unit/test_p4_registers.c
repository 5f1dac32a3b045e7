// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4: which registers it has, their bits, and how RDPMC reads them.
 */

#include <string.h>

#include "p4_harness.h"

static bool is_documented(const char *model, uint32_t msr)
{
	unsigned int i, select;

	if ((msr >= 0x300 && msr <= 0x311) || (msr >= 0x360 && msr <= 0x371) ||
	    msr == PEBS_ENABLE || msr == MATRIX_VERT)
		return true;
	if (msr == 0x3ba || msr == 0x3bb)
		return !strcmp(model, "p4m1") || !strcmp(model, "p4m2");
	for (i = 0; i < COUNTERS; i++)
		for (select = 0; select < 8; select++)
			if (msr && msr == documented_escr(i, select))
				return true;
	return false;
}

static void exactly_the_documented_registers_exist(void **state)
{
	static const char *const names[] = { "p4", "p4m1", "p4m2", "p4ht" };
	static const uint32_t elsewhere[] = { 0x11,  0xc1,  0x186,
					      0x345, 0x38f, 0xc0010000 };
	unsigned int n, i, present;
	struct pmu pmu;
	uint64_t value;
	uint32_t msr;

	(void)state;
	for (n = 0; n < ARRAY_SIZE(names); n++) {
		assert_true(pmu_init(&pmu, names[n]));
		for (msr = 0x300, present = 0; msr < 0x400; msr++) {
			const bool exists = is_documented(names[n], msr);

			if (pmu_rdmsr(&pmu, msr, &value) == PMU_NOT_MINE) {
				assert_false(exists);
				continue;
			}
			present += exists;
			assert_int_equal(pmu_rdmsr(&pmu, msr, &value),
					 exists ? PMU_OK : PMU_GP);
			assert_int_equal(pmu_wrmsr(&pmu, msr, 0),
					 exists ? PMU_OK : PMU_GP);
		}
		/* 18 + 18 + 43 ESCRs + 2, and IQ_ESCR0 and 1. */
		assert_int_equal(present, n == 1 || n == 2 ? 83 : 81);
		for (i = 0; i < ARRAY_SIZE(elsewhere); i++)
			rd_faults(&pmu, elsewhere[i]);
	}
}

/* Every bit that may be set alone, and no other. */
static void check_bits(struct pmu *pmu, uint32_t msr, uint64_t bits)
{
	unsigned int bit;

	for (bit = 0; bit < 64; bit++) {
		if (bits >> bit & 1) {
			wr(pmu, msr, 1ull << bit);
			assert_int_equal(rd(pmu, msr), 1ull << bit);
			wr(pmu, msr, 0);
		} else {
			wr_faults(pmu, msr, 1ull << bit);
		}
	}
}

static void reserved_bits_fault(void **state)
{
	struct pmu pmu = p4();

	(void)state;
	check_bits(&pmu, CTR(0), FULL);
	check_bits(&pmu, 0x3b8, 0x7ffffffc);
	check_bits(&pmu, PEBS_ENABLE, 0x07001fff);
	check_bits(&pmu, MATRIX_VERT, 0x13);
	/* Those that make it count want both ACTIVE_THREAD bits. */
	check_bits(&pmu, CCCR(0), 0x87ffe000);
	wr_faults(&pmu, CCCR(0), ENABLE | 1u << 16);
	wr_faults(&pmu, CCCR(0), CASCADE | 1u << 17);
	wr(&pmu, CCCR(0), ENABLE | CASCADE | THREADS);
	wr_faults(&pmu, CCCR(0), PMI_T1);
	wr_faults(&pmu, CCCR(0), ENABLE | THREADS | EXT_CASCADE);
}

static void hyper_threading_has_bits_of_the_second_thread(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "p4ht"));
	check_bits(&pmu, 0x3b8, 0x7fffffff);
	check_bits(&pmu, CCCR(0), 0xcffff000);
}

static void extended_cascading_exists_from_model_2_on(void **state)
{
	static const struct {
		const char *name;
		bool has;
	} models4[] = { { "p4m1", false }, { "p4m2", true }, { "p4", true } };
	struct pmu pmu;
	unsigned int m, i;

	(void)state;
	for (m = 0; m < ARRAY_SIZE(models4); m++) {
		assert_true(pmu_init(&pmu, models4[m].name));
		for (i = 0; i < COUNTERS; i++) {
			const bool takes_it = i == 12 || i >= 15;

			assert_int_equal(
				pmu_wrmsr(&pmu, CCCR(i), THREADS | EXT_CASCADE),
				models4[m].has && takes_it ? PMU_OK : PMU_GP);
		}
	}
}

static void rdpmc_has_a_fast_form_of_32_bits(void **state)
{
	struct pmu pmu = p4();
	uint64_t value;
	unsigned int i;

	(void)state;
	for (i = 0; i < COUNTERS; i++) {
		wr(&pmu, CTR(i), 0xab12345600ull + i);
		assert_int_equal(pmu_rdpmc(&pmu, i, &value), PMU_OK);
		assert_int_equal(value, 0xab12345600ull + i);
		assert_int_equal(pmu_rdpmc(&pmu, 1u << 31 | i, &value), PMU_OK);
		assert_int_equal(value, 0x12345600u + i);
	}
	assert_int_equal(pmu_rdpmc(&pmu, 18, &value), PMU_GP);
	assert_int_equal(pmu_rdpmc(&pmu, 1u << 31 | 18, &value), PMU_GP);
	assert_int_equal(pmu_rdpmc(&pmu, 1u << 30, &value), PMU_GP);
}

static void reset_clears_all_registers(void **state)
{
	struct pmu pmu = p4();
	uint64_t value;
	uint32_t msr;

	(void)state;
	for (msr = 0x300; msr < 0x400; msr++)
		pmu_wrmsr(&pmu, msr, 0x10);
	start(&pmu, 12, ENABLE | PMI_T0, T0_OS);
	pmu_reset(&pmu);
	for (msr = 0x300; msr < 0x400; msr++)
		if (pmu_rdmsr(&pmu, msr, &value) == PMU_OK)
			assert_int_equal(value, 0);
	run(&pmu, 1000);
	assert_int_equal(rd(&pmu, CTR(12)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exactly_the_documented_registers_exist),
		cmocka_unit_test(reserved_bits_fault),
		cmocka_unit_test(hyper_threading_has_bits_of_the_second_thread),
		cmocka_unit_test(extended_cascading_exists_from_model_2_on),
		cmocka_unit_test(rdpmc_has_a_fast_form_of_32_bits),
		cmocka_unit_test(reset_clears_all_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
