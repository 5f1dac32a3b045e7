// SPDX-License-Identifier: GPL-2.0-only
/*
 * The v2.81 calls of libpfm on a kernel with version 3.0: sessions, strict
 * mode, and which of the kernels has which calls.
 */
#include <errno.h>
#include <limits.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <cmocka.h>

#include "compat_v281.h"
#include "fake_kernel.h"
#include "calls/pfmlib_kernel.h"

/* Pointers that would fault if the library looked at what they point to. */
#define PTR_A ((void *)0x1000)
#define PTR_B ((void *)0x2000)

static const char *release = "6.12.0";

int __wrap_uname(struct utsname *name);

int __wrap_uname(struct utsname *name)
{
	memset(name, 0, sizeof(*name));
	strcpy(name->release, release);
	return 0;
}

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
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
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
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
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

/* Strict mode */

static void strict_start_takes_no_structure(void **state)
{
	pfarg_start_t start = { 0 };

	(void)state;
	assert_int_equal(pfm_v281_set_strict(1), 0);
	assert_fails(pfm_start(3, &start), EINVAL);
	fake_assert_silent();
	assert_int_equal(pfm_start(3, NULL), 0);
	fake_assert_sent(PFM_NR_START_SESSION, (long[5]){ 3, 0 });
}

static void strict_delete_always_fails(void **state)
{
	pfarg_setdesc_t set = { .set_id = 1 };

	(void)state;
	assert_int_equal(pfm_v281_set_strict(1), 0);
	assert_fails(pfm_delete_evtsets(3, &set, 1), EINVAL);
	/* All that it may do is to ask whether there is such a session. */
	fake_assert_sent(PFM_NR_CREATE_SETS, (long[5]){ 3, 0, 0, 0 });
	assert_fails(pfm_delete_evtsets(FAKE_BAD_FD, &set, 1), EBADF);
	fake_assert_sent(PFM_NR_CREATE_SETS, (long[5]){ FAKE_BAD_FD });
	fake.error = EBUSY;
	assert_fails(pfm_delete_evtsets(3, &set, 1), EINVAL);
}

static void the_environment_selects_strict_mode(void **state)
{
	static const struct {
		const char *value;
		bool strict;
	} rows[] = {
		{ NULL, false }, { "", false },	  { "0", false },
		{ "1", true },	 { "yes", true }, { "00", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		pfmlib_v281_forget_strict();
		if (rows[i].value)
			setenv("PFM_V281_STRICT", rows[i].value, 1);
		else
			unsetenv("PFM_V281_STRICT");
		assert_int_equal(pfmlib_v281_strict(), rows[i].strict);
	}
	unsetenv("PFM_V281_STRICT");
}

static void a_call_overrides_the_environment(void **state)
{
	(void)state;
	setenv("PFM_V281_STRICT", "1", 1);
	assert_int_equal(pfm_v281_set_strict(0), 0);
	assert_false(pfmlib_v281_strict());
	unsetenv("PFM_V281_STRICT");
	pfmlib_v281_forget_strict();
	assert_int_equal(pfm_v281_set_strict(0), 0);
	assert_int_equal(pfm_v281_set_strict(1), 0);
	assert_true(pfmlib_v281_strict());
}

static void the_mode_does_not_change_after_its_first_use(void **state)
{
	pfarg_start_t start = { 0 };

	(void)state;
	/* These calls are the same in both modes. */
	assert_int_equal(pfm_start(3, NULL), 0);
	assert_int_equal(pfm_stop(3), 0);
	assert_int_equal(pfm_v281_set_strict(0), 0);
	assert_int_equal(pfm_start(3, &start), 0);
	assert_fails(pfm_v281_set_strict(1), EBUSY);
	setenv("PFM_V281_STRICT", "1", 1);
	assert_int_equal(pfm_start(3, &start), 0);
	unsetenv("PFM_V281_STRICT");
}

static void *ask_often(void *barrier)
{
	intptr_t strict = 0;

	pthread_barrier_wait(barrier);
	for (int i = 0; i < 1000; i++)
		strict += pfmlib_v281_strict();
	return (void *)strict;
}

/* One of them fixes the mode while another may set it. */
static void threads_agree_on_the_mode(void **state)
{
	pthread_barrier_t barrier;
	pthread_t threads[4];
	void *strict;

	(void)state;
	pthread_barrier_init(&barrier, NULL, 5);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_often,
						&barrier),
				 0);
	pthread_barrier_wait(&barrier);
	pfm_v281_set_strict(1);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &strict);
		assert_int_equal((intptr_t)strict,
				 pfmlib_v281_strict() ? 1000 : 0);
	}
	pthread_barrier_destroy(&barrier);
}

