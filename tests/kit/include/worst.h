/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each system call with the arguments that give it the most to do: 1024 sets,
 * vectors of the greatest size that an administrator can allow, all counters
 * running.
 */
#ifndef PFM_TEST_WORST_H
#define PFM_TEST_WORST_H

#include <stdint.h>
#include <sys/types.h>

#include <perfmon/perfmon.h>

#include "pmu.h"
#include "sections.h"

/* What arg_mem_max can be set to. */
#define WORST_VECTOR (1UL << 20)

#define WORST_SETS 1024

/* A session and what it is attached to. */
struct worst {
	int fd;
	int flags; /* of its creation */
	int target; /* thread or CPU */
	uint16_t set; /* that the vectors name */
	struct pfarg_pmr *pmcs, *pmds, *copy;
	struct pfarg_pmd_attr *attrs, *read;
	int buffer; /* another session, with a buffer */
	void *mapped;
	int n; /* elements of such a vector */
	int n_attrs; /* with attributes */
};

/*
 * Creates a session with WORST_SETS sets whose counters overflow, and the
 * vectors; arg_mem_max has to be raised before. Returns 0 or -1.
 */
int worst_create(struct worst *worst, int flags);
void worst_destroy(struct worst *worst);

/* Creates such a session instead of one that was closed. Returns 0 or -1. */
int worst_renew(struct worst *worst);

/* A call, and what has to be done before and after it. Each returns 0 or -1. */
struct worst_call {
	const char *name;
	int (*before)(struct worst *worst);
	int (*call)(struct worst *worst);
	int (*after)(struct worst *worst);
};

/* Those on a session that is attached and running, in any way. */
extern const struct worst_call worst_calls[];
extern const unsigned int worst_nr_calls;

/* Those that attach, detach, start and stop, if the caller may do that. */
extern const struct worst_call worst_owner_calls[];
extern const unsigned int worst_nr_owner_calls;

/*
 * The longest section with interrupts off of a call, the least of several runs.
 * A failing call is a section of UINT64_MAX.
 */
struct section worst_section(const struct worst_call *call, struct worst *worst,
			     const struct sections *sections);

#endif
