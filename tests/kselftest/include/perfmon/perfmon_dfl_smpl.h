/* SPDX-License-Identifier: GPL-2.0-only */
/* In the place of libpfm's header of this name. */
#ifndef PERFMON_PERFMON_DFL_SMPL_H
#define PERFMON_PERFMON_DFL_SMPL_H

#include <linux/types.h>
#include <stdint.h>

#define __u64 uint64_t
#include <linux/perfmon_dfl_smpl.h>
#undef __u64

typedef struct pfm_dfl_smpl_arg pfm_dfl_smpl_arg_t;
typedef struct pfm_dfl_smpl_hdr pfm_dfl_smpl_hdr_t;
typedef struct pfm_dfl_smpl_entry pfm_dfl_smpl_entry_t;

#endif
