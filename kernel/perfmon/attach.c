// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfm_attach_session(): attaching a session to a thread or a CPU; detach.c detaches it.
 *
 * perfmon_session.lock is held while a session becomes attached.  Lock order:
 * cpus_read_lock or exec_update_lock of the target, perfmon_session.lock.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/perfmon_hooks.h>
#include <linux/rwsem.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/syscalls.h>

#include "access.h"
#include "cpu.h"
#include "evict.h"
#include "family/family.h"
#include "run.h"
#include "syscall.h"

/* May a session monitor this CPU? */
static bool attach_cpu_counts(unsigned int cpu)
{
	return !cpumask_test_cpu(cpu, perfmon_arch_forbidden_cpus());
}

/*
 * Restrict the affinity of a thread, which is kept still or is the caller, to CPUs that
 * can count.  This happens once, and children inherit the affinity.  If the thread's
 * affinity is widened later, it is not counted on the other CPUs.
 *
 * Return: 0; -EINVAL if it may run nowhere else; -ENOMEM.
 */
static int attach_keep_countable(struct task_struct *task)
{
	const struct cpumask *forbidden = perfmon_arch_forbidden_cpus();
	cpumask_var_t allowed;
	int err = -EINVAL;

	if (!cpumask_intersects(task->cpus_ptr, forbidden))
		return 0;
	if (!alloc_cpumask_var(&allowed, GFP_KERNEL))
		return -ENOMEM;
	if (cpumask_andnot(allowed, task->cpus_ptr, forbidden))
		err = set_cpus_allowed_ptr(task, allowed);
	free_cpumask_var(allowed);
	return err;
}

/* The session is detached and about to be linked to its target. */
static void attach_prepare(struct perfmon_session *s)
{
	struct perfmon_set *set;

	perfmon_msgq_clear(&s->msgq);
	s->seen_task = NULL;
	s->rate_clock = 0;
	s->signal_mask = 0;
	s->drain_ctrl = 0;
	list_for_each_entry(set, &s->sets, node) {
		bitmap_zero(set->ovfl_pmds, PERFMON_ARCH_MAX_PMDS);
		bitmap_zero(set->reset_pmds, PERFMON_ARCH_MAX_PMDS);
	}
	perfmon_activate_set(s, list_first_entry(&s->sets, struct perfmon_set,
						 node));
	WRITE_ONCE(s->state, PERFMON_LOADED);
	perfmon_page_update(s);
	refcount_inc(&s->ref);
}

static int attach_check_target(const struct perfmon_session *s,
			       struct task_struct *task)
{
	if (task != current && !perfmon_host_may_access(task))
		return -EPERM;
	/* PF_USER_WORKER: threads of the kernel that run on a user mm. */
	if (task->flags & (PF_KTHREAD | PF_USER_WORKER))
		return -EPERM;
	if ((task->flags & PF_EXITING) || task->exit_state)
		return -EBUSY;
	if (task == current && (s->flags & PFM_FL_NOTIFY_BLOCK))
		return -EINVAL;
	return 0;
}

/*
 * Has the thread a session that cannot give way?  A part can: it is returned with a
 * reference, and is ended when only the link can still fail.
 */
static bool attach_taken(struct task_struct *task, struct perfmon_part **part)
{
	if (!perfmon_host_linked(task))
		return false;
	*part = perfmon_part_get(task);
	return !*part;
}

static int attach_bind_thread(struct perfmon_session *s,
			      struct task_struct *task,
			      struct perfmon_part **part)
{
	int err;

	if (perfmon_session_attached(s) || s->ended)
		return -EBUSY;
	/* An early check that saves work; perfmon_host_link() decides. */
	if (attach_taken(task, part))
		return -EEXIST;
	err = attach_keep_countable(task);
	if (!err && perfmon_family(s))
		err = perfmon_family_prepare(s);
	if (err)
		return err;
	err = perfmon_task_session_get();
	if (err)
		return err;

	attach_prepare(s);
	s->self = task == current;
	s->target = get_task_struct(task);
	if (perfmon_family(s))
		perfmon_family_open(s);
	if (*part)
		perfmon_family_yield(*part);
	err = perfmon_host_link(s);
	perfmon_tick_keep(s);
	if (err)
		perfmon_detach(s, false);
	else if (unlikely(s->page))
		perfmon_page_admit(s->page);
	return err;
}

static int attach_lock_and_bind(struct perfmon_session *s,
				struct task_struct *task)
{
	struct perfmon_part *part = NULL;
	int err;

	mutex_lock(&s->lock);
	err = attach_bind_thread(s, task, &part);
	mutex_unlock(&s->lock);
	if (part) {
		/* The part may have been the last member of its family. */
		perfmon_settle(part->s.family->root);
		perfmon_part_put(part);
	}
	return err;
}

/*
 * Attach the session; if system-wide sessions that yield prevent it, detach them first.
 */
static int attach_or_evict(struct perfmon_session *s, struct task_struct *task)
{
	int err = attach_lock_and_bind(s, task);

	if (likely(err != -EAGAIN))
		return err;
	perfmon_evict_begin();
	err = attach_lock_and_bind(s, task);
	perfmon_evict_end();
	return err;
}

static int attach_thread(struct perfmon_session *s, struct task_struct *task)
{
	bool freeze = task != current;
	int err;

	err = attach_check_target(s, task);
	if (!err && freeze)
		err = perfmon_tracee_freeze(task);
	if (err)
		return err;

	err = attach_or_evict(s, task);
	if (freeze)
		perfmon_tracee_thaw(task);
	return err;
}

/*
 * The target may run.  Its exec_update_lock keeps an execve() from changing credentials
 * between the check and the link: either the check sees the new program, or the execve()
 * sees the session.
 */
