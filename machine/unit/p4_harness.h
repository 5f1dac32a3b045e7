/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the unit tests of the model's Pentium 4: its registers and an event of
 * a known rate for each counter, as the manuals have them, not the model.
 */
#ifndef PERFMON_P4_HARNESS_H
#define PERFMON_P4_HARNESS_H

#include "pmu_harness.h"

#define COUNTERS 18
#define CTR(i) (0x300u + (i))
#define CCCR(i) (0x360u + (i))
#define PEBS_ENABLE 0x3f1u
#define MATRIX_VERT 0x3f2u

#define EXT_CASCADE (1u << 11)
#define ENABLE (1u << 12)
#define SELECT(n) ((n) << 13)
#define THREADS (3u << 16)
#define COMPARE (1u << 18)
#define COMPLEMENT (1u << 19)
#define THRESHOLD(n) ((n) << 20)
#define CMP_EDGE (1u << 24)
#define FORCE_OVF (1u << 25)
#define PMI_T0 (1u << 26)
#define PMI_T1 (1u << 27)
#define CASCADE (1u << 30)
#define OVF (1u << 31)

#define T0_USR (1u << 2)
#define T0_OS (1u << 3)
#define ESCR(event, mask) ((event) << 25 | (mask) << 9)

#define FULL 0xffffffffffull /* 40 bits */

/* An event with a known rate, in each of the groups of counters. */
struct group {
	unsigned int first, last; /* counters */
	unsigned int select;
	uint32_t escr[2]; /* addresses: first and second half */
	uint32_t event; /* without levels */
	unsigned int num, den;
};

static const struct group groups[] = {
	{ 0, 3, 6, { 0x3a2, 0x3a3 }, ESCR(0x13u, 1), 3, 2 }, /* clocks */
	{ 4, 7, 0, { 0x3c0, 0x3c1 }, ESCR(9u, 7), 1, 1 }, /* uops written */
	{ 8, 11, 1, { 0x3a4, 0x3a5 }, ESCR(4u, 0x8000), 1, 1 }, /* x87 uops */
	{ 12, 17, 4, { 0x3b8, 0x3b9 }, ESCR(2u, 3), 1, 1 }, /* instructions */
};

static inline bool is_second_half(unsigned int i)
{
	static const bool second[COUNTERS] = { 0, 0, 1, 1, 0, 0, 1, 1, 0,
					       0, 1, 1, 0, 0, 1, 1, 0, 1 };

	return second[i];
}

static inline const struct group *group_of(unsigned int i)
{
	const struct group *g = groups;

	while (i > g->last)
		g++;
	return g;
}

static inline uint32_t escr_of(unsigned int i)
{
	return group_of(i)->escr[is_second_half(i)];
}

/* Let a counter count its group's event. */
static inline void start(struct pmu *pmu, unsigned int i, uint32_t cccr,
			 uint32_t levels)
{
	const struct group *g = group_of(i);

	wr(pmu, escr_of(i), g->event | levels);
	wr(pmu, CCCR(i), SELECT(g->select) | THREADS | cccr);
}

static inline struct pmu p4(void)
{
	struct pmu pmu;

	assert_true(pmu_init(&pmu, "p4"));
	return pmu;
}

/* ESCR addresses by counter half and selection; 0: none. */
static const uint32_t first_escrs[4][8] = {
	{ 0x3b2, 0x3b4, 0x3aa, 0x3b6, 0x3ac, 0x3c8, 0x3a2, 0x3a0 },
	{ 0x3c0, 0x3c4, 0x3c2, 0, 0, 0, 0, 0 },
	{ 0x3a6, 0x3a4, 0x3ae, 0x3b0, 0, 0x3a8, 0, 0 },
	{ 0x3ba, 0x3ca, 0x3bc, 0x3be, 0x3b8, 0x3cc, 0x3e0, 0 },
};

static inline uint32_t documented_escr(unsigned int i, unsigned int select)
{
	const uint32_t first = first_escrs[group_of(i) - groups][select];

	if (!first || !is_second_half(i))
		return first;
	return first == 0x3be ? 0 : first + 1;
}

#endif
