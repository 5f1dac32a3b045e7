// SPDX-License-Identifier: GPL-2.0-only
/*
 * The v2.81 calls of libpfm on a kernel with version 3.0: each field of a
 * register. Also linked with fake_memory.c: nothing may call malloc().
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "fake_kernel.h"

#define PMD_AND_ATTR (PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR)

/* Writing PMCs */

static void pmcs_become_pmrs(void **state)
{
	pfarg_pmc_t pmcs[2], before[2];

	(void)state;
	memset(pmcs, 0xa5, sizeof(pmcs));
	pmcs[0].reg_num = 11;
	pmcs[0].reg_set = 12;
	pmcs[0].reg_flags = PFM_REGFL_NO_EMUL64;
	pmcs[0].reg_value = 0x123456789abcdef0;
	pmcs[1].reg_num = 319;
	memcpy(before, pmcs, sizeof(pmcs));
	assert_int_equal(pfm_write_pmcs(3, pmcs, 2), 0);
	assert_int_equal(fake.count, 1);
	assert_int_equal(fake.calls[0].offset, PFM_NR_WRITE_PMRS);
	assert_int_equal(fake.calls[0].args[0], 3);
	assert_int_equal(fake.calls[0].args[1], PFM_RWFL_PMC);
	assert_int_equal(fake.calls[0].args[3], 2);
	assert_int_equal(fake.pmrs[0].reg_num, 11);
	assert_int_equal(fake.pmrs[0].reg_set, 12);
	assert_int_equal(fake.pmrs[0].reg_flags, PFM_REGFL_NO_EMUL64);
	assert_int_equal(fake.pmrs[0].reg_value, 0x123456789abcdef0);
	assert_int_equal(fake.pmrs[1].reg_num, 319);
	assert_int_equal(fake.pmrs[1].reg_set, 0xa5a5);
	assert_int_equal(fake.pmrs[1].reg_flags, 0xa5a5a5a5);
	assert_memory_equal(pmcs, before, sizeof(pmcs));
}

/* Writing PMDs: a row for each field, with where it must arrive. */

#define FROM(field) \
	offsetof(pfarg_pmd_t, field), sizeof(((pfarg_pmd_t *)0)->field)
#define TO(field) offsetof(pfarg_pmd_attr_t, field)

static const struct {
	size_t from, size, to;
} attributes[] = {
	{ FROM(reg_long_reset), TO(reg_long_reset) },
	{ FROM(reg_short_reset), TO(reg_short_reset) },
	{ FROM(reg_ovfl_switch_cnt), TO(reg_ovfl_swcnt) },
	{ FROM(reg_reset_pmds), TO(reg_reset_pmds) },
	{ FROM(reg_smpl_pmds), TO(reg_smpl_pmds) },
	{ FROM(reg_smpl_eventid), TO(reg_smpl_eventid) },
	{ FROM(reg_random_mask), TO(reg_random_mask) },
};

/* No two bytes near each other are equal. */
static void fill(void *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((unsigned char *)data)[i] = (unsigned char)(i * 37 + 11);
}

static void each_field_of_a_pmd_arrives(void **state)
{
	static const uint64_t zero[8];
	pfarg_pmd_t pmd, before;

	(void)state;
	fill(&pmd, sizeof(pmd));
	before = pmd;
	assert_int_equal(pfm_write_pmds(3, &pmd, 1), 0);
	assert_int_equal(fake.count, 1);
	assert_int_equal(fake.calls[0].offset, PFM_NR_WRITE_PMRS);
	assert_int_equal(fake.calls[0].args[1], PMD_AND_ATTR);
	assert_memory_equal(&fake.pmrs[0], &pmd, sizeof(fake.pmrs[0]));
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++)
		assert_memory_equal((char *)&fake.attrs[0] + attributes[i].to,
				    (char *)&pmd + attributes[i].from,
				    attributes[i].size);
	/* What is only an output, and what v2.81 ignored, is not sent. */
	assert_int_equal(fake.attrs[0].reg_last_value, 0);
	assert_memory_equal(&fake.attrs[0].reg_smpl_rate, zero, sizeof(zero));
	assert_memory_equal(&pmd, &before, sizeof(pmd));
}

/* C180, in the order of the bits of the two structures. */
static void reset_and_sample_masks_are_not_swapped(void **state)
{
	pfarg_pmd_t pmd = { .reg_num = 1 };

	(void)state;
	pmd.reg_reset_pmds[1] = 1;
	pmd.reg_smpl_pmds[4] = 2;
	assert_int_equal(pfm_write_pmds(3, &pmd, 1), 0);
	assert_int_equal(fake.attrs[0].reg_reset_pmds[1], 1);
	assert_int_equal(fake.attrs[0].reg_smpl_pmds[4], 2);
	assert_int_equal(fake.attrs[0].reg_reset_pmds[4], 0);
	assert_int_equal(fake.attrs[0].reg_smpl_pmds[1], 0);
}

/* C175 */
static void a_read_changes_three_fields(void **state)
{
	pfarg_pmd_t pmds[2], wanted[2];

	(void)state;
	memset(pmds, 0xa5, sizeof(pmds));
	pmds[0].reg_num = 4;
	pmds[1].reg_num = 5;
	memcpy(wanted, pmds, sizeof(pmds));
	for (int i = 0; i < 2; i++) {
		wanted[i].reg_value = FAKE_VALUE(pmds[i].reg_num);
		wanted[i].reg_last_reset_val = FAKE_LAST_VALUE(pmds[i].reg_num);
		wanted[i].reg_ovfl_switch_cnt = FAKE_SWCNT(pmds[i].reg_num);
	}
	assert_int_equal(pfm_read_pmds(3, pmds, 2), 0);
	assert_int_equal(fake.calls[0].offset, PFM_NR_READ_PMRS);
	assert_int_equal(fake.calls[0].args[1], PMD_AND_ATTR);
	assert_memory_equal(pmds, wanted, sizeof(pmds));
}

#define TEST(test) \
	cmocka_unit_test_setup_teardown(test, fake_setup_v3, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(pmcs_become_pmrs),
		TEST(each_field_of_a_pmd_arrives),
		TEST(reset_and_sample_masks_are_not_swapped),
		TEST(a_read_changes_three_fields),
	};

	return cmocka_run_group_tests_name("lib_compat_regs", tests, NULL,
					   NULL);
}
