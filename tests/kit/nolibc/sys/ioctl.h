/* SPDX-License-Identifier: GPL-2.0-only */
/* nolibc declares ioctl() without being asked; this is what else it takes. */
#ifndef PFM_NOLIBC_SYS_IOCTL_H
#define PFM_NOLIBC_SYS_IOCTL_H

#include <linux/ioctl.h>

#endif
