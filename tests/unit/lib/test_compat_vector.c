// SPDX-License-Identifier: GPL-2.0-only
/*
 * The v2.81 calls of libpfm on a kernel with version 3.0: vectors of registers,
 * their bad elements, their sizes, and the memory that they take. Also linked with
 * fake_memory.c: memory is counted, and may be refused.
 */
#include <errno.h>
#include <limits.h>
#include <perfmon/perfmon.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "compat_vector.h"
#include "fake_kernel.h"
#include "fake_memory.h"

#define PMD_AND_ATTR (PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR)

/* Registers of the biggest vector here. */
#define MANY 200

static int setup(void **state)
{
	memset(&memory, 0, sizeof(memory));
	return fake_setup_v3(state);
}

/* Partial failure */

static void number(pfarg_pmd_t *pmds, int n)
{
	memset(pmds, 0, (size_t)n * sizeof(*pmds));
	for (int i = 0; i < n; i++)
		pmds[i].reg_num = (uint16_t)i;
}

/* C176, whatever the number of calls that it takes. */
static void elements_before_a_bad_one_are_applied(void **state)
{
	static const struct {
		int n, bad;
	} rows[] = { { 3, 0 },	 { 3, 1 },   { 3, 2 },	 { 22, 5 },
		     { 22, 11 }, { 23, 11 }, { 23, 12 }, { 23, 22 } };
	pfarg_pmd_t pmds[23];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		fake_forget();
		number(pmds, rows[i].n);
		pmds[rows[i].bad].reg_num = FAKE_BAD_REG;
		assert_fails(pfm_write_pmds(3, pmds, rows[i].n), EINVAL);
		assert_int_equal(fake.elements, rows[i].bad);
		for (int j = 0; j < rows[i].bad; j++)
			assert_int_equal(fake.pmrs[j].reg_num, j);
	}
}

static void elements_before_a_bad_one_are_read(void **state)
{
	static const int bads[] = { 0, 1, 10, 11, 12, 21, 22 };
	pfarg_pmd_t pmds[23], wanted[23];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bads); i++) {
		fake_forget();
		number(pmds, 23);
		for (int j = 0; j < 23; j++) {
			pmds[j].reg_value = 5;
			pmds[j].reg_last_reset_val = 6;
			pmds[j].reg_ovfl_switch_cnt = 7;
		}
		pmds[bads[i]].reg_num = FAKE_BAD_REG;
		memcpy(wanted, pmds, sizeof(pmds));
		for (int j = 0; j < bads[i]; j++) {
			wanted[j].reg_value = FAKE_VALUE(j);
			wanted[j].reg_last_reset_val = FAKE_LAST_VALUE(j);
			wanted[j].reg_ovfl_switch_cnt = FAKE_SWCNT(j);
		}
		assert_fails(pfm_read_pmds(3, pmds, 23), EINVAL);
		assert_memory_equal(pmds, wanted, sizeof(pmds));
	}
}

static void bad_pmcs_are_refused_in_order(void **state)
{
	pfarg_pmc_t pmcs[3] = { { .reg_num = 1 },
				{ .reg_num = FAKE_BAD_REG },
				{ .reg_num = 2 } };

	(void)state;
	assert_fails(pfm_write_pmcs(3, pmcs, 3), EINVAL);
	assert_int_equal(fake.elements, 1);
}

/* A failure that is not an element's leaves even read-only vectors alone. */
static void a_failed_read_does_not_touch_the_vector(void **state)
{
	static const pfarg_pmd_t pmds[2] = { { .reg_num = 1 } };
	static const int errors[] = { EBADF, ESRCH, EPERM, ENOMEM };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		fake_forget();
		fake.error = errors[i];
		assert_fails(pfm_read_pmds(3, (pfarg_pmd_t *)pmds, 2),
			     errors[i]);
	}
}

/* Sizes */

/*
 * What v2.81 would have taken is taken, in as few calls as the limit allows;
 * what it would have refused is refused (C174).
 */
