// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions: creation, attachment, start and stop, and their end.
 *
 * A session lives as long as somebody holds a reference: its file, its
 * attachment (task_struct.pfm_session), a thread that passes through it.
 * All state changes happen under pfm_session.lock.
 */
#include <linux/anon_inodes.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/sched/cputime.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/syscalls.h>
#include <linux/tick.h>
#include <linux/uaccess.h>
#include <uapi/linux/pidfd.h>

#include "perfmon.h"

#define CREATE_FLAGS	(PFM_FL_NOTIFY_BLOCK | PFM_FL_SYSTEM_WIDE | \
			 PFM_FL_SMPL_FMT | PFM_FL_OVFL_NO_MSG | \
			 PFM_FL_OVFL_SIGINFO)

/* A thread is interrupted by its own signals, a CPU has none. */
#define NOT_SYSTEM_WIDE	(PFM_FL_NOTIFY_BLOCK | PFM_FL_OVFL_SIGINFO)

/* Longest name of a sampling format, without the NUL. */
#define FMT_NAME_MAX	255

static struct pfm_session *session_alloc(u32 flags)
{
	struct pfm_session *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	struct pfm_set *set;

	if (!s)
		return NULL;
	set = perfmon_set_alloc(0);
	if (!set) {
		kfree(s);
		return NULL;
	}
	mutex_init(&s->lock);
	refcount_set(&s->ref, 1);
	s->flags = flags;
	s->state = PFM_UNLOADED;
	s->owner_capable = perfmon_capable();
	INIT_LIST_HEAD(&s->sets);
	list_add(&set->node, &s->sets);
	s->active = set;
	perfmon_msgq_init(&s->msgq);
	return s;
}

/**
 * perfmon_session_put - drop a reference; the last one frees the session
 * @s: session
 *
 * Context: may sleep; the session is not locked.
 */
void perfmon_session_put(struct pfm_session *s)
{
	struct pfm_set *set, *next;

	if (!refcount_dec_and_test(&s->ref))
		return;
	list_for_each_entry_safe(set, next, &s->sets, node)
		perfmon_set_free(set);
	kfree(s);
	perfmon_pmu_put();
}

/** perfmon_session_close - the last reference to the descriptor is gone */
void perfmon_session_close(struct pfm_session *s)
{
	mutex_lock(&s->lock);
	if (s->state != PFM_UNLOADED)
		perfmon_detach(s, false);
	mutex_unlock(&s->lock);
	perfmon_session_put(s);
}

/* ns of target CPU time since the last start of a started session. */
u64 perfmon_counted_ns(const struct pfm_session *s)
{
	return task_sched_runtime(s->target) - s->started_at;
}

static void account_duration(struct pfm_session *s)
{
	if (s->started)
		s->active->duration += perfmon_counted_ns(s);
}

/**
 * perfmon_detach - end the attachment of a session
 * @s: attached session, locked
 * @end: the target ends; tell the holders of the descriptor unless they are
 *	the target itself
 *
 * Context: may sleep; the target may be in any state.
 */
void perfmon_detach(struct pfm_session *s, bool end)
{
	struct task_struct *target = s->target;

	perfmon_unlink_target(s);
	account_duration(s);
	tick_dep_clear_task(target, TICK_DEP_BIT_PERF_EVENTS);
	s->state = PFM_UNLOADED;
	s->started = false;
	s->target = NULL;
	perfmon_task_session_put();
	if (end && !s->self)
		perfmon_msgq_end(&s->msgq);
	put_task_struct(target);
	/* Never the last one: the caller holds the session by other means. */
	WARN_ON_ONCE(refcount_dec_and_test(&s->ref));
}

/* No format exists yet, so a good name is as wrong as a bad one. */
static int check_format(const char __user *name)
{
	char buf[FMT_NAME_MAX + 1];
	long len = strncpy_from_user(buf, name, sizeof(buf));

	return len < 0 ? len : -EINVAL;
}

static int create_fd(struct pfm_session *s)
{
	struct file *file;
	int fd = get_unused_fd_flags(0);

	if (fd < 0)
		return fd;
	file = anon_inode_getfile("[pfmfd]", &perfmon_fops, s, O_RDONLY);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	fd_install(fd, file);
	return fd;
}

/**
 * sys_pfm_create_session - create a session
 * @flags: PFM_FL_*
 * @smpl_name: sampling format, with PFM_FL_SMPL_FMT only
 * @smpl_arg: its argument, likewise
 * @smpl_size: size of the argument, likewise
 *
 * Return: a file descriptor, or
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: unknown flag, flags that exclude each other, unknown format
 * * -EPERM: the caller may not create sessions of this kind
 * * -EFAULT: @smpl_name
 * * -EBUSY: another user holds the PMU; the kernel log and pmu_owner in sysfs
 *   tell who
 * * -EMFILE, -ENFILE, -ENOMEM: descriptors, files, memory
 */
