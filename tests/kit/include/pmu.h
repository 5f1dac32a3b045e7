/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The register map of the running processor as sysfs publishes it, and its
 * counters, above all those that can count retired user instructions: the one
 * event that nearly every processor has and that the tests know the exact
 * number of.
 */
#ifndef PFM_TEST_PMU_H
#define PFM_TEST_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

#include "known_events.h"

#define PMU_MAX_COUNTERS 40

/* The TSC, where there is one. */
#define PMD_TSC 256

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

/* A counter and its known event; the fields are those of known_events.h. */
struct pmu_counter {
	uint16_t pmc;
	uint16_t pmd;
	uint64_t user;
	uint64_t kernel;
	bool selector;
	bool fixed;
	uint16_t pmc2;
	uint64_t value2;
	int width;
	const struct known_event *known; /* NULL: nothing is known */
};

struct pmu {
	char model[64];
	unsigned int counters;
	struct pmu_counter counter[PMU_MAX_COUNTERS];
};

/* All counters of the running processor; NULL without a perfmon kernel. */
const struct pmu *pmu_all(void);

/* Those that count user instructions; NULL if there are none. */
const struct pmu *pmu_get(void);

/*
 * Whether threads of a core share the counters and only the first one has the
 * use of them, as on the Pentium 4.
 */
bool pmu_is_shared(void);

/*
 * The counter that the tests use when any would do: if none counts user
 * instructions the TSC, which nothing controls.
 */
const struct pmu_counter *pmu_first(void);

/*
 * Programs @counter of set 0 with @sel, one of its own values, and presets it.
 * Returns what the failing library call did, or 0.
 */
int pmu_program(int fd, const struct pmu_counter *counter, uint64_t sel,
		uint64_t preset);

/* The same in another set. */
int pmu_program_set(int fd, uint16_t set, const struct pmu_counter *counter,
		    uint64_t sel, uint64_t preset);

/* Programs @counter for retired user instructions, starting at @preset. */
int pmu_count_user(int fd, const struct pmu_counter *counter, uint64_t preset);

/* A new session that counts user instructions on the first counter, or -1. */
int pmu_session(uint64_t preset);

/* The same for CPUs, from 0. */
int pmu_cpu_session(void);

/*
 * The PMC element that has @counter, programmed for user instructions, count
 * without overflow interrupt, and the bits of its value that enable that.
 * False if its interrupt cannot be switched off.
 */
bool pmu_no_emulation(const struct pmu_counter *counter, struct pfarg_pmr *pmr,
		      uint64_t *interrupt);

/* Whether there are counters of user instructions, and they can interrupt. */
bool pmu_interrupts(void);

/* In a test or the setup of its fixture: what it is about is not everywhere. */
#define NEEDS_COUNTERS()                                                 \
	do {                                                             \
		if (!pmu_get())                                          \
			SKIP(return, "no counter of user instructions"); \
	} while (0)
#define NEEDS_INTERRUPTS()                                              \
	do {                                                            \
		NEEDS_COUNTERS();                                       \
		if (!pmu_interrupts())                                  \
			SKIP(return, "counters that do not interrupt"); \
	} while (0)

#endif
