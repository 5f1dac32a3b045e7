// SPDX-License-Identifier: GPL-2.0-only
/* A kernel with perfmon for tests, see fake_kernel.h. */
#include "fake_kernel.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compat_v281.h"
#include "calls/pfmlib_kernel.h"
#include "scratch_dir.h"

/* Numbers of arguments, by the offset of the call. */
static const int v3_args[] = { 4, 5, 5, 3, 2, 2, 4, 4 };
static const int v281_args[] = { 4, 3, 3, 3, 2, 2, 1, 1, 3, 3, 3, 1 };

struct fake_kernel fake;

static char *sysfs;

long __wrap_syscall(long number, ...);

static long fails(int error)
{
	errno = error;
	return -1;
}

/* What all calls with vectors check before they look at an element. */
static int check(const struct fake_call *call, long n, size_t element)
{
	if (n < 0 || (size_t)n >= INT32_MAX / element)
		return EINVAL;
	if (call->args[0] == FAKE_BAD_FD || call->args[0] < 0)
		return EBADF;
	if ((size_t)n * element > fake.arg_mem_max)
		return E2BIG;
	/* The last page of the address space is no process's. */
	if (n && (!call->args[2] || (unsigned long)call->args[2] > -4096UL))
		return EFAULT;
	return 0;
}

static long create_session(const struct fake_call *call)
{
	const char *name = (const char *)call->args[1];

	if (!(call->args[0] & PFM_FL_SMPL_FMT))
		return fake.result;
	if (!name)
		return fails(EFAULT);
	snprintf(fake.smpl_name, sizeof(fake.smpl_name), "%s", name);
	if (call->args[2] && call->args[3] == sizeof(fake.smpl_arg))
		memcpy(fake.smpl_arg, (const void *)call->args[2],
		       sizeof(fake.smpl_arg));
	return fake.result;
}

static void read_register(pfarg_pmr_t *pmr, pfarg_pmd_attr_t *attr)
{
	pmr->reg_value = FAKE_VALUE(pmr->reg_num);
	if (!attr)
		return;
	memset(attr, 0x77, sizeof(*attr));
	attr->reg_last_value = FAKE_LAST_VALUE(pmr->reg_num);
	attr->reg_ovfl_swcnt = FAKE_SWCNT(pmr->reg_num);
}

static long transfer(const struct fake_call *call)
{
	bool with_attr = call->args[1] & PFM_RWFL_PMD_ATTR;
	pfarg_pmr_t *pmrs = (pfarg_pmr_t *)call->args[2];
	pfarg_pmd_attr_t *attrs =
		with_attr ? (pfarg_pmd_attr_t *)call->args[4] : NULL;
	int err = check(call, call->args[3],
			with_attr ? sizeof(*attrs) : sizeof(*pmrs));

	if (err)
		return fails(err);
	for (int i = 0; i < call->args[3]; i++) {
		if (pmrs[i].reg_num == FAKE_BAD_REG)
			return fails(EINVAL);
		fake.pmrs[fake.elements] = pmrs[i];
		if (with_attr)
			fake.attrs[fake.elements] = attrs[i];
		fake.elements++;
		if (call->offset == PFM_NR_READ_PMRS)
			read_register(&pmrs[i], attrs ? &attrs[i] : NULL);
	}
	return 0;
}

static long create_sets(const struct fake_call *call)
{
	const pfarg_setdesc_t *sets = (const void *)call->args[2];
	int err = check(call, call->args[3], sizeof(*sets));

	if (err)
		return fails(err);
	for (int i = 0; i < call->args[3]; i++) {
		if (sets[i].set_id == FAKE_BAD_SET)
			return fails(EINVAL);
		fake.sets[fake.elements++] = sets[i];
	}
	return 0;
}

static long getinfo_sets(const struct fake_call *call)
{
	pfarg_setinfo_t *infos = (pfarg_setinfo_t *)call->args[2];
	int err = check(call, call->args[3], sizeof(*infos));
	uint16_t id;

	if (err)
		return fails(err);
	for (int i = 0; i < call->args[3]; i++) {
		id = infos[i].set_id;
		if (id == FAKE_BAD_SET)
			return fails(EINVAL);
		fake.infos[fake.elements++] = infos[i];
		memset(&infos[i], 0x77, sizeof(infos[i]));
		infos[i].set_id = id;
		infos[i].set_reserved1 = 0;
		memset(infos[i].set_reserved3, 0,
		       sizeof(infos[i].set_reserved3));
		infos[i].set_runs = FAKE_RUNS(id);
	}
	return 0;
}

