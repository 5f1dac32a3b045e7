// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kinds of core of hybrid Intel processors: the kind of each CPU, and the counters
 * that only one kind has.
 *
 * Most counting uses the registers that all CPUs have (intel_leaf10.c).  A selector, and
 * the extra register that qualifies its event, may be for one kind only: if detect.c
 * finds a hybrid processor, the procedure here replaces intel.c's.  Further counters of a
 * kind are for states of one CPU.  reserve.c calls this file for each CPU, at boot and
 * when one comes up.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/perfmon_pmu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/time64.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#include <asm/perfmon_compat.h>
#include <asm/processor.h>
#include <asm/tsc.h>

#include "intel.h"
#include "intel_leaf10.h"
#include "perfctr_core.h"

/* Numbers of selectors and fixed counters before the next register of another purpose. */
#define MAX_SELECTORS	10
#define MAX_FIXED	8

struct kind_look {
	int kind;
	unsigned int counters;
	unsigned int fixed;
};

/* Shift from a selector's bits to a mask of kinds. */
#define KIND_BIT_SHIFT	30

static const u32 bits[] = { SELECTOR_KIND_CORE, SELECTOR_KIND_ATOM };

static struct perfmon_kind kinds[PERFCTR_MAX_KINDS] = {
	{ .name = "cpu_core" },
	{ .name = "cpu_atom" },
};

static unsigned int kinds_registers(u32 msr, unsigned int max)
{
	unsigned int n = 0;
	u64 value;

	while (n < max && !rdmsrl_safe(msr + n, &value))
		n++;
	return n;
}

/*
 * Runs on the CPU.  CPUID leaf 10 describes only what all kinds have, so try the
 * registers.
 */
static void kinds_look(void *data)
{
	struct kind_look *look = data;

	look->kind = perfctr_kind_by_cpuid();
	look->counters = kinds_registers(MSR_ARCH_PERFMON_EVENTSEL0,
					 MAX_SELECTORS);
	look->fixed = kinds_registers(MSR_ARCH_PERFMON_FIXED_CTR0, MAX_FIXED);
}

/* A kind has the counters that all of its CPUs have. */
static void kinds_narrow(struct perfmon_kind *kind,
			 const struct kind_look *look)
{
	if (!kind->counters) {
		pr_info("%s: %u programmable and %u fixed counters\n",
			kind->name, look->counters, look->fixed);
		kind->counters = look->counters;
		kind->fixed = look->fixed;
	}
	kind->counters = min(kind->counters, look->counters);
	kind->fixed = min(kind->fixed, look->fixed);
}

/**
 * perfctr_kinds_add_cpu - record the kind of a CPU
 * @cpu: CPU that is online, or is the calling one while it comes up
 *
 * Does nothing unless the processor is hybrid and has usable counters.
 */
void perfctr_kinds_add_cpu(unsigned int cpu)
{
	struct kind_look look = {};

	if (!perfctr_has_pmu() || !boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return;
	smp_call_function_single(cpu, kinds_look, &look, 1);
	if (look.kind < 0) {
		pr_info("CPU %u is of an unknown kind\n", cpu);
		return;
	}
	kinds_narrow(&kinds[look.kind], &look);
	cpumask_set_cpu(cpu, &kinds[look.kind].cpus);
	per_cpu(perfctr_kind_bit, cpu) = bits[look.kind];
}

/* A selector for another kind of core is off on this CPU. */
static u64 kinds_selector(const struct perfctr_cpu_state *state, unsigned int i)
{
	u32 wanted = state->control.evntsel_high[i] & SELECTOR_KINDS;

	if (wanted && !(wanted & __this_cpu_read(perfctr_kind_bit)))
		return 0;
	return perfctr_selector(state, i) & ~((u64)SELECTOR_KINDS << 32);
}

/*
 * write_control of the Intel design on a hybrid processor.  A counter that is off on this
 * kind of core keeps its value, in a-mode and in i-mode, so that no other code needs to
 * know.
 */
static void kinds_write_control(const struct perfctr_cpu_state *state,
				struct perfctr_cache *cache)
{
	intel_write_selectors(state, cache, kinds_selector);
}

/* Bits from @first to @end - 1. */
static u32 kinds_beyond(unsigned int first, unsigned int end)
{
	return first < end ? GENMASK(end - 1, first) : 0;
}

/**
 * perfctr_kinds_find_more - find the counters that only one kind has
 * @design: the chosen design; gets the result
 *
 * The CPUs that are online at boot have been added before.
 */
void __init perfctr_kinds_find_more(struct perfctr_design *design)
{
	unsigned int i, room;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		design->kind_counters[i] = kinds_beyond(design->nr_counters,
							kinds[i].counters);
		/* A state has room for PERFCTR_MAX_COUNTERS in all. */
		room = PERFCTR_MAX_COUNTERS - kinds[i].counters;
		design->kind_fixed[i] =
			kinds_beyond(design->nr_fixed,
				     min(kinds[i].fixed, room));
	}
}

/**
 * perfctr_kinds_lacks - does a CPU lack counters that others of its kind have?
 * @cpu: CPU that is online, or is the calling one while it comes up
 */
bool perfctr_kinds_lacks(unsigned int cpu)
{
	const struct perfctr_design *design = perfctr_design;
	struct kind_look look = {};

	if (!perfctr_has_pmu() || !boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return false;
	smp_call_function_single(cpu, kinds_look, &look, 1);
	if (look.kind < 0 ||
	    (!(design->kind_counters[look.kind] >> look.counters) &&
	     !(design->kind_fixed[look.kind] >> look.fixed)))
		return false;
	pr_warn("CPU %u has fewer counters than others of its kind and is not used\n",
		cpu);
	return true;
}

unsigned int perfmon_arch_cpu_kinds(unsigned int cpu)
{
	return per_cpu(perfctr_kind_bit, cpu) >> KIND_BIT_SHIFT;
}

/**
 * perfctr_kinds_choose - let selectors be limited to one kind of core
 * @design: Intel's design; changed if the processor is hybrid
 */
void __init perfctr_kinds_choose(struct perfctr_design *design)
{
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		design->write_control = kinds_write_control;
}

const struct perfmon_kind *perfmon_arch_kind(unsigned int i)
{
	if (i >= ARRAY_SIZE(kinds) || !perfctr_has_pmu() ||
	    !boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return NULL;
	return &kinds[i];
}

u64 perfmon_arch_kind_ns(struct perfmon_arch_set *set, unsigned int kind,
			 bool live)
{
	if (!(set->also & PERFMON_ALSO_KINDS) || !tsc_khz)
		return 0;
	if (live)
		perfmon_arch_add_tsc(set, rdtsc());
	return mul_u64_u32_div(set->kind_tsc[kind], NSEC_PER_MSEC, tsc_khz);
}
