/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of events that do not depend on the model: aliases for what counters
 * count, and software values that the kernel keeps for each process.
 */
#ifndef PFMON_ALIAS_H
#define PFMON_ALIAS_H

#include <stdbool.h>
#include <stddef.h>

/* Events that other lines of a report can be divided by. */
enum event_meaning {
	MEANS_OTHER,
	MEANS_INSTRUCTIONS,
	MEANS_CYCLES,
	MEANS_BRANCHES, /* or some of them */
	MEANS_TIME, /* ns of CPU time */
};

enum event_soft {
	SOFT_NONE,
	SOFT_TASK_CLOCK,
	SOFT_CONTEXT_SWITCHES,
	SOFT_PAGE_FAULTS,
	SOFT_MINOR_FAULTS,
	SOFT_MAJOR_FAULTS,
	SOFT_KERNEL, /* a PMU outside the cores counts it (kernel_pmu.h) */
	SOFT_COUNT,
};

/*
 * The model's event that an alias of len characters stands for, with its unit
 * masks, to be freed; NULL if it is no alias. *known tells whether it is one that
 * this model has no event for. Needs tables_init() before.
 */
char *alias_native(const char *name, size_t len, bool *known);

/*
 * Spells an event of one kind of core as libpfm does: from "cpu_core/EVENT/u", as
 * perf takes it, to "cpu_core/EVENT:u". Leaves other names alone.
 */
void alias_spell_kind(char *name);

/* SOFT_NONE: no software value. */
enum event_soft alias_soft(const char *name);

/* What an event of the model, by its full name, means. */
enum event_meaning alias_meaning(const char *full_name);

/* How many of one there can be with one of the other at most; 0: any number. */
unsigned int alias_most(enum event_meaning meaning, enum event_meaning with);

#endif /* PFMON_ALIAS_H */
