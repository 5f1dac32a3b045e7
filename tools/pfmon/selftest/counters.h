/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of this processor, and the register values that make a counter of
 * the test's choice count an event, also one that libpfm would not choose.
 */
#ifndef PFMON_SELFTEST_COUNTERS_H
#define PFMON_SELFTEST_COUNTERS_H

#include <perfmon/perfmon.h>
#include <perfmon/pfmlib.h>
#include <stdbool.h>
#include <stdint.h>

#include "registers/assign.h"
#include "registers/available.h"

#define PROGRAM_PMCS 32

enum counter_kind {
	COUNTER_GENERAL, /* a control register of the same number */
	COUNTER_FIXED, /* counts one event; has a field in FIXED_CTRL */
	COUNTER_P4, /* has a CCCR; the event decides the ESCR */
};

struct counter {
	unsigned int pmd;
	enum counter_kind kind;
	const char *name;
	int bits; /* of the hardware */
};

/* The processor as perfmon and libpfm know it. */
struct pmu {
	struct regmap map;
	struct pfarg_setinfo info;
	struct available available;
	struct counter counters[COUNTERS_MAX];
	int count;
	pfmlib_event_t instructions, cycles;
	bool has_instructions, has_cycles;
	char instructions_name[64], cycles_name[64];
	bool separates_levels; /* counters can tell user from kernel */
	bool interrupts; /* when they overflow */
	bool may_user; /* this user may count at all */
	bool may_kernel; /* this user may count kernel level */
	bool may_cpus; /* this user may have sessions of CPUs */
	bool is_p4;
};

/* The registers of a session. */
struct program {
	int pmc_count, pmd_count;
	struct pfarg_pmr pmcs[PROGRAM_PMCS];
	struct pfarg_pmr pmds[COUNTERS_MAX];
};

/* The counters of the map that a session can have. Fills all but what pmu_probe()
 * finds out. */
void pmu_find_counters(struct pmu *pmu);

/* Asks libpfm for the events, and the kernel what this user may do. */
void pmu_probe(struct pmu *pmu);

/*
 * Adds an event (fixed counters have their own) at the levels PFM_PLM* on a
 * counter. Returns 0, or -1 if the counter cannot have it at all; then the program
 * is what it was.
 */
int program_add(struct program *program, const struct pmu *pmu,
		const struct counter *counter, const pfmlib_event_t *event,
		unsigned int levels);

/*
 * Adds the event on each counter that can have it beside those before. Returns how
 * many counters the program has.
 */
int program_add_all(struct program *program, const struct pmu *pmu,
		    bool (*has)(const struct pmu *, const struct counter *),
		    const pfmlib_event_t *event, unsigned int levels);

/* Adds a value of the event select register, for counters that have one. */
void program_add_value(struct program *program, const struct pmu *pmu,
		       const struct counter *counter, uint64_t value);

/* True if a counter can count retired instructions, or cycles. */
bool counter_has_instructions(const struct pmu *pmu,
			      const struct counter *counter);
bool counter_has_cycles(const struct pmu *pmu, const struct counter *counter);

/*
 * True if libpfm itself would put an event on this programmable counter, if the
 * others were taken.
 */
bool counter_is_chosen(const struct pmu *pmu, const struct counter *counter,
		       const pfmlib_event_t *event);

/* True if it has an event select register with the fields of the P6's. */
bool counter_has_selector(const struct pmu *pmu, const struct counter *counter);

#endif /* PFMON_SELFTEST_COUNTERS_H */
