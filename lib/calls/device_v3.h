/* SPDX-License-Identifier: MIT */
/*
 * The perfmon v3.0 calls of a kernel that has perfmon as a module: ioctls.
 */
#ifndef DEVICE_V3_H
#define DEVICE_V3_H

/* Arguments of a call after the first, as for a system call. */
struct device_args {
	long arg[4];
};

/*
 * Makes the call with this offset (PFM_NR_*); first is its first argument.
 * Returns what the system call would return.
 */
int pfmlib_device_call(int call, long first, const struct device_args *args);

#endif /* DEVICE_V3_H */
