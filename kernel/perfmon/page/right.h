/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may execute RDPMC: the thread that a session monitors, while its counters are on
 * the hardware and no other process maps the state page.
 *
 * The invariant while perfmon holds the PMU: while a thread that can execute RDPMC runs,
 * all counters outside its own session are stopped and zero, and its own counters have
 * started from values that depend on its own counting only.  perfmon_page_give() keeps
 * it: it gives the right together with this state of the counters.  The right is taken
 * before other code can use the counters: in the switch from the thread, in a stop, and
 * at the end of the attachment.  No other code resumes counters on that CPU meanwhile,
 * since system-wide and per-thread sessions exclude each other.  A switch to a kernel
 * thread and back leaves the counters as they are, unless they count the kernel.
 *
 * The context switch uses all of it, so it is inline.
 */
#ifndef _KERNEL_PERFMON_RIGHT_H
#define _KERNEL_PERFMON_RIGHT_H

#include <linux/percpu.h>
#include <linux/sched.h>

#include <asm/barrier.h>
#include <asm/perfmon_reader.h>

#include "../host.h"
#include "../session.h"
#include "page.h"

/* right.c: the page whose reader is on this CPU, or is just asking for the right. */
DECLARE_PER_CPU(struct perfmon_page *, perfmon_right_page);

/* Why the thread on this CPU may not execute RDPMC, or 0 if it may. */
static __always_inline u32 right_refused(const struct perfmon_session *s,
					 struct perfmon_page *page)
{
	const struct task_struct *task = perfmon_host_thread(s);
	struct mm_struct *mm = READ_ONCE(page->reader_mm);
	u32 why = perfmon_arch_may_let_read();

	if (unlikely(why))
		return why;
	if (unlikely(READ_ONCE(perfmon_rdpmc_mode) == PERFMON_RDPMC_OFF))
		return PFM_STATE_WHY_MODE;
	if (unlikely(!mm || mm != task->mm))
		return PFM_STATE_WHY_OTHERS;
	why = perfmon_arch_reader_refused(task, &page->off);
	if (unlikely(why))
		return why;
	if (unlikely(s->kernel_ip && !s->self))
		return PFM_STATE_WHY_LEVEL;
	if (unlikely(s->counting->some_no64))
		return PFM_STATE_WHY_WIDTH;
	return perfmon_arch_can_peek() ? 0 : PFM_STATE_WHY_PROCESSOR;
}

/*
 * May the thread on this CPU read the counters of its session, which counts here?
 *
 * Context: on the target, interrupts off.
 * Return: enum pfm_state_why, 0 if it may; then perfmon_right_page announces it.
 */
static __always_inline u32 perfmon_page_ask(const struct perfmon_session *s,
					    struct perfmon_page *page)
{
	u32 why;

	if (unlikely(!s->target))
		return PFM_STATE_WHY_OTHERS;
	__this_cpu_write(perfmon_right_page, page);
	smp_mb(); /* Pairs with perfmon_page_recheck(). */
	why = right_refused(s, page);
	if (unlikely(why) && !page->reads)
		__this_cpu_write(perfmon_right_page, NULL);
	return why;
}

/*
 * Resume the counters of a suspended set, and give the thread the right to read them.
 * perfmon_page_ask() has returned 0.
 */
static __always_inline void perfmon_page_give(struct perfmon_page *page,
					      struct perfmon_set *set)
{
	page->isolated = READ_ONCE(perfmon_rdpmc_mode) != PERFMON_RDPMC_FAST;
	if (page->isolated)
		perfmon_arch_resume_alone(&set->arch);
	else
		perfmon_arch_resume_unnoted(&set->arch);
	page->reads = true;
	page->reader = current;
	page->reader_start = current->start_time;
	perfmon_arch_let_read(current->mm);
}

/* Take the right; the caller updates the page. */
static __always_inline void perfmon_page_take(struct perfmon_page *page)
{
	perfmon_arch_end_read();
	page->reads = false;
	__this_cpu_write(perfmon_right_page, NULL);
}

#endif /* _KERNEL_PERFMON_RIGHT_H */
