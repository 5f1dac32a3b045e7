/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of one event set, on top of the perfctr low-level core:
 * kernel/perfmon/ embeds and calls this in its fast paths.
 *
 * A PMD that counts has an element in the low-level state, and while it has
 * one that element's sum is its 64-bit value.  build.c assigns elements.
 */
#ifndef _ASM_X86_PERFMON_H
#define _ASM_X86_PERFMON_H

#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/msr.h>
#include <asm/perfctr.h>
#include <asm/perfmon_set.h>
#include <asm/processor.h>
#include <asm/tsc.h>

/* Has a session had PFM_FL_NMI since the start? */
static __always_inline bool perfmon_arch_nmi_used(void)
{
	return static_branch_unlikely(&perfctr_nmi_key);
}

/*
 * Have the overflow interrupts of a set as NMIs, or not; with @stack what these keep has
 * the calls in the kernel.
 *
 * Context: the set is on no CPU.
 */
static inline void perfmon_arch_choose_nmi(struct perfmon_arch_set *set,
					   bool nmi, bool stack)
{
	set->state.nmi = nmi ? PERFCTR_NMI | (stack ? PERFCTR_NMI_STACK : 0) : 0;
	set->stack = stack;
}

/*
 * A PMC of type PERFMON_REG_USER is written, by position: its samples leave out the
 * kernel, or not.
 *
 * Context: on the target.
 */
static inline void perfmon_arch_user_only(struct perfmon_arch_set *set,
					  unsigned int pmc, bool on)
{
	perfmon_ibs_user_only(&set->ibs, pmc, on);
}

/* Is the address the kernel's? */
static inline bool perfmon_arch_is_kernel(u64 address)
{
	return address >= TASK_SIZE_MAX;
}

/* CPUs on which nothing can be counted. */
static inline const struct cpumask *perfmon_arch_forbidden_cpus(void)
{
#ifdef CONFIG_PERFCTR_CPUS_FORBIDDEN_MASK
	return &perfctr_cpus_forbidden_mask;
#else
	return cpu_none_mask;
#endif
}

/* The kind of this CPU: a bit of selectors, see kinds.c. */
DECLARE_PER_CPU(u32, perfctr_kind_bit);

/* Add the time since the last resume, or the last call, to the sums. */
static inline void perfmon_arch_add_tsc(struct perfmon_arch_set *set, u64 now)
{
	u64 delta = now - set->tsc_start;
	u32 kind;

	set->tsc_sum += delta;
	set->tsc_start = now;
	if (likely(!(set->also & PERFMON_ALSO_KINDS)))
		return;
	kind = __this_cpu_read(perfctr_kind_bit);
	if (kind)
		set->kind_tsc[kind >> 31] += delta;
}

/* A set that has more than counters stops counting, or starts. */
static inline void perfmon_arch_also_stop(struct perfmon_arch_set *set)
{
	/* First, so that the driver's own branches are not recorded. */
	if (set->also & PERFMON_ALSO_LBR)
		perfmon_lbr_stop(&set->lbr, perfmon_arch_id(set));
	if (set->also & PERFMON_ALSO_IBS)
		perfmon_ibs_stop(&set->ibs);
	if (set->also & PERFMON_ALSO_RECORDS)
		perfmon_pebs_stop(&set->pebs);
	perfmon_arch_add_tsc(set, rdtsc());
}

static inline void perfmon_arch_also_start(struct perfmon_arch_set *set)
{
	set->tsc_start = rdtsc();
	if (set->also & PERFMON_ALSO_IBS)
		perfmon_ibs_start(&set->ibs, perfmon_arch_id(set), set->stack);
	if (set->also & PERFMON_ALSO_RECORDS)
		perfmon_pebs_start(set);
	/* The branches before an overflow stay until its interrupt, which is raised again. */
	if (set->also & PERFMON_ALSO_LBR && !set->state.overflowed)
		perfmon_lbr_start(&set->lbr, perfmon_arch_id(set));
}

/*
 * A set stops counting although its thread runs: branches before the stop do not belong to
 * the ones after the next start.
 */
