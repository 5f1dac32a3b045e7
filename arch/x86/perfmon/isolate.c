// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters for a program that reads them with RDPMC: while it runs, all counters outside
 * its own state are stopped and zero, and its own counters do not reveal other programs'
 * counts.
 *
 * Counters in accumulation mode keep running while other threads run, and keep their
 * values when other counters replace them (perfctr_ll.c).  So a program that can execute
 * RDPMC could subtract two values and learn about another program's work.
 *
 * The session core calls these functions in place of suspend and resume, on the CPU of
 * the state with interrupts off.  perfctr_cache.used has the counters that may not be
 * zero.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/init.h>

#include <asm/cpufeature.h>
#include <asm/perf_event.h>

#include "intel.h"
#include "perfctr_core.h"

/* The existing counters, by perfctr_counter_bit(). */
static u64 existing __ro_after_init;

/*
 * Their registers.  A switch makes no indirect calls, which mitigations make expensive.
 */
static u32 control_msrs[PERFCTR_FIXED_SHIFT] __ro_after_init;
static u32 counter_msrs[PERFCTR_FIXED_SHIFT] __ro_after_init;
static u32 fixed_msrs[PERFCTR_FIXED_SHIFT] __ro_after_init;

/* Can counters be stopped and zeroed one by one? */
bool perfctr_cpu_isolates __ro_after_init;
EXPORT_SYMBOL_GPL(perfctr_cpu_isolates);

static u64 __init isolate_find_existing(void)
{
	u32 counters = (BIT_ULL(perfctr_design->nr_counters) - 1) &
		       ~(u64)perfctr_design->absent_counters;
	u32 fixed = (BIT_ULL(perfctr_design->nr_fixed) - 1) &
		    ~(u64)perfctr_design->absent_fixed;

	return counters | (u64)fixed << PERFCTR_FIXED_SHIFT;
}

static void __init isolate_find_registers(void)
{
	const struct perfctr_design *design = perfctr_design;
	unsigned long left = (u32)existing;
	unsigned int i;

	for_each_set_bit(i, &left, 32) {
		control_msrs[i] = design->evntsel_msr(i);
		counter_msrs[i] = design->counter_msr(i);
	}
	left = existing >> PERFCTR_FIXED_SHIFT;
	for_each_set_bit(i, &left, 32)
		fixed_msrs[i] = design->fixed_msr(i);
}

/*
 * Counters cannot be isolated without RDPMC or without writable counters, nor if they
 * share one control register (P5).  Called once at boot.
 */
void __init perfctr_isolate_init(void)
{
	const struct perfctr_design *design = perfctr_design;

	perfctr_cpu_isolates = design->nr_counters > 1 && !design->no_rdpmc &&
			       !boot_cpu_has(X86_FEATURE_XENPV) &&
			       !design->unwritable && design->evntsel_msr &&
			       design->evntsel_msr(0) != design->evntsel_msr(1);
	existing = isolate_find_existing();
	if (perfctr_cpu_isolates)
		isolate_find_registers();
}

static void isolate_zero(unsigned int msr)
{
	wrmsrl(msr, 0);
	if (perfctr_design->write_twice)
		wrmsrl(msr, 0);
}

static void isolate_stop_fixed(struct perfctr_cache *cache, u32 others)
{
	u64 ctrl = cache->evntsel[CACHE_FIXED_CTRL];
	unsigned long left = others;
	unsigned int i;

	for_each_set_bit(i, &left, 32)
		ctrl &= ~((u64)FIXED_FIELD << 4 * i);
	perfctr_cache_write(cache, CACHE_FIXED_CTRL,
			    MSR_ARCH_PERFMON_FIXED_CTR_CTRL, ctrl);
	for_each_set_bit(i, &left, 32)
		isolate_zero(fixed_msrs[i]);
}

/*
 * Stop first: a running counter would not stay zero.  The state that the cache names may
 * lose its counters; clearing the id makes it write them again.
 */
