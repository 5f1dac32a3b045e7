/* SPDX-License-Identifier: MIT */
/*
 * Which generic counters can count which events.  checks/lib_constraints.py makes the
 * table (constraint_table.c), constraints.c looks events up for the dispatchers;
 * what the table does not have, every generic counter can count.
 */
#ifndef PFMLIB_CONSTRAINTS_H
#define PFMLIB_CONSTRAINTS_H

#include "pmu/pfmlib_pmu.h"

/* The unit masks that a rule is for. */
enum pfmlib_constraint_umask {
	ANY,
	IS, /* this one */
	HAS, /* all with these bits */
	SEVERAL, /* more than one bit */
	BOTH_HALVES, /* bits in the lower four and in the upper four */
	ANY_HIGH, /* any, and only the low byte of the event select counts */
};

/* The first rule that is for an event is right. */
struct pfmlib_constraint {
	uint16_t first, last; /* event selects */
	uint8_t which; /* enum pfmlib_constraint_umask */
	uint8_t umask;
	uint16_t counters; /* bit n: PMC n */
};

struct pfmlib_constraints {
	int type; /* PFMLIB_*_PMU; PFMLIB_UNKNOWN_PMU ends the list */
	unsigned int number; /* model, AMD: family; 0: all others of the type */
	const struct pfmlib_constraint *rules;
	unsigned int num_rules;
};

extern const struct pfmlib_constraints pfmlib_constraints[];

/* A mask of PMCs, all bits of it if the model has no rule for the event. */
uint64_t pfmlib_constraint_counters(const struct pfmlib_pmu *pmu,
				    unsigned int select, unsigned int umask);

#endif /* PFMLIB_CONSTRAINTS_H */
