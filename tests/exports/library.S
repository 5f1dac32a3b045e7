/* SPDX-License-Identifier: GPL-2.0-only */
/* The library of program.S, which two processes have at different addresses. */
	.text
	.balign 64
	.globl mix, more
	/* A function of the program has the same name. */
	.type mix, @function
mix:
	.rept 6
	add $1, %edx
	.endr
	ret
	.size mix, . - mix

	.balign 64
	.type more, @function
more:
	.rept 6
	add $1, %edx
	.endr
	ret
	.size more, . - more

	.section .note.GNU-stack, "", @progbits
