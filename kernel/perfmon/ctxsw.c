// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hooks of a monitored thread: switch, exec, exit; <linux/perfmon_hooks.h>
 * calls them.
 *
 * The first two functions are the fast path.  They run on the target's own CPU with
 * interrupts off, under the run-queue lock.  They take no lock; the rule of hot fields
 * makes this safe (session.h).  They must not wake a task, send a signal or print.
 */
#include <linux/export.h>
#include <linux/perfmon_hooks.h>

#include "admin/stats.h"
#include "family/family.h"
#include "host.h"
#include "ovfl.h"
#include "run.h"
#include "target.h"

void __perfmon_sched_out(struct task_struct *prev)
{
	struct perfmon_session *s = perfmon_host_switched(prev);
	u64 since;

	if (!s->counting)
		return;
	since = perfmon_debug_clock();
	if (unlikely(perfmon_is_part(s)))
		perfmon_part_out(s);
	else
		perfmon_live_stop(s);
	perfmon_debug_count(PERFMON_STAT_OUT, PERFMON_STAT_OUT_NS, since);
}

void __perfmon_sched_in(struct task_struct *next)
{
	struct perfmon_session *s = perfmon_host_switched(next);
	u64 since;

	if (!s->counting) {
		if (perfmon_is_part(s))
			perfmon_part_in(s);
		else if (unlikely(s->gap == PERFMON_GAP_THROTTLED) &&
			 !s->active->dirty && perfmon_throttle_over(s))
			perfmon_unpause_switched_in(s);
		return;
	}
	since = perfmon_debug_clock();
	perfmon_live_start(s);
	perfmon_debug_count(PERFMON_STAT_IN, PERFMON_STAT_IN_NS, since);
}

/*
 * The session of the calling thread, with a reference.  While interrupts are off, no
 * other code can detach it from a running thread, see perfmon_on_target().
 */
static struct perfmon_session *ctxsw_get_session(void)
{
	struct perfmon_session *s;

	local_irq_disable();
	s = perfmon_host_here();
	if (s)
		refcount_inc(&s->ref);
	local_irq_enable();
	return s;
}

static void ctxsw_leave(bool only_unprivileged)
{
	struct perfmon_session *s = ctxsw_get_session();

	if (s)
		perfmon_leave(s, only_unprivileged);
}

void __perfmon_clone_task(struct task_struct *child, u64 clone_flags)
{
	struct perfmon_session *s = ctxsw_get_session();

	if (!s)
		return;
	if (perfmon_family(s))
		perfmon_family_clone(s, child, clone_flags);
	perfmon_member_put(s);
}

void __perfmon_exit_task(void)
{
	ctxsw_leave(false);
}

/* Unprivileged users may not trace the new program, so their sessions must leave it. */
void __perfmon_exec_task(void)
{
	ctxsw_leave(true);
}

static void ctxsw_start_at_exec(struct perfmon_session *s, void *unused)
{
	if (s->at_exec)
		perfmon_start(s);
}

/* A session with a family is started under its lock. */
static noinline void ctxsw_start_family(struct perfmon_session *s)
{
	mutex_lock(&s->lock);
	if (s->target == current && s->at_exec) {
		perfmon_on_target(s, PERFMON_CALLER_SELF, ctxsw_start_at_exec,
				  NULL);
		perfmon_family_run(s, true);
	}
	mutex_unlock(&s->lock);
	perfmon_session_put(s);
}

/*
 * The new program is about to begin: PFM_STFL_AT_EXEC starts the session now, and one that
 * counts already has nothing of the old program any more.
 */
void __perfmon_exec_done(void)
{
	struct perfmon_session *s, *root = NULL;

	local_irq_disable();
	s = perfmon_host_here();
	if (s && s->counting)
		perfmon_arch_new_program(&s->counting->arch);
	if (s && s->at_exec) {
		if (perfmon_family(s)) {
			refcount_inc(&s->ref);
			root = s;
		} else {
			perfmon_start(s);
		}
	}
	local_irq_enable();
	if (root)
		ctxsw_start_family(root);
}
