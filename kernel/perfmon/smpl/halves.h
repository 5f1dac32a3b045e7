/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffers in halves: the kernel fills one half while a program reads the other, so
 * that a session need not be masked.  The formats "default" and "stacks" have them.
 *
 * The halves are filled in turn.  One that is full stays as it is until a restart
 * gives it back.  While both are full overflows are lost, and counted as such.
 */
#ifndef _KERNEL_PERFMON_HALVES_H
#define _KERNEL_PERFMON_HALVES_H

#include <linux/types.h>

bool perfmon_halves_fit(u64 buf_size, u64 largest);
void perfmon_halves_init(void *buf);
int perfmon_halves_turn(void *buf, u32 *ctrl);
int perfmon_halves_lose(u32 *ctrl);
void perfmon_halves_release(void *buf, u32 *ctrl);

#endif /* _KERNEL_PERFMON_HALVES_H */