static inline void perfmon_arch_interrupt_branches(struct perfmon_arch_set *set)
{
	if (unlikely(set->also & PERFMON_ALSO_LBR))
		set->lbr.cpu = PERFMON_LBR_NOWHERE;
}

/*
 * The thread of a set that counts begins another program.
 *
 * Context: interrupts off, the thread's CPU.
 */
static inline void perfmon_arch_new_program(struct perfmon_arch_set *set)
{
	if (unlikely(set->also & PERFMON_ALSO_LBR))
		perfmon_lbr_restart(&set->lbr, perfmon_arch_id(set));
}

/* What has to wait until all counters of such a set are stopped. */
static inline void perfmon_arch_also_leave(struct perfmon_arch_set *set)
{
	if (set->also & PERFMON_ALSO_RECORDS)
		perfmon_pebs_leave(set);
}

/*
 * Context of these: interrupts disabled, the set's own CPU.  On a CPU on which
 * nothing can be counted the counters keep their values.
 */
static inline void perfmon_arch_resume(struct perfmon_arch_set *set)
{
	if (!perfctr_cpu_forbidden())
		perfctr_cpu_resume(&set->state);
	if (unlikely(set->also))
		perfmon_arch_also_start(set);
}

static __always_inline void __perfmon_arch_suspend(struct perfmon_arch_set *set)
{
	if (!perfctr_cpu_forbidden())
		perfctr_cpu_suspend(&set->state);
}

static inline void perfmon_arch_suspend(struct perfmon_arch_set *set)
{
	if (unlikely(set->also)) {
		perfmon_arch_also_stop(set);
		__perfmon_arch_suspend(set);
		perfmon_arch_also_leave(set);
		return;
	}
	__perfmon_arch_suspend(set);
}

/*
 * The same for a program that reads its counters with RDPMC: it finds nothing that
 * others have counted.  perfmon_arch_may_let_read() is 0.
 */
static inline void perfmon_arch_resume_alone(struct perfmon_arch_set *set)
{
	perfctr_cpu_resume_alone(&set->state);
	if (unlikely(set->also))
		perfmon_arch_also_start(set);
}

static inline void perfmon_arch_suspend_noting(struct perfmon_arch_set *set)
{
	if (unlikely(set->also)) {
		perfmon_arch_also_stop(set);
		perfctr_cpu_suspend_noting(&set->state);
		perfmon_arch_also_leave(set);
		return;
	}
	perfctr_cpu_suspend_noting(&set->state);
}

/* For a set of such a program that goes on as any other, with counts of others. */
static inline void perfmon_arch_resume_unnoted(struct perfmon_arch_set *set)
{
	set->state.noted = false;
	perfmon_arch_resume(set);
}

/*
 * Suspend for the time of an overflow handler; perfmon_arch_go_on() or
 * perfmon_arch_drop() must follow.
 *
 * Return: the elements whose hardware counter has overflowed.  They go on with the
 * longest period there is unless they are armed.
 */
static inline unsigned int perfmon_arch_hold(struct perfmon_arch_set *set)
{
	if (perfctr_cpu_forbidden())
		return 0;
	return perfctr_cpu_hold_overflow(&set->state);
}

/* The same for a set that perfmon_arch_has_also() is true for. */
static inline unsigned int perfmon_arch_hold_also(struct perfmon_arch_set *set)
{
	perfmon_arch_also_stop(set);
	return perfmon_arch_hold(set);
}

/* Has the set more than counters that are handled alike everywhere? */
static __always_inline bool
perfmon_arch_has_also(const struct perfmon_arch_set *set)
{
	return unlikely(set->also);
}

static inline void perfmon_arch_go_on(struct perfmon_arch_set *set)
{
	if (!perfctr_cpu_forbidden())
		perfctr_cpu_go_on(&set->state);
	if (unlikely(set->also))
		perfmon_arch_also_start(set);
}

static inline void perfmon_arch_drop(struct perfmon_arch_set *set)
{
	if (!perfctr_cpu_forbidden())
		perfctr_cpu_drop(&set->state);
}

static inline void perfmon_arch_sample(struct perfmon_arch_set *set)
{
	if (!perfctr_cpu_forbidden())
		perfctr_cpu_sample(&set->state);
}

