/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that the hardware makes by itself: what an architecture hands to a sampling
 * format (<linux/perfmon_fmt.h>).
 */
#ifndef _LINUX_PERFMON_RECORD_H
#define _LINUX_PERFMON_RECORD_H

#include <linux/types.h>

/* pfm_hw_record.left_out */
#define PFM_HW_FILTERED		1	/* of the kernel, which the session may not see */
#define PFM_HW_AMBIGUOUS	2	/* of several counters, and it is not known which */
#define PFM_HW_STRAY		3	/* made after the end of counting */

/**
 * struct pfm_hw_record - a record that the hardware has made by itself
 * @ip: its instruction; without EXACT and NEXT in @flags it is unknown, and the core
 *	fills in the interrupted one
 * @next_ip: instruction executed after it, or 0
 * @tstamp: its time with TSC in @flags, else the core fills it in
 * @period: events from the one before to this one
 * @pmds: numbers of the PMDs that took part, one bit each; 0: @pos alone
 * @daddr: linear address of its data with DADDR in @flags
 * @paddr: their physical address with PADDR in @flags
 * @source: where they came from, as the processor's model says
 * @latency: cycles: of the instruction, and in the high half of the cache
 * @tsx: of a transaction
 * @gprs: registers, in the order of struct pfm_precise_smpl_gprs; NULL: unknown
 * @raw: the record itself, cleared of what the session may not see; NULL: none
 * @raw_bytes: bytes at @raw, a multiple of 8
 * @raw_kind: PFM_PRECISE_SMPL_RAW_*
 * @flags: PFM_PRECISE_SMPL_EXACT and higher ones
 * @pos: position of the PMD that is named as the one that overflowed
 * @left_out: 0, or why there will be no entry (PFM_HW_*): it is only counted
 *
 * The architecture fills all fields.  The core removes what the session may not see, but
 * for @raw, before the format gets it.
 */
struct pfm_hw_record {
	u64 ip;
	u64 next_ip;
	u64 tstamp;
	u64 period;
	u64 pmds;
	u64 daddr;
	u64 paddr;
	u64 source;
	u64 latency;
	u64 tsx;
	const u64 *gprs;
	const u64 *raw;
	u32 raw_bytes;
	u32 raw_kind;
	u16 flags;
	u8 pos;
	u8 left_out;
};

#endif /* _LINUX_PERFMON_RECORD_H */
