/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of one event set: what there is, and making, copying and naming it.
 */
#ifndef _ASM_X86_PERFMON_SET_H
#define _ASM_X86_PERFMON_SET_H

#include <linux/string.h>
#include <linux/types.h>

#include <asm/perfctr.h>
#include <asm/perfmon_ibs.h>
#include <asm/perfmon_lbr.h>
#include <asm/perfmon_pebs.h>

/* Registers of the largest map, for bitmaps and arrays by position. */
#define PERFMON_ARCH_MAX_PMCS	65
#define PERFMON_ARCH_MAX_PMDS	32

/* Values of perfmon_arch_set.element[] that are no element. */
#define PERFMON_NO_ELEMENT	0xff
#define PERFMON_TSC_ELEMENT	0xfe
#define PERFMON_IBS_ELEMENT	0xe0	/* and up: registers of perfmon_ibs.data[] */
#define PERFMON_PEBS_ELEMENT	0xd0	/* and up: counters of perfmon_pebs.value[] */

/* perfmon_reg.hw of the time stamp counter, which is no RDPMC number. */
#define PERFMON_HW_TSC		0xffffffff
/* Likewise, and up: of the registers of IBS, as their elements. */
#define PERFMON_HW_IBS		0xfffffe00

/* perfmon_arch_set.also */
#define PERFMON_ALSO_TSC	0x1	/* the TSC register counts */
#define PERFMON_ALSO_KINDS	0x2	/* a PMC is, or was, for one kind of core */
#define PERFMON_ALSO_IBS	0x4	/* instruction-based sampling */
#define PERFMON_ALSO_LBR	0x8	/* branches are recorded */
#define PERFMON_ALSO_RECORDS	0x10	/* counters make records */
/* What a PMC of its own turns on. */
#define PERFMON_ALSO_BY_PMC \
	(PERFMON_ALSO_IBS | PERFMON_ALSO_LBR | PERFMON_ALSO_RECORDS)

/**
 * struct perfmon_arch_set - the counters of one event set
 * @state: counts and control of those PMDs that count
 * @tsc_start: time stamp counter at the last resume
 * @tsc_sum: value of the TSC register while it counts, which it does on CPUs
 *	without counters as well
 * @also: PERFMON_ALSO_*: what it has beside counters; the TSC is read if this is not 0
 * @stack: NMIs keep the calls in the kernel
 * @lbr: last branch records; for PERFMON_ALSO_LBR
 * @kind_tsc: of @tsc_sum, on CPUs of each kind of core; for PERFMON_ALSO_KINDS
 * @ibs: instruction-based sampling; for PERFMON_ALSO_IBS
 * @pebs: counters that make records; for PERFMON_ALSO_RECORDS
 * @element: per PMD position: its element of @state, or one of the above
 */
struct perfmon_arch_set {
	struct perfctr_cpu_state state;
	u64 tsc_start;
	unsigned long long tsc_sum;
	u8 also;
	bool stack;
	struct perfmon_lbr lbr;
	u64 kind_tsc[2];
	/* No processor has both. */
	union {
		struct perfmon_ibs ibs;
		struct perfmon_pebs pebs;
	};
	u8 element[PERFMON_ARCH_MAX_PMDS];
};

/*
 * Prepare the memory of a set that perfmon_arch_build() is going to be called
 * for: until then it counts nothing.  What a build fills is not cleared here.
 */
static inline void perfmon_arch_prepare(struct perfmon_arch_set *set)
{
	struct perfctr_cpu_state *state = &set->state;

	state->cstatus = 0;
	state->overflowed = 0;
	state->late = 0;
	state->reload = 0;
	state->user_only = false;
	state->host_only = false;
	state->nmi = 0;
	set->also = 0;
	set->ibs.on = 0;
	set->ibs.sampled = 0;
	set->ibs.late = 0;
	set->ibs.user_only = 0;
	memset(set->element, PERFMON_NO_ELEMENT, sizeof(set->element));
}

/*
 * Let a set count what another one does, from zero.  The identity of the control is
 * the same, which only counters in accumulation mode may have in common; samples of IBS
 * are found by it.
 */
static inline void perfmon_arch_copy(struct perfmon_arch_set *to,
				     const struct perfmon_arch_set *from)
{
	unsigned int i;

	*to = *from;
	for (i = 0; i < PERFCTR_MAX_COUNTERS; i++)
		to->state.pmc[i].sum = 0;
	to->state.noted = false;
	to->tsc_sum = 0;
	memset(to->kind_tsc, 0, sizeof(to->kind_tsc));
	if (to->also & PERFMON_ALSO_IBS) {
		perfmon_ibs_forget(&to->ibs);
		perfctr_cpu_renew(&to->state);
	}
}

/* Give the copy an identity of its own; its counters that interrupt are to be armed. */
static inline void perfmon_arch_renew(struct perfmon_arch_set *set)
{
	perfctr_cpu_renew(&set->state);
}

/* Names what the set counts with: no other set ever had it or will have it. */
static inline u64 perfmon_arch_id(const struct perfmon_arch_set *set)
{
	return perfctr_state_id(&set->state);
}

#endif /* _ASM_X86_PERFMON_SET_H */