static void the_limit_is_that_of_v281_pmds(void **state)
{
	static const struct {
		size_t arg_mem_max;
		int n;
		bool fits;
		int transfers; /* that succeed */
	} rows[] = {
		{ 4096, 16, true, 1 },	{ 4096, 21, true, 1 },
		{ 4096, 22, true, 2 },	{ 4096, 23, true, 2 },
		{ 4096, 24, false, 0 }, { 8192, 24, true, 1 },
		{ 8192, 42, true, 1 },	{ 8192, 43, true, 2 },
		{ 8192, 46, true, 2 },	{ 8192, 47, false, 0 },
	};
	pfarg_pmd_t pmds[MANY];
	int succeeded;

	(void)state;
	number(pmds, MANY);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		fake_forget();
		fake.arg_mem_max = rows[i].arg_mem_max;
		if (!rows[i].fits) {
			assert_fails(pfm_write_pmds(3, pmds, rows[i].n), E2BIG);
			assert_int_equal(fake.elements, 0);
			continue;
		}
		assert_int_equal(pfm_write_pmds(3, pmds, rows[i].n), 0);
		assert_int_equal(fake.elements, rows[i].n);
		for (int j = 0; j < rows[i].n; j++)
			assert_int_equal(fake.pmrs[j].reg_num, j);
		succeeded = 0;
		for (int j = 0; j < fake.count; j++)
			succeeded += fake.calls[j].result == 0;
		assert_int_equal(succeeded, rows[i].transfers);
	}
}

static void reads_are_split_like_writes(void **state)
{
	pfarg_pmd_t pmds[24];

	(void)state;
	number(pmds, 24);
	errno = EXDEV;
	assert_int_equal(pfm_read_pmds(3, pmds, 23), 0);
	assert_int_equal(errno, EXDEV);
	for (int i = 0; i < 23; i++) {
		assert_int_equal(pmds[i].reg_value, FAKE_VALUE(i));
		assert_int_equal(pmds[i].reg_last_reset_val,
				 FAKE_LAST_VALUE(i));
		assert_int_equal(pmds[i].reg_ovfl_switch_cnt, FAKE_SWCNT(i));
	}
	assert_int_equal(pmds[23].reg_value, 0);
	assert_fails(pfm_read_pmds(3, pmds, 24), E2BIG);
}

/* Two halves are made of it, and each of them if it must be. */
static void a_limit_that_shrinks_meanwhile_is_met(void **state)
{
	pfarg_pmd_t pmds[23];

	(void)state;
	number(pmds, 23);
	fake.arg_mem_max = 6 * sizeof(pfarg_pmd_attr_t);
	assert_int_equal(pfm_write_pmds(3, pmds, 23), 0);
	assert_int_equal(fake.elements, 23);
	for (int i = 0; i < 23; i++)
		assert_int_equal(fake.pmrs[i].reg_num, i);
	fake.arg_mem_max = 100;
	fake_forget();
	assert_fails(pfm_write_pmds(3, pmds, 1), E2BIG);
}

static void the_limit_is_that_of_v281_pmcs(void **state)
{
	static const struct {
		size_t arg_mem_max;
		int n;
		bool fits;
	} rows[] = { { 4096, 85, true },
		     { 4096, 86, false },
		     { 8192, 86, true },
		     { 8192, 170, true },
		     { 8192, 171, false } };
	pfarg_pmc_t pmcs[MANY] = { { 0 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		fake_forget();
		fake.arg_mem_max = rows[i].arg_mem_max;
		errno = EXDEV;
		assert_int_equal(pfm_write_pmcs(3, pmcs, rows[i].n),
				 rows[i].fits ? 0 : -1);
		assert_int_equal(errno, rows[i].fits ? EXDEV : E2BIG);
		assert_int_equal(fake.elements, rows[i].fits ? rows[i].n : 0);
	}
}

/* Counts and pointers */

typedef int vector_call(int fd, void *vector, int n);

static int write_pmcs(int fd, void *vector, int n)
{
	return pfm_write_pmcs(fd, vector, n);
}

static int write_pmds(int fd, void *vector, int n)
{
	return pfm_write_pmds(fd, vector, n);
}

static int read_pmds(int fd, void *vector, int n)
{
	return pfm_read_pmds(fd, vector, n);
}

static const struct {
	vector_call *call;
	size_t size;
	int v3_call, v3_flags;
} calls[] = {
	{ write_pmcs, sizeof(pfarg_pmc_t), PFM_NR_WRITE_PMRS, PFM_RWFL_PMC },
	{ write_pmds, sizeof(pfarg_pmd_t), PFM_NR_WRITE_PMRS, PMD_AND_ATTR },
	{ read_pmds, sizeof(pfarg_pmd_t), PFM_NR_READ_PMRS, PMD_AND_ATTR },
};

static void impossible_counts_are_einval_at_once(void **state)
{
	char vector[1];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		int limit = (int)(INT_MAX / calls[i].size);
		int counts[] = { -1, INT_MIN, INT_MAX, limit };

		for (size_t j = 0; j < ARRAY_SIZE(counts); j++) {
			assert_fails(calls[i].call(3, vector, counts[j]),
				     EINVAL);
			assert_fails(calls[i].call(FAKE_BAD_FD, NULL,
						   counts[j]),
				     EINVAL);
		}
		fake_assert_silent();
		/* One less may be asked about, but no memory is taken. */
		assert_fails(calls[i].call(3, vector, limit - 1), E2BIG);
		assert_int_equal(fake.elements, 0);
		fake_forget();
	}
	assert_int_equal(memory.maps, 0);
}

