/* SPDX-License-Identifier: GPL-2.0-only */
/* nolibc declares syscall() without being asked; this is what else it takes. */
#ifndef PFM_NOLIBC_SYS_SYSCALL_H
#define PFM_NOLIBC_SYS_SYSCALL_H

#include <asm/unistd.h>

#endif
