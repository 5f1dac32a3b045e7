/* SPDX-License-Identifier: MIT */
/*
 * The registers of the Pentium 4 and the registers of its events, for
 * dispatch_p4.c; dispatch_p4_tables.c has the tables.
 *
 * An event is selected by one of its ESCRs and counted by a counter that this
 * ESCR reaches: each of the eight groups of ESCRs has two or three counters.
 * Each counter has a CCCR, which selects the ESCR.
 */
#ifndef PFMLIB_DISPATCH_P4_H
#define PFMLIB_DISPATCH_P4_H

#include "dispatch.h"

#define P4_NUM_ESCRS 45
#define P4_NUM_COUNTERS 18
#define P4_NUM_EVENTS 46
#define P4_MAX_EVENT_ESCRS 2
#define P4_MAX_GROUP_COUNTERS 3

enum p4_group_id {
	P4_BPU_0,
	P4_MS_0,
	P4_FLAME_0,
	P4_IQ_0,
	P4_BPU_1,
	P4_MS_1,
	P4_FLAME_1,
	P4_IQ_1,
	P4_NUM_GROUPS
};

struct p4_escr {
	unsigned int pmc;
	unsigned int msr;
	enum p4_group_id group;
};

/* Indexed by PMD number. */
struct p4_counter {
	unsigned int cccr_pmc;
	unsigned int cccr_msr;
	unsigned int msr;
};

struct p4_group {
	unsigned int num_counters;
	unsigned int counters[P4_MAX_GROUP_COUNTERS]; /* PMDs */
};

/* Only some models have the event. */
#define P4_INSTR_COMPLETED 0x1
/* Masks 2 to 10 tag with two additional registers. */
#define P4_REPLAY 0x2

struct p4_event {
	const char *name;
	unsigned int select; /* ESCR bits 30:25 */
	unsigned int escr_select; /* CCCR bits 15:13 */
	unsigned int num_escrs;
	unsigned int escrs[P4_MAX_EVENT_ESCRS]; /* PMCs */
	unsigned int flags; /* P4_INSTR_COMPLETED, P4_REPLAY */
};

extern const struct p4_escr pfmlib_p4_escrs[P4_NUM_ESCRS];
extern const struct p4_counter pfmlib_p4_counters[P4_NUM_COUNTERS];
extern const struct p4_group pfmlib_p4_groups[P4_NUM_GROUPS];
extern const struct p4_event pfmlib_p4_events[P4_NUM_EVENTS];

#endif /* PFMLIB_DISPATCH_P4_H */
