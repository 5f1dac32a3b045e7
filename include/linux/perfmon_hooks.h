/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hooks that the rest of the kernel calls: context switch, tick, fork, exec and exit;
 * and the one function of the scheduler that perfmon calls.
 *
 * Each hook is one line at its place.  While no session exists, a static key skips all
 * hooks except fork, which is one store.  While sessions exist, a thread without one
 * costs the test of one pointer.  The bodies are in kernel/perfmon/ctxsw.c and tick.c;
 * kernel/perfmon/session.h describes the protection of task_struct.perfmon_session.
 */
#ifndef _LINUX_PERFMON_HOOKS_H
#define _LINUX_PERFMON_HOOKS_H

#ifdef CONFIG_PERFMON

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/sched.h>

struct perfmon_session;

/* On while a session exists and for a time afterwards; see kernel/perfmon/owner.c. */
DECLARE_STATIC_KEY_FALSE(perfmon_hooks_key);

/* The system-wide session of a CPU. */
DECLARE_PER_CPU(struct perfmon_session *, perfmon_cpu_session);

void __perfmon_sched_out(struct task_struct *prev);
void __perfmon_sched_in(struct task_struct *next);
void __perfmon_tick(struct perfmon_session *s);
void __perfmon_clone_task(struct task_struct *child, u64 clone_flags);
void __perfmon_exit_task(void);
void __perfmon_exec_task(void);
void __perfmon_exec_done(void);

/* kernel/sched/core.c: CPU time of the running thread in ns; interrupts off. */
u64 sched_own_runtime(void);

/*
 * Has the thread a session?  One comparison with memory, since most threads have none;
 * the hooks load the pointer again, but only for threads with a session.
 */
static __always_inline bool perfmon_watches(const struct task_struct *tsk)
{
	return static_branch_unlikely(&perfmon_hooks_key) &&
	       unlikely(tsk->perfmon_session);
}

/* Context: run-queue lock held, interrupts off, @prev is current. */
static __always_inline void perfmon_sched_out(struct task_struct *prev)
{
	if (perfmon_watches(prev))
		__perfmon_sched_out(prev);
}

/* Context: run-queue lock held, interrupts off, @next is current. */
static __always_inline void perfmon_sched_in(struct task_struct *next)
{
	if (perfmon_watches(next))
		__perfmon_sched_in(next);
}

/* Context: hard interrupt, run-queue lock not held. */
static __always_inline void perfmon_task_tick(void)
{
	struct perfmon_session *s;

	if (!static_branch_unlikely(&perfmon_hooks_key))
		return;
	s = current->perfmon_session;
	if (!s)
		s = __this_cpu_read(perfmon_cpu_session);
	if (s)
		__perfmon_tick(s);
}

/*
 * dup_task_struct() has copied the parent's session pointer, but the child never has the
 * parent's session; perfmon_clone_task() makes a new one.  The key cannot be tested here:
 * since the copy was made, the last session may have ended, including the parent's, as
 * the parent may have slept.
 */
static __always_inline void perfmon_fork_task(struct task_struct *child)
{
	child->perfmon_session = NULL;
}

/*
 * Context: process context, may sleep; @child can be found already, its creation cannot
 * fail any more, and it has never run.
 */
static __always_inline void perfmon_clone_task(struct task_struct *child,
					       u64 clone_flags)
{
	if (perfmon_watches(current))
		__perfmon_clone_task(child, clone_flags);
}

/* Context: process context, before the mm and the files of @tsk are released. */
static __always_inline void perfmon_exit_task(struct task_struct *tsk)
{
	if (perfmon_watches(tsk))
		__perfmon_exit_task();
}

/* Context: exec of a program that raised the privileges of @tsk (current). */
static __always_inline void perfmon_exec_task(struct task_struct *tsk)
{
	if (perfmon_watches(tsk))
		__perfmon_exec_task();
}

/* Context: @tsk (current) is about to start the program of an exec. */
static __always_inline void perfmon_exec_done(struct task_struct *tsk)
{
	if (perfmon_watches(tsk))
		__perfmon_exec_done();
}

#else /* !CONFIG_PERFMON */

struct task_struct;

static inline void perfmon_sched_out(struct task_struct *prev) { }
static inline void perfmon_sched_in(struct task_struct *next) { }
static inline void perfmon_task_tick(void) { }
static inline void perfmon_fork_task(struct task_struct *child) { }
static inline void perfmon_clone_task(struct task_struct *child,
				      u64 clone_flags) { }
static inline void perfmon_exit_task(struct task_struct *tsk) { }
static inline void perfmon_exec_task(struct task_struct *tsk) { }
static inline void perfmon_exec_done(struct task_struct *tsk) { }

#endif /* CONFIG_PERFMON */

#endif /* _LINUX_PERFMON_HOOKS_H */
