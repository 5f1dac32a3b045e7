/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The target of a session: the caller's relation to it (target.c), functions
 * that run where the session counts, and the end of the attachment (detach.c).
 */
#ifndef _KERNEL_PERFMON_TARGET_H
#define _KERNEL_PERFMON_TARGET_H

#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "host.h"

enum perfmon_caller {
	PERFMON_CALLER_DETACHED, /* the session has no target */
	PERFMON_CALLER_SELF, /* the caller is the target */
	PERFMON_CALLER_TRACER, /* the caller keeps the target in a ptrace stop */
	PERFMON_CALLER_MASKED, /* the target may run, but the session is masked */
	PERFMON_CALLER_CPU, /* the target is a CPU */
	PERFMON_CALLER_OTHER, /* the target is a thread that may be running */
	PERFMON_CALLER_ORPHAN, /* the target has left, but its family has not */
};

int perfmon_caller_hold(const struct perfmon_session *s, bool frozen);
int perfmon_caller_running(const struct perfmon_session *s, bool change);
enum perfmon_caller perfmon_caller_any(const struct perfmon_session *s);
int perfmon_tracee_freeze(struct task_struct *task);
void perfmon_tracee_thaw(struct task_struct *task);
void perfmon_on_target(struct perfmon_session *s, enum perfmon_caller caller,
		       perfmon_target_fn fn, void *arg);
void perfmon_on_thread(struct perfmon_session *s, perfmon_target_fn fn,
		       void *arg);
u64 perfmon_clock(const struct perfmon_session *s);

/* Is the session on the hardware of this CPU?  Context: on the target. */
static inline bool perfmon_session_live(const struct perfmon_session *s)
{
	return s->counting && (!s->target || perfmon_host_is_here(s));
}

/*
 * Begin to act on the running thread's own session without its lock. Interrupts
 * are off until perfmon_self_end().
 *
 * No other code touches the session meanwhile: another caller that holds the
 * lock would send an interrupt to this CPU.  The exception,
 * PERFMON_CALLER_MASKED, acts only while the session is masked, and this CPU
 * masks it.
 *
 * Return: false if the running thread has another session or this one is
 * masked; then interrupts are on, and the caller takes the lock.
 */
static __always_inline bool perfmon_self_begin(const struct perfmon_session *s)
{
	local_irq_disable();
	if (likely(perfmon_host_here() == s && s->state == PERFMON_LOADED))
		return true;
	local_irq_enable();
	return false;
}

static __always_inline void perfmon_self_end(void)
{
	local_irq_enable();
}

/* detach.c */
void perfmon_detach(struct perfmon_session *s, bool end);
void perfmon_settle(struct perfmon_session *s);
void perfmon_leave(struct perfmon_session *s, bool only_unprivileged);

#endif /* _KERNEL_PERFMON_TARGET_H */
