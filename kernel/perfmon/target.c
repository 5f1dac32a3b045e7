// SPDX-License-Identifier: GPL-2.0-only
/*
 * The caller's relation to the target, and code that runs where the target is.
 *
 * The context switch, the tick and the interrupts of the CPU where an attached session
 * counts change its registers and counters without a lock.  All other code passes a
 * function to perfmon_on_target(), which runs it on that CPU with interrupts off, or
 * while the target is kept from running.
 */
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/smp.h>

#include "family/family.h"
#include "target.h"

/**
 * perfmon_tracee_freeze - keep a thread in its ptrace stop
 * @task: any thread but the caller
 *
 * Context: may sleep.
 * Return: 0, then perfmon_tracee_thaw() must follow; -ESRCH if the caller is not its
 * tracer or it is not in a ptrace stop; -EPERM if the caller may not trace it: its
 * credentials may have changed since the caller became its tracer.
 */
int perfmon_tracee_freeze(struct task_struct *task)
{
	int err = perfmon_host_hold(task);

	if (err)
		return err;
	if (!perfmon_host_may_access(task)) {
		perfmon_host_release(task);
		return -EPERM;
	}
	return 0;
}

/** perfmon_tracee_thaw - undo perfmon_tracee_freeze() */
void perfmon_tracee_thaw(struct task_struct *task)
{
	perfmon_host_release(task);
}

/** perfmon_caller_any - the relation of a caller, for calls that need no permission */
enum perfmon_caller perfmon_caller_any(const struct perfmon_session *s)
{
	lockdep_assert_held(&s->lock);

	if (!perfmon_session_attached(s))
		return PERFMON_CALLER_DETACHED;
	if (perfmon_orphaned(s))
		return PERFMON_CALLER_ORPHAN;
	if (!s->target)
		return PERFMON_CALLER_CPU;
	return s->target == current ? PERFMON_CALLER_SELF :
				      PERFMON_CALLER_OTHER;
}

/**
 * perfmon_caller_hold - find the relation of a caller that acts on the target
 * @s: session, locked
 * @frozen: the target is another thread, and perfmon_host_hold() keeps it still
 *
 * Return: an enum perfmon_caller.  -EPERM or -ESRCH if the caller may not touch the
 * running target.
 */
int perfmon_caller_hold(const struct perfmon_session *s, bool frozen)
{
	enum perfmon_caller caller = perfmon_caller_any(s);

	if (caller != PERFMON_CALLER_OTHER)
		return caller;
	if (frozen)
		return PERFMON_CALLER_TRACER;
	if (!perfmon_host_may_access(s->target) ||
	    !perfmon_host_may_steer(s->target))
		return -EPERM;
	/* Pairs with the release in ovfl_mask(). */
	if (smp_load_acquire(&s->state) != PERFMON_MASKED)
		return -ESRCH;
	return PERFMON_CALLER_MASKED;
}

/**
 * perfmon_caller_running - perfmon_caller_hold() for a target that may be running
 * @s: session, locked
 * @change: the call changes the session; else it only reads values
 *
 * Return: an enum perfmon_caller; -EPERM if the caller may not do so.
 */
int perfmon_caller_running(const struct perfmon_session *s, bool change)
{
	enum perfmon_caller caller = perfmon_caller_any(s);
	bool may;

	if (caller != PERFMON_CALLER_OTHER)
		return caller;
	if (!change)
		may = perfmon_host_may_look(s->target);
	else
		may = perfmon_host_may_access(s->target) &&
		      perfmon_host_may_steer(s->target);
	return may ? caller : -EPERM;
}

struct target_call {
	struct perfmon_session *session;
	perfmon_target_fn fn;
	void *arg;
	bool done;
};

static void target_call_on_cpu(void *arg)
{
	struct target_call *call = arg;

	call->fn(call->session, call->arg);
}

/* Runs with interrupts off on the CPU where the target was last seen. */
static void target_call_if_current(void *arg)
{
	struct target_call *call = arg;

	if (!perfmon_host_is_here(call->session))
		return;
	call->fn(call->session, call->arg);
	call->done = true;
}

static void target_call_wherever(struct target_call *call)
{
	struct task_struct *target = call->session->target;

	/* The target may start or stop running between the two attempts. */
	while (!perfmon_host_run_off_cpu(call->session, call->fn, call->arg)) {
		smp_call_function_single(task_cpu(target),
					 target_call_if_current, call, 1);
		if (call->done)
			break;
		cond_resched();
	}
}

static noinline void target_call_other(struct perfmon_session *s,
				       enum perfmon_caller caller,
				       perfmon_target_fn fn, void *arg)
{
	struct target_call call = { .session = s, .fn = fn, .arg = arg };
	int err;

	switch (caller) {
	case PERFMON_CALLER_TRACER:
		if (!PERFMON_HOST_FREEZES) {
			target_call_wherever(&call);
			break;
		}
		fallthrough;
	case PERFMON_CALLER_MASKED:
	case PERFMON_CALLER_ORPHAN:
		fn(s, arg);
		break;
	case PERFMON_CALLER_DETACHED:
	case PERFMON_CALLER_SELF:
		break;
	case PERFMON_CALLER_CPU:
		/* An offline CPU has no session, see hotplug.c. */
		err = smp_call_function_single(s->cpu, target_call_on_cpu,
					       &call, 1);
		WARN_ON_ONCE(err);
		break;
	case PERFMON_CALLER_OTHER:
		target_call_wherever(&call);
		break;
	}
}

/**
 * perfmon_on_target - run a function where the session may be changed
 * @s: session, locked
 * @caller: relation of the caller to the target; for PERFMON_CALLER_TRACER the target is
 *	held still
 * @fn: must not sleep nor wake a task; may be called under the run-queue lock of the
 *	target; perfmon_session_live() is true in it on the CPU that counts
 * @arg: for @fn
 *
 * Context: may sleep; interrupts enabled.
 */
void perfmon_on_target(struct perfmon_session *s, enum perfmon_caller caller,
		       perfmon_target_fn fn, void *arg)
{
	lockdep_assert_held(&s->lock);

	if (likely(caller == PERFMON_CALLER_SELF)) {
		local_irq_disable();
		fn(s, arg);
		local_irq_enable();
	} else if (caller == PERFMON_CALLER_DETACHED) {
		fn(s, arg);
	} else {
		target_call_other(s, caller, fn, arg);
	}
}

/**
 * perfmon_on_thread - perfmon_on_target() for a part, whose thread may be running
 * @s: its session; perfmon_family.lock is held
 * @fn: as above
 * @arg: for @fn
 *
 * Context: may sleep; interrupts enabled.
 */
void perfmon_on_thread(struct perfmon_session *s, perfmon_target_fn fn,
		       void *arg)
{
	struct target_call call = { .session = s, .fn = fn, .arg = arg };

	if (s->target == current) {
		local_irq_disable();
		fn(s, arg);
		local_irq_enable();
	} else {
		target_call_wherever(&call);
	}
}

/**
 * perfmon_clock - the clock of the durations of sets and of gaps
 * @s: attached session
 *
 * Context: on the target.
 * Return: ns of CPU time of a thread; of real time for a CPU.
 */
u64 perfmon_clock(const struct perfmon_session *s)
{
	if (!s->target)
		return ktime_get_ns();
	return perfmon_host_thread_clock(s);
}
