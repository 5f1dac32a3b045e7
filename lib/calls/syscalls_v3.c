// SPDX-License-Identifier: MIT
/*
 * The perfmon v3.0 functions that programs call.  Each makes one system call, or one call
 * of the device, and keeps the kernel's errno.  The only state is in pfmlib_kernel.c.
 *
 * Optional arguments are read only if the flags say that they are present, like the mode
 * of open(2); the kernel gets 0 for absent ones.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "device_v3.h"
#include "pfmlib_kernel.h"

#define ARG_PTR(value) ((long)(value))

/*
 * Makes the v3.0 call with this offset; unused arguments are 0.  All are long because
 * syscall() takes longs: a narrower argument would leave the upper half of a register
 * undefined.
 */
static int call_v3(int call, long arg0, long arg1, long arg2, long arg3,
		   long arg4)
{
	long base = pfmlib_v3_base();

	if (base < 0)
		return -1;
	if (base == PFMLIB_BASE_DEVICE) {
		const struct device_args args = { { arg1, arg2, arg3, arg4 } };

		return pfmlib_device_call(call, arg0, &args);
	}
	return (int)syscall(base + call, arg0, arg1, arg2, arg3, arg4);
}

int pfm_create_session(int flags, ...)
{
	char *smpl_name = NULL;
	void *smpl_arg = NULL;
	size_t smpl_size = 0;

	if (flags & PFM_FL_SMPL_FMT) {
		va_list args;

		va_start(args, flags);
		smpl_name = va_arg(args, char *);
		smpl_arg = va_arg(args, void *);
		smpl_size = va_arg(args, size_t);
		va_end(args);
	}
	return call_v3(PFM_NR_CREATE_SESSION, flags, ARG_PTR(smpl_name),
		       ARG_PTR(smpl_arg), (long)smpl_size, 0);
}

int pfm_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	pfarg_pmd_attr_t *pmas = NULL;

	if (flags & PFM_RWFL_PMD_ATTR) {
		va_list args;

		va_start(args, n);
		pmas = va_arg(args, pfarg_pmd_attr_t *);
		va_end(args);
	}
	return call_v3(PFM_NR_WRITE_PMRS, fd, flags, ARG_PTR(pmrs), n,
		       ARG_PTR(pmas));
}

int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	pfarg_pmd_attr_t *pmas = NULL;

	if (flags & PFM_RWFL_PMD_ATTR) {
		va_list args;

		va_start(args, n);
		pmas = va_arg(args, pfarg_pmd_attr_t *);
		va_end(args);
	}
	return call_v3(PFM_NR_READ_PMRS, fd, flags, ARG_PTR(pmrs), n,
		       ARG_PTR(pmas));
}

int pfm_attach_session(int fd, int flags, int target)
{
	return call_v3(PFM_NR_ATTACH_SESSION, fd, flags, target, 0, 0);
}

/* The kernel has no such call: detaching is attaching to PFM_NO_TARGET. */
int pfm_detach_session(int fd, int flags)
{
	return pfm_attach_session(fd, flags, PFM_NO_TARGET);
}

int pfm_start_session(int fd, int flags)
{
	return call_v3(PFM_NR_START_SESSION, fd, flags, 0, 0, 0);
}

int pfm_stop_session(int fd, int flags)
{
	return call_v3(PFM_NR_STOP_SESSION, fd, flags, 0, 0, 0);
}

int pfm_create_sets(int fd, int flags, pfarg_setdesc_t *sets, int n)
{
	return call_v3(PFM_NR_CREATE_SETS, fd, flags, ARG_PTR(sets), n, 0);
}

int pfm_getinfo_sets(int fd, int flags, pfarg_setinfo_t *infos, int n)
{
	return call_v3(PFM_NR_GETINFO_SETS, fd, flags, ARG_PTR(infos), n, 0);
}
