/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the test machine has seen of one processor: accesses to its PMU and
 * instructions, read through /dev/cpu/N/msr from its block of statistics
 * (machine/pmu/pmu_stats.h). Reading them is not counted as an access.
 */
#ifndef PFM_TEST_MSR_H
#define PFM_TEST_MSR_H

#include <stdint.h>

#include "pmu_stats.h"

/* PMU accesses since some time. */
struct pmu_accesses {
	uint64_t wrmsr;
	uint64_t rdmsr;
	uint64_t rdpmc;
};

/* Opens the MSRs of @cpu; -1 without the test machine's statistics. */
int msr_open(int cpu);

/* Reads one word of the block: PMU_STAT_*. */
uint64_t msr_stat(int fd, uint32_t offset);

/* Writes one, which most words take 0 for. Returns 0 or -1. */
int msr_stat_write(int fd, uint32_t offset, uint64_t value);

/* Asks for a fault: PMU_FAULT(kind, argument). Returns 0 or -1. */
int msr_fault(int fd, uint64_t fault);

/* Accesses to the PMU of the processor so far. */
struct pmu_accesses pmu_accesses(int fd);

/* Accesses since @before. */
struct pmu_accesses pmu_accesses_since(int fd,
				       const struct pmu_accesses *before);

#endif
