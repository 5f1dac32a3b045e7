/* SPDX-License-Identifier: MIT */
/*
 * The sampling format "stacks" for programs: the kernel's structures.
 */
#ifndef PERFMON_PERFMON_STACKS_SMPL_H
#define PERFMON_PERFMON_STACKS_SMPL_H

#include "perfmon.h"

/* As in perfmon.h: C's 64-bit type, so that pointers to it fit. */
#define __u64 uint64_t
#include "perfmon_stacks_smpl_kernel.h"
#undef __u64

#endif /* PERFMON_PERFMON_STACKS_SMPL_H */
