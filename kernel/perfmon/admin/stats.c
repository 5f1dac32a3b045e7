// SPDX-License-Identifier: GPL-2.0-only
/*
 * Statistics of the fast paths, per CPU, shown in debugfs.
 *
 * Overflow interrupts, set switches and restarts are always counted. Context
 * switches, calls of sampling formats and all times are counted only while the
 * administrator has set /sys/kernel/perfmon/debug, since measuring costs time.
 */
#include <linux/jump_label.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "stats.h"

DEFINE_PER_CPU(struct perfmon_stats, perfmon_stats);
DEFINE_STATIC_KEY_FALSE(perfmon_debug_key);

int perfmon_debug;
static DEFINE_MUTEX(debug_lock);	/* protects perfmon_debug */

/* Counts that other CPUs add during the reset may survive it. */
void perfmon_stats_reset(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&perfmon_stats, cpu), 0,
		       sizeof(struct perfmon_stats));
}

/** perfmon_debug_set - measure more, or less; 0 also resets the statistics */
void perfmon_debug_set(int mask)
{
	mutex_lock(&debug_lock);
	perfmon_debug = mask;
	if (mask) {
		static_branch_enable(&perfmon_debug_key);
	} else {
		static_branch_disable(&perfmon_debug_key);
		perfmon_stats_reset();
	}
	mutex_unlock(&debug_lock);
}
