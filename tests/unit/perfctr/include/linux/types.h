/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's names of types, on top of the system's header of this name
 * (which the C library includes as well).
 */
#ifndef PERFCTR_TEST_LINUX_TYPES_H
#define PERFCTR_TEST_LINUX_TYPES_H

#include_next <linux/types.h>

#include <stdbool.h>
#include <stddef.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __s32 s32;
typedef __s64 s64;
typedef __u64 u64;

#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))

#endif
