/* SPDX-License-Identifier: MIT */
/*
 * A plan: the registers that count the events of an event set of PAPI.  With
 * multiplexing they are in several event sets of the kernel.
 */
#ifndef PERFMON_PLAN_H
#define PERFMON_PLAN_H

#include "perfmon_library.h"

/* Events of an event set of PAPI, with multiplexing. */
#define PERFMON_MAX_EVENTS 64

/* The events that a plan is for. */
struct perfmon_wanted {
	int count, is_multiplexed;
	int domain; /* PAPI_DOM_* */
	unsigned int codes[PERFMON_MAX_EVENTS];
	int positions[PERFMON_MAX_EVENTS]; /* where PAPI looks for the counts */
};

struct perfmon_registers {
	pfarg_pmr_t *pmrs;
	int count;
};

struct perfmon_plan {
	int count, nr_sets;
	struct perfmon_registers pmcs, pmds;
	pfarg_pmr_t events[PERFMON_MAX_EVENTS]; /* the PMD of each */
	int positions[PERFMON_MAX_EVENTS];
};

/* The control registers that sessions can have; set when the component starts. */
extern pfmlib_regmask_t perfmon_unavailable;

/*
 * Makes a plan.  PAPI_OK, PAPI_ECNFLCT (there are not enough counters), PAPI_EATTR (an
 * event needs a mask), PAPI_ECOUNT, PAPI_ENOMEM or what libpfm finds wrong.
 */
int perfmon_plan_make(const struct perfmon_wanted *wanted,
		      struct perfmon_plan **plan);
void perfmon_plan_free(struct perfmon_plan *plan);

#endif /* PERFMON_PLAN_H */
