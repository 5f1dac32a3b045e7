/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exact costs from the statistics of the test machine: instructions at all
 * levels and accesses to the PMU, on processor 0.
 */
#ifndef BENCH_METER_H
#define BENCH_METER_H

#include <stdint.h>

#include "msr.h"

/* What one operation costs. */
struct cost {
	uint64_t instructions;
	uint64_t user; /* those of them in user mode */
	struct pmu_accesses accesses;
};

#define DEAREST ((struct cost){ .instructions = UINT64_MAX })

struct meter {
	uint64_t instructions;
	uint64_t user;
	uint64_t interrupts;
	struct pmu_accesses accesses;
};

/* Pins the caller to processor 0. Returns -1 without the test machine. */
int meter_open(void);

/* Instructions are read last here and first in meter_stop(). */
void meter_start(struct meter *meter);

/* What was done since meter_start(), without the cost of measuring. */
struct cost meter_stop(const struct meter *meter);

/* Overflow interrupts since meter_start(); to be called after meter_stop(). */
uint64_t meter_interrupts(const struct meter *meter);

/* Of all kinds. */
uint64_t accesses_of(const struct cost *cost);

/*
 * Keeps the one with fewer instructions, then accesses. The least of many is one without
 * a tick or another task in it, also where only accesses are counted, before and after
 * the instructions.
 */
void keep_least(struct cost *least, struct cost cost);

/* @a less @b, nothing below 0. DEAREST, which was not measured, stays that. */
struct cost cost_difference(struct cost a, struct cost b);

#endif