/* Errors and kernels */

/* One call of each of the twelve, right in every argument. */
static int call_v281(int which)
{
	pfarg_ctx_t ctx = { 0 };
	pfarg_pmc_t pmc = { 0 };
	pfarg_pmd_t pmd = { 0 };
	pfarg_load_t load = { 0 };
	pfarg_start_t start = { 0 };
	pfarg_setdesc_t desc = { 0 };
	pfarg_setinfo_t info = { 0 };

	switch (which) {
	case V281_CREATE_CONTEXT:
		return pfm_create_context(&ctx, NULL, NULL, 0);
	case V281_WRITE_PMCS:
		return pfm_write_pmcs(3, &pmc, 1);
	case V281_WRITE_PMDS:
		return pfm_write_pmds(3, &pmd, 1);
	case V281_READ_PMDS:
		return pfm_read_pmds(3, &pmd, 1);
	case V281_LOAD_CONTEXT:
		return pfm_load_context(3, &load);
	case V281_START:
		return pfm_start(3, &start);
	case V281_STOP:
		return pfm_stop(3);
	case V281_RESTART:
		return pfm_restart(3);
	case V281_CREATE_EVTSETS:
		return pfm_create_evtsets(3, &desc, 1);
	case V281_GETINFO_EVTSETS:
		return pfm_getinfo_evtsets(3, &info, 1);
	case V281_DELETE_EVTSETS:
		return pfm_delete_evtsets(3, &desc, 1);
	default:
		return pfm_unload_context(3);
	}
}

#define V281_CALLS 12

static void each_call_keeps_the_errno_of_the_kernel(void **state)
{
	static const int errors[] = { EBADF,  EBUSY,  ESRCH, EPERM, ENOMEM,
				      EINVAL, EEXIST, E2BIG, EFAULT };

	(void)state;
	for (int which = 0; which < V281_CALLS; which++)
		for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]);
		     i++) {
			fake.error = errors[i];
			fake_forget();
			assert_fails(call_v281(which), errors[i]);
			assert_int_equal(fake.count, 1);
		}
}

static void success_leaves_errno_alone(void **state)
{
	(void)state;
	for (int which = 0; which < V281_CALLS; which++) {
		fake_forget();
		errno = EXDEV;
		assert_int_equal(call_v281(which), 0);
		assert_int_equal(errno, EXDEV);
	}
}

static void expect_enosys(const char *why)
{
	for (int which = 0; which < V281_CALLS; which++) {
		errno = 0;
		if (call_v281(which) != -1 || errno != ENOSYS || fake.count)
			fail_msg("%s: call %d: errno %d, %d system calls", why,
				 which, errno, fake.count);
	}
	assert_fails(pfm_stop_session(3, 0), ENOSYS);
}

static void other_versions_are_enosys(void **state)
{
	static const char *const versions[] = {
		"4.0\n", "3.1\n",   "2\n",     "2.\n",	   "2.x\n",
		"2.81",	 "2.81 \n", "2.-1\n",  "2.1000\n", "1.81\n",
		"\n",	 "",	    "22.81\n", "2.8.1\n",  "2.81-rc1\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		fake_publish(versions[i], "500\n");
		expect_enosys(versions[i]);
	}
}

static void without_perfmon_all_is_enosys(void **state)
{
	(void)state;
	pfmlib_use_sysfs_dir("/nonexistent");
	expect_enosys("no directory");
	/* Nor do wrong arguments change that. */
	assert_fails(pfm_create_context(NULL, NULL, NULL, 0), ENOSYS);
	assert_fails(pfm_load_context(3, NULL), ENOSYS);
	assert_fails(pfm_write_pmcs(3, NULL, -1), ENOSYS);
	assert_fails(pfm_read_pmds(3, NULL, -1), ENOSYS);
	assert_fails(pfm_getinfo_evtsets(3, NULL, -1), ENOSYS);
}

