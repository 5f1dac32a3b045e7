// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ioctls and the read of a thread's own counters in one translation unit, for the
 * reason that build_switch.c has: calls_read() calls others only in unusual cases.
 */
#include "calls.c"
#include "file.c"
#include "pmrs.c"
#include "selfread.c"
#include "syscall.c"
