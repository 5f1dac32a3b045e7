/* SPDX-License-Identifier: MIT */
/*
 * Nehalem and Westmere, for dispatch_nhm.c: properties of events
 * (nhm_events.c), and the counters outside the cores: eight with selectors, and
 * a fixed one (nhm_uncore.c).
 */
#ifndef PFMLIB_NHM_H
#define PFMLIB_NHM_H

#include "arch_counters.h"

/* These models have a different uncore, which is not supported. */
#define NHM_NEHALEM_EX 46
#define NHM_WESTMERE_EX 47

bool pfmlib_nhm_is_ex(const struct pfmlib_pmu *pmu);

/* Fills in pmu->data. */
int pfmlib_nhm_find_events(struct pfmlib_pmu *pmu);

/* The ARCH_* bits of an event with its masks. */
unsigned int pfmlib_nhm_bits(const struct pfmlib_pmu *pmu,
			     const pfmlib_event_t *event);

/* True if one of the event's masks measures the latency of loads (PEBS). */
bool pfmlib_nhm_wants_latency(const struct pfmlib_pmu *pmu,
			      const pfmlib_event_t *event);

/* Numbers of PMC and PMD. */
#define NHM_UNCORE_FIXED 20
#define NHM_UNCORE_FIRST 21
#define NHM_NUM_UNCORE 8
#define NHM_UNCORE_ADDROP_MATCH 29 /* a PMC only; not used */

#define NHM_ALL_UNCORE ARCH_COUNTERS(NHM_UNCORE_FIRST, NHM_NUM_UNCORE)

void pfmlib_nhm_add_uncore(struct pfmlib_pmu *pmu);

/* Sets call->selector[i]. */
int pfmlib_nhm_select_uncore(struct arch_call *call, unsigned int i);

/* Emit the PMCs of all uncore events of the call, and the PMD of event i. */
void pfmlib_nhm_emit_uncore(const struct arch_call *call,
			    pfmlib_output_param_t *out);
void pfmlib_nhm_emit_uncore_pmd(const struct arch_call *call, unsigned int i,
				pfmlib_output_param_t *out);

#endif /* PFMLIB_NHM_H */
