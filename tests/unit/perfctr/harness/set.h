/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event sets as the session core has them, for the tests of control.c.
 */
#ifndef PERFCTR_TEST_SET_H
#define PERFCTR_TEST_SET_H

#include "perfctr_harness.h"

/* A set, and what a user wrote to its PMCs. */
struct set {
	struct perfmon_arch_set arch;
	u64 pmcs[PERFMON_ARCH_MAX_PMCS];
	/* Selectors with enable bits: whether they were written is no matter. */
	unsigned long written;
	unsigned long used_pmds;
	unsigned long ictrs; /* of them, those that shall interrupt */
};

/* Users choose only the bits of a PMC that are free. */
void write_pmc(struct set *set, unsigned int position, u64 value);

/* All counters count instructions at user level, all PMDs are used. */
void make_set(const struct processor *p, struct set *set);

/* Build it, which must succeed. */
void build_set(struct set *set);

/* Retire 1000 user and 100 kernel instructions; the sums are reset before. */
void run_set(struct set *set);

/* The PMD has counted what so many instructions are for it. */
void assert_pmd(const struct processor *p, struct set *set, unsigned int pmd,
		u64 insns);

#endif
