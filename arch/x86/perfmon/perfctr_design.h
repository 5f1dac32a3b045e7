/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a processor design gives to the low-level core, and what it gets.
 *
 * perfctr_ll.c owns the per-CPU control cache and calls the design's
 * procedures; k7.c, amd.c, p6.c and intel.c implement one design each.  All
 * MSR accesses of perfmon are in these files.
 */
#ifndef _PERFCTR_DESIGN_H
#define _PERFCTR_DESIGN_H

#include <linux/percpu.h>

#include <asm/msr.h>
#include <asm/perfctr.h>

/* Event selectors of P6 and of everything that was built after its example. */
#define EVNTSEL_USR		0x00010000
#define EVNTSEL_OS		0x00020000
#define EVNTSEL_PIN		0x00080000
#define EVNTSEL_INT		0x00100000
#define EVNTSEL_ANY		0x00200000
#define EVNTSEL_ENABLE		0x00400000

/* RDPMC numbers from here on are fixed-function counters. */
#define PERFCTR_FIXED		0x40000000

/* Most selectors of any design: 16 programmable, and one for all fixed ones. */
#define PERFCTR_MAX_SELECTORS	17

/**
 * struct perfctr_cache - what the control registers of this CPU contain
 * @id: identity of the control data that was written last, 0 for none
 * @evntsel: contents of each control register of the design
 *
 * Only touched by its own CPU with preemption disabled.
 */
struct perfctr_cache {
	u64 id;
	u64 evntsel[PERFCTR_MAX_SELECTORS];
};

DECLARE_PER_CPU(struct perfctr_cache, perfctr_cache);

/**
 * struct perfctr_design - a processor design
 * @name: CPU type, becomes perfctr_cpu_name
 * @check_control: look at every value of @state->control that is going to
 *	reach hardware.  Return 0 or a negative error code.
 * @write_control: bring the control registers of this CPU to the state's
 *	control, writing those that differ from the cache.  Preemption is off.
 * @start_cpu: bring the PMU of this CPU into the state that the cache
 *	assumes: all control registers 0, global controls on.  Interrupts off.
 * @stop_cpu: leave the PMU of this CPU as it was found.  Interrupts off.
 * @counter_msr, @evntsel_msr: MSR of a programmable counter, of its selector
 * @nr_counters: programmable counters
 * @nr_fixed: fixed-function counters
 */
struct perfctr_design {
	char *name;
	int (*check_control)(const struct perfctr_cpu_state *state);
	void (*write_control)(const struct perfctr_cpu_state *state,
			      struct perfctr_cache *cache);
	void (*start_cpu)(void);
	void (*stop_cpu)(void);
	unsigned int (*counter_msr)(unsigned int counter);
	unsigned int (*evntsel_msr)(unsigned int counter);
	unsigned int nr_counters;
	unsigned int nr_fixed;
};

/* Event bits 35:32 and host/guest bits 41:40 of AMD selectors. */
#define AMD_SELECTOR_HIGH	0x30f

/* Each returns its design if the boot CPU is of it, else NULL. */
struct perfctr_design *perfctr_amd_detect(void);
struct perfctr_design *perfctr_intel_detect(void);
struct perfctr_design *perfctr_k7_detect(void);
struct perfctr_design *perfctr_p6_detect(void);

static inline u64 perfctr_selector(const struct perfctr_cpu_state *state,
				   unsigned int i)
{
	return (u64)state->control.evntsel_high[i] << 32 |
	       state->control.evntsel[i];
}

/* Write control register @reg of the design, unless it has the value. */
static __always_inline void
perfctr_cache_write(struct perfctr_cache *cache, unsigned int reg,
		    unsigned int msr, u64 value)
{
	if (cache->evntsel[reg] == value)
		return;
	cache->evntsel[reg] = value;
	wrmsrl(msr, value);
}

/*
 * write_control of designs in which each counter has a selector of its own
 * and nothing else, @stride MSRs apart.
 */
static __always_inline void
perfctr_write_selectors(const struct perfctr_cpu_state *state,
			struct perfctr_cache *cache, unsigned int msr,
			unsigned int stride)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);

	for (i = 0; i < n; i++) {
		unsigned int pmc = state->pmc[i].map;

		perfctr_cache_write(cache, pmc, msr + stride * pmc,
				    perfctr_selector(state, i));
	}
}

int perfctr_check_int(const struct perfctr_cpu_state *state, unsigned int i,
		      bool has_int);
int perfctr_check_selector(const struct perfctr_cpu_state *state,
			   unsigned int i, unsigned int reserved,
			   unsigned int reserved_high);

int perfctr_check_enabled_selectors(const struct perfctr_cpu_state *state,
				    unsigned int reserved,
				    unsigned int reserved_high);

/* lvtpc.c: the overflow interrupt. */
void perfctr_lvtpc_take(void);
void perfctr_lvtpc_give(void);

#endif /* _PERFCTR_DESIGN_H */
