// SPDX-License-Identifier: GPL-2.0-only
/*
 * The v2.81 calls of libpfm on a kernel with version 3.0: sessions, from creating
 * to stopping them.
 */
#include <errno.h>
#include <limits.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "fake_kernel.h"

/* A pointer that would fault if the library looked at what it points to. */
#define PTR_A ((void *)0x1000)

/* Creating */

static void create_passes_the_flags_that_v281_knew(void **state)
{
	static const struct {
		uint32_t ctx_flags;
		long flags;
	} rows[] = {
		{ 0, 0 },
		{ PFM_FL_NOTIFY_BLOCK, PFM_FL_NOTIFY_BLOCK },
		{ PFM_FL_SYSTEM_WIDE, PFM_FL_SYSTEM_WIDE },
		{ PFM_FL_OVFL_NO_MSG, PFM_FL_OVFL_NO_MSG },
		/* C178: what v3.0 reads as "a format follows" is ignored. */
		{ PFM_FL_SMPL_FMT, 0 },
		{ PFM_FL_OVFL_SIGINFO, 0 },
		{ 0xffffffff, 0x83 },
	};
	pfarg_ctx_t ctx, before;

	(void)state;
	fake.result = 7;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		memset(&ctx, 0xa5, sizeof(ctx));
		ctx.ctx_flags = rows[i].ctx_flags;
		before = ctx;
		assert_int_equal(pfm_create_context(&ctx, NULL, PTR_A, 5), 7);
		fake_assert_sent(PFM_NR_CREATE_SESSION,
				 (long[5]){ rows[i].flags });
		assert_memory_equal(&ctx, &before, sizeof(ctx));
	}
}

static void create_without_a_context_is_efault(void **state)
{
	(void)state;
	assert_fails(pfm_create_context(NULL, NULL, NULL, 0), EFAULT);
	assert_fails(pfm_create_context(NULL, "default", NULL, 0), EFAULT);
	fake_assert_silent();
}

static void a_name_means_a_sampling_format(void **state)
{
	pfarg_ctx_t ctx = { .ctx_flags = PFM_FL_SYSTEM_WIDE };
	char name[] = "mine";

	(void)state;
	assert_int_equal(pfm_create_context(&ctx, name, PTR_A, 24), 0);
	fake_assert_sent(PFM_NR_CREATE_SESSION,
			 (long[5]){ PFM_FL_SYSTEM_WIDE | PFM_FL_SMPL_FMT,
				    (long)name, 0x1000, 24 });
}

static void the_default_format_gets_a_clean_argument(void **state)
{
	pfm_dfl_smpl_arg_t arg, before, seen;
	pfarg_ctx_t ctx = { 0 };
	char name[] = PFM_DFL_SMPL_NAME;

	(void)state;
	memset(&arg, 0xa5, sizeof(arg));
	before = arg;
	assert_int_equal(pfm_create_context(&ctx, name, &arg, sizeof(arg)), 0);
	assert_string_equal(fake.smpl_name, "default");
	memcpy(&seen, fake.smpl_arg, sizeof(seen));
	assert_int_equal(seen.buf_size, 0xa5a5a5a5a5a5a5a5);
	assert_int_equal(seen.buf_flags, 0xa5a5a5a5);
	assert_int_equal(seen.reserved1, 0);
	for (int i = 0; i < 6; i++)
		assert_int_equal(seen.reserved[i], 0);
	assert_memory_equal(&arg, &before, sizeof(arg));
	fake_forget();

	/* Other sizes and NULL are for the kernel to refuse. */
	assert_int_equal(pfm_create_context(&ctx, name, PTR_A, 63), 0);
	fake_assert_sent(PFM_NR_CREATE_SESSION,
			 (long[5]){ PFM_FL_SMPL_FMT, (long)name, 0x1000, 63 });
	assert_int_equal(pfm_create_context(&ctx, name, NULL, 64), 0);
	fake_assert_sent(PFM_NR_CREATE_SESSION,
			 (long[5]){ PFM_FL_SMPL_FMT, (long)name, 0, 64 });
}

/* Loading */

static void load_attaches_to_the_pid(void **state)
{
	static const struct {
		uint32_t pid;
		long target;
	} rows[] = {
		{ 0, 0 },
		{ 1234, 1234 },
		{ 0xfffffffe, -2 },
		{ 0x80000000, INT_MIN },
		/* C172: must not be a detach. */
		{ 0xffffffff, -2 },
	};
	pfarg_load_t load;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		memset(&load, 0xa5, sizeof(load));
		load.load_set = 0;
		load.load_pid = rows[i].pid;
		assert_int_equal(pfm_load_context(3, &load), 0);
		fake_assert_sent(PFM_NR_ATTACH_SESSION,
				 (long[5]){ 3, 0, rows[i].target });
	}
}

static void load_cannot_choose_a_set(void **state)
{
	pfarg_load_t load = { .load_pid = 1, .load_set = 1 };

	(void)state;
	assert_fails(pfm_load_context(3, &load), EINVAL);
	load.load_set = 65535;
	assert_fails(pfm_load_context(FAKE_BAD_FD, &load), EINVAL);
	assert_fails(pfm_load_context(3, NULL), EFAULT);
	fake_assert_silent();
}

static void unload_attaches_to_no_target(void **state)
{
	(void)state;
	assert_int_equal(pfm_unload_context(-5), 0);
	fake_assert_sent(PFM_NR_ATTACH_SESSION,
			 (long[5]){ -5, 0, PFM_NO_TARGET });
}

/* Starting and stopping */

static void start_stop_and_restart_have_equivalents(void **state)
{
	(void)state;
	assert_int_equal(pfm_start(3, NULL), 0);
	fake_assert_sent(PFM_NR_START_SESSION, (long[5]){ 3, 0 });
	assert_int_equal(pfm_restart(3), 0);
	fake_assert_sent(PFM_NR_START_SESSION,
			 (long[5]){ 3, PFM_STFL_RESTART });
	assert_int_equal(pfm_stop(3), 0);
	fake_assert_sent(PFM_NR_STOP_SESSION, (long[5]){ 3, 0 });
}

static void start_takes_set_0_only(void **state)
{
	pfarg_start_t start;

	(void)state;
	memset(&start, 0xa5, sizeof(start));
	start.start_set = 0;
	assert_int_equal(pfm_start(3, &start), 0);
	fake_assert_sent(PFM_NR_START_SESSION, (long[5]){ 3, 0 });
	start.start_set = 1;
	assert_fails(pfm_start(3, &start), EINVAL);
	fake_assert_silent();
}

#define TEST(test) \
	cmocka_unit_test_setup_teardown(test, fake_setup_v3, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(create_passes_the_flags_that_v281_knew),
		TEST(create_without_a_context_is_efault),
		TEST(a_name_means_a_sampling_format),
		TEST(the_default_format_gets_a_clean_argument),
		TEST(load_attaches_to_the_pid),
		TEST(load_cannot_choose_a_set),
		TEST(unload_attaches_to_no_target),
		TEST(start_stop_and_restart_have_equivalents),
		TEST(start_takes_set_0_only),
	};

	unsetenv("PFM_V281_STRICT");
	return cmocka_run_group_tests_name("lib_compat_v281", tests, NULL,
					   NULL);
}
