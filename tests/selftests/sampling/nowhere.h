/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef NOWHERE_H
#define NOWHERE_H

#include <stdint.h>

/* Where no memory is, for programs of this size. */
static const uintptr_t nowhere[] = {
	1,
	8,
	0x1000,
	(uintptr_t)-1,
	(uintptr_t)-8,
	(uintptr_t)-16,
	(uintptr_t)-4096,
#ifdef __x86_64__
	0x7ffffffffff0,
	0x7fffffffeff0,
	0x7fffffffeff8,
	0x7ffffffff000,
	0x800000000000,
	0xff00000000000000,
	0xffff800000000000,
	0xffff888000000000,
	0xffffffff81000000,
	0xfffffe0000000000,
	0xffffffffff600000,
#else
	0xc0000000,
	0xc1000000,
	0xbffffff8,
	0xffffe000,
#endif
};

#endif
