/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chain: a program whose call chains are known. It has frame pointers: _start calls
 * outer, which executes 100000 instructions in a loop, and then inner, which executes
 * 300000. It has no library and lies where it is linked to.
 */
#ifdef __x86_64__
#define FP %rbp
#define SP %rsp
#else
#define FP %ebp
#define SP %esp
#endif

	.text
	.macro spin times
	mov $\times, %ecx
1:
	.rept 4
	add $0, %edx
	.endr
	loop 1b
	.endm

	.globl inner
	.type inner, @function
inner:
	push FP
	mov SP, FP
	spin 60000
	pop FP
	ret
	.size inner, . - inner

	.globl outer
	.type outer, @function
outer:
	push FP
	mov SP, FP
	spin 20000
	call inner
	pop FP
	ret
	.size outer, . - outer

	.globl _start
	.type _start, @function
_start:
	xor %ebp, %ebp
	call outer
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
	.section .note.GNU-stack, "", @progbits
