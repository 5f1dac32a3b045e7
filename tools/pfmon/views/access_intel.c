// SPDX-License-Identifier: GPL-2.0-only
/*
 * What sampled instructions did in memory, see access_intel.h. The codes of the source are
 * read as Linux' driver does (events/intel/ds.c).
 */
#include "views/access_intel.h"

#include <stddef.h>

/* Of the source: a code, and what became of the page and the lock. */
#define CODE 0xfull
#define TLB2_MISS 0x10ull
#define IS_LOCKED 0x20ull
#define DATA_BLOCKED 0x40ull
#define ADDRESS_BLOCKED 0x80ull
/* Of a store. */
#define L1_HIT 0x1ull

#define S(field, value) PERF_MEM_S(field, value)
#define HIT(level) (S(LVL, level) | S(LVL, HIT))
#define FOUND S(LVL, HIT)
#define NUMBER(value) S(LVLNUM, value)
#define SNOOP(value) S(SNOOP, value)
#define FORWARD S(SNOOPX, FWD)
#define FAR S(REMOTE, REMOTE)

/* How perf has it besides the operation. */
struct row {
	enum access_source source;
	uint64_t perf;
};

#define ROWS 16

/* Of all, Sandy Bridge first. */
static const struct row rows[ROWS] = {
	{ ACCESS_UNKNOWN, S(LVL, MISS) | NUMBER(L3) | SNOOP(NA) },
	{ ACCESS_L1, HIT(L1) | NUMBER(L1) | SNOOP(NONE) },
	{ ACCESS_MISS_BUFFER, HIT(LFB) | NUMBER(LFB) | SNOOP(NONE) },
	{ ACCESS_L2, HIT(L2) | NUMBER(L2) | SNOOP(NONE) },
	{ ACCESS_L3_ALONE, HIT(L3) | NUMBER(L3) | SNOOP(NONE) },
	{ ACCESS_L3_ALONE, HIT(L3) | NUMBER(L3) | SNOOP(MISS) },
	{ ACCESS_L3_SHARED, HIT(L3) | NUMBER(L3) | SNOOP(HIT) },
	{ ACCESS_L3_CHANGED, HIT(L3) | NUMBER(L3) | SNOOP(HITM) },
	{ ACCESS_FAR, HIT(REM_CCE1) | FAR | NUMBER(L3) | SNOOP(HIT) },
	{ ACCESS_FAR_CHANGED, HIT(REM_CCE1) | FAR | NUMBER(L3) | SNOOP(HITM) },
	{ ACCESS_MEMORY, HIT(LOC_RAM) | NUMBER(RAM) | SNOOP(HIT) },
	{ ACCESS_REMOTE_MEMORY, HIT(REM_RAM1) | FAR | NUMBER(L3) | SNOOP(HIT) },
	{ ACCESS_MEMORY,
	  HIT(LOC_RAM) | NUMBER(RAM) | SNOOP(NONE) | SNOOP(MISS) },
	{ ACCESS_REMOTE_MEMORY,
	  HIT(REM_RAM1) | NUMBER(RAM) | FAR | SNOOP(NONE) | SNOOP(MISS) },
	{ ACCESS_IO, HIT(IO) | NUMBER(NA) | SNOOP(NONE) },
	{ ACCESS_UNCACHED, HIT(UNC) | NUMBER(NA) | SNOOP(NONE) },
};

/* Where others differ: the code, and the row for it. */
struct change {
	unsigned int code;
	struct row row;
};

static const struct change nehalem[] = {
	{ 0x5, { ACCESS_L3_SHARED, HIT(L3) | NUMBER(L3) | SNOOP(HIT) } },
	{ 0x6, { ACCESS_L3_CHANGED, HIT(L3) | NUMBER(L3) | SNOOP(HITM) } },
};

/* Since Skylake; servers have persistent memory where others have a fourth cache. */
static const struct change skylake[] = {
	{ 0x8, { ACCESS_L4, FOUND | NUMBER(L4) | SNOOP(HIT) } },
	{ 0x9, { ACCESS_L4, FOUND | NUMBER(L4) | FAR | SNOOP(HIT) } },
	{ 0xb,
	  { ACCESS_REMOTE_MEMORY, FOUND | NUMBER(RAM) | FAR | SNOOP(NONE) } },
	{ 0xc, { ACCESS_FAR, FOUND | NUMBER(ANY_CACHE) | FAR | FORWARD } },
	{ 0xd,
	  { ACCESS_FAR_CHANGED,
	    FOUND | NUMBER(ANY_CACHE) | FAR | SNOOP(HITM) } },
};

static const struct change server[] = {
	{ 0x8, { ACCESS_PERSISTENT, FOUND | NUMBER(PMEM) | SNOOP(HIT) } },
	{ 0x9, { ACCESS_PERSISTENT, FOUND | NUMBER(PMEM) | FAR | SNOOP(HIT) } },
};

#define NEHALEM 0x1u /* with Westmere */
#define SKYLAKE 0x2u /* and later */
#define SERVER 0x4u
#define BLOCKS 0x8u /* a record says why a load had to wait */

