// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system calls of perfmon for programs that are built with nolibc, which
 * the library cannot be. Formats, attributes and sets are nobody's business
 * here.
 */
#include <errno.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "attr.h"

static long call_number(int offset)
{
	static long base;

	if (!base)
		base = (long)attr_number("syscall");
	/* Without perfmon, a number that no system call has. */
	return base > 0 ? base + offset : -1;
}

int pfm_create_session(int flags, ...)
{
	return (int)syscall(call_number(PFM_NR_CREATE_SESSION), flags, 0, 0, 0);
}

int pfm_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	return (int)syscall(call_number(PFM_NR_WRITE_PMRS), fd, flags, pmrs, n,
			    0);
}

int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	return (int)syscall(call_number(PFM_NR_READ_PMRS), fd, flags, pmrs, n,
			    0);
}

int pfm_attach_session(int fd, int flags, int target)
{
	return (int)syscall(call_number(PFM_NR_ATTACH_SESSION), fd, flags,
			    target);
}

int pfm_start_session(int fd, int flags)
{
	return (int)syscall(call_number(PFM_NR_START_SESSION), fd, flags);
}

int pfm_stop_session(int fd, int flags)
{
	return (int)syscall(call_number(PFM_NR_STOP_SESSION), fd, flags);
}
