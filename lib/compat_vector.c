// SPDX-License-Identifier: MIT
/*
 * Checks and memory for the vectors that compat_*.c translate.
 *
 * Memory comes from mmap(), because malloc() must not be called in a signal
 * handler.
 */
#include "compat_vector.h"

#include <errno.h>
#include <limits.h>
#include <sys/mman.h>

/* A size that the kernel never refuses: arg_mem_max is at least one page. */
#define ALWAYS_FITS 4096

/* An address that no process can have memory at. */
#define NOWHERE ((pfarg_pmr_t *)-sizeof(pfarg_pmr_t))

_Static_assert(offsetof(struct small_pmds, pmrs) ==
		       WORK_REGS * sizeof(pfarg_pmd_attr_t),
	       "pfmlib_work_get_pmds() finds it there");

int pfmlib_work_get(struct work *work, size_t size)
{
	work->data = &work->small;
	work->mapped = 0;
	if (size <= sizeof(work->small))
		return 0;

	work->data = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (work->data == MAP_FAILED) {
		errno = ENOMEM;
		return -1;
	}
	work->mapped = size;
	return 0;
}

int pfmlib_work_get_pmds(struct work *work, int n, pfarg_pmr_t **pmrs,
			 pfarg_pmd_attr_t **attrs)
{
	size_t places = n < WORK_REGS ? WORK_REGS : (size_t)n;

	if (pfmlib_work_get(work, places * (sizeof(**pmrs) + sizeof(**attrs))))
		return -1;
	/* At the place within small where struct small_pmds has them. */
	*attrs = work->data;
	*pmrs = (pfarg_pmr_t *)(*attrs + places);
	return 0;
}

void pfmlib_work_put(struct work *work)
{
	if (work->mapped)
		munmap(work->data, work->mapped);
}

/*
 * Asks the kernel to check a vector of that many bytes.  It checks the
 * descriptor and the size before it finds that NOWHERE cannot be read.  Returns
 * the errno.
 */
static int ask_kernel(int fd, size_t size)
{
	int n = (int)(size / sizeof(pfarg_pmr_t));

	if (pfm_read_pmrs(fd, PFM_RWFL_PMD, NOWHERE, n) == 0)
		return EFAULT;
	return errno;
}

int pfmlib_check_vector(int fd, const void *vector, int n, size_t element)
{
	int saved_errno = errno;
	int err;

	if (n < 0 || (size_t)n >= INT_MAX / element) {
		errno = EINVAL;
		return -1;
	}
	if (n == 0 || (vector && n * element <= ALWAYS_FITS))
		return 0;

	err = ask_kernel(fd, n * element);
	if (vector && err != EBADF && err != E2BIG) {
		errno = saved_errno;
		return 0;
	}
	errno = err;
	return -1;
}
