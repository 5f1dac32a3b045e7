/* SPDX-License-Identifier: MIT */
/*
 * The sampling format "stacks" for programs: the structures of the kernel
 * interface.
 */
#ifndef PERFMON_PERFMON_STACKS_SMPL_H
#define PERFMON_PERFMON_STACKS_SMPL_H

#include "perfmon.h"

/* As in perfmon.h: the 64-bit type of C, so that pointers to it fit. */
#define __u64 uint64_t
#include "perfmon_stacks_smpl_kernel.h"
#undef __u64

#endif /* PERFMON_PERFMON_STACKS_SMPL_H */