static void no_elements_are_for_the_kernel_to_judge(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		assert_int_equal(calls[i].call(3, NULL, 0), 0);
		assert_int_equal(fake.count, 1);
		assert_int_equal(fake.calls[0].offset, calls[i].v3_call);
		assert_int_equal(fake.calls[0].args[1], calls[i].v3_flags);
		assert_int_equal(fake.calls[0].args[3], 0);
		fake_forget();
		assert_fails(calls[i].call(FAKE_BAD_FD, NULL, 0), EBADF);
		fake_forget();
		fake.error = ESRCH;
		assert_fails(calls[i].call(3, (void *)0x1000, 0), ESRCH);
		fake.error = 0;
		fake_forget();
	}
}

static void null_is_efault_after_what_the_kernel_checks_first(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		int too_many = (int)(4096 / calls[i].size) + 1;

		assert_fails(calls[i].call(3, NULL, 1), EFAULT);
		assert_fails(calls[i].call(3, NULL, too_many - 1), EFAULT);
		assert_fails(calls[i].call(FAKE_BAD_FD, NULL, 1), EBADF);
		assert_fails(calls[i].call(3, NULL, too_many), E2BIG);
		assert_fails(calls[i].call(FAKE_BAD_FD, NULL, too_many), EBADF);
		fake_forget();
	}
	assert_int_equal(memory.maps, 0);
}

/* Memory */

static void up_to_16_registers_take_no_memory(void **state)
{
	pfarg_pmd_t pmds[17];
	pfarg_pmc_t pmcs[16] = { { 0 } };

	(void)state;
	memory.refuse = true;
	number(pmds, 17);
	assert_int_equal(pfm_write_pmcs(3, pmcs, 16), 0);
	assert_int_equal(pfm_write_pmds(3, pmds, 16), 0);
	assert_int_equal(pfm_read_pmds(3, pmds, 16), 0);
	fake_forget();
	assert_fails(pfm_write_pmds(3, pmds, 17), ENOMEM);
	assert_fails(pfm_read_pmds(3, pmds, 17), ENOMEM);
	fake_assert_silent();
	memory.refuse = false;
	assert_int_equal(pfm_write_pmds(3, pmds, 17), 0);
	assert_int_equal(pfm_read_pmds(3, pmds, 17), 0);
	assert_int_equal(memory.maps, 2);
	assert_int_equal(memory.unmaps, 2);
}

static void memory_is_given_back_after_failures(void **state)
{
	pfarg_pmd_t pmds[23];

	(void)state;
	number(pmds, 23);
	pmds[20].reg_num = FAKE_BAD_REG;
	assert_fails(pfm_write_pmds(3, pmds, 23), EINVAL);
	assert_fails(pfm_read_pmds(FAKE_BAD_FD, pmds, 23), EBADF);
	assert_int_equal(memory.maps, 2);
	assert_int_equal(memory.unmaps, 2);
}

static void what_is_taken_from_the_stack_fits_small_ones(void **state)
{
	(void)state;
	/* Of the 8 KiB of SIGSTKSZ, which the handler needs as well. */
	assert_true(sizeof(struct work) <= 3500);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(elements_before_a_bad_one_are_applied),
		TEST(elements_before_a_bad_one_are_read),
		TEST(bad_pmcs_are_refused_in_order),
		TEST(a_failed_read_does_not_touch_the_vector),
		TEST(the_limit_is_that_of_v281_pmds),
		TEST(reads_are_split_like_writes),
		TEST(a_limit_that_shrinks_meanwhile_is_met),
		TEST(the_limit_is_that_of_v281_pmcs),
		TEST(impossible_counts_are_einval_at_once),
		TEST(no_elements_are_for_the_kernel_to_judge),
		TEST(null_is_efault_after_what_the_kernel_checks_first),
		TEST(up_to_16_registers_take_no_memory),
		TEST(memory_is_given_back_after_failures),
		TEST(what_is_taken_from_the_stack_fits_small_ones),
	};

	return cmocka_run_group_tests_name("lib_compat_vector", tests, NULL,
					   NULL);
}
