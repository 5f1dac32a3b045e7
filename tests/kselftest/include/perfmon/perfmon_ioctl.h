/* SPDX-License-Identifier: GPL-2.0-only */
/* In the place of libpfm's header of this name. */
#ifndef PERFMON_PERFMON_IOCTL_H
#define PERFMON_PERFMON_IOCTL_H

#include <linux/perfmon_ioctl.h>

#endif
