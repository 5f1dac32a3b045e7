// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stands in for the eight calls of perfmon, for pfmon on a host whose kernel has
 * none: pfmon is started with this in LD_PRELOAD. Every session counts a number that
 * follows from the rank, FIRST + STEP * rank, the same for all registers. Of
 * /sys/kernel/perfmon it reads the folder that STANDIN_SYSFS names.
 *
 * It shows names, formats and files of pfmon, not counting; the guests do that.
 *
 * STANDIN_FAIL=CALL:N:ERRNO makes the Nth of a call fail (attach:1:17), and with
 * STANDIN_OLD no session of a running thread can be touched, as on kernels that do
 * not know how. STANDIN_LEFT names a file, to whose end each process that has made
 * sessions writes how many of them it has not closed when it exits.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <perfmon/perfmon.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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

/* Whether this call is the one that fails. */
static bool fails(const char *call)
{
	static unsigned int so_far;
	const char *wish = getenv("STANDIN_FAIL");
	size_t length = strlen(call);
	unsigned int number;
	int error;

	if (!wish || strncmp(wish, call, length) != 0 ||
	    sscanf(wish + length, ":%u:%d", &number, &error) != 2 ||
	    ++so_far != number)
		return false;
	errno = error;
	return true;
}

/* Whether a kernel without PFM_STFL_RUNNING refuses these flags of a call. */
static bool is_too_new(int flags)
{
	if (!flags || !getenv("STANDIN_OLD"))
		return false;
	errno = EINVAL;
	return true;
}

/* Descriptors that are sessions, and who has made one. */
#define DESCRIPTORS 4096
static bool is_session[DESCRIPTORS];
static pid_t maker;

int close(int fd)
{
	static int (*real)(int);

	if (!real)
		real = (int (*)(int))dlsym(RTLD_NEXT, "close");
	if (fd >= 0 && fd < DESCRIPTORS)
		is_session[fd] = false;
	return real(fd);
}

__attribute__((destructor)) static void tell_what_is_left(void)
{
	const char *name = getenv("STANDIN_LEFT");
	int left = 0;
	FILE *file;

	if (!name || maker != getpid())
		return;
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		left += is_session[fd];
	file = fopen(name, "a");
	if (!file)
		return;
	fprintf(file, "%d\n", left);
	fclose(file);
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
	int fd;

	if (fails("create"))
		return -1;
	if (flags & PFM_FL_SYSTEM_WIDE && !started)
		started = now();
	if (flags & ~(PFM_FL_SYSTEM_WIDE | PFM_FL_INHERIT | PFM_FL_CLOEXEC)) {
		errno = EINVAL;
		return -1;
	}
	/* Nobody ever writes it: no message comes. */
	fd = eventfd(0, flags & PFM_FL_CLOEXEC ? EFD_CLOEXEC : 0);
	if (fd >= 0 && fd < DESCRIPTORS)
		is_session[fd] = true;
	maker = getpid();
	return fd;
}

int pfm_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	(void)fd;
	(void)flags;
	(void)pmrs;
	(void)n;
	return fails("write") ? -1 : 0;
}

int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	const char *rank = rank_own();

	(void)fd;
	(void)flags;
	if (fails("read"))
		return -1;
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
	return fails("attach") ? -1 : 0;
}

int pfm_detach_session(int fd, int flags)
{
	(void)fd;
	return fails("detach") || is_too_new(flags) ? -1 : 0;
}

int pfm_start_session(int fd, int flags)
{
	(void)fd;
	return fails("start") || is_too_new(flags) ? -1 : 0;
}

int pfm_stop_session(int fd, int flags)
{
	(void)fd;
	/* Whom pfmon stops while they may run has ended, as commands have. */
	if (flags) {
		errno = EINVAL;
		return -1;
	}
	return fails("stop") ? -1 : 0;
}

int pfm_create_sets(int fd, int flags, pfarg_setdesc_t *sets, int n)
{
	(void)fd;
	(void)flags;
	(void)sets;
	(void)n;
	return fails("sets") ? -1 : 0;
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
	if (fails("getinfo"))
		return -1;
	for (int i = 0; i < n; i++) {
		sets[i].set_runs = 1;
		sets[i].set_act_duration = duration();
		sets[i].set_avail_pmcs[0] = REGISTERS;
		sets[i].set_avail_pmds[0] = REGISTERS;
	}
	return 0;
}
