// SPDX-License-Identifier: GPL-2.0-only
/* The names of the draft of version 3 in libpfm, on a kernel with v3.0. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <perfmon/perfmon.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "fake_kernel.h"

/* Pointers that would fault if the library looked at what they point to. */
#define PTR_A ((void *)0x1000)
#define PTR_B ((void *)0x2000)

static void create_passes_what_the_flags_announce(void **state)
{
	char name[] = "mine";

	(void)state;
	fake.result = 7;
	assert_int_equal(pfm_create(PFM_FL_SYSTEM_WIDE, NULL, PTR_A, PTR_B), 7);
	fake_assert_sent(PFM_NR_CREATE_SESSION,
			 (long[5]){ PFM_FL_SYSTEM_WIDE });
	assert_int_equal(
		pfm_create(PFM_FL_SMPL_FMT, NULL, name, PTR_B, (size_t)5), 7);
	fake_assert_sent(PFM_NR_CREATE_SESSION,
			 (long[5]){ PFM_FL_SMPL_FMT, (long)name, 0x2000, 5 });
}

static void create_tells_what_the_session_may_use(void **state)
{
	static const uint64_t zero[4];
	pfarg_sinfo_t sif;

	(void)state;
	memset(&sif, 0xa5, sizeof(sif));
	fake.result = 7;
	assert_int_equal(pfm_create(0, &sif), 7);
	assert_int_equal(fake.count, 2);
	assert_int_equal(fake.calls[1].offset, PFM_NR_GETINFO_SETS);
	assert_int_equal(fake.calls[1].args[0], 7);
	assert_int_equal(fake.infos[0].set_id, 0);
	for (unsigned int i = 0; i < PFM_PMC_BV; i++)
		assert_int_equal(sif.sif_avail_pmcs[i], 0x7777777777777777);
	for (unsigned int i = 0; i < PFM_PMD_BV; i++)
		assert_int_equal(sif.sif_avail_pmds[i], 0x7777777777777777);
	assert_memory_equal(sif.sif_reserved, zero, sizeof(zero));
}

/* A session that cannot be told about is closed again. */
static void create_that_fails_late_leaves_no_descriptor(void **state)
{
	pfarg_sinfo_t sif;
	int fd = open("/dev/null", O_RDONLY);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(dup2(fd, FAKE_BAD_FD), FAKE_BAD_FD);
	close(fd);
	fake.result = FAKE_BAD_FD;
	assert_fails(pfm_create(0, &sif), EBADF);
	assert_int_equal(fcntl(FAKE_BAD_FD, F_GETFD), -1);
	fake_forget();
	fake.error = EPERM;
	assert_fails(pfm_create(PFM_FL_SYSTEM_WIDE, &sif), EPERM);
	assert_int_equal(fake.count, 1);
}

static void registers_go_as_they_are(void **state)
{
	pfarg_pmr_t pmrs[2] = { { .reg_num = 1 }, { .reg_num = 2 } };

	(void)state;
	assert_int_equal(pfm_write(3, 0, PFM_RW_PMC, pmrs, sizeof(pmrs)), 0);
	fake_assert_sent(PFM_NR_WRITE_PMRS,
			 (long[5]){ 3, PFM_RWFL_PMC, (long)pmrs, 2 });
	assert_int_equal(pfm_write(3, 0, PFM_RW_PMD, pmrs, sizeof(pmrs)), 0);
	fake_assert_sent(PFM_NR_WRITE_PMRS,
			 (long[5]){ 3, PFM_RWFL_PMD, (long)pmrs, 2 });
	assert_int_equal(pfm_read(3, 0, PFM_RW_PMD, pmrs, sizeof(pmrs)), 0);
	fake_assert_sent(PFM_NR_READ_PMRS,
			 (long[5]){ 3, PFM_RWFL_PMD, (long)pmrs, 2 });
	assert_int_equal(pmrs[1].reg_value, FAKE_VALUE(2));
	assert_int_equal(pfm_write(3, 0, PFM_RW_PMC, NULL, 0), 0);
}

static void fill(void *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((unsigned char *)data)[i] = (unsigned char)(i * 37 + 11);
}

static void registers_with_attributes_are_taken_apart(void **state)
{
	pfarg_draft_pmd_attr_t regs[2];

	(void)state;
	fill(regs, sizeof(regs));
	assert_int_equal(pfm_write(3, 0, PFM_RW_PMD_ATTR, regs, sizeof(regs)),
			 0);
	assert_int_equal(fake.count, 1);
	assert_int_equal(fake.calls[0].args[1],
			 PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR);
	for (int i = 0; i < 2; i++) {
		assert_memory_equal(&fake.pmrs[i], &regs[i],
				    sizeof(fake.pmrs[i]));
		assert_int_equal(fake.attrs[i].reg_long_reset,
				 regs[i].reg_long_reset);
		assert_int_equal(fake.attrs[i].reg_random_mask,
				 regs[i].reg_random_mask);
		assert_memory_equal(fake.attrs[i].reg_smpl_pmds,
				    regs[i].reg_smpl_pmds, 40);
		assert_memory_equal(fake.attrs[i].reg_reset_pmds,
				    regs[i].reg_reset_pmds, 40);
		assert_int_equal(fake.attrs[i].reg_ovfl_swcnt,
				 regs[i].reg_ovfl_swcnt);
		assert_int_equal(fake.attrs[i].reg_last_value,
				 regs[i].reg_last_value);
		/* v3.0 checks them as the draft did. */
		assert_memory_equal(&fake.attrs[i].reg_smpl_rate,
				    regs[i].reg_reserved, 64);
	}
}