static void a_version_2_kernel_needs_a_usable_base(void **state)
{
	static const char *const bases[] = { "\n", "0\n", "-1\n", "x\n",
					     "65536\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		fake_publish("2.81\n", bases[i]);
		expect_enosys(bases[i]);
	}
}

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* Kernels that had the calls before they had the file. */
static void old_releases_have_known_bases(void **state)
{
	static const struct {
		const char *release;
		long base_64, base_32; /* 0: none */
	} rows[] = {
		{ "2.6.23", 0, 0 },
		{ "2.6.24", 286, 325 },
		{ "2.6.24-perfmon2", 286, 325 },
		{ "2.6.25.3", 288, 327 },
		{ "2.6.26", 288, 327 },
		{ "2.6.27", 295, 333 },
		{ "2.6.29-rc1", 295, 333 },
		{ "2.6.30", 0, 0 },
		{ "2.6.", 0, 0 },
		{ "2.6.27000000000000000000000", 0, 0 },
		{ "2.4.25", 0, 0 },
		{ "6.12.0", 0, 0 },
	};
	struct pfmlib_kernel kernel;
	long base;

	(void)state;
	for (size_t i = 0; i < ROWS(rows); i++) {
		fake_publish("2.81\n", NULL);
		release = rows[i].release;
		base = sizeof(long) == 8 ? rows[i].base_64 : rows[i].base_32;
		kernel.base = 0;
		assert_int_equal(pfmlib_kernel(&kernel), base ? 0 : -1);
		assert_int_equal(kernel.base, base);
	}
	/* A kernel of version 3.0 always tells. */
	release = "2.6.27";
	fake_publish("3.0\n", NULL);
	assert_fails(pfmlib_kernel(&kernel), ENOSYS);
	release = "6.12.0";
}

static int no_base(void **state)
{
	fake_setup_v281(state);
	fake_remove_base();
	return 0;
}

static void the_kernel_is_told_apart_by_its_version(void **state)
{
	static const struct {
		const char *version;
		int major, minor;
	} rows[] = {
		{ "3.0\n", 3, 0 },   { "2.0\n", 2, 0 },	    { "2.2\n", 2, 2 },
		{ "2.81\n", 2, 81 }, { "2.999\n", 2, 999 },
	};
	struct pfmlib_kernel kernel;

	(void)state;
	for (size_t i = 0; i < ROWS(rows); i++) {
		fake_publish(rows[i].version, "65535\n");
		assert_int_equal(pfmlib_kernel(&kernel), 0);
		assert_int_equal(kernel.major, rows[i].major);
		assert_int_equal(kernel.minor, rows[i].minor);
		assert_int_equal(kernel.base, 65535);
	}
}

#define TEST(test) \
	cmocka_unit_test_setup_teardown(test, fake_setup_v3, fake_teardown)
#define TEST_NO_BASE(test) \
	cmocka_unit_test_setup_teardown(test, no_base, fake_teardown)

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
		TEST(strict_start_takes_no_structure),
		TEST(strict_delete_always_fails),
		TEST(the_environment_selects_strict_mode),
		TEST(a_call_overrides_the_environment),
		TEST(the_mode_does_not_change_after_its_first_use),
		TEST(threads_agree_on_the_mode),
		TEST(each_call_keeps_the_errno_of_the_kernel),
		TEST(success_leaves_errno_alone),
		TEST(other_versions_are_enosys),
		TEST(without_perfmon_all_is_enosys),
		TEST(a_version_2_kernel_needs_a_usable_base),
		TEST_NO_BASE(old_releases_have_known_bases),
		TEST(the_kernel_is_told_apart_by_its_version),
	};

	unsetenv("PFM_V281_STRICT");
	return cmocka_run_group_tests_name("lib_compat_v281", tests, NULL,
					   NULL);
}
