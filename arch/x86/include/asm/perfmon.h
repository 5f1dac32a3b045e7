/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kernel/perfmon/ embeds and calls in its fast paths: the counters of one
 * event set, on top of the perfctr low-level core.
 *
 * A PMD that counts has an element in the low-level state, and while it has
 * one that element's sum is its 64-bit value.  control.c assigns elements.
 */
#ifndef _ASM_X86_PERFMON_H
#define _ASM_X86_PERFMON_H

#include <linux/types.h>

#include <asm/perfctr.h>

/* Registers of the largest map, for bitmaps and arrays by position. */
#define PERFMON_ARCH_MAX_PMCS	32
#define PERFMON_ARCH_MAX_PMDS	32

#define PERFMON_NO_ELEMENT	0xff

/**
 * struct perfmon_arch_set - the counters of one event set
 * @state: counts and control of those PMDs that count
 * @element: per PMD position: its element of @state, or PERFMON_NO_ELEMENT
 */
struct perfmon_arch_set {
	struct perfctr_cpu_state state;
	u8 element[PERFMON_ARCH_MAX_PMDS];
};

/* Context of the next three: interrupts disabled, the set's own CPU. */
static inline void perfmon_arch_resume(struct perfmon_arch_set *set)
{
	perfctr_cpu_resume(&set->state);
}

static inline void perfmon_arch_suspend(struct perfmon_arch_set *set)
{
	perfctr_cpu_suspend(&set->state);
}

static inline void perfmon_arch_sample(struct perfmon_arch_set *set)
{
	perfctr_cpu_sample(&set->state);
}

/* The 64-bit value of a PMD that counts, NULL for one that does not. */
static inline unsigned long long *
perfmon_arch_sum(struct perfmon_arch_set *set, unsigned int pmd)
{
	unsigned int i = set->element[pmd];

	return i == PERFMON_NO_ELEMENT ? NULL : &set->state.pmc[i].sum;
}

/* Present value of a PMD that counts, while the set is on this CPU. */
static inline u64 perfmon_arch_read(struct perfmon_arch_set *set,
				    unsigned int pmd)
{
	return perfctr_cpu_read(&set->state, set->element[pmd]);
}

#endif /* _ASM_X86_PERFMON_H */
