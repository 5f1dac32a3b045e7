/* SPDX-License-Identifier: GPL-2.0-only */
/* In the place of libpfm's header of this name. */
#ifndef PERFMON_PERFMON_PRECISE_SMPL_H
#define PERFMON_PERFMON_PRECISE_SMPL_H

#include <linux/types.h>
#include <stdint.h>

#define __u64 uint64_t
#include <linux/perfmon_precise_smpl.h>
#undef __u64

#endif
