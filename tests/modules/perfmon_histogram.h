/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampling format of the module perfmon_histogram: argument and buffer,
 * for the module and for the programs that use it.
 *
 * Each sample adds one to the count of its address.  The argument says what
 * the callbacks return, so that a program can see what becomes of it.
 */
#ifndef PERFMON_HISTOGRAM_H
#define PERFMON_HISTOGRAM_H

#include <linux/types.h>

/* What a callback can ask for: PFM_OVFL_CTRL_*, which programs do not see. */
#define HISTOGRAM_NOTIFY 0x1
#define HISTOGRAM_RESET 0x2
#define HISTOGRAM_MASK 0x4
#define HISTOGRAM_SWITCH 0x8

/**
 * struct histogram_arg - how a session's histogram looks and behaves
 * @first: lowest address that is counted
 * @buckets: addresses that are counted; 0: there is no buffer, nothing is
 *	counted
 * @full: after so many samples the histogram is full; 0: never
 * @ctrl: controls of a sample that does not fill it: HISTOGRAM_*, or'ed
 * @full_ctrl: controls of the one that does
 * @restart_ctrl: controls of a restart
 * @handler_error: errno that a sample returns, 0 for success
 * @restart_error: likewise, of a restart
 * @init_error: likewise, of the creation
 * @reserved: 0
 */
struct histogram_arg {
	__u64 first;
	__u32 buckets;
	__u32 full;
	__u32 ctrl;
	__u32 full_ctrl;
	__u32 restart_ctrl;
	__u32 handler_error;
	__u32 restart_error;
	__u32 init_error;
	__u64 reserved;
};

#define HISTOGRAM_MAX_BUCKETS 65536

/**
 * struct histogram_buffer - what is in the sampling buffer
 * @arg: argument
 * @samples: since the creation or the last restart
 * @outside: those of them that have an address outside of the histogram
 * @restarts: calls of the restart callback
 * @active_restarts: those of them while the session was counting
 * @flags: of the session
 * @pmds: PMDs that the session may use
 * @ovfl_pmd: the next are of the last sample
 * @set: event set
 * @nr_values: number of sampled values
 * @eventid: reg_smpl_eventid
 * @last_value: what the PMD had been loaded with
 * @value: first of the sampled values
 * @count: samples of each address
 */
struct histogram_buffer {
	struct histogram_arg arg;
	__u64 samples;
	__u64 outside;
	__u64 restarts;
	__u64 active_restarts;
	__u32 flags;
	__u32 pmds;
	__u16 ovfl_pmd;
	__u16 set;
	__u32 nr_values;
	__u64 eventid;
	__u64 last_value;
	__u64 value;
	__u64 count[];
};

#endif /* PERFMON_HISTOGRAM_H */