static inline void perfmon_arch_also_tick(struct perfmon_arch_set *set)
{
	if (set->also & PERFMON_ALSO_IBS)
		perfmon_ibs_tick(&set->ibs);
	if (set->also & PERFMON_ALSO_RECORDS)
		perfmon_pebs_tick(set);
}

/* perfmon_arch_sample() in the tick; also finds overflow interrupts that got lost. */
static inline void perfmon_arch_tick(struct perfmon_arch_set *set)
{
	if (!perfctr_cpu_forbidden())
		perfctr_cpu_tick(&set->state);
	if (unlikely(set->also & (PERFMON_ALSO_IBS | PERFMON_ALSO_RECORDS)))
		perfmon_arch_also_tick(set);
}

/* In the overflow handler: has this CPU requested the interrupt itself? */
static inline bool perfmon_arch_replayed(void)
{
	return perfctr_cpu_replayed();
}

/* Does the PMD count while the set is on a CPU? */
static inline bool perfmon_arch_counts(const struct perfmon_arch_set *set,
				       unsigned int pmd)
{
	return set->element[pmd] != PERFMON_NO_ELEMENT;
}

/* Is the PMD a register of IBS that is in use? */
static inline bool perfmon_arch_is_ibs(const struct perfmon_arch_set *set,
				       unsigned int pmd)
{
	return set->element[pmd] >= PERFMON_IBS_ELEMENT &&
	       set->element[pmd] < PERFMON_IBS_ELEMENT + PERFMON_IBS_REGS;
}

/* Is the PMD the one of a counter that makes records? */
static inline bool perfmon_arch_is_pebs(const struct perfmon_arch_set *set,
					unsigned int pmd)
{
	return set->element[pmd] >= PERFMON_PEBS_ELEMENT &&
	       set->element[pmd] < PERFMON_PEBS_ELEMENT + PERFMON_PEBS_COUNTERS;
}

/* Where the 64-bit value of a PMD is: @other, unless it counts. */
static inline unsigned long long *
perfmon_arch_value(struct perfmon_arch_set *set, unsigned int pmd, u64 *other)
{
	unsigned int i = set->element[pmd];

	if (likely(i < PERFCTR_MAX_COUNTERS))
		return &set->state.pmc[i].sum;
	if (i == PERFMON_TSC_ELEMENT)
		return &set->tsc_sum;
	if (perfmon_arch_is_pebs(set, pmd))
		return &set->pebs.value[i - PERFMON_PEBS_ELEMENT];
	return perfmon_arch_is_ibs(set, pmd) ?
		       &set->ibs.data[i - PERFMON_IBS_ELEMENT] : other;
}

/*
 * Present value of a PMD that counts, while the set is on this CPU.  A register of IBS
 * has its value of the last sample.
 */
static inline u64 perfmon_arch_read(struct perfmon_arch_set *set,
				    unsigned int pmd)
{
	if (unlikely(set->element[pmd] >= PERFMON_PEBS_ELEMENT)) {
		if (perfmon_arch_is_pebs(set, pmd))
			return perfmon_pebs_read(&set->pebs, set->element[pmd] -
							     PERFMON_PEBS_ELEMENT);
		if (set->element[pmd] != PERFMON_TSC_ELEMENT)
			return *perfmon_arch_value(set, pmd, NULL);
		return set->tsc_sum + (rdtsc() - set->tsc_start);
	}
	if (perfctr_cpu_forbidden())
		return set->state.pmc[set->element[pmd]].sum;
	return perfctr_cpu_read(&set->state, set->element[pmd]);
}

/*
 * Can perfmon_arch_peek() read the counters of the set on this CPU?  Where it
 * cannot, perfmon_arch_sample() brings the sums up to date.
 */
static __always_inline bool perfmon_arch_can_peek(void)
{
	return !static_branch_unlikely(&perfctr_no_peek_key) &&
	       !perfctr_cpu_forbidden();
}

/* Low half of a counter.  native_read_pmc() may call the tracepoint of RDPMC. */
static __always_inline u32 perfmon_arch_rdpmc(u32 counter)
{
	u32 low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (counter));
	return low;
}

