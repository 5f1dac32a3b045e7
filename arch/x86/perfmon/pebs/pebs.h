/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PEBS: its memory (ds.c), driving it (pebs.c), its registers (map_pebs.c, build_pebs.c)
 * and its records (decode.c, groups.c, records_pebs.c).
 *
 * Masks of counters have the bits of PEBS_ENABLE, unless they are said to be by index: the
 * indices are consecutive, see PERFMON_PEBS_FIXED.
 */
#ifndef _PERFMON_PEBS_H
#define _PERFMON_PEBS_H

#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/intel_ds.h>
#include <asm/perfmon_pebs.h>

#include <linux/perfmon_record.h>

/*
 * Formats of records: the first one that is supported; from where on they have the sampled
 * instruction itself, and not only the next one; have the counters that they are of, and
 * the time; and are made of groups.
 */
#define PEBS_FORMAT_FIRST	1
#define PEBS_FORMAT_EXACT	2
#define PEBS_FORMAT_STATUS	3
#define PEBS_FORMAT_GROUPS	4

/* Words of a record of format 3, in the order of the hardware.  Older ones have fewer. */
enum pebs_word {
	PEBS_FLAGS, PEBS_IP, PEBS_AX, PEBS_BX, PEBS_CX, PEBS_DX, PEBS_SI,
	PEBS_DI, PEBS_BP, PEBS_SP, PEBS_R8,
	PEBS_R15 = PEBS_R8 + 7,
	PEBS_STATUS, PEBS_DLA, PEBS_DSE, PEBS_LATENCY,
	PEBS_EVENTING_IP, PEBS_TSX, PEBS_TSC,
	PEBS_WORDS
};

/* Registers of a record, as struct pfm_precise_smpl_gprs has them. */
#define PEBS_GPRS	(PEBS_R15 + 1)

/* Words of the largest record: 4 basic ones, 4 of memory, and registers. */
#define PEBS_WORDS_MAX	(8 + PEBS_GPRS)

/* Groups that PEBS_DATA_CFG adds to the basic one. */
#define PEBS_GROUP_MEMORY	BIT_ULL(0)
#define PEBS_GROUP_GPRS		BIT_ULL(1)

/* The first fixed counter in PEBS_ENABLE, and in the status of a record. */
#define PEBS_FIXED_BIT	32

/* Number of the PMD of the first fixed counter. */
#define PEBS_FIXED_PMD	16

/* Bytes for records on each CPU. */
#define PEBS_BYTES	0x10000

/**
 * struct pebs_memory - the memory of a CPU
 * @ds: the area that IA32_DS_AREA names; NULL: the CPU has no memory
 * @records: where the processor writes records, PEBS_BYTES
 * @own_ds: @ds was allocated
 * @data_cfg: value of PEBS_DATA_CFG
 * @found_cfg: its value before the PMU was taken; perf_event relies on it
 */
struct pebs_memory {
	struct debug_store *ds;
	u64 *records;
	bool own_ds;
	u64 data_cfg;
	u64 found_cfg;
};

/**
 * struct pebs_record - a record that was decoded
 * @hw: what it says, except for its period, its position and its time
 * @tsc: its time; 0: unknown
 * @gprs: its registers, if @hw names them
 */
struct pebs_record {
	struct pfm_hw_record hw;
	u64 tsc;
	u64 gprs[PEBS_GPRS];
};

/* The format of records, as IA32_PERF_CAPABILITIES says it. */
extern u8 pebs_format;

/* The counters that can make records; 0: there is no PEBS. */
extern u64 pebs_counters;

/* Their registers of values, by index. */
extern u32 pebs_counter_msr[PERFMON_PEBS_COUNTERS];

/* The bit of a counter. */
static inline u64 pebs_bit(unsigned int n)
{
	return n < PERFMON_PEBS_FIXED ?
		       BIT_ULL(n) :
		       BIT_ULL(PEBS_FIXED_BIT + n - PERFMON_PEBS_FIXED);
}

/* A mask of counters by index. */
static inline unsigned long pebs_by_index(u64 counters)
{
	const u64 fixed = counters >> PEBS_FIXED_BIT;

	return (counters & (BIT(PERFMON_PEBS_FIXED) - 1)) |
	       (fixed & (BIT(PERFMON_PEBS_COUNTERS - PERFMON_PEBS_FIXED) - 1))
		       << PERFMON_PEBS_FIXED;
}

/* build_pebs.c */
unsigned int pebs_pos(unsigned int n);

/* ds.c */
struct pebs_memory *pebs_memory_here(void);
int pebs_memory_take(void);
void pebs_memory_give(void);

/* area_builtin.c, or area_module.c of the module */
bool pebs_area_suffices(void);
struct debug_store *pebs_area_ds(unsigned int cpu);
u64 pebs_area_map(unsigned int cpu, void *records);
void pebs_area_unmap(unsigned int cpu);

/* decode.c */
unsigned int pebs_bytes(unsigned int format, u64 data_cfg);
const u64 *pebs_next(unsigned int format, const u64 *record, const u64 *end);
void pebs_decode(unsigned int format, const u64 *words, unsigned int nr,
		 u64 enabled, struct pebs_record *record);

/* groups.c */
void pebs_decode_groups(const u64 *words, unsigned int nr,
			struct pebs_record *record);

/* records_pebs.c */
const u64 *pebs_records_end(const struct pebs_memory *memory);
unsigned int pebs_nr_records(const struct pebs_memory *memory);

#endif /* _PERFMON_PEBS_H */
