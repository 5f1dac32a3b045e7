/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The register map: which logical registers (PMCs control, PMDs hold counts)
 * the kernel describes in /sys/kernel/perfmon/pmu_desc, and the holder of the PMU.
 */
#ifndef PFMON_REGMAP_H
#define PFMON_REGMAP_H

#include <perfmon/perfmon.h>
#include <stdbool.h>
#include <stdint.h>

#define REGMAP_SYSFS "/sys/kernel/perfmon"
#define REGMAP_TEXT 64

struct reg {
	bool present;
	char name[REGMAP_TEXT];
	uint64_t reserved; /* bits that cannot be chosen ... */
	uint64_t fixed_to; /* ... and their values */
};

struct regmap {
	char model[REGMAP_TEXT];
	bool of_a_kind; /* it has registers that only some CPUs have */
	unsigned int pebs_format; /* of the records of counters, 0: not known */
	struct reg pmc[PFM_MAX_PMCS];
	struct reg pmd[PFM_MAX_PMDS];
};

/* Reads SYSFS/pmu_desc. Returns 0, or -1 after a message. */
int regmap_read(struct regmap *map, const char *sysfs);

/* Adds what the CPUs of a kind of core have beyond the others. Returns likewise. */
int regmap_add_kind(struct regmap *map, const char *sysfs, const char *kind);

/* The holder of the PMU by the kernel's name, "perf_event" for example. */
bool regmap_owner(char owner[REGMAP_TEXT], const char *sysfs);

#endif /* PFMON_REGMAP_H */
