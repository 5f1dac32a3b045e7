// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starting, pausing and switching the sets of a session, and the set timer.
 *
 * All of this runs on the target (see target.c): in system calls through
 * perfmon_on_target(), in the context switch, at the end of an execve(), in the tick, the
 * overflow interrupt and the set timer.  It allocates nothing, takes no lock of perfmon
 * and wakes no task.
 */
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/perfmon_hooks.h>

#include "admin/stats.h"
#include "cpu.h"
#include "loss.h"
#include "pmd.h"
#include "run.h"
#include "target.h"

/*
 * perfmon_set.left after the timeout has passed.  Not 0, so that the timer, which
 * switches sets, expires when the session counts again.
 */
#define OVERDUE_NS	1

/* A late timer postpones the next one by this time at most. */
#define MAX_PUT_OFF_NS	(4 * TICK_NSEC)

/* Resume the timeout of the active set with its remaining time. */
void perfmon_timer_start(struct perfmon_session *s)
{
	s->slice_time = ktime_get();
	perfmon_set_timer_start(ns_to_ktime(s->active->left));
}

/*
 * The same from the timer callback, which was due at @due.  If the callback took long, as
 * on a slow or emulated machine, the next one is postponed: otherwise sets with the
 * shortest timeouts would use all of the CPU's time.  Without high-resolution timers the
 * callback runs in the tick: it cannot starve the CPU, and its lateness does not show
 * that the machine is slow.  A callback that is several ticks late was delayed by
 * something else, such as a virtual machine that did not run.
 */
static void run_restart_timer(struct perfmon_session *s, ktime_t due)
{
	s64 least = 0;

	s->slice_time = ktime_get();
	if (hrtimer_resolution < LOW_RES_NSEC)
		least = 2 * ktime_to_ns(ktime_sub(s->slice_time, due));
	least = min_t(s64, least, MAX_PUT_OFF_NS);
	least = max_t(s64, s->active->left, least);
	perfmon_set_timer_start(ns_to_ktime(least));
}

u64 perfmon_timer_left(const struct perfmon_session *s)
{
	u64 elapsed = ktime_to_ns(ktime_sub(ktime_get(), s->slice_time));
	u64 left = s->active->left;

	return elapsed < left ? left - elapsed : OVERDUE_NS;
}

/*
 * Store the rest of the timeout.  The timer is not stopped: that would cost more than a
 * callback that finds nothing to do.
 */
void perfmon_timer_pause(struct perfmon_session *s)
{
	s->active->left = perfmon_timer_left(s);
}

/* The whole work of a context switch for a counting session; see ctxsw.c. */
void perfmon_live_stop(struct perfmon_session *s)
{
	if (unlikely(s->page))
		perfmon_page_stop(s);
	else
		perfmon_arch_suspend(&s->counting->arch);
	if (s->counting->flags & PFM_SETFL_TIME_SWITCH)
		perfmon_timer_pause(s);
}

static __always_inline void run_resume(struct perfmon_session *s)
{
	if (unlikely(s->page))
		perfmon_page_start(s);
	else
		perfmon_arch_resume(&s->counting->arch);
}

void perfmon_live_start(struct perfmon_session *s)
{
	run_resume(s);
	if (s->counting->flags & PFM_SETFL_TIME_SWITCH)
		perfmon_timer_start(s);
}

/*
 * Add the present slice to the duration of the active set, which stops counting.  Return:
 * perfmon_clock().
 */
u64 perfmon_slice_end(struct perfmon_session *s)
{
	u64 now = perfmon_clock(s);

	s->active->duration += now - s->slice_clock;
	return now;
}

/** perfmon_pause - stop counting, if the session counts */
void perfmon_pause(struct perfmon_session *s)
{
	if (!s->counting)
		return;
	if (perfmon_session_live(s))
		perfmon_live_stop(s);
	perfmon_arch_interrupt_branches(&s->counting->arch);
	WRITE_ONCE(s->counting, NULL);
	perfmon_slice_end(s);
}

static void run_build_active(struct perfmon_session *s)
{
	if (s->active->dirty)
		perfmon_set_build(s, s->active);
}

/* The active set is built; @now is perfmon_clock(). */
static void run_begin(struct perfmon_session *s, u64 now)
{
	if (unlikely(s->gap != PERFMON_GAP_NONE))
		perfmon_gap_end(s, now);
	s->slice_clock = now;
	WRITE_ONCE(s->counting, s->active);
	if (perfmon_host_is_here(s)) {
		perfmon_live_start(s);
	} else if (!s->target) {
		perfmon_live_start(s);
		perfmon_sampler_start();
	}
}

/** perfmon_unpause - let the active set count */
void perfmon_unpause(struct perfmon_session *s)
{
	run_build_active(s);
	run_begin(s, perfmon_clock(s));
}

