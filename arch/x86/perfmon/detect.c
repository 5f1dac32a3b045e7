// SPDX-License-Identifier: GPL-2.0-only
/*
 * The beginning and the end of the low-level core: chooses the design that
 * drives this processor, and describes the processor for drivers
 * (perfctr_info).
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/printk.h>

#include <asm/cpufeature.h>
#include <asm/tsc.h>

#include "intel.h"
#include "perfctr_core.h"

/* Most specific design first; each checks the boot CPU. */
static struct perfctr_design *__init detect(void)
{
	struct perfctr_design *design;

	design = perfctr_amd_detect();
	if (!design)
		design = perfctr_k7_detect();
	if (!design) {
		design = perfctr_intel_detect();
		if (design) {
			perfctr_kinds_choose(design);
			perfctr_intel_find_errata(design);
		}
	}
	if (!design)
		design = perfctr_p6_detect();
	if (!design)
		design = perfctr_p4_detect();
	if (!design)
		design = perfctr_p5_detect();
	if (!design)
		design = perfctr_c3_detect();
	if (!design)
		design = perfctr_generic_detect();
	return design;
}

static void __init fill_info(void)
{
	perfctr_info.cpu_type = perfctr_design->cpu_type;
	if (!perfctr_design->no_rdpmc && perfctr_design->nr_counters)
		perfctr_info.cpu_features |= PERFCTR_FEATURE_RDPMC;
	if (!perfctr_design->no_tsc) {
		perfctr_info.cpu_features |= PERFCTR_FEATURE_RDTSC;
		perfctr_info.cpu_khz = tsc_khz;
	}
	if (IS_ENABLED(CONFIG_PERFCTR_INTERRUPT_SUPPORT) &&
	    perfctr_design->stop_ictrs && perfctr_lvtpc_exists())
		perfctr_info.cpu_features |= PERFCTR_FEATURE_PCINT;
}

/**
 * perfctr_cpu_init - detect the processor's counters
 *
 * If the counters do not work, as in some virtual machines, only the TSC can be
 * sampled.
 *
 * Return: 0, or -ENODEV if no design drives the PMU and there is no TSC.
 */
int __init perfctr_cpu_init(void)
{
	int err;

	perfctr_design = detect();
	if (!perfctr_design) {
		pr_info("no driver for this processor\n");
		return -ENODEV;
	}
	perfctr_apply_options(perfctr_design);
	/* The kernel may have disabled the TSC, too. */
	if (!boot_cpu_has(X86_FEATURE_TSC))
		perfctr_design->no_tsc = true;
	err = perfctr_reserve_init();
	if (err == -ENODEV && !perfctr_design->no_tsc) {
		perfctr_design = perfctr_generic_detect();
		err = perfctr_reserve_init();
	}
	if (err)
		return err;
	/* On processors of each vendor, some hypervisors mask the entry. */
	if (boot_cpu_has(X86_FEATURE_HYPERVISOR))
		perfctr_design->lvt_automask = true;
	fill_info();
	perfctr_resolve_calls();
	perfctr_isolate_init();
	perfctr_reboot_init();
	perfctr_cpu_name = perfctr_design->name;
	pr_info("%s, %u programmable and %u fixed counters\n", perfctr_cpu_name,
		perfctr_design->nr_counters -
			hweight32(perfctr_design->absent_counters),
		perfctr_design->nr_fixed);
	if (perfctr_info.cpu_features & PERFCTR_FEATURE_PCINT)
		perfctr_period_init();
	if (perfctr_has_pmu())
		perfctr_tell_unconfirmed();
	return 0;
}

/** perfctr_cpu_exit - undo perfctr_cpu_init() */
void __init perfctr_cpu_exit(void)
{
	perfctr_reboot_exit();
	perfctr_reserve_exit();
	perfctr_ibs_exit();
	perfctr_nmi_exit();
	perfctr_cpu_name = NULL;
}
