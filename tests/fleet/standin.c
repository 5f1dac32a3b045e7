// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stands in for the eight calls of perfmon, for pfmon on a host whose kernel has
 * none: pfmon is started with this in LD_PRELOAD. Every session counts a number that
 * follows from the rank, FIRST + STEP * rank, the same for all registers. Of
 * /sys/kernel/perfmon it reads the folder that STANDIN_SYSFS names.
 *
 * It shows names, formats and files of pfmon, not counting; the guests do that.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <perfmon/perfmon.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>

#include "report/rank.h"

#define SYSFS "/sys/kernel/perfmon"
#define FIRST 1000000
#define STEP 1000

/* Those of the zen that checks/fleet.py describes. */
#define REGISTERS 0x3f

static const char *moved(const char *path, char *buffer, size_t size)
{
	const char *folder = getenv("STANDIN_SYSFS");

	if (!folder || strncmp(path, SYSFS, strlen(SYSFS)) != 0)
		return path;
	snprintf(buffer, size, "%s%s", folder, path + strlen(SYSFS));
	return buffer;
}

int open(const char *path, int flags, ...)
{
	static int (*real)(const char *, int, ...);
	char buffer[4096];
	unsigned int mode;
	va_list args;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, unsigned int) : 0;
	va_end(args);
	if (!real)
		real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT,
							      "open");
	return real(moved(path, buffer, sizeof(buffer)), flags, mode);
}

DIR *opendir(const char *path)
{
	static DIR *(*real)(const char *);
	char buffer[4096];

	if (!real)
		real = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
	return real(moved(path, buffer, sizeof(buffer)));
}

/* Of the CPUs' sessions, the first; 0: there are none. */
static uint64_t started;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int pfm_create_session(int flags, ...)
{
	if (flags & PFM_FL_SYSTEM_WIDE && !started)
		started = now();
	if (flags & ~(PFM_FL_SYSTEM_WIDE | PFM_FL_INHERIT | PFM_FL_CLOEXEC)) {
		errno = EINVAL;
		return -1;
	}
	/* Nobody ever writes it: no message comes. */
	return eventfd(0, flags & PFM_FL_CLOEXEC ? EFD_CLOEXEC : 0);
}

int pfm_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	(void)fd;
	(void)flags;
	(void)pmrs;
	(void)n;
	return 0;
}

int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	const char *rank = rank_own();

	(void)fd;
	(void)flags;
	for (int i = 0; i < n; i++)
		pmrs[i].reg_value =
			FIRST + STEP * strtoull(rank ?: "0", NULL, 10);
	return 0;
}

int pfm_attach_session(int fd, int flags, int target)
{
	(void)fd;
	(void)flags;
	(void)target;
	return 0;
}

int pfm_detach_session(int fd, int flags)
{
	(void)fd;
	(void)flags;
	return 0;
}

int pfm_start_session(int fd, int flags)
{
	(void)fd;
	(void)flags;
	return 0;
}

int pfm_stop_session(int fd, int flags)
{
	(void)fd;
	(void)flags;
	return 0;
}

int pfm_create_sets(int fd, int flags, pfarg_setdesc_t *sets, int n)
{
	(void)fd;
	(void)flags;
	(void)sets;
	(void)n;
	return 0;
}

/*
 * All time was counted: of a system since its start, of commands that have ended. With
 * STANDIN_YIELDS others had the CPUs for half of it.
 */
static uint64_t duration(void)
{
	struct rusage used;

	if (started && getenv("STANDIN_YIELDS"))
		return (now() - started) / 2;
	if (started)
		return now() - started;
	getrusage(RUSAGE_CHILDREN, &used);
	return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) *
		       1000000000 +
	       (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
}

int pfm_getinfo_sets(int fd, int flags, pfarg_setinfo_t *sets, int n)
{
	(void)fd;
	(void)flags;
	for (int i = 0; i < n; i++) {
		sets[i].set_runs = 1;
		sets[i].set_act_duration = duration();
		sets[i].set_avail_pmcs[0] = REGISTERS;
		sets[i].set_avail_pmds[0] = REGISTERS;
	}
	return 0;
}