/*
 * Value of element @i of a set: as of now if the set is on this CPU, which @live
 * says.  Calls nothing, since it is used while user memory is open; and uses a
 * pointer, since UBSAN calls a function where an array is indexed.
 */
static __always_inline u64 perfmon_arch_peek(const struct perfmon_arch_set *set,
					     unsigned int i, bool live)
{
	const typeof(*set->state.pmc) *pmc = set->state.pmc + i;

	if (!live)
		return pmc->sum;
	return pmc->sum + (u32)(perfmon_arch_rdpmc(pmc->map) - pmc->start);
}

/*
 * Let a PMD that counts begin a new period; its value is about to be set.  A set that
 * makes records does not go on with that before it is built anew, as its core does for
 * each negative value.
 */
static inline void perfmon_arch_restart(struct perfmon_arch_set *set,
					unsigned int pmd)
{
	u64 sum = set->tsc_sum;

	if (perfmon_arch_is_ibs(set, pmd))
		return;
	if (perfmon_arch_is_pebs(set, pmd)) {
		perfmon_pebs_stop(&set->pebs);
		return;
	}
	if (set->element[pmd] != PERFMON_TSC_ELEMENT) {
		perfmon_arch_sample(set);
		return;
	}
	perfmon_arch_add_tsc(set, rdtsc());
	set->tsc_sum = sum;
}

/*
 * Can this PMD raise the overflow interrupt as the set is built?  Then its
 * value is negative or going to be, see perfmon_arch_build().
 */
static inline bool perfmon_arch_interrupts(const struct perfmon_arch_set *set,
					   unsigned int pmd)
{
	u32 cstatus = set->state.cstatus;
	unsigned int i = set->element[pmd];

	return i >= perfctr_cstatus_nractrs(cstatus) &&
	       i < perfctr_cstatus_nrctrs(cstatus);
}

/* Can all processors do the period?  Most can do all but the shortest. */
static __always_inline bool perfmon_arch_period_fits(u64 events)
{
	return events >= PERFCTR_SHORT_PERIOD &&
	       !(events & perfctr_period_odd_bits);
}

/* The next longer period that this processor can do with a PMD that can interrupt. */
static inline u64 perfmon_arch_period(const struct perfmon_arch_set *set,
				      unsigned int pmd, u64 events)
{
	return perfctr_cpu_period(&set->state, set->element[pmd], events);
}

/*
 * Prepare the next hardware overflow of a PMD that can interrupt: @start, which is
 * negative, counts up to zero.
 *
 * Context: the set is suspended, preemption disabled.
 */
static inline void perfmon_arch_arm_at(struct perfmon_arch_set *set,
				       unsigned int pmd, int start)
{
	perfctr_cpu_set_start(&set->state, set->element[pmd], start);
}

/* The same after @events, or earlier if the hardware cannot count that far in one go. */
static inline void perfmon_arch_arm(struct perfmon_arch_set *set,
				    unsigned int pmd, u64 events)
{
	perfmon_arch_arm_at(set, pmd, events > INT_MAX ? INT_MIN : -(int)events);
}

/*
 * Have the overflow interrupt for a PMD that can interrupt as soon as the set
 * is on the hardware.
 *
 * Context: as above.
 */
static inline void perfmon_arch_pend(struct perfmon_arch_set *set,
				     unsigned int pmd)
{
	set->state.overflowed |= BIT(set->element[pmd]);
}

/* Was the PMD's element among those that perfmon_arch_hold() returned? */
static inline bool perfmon_arch_overflowed(const struct perfmon_arch_set *set,
					   unsigned int elements,
					   unsigned int pmd)
{
	unsigned int i = set->element[pmd];

	return i < PERFCTR_MAX_COUNTERS && (elements & BIT(i));
}

/* Elements that count, and what a state page shows of one. */
static inline unsigned int perfmon_arch_elements(const struct perfmon_arch_set *set)
{
	return perfctr_cstatus_nrctrs(set->state.cstatus);
}

#endif /* _ASM_X86_PERFMON_H */