static const struct {
	unsigned int model; /* of family 6 */
	unsigned int flags;
} models[] = {
	{ 0x1a, NEHALEM },
	{ 0x1e, NEHALEM },
	{ 0x1f, NEHALEM },
	{ 0x2e, NEHALEM },
	{ 0x25, NEHALEM },
	{ 0x2c, NEHALEM },
	{ 0x2f, NEHALEM },
	{ 0x4e, SKYLAKE },
	{ 0x5e, SKYLAKE },
	{ 0x8e, SKYLAKE },
	{ 0x9e, SKYLAKE },
	{ 0xa5, SKYLAKE },
	{ 0xa6, SKYLAKE },
	{ 0x55, SKYLAKE | SERVER },
	{ 0x7d, SKYLAKE },
	{ 0x7e, SKYLAKE },
	{ 0x8c, SKYLAKE },
	{ 0x8d, SKYLAKE },
	{ 0xa7, SKYLAKE },
	{ 0x6a, SKYLAKE | SERVER },
	{ 0x6c, SKYLAKE | SERVER },
	{ 0x8f, SKYLAKE | SERVER | BLOCKS },
	{ 0xcf, SKYLAKE | SERVER | BLOCKS },
	{ 0xad, SKYLAKE | SERVER | BLOCKS },
	{ 0xae, SKYLAKE | SERVER | BLOCKS },
};

static unsigned int flags_of(const struct profile_processor *processor)
{
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (processor->family == 6 &&
		    models[i].model == processor->model)
			return models[i].flags;
	return 0;
}

static const struct row *changed(const struct change *changes, size_t count,
				 unsigned int code)
{
	for (size_t i = 0; i < count; i++)
		if (changes[i].code == code)
			return &changes[i].row;
	return NULL;
}

#define CHANGED(changes, code) \
	changed(changes, sizeof(changes) / sizeof(changes[0]), code)

static const struct row *row_of(unsigned int flags, unsigned int code)
{
	const struct row *row = NULL;

	if (flags & NEHALEM)
		row = CHANGED(nehalem, code);
	if (flags & SERVER)
		row = CHANGED(server, code);
	if (!row && flags & SKYLAKE)
		row = CHANGED(skylake, code);
	return row ? row : &rows[code];
}

/* Nehalem tells neither of pages nor of locks. */
static void take_others(unsigned int flags, uint64_t source,
			struct access *access)
{
	uint64_t blocks = 0;

	if (flags & NEHALEM) {
		access->perf |= S(TLB, NA) | S(LOCK, NA);
		return;
	}
	access->locked = source & IS_LOCKED;
	access->tlb = source & TLB2_MISS ? ACCESS_TLB_WALK : ACCESS_TLB_L2;
	access->perf |=
		S(TLB, L2) |
		(source & TLB2_MISS ? S(TLB, MISS) : S(TLB, HIT) | S(TLB, L1)) |
		(source & IS_LOCKED ? S(LOCK, LOCKED) : 0);
	if (flags & BLOCKS)
		blocks = (source & DATA_BLOCKED ? S(BLK, DATA) : 0) |
			 (source & ADDRESS_BLOCKED ? S(BLK, ADDR) : 0);
	access->perf |= blocks ? blocks : S(BLK, NA);
}

static void decode_latency(const struct profile_processor *processor,
			   const struct profile_memory *memory,
			   struct access *access)
{
	const unsigned int flags = flags_of(processor);
	const struct row *row = row_of(flags, memory->source & CODE);

	access->source = row->source;
	access->perf = S(OP, LOAD) | row->perf;
	take_others(flags, memory->source, access);
	/* Where the caches have one of their own, the other one is of the instruction. */
	access->miss_latency = memory->miss_latency ? memory->miss_latency :
						      memory->latency;
}

/* Of a store only the first cache is known. */
static void decode_store(const struct profile_memory *memory,
			 struct access *access)
{
	const bool hit = memory->source & L1_HIT;

	access->source = hit ? ACCESS_L1 : ACCESS_BEHIND_L1;
	access->perf = ACCESS_NONE_FOR_PERF & ~(S(OP, NA) | S(LVL, NA));
	access->perf |= S(OP, STORE) | S(LVL, L1) |
			(hit ? S(LVL, HIT) : S(LVL, MISS));
}

bool access_decode_intel(const struct profile_processor *processor,
			 enum profile_access kind,
			 const struct profile_memory *memory,
			 struct access *access)
{
	if (kind == PROFILE_ACCESS_NONE || !memory)
		return false;
	*access = (struct access){
		.load = kind != PROFILE_ACCESS_STORE,
		.store = kind == PROFILE_ACCESS_STORE,
		.source = ACCESS_UNKNOWN,
		.tlb = ACCESS_TLB_UNKNOWN,
	};
	if (kind == PROFILE_ACCESS_LATENCY)
		decode_latency(processor, memory, access);
	else if (kind == PROFILE_ACCESS_STORE)
		decode_store(memory, access);
	else
		access->perf = (ACCESS_NONE_FOR_PERF & ~S(OP, NA)) |
			       S(OP, LOAD);
	return true;
}
