// SPDX-License-Identifier: MIT
/*
 * The perfmon v3.0 calls if perfmon is a module, which cannot add system calls: a device,
 * named in sysfs, creates sessions, and the other calls are ioctls of the session's
 * descriptor (perfmon_ioctl.h).
 *
 * The device is opened for each session and closed again, so a program has no descriptors
 * besides the ones it created.  All functions called here are async-signal-safe.
 */
#include "device_v3.h"

#include <errno.h>
#include <fcntl.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_ioctl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pfmlib_kernel.h"

/* The ioctl numbers are consecutive, like the system call numbers. */
#define IOC_CALL(call) (PFM_IOC_CREATE + (unsigned int)(call))

_Static_assert(IOC_CALL(PFM_NR_WRITE_PMRS) == PFM_IOC_WRITE_PMRS &&
		       IOC_CALL(PFM_NR_READ_PMRS) == PFM_IOC_READ_PMRS &&
		       IOC_CALL(PFM_NR_ATTACH_SESSION) == PFM_IOC_ATTACH &&
		       IOC_CALL(PFM_NR_START_SESSION) == PFM_IOC_START &&
		       IOC_CALL(PFM_NR_STOP_SESSION) == PFM_IOC_STOP &&
		       IOC_CALL(PFM_NR_CREATE_SETS) == PFM_IOC_CREATE_SETS &&
		       IOC_CALL(PFM_NR_GETINFO_SETS) == PFM_IOC_GETINFO_SETS,
	       "the order of the system calls");
_Static_assert(sizeof(struct pfm_ioc_args) == 32, "the same for 32 and 64 bit");

/* More than the text before the line with the number in /proc/self/fdinfo/N. */
#define FDINFO_MAX 512

/* A pointer or size, zero-extended. */
static uint64_t word(long arg)
{
	return (unsigned long)arg;
}

/*
 * Moves the session to the number of the device's descriptor, which was the lowest free
 * one, as a system call would return.
 */
static int take_place(int device, int fd, int flags)
{
	int placed = dup3(fd, device, flags & PFM_FL_CLOEXEC ? O_CLOEXEC : 0);
	int error = errno;

	close(fd);
	if (placed >= 0)
		return placed;
	close(device);
	return pfmlib_fail(error);
}

static int open_device(void)
{
	char path[PFMLIB_DEVICE_MAX];

	if (pfmlib_device_path(path))
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC);
}

static int create(int flags, const struct device_args *args)
{
	struct pfm_ioc_args ioc = {
		.flags = flags,
		.vec = word(args->arg[0]),
		.extra = word(args->arg[1]),
		.size = word(args->arg[2]),
	};
	int device, fd, error;

	device = open_device();
	if (device < 0)
		return errno == ENOENT ? pfmlib_fail(ENOSYS) : -1;
	fd = ioctl(device, IOC_CALL(PFM_NR_CREATE_SESSION), &ioc);
	if (fd >= 0)
		return take_place(device, fd, flags);
	error = errno;
	close(device);
	return pfmlib_fail(error == ENOTTY ? ENOSYS : error);
}

/* Not a cancellation point, like the system call. */
static int create_uncancelled(int flags, const struct device_args *args)
{
	int cancel_state, fd;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	fd = create(flags, args);
	pthread_setcancelstate(cancel_state, NULL);
	return fd;
}

/* Appends a decimal number to the text. */
static void append_number(char *text, unsigned int number)
{
	char digits[16];
	size_t i = sizeof(digits);

	digits[--i] = '\0';
	do {
		digits[--i] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	strcat(text, digits + i);
}

/*
 * The number of the thread that a pidfd names, read from /proc since a module cannot look
 * it up; 0 if the descriptor is no pidfd.
 */
static int pidfd_number(int pidfd)
{
	char path[64] = "/proc/self/fdinfo/", text[FDINFO_MAX];
	const char *line;
	ssize_t len;
	long number;

	if (pidfd < 0)
		return 0;
	append_number(path, (unsigned int)pidfd);
	len = pfmlib_read_file(path, text, sizeof(text) - 1);
	if (len < 0)
		return 0;
	text[len] = '\0';
	line = strstr(text, "\nPid:");
	if (!line)
		return 0;
	number = strtol(line + strlen("\nPid:"), NULL, 10);
	return number > 0 ? (int)number : PFM_IOC_GONE;
}

/* The target of an attach, in the ioctl's form. */
static int ioc_target(int flags, int target)
{
	int number, error = errno;

	if (!(flags & PFM_ATFL_PIDFD) || target == PFM_NO_TARGET)
		return target;
	number = pidfd_number(target);
	errno = error;
	return number;
}

/*
 * Returns the error of a call whose descriptor is no session.  The device checks the
 * other arguments, whose errors have precedence.
 */
static int explain(int call, struct pfm_ioc_args *ioc)
{
	int rc, error, device = open_device();

	if (device < 0)
		return pfmlib_fail(EBADF);
	rc = ioctl(device, IOC_CALL(call), ioc);
	error = rc < 0 && errno != ENOTTY ? errno : EBADF;
	close(device);
	return pfmlib_fail(error);
}

/* Not a cancellation point. */
static int explain_uncancelled(int call, struct pfm_ioc_args *ioc)
{
	int cancel_state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	explain(call, ioc);
	pthread_setcancelstate(cancel_state, NULL);
	return -1;
}

/*
 * The arguments of the other calls.  Each field is set once: on i386 the compiler would
 * clear the structure in a loop, and threads that count themselves would pay for it.
 */
static struct pfm_ioc_args ioc_args(int call, const struct device_args *args)
{
	const int flags = (int32_t)args->arg[0];

	if (call == PFM_NR_ATTACH_SESSION)
		return (struct pfm_ioc_args){
			.flags = flags,
			.n = ioc_target(flags, (int)args->arg[1]),
			.vec = 0,
			.extra = 0,
			.size = 0,
		};
	return (struct pfm_ioc_args){
		.flags = flags,
		.n = (int32_t)args->arg[2],
		.vec = word(args->arg[1]),
		.extra = word(args->arg[3]),
		.size = 0,
	};
}

int pfmlib_device_call(int call, long first, const struct device_args *args)
{
	struct pfm_ioc_args ioc;
	int rc;

	if (call == PFM_NR_CREATE_SESSION)
		return create_uncancelled((int)first, args);
	ioc = ioc_args(call, args);
	rc = ioctl((int)first, IOC_CALL(call), &ioc);
	if (rc < 0 && (errno == ENOTTY || errno == EBADF))
		return explain_uncancelled(call, &ioc);
	return rc;
}
