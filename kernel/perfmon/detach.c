// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of an attachment: by a system call, by the end of the target, by the
 * last close of the descriptor, or by the administrator.
 *
 * Callers of perfmon_detach() hold perfmon_session.lock; perfmon_leave() takes the lock
 * itself.
 */
#include <linux/bitmap.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "access.h"
#include "cpu.h"
#include "family/family.h"
#include "host.h"
#include "notify/notify.h"
#include "run.h"
#include "target.h"

/* Stop counting and take the session from its target. */
static void detach_on_target(struct perfmon_session *s, void *unused)
{
	perfmon_pause(s);
	perfmon_gap_leave(s);
	WRITE_ONCE(s->started, false);
	s->at_exec = false;
	s->switch_pending = false;
	s->can_restart = 0;
	WRITE_ONCE(s->blocked, false);
	WRITE_ONCE(s->state, PERFMON_UNLOADED);
	if (s->target) {
		perfmon_host_unlink(s);
	} else if (s->cpu >= 0) {
		__this_cpu_write(perfmon_cpu_session, NULL);
		perfmon_sampler_stop();
	}
}

/*
 * Drop overflows that have not been processed.  Code that looks at the sets of a detached
 * session holds its lock, so this need not run on the target, which would wait meanwhile.
 */
static void detach_forget_overflows(struct perfmon_session *s)
{
	struct perfmon_set *set;

	list_for_each_entry(set, &s->sets, node) {
		/* No PMD interrupts: the control is as it was built. */
		if (bitmap_empty(set->ictrs, PERFMON_ARCH_MAX_PMDS))
			continue;
		bitmap_zero(set->armed, PERFMON_ARCH_MAX_PMDS);
		set->dirty = true;
	}
}

static void detach_release_thread(struct perfmon_session *s)
{
	struct task_struct *target = s->target;

	perfmon_tick_release(s);
	s->target = NULL;
	put_task_struct(target);
}

static void detach_release_target(struct perfmon_session *s)
{
	if (s->cpu < 0) {
		/* An orphan has released its thread already. */
		if (s->target)
			detach_release_thread(s);
		perfmon_task_session_put();
	} else {
		perfmon_tick_release(s);
		perfmon_sys_session_put(s);
		s->cpu = -1;
	}
}

/**
 * perfmon_detach - end the attachment of a session
 * @s: attached session, locked
 * @end: the target has left by itself, with all of its family; queue an END message
 *	unless the target attached the session itself and there is no family
 *
 * Context: may sleep; the target may be in any state.
 */
void perfmon_detach(struct perfmon_session *s, bool end)
{
	if (perfmon_family(s))
		perfmon_family_close(s);
	perfmon_on_target(s, perfmon_caller_any(s), detach_on_target, NULL);
	detach_forget_overflows(s);
	detach_release_target(s);
	perfmon_unblock(s);
	if (end && (!s->self || perfmon_family(s)))
		perfmon_msgq_end(&s->msgq);
	/* Never the last one: the caller has a reference as well. */
	WARN_ON_ONCE(refcount_dec_and_test(&s->ref));
}

static void detach_orphan_on_target(struct perfmon_session *s, void *unused)
{
	perfmon_pause(s);
	perfmon_gap_leave(s);
	s->at_exec = false;
	perfmon_host_unlink(s);
}

/*
 * Detach the calling thread from a session that continues to count its family.  Return:
 * false if the family has ended.
 */
static bool detach_orphan(struct perfmon_session *s)
{
	if (!perfmon_family(s) || !perfmon_family_orphan(s))
		return false;
	perfmon_on_target(s, PERFMON_CALLER_SELF, detach_orphan_on_target,
			  NULL);
	detach_release_thread(s);
	return true;
}

/**
 * perfmon_settle - detach a session whose family has ended after the target
 * @s: session with PFM_FL_INHERIT, perhaps with members, not locked
 *
 * Context: may sleep.
 */
void perfmon_settle(struct perfmon_session *s)
{
	mutex_lock(&s->lock);
	if (perfmon_session_attached(s) && perfmon_family(s) &&
	    perfmon_family_over(s))
		perfmon_detach(s, true);
	mutex_unlock(&s->lock);
}

/* The same as perfmon_leave(), for a part. */
static void detach_leave_part(struct perfmon_part *part, bool only_unprivileged)
{
	struct perfmon_session *root = part->s.family->root;

	if (!(only_unprivileged && root->owner_capable) &&
	    perfmon_family_quit(part, only_unprivileged))
		perfmon_settle(root);
	perfmon_part_put(part);
}

/**
 * perfmon_leave - detach the session of the calling thread, which exits or has
 *	executed a program
 * @s: session that the thread has; the reference is dropped
 * @only_unprivileged: after an execve() to a program with more rights: the session stays
 *	if its creator may count everything
 *
 * Context: may sleep.
 */
void perfmon_leave(struct perfmon_session *s, bool only_unprivileged)
{
	if (perfmon_is_part(s)) {
		detach_leave_part(perfmon_part_of(s), only_unprivileged);
		return;
	}
	mutex_lock(&s->lock);
	if (s->target == current && !(only_unprivileged && s->owner_capable)) {
		s->loss.left += only_unprivileged;
		if (!detach_orphan(s))
			perfmon_detach(s, true);
	}
	mutex_unlock(&s->lock);
	perfmon_session_put(s);
}