SYSCALL_DEFINE4(pfm_create_session, int, flags,
		const char __user *, smpl_name, void __user *, smpl_arg,
		size_t, smpl_size)
{
	struct pfm_session *s;
	int ret;

	if (!perfmon_usable())
		return -ENOSYS;
	if (flags & ~CREATE_FLAGS)
		return -EINVAL;
	if ((flags & PFM_FL_SYSTEM_WIDE) && (flags & NOT_SYSTEM_WIDE))
		return -EINVAL;
	ret = perfmon_may_create(flags);
	if (!ret && (flags & PFM_FL_SMPL_FMT))
		ret = check_format(smpl_name);
	if (!ret)
		ret = perfmon_pmu_get();
	if (ret)
		return ret;

	s = session_alloc(flags);
	if (!s) {
		perfmon_pmu_put();
		return -ENOMEM;
	}
	ret = create_fd(s);
	if (ret < 0)
		perfmon_session_put(s);
	return ret;
}

/* The thread that a target number or a pidfd names, with a reference. */
static struct task_struct *find_target(int target, int flags)
{
	struct task_struct *task;
	unsigned int pidfd_flags;
	struct pid *pid;

	if (flags & PFM_ATFL_PIDFD) {
		pid = pidfd_get_pid(target, &pidfd_flags);
		if (IS_ERR(pid))
			return ERR_CAST(pid);
		task = get_pid_task(pid, pidfd_flags & PIDFD_THREAD ?
					 PIDTYPE_PID : PIDTYPE_TGID);
		put_pid(pid);
	} else {
		task = target > 0 ? find_get_task_by_vpid(target) : NULL;
	}
	return task ? task : ERR_PTR(-ESRCH);
}

static int check_target(const struct pfm_session *s, struct task_struct *task)
{
	if (task != current &&
	    !ptrace_may_access(task, PTRACE_MODE_ATTACH_REALCREDS))
		return -EPERM;
	/* Also the kernel's own threads that run on a user mm. */
	if (task->flags & (PF_KTHREAD | PF_USER_WORKER))
		return -EPERM;
	if ((task->flags & PF_EXITING) || task->exit_state)
		return -EBUSY;
	if (task == current && (s->flags & PFM_FL_NOTIFY_BLOCK))
		return -EINVAL;
	return 0;
}

/* The target is the caller or frozen; it can have no two suitors at once. */
static int bind_target(struct pfm_session *s, struct task_struct *task)
{
	int err;

	if (s->state != PFM_UNLOADED)
		return -EBUSY;
	if (task->pfm_session)
		return -EEXIST;
	err = perfmon_task_session_get();
	if (err)
		return err;

	perfmon_msgq_clear(&s->msgq);
	s->active = list_first_entry(&s->sets, struct pfm_set, node);
	s->active->runs++;
	s->started = false;
	s->self = task == current;
	s->state = PFM_LOADED;
	s->target = get_task_struct(task);
	refcount_inc(&s->ref);
	WRITE_ONCE(task->pfm_session, s);
	tick_dep_set_task(task, TICK_DEP_BIT_PERF_EVENTS);
	return 0;
}

static int attach_thread(struct pfm_session *s, struct task_struct *task)
{
	bool freeze = task != current;
	int err;

	err = check_target(s, task);
	if (!err && freeze)
		err = perfmon_tracee_freeze(task);
	if (err)
		return err;

	mutex_lock(&s->lock);
	err = bind_target(s, task);
	mutex_unlock(&s->lock);
	if (freeze)
		perfmon_tracee_thaw(task);
	return err;
}

static int attach_cpu(struct pfm_session *s, int cpu)
{
	int err = 0;

	mutex_lock(&s->lock);
	if (s->state != PFM_UNLOADED)
		err = -EBUSY;
	else if (cpu < 0 || cpu >= nr_cpu_ids || !cpu_online(cpu))
		err = -EINVAL;
	else
		err = -EOPNOTSUPP;
	mutex_unlock(&s->lock);
	return err;
}

static int detach_session(struct perfmon_call *call)
{
	int err = perfmon_call_lock(call);

	if (err)
		return err;
	if (call->caller != PFM_CALLER_DETACHED)
		perfmon_detach(call->session, false);
	perfmon_call_unlock(call);
	return 0;
}

static int attach_session(struct perfmon_call *call, int flags, int target)
{
	struct pfm_session *s = call->session;
	struct task_struct *task;
	int err;

	if (target == PFM_NO_TARGET && !(flags & PFM_ATFL_PIDFD))
		return detach_session(call);
	if (s->flags & PFM_FL_SYSTEM_WIDE)
		return flags & PFM_ATFL_PIDFD ? -EINVAL :
						attach_cpu(s, target);

	task = find_target(target, flags);
	if (IS_ERR(task))
		return PTR_ERR(task);
	err = attach_thread(s, task);
	put_task_struct(task);
	return err;
}

