// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looking at the counters in time: of a counter only 32 bits are read, and the
 * difference must be taken before they wrap.  The tick does so, on each CPU
 * that has one:
 *
 * - a dependency, of the thread or of the CPU, keeps the tick of nohz_full CPUs
 *   while a session is attached;
 * - no dependency keeps the tick of an idle CPU, on which some events count all
 *   the same (those of caches and buses).  A timer takes its place, for sessions
 *   of CPUs only: a thread counts nothing while its CPU is idle.
 *
 * The timer of a CPU (perfmon_cpu.sampler) is touched by code on that CPU with
 * interrupts off.  It exists from the time when the CPU's session begins to
 * count; it ends by itself when that counts no more, and with the attachment.
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

/* The tick is also when a session that interrupted too much goes on. */
void __perfmon_tick(struct perfmon_session *s)
{
	if (s->counting)
		perfmon_arch_tick(&s->counting->arch);
	else
		tick_go_on(s);
}

enum hrtimer_restart perfmon_sampler_expired(struct hrtimer *timer)
{
	struct perfmon_session *s = __this_cpu_read(perfmon_cpu_session);

	if (!s || (!s->counting && s->gap != PERFMON_GAP_THROTTLED)) {
		__this_cpu_write(perfmon_cpu.sampling, false);
		return HRTIMER_NORESTART;
	}
	if (s->counting)
		perfmon_arch_sample(&s->counting->arch);
	else
		tick_go_on(s);
	hrtimer_forward_now(timer, ns_to_ktime(PERFMON_SAMPLE_NS));
	return HRTIMER_RESTART;
}

/*
 * perf_event clears its own bit of a CPU at each tick.  This one is used for
 * threads and processes only, of CPUs by nobody else.
 */
#define CPU_TICK_DEP	TICK_DEP_BIT_POSIX_TIMER

/** perfmon_tick_keep - the tick goes on where the target runs */
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
