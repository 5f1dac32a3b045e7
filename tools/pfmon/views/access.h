/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sampled instructions did in memory, by what processors of AMD say (IBS); the ones of
 * Intel are in access_intel.h.
 */
#ifndef PFMON_ACCESS_H
#define PFMON_ACCESS_H

#include <linux/perf_event.h>

#include "profile/read_profile.h"

/* Where the data were: near caches and memory first. */
enum access_source {
	ACCESS_L1,
	ACCESS_MISS_BUFFER, /* the line was on its way already */
	ACCESS_L2,
	ACCESS_L3, /* or the cache of another core beside it */
	ACCESS_L3_ALONE, /* no other core has it */
	ACCESS_L3_SHARED, /* another core beside has it, too */
	ACCESS_L3_CHANGED, /* another core beside has changed it */
	ACCESS_BEHIND_L1, /* a store has not found it there */
	ACCESS_L4,
	ACCESS_NEAR, /* a cache of another complex of the node */
	ACCESS_FAR, /* a cache of another node */
	ACCESS_FAR_CHANGED, /* which has changed it */
	ACCESS_MEMORY,
	ACCESS_REMOTE_MEMORY,
	ACCESS_PERSISTENT, /* persistent memory */
	ACCESS_EXTENSION, /* memory behind a link */
	ACCESS_IO,
	ACCESS_UNCACHED,
	ACCESS_UNKNOWN,
	ACCESS_SOURCES /* so many */
};

enum access_tlb {
	ACCESS_TLB_UNKNOWN, /* there is no address */
	ACCESS_TLB_L1,
	ACCESS_TLB_L2,
	ACCESS_TLB_WALK, /* the page tables */
};

struct access {
	bool load, store; /* a locked operation may be both */
	bool locked;
	enum access_source source;
	enum access_tlb tlb;
	/* Cycles of a load: of AMD, of one that missed L1; 0: not known. */
	uint32_t miss_latency;
	uint64_t perf; /* the same for perf; 0: it follows from the other fields */
};

/* False: the instruction has not accessed memory. memory may be NULL. */
bool access_decode(const struct profile_processor *processor,
		   const struct profile_memory *memory, struct access *access);

/* The same by the event of a sample, of any processor. */
bool access_of(const struct profile *profile,
	       const struct profile_sample *sample, struct access *access);

/* "L1", "memory" and so on. */
const char *access_source_name(enum access_source source);

/* An instruction that has not accessed memory, for perf. */
#define ACCESS_NONE_FOR_PERF                                                \
	(PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) | \
	 PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, NA) | PERF_MEM_S(LVLNUM, NA))

/* The same as a union perf_mem_data_src of perf. */
uint64_t access_for_perf(const struct access *access);

#endif /* PFMON_ACCESS_H */
