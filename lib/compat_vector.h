/* SPDX-License-Identifier: MIT */
/*
 * Vectors that compat_*.c translate (compat_vector.c): memory for the translation, and
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

/* PMDs with their attributes, in the form of v3.0. */
struct small_pmds {
	pfarg_pmd_attr_t attrs[WORK_REGS];
	pfarg_pmr_t pmrs[WORK_REGS];
};

/*
 * Memory for the translated vectors.  small is on the stack, perhaps a signal handler's;
 * its type is one of the types stored there.
 */
struct work {
	void *data;
	size_t mapped; /* bytes of data, 0 if data is small */
	union {
		struct small_pmds pmds;
		pfarg_pmr_t
			pmrs[sizeof(struct small_pmds) / sizeof(pfarg_pmr_t)];
		pfarg_setdesc_t sets[sizeof(struct small_pmds) /
				     sizeof(pfarg_setdesc_t)];
		pfarg_setinfo_t infos[sizeof(struct small_pmds) /
				      sizeof(pfarg_setinfo_t)];
	} small;
};

/*
 * Gets memory for one vector of size bytes.  Returns 0; -1 with errno ENOMEM.
 * pfmlib_work_put() must follow success.
 */
int pfmlib_work_get(struct work *work, size_t size);
void pfmlib_work_put(struct work *work);

/* Likewise, for both vectors of n PMDs. */
int pfmlib_work_get_pmds(struct work *work, int n, pfarg_pmr_t **pmrs,
			 pfarg_pmd_attr_t **attrs);

/*
 * Checks a vector like the kernel does before it looks at an element: n elements, whose
 * size is a multiple of pfarg_pmr_t's.  Returns 0; -1 with errno EINVAL, EBADF, E2BIG or
 * EFAULT.  Of the pointer, only NULL is detected.
 */
int pfmlib_check_vector(int fd, const void *vector, int n, size_t element);

#endif /* COMPAT_VECTOR_H */
