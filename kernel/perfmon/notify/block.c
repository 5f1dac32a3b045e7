// SPDX-License-Identifier: GPL-2.0-only
/*
 * PFM_FL_NOTIFY_BLOCK: the monitored thread waits for a restart before it
 * returns to user mode.
 *
 * The overflow interrupt sets perfmon_session.blocked and queues a task work.  The work
 * waits until a restart, detach or close resets the flag, on the target.  It is queued
 * once, even if several notifications precede its run; block_queued stays set until the
 * work has found nothing more to wait for.  A signal ends the wait too, and the same
 * notification does not block the thread again: the session stays masked until a restart.
 */
#include <linux/freezer.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include <asm/perfmon_compat.h>

#include "../admin/stats.h"
#include "../host.h"
#include "../loss.h"
#include "notify.h"

/**
 * perfmon_block_signalled - has the waiting thread got a signal, or a stop by a
 *	tracer or a control group?
 */
bool perfmon_block_signalled(void)
{
	/* A running thread has a sighand until it exits. */
	struct sighand_struct *sighand =
		rcu_dereference_protected(current->sighand, true);
	bool pending;

	do {
		try_to_freeze();
		spin_lock_irq(&sighand->siglock);
		recalc_sigpending();
		pending = task_sigpending(current);
		spin_unlock_irq(&sighand->siglock);
	} while (pending && freezing(current));
	return pending;
}

/*
 * Is the wait over?  It is not if another notification has come.  A signal without a
 * restart ends it; from then on the session misses the work of the thread.  A detached
 * session ends it too; it may have another target by now.
 */
static bool block_wait_over(struct perfmon_session *s, bool signal)
{
	bool over = true;

	local_irq_disable();
	if (perfmon_host_here() == s && signal) {
		WRITE_ONCE(s->blocked, false);
		perfmon_gap_masked(s);
	} else if (perfmon_host_here() == s) {
		over = !s->blocked;
	}
	if (over)
		s->block_queued = false;
	local_irq_enable();
	return over;
}

static void block_give_up(struct perfmon_session *s)
{
	local_irq_disable();
	s->block_queued = false;
	local_irq_enable();
}

static void block_wait_for_restart(struct callback_head *head)
{
	struct perfmon_session *s = container_of(head, struct perfmon_session,
						 block_work);
	bool signal;

	/*
	 * Task works run one after the other.  The works behind this one must not wait:
	 * one may close a file, and the restarter may be reading that file to its end.
	 */
	if (head->next && !task_work_add(current, head, TWA_RESUME))
		return;
	signal = wait_event_freezable(s->block_wait, !READ_ONCE(s->blocked)) &&
		 perfmon_block_signalled();
	/*
	 * Signalled task works (TWA_SIGNAL) cannot wait for the return to user mode; they
	 * run before this one continues to wait.
	 */
	if (!signal)
		clear_notify_signal();
	if (!block_wait_over(s, signal)) {
		if (!task_work_add(current, head, TWA_RESUME))
			return;
		block_give_up(s);
	}
	perfmon_session_put(s);
}

void perfmon_block_init(struct perfmon_session *s)
{
	init_task_work(&s->block_work, block_wait_for_restart);
	init_waitqueue_head(&s->block_wait);
}

/**
 * perfmon_block_target - make the current thread wait before it returns to user mode
 * @s: its session
 *
 * Context: hard interrupt.
 */
void perfmon_block_target(struct perfmon_session *s)
{
	WRITE_ONCE(s->blocked, true);
	if (s->block_queued)
		return;
	refcount_inc(&s->ref);
	s->block_queued = true;
	perfmon_count(PERFMON_STAT_WORK);
	if (!task_work_add(current, &s->block_work, TWA_RESUME | TWAF_NO_ALLOC))
		return;
	/* The thread exits and will not return to user mode. */
	s->block_queued = false;
	WRITE_ONCE(s->blocked, false);
	WARN_ON_ONCE(refcount_dec_and_test(&s->ref));
}

/**
 * perfmon_unblock - wake the target, which may continue
 * @s: session, not a part; its restart or detachment has reset @blocked
 *
 * Members of a family look for room again.
 */
void perfmon_unblock(struct perfmon_session *s)
{
	if (s->flags & PFM_FL_NOTIFY_BLOCK)
		wake_up(&s->block_wait);
}
