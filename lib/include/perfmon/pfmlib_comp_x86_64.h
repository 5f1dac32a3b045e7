/* SPDX-License-Identifier: MIT */
/*
 * The compiler's part of pfmlib.h on x86-64.
 */
#ifndef __PFMLIB_COMP_X86_64_H__
#define __PFMLIB_COMP_X86_64_H__

#ifdef __cplusplus
extern "C" {
#endif

/* The number of bits that are set. */
static inline unsigned long pfmlib_popcnt(unsigned long v)
{
	unsigned long count = 0;

	for (; v; v &= v - 1)
		count++;
	return count;
}

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_COMP_X86_64_H__ */
