/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_event as its neighbours see it, and the kernel's allocator of counters.
 */
#ifndef PERFCTR_TEST_ASM_PERF_EVENT_H
#define PERFCTR_TEST_ASM_PERF_EVENT_H

#include <linux/static_call.h>
#include <linux/types.h>

#define INTEL_PMC_IDX_FIXED 32

/* CPUID leaf 10. */
union cpuid10_eax {
	struct {
		unsigned int version_id : 8;
		unsigned int num_counters : 8;
		unsigned int bit_width : 8;
		unsigned int mask_length : 8;
	} split;
	unsigned int full;
};

union cpuid10_edx {
	struct {
		unsigned int num_counters_fixed : 5;
		unsigned int bit_width_fixed : 8;
		unsigned int reserved1 : 2;
		unsigned int anythread_deprecated : 1;
		unsigned int reserved2 : 16;
	} split;
	unsigned int full;
};

#define EXT_PERFMON_DEBUG_FEATURES 0x80000022

union cpuid_0x80000022_ebx {
	struct {
		unsigned int num_core_pmc : 4;
		unsigned int others : 28;
	} split;
	unsigned int full;
};

void perf_clear_dirty_counters(void);
void perf_events_lapic_init(void);

/* Whether programs may read counters now, on the current CPU. */
void cr4_update_pce(void *ignored);
DECLARE_STATIC_KEY_FALSE(rdpmc_always_available_key);

/* Non-zero if the register was free. */
int reserve_perfctr_nmi(unsigned int msr);
int reserve_evntsel_nmi(unsigned int msr);
void release_perfctr_nmi(unsigned int msr);
void release_evntsel_nmi(unsigned int msr);

#endif
