// SPDX-License-Identifier: GPL-2.0-only
/*
 * Permission to act on another thread, where the kernel's own checks cannot be
 * called: at least as strict as ptrace_may_access() without security modules.
 *
 * The tracer of a thread may act on it, since the kernel and all security modules have
 * permitted its attach. So may a caller with CAP_SYS_PTRACE.  All others are refused,
 * with the error that ptrace's checks would return.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "host.h"

static bool access_is_tracer(struct task_struct *task)
{
	bool traced;

	rcu_read_lock();
	traced = task->ptrace && rcu_dereference(task->parent) == current;
	rcu_read_unlock();
	return traced;
}

/* Are all ids of the thread equal to the caller's, so that none was ever changed? */
static bool access_same_user(const struct cred *cred, const struct cred *other)
{
	return uid_eq(cred->uid, other->euid) &&
	       uid_eq(cred->uid, other->suid) &&
	       uid_eq(cred->uid, other->uid) &&
	       gid_eq(cred->gid, other->egid) &&
	       gid_eq(cred->gid, other->sgid) && gid_eq(cred->gid, other->gid);
}

/* Has the thread no capability that the caller lacks? */
static bool access_same_caps(const struct cred *cred, const struct cred *other)
{
	return cred->user_ns == other->user_ns &&
	       cap_issubset(other->cap_permitted, cred->cap_permitted);
}

static bool access_user_permits(struct task_struct *task)
{
	const struct cred *other = get_task_cred(task);
	const struct cred *cred = current_cred();
	bool permits = (access_same_user(cred, other) &&
			access_same_caps(cred, other)) ||
		       ns_capable(other->user_ns, CAP_SYS_PTRACE);

	put_cred(other);
	return permits;
}

/* A program that may not be dumped requires CAP_SYS_PTRACE. */
static bool access_mm_permits(struct task_struct *task)
{
	struct user_namespace *ns;
	bool permits;

	/*
	 * Pairs with commit_creds(): either the new dumpable flag or the new credentials
	 * are seen.
	 */
	smp_rmb();
	task_lock(task);
	ns = perfmon_compat_undumpable(task);
	if (ns)
		get_user_ns(ns);
	task_unlock(task);
	if (!ns)
		return true;
	permits = ns_capable(ns, CAP_SYS_PTRACE);
	put_user_ns(ns);
	return permits;
}

/** perfmon_host_may_access - may the caller trace the thread? */
bool perfmon_host_may_access(struct task_struct *task)
{
	if (same_thread_group(task, current))
		return true;
	return access_user_permits(task) && access_mm_permits(task);
}

/**
 * perfmon_host_may_steer - may the caller change a thread while it runs?
 * @task: thread that perfmon_host_may_access() has permitted
 */
bool perfmon_host_may_steer(struct task_struct *task)
{
	bool capable;

	if (same_thread_group(task, current) || access_is_tracer(task))
		return true;
	rcu_read_lock();
	capable = ns_capable_noaudit(__task_cred(task)->user_ns,
				     CAP_SYS_PTRACE);
	rcu_read_unlock();
	return capable;
}

/**
 * perfmon_host_hold - find a thread in a ptrace stop of the caller
 * @task: any thread but the caller
 *
 * The thread is not kept there: SIGKILL wakes it, so functions run on it as on a running
 * thread (PERFMON_HOST_FREEZES).
 *
 * Context: may sleep, for as long as other threads keep this one from reaching the stop.
 * Return: 0; -ESRCH if the caller does not trace the thread or it is in no ptrace stop.
 */
int perfmon_host_hold(struct task_struct *task)
{
	while (access_is_tracer(task) && task_is_traced(task)) {
		if (READ_ONCE(task->on_cpu))
			cond_resched();
		else if (READ_ONCE(task->on_rq))
			schedule_timeout_uninterruptible(1);
		else
			return 0;
	}
	return -ESRCH;
}

/**
 * perfmon_host_find_task - find a thread by its number
 * @number: in the caller's pid namespace
 *
 * Return: the thread with a reference, or -ESRCH.
 */
struct task_struct *perfmon_host_find_task(int number)
{
	struct task_struct *task = NULL;

	rcu_read_lock();
	if (number > 0)
		task = pid_task(find_vpid(number), PIDTYPE_PID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task ? task : ERR_PTR(-ESRCH);
}

/**
 * perfmon_host_pidfd_task - find the thread that a pidfd names
 * @number: number of the thread, which libpfm reads from /proc, since a module cannot
 *	look it up; 0 if the descriptor was no pidfd, negative if the thread has ended
 *
 * Return: the thread with a reference, -EBADF or -ESRCH.
 */
struct task_struct *perfmon_host_pidfd_task(int number)
{
	if (!number)
		return ERR_PTR(-EBADF);
	return perfmon_host_find_task(number);
}
