/* SPDX-License-Identifier: MIT */
/*
 * The sampling format "precise" for programs: the kernel's structures.
 */
#ifndef PERFMON_PERFMON_PRECISE_SMPL_H
#define PERFMON_PERFMON_PRECISE_SMPL_H

#include "perfmon.h"

/* As in perfmon.h: C's 64-bit type, so that pointers to it fit. */
#define __u64 uint64_t
#include "perfmon_precise_smpl_kernel.h"
#undef __u64

#endif /* PERFMON_PERFMON_PRECISE_SMPL_H */
