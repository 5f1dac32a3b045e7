/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What check-exports pretends was sampled: nobody runs it. checks/exports/truth.py
 * relies on its layout: a function begins with its calls, of five bytes each, and goes
 * on with instructions of three bytes.
 */
	.text
	.macro function name, first, second
	.balign 64
	.globl \name
	.type \name, @function
\name:
	.ifnb \first
	call \first
	.endif
	.ifnb \second
	call \second
	.endif
	.rept 6
	add $1, %edx
	.endr
	ret
	.size \name, . - \name
	.endm

	function _start, run, worker
	function run, walk, mix
	function walk, walk, mix
	function worker, walk, _ZN3boxIiE3putERKi
	function mix
	/* box<int>::put(int const&): a name with what formats have to escape. */
	function _ZN3boxIiE3putERKi

	/* Nobody has named it. */
	.balign 64
	.rept 32
	add $1, %edx
	.endr

	.section .note.GNU-stack, "", @progbits
