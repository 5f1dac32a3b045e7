/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics of the fast paths, see stats.c; counted with interrupts off.
 */
#ifndef _KERNEL_PERFMON_STATS_H
#define _KERNEL_PERFMON_STATS_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/types.h>

enum pfm_stat {
	PFM_STAT_OVFL_ALL,
	PFM_STAT_OVFL_NS,
	PFM_STAT_OVFL_REGULAR,
	PFM_STAT_OVFL_SPURIOUS,
	PFM_STAT_OVFL_REPLAY,
	PFM_STAT_OVFL_NMI,
	PFM_STAT_NOTIFY,
	PFM_STAT_RESET_PMDS,
	PFM_STAT_FMT_CALLS,
	PFM_STAT_FMT_NS,
	PFM_STAT_SWITCH,
	PFM_STAT_SWITCH_NS,
	PFM_STAT_SWITCH_EXP,
	PFM_STAT_TIMEOUT,
	PFM_STAT_IN,
	PFM_STAT_IN_NS,
	PFM_STAT_OUT,
	PFM_STAT_OUT_NS,
	PFM_STAT_WORK,
	PFM_STAT_RESTART,
	PFM_STAT_THROTTLED,
	PFM_STAT_THROTTLED_JIFFIES,
	PFM_NR_STATS,
};

struct pfm_stats {
	u64 count[PFM_NR_STATS];
};

DECLARE_PER_CPU(struct pfm_stats, perfmon_stats);
/* On while the administrator has set `debug': also measure what costs time. */
DECLARE_STATIC_KEY_FALSE(perfmon_debug_key);
extern int perfmon_debug;
void perfmon_debug_set(int mask);
void perfmon_stats_reset(void);

static __always_inline void pfm_count(enum pfm_stat stat)
{
	this_cpu_inc(perfmon_stats.count[stat]);
}

static __always_inline u64 pfm_debug_clock(void)
{
	return static_branch_unlikely(&perfmon_debug_key) ? local_clock() : 0;
}

/* Add the time since @since, from pfm_debug_clock(), if it is measured. */
static __always_inline void pfm_debug_time(enum pfm_stat ns, u64 since)
{
	if (static_branch_unlikely(&perfmon_debug_key) && since)
		__this_cpu_add(perfmon_stats.count[ns], local_clock() - since);
}

/* Count an event that began at @since, and its time, while that is measured. */
static __always_inline void pfm_debug_count(enum pfm_stat stat,
					    enum pfm_stat ns, u64 since)
{
	if (!static_branch_unlikely(&perfmon_debug_key))
		return;
	__this_cpu_inc(perfmon_stats.count[stat]);
	pfm_debug_time(ns, since);
}

#endif /* _KERNEL_PERFMON_STATS_H */
