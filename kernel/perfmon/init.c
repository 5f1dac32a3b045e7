// SPDX-License-Identifier: GPL-2.0-only
/*
 * The start of perfmon: the boot option, detection, and the order of
 * initialisation.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/init.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "admin/admin.h"
#include "cpu.h"
#include "family/family.h"
#include "ovfl.h"
#include "owner.h"
#include "session.h"
#include "set.h"
#include "syscall.h"

static bool off __initdata;

/*
 * perfmon=WORD,...: "off" makes the kernel behave as if it were built without
 * perfmon; the architecture handles all other words.
 */
static int __init perfmon_setup(char *arg)
{
	char *word;

	while ((word = strsep(&arg, ",")) != NULL) {
		if (!strcmp(word, "off"))
			off = true;
		else if (!perfmon_arch_option(word))
			pr_info("perfmon=%s is unknown\n", word);
	}
	return 0;
}
early_param("perfmon", perfmon_setup);

static int __init perfmon_init(void)
{
	int err;

	if (off) {
		pr_info("disabled on the command line\n");
		return 0;
	}
	if (perfmon_arch_init())
		return 0;
	perfmon_pmu_init(perfmon_interrupt);
	err = perfmon_sets_init();
	if (err)
		goto no_sets;
	err = perfmon_session_init();
	if (err)
		goto no_sessions;
	err = perfmon_parts_init();
	if (err)
		goto no_parts;
	err = perfmon_cpu_init();
	if (err)
		goto no_cpus;
	err = perfmon_sysfs_init();
	if (err)
		goto no_sysfs;
	perfmon_debugfs_init();
	perfmon_usable = true;
	pr_info("version %u.%u, %s, %u PMCs, %u PMDs\n", PFM_VERSION_MAJ,
		PFM_VERSION_MIN, perfmon_pmu.model, perfmon_pmu.nr_pmcs,
		perfmon_pmu.nr_pmds);
	return 0;

no_sysfs:
	perfmon_cpu_exit();
no_cpus:
	perfmon_parts_exit();
no_parts:
	perfmon_session_exit();
no_sessions:
	perfmon_sets_exit();
no_sets:
	perfmon_arch_exit();
	pr_err("cannot start: error %d\n", err);
	return err;
}
subsys_initcall(perfmon_init);
