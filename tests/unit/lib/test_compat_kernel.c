// SPDX-License-Identifier: GPL-2.0-only
/*
 * The v2.81 calls of libpfm and the kernel: which kernels have perfmon, of which
 * version and with which system calls, and that errno is theirs. Also linked with
 * --wrap=uname: the release is the test's.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <cmocka.h>

#include "array_size.h"
#include "calls/pfmlib_kernel.h"
#include "compat_v281.h"
#include "fake_kernel.h"

static const char *release = "6.12.0";

int __wrap_uname(struct utsname *name);

int __wrap_uname(struct utsname *name)
{
	memset(name, 0, sizeof(*name));
	strcpy(name->release, release);
	return 0;
}

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
		for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
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
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++) {
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
	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		fake_publish("2.81\n", bases[i]);
		expect_enosys(bases[i]);
	}
}

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
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
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
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		fake_publish(rows[i].version, "65534\n");
		assert_int_equal(pfmlib_kernel(&kernel), 0);
		assert_int_equal(kernel.major, rows[i].major);
		assert_int_equal(kernel.minor, rows[i].minor);
		assert_int_equal(kernel.base, 65534);
	}
}

/* An administrator has set the version, for programs that compare it. */
static void the_interface_counts_where_the_kernel_tells_it(void **state)
{
	static const struct {
		const char *interface, *version;
		int major; /* 0: no perfmon that the library knows */
	} rows[] = {
		{ "3.0\n", "2.81\n", 3 }, { "3.0\n", "3.0\n", 3 },
		{ "3.0\n", "x\n", 3 },	  { "3.1\n", "2.81\n", 0 },
		{ "3.1\n", "3.0\n", 0 },  { "\n", "2.81\n", 0 },
		{ "", "3.0\n", 0 },
	};
	struct pfmlib_kernel kernel;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		fake_publish(rows[i].version, "500\n");
		fake_publish_interface(rows[i].interface);
		if (!rows[i].major) {
			expect_enosys(rows[i].interface);
			continue;
		}
		assert_int_equal(pfmlib_kernel(&kernel), 0);
		assert_int_equal(kernel.major, rows[i].major);
		assert_int_equal(kernel.minor, 0);
		assert_int_equal(kernel.base, 500);
	}
}

/* The calls would go to the numbers of another interface. */
static void
a_version_is_no_answer_while_the_interface_cannot_be_read(void **state)
{
	struct pfmlib_kernel kernel;
	struct rlimit none, before;
	int result;

	(void)state;
	fake_publish("2.81\n", "500\n");
	fake_publish_interface("3.0\n");
	getrlimit(RLIMIT_NOFILE, &before);
	none = before;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	result = pfmlib_kernel(&kernel);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(result, -1);
	assert_int_equal(errno, EMFILE);
	assert_int_equal(pfmlib_kernel(&kernel), 0);
	assert_int_equal(kernel.major, 3);
}

#define TEST(test) \
	cmocka_unit_test_setup_teardown(test, fake_setup_v3, fake_teardown)
#define TEST_NO_BASE(test) \
	cmocka_unit_test_setup_teardown(test, no_base, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_call_keeps_the_errno_of_the_kernel),
		TEST(success_leaves_errno_alone),
		TEST(other_versions_are_enosys),
		TEST(without_perfmon_all_is_enosys),
		TEST(a_version_2_kernel_needs_a_usable_base),
		TEST_NO_BASE(old_releases_have_known_bases),
		TEST(the_kernel_is_told_apart_by_its_version),
		TEST(the_interface_counts_where_the_kernel_tells_it),
		TEST(a_version_is_no_answer_while_the_interface_cannot_be_read),
	};

	unsetenv("PFM_V281_STRICT");
	return cmocka_run_group_tests_name("lib_compat_kernel", tests, NULL,
					   NULL);
}
