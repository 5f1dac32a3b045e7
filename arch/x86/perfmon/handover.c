// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps that designs share when a CPU's PMU is taken or given back.
 *
 * Called by start_cpu and stop_cpu of the designs, on the CPU itself with
 * interrupts off.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>

#include "perfctr_core.h"

/* The last MSR whose write failed, 0 if none. */
static u32 refused_msr;

/*
 * Write a register that exists according to CPUID or the model.  Hypervisors and firmware
 * may still refuse the write; perfctr_cpu_reserve() checks for this afterwards.
 */
void perfctr_write(u32 msr, u64 value)
{
	if (wrmsrl_safe(msr, value))
		WRITE_ONCE(refused_msr, msr);
}

/* Return: an MSR whose write failed in perfctr_write() since the last call, or 0. */
u32 perfctr_refused_msr(void)
{
	u32 msr = READ_ONCE(refused_msr);

	WRITE_ONCE(refused_msr, 0);
	return msr;
}

/**
 * perfctr_more_here - counters that this CPU has beyond the common ones
 * @kind_masks: perfctr_design.kind_counters or kind_fixed
 */
u32 perfctr_more_here(const u32 kind_masks[PERFCTR_MAX_KINDS])
{
	int kind = perfctr_kind_here();

	return kind < 0 ? 0 : kind_masks[kind];
}

/* Programmable counters of this CPU. */
static unsigned long handover_counters(void)
{
	const struct perfctr_design *design = perfctr_design;

	return ((BIT_ULL(design->nr_counters) - 1) & ~design->absent_counters) |
	       perfctr_more_here(design->kind_counters);
}

static unsigned long handover_fixed(void)
{
	const struct perfctr_design *design = perfctr_design;

	return ((BIT_ULL(design->nr_fixed) - 1) & ~design->absent_fixed) |
	       perfctr_more_here(design->kind_fixed);
}

/* visit of designs in which each counter has its own selector. */
void perfctr_visit_selectors(const struct perfctr_cache *cache,
			     perfctr_visit_t visit, void *data)
{
	unsigned long counters = handover_counters();
	unsigned int i;

	for_each_set_bit(i, &counters, 32) {
		const struct perfctr_register reg = {
			.msr = perfctr_design->evntsel_msr(i),
			.expected = cache->evntsel[i],
			.changing = perfctr_design->selector_changing,
			.counts = EVNTSEL_ENABLE,
			.levels = EVNTSEL_USR | EVNTSEL_OS,
		};

		visit(&reg, data);
	}
}

/*
 * Zero the counters, so that no program can read the counts of sessions: perf zeroes only
 * its own counters before it lets programs read them.  Nothing may be counting.
 */
void perfctr_zero_counters(void)
{
	unsigned long counters = handover_counters(), fixed = handover_fixed();
	unsigned int i;

	if (perfctr_design->unwritable)
		return;
	for_each_set_bit(i, &counters, 32)
		perfctr_write(perfctr_design->counter_msr(i), 0);
	for_each_set_bit(i, &fixed, 32)
		perfctr_write(perfctr_design->fixed_msr(i), 0);
}
