/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The longest sections with interrupts off, as the test machine measures them
 * on each processor (machine/pmu/pmu_stats.h).
 *
 * A section that an interrupt begins counts only if the interrupt is the one
 * that is asked for: others may come at any time. Sections that instructions
 * begin may be somebody else's, too; so the least of several runs is taken.
 */
#ifndef PFM_TEST_SECTIONS_H
#define PFM_TEST_SECTIONS_H

#include <stdint.h>

/* No call, overflow interrupt, set timer or context switch may take longer. */
#define LONGEST_SECTION 20000

/* Interrupts whose sections are looked at. */
#define VECTOR_TIMER 0xec
#define VECTOR_OVERFLOW 0xee
#define VECTOR_CALL 0xfb /* from another processor */

#define SECTION_CPUS 4

struct section {
	uint64_t length; /* in instructions */
	uint64_t where; /* address at which it began */
};

/* The meters of all processors that are on line. */
struct sections {
	int cpus;
	int msr[SECTION_CPUS];
};

/* Returns 0, or -1 without the test machine. */
int sections_open(struct sections *sections);
void sections_close(struct sections *sections);

/* Forgets the longest, and looks at interrupts with this vector from now on. */
void sections_clear(const struct sections *sections, unsigned int vector);

/* The longest since then, on any processor. */
struct section sections_longest(const struct sections *sections);

/* The longest that interrupts have begun. */
struct section sections_longest_interrupt(const struct sections *sections);

struct section shorter_section(struct section a, struct section b);

#endif
