// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters for a program that reads them with RDPMC: while it runs, all counters
 * but those of its own state are stopped and zero, and its own say nothing of
 * what others have counted.
 *
 * Counters in accumulation mode run on while other threads run, and keep their
 * contents when other counters take their place (perfctr_ll.c).  So whoever may
 * execute RDPMC could subtract two values and learn what another program did.
 *
 * Called by the session core in the place of suspend and resume, on the CPU of the
 * state with interrupts off.  perfctr_cache.used says which counters may not be zero.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/init.h>

#include <asm/cpufeature.h>
#include <asm/perf_event.h>

#include "intel.h"
#include "perfctr_core.h"

/* The counters that exist, by perfctr_counter_bit(). */
static u64 existing __ro_after_init;

/*
 * Their registers: a switch calls nothing through pointers, which mitigations make
 * dear.
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
 * They cannot where RDPMC or writable counters do not exist, or where counters
 * share one control register (P5).  At boot, once.
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
 * Stop first: a counter that runs would not stay zero.  The state that the cache
 * names may be one of those that lose theirs: it writes them anew.
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

/* All bits of a counter, even where the state asks for the fast form. */
static __always_inline u64 isolate_read(unsigned int map)
{
	u64 value;

	rdpmcl(map & ~PERFCTR_FAST_RDPMC, value);
	return value;
}

/*
 * Let the counters that are not as they were noted start from 0.  A start that is
 * known needs no second read: what is counted from here on is the state's.
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

/* The same for a state whose counters, or those of others, are still to be stopped. */
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
 * A counter in accumulation mode that is as perfctr_cpu_suspend_noting() has left
 * it has counted nothing for others; each other one starts from 0, also where it
 * is as some other resume has found it: that says what others have counted.  Those in
 * interrupt mode were stopped, or get their own start values in the resume.
 *
 * Context: interrupts off; perfctr_cpu_isolates, and the CPU is not forbidden.
 */
void perfctr_cpu_resume_alone(struct perfctr_cpu_state *state)
{
	struct perfctr_cache *cache = this_cpu_ptr(&perfctr_cache);

	/* No other control was here since: all others are stopped and zero. */
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

/* Counters in interrupt mode are stopped first, by the usual suspend. */
static noinline void isolate_suspend(struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nractrs(state->cstatus);

	perfctr_cpu_suspend(state);
	for (i = 0; i < n; i++)
		state->pmc[i].start = isolate_read(state->pmc[i].map);
}

/**
 * perfctr_cpu_suspend_noting - take a state off this CPU, and note its counters
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
