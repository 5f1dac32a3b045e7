/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the P5 and its clones have in common: two counters of 40 bits whose
 * selectors are the halves of one register, CESR. Defined in p5.c, used by
 * winchip.c as well.
 */
#ifndef PERFMON_TEST_PMU_CESR_H
#define PERFMON_TEST_PMU_CESR_H

#include "design.h"

struct pmu_reg cesr_decode(const struct pmu *pmu, uint32_t msr);
int cesr_rdpmc(const struct pmu *pmu, uint32_t index);
enum pmu_result cesr_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);

/* Split a new value of CESR into the selectors; false: it has reserved bits. */
bool cesr_split(struct pmu *pmu, uint64_t value);

#endif
