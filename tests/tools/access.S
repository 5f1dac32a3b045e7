/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * access: a program whose accesses to memory are known. Each of 200000 rounds has six
 * instructions: a load of "lookup", a store 8 bytes behind the begin of "results", a locked
 * addition to "total", and three that do not access memory. It has no library and lies
 * where it is linked to.
 */
	.text
	.globl _start
	.type _start, @function
_start:
	mov $200000, %ecx
	.globl reading
reading:
	mov lookup, %eax
	.globl writing
writing:
	mov %eax, results + 8
	.globl adding
adding:
	lock addl $1, total
	add $0, %edx
	dec %ecx
	jnz reading
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
	.macro object name, size
	.balign 64
	.globl \name
	.type \name, @object
\name:
	.skip \size
	.size \name, \size
	.endm

	object lookup, 4
	object results, 64
	object total, 4

	.section .note.GNU-stack, "", @progbits
