/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_event as its neighbours see it, and the kernel's allocator of counters.
 */
#ifndef PERFCTR_TEST_ASM_PERF_EVENT_H
#define PERFCTR_TEST_ASM_PERF_EVENT_H

#include <linux/static_call.h>
#include <linux/types.h>

#define INTEL_PMC_IDX_FIXED 32
#define GLOBAL_STATUS_BUFFER_OVF (1ull << 62)

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

/* Instruction-based sampling: CPUID, and bits of the control registers. */
#define IBS_CPUID_FEATURES 0x8000001b
#define IBS_CAPS_AVAIL (1u << 0)
#define IBS_CAPS_FETCHSAM (1u << 1)
#define IBS_CAPS_OPSAM (1u << 2)
#define IBS_CAPS_RDWROPCNT (1u << 3)
#define IBS_CAPS_OPCNT (1u << 4)
#define IBS_CAPS_BRNTRGT (1u << 5)
#define IBS_CAPS_OPCNTEXT (1u << 6)
#define IBS_CAPS_RIPINVALIDCHK (1u << 7)
#define IBS_CAPS_FETCHCTLEXTD (1u << 9)
#define IBS_CAPS_OPDATA4 (1u << 10)
#define IBS_CAPS_ZEN4 (1u << 11)
#define IBSCTL_LVT_OFFSET_VALID (1ull << 8)
#define IBS_FETCH_L3MISSONLY (1ull << 59)
#define IBS_FETCH_RAND_EN (1ull << 57)
#define IBS_FETCH_VAL (1ull << 49)
#define IBS_FETCH_ENABLE (1ull << 48)
#define IBS_FETCH_CNT 0xFFFF0000ull
#define IBS_OP_CUR_CNT_RAND (0x0007Full << 32)
#define IBS_OP_CNT_CTL (1ull << 19)
#define IBS_OP_VAL (1ull << 18)
#define IBS_OP_ENABLE (1ull << 17)
#define IBS_OP_L3MISSONLY (1ull << 16)
#define IBS_OP_MAX_CNT 0x0000FFFFull
#define IBS_OP_MAX_CNT_EXT_MASK (0x7Full << 20)
#define IBS_CAPS_DEFAULT (IBS_CAPS_AVAIL | IBS_CAPS_FETCHSAM | IBS_CAPS_OPSAM)

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
