// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kinds of core of hybrid Intel processors: which CPU is of which, and what
 * counters a kind has of its own.
 *
 * What is counted with are the registers that all CPUs have (intel_leaf10.c).  A
 * selector, and the extra register that qualifies its event, may be for one kind only:
 * the procedure here takes the place of intel.c's, if detect.c finds a hybrid processor.  pmu_desc of sysfs shows the
 * rest.  reserve.c calls for each CPU at boot and when one comes up.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/array_size.h>
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/perfmon_pmu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/time64.h>

#include <asm/cpufeature.h>
#include <asm/cpuid.h>
#include <asm/msr.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#include <asm/processor.h>
#include <asm/tsc.h>

#include "intel.h"
#include "perfctr_core.h"

/* The kind of core in the upper byte of EAX. */
#define LEAF_KIND	0x1a
#define KIND_SHIFT	24

/* Selectors and fixed counters up to the next register of another purpose. */
#define MAX_SELECTORS	10
#define MAX_FIXED	8

/* The bit of this CPU's kind in selectors; 0: not hybrid, or of an unknown kind. */
DEFINE_PER_CPU(u32, perfctr_kind_bit);

struct kind_look {
	u8 type;
	unsigned int counters;
	unsigned int fixed;
};

static const u8 types[] = { 0x40, 0x20 };
static const u32 bits[] = { SELECTOR_KIND_CORE, SELECTOR_KIND_ATOM };

static_assert(ARRAY_SIZE(types) == PERFCTR_MAX_KINDS &&
	      ARRAY_SIZE(bits) == PERFCTR_MAX_KINDS);

/* From the bits of an extra register to those of the upper half of a selector. */
#define EXTRA_SHIFT	30

static_assert(EXTRA_KIND_CORE >> EXTRA_SHIFT == SELECTOR_KIND_CORE &&
	      EXTRA_KIND_ATOM >> EXTRA_SHIFT == SELECTOR_KIND_ATOM);

static struct perfmon_kind kinds[] = {
	{ .name = "cpu_core" },
	{ .name = "cpu_atom" },
};

/* Of the running CPU, which is one of a hybrid processor. */
static u8 kinds_type(void)
{
	return cpuid_eax(LEAF_KIND) >> KIND_SHIFT;
}

/* Its kind, an index; -1: unknown, or the processor is not hybrid. */
int perfctr_kind_by_cpuid(void)
{
	unsigned int i;

	if (!boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return -1;
	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i] == kinds_type())
			return i;
	return -1;
}

static unsigned int kinds_registers(u32 msr, unsigned int max)
{
	unsigned int n = 0;
	u64 value;

	while (n < max && !rdmsrl_safe(msr + n, &value))
		n++;
	return n;
}

/* On the CPU.  CPUID leaf 10 speaks of what all kinds have: ask the registers. */
static void kinds_look(void *data)
{
	struct kind_look *look = data;

	look->type = kinds_type();
	look->counters = kinds_registers(MSR_ARCH_PERFMON_EVENTSEL0,
					 MAX_SELECTORS);
	look->fixed = kinds_registers(MSR_ARCH_PERFMON_FIXED_CTR0, MAX_FIXED);
}

/**
 * perfctr_kinds_add_cpu - note of which kind a CPU is
 * @cpu: that is online, or calls this while it comes up
 *
 * Does nothing unless the processor is hybrid and its counters are used.
 */
void perfctr_kinds_add_cpu(unsigned int cpu)
{
	struct kind_look look = {};
	unsigned int i;

	if (!perfctr_has_pmu() || !boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return;
	smp_call_function_single(cpu, kinds_look, &look, 1);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (look.type != types[i])
			continue;
		if (!kinds[i].counters)
			pr_info("%s: %u programmable and %u fixed counters\n",
				kinds[i].name, look.counters, look.fixed);
		kinds[i].counters = look.counters;
		kinds[i].fixed = look.fixed;
		cpumask_set_cpu(cpu, &kinds[i].cpus);
		per_cpu(perfctr_kind_bit, cpu) = bits[i];
		return;
	}
	pr_info("CPU %u is of an unknown kind, %#x\n", cpu, look.type);
}

/* A selector for another kind of core is off on this CPU. */
static u64 kinds_selector(const struct perfctr_cpu_state *state, unsigned int i)
{
	u32 wanted = state->control.evntsel_high[i] & SELECTOR_KINDS;

	if (wanted && !(wanted & __this_cpu_read(perfctr_kind_bit)))
		return 0;
	return perfctr_selector(state, i) & ~((u64)SELECTOR_KINDS << 32);
}

/**
 * perfctr_kinds_extra_is_for_us - is a value of an extra register for this CPU?
 * @value: that has a bit of EXTRA_KINDS
 *
 * Context: preemption off.
 */
bool perfctr_kinds_extra_is_for_us(u64 value)
{
	return (value & EXTRA_KINDS) >> EXTRA_SHIFT &
	       __this_cpu_read(perfctr_kind_bit);
}

/*
 * write_control of the Intel design on a hybrid processor.  A counter that is off on
 * this kind of core keeps its value, in a-mode and in i-mode: nothing else needs to
 * know.
 */
static void kinds_write_control(const struct perfctr_cpu_state *state,
				struct perfctr_cache *cache)
{
	intel_write_selectors(state, cache, kinds_selector);
}

/**
 * perfctr_kinds_choose - let selectors count on one kind of core
 * @design: of Intel's processors; changed if this one is hybrid
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
	if (!(set->tsc_on & PERFMON_TSC_KINDS) || !tsc_khz)
		return 0;
	if (live)
		perfmon_arch_add_tsc(set, rdtsc());
	return mul_u64_u32_div(set->kind_tsc[kind], NSEC_PER_MSEC, tsc_khz);
}
