/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stands in for the kernel's header: the C library's, and what it lacks.
 */
#ifndef SHIM_LINUX_STRING_H
#define SHIM_LINUX_STRING_H

#include <string.h>

/* The first byte that is not c, or NULL. */
static inline void *memchr_inv(const void *start, int c, size_t bytes)
{
	const unsigned char *p = start;

	for (; bytes--; p++)
		if (*p != (unsigned char)c)
			return (void *)p;
	return NULL;
}

#endif /* SHIM_LINUX_STRING_H */
