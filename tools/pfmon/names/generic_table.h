/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What Linux counts for the generic events of perf, as checks/generic_events.py takes it
 * from the source of Linux: generic_table.c.
 */
#ifndef PFMON_GENERIC_TABLE_H
#define PFMON_GENERIC_TABLE_H

#include <stdint.h>

#include "names/processor.h"

/*
 * Each (cache, operation, result) has a number behind these: cache first, of data and
 * instructions, last level, TLBs, branches and node; loads, stores and prefetches;
 * accesses and misses.
 */
enum generic_event {
	GENERIC_CACHE_REFERENCES,
	GENERIC_CACHE_MISSES,
	GENERIC_BRANCHES,
	GENERIC_BRANCH_MISSES,
	GENERIC_BUS_CYCLES,
	GENERIC_STALLED_FRONTEND,
	GENERIC_STALLED_BACKEND,
	GENERIC_REF_CYCLES,
	GENERIC_CACHE, /* the first of the events of caches */
};

#define GENERIC_CACHES 7
#define GENERIC_OPERATIONS 3
#define GENERIC_RESULTS 2

/* Ref-cycles, on a fixed counter, have this in Linux' table. */
#define GENERIC_CODE_FIXED_REFERENCE 0x300

/* Sorted by group and event. Without pointers: nothing has to be relocated. */
struct generic_row {
	uint8_t group, event;
	uint64_t code; /* bits of the selector */
	uint64_t extra; /* of an off-core register, 0: none */
	char native[48]; /* the manufacturer's name; "" if there is none */
};

/* The first that fits counts. */
struct generic_model {
	uint8_t vendor; /* enum processor_vendor */
	uint8_t first_family, last_family;
	uint8_t first_model, last_model;
	uint8_t group,
		atom_group; /* the same unless it has two kinds of core */
};

extern const struct generic_row generic_rows[];
extern const unsigned int generic_row_count;
extern const struct generic_model generic_models[];
extern const unsigned int generic_model_count;

#endif /* PFMON_GENERIC_TABLE_H */
