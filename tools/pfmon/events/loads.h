/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of loads and stores whose precise samples have the address of the data, on
 * processors of Intel.
 */
#ifndef PFMON_LOADS_H
#define PFMON_LOADS_H

#include <stdbool.h>
#include <stddef.h>

#include "events/event.h"

/* Cycles of the loads that are sampled, if nothing is said; and the limits. */
#define LOADS_LATENCY 30
#define LOADS_LATENCY_LEAST 3
#define LOADS_LATENCY_MOST 0xffff

/* What a record says of the data of its instruction. */
enum loads_access {
	LOADS_NOTHING,
	LOADS_LATENCY_OF_LOAD, /* a load, its source and its latency */
	LOADS_LOAD, /* a load */
	LOADS_STORE, /* a store, and whether it was in the first cache */
};

/* The events that perf has by these names on this model. False: it has none. */
bool loads_find(const char *name, size_t len, struct coding *coding);

/* The latency of loads by the name mem-loads, in cycles; 0: LOADS_LATENCY. */
void loads_choose_latency(unsigned int cycles);
unsigned int loads_latency(void);

/* What records of an event with SAMPLER_PEBS say. */
enum loads_access loads_access(const struct event *event);

/* Counters that may make the records of an event, bit n for PMC n. */
uint32_t loads_counters(const struct event *event);

/*
 * The event that has to be counted beside loads with a latency, so that records have their
 * source; without levels, 0: none.
 */
uint64_t loads_beside(void);

/* For pfmon record -d without an event: loads where they are known, else cycles. */
#define LOADS_DEFAULT "mem-loads-or-cycles:p"
const char *loads_default(void);

#endif /* PFMON_LOADS_H */
