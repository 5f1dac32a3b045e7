/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The register map of the running processor as sysfs publishes it, and the
 * counters that can count retired user instructions: the one event that every
 * processor has and that the tests know the exact number of.
 */
#ifndef PFM_TEST_PMU_H
#define PFM_TEST_PMU_H

#include <stdbool.h>
#include <stdint.h>

#define PMU_MAX_COUNTERS 24

/* Fields that all event selectors of x86 share. */
#define SEL_USER (1ULL << 16)
#define SEL_KERNEL (1ULL << 17)
#define SEL_INTERRUPT (1ULL << 20)
#define SEL_ENABLE (1ULL << 22)

enum pmu_kind {
	PMU_PMC,
	PMU_PMD,
};

/* What /sys/kernel/perfmon/pmu_desc tells of one register. */
struct pmu_reg {
	char name[32];
	uint64_t dfl_val;
	uint64_t rsvd_msk;
	uint64_t addr;
	int width;
};

/* Reads the description of a register; false if the map has no such one. */
bool pmu_reg(enum pmu_kind kind, unsigned int num, struct pmu_reg *reg);

/* A counter of retired instructions. */
struct pmu_counter {
	uint16_t pmc;
	uint16_t pmd;
	uint64_t user; /* PMC value: count at user level */
	uint64_t kernel; /* PMC value: count at user and kernel level */
	bool fixed; /* shares its PMC with the other fixed ones */
	bool needs_pmc0; /* only counts while pmc0 is enabled (P6) */
	int width;
};

struct pmu {
	char model[64];
	unsigned int counters;
	struct pmu_counter counter[PMU_MAX_COUNTERS];
};

/* The running processor; NULL without a perfmon kernel or without counters. */
const struct pmu *pmu_get(void);

/* The counter that the tests use when any would do. */
const struct pmu_counter *pmu_first(void);

/*
 * Programs @counter of set 0 with @sel, one of its own values, and presets it.
 * Returns what the failing library call did, or 0.
 */
int pmu_program(int fd, const struct pmu_counter *counter, uint64_t sel,
		uint64_t preset);

/* Programs @counter for retired user instructions, starting at @preset. */
int pmu_count_user(int fd, const struct pmu_counter *counter, uint64_t preset);

/* A new session that counts user instructions on the first counter, or -1. */
int pmu_session(uint64_t preset);

#endif
