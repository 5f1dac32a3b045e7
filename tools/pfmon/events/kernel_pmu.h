/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of PMUs outside the cores, which perf_event drives: energy, memory controllers,
 * caches, the TSC. Their names are perf's, PMU/EVENT/ or PMU/TERM=VALUE,.../. The kernel
 * describes each PMU below /sys/bus/event_source/devices.
 */
#ifndef PFMON_KERNEL_PMU_H
#define PFMON_KERNEL_PMU_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Memory controllers of a large machine. */
#define KERNEL_PMU_INSTANCES 64

struct kernel_event {
	uint32_t types
		[KERNEL_PMU_INSTANCES]; /* of the PMU, or of uncore_imc_0, _1 ... */
	int instances;
	char cpumask[256]; /* CPUs that read it; "": each CPU has its own */
	uint64_t config[3]; /* config, config1, config2 of perf_event_attr */
	double scale; /* from counts to what is reported */
	const char *unit; /* of that: "uJ", "B", "" */
};

/* Where the PMUs are; a test has other ones. */
extern const char *kernel_pmu_directory;

/* Whether a name has that form and begins with the name of a PMU of this machine. */
bool kernel_pmu_has(const char *name);

/* Finds an event, to be freed. NULL after a message. */
struct kernel_event *kernel_pmu_find(const char *name);

/* Writes the events that the PMUs have names for, one a line. */
void kernel_pmu_list(FILE *out);

#endif /* PFMON_KERNEL_PMU_H */
