/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for the files of the Intel architectural design: intel.c (the
 * design), intel_errata.c (which models have which errata) and intel_nehalem.c
 * (one that needs code).
 */
#ifndef _PERFCTR_INTEL_H
#define _PERFCTR_INTEL_H

#include "perfctr_design.h"

/* Fields of IA32_FIXED_CTR_CTRL are four bits wide. */
#define FIXED_FIELD		0xf

/* Place of IA32_FIXED_CTR_CTRL in the cache, behind all selectors. */
#define CACHE_FIXED_CTRL	(PERFCTR_MAX_SELECTORS - 1)

/* intel.c */
void perfctr_intel_write_control(const struct perfctr_cpu_state *state,
				 struct perfctr_cache *cache);
u64 perfctr_intel_all_counters(void);

/* intel_errata.c */
void perfctr_intel_find_errata(struct perfctr_design *design);

/* intel_nehalem.c */
void perfctr_nehalem_write_control(const struct perfctr_cpu_state *state,
				   struct perfctr_cache *cache);

#endif /* _PERFCTR_INTEL_H */
