// SPDX-License-Identifier: GPL-2.0-only
/*
 * What sampled instructions did in memory, see access.h. The bits are of IBSOPDATA2 and
 * IBSOPDATA3, and they are read as Linux' driver does.
 */
#include "views/access.h"

#include <stddef.h>

#include "views/access_intel.h"

/* Of IBSOPDATA3, the low half of the source. */
#define IS_LOAD 0x1ull
#define IS_STORE 0x2ull
#define TLB1_MISS 0x4ull
#define TLB2_MISS 0x8ull
#define L1_MISS 0x80ull
#define IS_UNCACHED (1ull << 14)
#define IS_LOCKED (1ull << 15)
#define NO_BUFFER \
	(1ull << 16) /* the line was on its way, or it is a prefetch */
#define HAS_ADDRESS (1ull << 17)
#define L2_MISS (1ull << 20)
#define IS_PREFETCH (1ull << 21)

/* Of IBSOPDATA2, the high half. */
#define DATA2(source) ((source) >> 32)
#define IS_REMOTE (1ull << 4)

/* More sources are told apart since Zen 4. */
#define CAPS_ZEN4 (1u << 11)
#define SOURCE_IO 7

#define UNKNOWN ACCESS_UNKNOWN

static const enum access_source old_sources[] = {
	UNKNOWN,    UNKNOWN, ACCESS_L3, ACCESS_MEMORY,
	ACCESS_FAR, UNKNOWN, UNKNOWN,	ACCESS_IO,
};

static const enum access_source new_sources[] = {
	UNKNOWN,    ACCESS_L3,	       ACCESS_NEAR, ACCESS_MEMORY,    UNKNOWN,
	ACCESS_FAR, ACCESS_PERSISTENT, ACCESS_IO,   ACCESS_EXTENSION,
};

static bool is_new(const struct profile_processor *processor)
{
	return processor->ibs_caps & CAPS_ZEN4;
}

/* What IBSOPDATA2 says of the source. */
static unsigned int code_of(const struct profile_processor *processor,
			    uint64_t data2)
{
	unsigned int high = is_new(processor) ? data2 >> 6 & 3 : 0;

	return high << 3 | (data2 & 7);
}

/* Of a load that has missed the caches of its core. */
static enum access_source
source_behind(const struct profile_processor *processor, uint64_t data2)
{
	unsigned int code = code_of(processor, data2);
	enum access_source source = UNKNOWN;

	if (!is_new(processor))
		source = old_sources[code];
	else if (code < sizeof(new_sources) / sizeof(new_sources[0]))
		source = new_sources[code];
	return source == ACCESS_MEMORY && data2 & IS_REMOTE ?
		       ACCESS_REMOTE_MEMORY :
		       source;
}

/* Erratum 1293: prefetches and loads without a buffer tell of L1 alone. */
static bool tells_of_others(const struct profile_processor *processor,
			    uint64_t source)
{
	return processor->family != 0x19 || processor->model > 0xf ||
	       !(source & (IS_PREFETCH | NO_BUFFER));
}

static enum access_source source_of(const struct profile_processor *processor,
				    uint64_t source)
{
	bool tells = tells_of_others(processor, source);
	uint64_t data2 = tells ? DATA2(source) : 0;
	enum access_source behind = UNKNOWN;

	if (source & IS_UNCACHED && code_of(processor, data2) != SOURCE_IO)
		return ACCESS_UNCACHED;
	if (!(source & L1_MISS))
		return ACCESS_L1;
	if (!(source & L2_MISS) && tells)
		return ACCESS_L2;
	if (source & IS_LOAD)
		behind = source_behind(processor, data2);
	return behind == UNKNOWN && source & NO_BUFFER ? ACCESS_MISS_BUFFER :
							 behind;
}

static enum access_tlb tlb_of(uint64_t source)
{
	if (!(source & HAS_ADDRESS))
		return ACCESS_TLB_UNKNOWN;
	if (!(source & TLB1_MISS))
		return ACCESS_TLB_L1;
	return source & TLB2_MISS ? ACCESS_TLB_WALK : ACCESS_TLB_L2;
}

bool access_decode(const struct profile_processor *processor,
		   const struct profile_memory *memory, struct access *access)
{
	uint64_t source = memory ? memory->source : 0;

	if (!(source & (IS_LOAD | IS_STORE)))
		return false;
	*access = (struct access){
		.load = source & IS_LOAD,
		.store = source & IS_STORE,
		.locked = source & IS_LOCKED,
		.source = source_of(processor, source),
		.tlb = tlb_of(source),
	};
	if (access->load && source & L1_MISS)
		access->miss_latency = memory->miss_latency;
	return true;
}

