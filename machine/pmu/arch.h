/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of Intel's architectural PMU share: arch.c (counters, CPUID),
 * arch_control.c (fixed, global and extra control registers); the Core Duo in
 * p6.c has its events and its CPUID leaf.
 */
#ifndef PERFMON_TEST_PMU_ARCH_H
#define PERFMON_TEST_PMU_ARCH_H

#include "design.h"

extern const struct pmu_event arch_events[];
bool arch_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf,
		uint32_t regs[4]);

/* Derive what all counters do from all control registers. */
void arch_update(struct pmu *pmu);

/* Whether the global registers let a counter (of struct pmu) count. */
bool arch_globally_enabled(const struct pmu *pmu, unsigned int i);

struct pmu_reg arch_decode_control(const struct pmu *pmu, uint32_t msr);
enum pmu_result arch_read_control(const struct pmu *pmu, uint32_t msr,
				  uint64_t *value);
enum pmu_result arch_write_control(struct pmu *pmu, uint32_t msr,
				   uint64_t value);
void arch_overflow(struct pmu *pmu, unsigned int i);

#endif
