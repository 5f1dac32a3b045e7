/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The host: all services that the session core needs from the scheduler, ptrace and
 * task_struct.  The module replaces this file by another with the same functions.
 *
 * This file is the host for a core that is built in.  A field of task_struct has the
 * session of a thread; a static key patches the hooks of <linux/perfmon_hooks.h> in and
 * out; and the run-queue lock keeps a thread from being switched.  The host's code for
 * the interrupt vector and for the exclusion of perf_event is in arch/x86/perfmon/
 * (vector_builtin.c, owner_builtin.c).
 */
#ifndef _KERNEL_PERFMON_HOST_H
#define _KERNEL_PERFMON_HOST_H

#include <linux/perfmon_hooks.h>
#include <linux/file.h>
#include <linux/kobject.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>

#include "session.h"

/* A function that perfmon_on_target() calls where the session may be changed. */
typedef void (*perfmon_target_fn)(struct perfmon_session *s, void *arg);

/* The type of the argument by which a call names its session. */
#define perfmon_fd	int

static __always_inline struct fd perfmon_host_fdget(perfmon_fd fd)
{
	return fdget(fd);
}

/* The session of the running thread, or NULL.  Context: interrupts off. */
static __always_inline struct perfmon_session *perfmon_host_here(void)
{
	return current->perfmon_session;
}

/* The thread on this CPU that the session monitors. */
static __always_inline const struct task_struct *
perfmon_host_thread(const struct perfmon_session *s)
{
	return current;
}

/*
 * Is @s the session of the running thread?  In the hooks of the context switch, current
 * is the thread that is switched out or in.
 *
 * Context: interrupts off.
 */
static __always_inline bool
perfmon_host_is_here(const struct perfmon_session *s)
{
	return s->target == current;
}

/* The session of a thread that is being switched out or in. */
static __always_inline struct perfmon_session *
perfmon_host_switched(const struct task_struct *task)
{
	return task->perfmon_session;
}

/* May the host look at a session without a reference?  Then RCU must free it. */
#define PERFMON_HOST_LOOKS_UP	false

/* An object with @size bytes from @from on that are zero; NULL: no memory. */
static __always_inline void *perfmon_host_alloc(struct kmem_cache *cache,
						gfp_t gfp, size_t from,
						size_t size)
{
	void *object = kmem_cache_alloc(cache, gfp);

	if (object)
		memset(object + from, 0, size);
	return object;
}

/* The root of a new family. */
static inline void perfmon_host_family_init(struct perfmon_session *root)
{
}

/* Nothing to do at the beginning and end of a session's life. */
static inline void perfmon_host_session_init(struct perfmon_session *s)
{
}

static inline void perfmon_host_session_exit(struct perfmon_session *s)
{
}

/* Free its memory when no CPU can be looking at it any more. */
static inline void perfmon_host_free_rcu(struct perfmon_session *s)
{
	kfree_rcu(s, rcu);
}

/* Has the thread a session?  The answer may be outdated unless the thread is held. */
static inline bool perfmon_host_linked(const struct task_struct *task)
{
	return task->perfmon_session;
}

/*
 * Link a session that does not count to its target, which may run.
 *
 * Return: 0; -EEXIST if the target has a session; -EBUSY if it exits.  After an error the
 * caller detaches the session.
 */
static inline int perfmon_host_link(struct perfmon_session *s)
{
	struct task_struct *task = s->target;

	/*
	 * Either the exit finds the session, or we see that the thread exits: do_exit()
	 * has a full barrier between the two, where it drops signal->live.
	 */
	if (cmpxchg(&task->perfmon_session, NULL, s))
		return -EEXIST;
	return READ_ONCE(task->flags) & PF_EXITING ? -EBUSY : 0;
}

/* Undo perfmon_host_link(), if it succeeded.  Context: on the target. */
static inline void perfmon_host_unlink(struct perfmon_session *s)
{
	if (s->target->perfmon_session == s)
		WRITE_ONCE(s->target->perfmon_session, NULL);
}