bool access_of(const struct profile *profile,
	       const struct profile_sample *sample, struct access *access)
{
	const struct profile_memory *memory = profile_memory(profile, sample);

	if (profile->processor.pebs)
		return access_decode_intel(
			&profile->processor,
			profile->events[sample->event].access, memory, access);
	return access_decode(&profile->processor, memory, access);
}

const char *access_source_name(enum access_source source)
{
	static const char *const names[ACCESS_SOURCES] = {
		[ACCESS_L1] = "L1",
		[ACCESS_MISS_BUFFER] = "miss buffer",
		[ACCESS_L2] = "L2",
		[ACCESS_L3] = "L3 or a core beside",
		[ACCESS_L3_ALONE] = "L3",
		[ACCESS_L3_SHARED] = "L3, and a core beside",
		[ACCESS_L3_CHANGED] = "L3, changed by a core beside",
		[ACCESS_BEHIND_L1] = "behind L1",
		[ACCESS_L4] = "L4",
		[ACCESS_NEAR] = "cache of another complex",
		[ACCESS_FAR] = "cache of another node",
		[ACCESS_FAR_CHANGED] = "cache of another node, changed there",
		[ACCESS_MEMORY] = "memory",
		[ACCESS_REMOTE_MEMORY] = "memory of another node",
		[ACCESS_PERSISTENT] = "persistent memory",
		[ACCESS_EXTENSION] = "memory behind a link",
		[ACCESS_IO] = "I/O",
		[ACCESS_UNCACHED] = "uncached memory",
		[ACCESS_UNKNOWN] = "unknown",
	};

	return names[source];
}

#define S(field, value) PERF_MEM_S(field, value)
#define LEVEL(value) (S(LVL, value) | S(LVL, HIT))
#define NUMBER(value) S(LVLNUM, value)
#define FROM_REMOTE S(REMOTE, REMOTE)

/* As Linux' driver tells perf. */
static const uint64_t perf_sources[ACCESS_SOURCES] = {
	[ACCESS_L1] = LEVEL(L1) | NUMBER(L1),
	[ACCESS_MISS_BUFFER] = LEVEL(LFB) | NUMBER(LFB),
	[ACCESS_L2] = LEVEL(L2) | NUMBER(L2),
	[ACCESS_L3] = LEVEL(L3) | NUMBER(L3),
	[ACCESS_NEAR] = LEVEL(REM_CCE1) | NUMBER(ANY_CACHE) | FROM_REMOTE |
			S(HOPS, 0),
	[ACCESS_FAR] = LEVEL(REM_CCE2) | NUMBER(ANY_CACHE) | FROM_REMOTE |
		       S(HOPS, 1),
	[ACCESS_MEMORY] = LEVEL(LOC_RAM) | NUMBER(RAM),
	[ACCESS_REMOTE_MEMORY] = LEVEL(REM_RAM1) | NUMBER(RAM) | FROM_REMOTE |
				 S(HOPS, 1),
	[ACCESS_PERSISTENT] = NUMBER(PMEM),
	[ACCESS_EXTENSION] = NUMBER(CXL),
	[ACCESS_IO] = LEVEL(IO) | NUMBER(IO),
	[ACCESS_UNCACHED] = LEVEL(UNC) | NUMBER(NA),
	[ACCESS_UNKNOWN] = S(LVL, NA) | NUMBER(NA),
};

uint64_t access_for_perf(const struct access *access)
{
	static const uint64_t tlbs[] = {
		[ACCESS_TLB_UNKNOWN] = S(TLB, NA),
		[ACCESS_TLB_L1] = S(TLB, HIT) | S(TLB, L1),
		[ACCESS_TLB_L2] = S(TLB, HIT) | S(TLB, L2),
		[ACCESS_TLB_WALK] = S(TLB, MISS) | S(TLB, L2),
	};

	if (access->perf)
		return access->perf;
	return (access->load ? S(OP, LOAD) : S(OP, STORE)) |
	       perf_sources[access->source] | tlbs[access->tlb] |
	       (access->locked ? S(LOCK, LOCKED) : S(LOCK, NA)) | S(SNOOP, NA);
}
