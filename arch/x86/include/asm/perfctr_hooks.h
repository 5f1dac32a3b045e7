/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls between existing x86 code and the perfctr low-level core.
 *
 * arch/x86/events/core.c asks perfctr_pmu_wanted() and perfctr_owns_pmu() for the PMU
 * before it gives counters to perf_event, and reports whether it uses them.
 * arch/x86/mm/tlb.c asks perfctr_forbids_rdpmc() and perfctr_lets_read() before it lets a
 * program read counters.  arch/x86/kernel/traps.c offers faults to perfctr_fixup_rdpmc().
 * arch/x86/events/amd/core.c reports that KVM has switched SVM.  arch/x86/events/amd/ibs.c
 * asks perfctr_let_perf_use_ibs() for each of its events.  arch/x86/kernel/irq.c shows the
 * overflow interrupts.
 */
#ifndef _ASM_X86_PERFCTR_HOOKS_H
#define _ASM_X86_PERFCTR_HOOKS_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct mm_struct;
struct pt_regs;
struct seq_file;

#ifdef CONFIG_PERFMON

extern bool perfctr_pmu_owned;

/*
 * Does the low-level core hold the PMU?  Written under pmc_reserve_mutex by
 * x86_pmu_take() and x86_pmu_give().
 */
static inline bool perfctr_owns_pmu(void)
{
	return READ_ONCE(perfctr_pmu_owned);
}

void __perfctr_pmu_wanted(void);

/*
 * perf_event is about to ask for the PMU: the low-level core gives it up if its
 * owner has offered it.
 *
 * Context: may sleep; pmc_reserve_mutex is not held, the lock of CPU hotplug may be.
 */
static inline void perfctr_pmu_wanted(void)
{
	if (unlikely(perfctr_owns_pmu()))
		__perfctr_pmu_wanted();
}

extern bool perfctr_rdpmc_forbidden;

/*
 * While the low-level core has the counters, they contain counts of all threads, so
 * CR4.PCE is off for all.  After a change, each CPU calls cr4_update_pce().
 */
static inline bool perfctr_forbids_rdpmc(void)
{
	return READ_ONCE(perfctr_rdpmc_forbidden);
}

DECLARE_PER_CPU(struct mm_struct *, perfctr_reader);

/*
 * Does the thread on this CPU read its own counters, and is @mm its mm?  A mm that is
 * loaded temporarily, or that the thread has just left, does not get the right.
 *
 * Context: interrupts off.
 */
static inline bool perfctr_lets_read(const struct mm_struct *mm)
{
	return __this_cpu_read(perfctr_reader) == mm;
}

bool perfctr_fixup_rdpmc(struct pt_regs *regs);

void __perfctr_svm_changed(void);

/*
 * SVM has been switched on or off on this CPU.
 *
 * Context: preemption disabled.
 */
static inline void perfctr_svm_changed(void)
{
	if (perfctr_owns_pmu())
		__perfctr_svm_changed();
}

/*
 * x86_pmu_take - keep perf_event away from the PMU
 *
 * perf_event takes the counters when its first hardware event is created, but records
 * nothing for fixed counters, global control, BTS and PT.  Only a gate in its reservation
 * code excludes it completely.
 *
 * Context: may sleep.
 * Return: 0, or -EBUSY if perf_event (the NMI watchdog included) uses the PMU.
 */
int x86_pmu_take(void);

/* x86_pmu_give - undo x86_pmu_take(): perf_event may use the PMU again */
void x86_pmu_give(void);

/* x86_pmu_in_use - does perf_event, the NMI watchdog included, use the PMU? */
bool x86_pmu_in_use(void);

/* Events of perf_event that use IBS; negative: sessions that do. */
extern atomic_t perfctr_ibs_users;

/*
 * perf_event makes an event that uses IBS.  Return: false: sessions use it; else
 * perfctr_perf_used_ibs() must follow.
 */
static inline bool perfctr_let_perf_use_ibs(void)
{
	return atomic_inc_unless_negative(&perfctr_ibs_users);
}

static inline void perfctr_perf_used_ibs(void)
{
	atomic_dec(&perfctr_ibs_users);
}

void perfctr_show_interrupts(struct seq_file *p, int prec);
u64 perfctr_irq_stat_cpu(unsigned int cpu);

#else /* !CONFIG_PERFMON */

static inline bool perfctr_let_perf_use_ibs(void)
{
	return true;
}

static inline void perfctr_perf_used_ibs(void) { }

static inline bool perfctr_owns_pmu(void)
{
	return false;
}

static inline void perfctr_pmu_wanted(void) { }

static inline bool perfctr_forbids_rdpmc(void)
{
	return false;
}

static inline bool perfctr_lets_read(const struct mm_struct *mm)
{
	return false;
}

static inline bool perfctr_fixup_rdpmc(struct pt_regs *regs)
{
	return false;
}

static inline void perfctr_svm_changed(void) { }

static inline void perfctr_show_interrupts(struct seq_file *p, int prec) { }

static inline u64 perfctr_irq_stat_cpu(unsigned int cpu)
{
	return 0;
}

#endif /* CONFIG_PERFMON */

#endif /* _ASM_X86_PERFCTR_HOOKS_H */
