/* SPDX-License-Identifier: MIT */
/*
 * The sampling format "default" for programs: the structures of the kernel
 * interface, and the names that they have in libpfm.
 */
#ifndef PERFMON_PERFMON_DFL_SMPL_H
#define PERFMON_PERFMON_DFL_SMPL_H

#include <linux/types.h>
#include <stdint.h>

/* As in perfmon.h: the 64-bit type of C, so that pointers to it fit. */
#define __u64 uint64_t
#include "perfmon_dfl_smpl_kernel.h"
#undef __u64

typedef struct pfm_dfl_smpl_arg pfm_dfl_smpl_arg_t;
typedef struct pfm_dfl_smpl_hdr pfm_dfl_smpl_hdr_t;
typedef struct pfm_dfl_smpl_entry pfm_dfl_smpl_entry_t;

#endif /* PERFMON_PERFMON_DFL_SMPL_H */
