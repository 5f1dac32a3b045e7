// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state shared by all files of the low-level core: the design of this
 * processor and its description, the control cache of each CPU, and the mask of
 * CPUs that must not use counters.
 *
 * detect.c sets the first two at boot, reserve.c the mask as CPUs come up.
 * Each cache belongs to its CPU, see struct perfctr_cache.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>

#include "perfctr_core.h"

DEFINE_PER_CPU(struct perfctr_cache, perfctr_cache);

char *perfctr_cpu_name;
EXPORT_SYMBOL_GPL(perfctr_cpu_name);
struct perfctr_info perfctr_info __ro_after_init;
EXPORT_SYMBOL_GPL(perfctr_info);
struct perfctr_design *perfctr_design __ro_after_init;

#ifdef CONFIG_PERFCTR_CPUS_FORBIDDEN_MASK
cpumask_t perfctr_cpus_forbidden_mask __read_mostly;
EXPORT_SYMBOL_GPL(perfctr_cpus_forbidden_mask);
DEFINE_STATIC_KEY_FALSE(perfctr_cpus_forbidden_key);
EXPORT_SYMBOL_GPL(perfctr_cpus_forbidden_key);
#endif
