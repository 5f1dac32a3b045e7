// SPDX-License-Identifier: GPL-2.0-only
/*
 * The architecture's side of <linux/perfmon_pmu.h>: kernel/perfmon/ uses the
 * low-level core as any other driver would.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/perfmon_pmu.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "map.h"
#include "perfctr_core.h"

int __init perfmon_arch_init(void)
{
	int err = perfctr_cpu_init();

	if (err)
		return err;
	perfmon_map_fill(&perfmon_pmu);
	return 0;
}

void __init perfmon_arch_exit(void)
{
	perfctr_cpu_exit();
}

static const char service[] = "perfmon";

/* A design without counters has nothing to reserve. */
const char *perfmon_arch_acquire(void (*ihandler)(unsigned long ip))
{
	const char *holder;

	if (!perfctr_design->nr_counters)
		return NULL;
	holder = perfctr_cpu_reserve(service);
	if (!holder)
		perfctr_cpu_set_ihandler(ihandler);
	return holder;
}

void perfmon_arch_release(void)
{
	if (perfctr_design->nr_counters)
		perfctr_cpu_release(service);
}

bool perfmon_arch_interrupts_exist(void)
{
	return perfctr_info.cpu_features & PERFCTR_FEATURE_PCINT;
}

bool perfmon_arch_has_nmi(void)
{
	return perfmon_arch_interrupts_exist() && perfctr_cpu_has_nmi();
}

int perfmon_arch_use_nmi(perfmon_nhandler_t nhandler)
{
	return perfctr_cpu_use_nmi(nhandler);
}

/* No processor has both IBS and PEBS. */
static bool arch_has_ibs(void)
{
	return perfmon_arch_ibs_caps();
}

int perfmon_arch_claim(perfmon_nhandler_t nhandler)
{
	return arch_has_ibs() ? perfmon_ibs_claim(nhandler) :
				perfmon_pebs_claim();
}

void perfmon_arch_unclaim(void)
{
	if (arch_has_ibs())
		perfmon_ibs_unclaim();
	else
		perfmon_pebs_unclaim();
}

void perfmon_arch_records(struct perfmon_arch_set *set,
			  struct perfmon_sink *sink)
{
	if (set->also & PERFMON_ALSO_IBS)
		perfmon_ibs_records(&set->ibs, sink);
	if (set->also & PERFMON_ALSO_RECORDS)
		perfmon_pebs_records(&set->pebs, sink);
}

u32 perfmon_arch_record_blocks(void)
{
	return perfmon_ibs_blocks() | perfmon_lbr_blocks() |
	       perfmon_pebs_blocks();
}

u32 perfmon_arch_record_hw(void)
{
	return perfmon_ibs_hw() | perfmon_lbr_hw() | perfmon_pebs_hw();
}

void perfmon_arch_offer(void)
{
	if (perfctr_design->nr_counters)
		perfctr_cpu_offer(service);
}

bool perfmon_arch_retain(void)
{
	return !perfctr_design->nr_counters || perfctr_cpu_retain(service);
}

unsigned long perfmon_arch_rest(void)
{
	return perfctr_cpu_rest();
}

bool perfmon_arch_all_read(void)
{
	return perfctr_design->nr_counters && perfctr_host_all_read();
}

const char *perfmon_arch_owner(void)
{
	return perfctr_cpu_owner();
}

/**
 * perfmon_arch_verify - compare the registers of all CPUs with their caches
 * @text: filled: "ok", "free" if the PMU is not ours, or the first difference
 * @size: of @text, at least 96
 *
 * Context: may sleep.
 */
void perfmon_arch_verify(char *text, size_t size)
{
	struct perfctr_difference diff = {};

	if (!perfctr_on_our_cpus(perfctr_compare_cpu, &diff))
		snprintf(text, size, "free");
	else if (diff.exists)
		perfctr_describe(&diff, text, size);
	else
		snprintf(text, size, "ok");
}
