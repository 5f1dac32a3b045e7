// SPDX-License-Identifier: GPL-2.0-only
/*
 * The strict mode of the v2.81 calls of libpfm: what it refuses, and what
 * selects it.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "array_size.h"
#include "compat_v281.h"
#include "fake_kernel.h"

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
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
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

#define TEST(test) \
	cmocka_unit_test_setup_teardown(test, fake_setup_v3, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(strict_start_takes_no_structure),
		TEST(strict_delete_always_fails),
		TEST(the_environment_selects_strict_mode),
		TEST(a_call_overrides_the_environment),
		TEST(the_mode_does_not_change_after_its_first_use),
		TEST(threads_agree_on_the_mode),
	};

	unsetenv("PFM_V281_STRICT");
	return cmocka_run_group_tests_name("lib_compat_strict", tests, NULL,
					   NULL);
}