/* Does perfmon_host_hold() keep a thread from waking, even for SIGKILL? */
#define PERFMON_HOST_FREEZES	true

/*
 * Keep a thread that the caller traces in its ptrace stop.
 *
 * Context: may sleep, for as long as other threads keep this one from reaching the stop.
 * Return: 0, then perfmon_host_release() must follow; -ESRCH if the caller does not trace
 * the thread or it is in no ptrace stop.
 */
static inline int perfmon_host_hold(struct task_struct *task)
{
	return ptrace_check_attach(task, false);
}

static inline void perfmon_host_release(struct task_struct *task)
{
	ptrace_unfreeze_traced(task);
}

/* May the caller trace the thread?  Security modules are asked. */
static inline bool perfmon_host_may_access(struct task_struct *task)
{
	return ptrace_may_access(task, PTRACE_MODE_ATTACH_REALCREDS);
}

/* May the caller look at the counts of the thread? */
static inline bool perfmon_host_may_look(struct task_struct *task)
{
	return ptrace_may_access(task, PTRACE_MODE_READ_REALCREDS);
}

/* May the caller, who may trace the thread, change its session while it runs? */
static inline bool perfmon_host_may_steer(struct task_struct *task)
{
	return true;
}

/*
 * CPU time of the target in ns.
 *
 * Context: on the target, interrupts off; or the target runs nowhere, and its run queue
 * may be locked.
 */
static inline u64 perfmon_host_thread_clock(const struct perfmon_session *s)
{
	return s->target == current ? sched_own_runtime() :
				      s->target->se.sum_exec_runtime;
}

/* The same in the switch to the running thread, where its CPU time is up to date. */
static inline u64 perfmon_host_switch_clock(void)
{
	return current->se.sum_exec_runtime;
}

/* The same in the switch from the running thread. */
static inline u64
perfmon_host_switch_out_clock(const struct perfmon_session *s)
{
	return perfmon_host_switch_clock();
}

/*
 * The clock of the time stamps of samples: local_clock() without its call that keeps the
 * thread on its CPU.
 *
 * Context: interrupts off.
 */
static inline u64 perfmon_host_sample_clock(void)
{
	return local_clock_noinstr();
}

/* Are the hooks in the context switch, tick, fork, exec and exit patched in? */
static inline bool perfmon_host_hooks(void)
{
	return static_key_enabled(&perfmon_hooks_key);
}

void perfmon_host_patch_in(void);
void perfmon_host_hooks_disable(void);

/*
 * Patch them in.
 *
 * Context: may sleep; takes cpus_read_lock.  perfmon_host_hooks_disable() does so, too.
 * Return: 0, or an error; then the hooks are out.
 */
static inline int perfmon_host_hooks_enable(void)
{
	perfmon_host_patch_in();
	return 0;
}

/* Shall perfmon keep the PMU for a while after the last session? */
static inline bool perfmon_host_lingers(void)
{
	return true;
}

/*
 * Built in, each thread has its own right to execute RDPMC, for as long as its state page
 * is usable; so there is nothing to do for a mm.
 */
static inline bool perfmon_host_reader_begin(struct mm_struct *mm)
{
	return false;
}

static inline void perfmon_host_reader_end(struct mm_struct *mm)
{
}

static inline void perfmon_host_refused_read(const struct perfmon_session *s)
{
}

static inline void perfmon_host_recheck_reader(const struct perfmon_session *s)
{
}

/* No file operations make calls on a session: there are system calls. */
#define PERFMON_HOST_FILE_CALLS

struct file *perfmon_host_getfile(const struct file_operations *fops,
				  void *priv, int flags);

/* How programs call perfmon, an attribute in sysfs. */
extern struct kobj_attribute perfmon_host_attr;

bool perfmon_host_run_off_cpu(struct perfmon_session *s, perfmon_target_fn fn,
			      void *arg);

struct task_struct *perfmon_host_find_task(int number);
struct task_struct *perfmon_host_pidfd_task(int fd);

#endif /* _KERNEL_PERFMON_HOST_H */
