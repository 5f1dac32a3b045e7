// SPDX-License-Identifier: GPL-2.0-only
/*
 * The v2.81 calls of libpfm on a kernel with version 2: each goes there as it
 * is, whatever its arguments, and those of v3.0 do not exist.
 */
#include <errno.h>
#include <limits.h>
#include <perfmon/perfmon.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compat_v281.h"
#include "fake_kernel.h"

/* Pointers that would fault if the library looked at what they point to. */
#define PTR_A ((void *)0x1000)
#define PTR_B ((void *)0x2000)

/* Each call with count -1 or NULL as well: the kernel finds what is wrong. */
static void each_call_is_the_one_of_version_2(void **state)
{
	(void)state;
	fake.result = 7;
	assert_int_equal(pfm_create_context(PTR_A, PTR_B, PTR_A, 9), 7);
	fake_assert_sent(V281_CREATE_CONTEXT,
			 (long[5]){ 0x1000, 0x2000, 0x1000, 9 });
	assert_int_equal(pfm_create_context(NULL, NULL, NULL, 0), 7);
	fake_assert_sent(V281_CREATE_CONTEXT, (long[5]){ 0 });
	assert_int_equal(pfm_write_pmcs(3, PTR_A, 2), 7);
	fake_assert_sent(V281_WRITE_PMCS, (long[5]){ 3, 0x1000, 2 });
	assert_int_equal(pfm_write_pmds(-3, PTR_A, -1), 7);
	fake_assert_sent(V281_WRITE_PMDS, (long[5]){ -3, 0x1000, -1 });
	assert_int_equal(pfm_read_pmds(3, NULL, INT_MAX), 7);
	fake_assert_sent(V281_READ_PMDS, (long[5]){ 3, 0, INT_MAX });
	assert_int_equal(pfm_load_context(3, PTR_A), 7);
	fake_assert_sent(V281_LOAD_CONTEXT, (long[5]){ 3, 0x1000 });
	assert_int_equal(pfm_load_context(3, NULL), 7);
	fake_assert_sent(V281_LOAD_CONTEXT, (long[5]){ 3, 0 });
	assert_int_equal(pfm_start(3, PTR_A), 7);
	fake_assert_sent(V281_START, (long[5]){ 3, 0x1000 });
	assert_int_equal(pfm_stop(3), 7);
	fake_assert_sent(V281_STOP, (long[5]){ 3 });
	assert_int_equal(pfm_restart(3), 7);
	fake_assert_sent(V281_RESTART, (long[5]){ 3 });
	assert_int_equal(pfm_create_evtsets(3, PTR_A, 2), 7);
	fake_assert_sent(V281_CREATE_EVTSETS, (long[5]){ 3, 0x1000, 2 });
	assert_int_equal(pfm_getinfo_evtsets(3, PTR_A, 2), 7);
	fake_assert_sent(V281_GETINFO_EVTSETS, (long[5]){ 3, 0x1000, 2 });
	assert_int_equal(pfm_delete_evtsets(3, PTR_A, 2), 7);
	fake_assert_sent(V281_DELETE_EVTSETS, (long[5]){ 3, 0x1000, 2 });
	assert_int_equal(pfm_unload_context(3), 7);
	fake_assert_sent(V281_UNLOAD_CONTEXT, (long[5]){ 3 });
}

static void strict_mode_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(pfm_v281_set_strict(1), 0);
	assert_int_equal(pfm_start(3, PTR_A), 0);
	fake_assert_sent(V281_START, (long[5]){ 3, 0x1000 });
	assert_int_equal(pfm_delete_evtsets(3, PTR_A, 2), 0);
	fake_assert_sent(V281_DELETE_EVTSETS, (long[5]){ 3, 0x1000, 2 });
}

static void errors_of_the_kernel_are_passed_on(void **state)
{
	(void)state;
	fake.error = EBUSY;
	assert_fails(pfm_start(3, NULL), EBUSY);
	assert_fails(pfm_create_context(PTR_A, NULL, NULL, 0), EBUSY);
	fake.error = ENOSYS;
	assert_fails(pfm_delete_evtsets(3, PTR_A, 1), ENOSYS);
}

