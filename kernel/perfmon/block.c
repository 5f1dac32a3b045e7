// SPDX-License-Identifier: GPL-2.0-only
/*
 * PFM_FL_NOTIFY_BLOCK: the monitored thread waits for a restart before it
 * returns to user mode.
 *
 * The overflow interrupt queues a task work; a restart, detach or close lets
 * the thread go.  A signal does so too, and the notification does not stop it
 * again: the session stays masked until somebody restarts it.
 */
#include <linux/freezer.h>

#include "perfmon.h"

static void wait_for_restart(struct callback_head *head)
{
	struct pfm_session *s = container_of(head, struct pfm_session,
					     block_work);

	/*
	 * Works run one after the other.  Those behind this one must not wait:
	 * one may be the close of a file that the restarter reads to its end.
	 */
	if (head->next && !task_work_add(current, head, TWA_RESUME))
		return;
	s->block_queued = false;
	wait_event_freezable(s->block_wait, !READ_ONCE(s->blocked));
	WRITE_ONCE(s->blocked, false);
	perfmon_session_put(s);
}

void perfmon_block_init(struct pfm_session *s)
{
	init_task_work(&s->block_work, wait_for_restart);
	init_waitqueue_head(&s->block_wait);
}

/**
 * perfmon_block_target - make current wait before it returns to user mode
 * @s: its session
 *
 * Context: hard interrupt.
 */
void perfmon_block_target(struct pfm_session *s)
{
	if (s->block_queued)
		return;
	refcount_inc(&s->ref);
	WRITE_ONCE(s->blocked, true);
	s->block_queued = true;
	pfm_count(PFM_STAT_WORK);
	if (!task_work_add(current, &s->block_work, TWA_RESUME))
		return;
	/* It is on its way out and will not see user mode again. */
	s->block_queued = false;
	WRITE_ONCE(s->blocked, false);
	WARN_ON_ONCE(refcount_dec_and_test(&s->ref));
}

/**
 * perfmon_unblock - let the target go on
 * @s: session, locked
 */
void perfmon_unblock(struct pfm_session *s)
{
	if (!READ_ONCE(s->blocked))
		return;
	WRITE_ONCE(s->blocked, false);
	wake_up(&s->block_wait);
}
