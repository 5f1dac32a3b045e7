/* SPDX-License-Identifier: GPL-2.0-only */
/* What sampled instructions did in memory, by what processors of AMD say (IBS). */
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
	ACCESS_NEAR, /* a cache of another complex of the node */
	ACCESS_FAR, /* a cache of another node */
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
	uint32_t miss_latency; /* cycles of a load that missed L1, else 0 */
};

/* False: the instruction has not accessed memory. memory may be NULL. */
bool access_decode(const struct profile_processor *processor,
		   const struct profile_memory *memory, struct access *access);

/* "L1", "memory" and so on. */
const char *access_source_name(enum access_source source);

/* An instruction that has not accessed memory, for perf. */
#define ACCESS_NONE_FOR_PERF                                                \
	(PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) | \
	 PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, NA) | PERF_MEM_S(LVLNUM, NA))

/* The same as a union perf_mem_data_src of perf. */
uint64_t access_for_perf(const struct access *access);

#endif /* PFMON_ACCESS_H */