static void the_calls_of_version_3_are_enosys(void **state)
{
	pfarg_sinfo_t sif;

	(void)state;
	assert_fails(pfm_create_session(0), ENOSYS);
	assert_fails(pfm_write_pmrs(3, PFM_RWFL_PMC, PTR_A, 1), ENOSYS);
	assert_fails(pfm_read_pmrs(3, PFM_RWFL_PMD, PTR_A, 1), ENOSYS);
	assert_fails(pfm_attach_session(3, 0, 1), ENOSYS);
	assert_fails(pfm_detach_session(3, 0), ENOSYS);
	assert_fails(pfm_start_session(3, 0), ENOSYS);
	assert_fails(pfm_stop_session(3, 0), ENOSYS);
	assert_fails(pfm_create_sets(3, 0, PTR_A, 1), ENOSYS);
	assert_fails(pfm_getinfo_sets(3, 0, PTR_A, 1), ENOSYS);
	assert_fails(pfm_create(0, &sif), ENOSYS);
	assert_fails(pfm_write(3, 0, PFM_RW_PMC, PTR_A, 16), ENOSYS);
	assert_fails(pfm_read(3, 7, 99, PTR_A, 1), ENOSYS);
	assert_fails(pfm_set_state(3, 0, 99), ENOSYS);
	assert_fails(pfm_attach(3, 0, 1), ENOSYS);
	fake_assert_silent();
}

/* The block that the first of these kernels took instead of the context. */
struct v22_context {
	uint8_t format[16];
	uint32_t flags;
	int32_t fd;
	uint64_t size;
	uint64_t reserved[12];
};

static void versions_up_to_2_2_take_a_block(void **state)
{
	static const char *const versions[] = { "2.0\n", "2.1\n", "2.2\n" };
	pfarg_ctx_t ctx = { .ctx_flags = PFM_FL_SYSTEM_WIDE };
	struct v22_context seen = { .fd = 0 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		fake_publish(versions[i], NULL);
		fake.v22_context_fd = 12;
		assert_int_equal(pfm_create_context(&ctx, NULL, NULL, 0), 12);
		memcpy(&seen, fake.smpl_arg, sizeof(fake.smpl_arg));
		assert_int_equal(seen.flags, PFM_FL_SYSTEM_WIDE);
		for (int j = 0; j < 16; j++)
			assert_int_equal(seen.format[j], 0);
		assert_int_equal(fake.calls[0].offset, V281_CREATE_CONTEXT);
		assert_int_equal(fake.calls[0].args[1], 0);
		fake_forget();

		assert_fails(pfm_create_context(NULL, NULL, NULL, 0), EFAULT);
		/* They have no formats that have names. */
		assert_fails(pfm_create_context(&ctx, "default", PTR_A, 64),
			     EINVAL);
		fake_assert_silent();
		fake.error = EBUSY;
		assert_fails(pfm_create_context(&ctx, NULL, NULL, 0), EBUSY);
		fake.error = 0;
		fake_forget();
	}
	fake.v22_context_fd = 0;
	fake_publish("2.3\n", NULL);
	assert_int_equal(pfm_create_context(PTR_A, NULL, NULL, 0), 0);
	fake_assert_sent(V281_CREATE_CONTEXT, (long[5]){ 0x1000 });
}

#define TEST(test) \
	cmocka_unit_test_setup_teardown(test, fake_setup_v281, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_call_is_the_one_of_version_2),
		TEST(strict_mode_changes_nothing),
		TEST(errors_of_the_kernel_are_passed_on),
		TEST(the_calls_of_version_3_are_enosys),
		TEST(versions_up_to_2_2_take_a_block),
	};

	return cmocka_run_group_tests_name("lib_compat_native", tests, NULL,
					   NULL);
}
