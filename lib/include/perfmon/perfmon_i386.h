/* SPDX-License-Identifier: MIT */
/*
 * Old names of the sizes of the register spaces, for i386 programs.  Included by
 * perfmon.h.
 */
#ifndef PERFMON_PERFMON_I386_H
#define PERFMON_PERFMON_I386_H

#define PFM_ARCH_MAX_PMCS PFM_MAX_PMCS
#define PFM_ARCH_MAX_PMDS PFM_MAX_PMDS

#endif /* PERFMON_PERFMON_I386_H */
