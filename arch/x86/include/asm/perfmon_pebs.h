/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processor event-based sampling (PEBS) of Intel processors in an event set: the
 * processor writes a record of the instruction after an overflow to memory, and reloads
 * the counter by itself.
 *
 * Counters that make records are no elements of the low-level state: they have no
 * overflow that a driver would handle.
 */
#ifndef _ASM_X86_PERFMON_PEBS_H
#define _ASM_X86_PERFMON_PEBS_H

#include <linux/types.h>

struct perfmon_arch_set;
struct perfmon_sink;

/* Counters that can make records: programmable ones, then fixed ones. */
#define PERFMON_PEBS_FIXED	8
#define PERFMON_PEBS_COUNTERS	12

/* RDPMC numbers from here on are fixed counters. */
#define PERFMON_PEBS_RDPMC	0x40000000

/**
 * struct perfmon_pebs - the counters of an event set that make records
 * @enable: value of PEBS_ENABLE while the set counts
 * @value: per counter: 64-bit value of its PMD, negative, as of the last stop
 * @selector: per counter: its selector
 * @fixed_ctrl: the fields of fixed counters in their control register
 * @fixed_fields: mask of these fields
 * @reset: per counter: what the processor reloads it with, negative
 * @stray: records that were found at a start, and that no set is known to have made
 * @counters: which counters, one bit each
 * @room: records that fit into the memory of a CPU
 * @bytes: of a record
 * @data_cfg: value of PEBS_DATA_CFG: the groups of a record; formats 4 and up
 * @running: they count on the CPU of the set
 * @unread: they have counted since their records were taken
 * @pending: the session must have an interrupt before they count again
 * @late: the records were left when the set stopped, outside of the interrupt
 */
struct perfmon_pebs {
	u64 enable;
	u64 value[PERFMON_PEBS_COUNTERS];
	u64 selector[PERFMON_PEBS_FIXED];
	u64 fixed_ctrl;
	u64 fixed_fields;
	s32 reset[PERFMON_PEBS_COUNTERS];
	u32 stray;
	u16 counters;
	u16 room;
	u8 bytes;
	u8 data_cfg;
	bool running;
	bool unread;
	bool pending;
	bool late;
};

/* RDPMC number of a counter, for what may call no function. */
static __always_inline u32 perfmon_pebs_rdpmc(unsigned int counter)
{
	return counter < PERFMON_PEBS_FIXED ?
		       counter : PERFMON_PEBS_RDPMC + counter - PERFMON_PEBS_FIXED;
}

void perfmon_pebs_start(struct perfmon_arch_set *set);
void perfmon_pebs_stop(struct perfmon_pebs *pebs);
void perfmon_pebs_leave(struct perfmon_arch_set *set);
void perfmon_pebs_tick(struct perfmon_arch_set *set);
u64 perfmon_pebs_read(const struct perfmon_pebs *pebs, unsigned int counter);
int perfmon_pebs_claim(void);
void perfmon_pebs_unclaim(void);
void perfmon_pebs_records(struct perfmon_pebs *pebs, struct perfmon_sink *sink);
u32 perfmon_pebs_hw(void);
u32 perfmon_pebs_blocks(void);

#endif /* _ASM_X86_PERFMON_PEBS_H */
