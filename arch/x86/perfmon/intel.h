/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for the files of the Intel architectural design: intel.c (the design),
 * intel_errata.c (which models have which errata), intel_nehalem.c (an erratum that needs
 * code); and those that kinds.c uses.
 */
#ifndef _PERFCTR_INTEL_H
#define _PERFCTR_INTEL_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include <asm/perf_event.h>

#include "perfctr_design.h"

/* Fields of IA32_FIXED_CTR_CTRL are four bits wide. */
#define FIXED_FIELD		0xf

/* Index of IA32_FIXED_CTR_CTRL in the cache, after all selectors. */
#define CACHE_FIXED_CTRL	(PERFCTR_MAX_SELECTORS - 1)

/* All counters, by their bits in registers like GLOBAL_CTRL. */
static inline u64 perfctr_intel_all_counters(const struct perfctr_design *design)
{
	u64 fixed = (BIT_ULL(design->nr_fixed) - 1) & ~(u64)design->absent_fixed;

	return (BIT_ULL(design->nr_counters) - 1) | fixed << INTEL_PMC_IDX_FIXED;
}

/* intel.c */
void perfctr_intel_write_extra(const struct perfctr_cpu_control *control,
			       struct perfctr_cache *cache);
void perfctr_intel_write_control(const struct perfctr_cpu_state *state,
				 struct perfctr_cache *cache);
void perfctr_intel_ack_records(u64 counters);

/*
 * Shift from these bits in an extra register to the same in the upper half of a selector.
 */
#define EXTRA_SHIFT	30

static_assert(EXTRA_KIND_CORE >> EXTRA_SHIFT == SELECTOR_KIND_CORE &&
	      EXTRA_KIND_ATOM >> EXTRA_SHIFT == SELECTOR_KIND_ATOM);

/* Is a value with bits of EXTRA_KINDS for this CPU?  Preemption is off. */
static inline bool perfctr_extra_is_for_us(u64 value)
{
	return (value & EXTRA_KINDS) >> EXTRA_SHIFT &
	       __this_cpu_read(perfctr_kind_bit);
}

/* intel_errata.c */
void perfctr_intel_find_errata(struct perfctr_design *design);

/* intel_nehalem.c */
void perfctr_nehalem_write_control(const struct perfctr_cpu_state *state,
				   struct perfctr_cache *cache);

/*
 * write_control of the design; @selector returns the value of each selector.  Counters
 * that the state does not use may keep running: they are not read.
 */
static __always_inline void
intel_write_selectors(const struct perfctr_cpu_state *state,
		      struct perfctr_cache *cache,
		      u64 (*selector)(const struct perfctr_cpu_state *state,
				      unsigned int i))
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	u64 fixed_ctrl = cache->evntsel[CACHE_FIXED_CTRL];

	if (unlikely(state->control.extra_used))
		perfctr_intel_write_extra(&state->control, cache);
	for (i = 0; i < n; i++) {
		unsigned int pmc = state->pmc[i].map;

		if (pmc & PERFCTR_FIXED) {
			unsigned int shift = 4 * (pmc & ~PERFCTR_FIXED);

			fixed_ctrl &= ~((u64)FIXED_FIELD << shift);
			fixed_ctrl |= perfctr_selector(state, i) << shift;
		} else {
			perfctr_cache_write(cache, pmc,
					    MSR_ARCH_PERFMON_EVENTSEL0 + pmc,
					    selector(state, i));
		}
	}
	perfctr_cache_write(cache, CACHE_FIXED_CTRL,
			    MSR_ARCH_PERFMON_FIXED_CTR_CTRL, fixed_ctrl);
}

#endif /* _PERFCTR_INTEL_H */
