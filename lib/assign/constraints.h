/* SPDX-License-Identifier: MIT */
/*
 * The generic counters that can count each event.  checks/lib_constraints.py makes the
 * table (constraint_table.c), and constraints.c looks up events in it for the
 * dispatchers. Events that are not in the table can use every generic counter.
 */
#ifndef PFMLIB_CONSTRAINTS_H
#define PFMLIB_CONSTRAINTS_H

#include "pmu/pfmlib_pmu.h"

/* The unit masks to which a rule applies. */
enum pfmlib_constraint_umask {
	ANY,
	IS, /* this mask */
	HAS, /* all masks with these bits */
	SEVERAL, /* masks of more than one bit */
	BOTH_HALVES, /* masks with bits in the lower and the upper four */
	ANY_HIGH, /* any mask; only the event select's low byte counts */
};

/* The first rule that applies to an event is used. */
struct pfmlib_constraint {
	uint16_t first, last; /* event selects */
	uint8_t which; /* enum pfmlib_constraint_umask */
	uint8_t umask;
	uint16_t counters; /* bit n: PMC n */
};

struct pfmlib_constraints {
	int type; /* PFMLIB_*_PMU; PFMLIB_UNKNOWN_PMU ends the list */
	unsigned int number; /* model, or AMD family; 0: all others of the type */
	const struct pfmlib_constraint *rules;
	unsigned int num_rules;
};

extern const struct pfmlib_constraints pfmlib_constraints[];

/* A mask of PMCs; all bits are set if the model has no rule for the event. */
uint64_t pfmlib_constraint_counters(const struct pfmlib_pmu *pmu,
				    unsigned int select, unsigned int umask);

#endif /* PFMLIB_CONSTRAINTS_H */
