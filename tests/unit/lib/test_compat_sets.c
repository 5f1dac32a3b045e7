// SPDX-License-Identifier: GPL-2.0-only
/*
 * The v2.81 calls of libpfm on a kernel with version 3.0: event sets, and the
 * two meanings of pfm_getinfo_evtsets(). Also linked with --wrap=clock_getres: the
 * resolution of the clock is the test's.
 */
#include <errno.h>
#include <limits.h>
#include <perfmon/perfmon.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "array_size.h"
#include "fake_kernel.h"

static long resolution = 1; /* ns */

int __wrap_clock_getres(clockid_t clock, struct timespec *res);

int __wrap_clock_getres(clockid_t clock, struct timespec *res)
{
	assert_int_equal(clock, CLOCK_MONOTONIC);
	*res = (struct timespec){ .tv_nsec = resolution };
	return 0;
}

typedef int set_call(int fd, pfarg_setdesc_t *sets, int n);

static const struct {
	set_call *call;
	int flags;
} set_calls[] = {
	{ pfm_create_evtsets, 0 },
	{ pfm_delete_evtsets, PFM_SETS_DELETE },
};

static void sets_arrive_without_what_v281_ignored(void **state)
{
	static const uint64_t zero[6];
	pfarg_setdesc_t set, before;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(set_calls); i++) {
		memset(&set, 0xa5, sizeof(set));
		set.set_flags = 0xfffffffe;
		before = set;
		fake_forget();
		assert_int_equal(set_calls[i].call(3, &set, 1), 0);
		assert_int_equal(fake.count, 1);
		assert_int_equal(fake.calls[0].offset, PFM_NR_CREATE_SETS);
		assert_int_equal(fake.calls[0].args[0], 3);
		assert_int_equal(fake.calls[0].args[1], set_calls[i].flags);
		assert_int_equal(fake.calls[0].args[3], 1);
		assert_int_equal(fake.sets[0].set_id, 0xa5a5);
		assert_int_equal(fake.sets[0].set_reserved1, 0);
		assert_int_equal(fake.sets[0].set_flags, PFM_SETFL_TIME_SWITCH);
		assert_int_equal(fake.sets[0].set_timeout, 0xa5a5a5a5a5a5a5a5);
		assert_memory_equal(fake.sets[0].reserved, zero, sizeof(zero));
		assert_memory_equal(&set, &before, sizeof(set));
	}
}

/* Both at once are refused by either kernel. */
static void both_switch_flags_stay(void **state)
{
	pfarg_setdesc_t set = { .set_flags = 3 };

	(void)state;
	assert_int_equal(pfm_create_evtsets(3, &set, 1), 0);
	assert_int_equal(fake.sets[0].set_flags, 3);
}

#define TIME PFM_SETFL_TIME_SWITCH
#define OVFL PFM_SETFL_OVFL_SWITCH

