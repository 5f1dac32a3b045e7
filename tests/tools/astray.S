/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * astray: a program without frame pointers, whose register of that name leads to
 * addresses in functions that were never called. worker, called by _start, executes
 * 300000 instructions in a loop. It has no library and lies where it is linked to.
 */
#ifdef __x86_64__
#define WORDS .quad
#else
#define WORDS .long
#endif

	.text
	.globl worker
	.type worker, @function
worker:
	mov $60000, %ecx
1:
	.rept 4
	add $0, %edx
	.endr
	loop 1b
	ret
	.size worker, . - worker

	.globl stray
	.type stray, @function
stray:
	xor %eax, %eax
	ret
	.size stray, . - stray

	.globl _start
	.type _start, @function
_start:
	mov $first, %ebp
	call worker
#ifdef __x86_64__
	mov $60, %eax
	xor %edi, %edi
	syscall
#else
	mov $1, %eax
	xor %ebx, %ebx
	int $0x80
#endif
	.size _start, . - _start

	.data
	.balign 8
first:	WORDS last, stray + 2
last:	WORDS 0, stray
	.section .note.GNU-stack, "", @progbits
