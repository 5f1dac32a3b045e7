// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nehalem and Westmere (errata AAK100, AAP53, BD53): counters whose events were
 * changed may miscount, unless all four count certain events for a moment
 * first.  The procedure is Intel's: all counters off, those events set, all on,
 * all off, all zero.
 *
 * intel_errata.c makes this the design's write_control in place of intel.c's;
 * called with preemption disabled, too.
 */
#include <linux/array_size.h>

#include <asm/msr-index.h>
#include <asm/perf_event.h>

#include "intel.h"
#include "perfctr_core.h"

/* Selectors of the procedure's events, at user and kernel level, by counter. */
static const u32 events[] = { 0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1 };

/* Will any counter of the state get a new event? */
static bool nehalem_programs(const struct perfctr_cpu_state *state,
			     const struct perfctr_cache *cache)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	u64 fixed_ctrl = cache->evntsel[CACHE_FIXED_CTRL];

	for (i = 0; i < n; i++) {
		unsigned int pmc = state->pmc[i].map;
		u64 has;

		if (pmc & PERFCTR_FIXED)
			has = fixed_ctrl >> 4 * (pmc & ~PERFCTR_FIXED) &
			      FIXED_FIELD;
		else
			has = cache->evntsel[pmc];
		if (has != perfctr_selector(state, i))
			return true;
	}
	return false;
}

/* Leaves the selectors and GLOBAL_CTRL zero. */
static void nehalem_count_events(struct perfctr_cache *cache)
{
	unsigned int i;

	wrmsrl(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		wrmsrl(MSR_ARCH_PERFMON_EVENTSEL0 + i, events[i]);
		wrmsrl(MSR_ARCH_PERFMON_PERFCTR0 + i, 0);
	}
	wrmsrl(MSR_CORE_PERF_GLOBAL_CTRL, BIT(ARRAY_SIZE(events)) - 1);
	wrmsrl(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		wrmsrl(MSR_ARCH_PERFMON_EVENTSEL0 + i, 0);
		cache->evntsel[i] = 0;
	}
}

/*
 * The i-mode counters had their start values before, so write these again.  The
 * values of the others do not matter: the state reads its starts after this.
 */
static void nehalem_restore_ictrs(const struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);

	for (i = perfctr_cstatus_nractrs(state->cstatus); i < n; i++)
		if (!(state->pmc[i].map & PERFCTR_FIXED))
			wrmsrl(state->counter_msr[i],
			       (s64)(int)state->pmc[i].start &
				       perfctr_design->counter_mask);
}

void perfctr_nehalem_write_control(const struct perfctr_cpu_state *state,
				   struct perfctr_cache *cache)
{
	if (!nehalem_programs(state, cache)) {
		perfctr_intel_write_control(state, cache);
		return;
	}
	nehalem_count_events(cache);
	nehalem_restore_ictrs(state);
	perfctr_intel_write_control(state, cache);
	wrmsrl(MSR_CORE_PERF_GLOBAL_CTRL, perfctr_intel_all_counters(perfctr_design));
}
