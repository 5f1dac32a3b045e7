/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Register maps as the kernel publishes them in sysfs, written to a scratch
 * directory.
 */
#ifndef FAKE_PMU_H
#define FAKE_PMU_H

#include <perfmon/perfmon.h>

/*
 * "zen" has 6 general counters, "ibs" the same and IBS, "k8" 4, "p6" 2, "core2" 2 and 3 fixed ones,
 * "nehalem" 4 and 3 fixed ones.
 */
void fake_pmu_write(const char *sysfs, const char *name);

/* What pfm_getinfo_sets() would say: everything in the map is available. */
struct pfarg_setinfo fake_pmu_info(const char *name);

#endif /* FAKE_PMU_H */
