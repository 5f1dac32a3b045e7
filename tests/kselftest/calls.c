// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system calls as libpfm has them, for tests that do without it.  Arguments
 * that are optional are read only if the flags say that they are there.
 */
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

int pfm_create_session(int flags, ...)
{
	const char *name = NULL;
	void *arg = NULL;
	size_t size = 0;
	va_list args;

	if (flags & PFM_FL_SMPL_FMT) {
		va_start(args, flags);
		name = va_arg(args, const char *);
		arg = va_arg(args, void *);
		size = va_arg(args, size_t);
		va_end(args);
	}
	return (int)syscall(__NR_pfm_create_session, flags, name, arg, size);
}

int pfm_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	pfarg_pmd_attr_t *attrs = NULL;
	va_list args;

	if (flags & PFM_RWFL_PMD_ATTR) {
		va_start(args, n);
		attrs = va_arg(args, pfarg_pmd_attr_t *);
		va_end(args);
	}
	return (int)syscall(__NR_pfm_write_pmrs, fd, flags, pmrs, n, attrs);
}

int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	pfarg_pmd_attr_t *attrs = NULL;
	va_list args;

	if (flags & PFM_RWFL_PMD_ATTR) {
		va_start(args, n);
		attrs = va_arg(args, pfarg_pmd_attr_t *);
		va_end(args);
	}
	return (int)syscall(__NR_pfm_read_pmrs, fd, flags, pmrs, n, attrs);
}

int pfm_attach_session(int fd, int flags, int target)
{
	return (int)syscall(__NR_pfm_attach_session, fd, flags, target);
}

int pfm_detach_session(int fd, int flags)
{
	return pfm_attach_session(fd, flags, PFM_NO_TARGET);
}

int pfm_start_session(int fd, int flags)
{
	return (int)syscall(__NR_pfm_start_session, fd, flags);
}

int pfm_stop_session(int fd, int flags)
{
	return (int)syscall(__NR_pfm_stop_session, fd, flags);
}

int pfm_create_sets(int fd, int flags, pfarg_setdesc_t *sets, int n)
{
	return (int)syscall(__NR_pfm_create_sets, fd, flags, sets, n);
}

int pfm_getinfo_sets(int fd, int flags, pfarg_setinfo_t *infos, int n)
{
	return (int)syscall(__NR_pfm_getinfo_sets, fd, flags, infos, n);
}
