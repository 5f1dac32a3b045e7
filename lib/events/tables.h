/* SPDX-License-Identifier: MIT */
/*
 * The event tables of the models: building them (tables_build.c) from libpfm4's tables,
 * our own tables and changes to libpfm4's (patch_rows.h), and the models they are for
 * (the other tables_*.c).
 */
#ifndef PFMLIB_TABLES_H
#define PFMLIB_TABLES_H

#include "pmu/pfmlib_pmu.h"

struct pfmlib_event_file;

/*
 * The first error is kept until pfmlib_table_finish(), so callers do not check additions.
 */
struct pfmlib_table {
	struct pfmlib_event_desc *events;
	unsigned int num_events;
	int error; /* PFMLIB_ERR_*, or 0 */
};

/* The translation of libpfm4's codes to the library's codes. */
enum pfmlib_code_style {
	PFMLIB_CODES_AS_THEY_ARE,
	PFMLIB_CODES_P4, /* event select only; masks are bit numbers */
};

void pfmlib_table_add_libpfm4(struct pfmlib_table *table, const char *pmu,
			      enum pfmlib_code_style style);
/*
 * Lets the events that libpfm4 can encode without a unit mask be used without one, with
 * libpfm4's default.  Only for tables with nothing but libpfm4's events.  may_lack_masks:
 * drops events that lack the masks they need.  Call this before other events are added.
 */
void pfmlib_table_use_defaults(struct pfmlib_table *table, bool may_lack_masks);
void pfmlib_table_add(struct pfmlib_table *table,
		      const struct pfmlib_event_desc *events,
		      unsigned int num_events);

/*
 * Adds the events of an event file, and masks that existing events of the same names
 * lack.  A new event with a single mask can be used without naming it.
 */
void pfmlib_table_add_file(struct pfmlib_table *table,
			   const struct pfmlib_event_file *file);
/*
 * Adds the events with the same meaning in both files, on the counters that both allow.
 */
void pfmlib_table_add_common(struct pfmlib_table *table,
			     const struct pfmlib_event_file *core,
			     const struct pfmlib_event_file *atom);
/*
 * Adds all events of each file that need nothing but a selector, named after their kind.
 */
void pfmlib_table_add_kinds(struct pfmlib_table *table,
			    const struct pfmlib_event_file *core,
			    const struct pfmlib_event_file *atom);
/* Adds the architectural events, except those in unavail, with their aliases. */
void pfmlib_table_add_arch(struct pfmlib_table *table, unsigned int unavail);

/*
 * Finds an event and loads its masks.  NULL if there is no such event; the pointer is
 * valid until the next addition.
 */
struct pfmlib_event_desc *pfmlib_table_event(struct pfmlib_table *table,
					     const char *name);
/* Likewise, among the first num events. */
struct pfmlib_event_desc *pfmlib_table_event_of(struct pfmlib_table *table,
						unsigned int num,
						const char *name);
/* Likewise, among all events, without loading its masks. */
struct pfmlib_event_desc *pfmlib_table_find(struct pfmlib_table *table,
					    const char *name);
/* Inserts a mask at place, or at the end if place is beyond it. */
void pfmlib_table_add_mask(struct pfmlib_table *table,
			   struct pfmlib_event_desc *event, unsigned int place,
			   const struct pfmlib_mask *mask);

/* Gives the table to pmu, or frees it after an error.  Returns the first error or 0. */
int pfmlib_table_finish(struct pfmlib_table *table, struct pfmlib_pmu *pmu);
/* Frees the memory that a finished table has given to pmu. */
void pfmlib_table_free(struct pfmlib_pmu *pmu);

/* Rows of patch_rows.c, by the models whose events they change. */
enum pfmlib_patches {
	PFMLIB_PATCH_PM = 1 << 0,
	PFMLIB_PATCH_COREDUO = 1 << 1,
	PFMLIB_PATCH_P4 = 1 << 2,
	PFMLIB_PATCH_FAM10H_BC = 1 << 3, /* revisions B and C */
	PFMLIB_PATCH_FAM10H_DE = 1 << 4,
	PFMLIB_PATCH_CORE = 1 << 5,
	PFMLIB_PATCH_ATOM = 1 << 6,
	PFMLIB_PATCH_NHM = 1 << 7,
	PFMLIB_PATCH_WSM = 1 << 8,
	PFMLIB_PATCH_NHM_UNCORE = 1 << 9,
	PFMLIB_PATCH_WSM_UNCORE = 1 << 10,
	PFMLIB_PATCH_WSM_DP = 1 << 11, /* models 44 and 47 */
	PFMLIB_PATCH_ICL = 1 << 12,
	PFMLIB_PATCH_SPR = 1 << 13, /* not for Emerald Rapids */
	PFMLIB_PATCH_EMR = 1 << 14,
	PFMLIB_PATCH_UNCORE = PFMLIB_PATCH_NHM_UNCORE | PFMLIB_PATCH_WSM_UNCORE,
};

void pfmlib_table_patch(struct pfmlib_table *table, unsigned int models);

/*
 * The load_events functions of the models.  Each fills in name, events, num_events,
 * cycle_event and inst_event of the PMU for the sub-model in its cpu, or returns a PFMLIB
 * error.
 */
int pfmlib_load_p6(struct pfmlib_pmu *pmu); /* and Core Duo */
int pfmlib_load_p4(struct pfmlib_pmu *pmu);
/* Only some models have the event INSTR_COMPLETED. */
bool pfmlib_p4_has_instr_completed(const struct pfmlib_cpu *cpu);

int pfmlib_load_core(struct pfmlib_pmu *pmu);
int pfmlib_load_atom(struct pfmlib_pmu *pmu);
int pfmlib_load_nhm(struct pfmlib_pmu *pmu);
int pfmlib_load_wsm(struct pfmlib_pmu *pmu);
int pfmlib_load_snb(struct pfmlib_pmu *pmu); /* since Sandy Bridge */
int pfmlib_load_amd(struct pfmlib_pmu *pmu);
int pfmlib_load_arch(struct pfmlib_pmu *pmu);
int pfmlib_load_old(struct pfmlib_pmu *pmu); /* P5 to C3, and TSC */

/* True if cpu is a sub-model of this type, since Sandy Bridge. */
bool pfmlib_is_snb(int type, const struct pfmlib_cpu *cpu);
/* Makes cpu the first sub-model of the type, unless it already is one of them. */
void pfmlib_force_snb(int type, struct pfmlib_cpu *cpu);

/* True if pfmlib_load_amd() has events for cpu. */
bool pfmlib_is_amd(const struct pfmlib_cpu *cpu);

#endif /* PFMLIB_TABLES_H */
