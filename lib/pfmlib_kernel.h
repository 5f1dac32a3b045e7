/* SPDX-License-Identifier: MIT */
/*
 * What the running kernel provides (kernel.c), for the functions of the
 * library that make system calls.
 */
#ifndef PFMLIB_KERNEL_H
#define PFMLIB_KERNEL_H

/*
 * Returns the number of the first perfmon v3.0 system call; -1 with errno
 * ENOSYS if the kernel has none.  Leaves errno alone on success.
 */
long pfmlib_v3_base(void);

/*
 * For tests: look in another directory and forget what was found.  It is not
 * exported and nothing in the environment leads to it, so that no program can
 * be made to call other numbers than those of its kernel.
 */
void pfmlib_use_sysfs_dir(const char *dir);

#endif /* PFMLIB_KERNEL_H */
