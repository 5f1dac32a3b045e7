// SPDX-License-Identifier: GPL-2.0-only
/*
 * The start and the end of the module: it starts the parts in the order in
 * which initcalls start them in a kernel with built-in perfmon.
 *
 * The module cannot be unloaded while a session exists, since each session
 * holds it, or while /dev/perfmon is open.  Some code of the module may still
 * be about to return: probes, task works, RCU callbacks.  The end waits for it.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/errno.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/perfmon_module.h>
#include <linux/perfmon_pmu.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sysfs.h>

#include "admin/admin.h"
#include "calls.h"
#include "cpu.h"
#include "family/family.h"
#include "host.h"
#include "owner.h"
#include "set.h"
#include "smpl/smpl.h"
#include "syscall.h"

static char *options = "";
module_param(options, charp, 0444);
MODULE_PARM_DESC(options, "the words of the boot option perfmon=, with commas");

/* /sys/kernel/perfmon exists already if perfmon is built in. */
static bool main_is_built_in(void)
{
	struct kobject *dir = kobject_create_and_add("perfmon", kernel_kobj);

	kobject_put(dir);
	return !dir;
}

static int main_start_core(void)
{
	int err = perfmon_initcall_dfl_register();

	if (err)
		return err;
	err = perfmon_initcall_stacks_register();
	if (err)
		goto no_stacks;
	err = perfmon_initcall_precise_register();
	if (err)
		goto no_precise;
	err = perfmon_initcall_perfmon_init();
	if (!err && !perfmon_usable)
		err = -ENODEV;
	if (err)
		goto no_core;
	perfmon_initcall_perfmon_register_syscore();
	return 0;

no_core:
	perfmon_precise_exit();
no_precise:
	perfmon_stacks_exit();
no_stacks:
	perfmon_dfl_exit();
	return err;
}

static void main_stop_core(void)
{
	perfmon_pmu_exit();
	/* The memory of some sessions may still have to be freed. */
	rcu_barrier();
	perfmon_unregister_syscore();
	perfmon_debugfs_exit();
	perfmon_sysfs_exit();
	perfmon_cpu_exit();
	perfmon_parts_exit();
	perfmon_session_exit();
	perfmon_sets_exit();
	perfmon_arch_exit();
	perfmon_precise_exit();
	perfmon_stacks_exit();
	perfmon_dfl_exit();
}

static int __init main_init(void)
{
	int err;

	if (main_is_built_in()) {
		pr_err("this kernel has perfmon built in; the module is not needed\n");
		return -EBUSY;
	}
	perfmon_option(options);
	err = perfmon_host_init();
	if (err)
		return err;
	perfmon_host_settings_init();
	err = perfctr_vector_init();
	if (err)
		goto no_vector;
	err = main_start_core();
	if (err)
		goto no_core;
	err = perfctr_owner_excludes() ? perfmon_calls_init() : -ENODEV;
	if (err)
		goto no_calls;
	return 0;

no_calls:
	main_stop_core();
no_core:
	perfctr_vector_exit();
no_vector:
	perfmon_host_settings_exit();
	perfmon_host_exit();
	return err;
}

static void __exit main_exit(void)
{
	perfmon_calls_exit();
	/*
	 * The thread that dropped the last session may not have returned from
	 * the module yet.
	 */
	synchronize_rcu_tasks();
	main_stop_core();
	perfctr_vector_exit();
	perfmon_host_settings_exit();
	perfmon_host_exit();
}

module_init(main_init);
module_exit(main_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("perfmon: sessions of performance counters");
