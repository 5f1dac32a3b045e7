/* SPDX-License-Identifier: MIT */
/*
 * The perfmon v3.0 calls of a kernel that has perfmon as a module: ioctls.
 */
#ifndef DEVICE_V3_H
#define DEVICE_V3_H

/* Arguments of a call behind the first, as a system call would have them. */
struct device_args {
	long arg[4];
};

/*
 * Makes the call with this offset (PFM_NR_*); first is its first argument.
 * Returns as the system call does.
 */
int pfmlib_device_call(int call, long first, const struct device_args *args);

#endif /* DEVICE_V3_H */
