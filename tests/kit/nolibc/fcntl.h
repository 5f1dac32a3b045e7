/* SPDX-License-Identifier: GPL-2.0-only */
/* nolibc declares open() without being asked; this is what else it takes. */
#ifndef PFM_NOLIBC_FCNTL_H
#define PFM_NOLIBC_FCNTL_H

#include <asm/fcntl.h>

#endif
