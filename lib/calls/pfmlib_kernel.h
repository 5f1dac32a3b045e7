/* SPDX-License-Identifier: MIT */
/*
 * What the running kernel provides (pfmlib_kernel.c), for the functions of the
 * library that make system calls.
 */
#ifndef PFMLIB_KERNEL_H
#define PFMLIB_KERNEL_H

#include <errno.h>
#include <stdatomic.h>

/* The perfmon of the running kernel. */
struct pfmlib_kernel {
	int major; /* 2: v2.x, its calls are those of v2.81; 3: v3.0 */
	int minor;
	long base; /* number of the first system call */
};

/* Returns 0; -1 with errno ENOSYS if there is none.  Else leaves errno alone. */
int pfmlib_kernel(struct pfmlib_kernel *kernel);

/* The number of the first perfmon v3.0 system call, 0 until it is found. */
extern atomic_long pfmlib_known_v3_base;

long pfmlib_find_v3_base(void);

/*
 * Returns the number of the first perfmon v3.0 system call; -1 with errno
 * ENOSYS if the kernel has none.  Leaves errno alone on success.  Inline: a
 * program that reads its own counters pays for each instruction here.
 */
static inline long pfmlib_v3_base(void)
{
	long base = atomic_load_explicit(&pfmlib_known_v3_base,
					 memory_order_relaxed);

	return base ? base : pfmlib_find_v3_base();
}

/* How a function fails without asking the kernel. */
static inline int pfmlib_fail(int error)
{
	errno = error;
	return -1;
}

/*
 * For tests: look in another directory and forget what was found.  It is not
 * exported and nothing in the environment leads to it, so that no program can
 * be made to call other numbers than those of its kernel.
 */
void pfmlib_use_sysfs_dir(const char *dir);

#endif /* PFMLIB_KERNEL_H */