/**
 * sys_pfm_attach_session - attach a session to a target, or detach it
 * @fd: session
 * @flags: 0 or PFM_ATFL_PIDFD
 * @target: thread id, CPU of a system-wide session, pidfd with the flag, or
 *	PFM_NO_TARGET to detach
 *
 * Another thread must be in a ptrace stop of the caller.
 *
 * Return: 0, or
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: unknown flag, pidfd with PFM_NO_TARGET or for a CPU, CPU not
 *   online, session with PFM_FL_NOTIFY_BLOCK and the caller as its target
 * * -EBADF: @fd is no session, or @target no pidfd
 * * -ESRCH: no such thread, or not stopped by the caller's ptrace
 * * -EPERM: the caller may not trace the target, or it is a kernel thread
 * * -EBUSY: the target is exiting, the session is attached, a system-wide
 *   session is attached somewhere
 * * -EEXIST: the target has a session
 * * -EOPNOTSUPP: system-wide session
 */
SYSCALL_DEFINE3(pfm_attach_session, int, fd, int, flags, int, target)
{
	struct perfmon_call call;
	int err;

	if (!perfmon_usable())
		return -ENOSYS;
	if (flags & ~PFM_ATFL_PIDFD)
		return -EINVAL;
	if ((flags & PFM_ATFL_PIDFD) && target == PFM_NO_TARGET)
		return -EINVAL;
	err = perfmon_call_open(&call, fd);
	if (err)
		return err;
	err = attach_session(&call, flags, target);
	perfmon_call_close(&call);
	return err;
}

static void start_counting(struct pfm_session *s, enum pfm_caller caller)
{
	struct pfm_set *set = s->active;

	if (s->started)
		return;
	if (set->dirty)
		perfmon_set_build(set, s->flags & PFM_FL_SYSTEM_WIDE);
	s->started = true;
	s->started_at = task_sched_runtime(s->target);
	if (caller != PFM_CALLER_SELF) {
		WRITE_ONCE(s->counting, set);
		return;
	}
	local_irq_disable();
	WRITE_ONCE(s->counting, set);
	perfmon_arch_resume(&set->arch);
	local_irq_enable();
}

static void stop_counting(struct pfm_session *s, enum pfm_caller caller)
{
	if (!s->started)
		return;
	local_irq_disable();
	if (caller == PFM_CALLER_SELF)
		perfmon_arch_suspend(&s->active->arch);
	WRITE_ONCE(s->counting, NULL);
	local_irq_enable();
	account_duration(s);
	s->started = false;
}

/**
 * perfmon_reload - bring changed registers of a counting set to the hardware
 * @s: session, locked
 * @caller: relation of the caller to the target, which is still
 *
 * A set that does not count is built when it is started.
 */
void perfmon_reload(struct pfm_session *s, enum pfm_caller caller)
{
	struct pfm_set *set = s->counting;
	bool system_wide = s->flags & PFM_FL_SYSTEM_WIDE;

	if (!set || !set->dirty)
		return;
	if (caller != PFM_CALLER_SELF) {
		perfmon_set_build(set, system_wide);
		return;
	}
	local_irq_disable();
	perfmon_arch_suspend(&set->arch);
	perfmon_set_build(set, system_wide);
	perfmon_arch_resume(&set->arch);
	local_irq_enable();
}

/* Both calls are legal for whoever may touch the target. */
static int start_or_stop(int fd, void (*action)(struct pfm_session *s,
						enum pfm_caller caller))
{
	struct perfmon_call call;
	int err;

	err = perfmon_call_open(&call, fd);
	if (err)
		return err;
	err = perfmon_call_lock(&call);
	if (!err) {
		if (call.caller == PFM_CALLER_DETACHED)
			err = -EINVAL;
		else
			action(call.session, call.caller);
		perfmon_call_unlock(&call);
	}
	perfmon_call_close(&call);
	return err;
}

/* Nothing is ever masked yet, so no restart is owed. */
static int restart_session(int fd)
{
	struct perfmon_call call;
	int err = perfmon_call_open(&call, fd);

	if (err)
		return err;
	perfmon_call_close(&call);
	return -EBUSY;
}

/**
 * sys_pfm_start_session - start counting, or resume after a notification
 * @fd: session
 * @flags: 0, or PFM_STFL_RESTART
 *
 * Return: 0, also if it was started before; or
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: unknown flag; not attached
 * * -EBADF: @fd is no session
 * * -ESRCH: attached to a thread that is not stopped by the caller's ptrace
 * * -EPERM: the same, and the caller may not trace it
 * * -EBUSY: restart without a notification that waits for it
 */
SYSCALL_DEFINE2(pfm_start_session, int, fd, int, flags)
{
	if (!perfmon_usable())
		return -ENOSYS;
	if (flags & ~PFM_STFL_RESTART)
		return -EINVAL;
	if (flags & PFM_STFL_RESTART)
		return restart_session(fd);
	return start_or_stop(fd, start_counting);
}

/**
 * sys_pfm_stop_session - stop counting
 * @fd: session
 * @flags: 0
 *
 * Return: 0, also if it was stopped before; else as sys_pfm_start_session()
 * without -EBUSY.
 */
SYSCALL_DEFINE2(pfm_stop_session, int, fd, int, flags)
{
	if (!perfmon_usable())
		return -ENOSYS;
	if (flags)
		return -EINVAL;
	return start_or_stop(fd, stop_counting);
}
