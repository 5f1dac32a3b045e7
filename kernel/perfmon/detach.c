// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of an attachment: by a system call, by the end of the target, by the
 * last close of the descriptor, or by the administrator.
 *
 * Callers of perfmon_detach() hold perfmon_session.lock; perfmon_leave() takes it.
 */
#include <linux/bitmap.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "access.h"
#include "cpu.h"
#include "host.h"
#include "notify/notify.h"
#include "run.h"
#include "target.h"

/* Stop counting and take the session from its target. */
static void detach_on_target(struct perfmon_session *s, void *unused)
{
	perfmon_pause(s);
	if (s->gap != PERFMON_GAP_NONE)
		perfmon_gap_end(s, perfmon_clock(s));
	WRITE_ONCE(s->started, false);
	s->at_exec = false;
	s->switch_pending = false;
	s->can_restart = 0;
	WRITE_ONCE(s->blocked, false);
	WRITE_ONCE(s->state, PERFMON_UNLOADED);
	if (s->target) {
		perfmon_host_unlink(s);
	} else {
		__this_cpu_write(perfmon_cpu_session, NULL);
		perfmon_sampler_stop();
	}
}

/*
 * Drop overflows that have not been processed.  Only holders of its lock look at
 * the sets of a detached session, so the target need not wait until all of them
 * are done.
 */
static void detach_forget_overflows(struct perfmon_session *s)
{
	struct perfmon_set *set;

	list_for_each_entry(set, &s->sets, node) {
		bitmap_zero(set->armed, PERFMON_ARCH_MAX_PMDS);
		set->dirty = true;
	}
}

static void detach_release_target(struct perfmon_session *s)
{
	struct task_struct *target = s->target;

	perfmon_tick_release(s);
	s->target = NULL;
	if (target) {
		perfmon_task_session_put();
		put_task_struct(target);
	} else {
		perfmon_sys_session_put(s);
		s->cpu = -1;
	}
}

/**
 * perfmon_detach - end the attachment of a session
 * @s: attached session, locked
 * @end: the target has left by itself; queue an END message unless it attached
 *	itself
 *
 * Context: may sleep; the target may be in any state.
 */
void perfmon_detach(struct perfmon_session *s, bool end)
{
	perfmon_on_target(s, perfmon_caller_any(s), detach_on_target, NULL);
	detach_forget_overflows(s);
	detach_release_target(s);
	perfmon_unblock(s);
	if (end && !s->self)
		perfmon_msgq_end(&s->msgq);
	/* Never the last one: the caller has a reference as well. */
	WARN_ON_ONCE(refcount_dec_and_test(&s->ref));
}

/**
 * perfmon_leave - detach the session of the calling thread, which exits or has
 *	executed a program
 * @s: session that was found at the thread; the reference is dropped
 * @only_unprivileged: an execve() to a program with more rights: a session whose
 *	creator may count everything stays
 *
 * Context: may sleep.
 */
void perfmon_leave(struct perfmon_session *s, bool only_unprivileged)
{
	mutex_lock(&s->lock);
	if (s->target == current && !(only_unprivileged && s->owner_capable)) {
		s->loss.left += only_unprivileged;
		perfmon_detach(s, true);
	}
	mutex_unlock(&s->lock);
	perfmon_session_put(s);
}
