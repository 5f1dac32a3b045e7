/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PEBS: its memory (ds.c), driving it (pebs.c), its registers (map_pebs.c, build_pebs.c)
 * and its records (decode.c, records_pebs.c).
 */
#ifndef _PERFMON_PEBS_H
#define _PERFMON_PEBS_H

#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/intel_ds.h>
#include <asm/perfmon_pebs.h>

struct pfm_hw_record;

/* The only format of records so far, as IA32_PERF_CAPABILITIES says it. */
#define PEBS_FORMAT	3

/* Words of a record of format 3, in the order of the hardware. */
enum pebs_word {
	PEBS_FLAGS, PEBS_IP, PEBS_AX, PEBS_BX, PEBS_CX, PEBS_DX, PEBS_SI,
	PEBS_DI, PEBS_BP, PEBS_SP, PEBS_R8,
	PEBS_R15 = PEBS_R8 + 7,
	PEBS_STATUS, PEBS_DLA, PEBS_DSE, PEBS_LATENCY,
	PEBS_EVENTING_IP, PEBS_TSX, PEBS_TSC,
	PEBS_WORDS
};

#define PEBS_RECORD_BYTES	(PEBS_WORDS * sizeof(u64))

/* Bytes for records on each CPU, and the records that fit there. */
#define PEBS_BYTES		0x10000
#define PEBS_ROOM		(PEBS_BYTES / PEBS_RECORD_BYTES)

/* Most records for one interrupt; the others are for the time until it is taken. */
#define PEBS_BATCH		(PEBS_ROOM / 2)

/**
 * struct pebs_memory - the memory of a CPU
 * @ds: the area that IA32_DS_AREA names; NULL: the CPU has no memory
 * @records: where the processor writes records, PEBS_BYTES
 * @own_ds: @ds was allocated
 */
struct pebs_memory {
	struct debug_store *ds;
	u64 *records;
	bool own_ds;
};

/* The counters that can make records, one bit each; 0: there is no PEBS. */
extern u64 pebs_counters;

/* Their registers of values. */
extern u32 pebs_counter_msr[PERFMON_PEBS_COUNTERS];

/* Records in the memory of a CPU. */
static inline unsigned int pebs_nr_records(const struct debug_store *ds)
{
	u32 bytes = ds->pebs_index - ds->pebs_buffer_base;

	return min_t(u32, bytes / PEBS_RECORD_BYTES, PEBS_ROOM);
}

/* ds.c */
const struct pebs_memory *pebs_memory_here(void);
int pebs_memory_take(void);
void pebs_memory_give(void);

/* area_builtin.c, or area_module.c of the module */
bool pebs_area_suffices(void);
struct debug_store *pebs_area_ds(unsigned int cpu);
u64 pebs_area_map(unsigned int cpu, void *records);
void pebs_area_unmap(unsigned int cpu);

/* decode.c */
u64 pebs_attribute(u64 status, u64 enabled);
void pebs_decode(const u64 *words, u64 enabled, struct pfm_hw_record *hw);

#endif /* _PERFMON_PEBS_H */
