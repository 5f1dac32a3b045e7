// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tick of a session folds the counters and resumes throttled sessions.
 *
 * Only the low 32 bits of a counter are read, so it must be folded before they wrap.  The
 * tick does this, on CPUs that have one:
 *
 * - A dependency, of the thread or of the CPU, keeps the tick of nohz_full CPUs while a
 *   session is attached.
 * - No dependency keeps the tick of an idle CPU, where some events still count (events of
 *   caches and buses).  There the sampler, a timer, replaces the tick for system-wide
 *   sessions.  A thread counts nothing while its CPU is idle.
 *
 * Only code on its CPU touches the sampler (perfmon_cpu.sampler), with interrupts off.
 * It starts when the CPU's session begins to count.  It ends by itself when the session
 * counts no more, or when the attachment ends.
 */
#include <linux/hrtimer.h>
#include <linux/perfmon_hooks.h>
#include <linux/tick.h>

#include "cpu.h"
#include "ovfl.h"
#include "run.h"

static void tick_go_on(struct perfmon_session *s)
{
	if (s->gap == PERFMON_GAP_THROTTLED && perfmon_throttle_over(s))
		perfmon_unpause(s);
}

/* Context: timer interrupt, see perfmon_task_tick(). */
void __perfmon_tick(struct perfmon_session *s)
{
	if (!s->counting) {
		tick_go_on(s);
		return;
	}
	perfmon_arch_tick(&s->counting->arch);
	perfmon_page_update(s);
}

enum hrtimer_restart perfmon_sampler_expired(struct hrtimer *timer)
{
	struct perfmon_session *s = __this_cpu_read(perfmon_cpu_session);

	if (!s || (!s->counting && s->gap != PERFMON_GAP_THROTTLED)) {
		__this_cpu_write(perfmon_cpu.sampling, false);
		return HRTIMER_NORESTART;
	}
	if (s->counting) {
		perfmon_arch_sample(&s->counting->arch);
		perfmon_page_update(s);
	} else {
		tick_go_on(s);
	}
	hrtimer_forward_now(timer, ns_to_ktime(PERFMON_SAMPLE_NS));
	return HRTIMER_RESTART;
}

/*
 * perf_event clears TICK_DEP_BIT_PERF_EVENTS of a CPU at each tick.  The kernel
 * sets the bit of POSIX timers for threads and processes only, never for a CPU.
 */
#define CPU_TICK_DEP	TICK_DEP_BIT_POSIX_TIMER

/** perfmon_tick_keep - keep the tick where the target runs */
void perfmon_tick_keep(struct perfmon_session *s)
{
	if (s->target)
		tick_dep_set_task(s->target, TICK_DEP_BIT_PERF_EVENTS);
	else
		tick_dep_set_cpu(s->cpu, CPU_TICK_DEP);
}

/** perfmon_tick_release - undo perfmon_tick_keep() */
void perfmon_tick_release(struct perfmon_session *s)
{
	if (s->target)
		tick_dep_clear_task(s->target, TICK_DEP_BIT_PERF_EVENTS);
	else
		tick_dep_clear_cpu(s->cpu, CPU_TICK_DEP);
}
