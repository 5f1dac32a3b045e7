/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What AMD's PMUs have in common: defined in k7.c and core_ext.c, used by
 * core_ext.c and perfmon_v2.c as well.
 */
#ifndef PERFMON_TEST_PMU_AMD_H
#define PERFMON_TEST_PMU_AMD_H

#include "design.h"

extern const struct pmu_event amd_events[];

/* The registers at 0xc0010000..7. */
struct pmu_reg amd_decode_legacy(const struct pmu *pmu, uint32_t msr);
/* These and those of the core extension. */
struct pmu_reg amd_decode_core_ext(const struct pmu *pmu, uint32_t msr);
void amd_update(struct pmu *pmu);
int amd_rdpmc(const struct pmu *pmu, uint32_t index);
enum pmu_result amd_write_counter(struct pmu *pmu, unsigned int i,
				  uint64_t value);
enum pmu_result amd_write_select(struct pmu *pmu, unsigned int i,
				 uint64_t value);

#endif
