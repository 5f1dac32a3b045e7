// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of a CPU: the system-wide session that is attached to it, the set
 * timer, and the sampler, which replaces its tick while it is idle.
 *
 * Only code on that CPU changes this state, with interrupts off. One exception:
 * access.c stores a session that does not count as the session of the CPU.
 */
#include <linux/hrtimer.h>
#include <linux/perfmon_hooks.h>

#include "cpu.h"
#include "host.h"

DEFINE_PER_CPU(struct perfmon_cpu, perfmon_cpu);
DEFINE_PER_CPU(struct perfmon_session *, perfmon_cpu_session);

/** perfmon_set_timer_start - let this CPU's set timer expire after a time */
void perfmon_set_timer_start(ktime_t after)
{
	hrtimer_start(this_cpu_ptr(&perfmon_cpu.timer), after,
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/** perfmon_sampler_start - the session of this CPU begins to count */
void perfmon_sampler_start(void)
{
	struct perfmon_cpu *cpu = this_cpu_ptr(&perfmon_cpu);

	if (cpu->sampling)
		return;
	cpu->sampling = true;
	hrtimer_start(&cpu->sampler, ns_to_ktime(PERFMON_SAMPLE_NS),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/** perfmon_sampler_stop - the session of this CPU is being detached */
void perfmon_sampler_stop(void)
{
	struct perfmon_cpu *cpu = this_cpu_ptr(&perfmon_cpu);

	/*
	 * Does not wait: the callback runs on this CPU with interrupts off, so
	 * not now.
	 */
	hrtimer_try_to_cancel(&cpu->sampler);
	cpu->sampling = false;
}
