// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops in assembly, so that no compiler has a say in the number of their
 * instructions. Neither is ever inlined: the instructions around the loop are
 * then the same for each caller and each length.
 *
 * Most of them are no-operations in blocks: the emulator of the test machine
 * counts them like any others, and has nothing to execute for them.
 */
#include "loop.h"

/* Instructions of a block, the last two of which close its loop. */
#define BLOCK 500
#define NOPS NO_OPERATIONS(498)

/* Whether there are blocks or not, the two instructions that ask are executed. */
void __attribute__((noinline)) counted_loop(unsigned long instructions)
{
	unsigned long blocks = (instructions - 2) / BLOCK;
	unsigned long pairs = (instructions - blocks * BLOCK) / 2;

	asm volatile("	test	%0, %0\n"
		     "	jz	2f\n"
		     "1:	" NOPS "	dec	%0\n"
		     "	jnz	1b\n"
		     "2:	dec	%1\n"
		     "	jnz	2b\n"
		     : "+r"(blocks), "+r"(pairs)
		     :
		     : "cc");
}

unsigned long __attribute__((noinline)) chunked_loop(const volatile int *stop)
{
	unsigned long chunks = 0;
	unsigned long inner;

	/* mov, 40 blocks, inc, cmp, je */
	asm volatile("1:	mov	$40, %1\n"
		     "2:	" NOPS "	dec	%1\n"
		     "	jnz	2b\n"
		     "	inc	%0\n"
		     "	cmpl	$0, (%2)\n"
		     "	je	1b\n"
		     : "+r"(chunks), "=&r"(inner)
		     : "r"(stop)
		     : "cc", "memory");
	return chunks;
}
