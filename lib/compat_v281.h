/* SPDX-License-Identifier: MIT */
/* The system calls of v2.x kernels and strict mode, for compat_v281*.c. */
#ifndef COMPAT_V281_H
#define COMPAT_V281_H

#include <stdbool.h>
#include <unistd.h>

#include "calls/pfmlib_kernel.h"

/*
 * System calls of a v2.x kernel, as offsets from its base.  Each has the
 * arguments of the library's function.
 */
enum {
	V281_CREATE_CONTEXT,
	V281_WRITE_PMCS,
	V281_WRITE_PMDS,
	V281_READ_PMDS,
	V281_LOAD_CONTEXT,
	V281_START,
	V281_STOP,
	V281_RESTART,
	V281_CREATE_EVTSETS,
	V281_GETINFO_EVTSETS,
	V281_DELETE_EVTSETS,
	V281_UNLOAD_CONTEXT,
};

/* True if the kernel has these calls.  If not, they must be translated. */
static inline bool is_native(const struct pfmlib_kernel *kernel)
{
	return kernel->major == 2;
}

/*
 * Makes the system call of a v2.x kernel; unused arguments are 0.  Returns
 * false if the call must be translated; else *rc is the result, -1 if the
 * kernel has no perfmon.
 */
static inline bool v281_native(int *rc, int call, long arg0, long arg1,
			       long arg2)
{
	struct pfmlib_kernel kernel;

	*rc = pfmlib_kernel(&kernel);
	if (*rc)
		return true;
	if (!is_native(&kernel))
		return false;
	*rc = (int)syscall(kernel.base + call, arg0, arg1, arg2);
	return true;
}

/* True if strict mode is on.  It cannot be changed afterwards. */
bool pfmlib_v281_strict(void);

/* For tests: restores the state of a new process. */
void pfmlib_v281_forget_strict(void);

#endif /* COMPAT_V281_H */