/**
 * perfmon_start - start a session, for pfm_start_session() or at an execve()
 * @s: attached session
 */
void perfmon_start(struct perfmon_session *s)
{
	s->at_exec = false;
	s->active->left = s->active->timeout;
	if (s->counting) {
		if (perfmon_session_live(s) &&
		    (s->active->flags & PFM_SETFL_TIME_SWITCH))
			perfmon_timer_start(s);
		return;
	}
	if (s->started)
		return;
	WRITE_ONCE(s->started, true);
	if (s->gap == PERFMON_GAP_WAITING)
		return;
	if (s->state == PERFMON_LOADED)
		perfmon_unpause(s);
	else
		perfmon_gap_masked(s);
}

/**
 * perfmon_unpause_switched_in - perfmon_unpause() in the switch to its thread
 * @s: session of current; its active set is built already, as that would take too long
 *	here
 *
 * Context: run-queue lock held; the runtime of the thread is up to date.
 */
void perfmon_unpause_switched_in(struct perfmon_session *s)
{
	run_begin(s, perfmon_host_switch_clock());
}

/**
 * perfmon_reload - write changed registers of a counting set to the hardware
 * @s: session
 *
 * Other sets are built when they begin to count.  The active set of a throttled session
 * is built here: it may begin to count in a context switch, which cannot build it.
 */
void perfmon_reload(struct perfmon_session *s)
{
	struct perfmon_set *set = s->gap == PERFMON_GAP_THROTTLED ? s->active :
								    s->counting;
	bool live = perfmon_session_live(s);

	if (!set || !set->dirty)
		return;
	if (live)
		perfmon_arch_suspend(&set->arch);
	perfmon_set_build(s, set);
	if (live)
		perfmon_arch_resume(&set->arch);
}

/* Restart the count of overflows after which the session switches away from the set. */
static void run_reload_switch_counts(struct perfmon_set *set)
{
	struct perfmon_pmd_attr *attr;
	unsigned int pos;

	for_each_set_bit(pos, set->used_pmds, PERFMON_ARCH_MAX_PMDS) {
		attr = set->pmds[pos].attr;
		if (attr)
			attr->swcnt_rest = attr->swcnt;
	}
}

/**
 * perfmon_activate_set - make a set the active one
 * @s: session; its present active set is not on the hardware
 * @set: one of its sets
 */
void perfmon_activate_set(struct perfmon_session *s, struct perfmon_set *set)
{
	if (set->dirty)
		perfmon_set_build(s, set);
	s->active = set;
	set->runs++;
	set->left = set->timeout;
	if (set->flags & PFM_SETFL_OVFL_SWITCH)
		run_reload_switch_counts(set);
}

/**
 * perfmon_switch_set - switch to the next set, in the order of their ids
 * @s: session; its active set is not on the hardware
 * @long_reset: the switch is part of a restart
 *
 * Resets that the next set has missed since its last turn are made now.
 */
void perfmon_switch_set(struct perfmon_session *s, bool long_reset)
{
	struct perfmon_set *next =
		list_next_entry_circular(s->active, &s->sets, node);

	perfmon_activate_set(s, next);
	perfmon_reset_pmds(s, next, next->reset_pmds, long_reset);
	bitmap_zero(next->reset_pmds, PERFMON_ARCH_MAX_PMDS);
	perfmon_count(PERFMON_STAT_SWITCH);
}

/**
 * perfmon_timer_expired - the set timer of a CPU
 * @timer: of this CPU
 *
 * The session that started the timer may have left the CPU since.
 *
 * Context: hard interrupt.
 * Return: HRTIMER_NORESTART; the next slice starts the timer again.
 */
enum hrtimer_restart perfmon_timer_expired(struct hrtimer *timer)
{
	struct perfmon_session *s = perfmon_live_session();
	struct perfmon_set *set = s ? s->counting : NULL;
	u64 since = perfmon_debug_clock();

	if (!set || !(set->flags & PFM_SETFL_TIME_SWITCH))
		return HRTIMER_NORESTART;
	perfmon_live_stop(s);
	if (set->left == OVERDUE_NS) {
		perfmon_count(PERFMON_STAT_TIMEOUT);
		perfmon_count(PERFMON_STAT_SWITCH_EXP);
		perfmon_slice_end(s);
		perfmon_switch_set(s, false);
		s->slice_clock = perfmon_clock(s);
		WRITE_ONCE(s->counting, s->active);
	}
	run_resume(s);
	if (s->counting->flags & PFM_SETFL_TIME_SWITCH)
		run_restart_timer(s, hrtimer_get_expires(timer));
	perfmon_debug_time(PERFMON_STAT_SWITCH_NS, since);
	return HRTIMER_NORESTART;
}
