/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of a CPU: its system-wide session, the set timer and the sampler (cpu.c); the
 * tick, which folds the counters before they wrap (tick.c); and the end of its session
 * when the CPU goes offline (hotplug.c).
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
 * Period of the sampler. No event reaches 2^32 in 50 ms on an idle CPU; a shorter period
 * would wake the CPU more often.
 */
#define PERFMON_SAMPLE_NS	(50 * NSEC_PER_MSEC)

#define PERFMON_STORM_USERS	16

struct perfmon_cpu {
	struct hrtimer timer;		/* set timer: timeout of the active set */
	struct hrtimer sampler;		/* replaces the tick of an idle CPU */
	bool sampling;			/* the sampler is running */
	unsigned long storm_jiffies;	/* the jiffy that users[] counts */
	unsigned int nr_users;
	struct {
		kuid_t uid;
		unsigned int count;	/* overflow interrupts of its sessions */
	} users[PERFMON_STORM_USERS];
};

DECLARE_PER_CPU(struct perfmon_cpu, perfmon_cpu);

/*
 * The session of this CPU or of the thread that it executes, or NULL.  There is at most
 * one, as per-thread and system-wide sessions exclude each other.
 *
 * Context: interrupts off.
 */
static inline struct perfmon_session *perfmon_session_here(void)
{
	struct perfmon_session *s = perfmon_host_here();

	return s ? s : __this_cpu_read(perfmon_cpu_session);
}

/*
 * The session that counts on this CPU now, or NULL.
 *
 * Context: interrupts off.
 */
static inline struct perfmon_session *perfmon_live_session(void)
{
	struct perfmon_session *s = perfmon_session_here();

	return unlikely(!s || !s->counting) ? NULL : s;
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
