/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The target of a session: the caller's relation to it, code that runs where it
 * is, and the end of the attachment.
 */
#ifndef _KERNEL_PERFMON_TARGET_H
#define _KERNEL_PERFMON_TARGET_H

#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "host.h"

enum perfmon_caller {
	PERFMON_CALLER_DETACHED, /* nobody's counters are affected */
	PERFMON_CALLER_SELF, /* the caller is the target */
	PERFMON_CALLER_TRACER, /* the target is stopped and cannot wake */
	PERFMON_CALLER_MASKED, /* it may run, but the session is masked */
	PERFMON_CALLER_CPU, /* the target is a CPU */
	PERFMON_CALLER_OTHER, /* a thread of which nothing is known */
};

int perfmon_caller_hold(const struct perfmon_session *s, bool frozen);
int perfmon_caller_running(const struct perfmon_session *s, bool change);
enum perfmon_caller perfmon_caller_any(const struct perfmon_session *s);
int perfmon_tracee_freeze(struct task_struct *task);
void perfmon_tracee_thaw(struct task_struct *task);
void perfmon_on_target(struct perfmon_session *s, enum perfmon_caller caller,
		       perfmon_target_fn fn, void *arg);
u64 perfmon_clock(const struct perfmon_session *s);

/* Is the session on the hardware of this CPU?  For code on the target. */
static inline bool perfmon_session_live(const struct perfmon_session *s)
{
	return s->counting && (!s->target || perfmon_host_is_here(s));
}

/*
 * Begin to act on the running thread's own session without its lock; interrupts
 * are off until perfmon_self_end().
 *
 * Nobody else touches the session meanwhile: others that hold the lock come
 * here with an interrupt, and those that need not (PERFMON_CALLER_MASKED) do so
 * only while the session is masked, which it cannot become before the end.
 *
 * Return: false if the session is another's, or masked: take the lock then.
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
void perfmon_leave(struct perfmon_session *s, bool only_unprivileged);

#endif /* _KERNEL_PERFMON_TARGET_H */
