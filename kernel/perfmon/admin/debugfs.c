// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/debug/perfmon, for developers of perfmon. One directory per CPU
 * has one file per statistic (stats.c). Other files show the state of the hooks
 * and of the PMU's registers, how often the PMU was taken, and how long it
 * stays after the last session.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/perfmon_pmu.h>
#include <linux/seq_file.h>
#include <linux/sprintf.h>

#include "../host.h"
#include "../owner.h"
#include "admin.h"
#include "stats.h"

static const char *const stat_names[PERFMON_NR_STATS] = {
	[PERFMON_STAT_OVFL_ALL] = "ovfl_intr_all_count",
	[PERFMON_STAT_OVFL_NS] = "ovfl_intr_ns",
	[PERFMON_STAT_OVFL_REGULAR] = "ovfl_intr_regular_count",
	[PERFMON_STAT_OVFL_SPURIOUS] = "ovfl_intr_spurious_count",
	[PERFMON_STAT_OVFL_REPLAY] = "ovfl_intr_replay_count",
	[PERFMON_STAT_OVFL_NMI] = "ovfl_intr_nmi_count",
	[PERFMON_STAT_OVFL_CAPTURED] = "ovfl_nmi_captured_count",
	[PERFMON_STAT_OVFL_DROPPED] = "ovfl_nmi_dropped_count",
	[PERFMON_STAT_NOTIFY] = "ovfl_notify_count",
	[PERFMON_STAT_RESET_PMDS] = "reset_pmds_count",
	[PERFMON_STAT_FMT_CALLS] = "fmt_handler_calls",
	[PERFMON_STAT_FMT_NS] = "fmt_handler_ns",
	[PERFMON_STAT_SWITCH] = "set_switch_count",
	[PERFMON_STAT_SWITCH_NS] = "set_switch_ns",
	[PERFMON_STAT_SWITCH_EXP] = "set_switch_exp",
	[PERFMON_STAT_TIMEOUT] = "handle_timeout_count",
	[PERFMON_STAT_IN] = "ctxswin_count",
	[PERFMON_STAT_IN_NS] = "ctxswin_ns",
	[PERFMON_STAT_OUT] = "ctxswout_count",
	[PERFMON_STAT_OUT_NS] = "ctxswout_ns",
	[PERFMON_STAT_WORK] = "handle_work_count",
	[PERFMON_STAT_RESTART] = "pfm_restart_count",
	[PERFMON_STAT_THROTTLED] = "throttled_count",
	[PERFMON_STAT_THROTTLED_JIFFIES] = "throttled_jiffies",
};

static int hooks_enabled_get(void *data, u64 *value)
{
	*value = perfmon_host_hooks();
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(hooks_enabled_fops, hooks_enabled_get, NULL, "%llu\n");

/* Do the PMU's registers contain the values that perfmon has written? */
static int verify_show(struct seq_file *m, void *unused)
{
	char text[96];

	perfmon_arch_verify(text, sizeof(text));
	seq_printf(m, "%s\n", text);
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(verify);

/* How long the PMU stays with perfmon after the last session. */
static int linger_ms_get(void *data, u64 *value)
{
	*value = perfmon_linger_ms();
	return 0;
}

static int linger_ms_set(void *data, u64 value)
{
	return perfmon_linger_set(value);
}

DEFINE_DEBUGFS_ATTRIBUTE(linger_ms_fops, linger_ms_get, linger_ms_set,
			 "%llu\n");

static int pmu_taken_get(void *data, u64 *value)
{
	*value = perfmon_pmu_taken();
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(pmu_taken_fops, pmu_taken_get, NULL, "%llu\n");

static int stat_get(void *data, u64 *value)
{
	*value = READ_ONCE(*(u64 *)data);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(stat_fops, stat_get, NULL, "%llu\n");

static void __init debugfs_add_cpu(struct dentry *parent, unsigned int cpu)
{
	u64 *count = per_cpu_ptr(&perfmon_stats, cpu)->count;
	struct dentry *dir;
	char name[16];
	unsigned int i;

	snprintf(name, sizeof(name), "cpu%u", cpu);
	dir = debugfs_create_dir(name, parent);
	for (i = 0; i < PERFMON_NR_STATS; i++)
		debugfs_create_file_unsafe(stat_names[i], 0444, dir, &count[i],
					   &stat_fops);
}

void __init perfmon_debugfs_exit(void)
{
	debugfs_lookup_and_remove("perfmon", NULL);
}

void __init perfmon_debugfs_init(void)
{
	struct dentry *dir = debugfs_create_dir("perfmon", NULL);
	unsigned int cpu;

	debugfs_create_file_unsafe("hooks_enabled", 0444, dir, NULL,
				   &hooks_enabled_fops);
	debugfs_create_file("verify", 0400, dir, NULL, &verify_fops);
	debugfs_create_file_unsafe("linger_ms", 0644, dir, NULL,
				   &linger_ms_fops);
	debugfs_create_file_unsafe("pmu_taken_count", 0444, dir, NULL,
				   &pmu_taken_fops);
	for_each_possible_cpu(cpu)
		debugfs_add_cpu(dir, cpu);
}
