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
 * The timer of a CPU (pfm_cpu.sampler) is touched by code on that CPU with
 * interrupts off.  It exists from the time when the CPU's session begins to
 * count; it ends by itself when that counts no more, and with the attachment.
 */
#include <linux/hrtimer.h>
#include <linux/perfmon_hooks.h>
#include <linux/tick.h>

#include "perfmon.h"

/*
 * Half of 2^32 events at a rate that nothing reaches on an idle CPU, and too
 * seldom to be noticed there.
 */
#define SAMPLE_INTERVAL_NS	(50 * NSEC_PER_MSEC)

static void go_on(struct pfm_session *s)
{
	if (s->gap == PFM_GAP_THROTTLED && perfmon_throttle_over(s))
		perfmon_unpause(s);
}

/* The tick is also when a session that interrupted too much goes on. */
void __perfmon_tick(struct pfm_session *s)
{
	if (s->counting)
		perfmon_arch_tick(&s->counting->arch);
	else
		go_on(s);
}

static enum hrtimer_restart sampler_expired(struct hrtimer *timer)
{
	struct pfm_session *s = __this_cpu_read(perfmon_cpu_session);

	if (!s || (!s->counting && s->gap != PFM_GAP_THROTTLED)) {
		__this_cpu_write(perfmon_cpu.sampling, false);
		return HRTIMER_NORESTART;
	}
	if (s->counting)
		perfmon_arch_sample(&s->counting->arch);
	else
		go_on(s);
	hrtimer_forward_now(timer, ns_to_ktime(SAMPLE_INTERVAL_NS));
	return HRTIMER_RESTART;
}

/** perfmon_sampler_init - prepare the timer of a CPU, at boot */
void __init perfmon_sampler_init(unsigned int cpu)
{
	struct hrtimer *timer = &per_cpu(perfmon_cpu.sampler, cpu);

	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer->function = sampler_expired;
}

/** perfmon_sampler_start - the session of this CPU begins to count */
void perfmon_sampler_start(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&perfmon_cpu);

	if (cpu->sampling)
		return;
	cpu->sampling = true;
	hrtimer_start(&cpu->sampler, ns_to_ktime(SAMPLE_INTERVAL_NS),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/** perfmon_sampler_stop - this CPU has no session any more */
void perfmon_sampler_stop(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&perfmon_cpu);

	/* It runs with interrupts off, hence not now. */
	hrtimer_try_to_cancel(&cpu->sampler);
	cpu->sampling = false;
}

/*
 * perf_event clears its own bit of a CPU at each tick.  This one is used for
 * threads and processes only, of CPUs by nobody else.
 */
#define CPU_TICK_DEP	TICK_DEP_BIT_POSIX_TIMER

/** perfmon_tick_keep - the tick goes on where the target runs */
void perfmon_tick_keep(struct pfm_session *s)
{
	if (s->target)
		tick_dep_set_task(s->target, TICK_DEP_BIT_PERF_EVENTS);
	else
		tick_dep_set_cpu(s->cpu, CPU_TICK_DEP);
}

/** perfmon_tick_release - undo perfmon_tick_keep() */
void perfmon_tick_release(struct pfm_session *s)
{
	if (s->target)
		tick_dep_clear_task(s->target, TICK_DEP_BIT_PERF_EVENTS);
	else
		tick_dep_clear_cpu(s->cpu, CPU_TICK_DEP);
}
