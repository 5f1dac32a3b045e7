// SPDX-License-Identifier: GPL-2.0-only
/*
 * The caller's relation to the target, and how the target is kept still while
 * another thread changes what the context switch reads without a lock.
 *
 * System calls on another thread's session demand that the caller has it in a
 * ptrace stop; ptrace itself then guarantees that it is off its CPU and stays
 * there.  The close of a descriptor has no such right, but must end the
 * monitoring wherever the target is: perfmon_unlink_target().
 */
#include <linux/errno.h>
#include <linux/ptrace.h>
#include <linux/smp.h>
#include <linux/wait.h>

#include "perfmon.h"

/**
 * perfmon_tracee_freeze - keep a ptrace-stopped thread from waking
 * @task: any thread but the caller
 *
 * Context: may sleep.
 * Return: 0, then perfmon_tracee_thaw() must follow; -ESRCH if the caller is
 * not its tracer or it is not in a ptrace stop; -EPERM if it changed its
 * credentials before it was frozen and is out of reach now.
 */
int perfmon_tracee_freeze(struct task_struct *task)
{
	int err = ptrace_check_attach(task, false);

	if (err)
		return err;
	if (!ptrace_may_access(task, PTRACE_MODE_ATTACH_REALCREDS)) {
		ptrace_unfreeze_traced(task);
		return -EPERM;
	}
	return 0;
}

/** perfmon_tracee_thaw - undo perfmon_tracee_freeze() */
void perfmon_tracee_thaw(struct task_struct *task)
{
	ptrace_unfreeze_traced(task);
}

/**
 * perfmon_caller_hold - find the caller's relation to the session
 * @s: session, locked
 *
 * Context: may sleep.
 * Return: an enum pfm_caller; after PFM_CALLER_TRACER the target is frozen.
 * -EPERM or -ESRCH if the caller has no right to touch the running target.
 */
int perfmon_caller_hold(struct pfm_session *s)
{
	lockdep_assert_held(&s->lock);

	if (s->state == PFM_UNLOADED)
		return PFM_CALLER_DETACHED;
	if (s->target == current)
		return PFM_CALLER_SELF;
	if (!ptrace_check_attach(s->target, false))
		return PFM_CALLER_TRACER;
	if (!ptrace_may_access(s->target, PTRACE_MODE_ATTACH_REALCREDS))
		return -EPERM;
	return -ESRCH;
}

/*
 * Take the session off its target.  Either this is the target's CPU, the
 * target is current and interrupts are off, or the target runs nowhere and is
 * kept so.
 */
static void unlink_still(struct pfm_session *s)
{
	if (s->target == current && s->counting)
		perfmon_arch_suspend(&s->counting->arch);
	WRITE_ONCE(s->counting, NULL);
	WRITE_ONCE(s->target->pfm_session, NULL);
}

struct unlink_call {
	struct pfm_session *session;
	bool done;
};

/* Runs with interrupts off on the CPU where the target was seen last. */
static void unlink_on_cpu(void *arg)
{
	struct unlink_call *call = arg;

	if (call->session->target != current)
		return;
	unlink_still(call->session);
	call->done = true;
}

/* Runs under locks that keep a target that is not running from running. */
static int unlink_unless_running(struct task_struct *task, void *arg)
{
	if (task_curr(task))
		return -EAGAIN;
	unlink_still(arg);
	return 0;
}

/**
 * perfmon_unlink_target - end the monitoring of the target, wherever it is
 * @s: attached session, locked
 *
 * On return the context switch and the tick of the target do not know the
 * session any more, and what it counted is in the sums.
 *
 * Context: may sleep; interrupts enabled.
 */
void perfmon_unlink_target(struct pfm_session *s)
{
	struct unlink_call call = { .session = s };

	lockdep_assert_held(&s->lock);

	if (s->target == current) {
		local_irq_disable();
		unlink_still(s);
		local_irq_enable();
		return;
	}

	/* It may start and stop running between the two attempts. */
	while (task_call_func(s->target, unlink_unless_running, s)) {
		smp_call_function_single(task_cpu(s->target), unlink_on_cpu,
					 &call, 1);
		if (call.done)
			break;
		cond_resched();
	}
}