/* Where version 2.2 puts the descriptor. */
#define V22_FD_OFFSET 20

static long answer_v2(const struct fake_call *call)
{
	if (call->offset == V281_CREATE_CONTEXT && fake.v22_context_fd) {
		memcpy(fake.smpl_arg, (void *)call->args[0],
		       sizeof(fake.smpl_arg));
		memcpy((char *)call->args[0] + V22_FD_OFFSET,
		       &fake.v22_context_fd, sizeof(fake.v22_context_fd));
	}
	return fake.result;
}

static long answer(const struct fake_call *call)
{
	if (fake.error)
		return fails(fake.error);
	if (fake.version == 2)
		return answer_v2(call);
	switch (call->offset) {
	case PFM_NR_CREATE_SESSION:
		return create_session(call);
	case PFM_NR_WRITE_PMRS:
	case PFM_NR_READ_PMRS:
		return transfer(call);
	case PFM_NR_CREATE_SETS:
		return create_sets(call);
	case PFM_NR_GETINFO_SETS:
		return getinfo_sets(call);
	default:
		return call->args[0] == FAKE_BAD_FD ? fails(EBADF) :
						      fake.result;
	}
}

long __wrap_syscall(long number, ...)
{
	int calls = fake.version == 2 ? (int)(sizeof(v281_args) / sizeof(int)) :
					(int)(sizeof(v3_args) / sizeof(int));
	struct fake_call *call = &fake.calls[fake.count];
	va_list args;

	if (number < FAKE_BASE || number >= FAKE_BASE + calls)
		fail_msg("system call %ld is not one of perfmon's", number);
	if (fake.count++ == FAKE_MAX_CALLS)
		fail_msg("too many system calls");

	*call = (struct fake_call){ .offset = (int)(number - FAKE_BASE) };
	va_start(args, number);
	for (int i = 0;
	     i < (fake.version == 2 ? v281_args : v3_args)[call->offset]; i++)
		call->args[i] = va_arg(args, long);
	va_end(args);

	call->result = (int)answer(call);
	if (call->result < 0)
		call->error = errno;
	return call->result;
}

void fake_publish(const char *version, const char *base)
{
	if (version)
		scratch_write(sysfs, "version", version);
	if (base)
		scratch_write(sysfs, "syscall", base);
	pfmlib_use_sysfs_dir(sysfs);
}

void fake_publish_interface(const char *interface)
{
	scratch_write(sysfs, "interface", interface);
	pfmlib_use_sysfs_dir(sysfs);
}

void fake_remove_base(void)
{
	scratch_unlink(sysfs, "syscall");
}

static int setup(int version)
{
	memset(&fake, 0, sizeof(fake));
	fake.version = version;
	fake.arg_mem_max = 4096;
	sysfs = scratch_make();
	pfmlib_v281_forget_strict();
	fake_publish(version == 2 ? "2.81\n" : "3.0\n", "500\n");
	return 0;
}

int fake_setup_v3(void **state)
{
	(void)state;
	return setup(3);
}

int fake_setup_v281(void **state)
{
	(void)state;
	return setup(2);
}

int fake_teardown(void **state)
{
	(void)state;
	scratch_remove(sysfs);
	return 0;
}

void fake_forget(void)
{
	fake.count = 0;
	fake.elements = 0;
}

void fake_assert_sent(int offset, const long args[FAKE_MAX_ARGS])
{
	const struct fake_call *call = &fake.calls[fake.count - 1];

	assert_int_equal(fake.count, 1);
	assert_int_equal(call->offset, offset);
	for (int i = 0; i < FAKE_MAX_ARGS; i++)
		assert_int_equal(call->args[i], args[i]);
	fake_forget();
}

void fake_assert_silent(void)
{
	assert_int_equal(fake.count, 0);
}
