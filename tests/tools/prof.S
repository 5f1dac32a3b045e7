/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * prof: a program whose profile is known. It executes 1000012 instructions at user
 * level: 6 in _start, 600002 in fa, 300002 in fb and 100002 in fc. Each function is
 * a loop of 3, 5 or 10 instructions of three bytes, the last of which has two,
 * behind one of five bytes. It has no library and lies where it is linked to.
 */
	.text
	.macro function name, times, adds
	.balign 64
	.globl \name
	.type \name, @function
\name:
	mov $\times, %ecx
1:
	.rept \adds
	add $0, %edx
	.endr
	loop 1b
	ret
	.size \name, . - \name
	.endm

	.globl _start
	.type _start, @function
_start:
	call fa
	call fb
	call fc
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

	function fa, 200000, 2
	function fb, 60000, 4
	function fc, 10000, 9

	.section .note.GNU-stack, "", @progbits
