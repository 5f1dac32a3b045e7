// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start of perfmon: the boot option, detection, and the answer to the first
 * question of each system call.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/init.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "perfmon.h"

struct perfmon_pmu perfmon_pmu __ro_after_init;

static bool usable __ro_after_init;
static bool off __initdata;

/*
 * Words with commas between them.  perfmon=off: as if the kernel were built
 * without; the others are the architecture's.
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

/**
 * perfmon_usable - is there a PMU that perfmon drives?
 *
 * Return: false if the processor is not supported or perfmon is off; then all
 * system calls are -ENOSYS and there is nothing in sysfs.
 */
bool perfmon_usable(void)
{
	return usable;
}

static int __init perfmon_init(void)
{
	int err;

	if (off) {
		pr_info("disabled on the command line\n");
		return 0;
	}
	if (perfmon_arch_init(&perfmon_pmu))
		return 0;
	err = perfmon_sets_init();
	if (!err)
		err = perfmon_session_init();
	if (!err)
		err = perfmon_cpu_init();
	if (!err)
		err = perfmon_sysfs_init();
	if (err)
		return err;
	perfmon_debugfs_init();
	usable = true;
	pr_info("version %u.%u, %s, %u PMCs, %u PMDs\n", PFM_VERSION_MAJ,
		PFM_VERSION_MIN, perfmon_pmu.model, perfmon_pmu.nr_pmcs,
		perfmon_pmu.nr_pmds);
	return 0;
}
subsys_initcall(perfmon_init);
