/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may execute RDPMC: the thread that a session monitors, while its counters are
 * on the hardware and its process alone maps the state page.
 *
 * The invariant while perfmon holds the PMU: a thread that can execute RDPMC runs
 * with all counters that are not its own session's stopped and zero, and its own
 * have started from a value that depends on its own counting only.  It is kept by
 * giving the right together with that state of the counters, in
 * perfmon_page_give(), and by taking it before anything else can use them: in the
 * switch from the thread, in a stop, and at the end of the attachment.  Nothing
 * else resumes counters between the two on that CPU: system-wide sessions
 * and sessions of threads exclude each other.  A switch to a kernel thread and
 * back finds the counters as they were left, and writes none of them, unless they
 * count the kernel.
 *
 * All of it is part of the context switch, hence inline.
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

/* right.c: the page whose reader is on this CPU, or asks whether it may. */
DECLARE_PER_CPU(struct perfmon_page *, perfmon_right_page);

/* Why the thread on this CPU has not the right to, or 0. */
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
 * May the thread on this CPU read the counters of its session?  The session counts
 * on this CPU.
 *
 * Context: on the target, interrupts off.
 * Return: enum pfm_state_why, 0 if it may; then it is announced here.
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
 * Resume the counters of a set, which is suspended, and give their thread the right
 * to read them.  perfmon_page_ask() was 0.
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

/* Take the right; the caller changes the page. */
static __always_inline void perfmon_page_take(struct perfmon_page *page)
{
	perfmon_arch_end_read();
	page->reads = false;
	__this_cpu_write(perfmon_right_page, NULL);
}

#endif /* _KERNEL_PERFMON_RIGHT_H */
