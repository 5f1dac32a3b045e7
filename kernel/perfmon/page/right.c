// SPDX-License-Identifier: GPL-2.0-only
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
 * Owns perfmon_rdpmc_mode, which the administrator writes (recheck.c).
 */
#include <linux/percpu.h>
#include <linux/sched.h>

#include <asm/barrier.h>

#include "../session.h"
#include "../target.h"
#include "page.h"

int perfmon_rdpmc_mode = PERFMON_RDPMC_ISOLATED;

/* The page whose reader is on this CPU, or asks whether it may. */
static DEFINE_PER_CPU(struct perfmon_page *, right_page);

static u32 right_refused(const struct perfmon_session *s,
			 const struct perfmon_page *page)
{
	struct mm_struct *mm = READ_ONCE(page->reader_mm);

	if (READ_ONCE(perfmon_rdpmc_mode) == PERFMON_RDPMC_OFF)
		return PFM_STATE_WHY_MODE;
	if (!mm || mm != current->mm)
		return PFM_STATE_WHY_OTHERS;
	if (s->kernel_ip && !s->self)
		return PFM_STATE_WHY_LEVEL;
	if (s->counting->some_no64)
		return PFM_STATE_WHY_WIDTH;
	if (!perfmon_arch_can_peek())
		return PFM_STATE_WHY_PROCESSOR;
	return perfmon_arch_may_let_read();
}

/**
 * perfmon_page_ask - may the thread on this CPU read the counters of its session?
 * @s: session that counts on this CPU
 * @page: its page
 *
 * Context: on the target, interrupts off.
 * Return: enum pfm_state_why, 0 if it may; then it is announced here.
 */
u32 perfmon_page_ask(struct perfmon_session *s, struct perfmon_page *page)
{
	u32 why;

	if (!s->target)
		return PFM_STATE_WHY_OTHERS;
	__this_cpu_write(right_page, page);
	smp_mb(); /* Pairs with perfmon_page_recheck(). */
	why = right_refused(s, page);
	if (why && !page->reads)
		__this_cpu_write(right_page, NULL);
	return why;
}

/**
 * perfmon_page_give - resume counters and give their thread the right to read
 * @page: page of the running thread's session; perfmon_page_ask() was 0
 * @set: its set that counts, suspended
 */
void perfmon_page_give(struct perfmon_page *page, struct perfmon_set *set)
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

/** perfmon_page_take - take the right; the caller changes the page */
void perfmon_page_take(struct perfmon_page *page)
{
	perfmon_arch_end_read();
	page->reads = false;
	__this_cpu_write(right_page, NULL);
}

/**
 * perfmon_page_is_asked_for - is the reader of a page on a CPU, or asks there?
 * @page: page
 * @cpu: CPU
 *
 * Context: any; what it says is old unless it runs on @cpu with interrupts off.
 * Return: true if so.
 */
bool perfmon_page_is_asked_for(const struct perfmon_page *page, int cpu)
{
	return per_cpu(right_page, cpu) == page;
}