static int attach_running(struct perfmon_session *s, struct task_struct *task)
{
	struct rw_semaphore *exec_lock = &task->signal->exec_update_lock;
	/* The caller is being killed and never sees this -EINTR. */
	int err = down_read_killable(exec_lock);

	if (err)
		return err;
	err = attach_check_target(s, task);
	if (!err && task != current && !perfmon_host_may_steer(task))
		err = -EPERM;
	if (!err)
		err = attach_or_evict(s, task);
	up_read(exec_lock);
	return err;
}

static bool attach_lacks_some(const unsigned long *used,
			      const struct perfmon_reg *regs, unsigned int nr,
			      unsigned int kinds)
{
	unsigned int pos;

	for_each_set_bit(pos, used, nr)
		if (unlikely(regs[pos].kinds) && !(regs[pos].kinds & kinds))
			return true;
	return false;
}

/* Has the CPU the registers of all sets?  Its kind of core may lack some. */
static bool attach_cpu_has_registers(const struct perfmon_session *s, int cpu)
{
	unsigned int kinds = perfmon_arch_cpu_kinds(cpu);
	const struct perfmon_set *set;

	list_for_each_entry(set, &s->sets, node)
		if (attach_lacks_some(set->used_pmcs, perfmon_pmu.pmcs,
				      perfmon_pmu.nr_pmcs, kinds) ||
		    attach_lacks_some(set->used_pmds, perfmon_pmu.pmds,
				      perfmon_pmu.nr_pmds, kinds))
			return false;
	return true;
}

static int attach_bind_cpu(struct perfmon_session *s, int cpu)
{
	int err;

	if (perfmon_session_attached(s) || s->ended)
		return -EBUSY;
	if (cpu < 0 || cpu >= nr_cpu_ids || !cpu_online(cpu) ||
	    !attach_cpu_counts(cpu) || !attach_cpu_has_registers(s, cpu))
		return -EINVAL;
	err = perfmon_sys_session_get(cpu, s);
	if (err)
		return err;

	s->cpu = cpu;
	s->self = false;
	attach_prepare(s);
	perfmon_tick_keep(s);
	return 0;
}

static int attach_cpu(struct perfmon_session *s, int cpu)
{
	int err;

	cpus_read_lock();
	mutex_lock(&s->lock);
	err = attach_bind_cpu(s, cpu);
	mutex_unlock(&s->lock);
	cpus_read_unlock();
	return err;
}

static int attach_none(struct perfmon_call *call, bool running)
{
	int err = running ? perfmon_call_lock_running(call, true) :
			    perfmon_call_lock(call);

	if (err)
		return err;
	if (call->caller != PERFMON_CALLER_DETACHED)
		perfmon_detach(call->session, false);
	perfmon_call_unlock(call);
	return 0;
}

static int attach_session(struct perfmon_call *call, int flags, int target)
{
	struct perfmon_session *s = call->session;
	struct task_struct *task;
	int err;

	if (target == PFM_NO_TARGET && !(flags & PFM_ATFL_PIDFD))
		return attach_none(call, flags & PFM_ATFL_RUNNING);
	if (s->flags & PFM_FL_SYSTEM_WIDE)
		return flags & PFM_ATFL_PIDFD ? -EINVAL :
						attach_cpu(s, target);

	task = flags & PFM_ATFL_PIDFD ? perfmon_host_pidfd_task(target) :
					perfmon_host_find_task(target);
	if (IS_ERR(task))
		return PTR_ERR(task);
	err = flags & PFM_ATFL_RUNNING ? attach_running(s, task) :
					 attach_thread(s, task);
	put_task_struct(task);
	return err;
}

/**
 * sys_pfm_attach_session - attach a session to a target, or detach it
 * @fd: session
 * @flags: any of PFM_ATFL_PIDFD and PFM_ATFL_RUNNING
 * @target: thread id, CPU of a system-wide session, pidfd with the flag, or
 *	PFM_NO_TARGET to detach
 *
 * Another thread must be in a ptrace stop of the caller, unless the flags have
 * PFM_ATFL_RUNNING: then it may be in any state, also at a detach.
 *
 * Return: 0, or
 *
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: unknown flag, pidfd with PFM_NO_TARGET or for a CPU, CPU not
 *   online, session with PFM_FL_NOTIFY_BLOCK and the caller as its target; the
 *   CPU, or each CPU that the thread may use, is a second hyper-thread without
 *   counters (Pentium 4), or has fewer than the others; the CPU is of a kind of core
 *   that lacks a register of some set
 * * -EBADF: @fd is no session, or @target no pidfd
 * * -ESRCH: no such thread; not stopped by the caller's ptrace, and no
 *   PFM_ATFL_RUNNING
 * * -EPERM: the caller may not trace the target, or it is a kernel thread
 * * -EBUSY: the target is exiting, the session is attached or was ended by the
 *   administrator, a system-wide session without PFM_FL_YIELD is attached
 *   somewhere; for a CPU: it has a session, per-thread sessions are attached
 * * -EEXIST: the target has a session; an inherited one (PFM_FL_INHERIT) is ended instead
 * * -ENOMEM: memory for the change of the target's affinity (Pentium 4); for
 *   PFM_FL_INHERIT, also more than RLIMIT_MEMLOCK of the session's creator
 */
SYSCALL_DEFINE3(pfm_attach_session, int, fd, int, flags, int, target)
{
	struct perfmon_call call __uninitialized;
	int err;

	if (!perfmon_usable)
		return -ENOSYS;
	if (flags & ~(PFM_ATFL_PIDFD | PFM_ATFL_RUNNING))
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
