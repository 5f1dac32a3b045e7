/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics of the fast paths; see stats.c.
 */
#ifndef _KERNEL_PERFMON_STATS_H
#define _KERNEL_PERFMON_STATS_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/types.h>

enum perfmon_stat {
	PERFMON_STAT_OVFL_ALL,
	PERFMON_STAT_OVFL_NS,
	PERFMON_STAT_OVFL_REGULAR,
	PERFMON_STAT_OVFL_SPURIOUS,
	PERFMON_STAT_OVFL_REPLAY,
	PERFMON_STAT_OVFL_NMI,
	PERFMON_STAT_OVFL_CAPTURED,
	PERFMON_STAT_OVFL_DROPPED,
	PERFMON_STAT_NOTIFY,
	PERFMON_STAT_RESET_PMDS,
	PERFMON_STAT_FMT_CALLS,
	PERFMON_STAT_FMT_NS,
	PERFMON_STAT_SWITCH,
	PERFMON_STAT_SWITCH_NS,
	PERFMON_STAT_SWITCH_EXP, /* equals the next one: perfmon2 had both names */
	PERFMON_STAT_TIMEOUT,
	PERFMON_STAT_IN,
	PERFMON_STAT_IN_NS,
	PERFMON_STAT_OUT,
	PERFMON_STAT_OUT_NS,
	PERFMON_STAT_WORK,
	PERFMON_STAT_RESTART,
	PERFMON_STAT_THROTTLED,
	PERFMON_STAT_THROTTLED_JIFFIES,
	PERFMON_NR_STATS,
};

struct perfmon_stats {
	u64 count[PERFMON_NR_STATS];
};

DECLARE_PER_CPU(struct perfmon_stats, perfmon_stats);
/* On while the administrator has set `debug': expensive statistics are counted, too. */
DECLARE_STATIC_KEY_FALSE(perfmon_debug_key);
extern int perfmon_debug;
void perfmon_debug_set(int mask);
void perfmon_stats_reset(void);

static __always_inline void perfmon_count(enum perfmon_stat stat)
{
	this_cpu_inc(perfmon_stats.count[stat]);
}

static __always_inline u64 perfmon_debug_clock(void)
{
	return static_branch_unlikely(&perfmon_debug_key) ? local_clock() : 0;
}

/* Add the time since @since, a perfmon_debug_clock(); 0: it was not measured. */
static __always_inline void perfmon_debug_time(enum perfmon_stat ns, u64 since)
{
	if (static_branch_unlikely(&perfmon_debug_key) && since)
		__this_cpu_add(perfmon_stats.count[ns], local_clock() - since);
}

/* Count an operation that began at @since, and its time; only with `debug' set. */
static __always_inline void perfmon_debug_count(enum perfmon_stat stat,
						enum perfmon_stat ns, u64 since)
{
	if (!static_branch_unlikely(&perfmon_debug_key))
		return;
	__this_cpu_inc(perfmon_stats.count[stat]);
	perfmon_debug_time(ns, since);
}

#endif /* _KERNEL_PERFMON_STATS_H */
