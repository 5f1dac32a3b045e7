// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that go offline, or lose their registers in system sleep.  Their sessions are
 * detached in the first case and resumed in the second.  Also prepares the timers of all
 * CPUs at boot.
 *
 * Called by CPU hotplug and system sleep; perfmon_cpu_init() at boot.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/perfmon_hooks.h>
#include <linux/syscore_ops.h>

#include <asm/perfmon_compat.h>

#include "cpu.h"
#include "run.h"
#include "session.h"
#include "smpl/capture.h"
#include "syscall.h"

static enum cpuhp_state online_state __ro_after_init;

/* The session stays alive, detached; the CPU comes back without one. */
static int perfmon_cpu_offline(unsigned int cpu)
{
	struct perfmon_session *s;

	local_irq_disable();
	s = per_cpu(perfmon_cpu_session, cpu);
	if (s && !refcount_inc_not_zero(&s->ref))
		s = NULL;
	local_irq_enable();
	if (!s)
		return 0;
	mutex_lock(&s->lock);
	if (perfmon_session_attached(s) && s->cpu == cpu)
		perfmon_detach(s, false);
	mutex_unlock(&s->lock);
	perfmon_session_put_atomic(s);
	return 0;
}

/* System suspend stops the boot CPU last, without hotplug, and its counters are lost. */
static int perfmon_suspend(void *unused)
{
	struct perfmon_session *s = perfmon_live_session();

	if (s)
		perfmon_live_stop(s);
	return 0;
}

static void perfmon_resume(void *unused)
{
	struct perfmon_session *s = perfmon_live_session();

	/*
	 * The interrupt that would have delivered the sample is lost with the state of
	 * the APIC.
	 */
	perfmon_capture_drop();
	if (s)
		perfmon_live_start(s);
}

static const struct syscore_ops perfmon_syscore_ops = {
	.suspend = perfmon_suspend,
	.resume = perfmon_resume,
};

static struct syscore perfmon_syscore = {
	.ops = &perfmon_syscore_ops,
};

/**
 * perfmon_cpu_init - prepare the timers and follow CPU hotplug
 *
 * Context: after perfmon_arch_init(), see below.
 * Return: 0 or an error.
 */
int __init perfmon_cpu_init(void)
{
	struct hrtimer *timer;
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu) {
		timer = &per_cpu(perfmon_cpu.timer, cpu);
		hrtimer_setup(timer, perfmon_timer_expired, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_PINNED_HARD);
		timer = &per_cpu(perfmon_cpu.sampler, cpu);
		hrtimer_setup(timer, perfmon_sampler_expired, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_PINNED_HARD);
	}
	/*
	 * Registered after the callback of the low-level core, so it runs before that one
	 * when a CPU goes down.
	 */
	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "perfmon:online",
					NULL, perfmon_cpu_offline);
	if (ret < 0)
		return ret;
	online_state = ret;
	return 0;
}

/** perfmon_cpu_exit - undo perfmon_cpu_init(); no session is attached */
void __init perfmon_cpu_exit(void)
{
	unsigned int cpu;

	cpuhp_remove_state_nocalls(online_state);
	/*
	 * A set timer may be pending although no session is left; its callback would do
	 * nothing.
	 */
	for_each_possible_cpu(cpu) {
		hrtimer_cancel(&per_cpu(perfmon_cpu.timer, cpu));
		hrtimer_cancel(&per_cpu(perfmon_cpu.sampler, cpu));
	}
}

/*
 * Sets with a timeout need the clock: they are stopped before it stops and started after
 * it starts.  System suspend calls in the reverse order of registration, and the clock
 * registers in a device_initcall.
 */
static int __init perfmon_register_syscore(void)
{
	if (perfmon_usable)
		register_syscore(&perfmon_syscore);
	return 0;
}
late_initcall(perfmon_register_syscore);

/** perfmon_unregister_syscore - undo perfmon_register_syscore() */
void __init perfmon_unregister_syscore(void)
{
	unregister_syscore(&perfmon_syscore);
}