static void registers_with_attributes_are_put_together(void **state)
{
	pfarg_draft_pmd_attr_t regs[3], before[3];

	(void)state;
	memset(regs, 0xa5, sizeof(regs));
	regs[0].reg_num = 4;
	regs[1].reg_num = FAKE_BAD_REG;
	memcpy(before, regs, sizeof(regs));
	assert_fails(pfm_read(3, 0, PFM_RW_PMD_ATTR, regs, sizeof(regs)),
		     EINVAL);
	assert_int_equal(regs[0].reg_num, 4);
	assert_int_equal(regs[0].reg_flags, 0xa5a5a5a5);
	assert_int_equal(regs[0].reg_value, FAKE_VALUE(4));
	assert_int_equal(regs[0].reg_long_reset, 0x7777777777777777);
	assert_int_equal(regs[0].reg_last_value, FAKE_LAST_VALUE(4));
	assert_int_equal(regs[0].reg_ovfl_swcnt, FAKE_SWCNT(4));
	assert_memory_equal(&regs[1], &before[1], 2 * sizeof(regs[0]));
}

static void sizes_types_and_flags_are_checked(void **state)
{
	static const struct {
		int flags, type;
		size_t size;
	} rows[] = {
		{ 1, PFM_RW_PMC, 16 },
		{ 0, 0, 16 },
		{ 0, 4, 16 },
		{ 0, -1, 16 },
		{ 0, PFM_RW_PMC, 15 },
		{ 0, PFM_RW_PMD, 17 },
		{ 0, PFM_RW_PMD_ATTR, 16 },
		{ 0, PFM_RW_PMD_ATTR, 207 },
#if SIZE_MAX > 0xffffffff
		{ 0, PFM_RW_PMD, (size_t)16 << 32 },
		{ 0, PFM_RW_PMD_ATTR, (size_t)208 << 32 },
#endif
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_fails(pfm_write(3, rows[i].flags, rows[i].type, PTR_A,
				       rows[i].size),
			     EINVAL);
		assert_fails(pfm_read(3, rows[i].flags, rows[i].type, PTR_A,
				      rows[i].size),
			     EINVAL);
	}
	fake_assert_silent();
	assert_fails(pfm_read(3, 0, PFM_RW_PMD_ATTR, NULL, 208), EFAULT);
	assert_fails(pfm_read(3, 0, PFM_RW_PMD, NULL, 16), EFAULT);
	assert_fails(pfm_write(FAKE_BAD_FD, 0, PFM_RW_PMD_ATTR, NULL, 208),
		     EBADF);
}

static void states_are_calls_of_v30(void **state)
{
	(void)state;
	assert_int_equal(pfm_set_state(3, 0, PFM_ST_START), 0);
	fake_assert_sent(PFM_NR_START_SESSION, (long[5]){ 3, 0 });
	assert_int_equal(pfm_set_state(3, 0, PFM_ST_RESTART), 0);
	fake_assert_sent(PFM_NR_START_SESSION,
			 (long[5]){ 3, PFM_STFL_RESTART });
	assert_int_equal(pfm_set_state(3, 0, PFM_ST_STOP), 0);
	fake_assert_sent(PFM_NR_STOP_SESSION, (long[5]){ 3, 0 });
	assert_fails(pfm_set_state(3, 0, 0), EINVAL);
	assert_fails(pfm_set_state(3, 0, 4), EINVAL);
	assert_fails(pfm_set_state(3, 1, PFM_ST_START), EINVAL);
	fake_assert_silent();
}

static void attach_is_that_of_v30(void **state)
{
	(void)state;
	assert_int_equal(pfm_attach(3, 0, 1234), 0);
	fake_assert_sent(PFM_NR_ATTACH_SESSION, (long[5]){ 3, 0, 1234 });
	assert_int_equal(pfm_attach(3, 0, PFM_NO_TARGET), 0);
	fake_assert_sent(PFM_NR_ATTACH_SESSION,
			 (long[5]){ 3, 0, PFM_NO_TARGET });
	assert_fails(pfm_attach(FAKE_BAD_FD, 0, 1), EBADF);
}

#define TEST(test) \
	cmocka_unit_test_setup_teardown(test, fake_setup_v3, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(create_passes_what_the_flags_announce),
		TEST(create_tells_what_the_session_may_use),
		TEST(create_that_fails_late_leaves_no_descriptor),
		TEST(registers_go_as_they_are),
		TEST(registers_with_attributes_are_taken_apart),
		TEST(registers_with_attributes_are_put_together),
		TEST(sizes_types_and_flags_are_checked),
		TEST(states_are_calls_of_v30),
		TEST(attach_is_that_of_v30),
	};

	return cmocka_run_group_tests_name("lib_compat_draft", tests, NULL,
					   NULL);
}
