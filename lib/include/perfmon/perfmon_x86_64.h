/* SPDX-License-Identifier: MIT */
/*
 * What is special of x86-64 programs: nothing.  The register spaces have their
 * old names here.  Included by perfmon.h.
 */
#ifndef PERFMON_PERFMON_X86_64_H
#define PERFMON_PERFMON_X86_64_H

#define PFM_ARCH_MAX_PMCS PFM_MAX_PMCS
#define PFM_ARCH_MAX_PMDS PFM_MAX_PMDS

#endif /* PERFMON_PERFMON_X86_64_H */