static void isolate_stop(struct perfctr_cache *cache, u64 others)
{
	u32 fixed = (others & existing) >> PERFCTR_FIXED_SHIFT;
	unsigned long left = (u32)(others & existing);
	unsigned int i;

	for_each_set_bit(i, &left, 32)
		perfctr_cache_write(cache, i, control_msrs[i], 0);
	for_each_set_bit(i, &left, 32)
		isolate_zero(counter_msrs[i]);
	if (fixed)
		isolate_stop_fixed(cache, fixed);
	cache->used &= ~others;
	cache->id = 0;
}

/* Read all bits of a counter, even if the state asks for the fast form. */
static __always_inline u64 isolate_read(unsigned int map)
{
	u64 value;

	rdpmcl(map & ~PERFCTR_FAST_RDPMC, value);
	return value;
}

/*
 * Let the counters whose values have changed since they were noted start from 0.  A known
 * start needs no second read: all later counts belong to the state.
 */
static __always_inline void isolate_restart(struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nractrs(state->cstatus);

	for (i = 0; i < n; i++) {
		if (likely(state->noted) &&
		    isolate_read(state->pmc[i].map) == state->pmc[i].start)
			continue;
		isolate_zero(state->counter_msr[i]);
		state->pmc[i].start = 0;
	}
	state->noted = false;
}

/* The same if counters of the state or of other states must first be stopped. */
static noinline void isolate_resume(struct perfctr_cpu_state *state,
				    struct perfctr_cache *cache)
{
	u64 own = state->cstatus ? state->counters : 0;

	if (cache->used & ~own)
		isolate_stop(cache, cache->used & ~own);
	isolate_restart(state);
	perfctr_cpu_resume(state);
}

/**
 * perfctr_cpu_resume_alone - put a state on this CPU, whose program executes RDPMC
 * @state: as for perfctr_cpu_resume()
 *
 * A counter in accumulation mode with the value that perfctr_cpu_suspend_noting() left
 * has counted nothing for others, and continues.  Each other one starts from 0, even if
 * it has the value that another resume found: that value would reveal others' counts.
 * Counters in interrupt mode were stopped, or the resume writes their own start values.
 *
 * Context: interrupts off; perfctr_cpu_isolates, and the CPU is not forbidden.
 */
void perfctr_cpu_resume_alone(struct perfctr_cpu_state *state)
{
	struct perfctr_cache *cache = this_cpu_ptr(&perfctr_cache);

	/*
	 * No other control was on this CPU since: all other counters are stopped and
	 * zero.
	 */
	if (likely(perfctr_cstatus_actrs_only(state->cstatus) &&
		   !(cache->used & ~state->counters) &&
		   cache->id == perfctr_state_id(state)))
		isolate_restart(state);
	else
		isolate_resume(state, cache);
}
EXPORT_SYMBOL_GPL(perfctr_cpu_resume_alone);

/**
 * perfctr_cpu_alone - stop and zero all counters, for a program that executes RDPMC
 *
 * Context: interrupts off; perfctr_cpu_isolates; no state is on this CPU.
 */
void perfctr_cpu_alone(void)
{
	struct perfctr_cache *cache = this_cpu_ptr(&perfctr_cache);

	if (cache->used)
		isolate_stop(cache, cache->used);
}
EXPORT_SYMBOL_GPL(perfctr_cpu_alone);

/* The usual suspend first stops the counters in interrupt mode. */
static noinline void isolate_suspend(struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nractrs(state->cstatus);

	perfctr_cpu_suspend(state);
	for (i = 0; i < n; i++)
		state->pmc[i].start = isolate_read(state->pmc[i].map);
}

/**
 * perfctr_cpu_suspend_noting - take a state off this CPU, and note its counter values
 * @state: as for perfctr_cpu_suspend()
 *
 * Context: interrupts off.
 */
void perfctr_cpu_suspend_noting(struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nractrs(state->cstatus);
	u32 now;

	state->noted = true;
	if (unlikely(!perfctr_cstatus_actrs_only(state->cstatus))) {
		isolate_suspend(state);
		return;
	}
	for (i = 0; i < n; i++) {
		now = isolate_read(state->pmc[i].map);
		state->pmc[i].sum += (u32)(now - state->pmc[i].start);
		state->pmc[i].start = now;
	}
}
EXPORT_SYMBOL_GPL(perfctr_cpu_suspend_noting);
