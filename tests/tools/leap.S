/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leap: a program whose branches are known. Each of 200000 rounds has five that are taken: a
 * jump, a call, a return and two conditional ones. It has no library and lies where it is
 * linked to.
 */
	.text
	.globl _start
	.type _start, @function
_start:
	mov $200000, %ecx
	.globl leaping
leaping:
	jmp calling
	nop
	.globl calling
calling:
	call called
	.globl deciding
deciding:
	cmp %eax, %eax
	jz counting
	nop
	.globl counting
counting:
	jnz _start
	dec %ecx
	jnz leaping
#ifdef __x86_64__
	mov $60, %eax
	xor %edi, %edi
	syscall
#else
	mov $1, %eax
	xor %ebx, %ebx
	int $0x80
#endif
	.globl called
called:
	ret
	.size _start, . - _start

	.section .note.GNU-stack, "", @progbits