static void short_timeouts_become_the_shortest_that_there_is(void **state)
{
	static const struct {
		long resolution;
		uint32_t flags;
		uint64_t asked, sent;
	} rows[] = {
		{ 1, TIME, 1, 10000 },
		{ 1, TIME, 9999, 10000 },
		{ 1, TIME, 10000, 10000 },
		{ 1, TIME, 10001, 10001 },
		{ 4000000, TIME, 1, 4000000 },
		{ 4000000, TIME, 10000, 4000000 },
		{ 4000000, TIME, 4000000, 4000000 },
		/* The kernel refuses these, as v2.81 did. */
		{ 1, TIME, 0, 0 },
		{ 4000000, TIME, 4000001, 4000001 },
		/* No timeout is used. */
		{ 1, OVFL, 1, 1 },
		{ 1, 0, 9999, 9999 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		pfarg_setdesc_t set = { .set_flags = rows[i].flags,
					.set_timeout = rows[i].asked };

		resolution = rows[i].resolution;
		fake_forget();
		errno = EXDEV;
		assert_int_equal(pfm_create_evtsets(3, &set, 1), 0);
		assert_int_equal(errno, EXDEV);
		assert_int_equal(fake.sets[0].set_timeout, rows[i].sent);
		assert_int_equal(set.set_timeout, rows[i].sent);
	}
	resolution = 1;
}

static void timeouts_are_written_back_by_what_has_created_sets(void **state)
{
	pfarg_setdesc_t sets[2] = {
		{ .set_id = 1, .set_flags = TIME, .set_timeout = 1 },
		{ .set_id = FAKE_BAD_SET, .set_flags = TIME, .set_timeout = 2 },
	};

	(void)state;
	assert_fails(pfm_create_evtsets(3, sets, 2), EINVAL);
	assert_int_equal(sets[0].set_timeout, 1);
	assert_int_equal(sets[1].set_timeout, 2);
	fake_forget();
	assert_int_equal(pfm_delete_evtsets(3, sets, 1), 0);
	assert_int_equal(fake.sets[0].set_timeout, 1);
	assert_int_equal(sets[0].set_timeout, 1);
}

static void sets_before_a_bad_one_are_applied(void **state)
{
	pfarg_setdesc_t sets[3] = { { .set_id = 1 },
				    { .set_id = FAKE_BAD_SET },
				    { .set_id = 2 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(set_calls); i++) {
		fake_forget();
		assert_fails(set_calls[i].call(3, sets, 3), EINVAL);
		assert_int_equal(fake.elements, 1);
		assert_int_equal(fake.sets[0].set_id, 1);
	}
}

static void information_is_copied_back(void **state)
{
	static const uint64_t zero[6];
	pfarg_setinfo_t infos[2], before, wanted;

	(void)state;
	memset(infos, 0xa5, sizeof(infos));
	infos[0].set_id = 1;
	infos[1].set_id = 2;
	before = infos[1];
	assert_int_equal(pfm_getinfo_evtsets(3, infos, 2), 0);
	assert_int_equal(fake.calls[0].offset, PFM_NR_GETINFO_SETS);
	assert_int_equal(fake.calls[0].args[1], 0);
	assert_int_equal(fake.calls[0].args[3], 2);
	assert_int_equal(fake.infos[1].set_reserved1, 0);
	assert_memory_equal(fake.infos[1].set_reserved3, zero, sizeof(zero));

	/* Everything but what is not defined. */
	memset(&wanted, 0x77, sizeof(wanted));
	wanted.set_id = 2;
	wanted.set_runs = FAKE_RUNS(2);
	wanted.set_reserved1 = before.set_reserved1;
	memcpy(wanted.set_reserved3, before.set_reserved3,
	       sizeof(wanted.set_reserved3));
	assert_memory_equal(&infos[1], &wanted, sizeof(wanted));
	assert_int_equal(infos[0].set_runs, FAKE_RUNS(1));
}

static void information_before_a_bad_set_is_copied_back(void **state)
{
	pfarg_setinfo_t infos[3], before[3];

	(void)state;
	memset(infos, 0xa5, sizeof(infos));
	infos[0].set_id = 1;
	infos[1].set_id = FAKE_BAD_SET;
	infos[2].set_id = 2;
	memcpy(before, infos, sizeof(infos));
	assert_fails(pfm_getinfo_evtsets(3, infos, 3), EINVAL);
	assert_int_equal(infos[0].set_runs, FAKE_RUNS(1));
	assert_memory_equal(&infos[1], &before[1], 2 * sizeof(infos[0]));

	fake.error = EBADF;
	memcpy(infos, before, sizeof(infos));
	fake_forget();
	assert_fails(pfm_getinfo_evtsets(3, infos, 3), EBADF);
	assert_memory_equal(infos, before, sizeof(infos));
}

static void counts_and_pointers_are_checked(void **state)
{
	pfarg_setdesc_t sets[65] = { { .set_id = 1 } };
	pfarg_setinfo_t infos[21] = { { .set_id = 1 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(set_calls); i++) {
		set_call *call = set_calls[i].call;

		assert_fails(call(3, sets, -1), EINVAL);
		assert_fails(call(3, sets, INT_MAX / 64), EINVAL);
		fake_assert_silent();
		assert_int_equal(call(3, NULL, 0), 0);
		fake_assert_sent(PFM_NR_CREATE_SETS,
				 (long[5]){ 3, set_calls[i].flags,
					    fake.calls[0].args[2], 0 });
		assert_fails(call(FAKE_BAD_FD, sets, 1), EBADF);
		assert_fails(call(3, NULL, 1), EFAULT);
		assert_fails(call(FAKE_BAD_FD, NULL, 1), EBADF);
		fake_forget();
		assert_int_equal(call(3, sets, 64), 0);
		assert_fails(call(3, sets, 65), E2BIG);
		fake_forget();
	}
	assert_fails(pfm_getinfo_evtsets(3, infos, -1), EINVAL);
	assert_fails(pfm_getinfo_evtsets(3, infos, INT_MAX / 200), EINVAL);
	fake_assert_silent();
	assert_int_equal(pfm_getinfo_evtsets(3, NULL, 0), 0);
	assert_fails(pfm_getinfo_evtsets(3, NULL, 1), EFAULT);
	assert_int_equal(pfm_getinfo_evtsets(3, infos, 20), 0);
	assert_fails(pfm_getinfo_evtsets(3, infos, 21), E2BIG);
}

static void four_arguments_mean_the_call_of_version_3(void **state)
{
	pfarg_setinfo_t info = { .set_id = 1 };
	os_err_t (*function)(int, pfarg_setinfo_t *, int) = pfm_getinfo_evtsets;

	(void)state;
	assert_int_equal(pfm_getinfo_evtsets(3, 0, &info, 1), 0);
	/* The program's own vector, not a copy. */
	fake_assert_sent(PFM_NR_GETINFO_SETS,
			 (long[5]){ 3, 0, (long)&info, 1 });
	assert_int_equal(pfm_getinfo_evtsets(3, &info, 1), 0);
	assert_true(fake.calls[0].args[2] != (long)&info);
	/* The name alone is that of the function. */
	fake_forget();
	assert_int_equal(function(3, &info, 1), 0);
	assert_true(fake.calls[0].args[2] != (long)&info);
}

#define TEST(test) \
	cmocka_unit_test_setup_teardown(test, fake_setup_v3, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sets_arrive_without_what_v281_ignored),
		TEST(both_switch_flags_stay),
		TEST(short_timeouts_become_the_shortest_that_there_is),
		TEST(timeouts_are_written_back_by_what_has_created_sets),
		TEST(sets_before_a_bad_one_are_applied),
		TEST(information_is_copied_back),
		TEST(information_before_a_bad_set_is_copied_back),
		TEST(counts_and_pointers_are_checked),
		TEST(four_arguments_mean_the_call_of_version_3),
	};

	return cmocka_run_group_tests_name("lib_compat_sets", tests, NULL,
					   NULL);
}
