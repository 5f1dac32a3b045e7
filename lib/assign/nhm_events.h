/* SPDX-License-Identifier: MIT */
/*
 * What is special about events of Nehalem and Westmere; for dispatch_nhm.c and
 * model_functions.c.
 */
#ifndef PFMLIB_NHM_EVENTS_H
#define PFMLIB_NHM_EVENTS_H

#include "arch_counters.h"

/* Nehalem-EX has an uncore of its own kind, which is not supported. */
#define NHM_NEHALEM_EX 46

bool pfmlib_nhm_is_ex(const struct pfmlib_pmu *pmu);

/* Fills in pmu->data. */
int pfmlib_nhm_find_events(struct pfmlib_pmu *pmu);

/* The ARCH_* bits of an event with its masks. */
unsigned int pfmlib_nhm_bits(const struct pfmlib_pmu *pmu,
			     const pfmlib_event_t *event);

#endif /* PFMLIB_NHM_EVENTS_H */
