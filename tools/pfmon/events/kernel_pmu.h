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

#define KERNEL_PMU_NAME 64
#define KERNEL_PMU_TEXT 1024

/* A PMU of several of a kind: uncore_imc_0, uncore_imc_1 ... */
struct kernel_instance {
	char name[KERNEL_PMU_NAME];
	uint32_t type;
	/* CPUs that read it; "": each CPU has its own */
	char cpumask[KERNEL_PMU_TEXT];
};

struct kernel_event {
	struct kernel_instance *instances; /* by their numbers */
	int count;
	uint64_t config[3]; /* config, config1, config2 of perf_event_attr */
	double scale; /* from counts to reported values */
	char unit[16]; /* of these: "uJ", "B", "" */
};

/* Where the PMUs are; a test has other ones. */
extern const char *kernel_pmu_directory;

/* Whether a name has that form and begins with the name of a PMU of this machine. */
bool kernel_pmu_has(const char *name);

/* Finds an event, for kernel_pmu_free(). NULL after a message. */
struct kernel_event *kernel_pmu_find(const char *name);
void kernel_pmu_free(struct kernel_event *event);

/*
 * The same event of one instance alone, for kernel_pmu_free(), and its name, to be
 * freed. NULL without memory.
 */
struct kernel_event *kernel_pmu_one(const struct kernel_event *event,
				    const char *name, int instance,
				    char **one_name);

/* The CPUs that read an instance, as the kernel tells them now; "": each has its own. */
void kernel_pmu_cpumask(const struct kernel_instance *instance,
			char cpumask[KERNEL_PMU_TEXT]);

/* Whether the kernel lists its PMUs here; containers may hide the directory. */
bool kernel_pmu_known(void);
#define KERNEL_PMU_UNKNOWN \
	"/sys/bus/event_source is not there; mount -t sysfs sysfs /sys"

/* Writes the events that the PMUs have names for, one a line. */
void kernel_pmu_list(FILE *out);

#endif /* PFMON_KERNEL_PMU_H */
