/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of a CPU: the session that watches it, and two timers; and the tick,
 * which samples the counters of CPUs and threads in time.
 */
#ifndef _KERNEL_PERFMON_CPU_H
#define _KERNEL_PERFMON_CPU_H

#include <linux/hrtimer_types.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/perfmon_hooks.h>
#include <linux/types.h>
#include <linux/uidgid_types.h>

#include "host.h"

/*
 * Half of 2^32 events at a rate that nothing reaches on an idle CPU, and too
 * seldom to be noticed there.
 */
#define PERFMON_SAMPLE_NS	(50 * NSEC_PER_MSEC)

#define PERFMON_STORM_USERS	16

struct perfmon_cpu {
	struct hrtimer timer;		/* of the set that counts here */
	struct hrtimer sampler;		/* in the place of the idle tick ... */
	bool sampling;			/* ... is running */
	unsigned long storm_jiffies;	/* overflow interrupts in it ... */
	unsigned int nr_users;
	struct {
		kuid_t uid;
		unsigned int count;	/* ... of the sessions of a user */
	} users[PERFMON_STORM_USERS];
};

DECLARE_PER_CPU(struct perfmon_cpu, perfmon_cpu);

/*
 * The session that counts on this CPU now, or NULL.  Per-thread and system-wide
 * sessions exclude each other.
 *
 * Context: interrupts off.
 */
static inline struct perfmon_session *perfmon_live_session(void)
{
	struct perfmon_session *s = perfmon_host_here();

	if (!s)
		s = __this_cpu_read(perfmon_cpu_session);
	if (unlikely(!s || !s->counting))
		return NULL;
	return s;
}

void perfmon_set_timer_start(ktime_t after);
void perfmon_sampler_start(void);
void perfmon_sampler_stop(void);

/* tick.c */
enum hrtimer_restart perfmon_sampler_expired(struct hrtimer *timer);
void perfmon_tick_keep(struct perfmon_session *s);
void perfmon_tick_release(struct perfmon_session *s);

/* hotplug.c */
int perfmon_cpu_init(void);
void perfmon_cpu_exit(void);
void perfmon_unregister_syscore(void);

#endif /* _KERNEL_PERFMON_CPU_H */
