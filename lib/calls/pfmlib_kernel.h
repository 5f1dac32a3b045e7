/* SPDX-License-Identifier: MIT */
/*
 * The perfmon of the running kernel, found once by pfmlib_kernel.c.  Every function of
 * the library that makes a system call uses it.
 */
#ifndef PFMLIB_KERNEL_H
#define PFMLIB_KERNEL_H

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

/* The perfmon of the running kernel. */
struct pfmlib_kernel {
	int major; /* 2: v2.x, with the calls of v2.81; 3: v3.0 */
	int minor;
	long base; /* number of the first system call */
};

/*
 * Returns 0 and keeps errno; -1 if there is no perfmon (ENOSYS), or if its files cannot
 * be opened now (EMFILE, ENFILE, ENOMEM).
 */
int pfmlib_kernel(struct pfmlib_kernel *kernel);

/*
 * The kernel that was found, in one word so that it is read and written at once; 0 until
 * then.  The low bits are the base of the system calls; v3.0 sets no other bits.
 */
extern atomic_uint pfmlib_known_kernel;

/* System call numbers are far below this on every x86 kernel. */
#define PFMLIB_BASE_MAX 0xffffu

/* Used instead of a number: a device has the calls (device_v3.c). */
#define PFMLIB_BASE_DEVICE PFMLIB_BASE_MAX

long pfmlib_find_v3_base(void);

/*
 * Returns the number of the first perfmon v3.0 system call, or PFMLIB_BASE_DEVICE; -1
 * with errno ENOSYS if the kernel has neither.  Keeps errno on success.  Inline, because
 * each instruction here costs programs that read their own counters.
 */
static inline long pfmlib_v3_base(void)
{
	unsigned int known = atomic_load_explicit(&pfmlib_known_kernel,
						  memory_order_relaxed);

	/* 0 - 1 wraps to the largest number. */
	return known - 1 < PFMLIB_BASE_MAX ? (long)known :
					     pfmlib_find_v3_base();
}

/* Longest device path that is accepted, including its NUL. */
#define PFMLIB_DEVICE_MAX 16

/*
 * Finds the device that creates sessions.  Returns 0, or -1 with errno ENOSYS if
 * the kernel names none, EMFILE, ENFILE or ENOMEM.
 */
int pfmlib_device_path(char path[PFMLIB_DEVICE_MAX]);

/*
 * Reads a file; not a cancellation point.  Returns the number of bytes read, or -1 with
 * errno.
 */
ssize_t pfmlib_read_file(const char *path, char *text, size_t size);

/* Fails without a system call. */
static inline int pfmlib_fail(int error)
{
	errno = error;
	return -1;
}

/*
 * For tests: uses another directory and forgets the kernel that was found.  It is not
 * exported, and no environment variable has this effect, so no program can be made to
 * call other numbers than its kernel's.
 */
void pfmlib_use_sysfs_dir(const char *dir);

#endif /* PFMLIB_KERNEL_H */
