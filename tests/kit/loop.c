// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops in assembly, so that no compiler has a say in the number of their
 * instructions. Neither is ever inlined: the instructions around the loop are
 * then the same for each caller and each length.
 */
#include "loop.h"

void __attribute__((noinline)) counted_loop(unsigned long instructions)
{
	unsigned long iterations = instructions / 2;

	asm volatile("1:	dec	%0\n"
		     "	jnz	1b\n"
		     : "+r"(iterations)
		     :
		     : "cc");
}

unsigned long __attribute__((noinline)) chunked_loop(const volatile int *stop)
{
	unsigned long chunks = 0;
	unsigned long inner;

	/* mov, 10000 times dec and jnz, inc, cmp, je */
	asm volatile("1:	mov	$10000, %1\n"
		     "2:	dec	%1\n"
		     "	jnz	2b\n"
		     "	inc	%0\n"
		     "	cmpl	$0, (%2)\n"
		     "	je	1b\n"
		     : "+r"(chunks), "=&r"(inner)
		     : "r"(stop)
		     : "cc", "memory");
	return chunks;
}
