/* SPDX-License-Identifier: MIT */
/*
 * Vectors that compat_*.c translate (compat_vector.c): memory for the result, and
 * the checks of the kernel that the program was written for.
 */
#ifndef COMPAT_VECTOR_H
#define COMPAT_VECTOR_H

#include <perfmon/perfmon.h>
#include <stddef.h>
#include <stdint.h>

/* pfm_write_pmrs() or pfm_read_pmrs(). */
typedef int v3_transfer(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...);

/* Up to this many registers are translated without allocating memory. */
#define WORK_REGS 16

/*
 * Memory for the translated vectors.  small[] is on the stack, which may be that
 * of a signal handler.
 */
struct work {
	void *data;
	size_t mapped; /* bytes of data, 0 if it is small[] */
	uint64_t small[WORK_REGS *
		       (sizeof(pfarg_pmr_t) + sizeof(pfarg_pmd_attr_t)) /
		       sizeof(uint64_t)];
};

/* Returns 0; -1 with errno ENOMEM.  pfmlib_work_put() must follow success. */
int pfmlib_work_get(struct work *work, size_t size);
void pfmlib_work_put(struct work *work);

/*
 * Checks a vector as the kernel does before it looks at an element: n elements,
 * whose size is a multiple of that of pfarg_pmr_t.  Returns 0; -1 with errno EINVAL,
 * EBADF, E2BIG or EFAULT.  Of the pointer it knows only whether it is NULL.
 */
int pfmlib_check_vector(int fd, const void *vector, int n, size_t element);

#endif /* COMPAT_VECTOR_H */
