/* SPDX-License-Identifier: MIT */
/*
 * The load_events functions of the models (tables_*.c), for the list of models.
 * Each fills in name, events, num_events, cycle_event and inst_event of the PMU
 * for the sub-model that its cpu says, or returns a PFMLIB error.
 */
#ifndef PFMLIB_TABLES_H
#define PFMLIB_TABLES_H

#include "pmu/pfmlib_model.h"

int pfmlib_load_p6(struct pfmlib_pmu *pmu); /* and Core Duo */
int pfmlib_load_p4(struct pfmlib_pmu *pmu);
int pfmlib_load_core(struct pfmlib_pmu *pmu);
int pfmlib_load_atom(struct pfmlib_pmu *pmu);
int pfmlib_load_nhm(struct pfmlib_pmu *pmu);
int pfmlib_load_wsm(struct pfmlib_pmu *pmu);
int pfmlib_load_intel(struct pfmlib_pmu *pmu); /* since Sandy Bridge */
int pfmlib_load_amd(struct pfmlib_pmu *pmu);
int pfmlib_load_arch(struct pfmlib_pmu *pmu);
int pfmlib_load_old(struct pfmlib_pmu *pmu); /* P5 to C3, and TSC */

/* The sub-models since Sandy Bridge: whether cpu is one of type. */
bool pfmlib_is_intel(int type, const struct pfmlib_cpu *cpu);
/* Makes cpu the first sub-model of type unless it is one. */
void pfmlib_force_intel(int type, struct pfmlib_cpu *cpu);

/* Whether pfmlib_load_amd() has something for cpu. */
bool pfmlib_is_amd(const struct pfmlib_cpu *cpu);

#endif /* PFMLIB_TABLES_H */
