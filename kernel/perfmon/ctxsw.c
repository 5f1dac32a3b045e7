// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens to a monitored thread: switch, tick, exec, exit.
 *
 * The first three functions are the fast path.  They run on the target's own
 * CPU with interrupts off, the first two under the run-queue lock, and take no
 * lock: see the top of perfmon.h for what makes that safe.  They must not
 * wake anybody, send a signal or print.
 */
#include <linux/export.h>
#include <linux/perfmon_hooks.h>

#include "perfmon.h"

DEFINE_STATIC_KEY_FALSE(perfmon_hooks_key);

void __perfmon_sched_out(struct task_struct *prev)
{
	struct pfm_set *set = prev->pfm_session->counting;

	if (set)
		perfmon_arch_suspend(&set->arch);
}

void __perfmon_sched_in(struct task_struct *next)
{
	struct pfm_set *set = next->pfm_session->counting;

	if (set)
		perfmon_arch_resume(&set->arch);
}

/* Only 32 bits of a counter are read: take the difference before they wrap. */
void __perfmon_task_tick(struct task_struct *curr)
{
	struct pfm_set *set = curr->pfm_session->counting;

	if (set)
		perfmon_arch_sample(&set->arch);
}

/*
 * The session of the calling thread with a reference.  With interrupts off
 * nobody can take it from a running thread, see perfmon_unlink_target().
 */
static struct pfm_session *current_session(void)
{
	struct pfm_session *s;

	local_irq_disable();
	s = current->pfm_session;
	if (s)
		refcount_inc(&s->ref);
	local_irq_enable();
	return s;
}

static void leave_session(bool only_unprivileged)
{
	struct pfm_session *s = current_session();

	if (!s)
		return;
	mutex_lock(&s->lock);
	if (s->target == current && !(only_unprivileged && s->owner_capable))
		perfmon_detach(s, true);
	mutex_unlock(&s->lock);
	perfmon_session_put(s);
}

void __perfmon_exit_task(struct task_struct *tsk)
{
	leave_session(false);
}

/* The new program is out of reach for whoever had no special rights. */
void __perfmon_exec_task(struct task_struct *tsk)
{
	leave_session(true);
}
