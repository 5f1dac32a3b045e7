// SPDX-License-Identifier: GPL-2.0-only
/*
 * Permissions to create sessions and to count the kernel, and exclusion between
 * sessions.
 *
 * Owns the groups that administrators set in sysfs (read with READ_ONCE, apply
 * to later calls only), and the numbers of attached sessions.  Per-thread and
 * system-wide sessions are never attached at the same time.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/perfmon_hooks.h>
#include <linux/security.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <linux/wait.h>

#include "access.h"
#include "session.h"

int perfmon_sys_group = PFM_GROUP_PERM_ANY;
int perfmon_task_group = PFM_GROUP_PERM_ANY;

static DEFINE_SPINLOCK(attached_lock);	/* protects the next five */
static unsigned int task_sessions;
static unsigned int sys_sessions;	/* that do not yield */
static unsigned int yielding;		/* that do */
static unsigned int evictors;		/* attach to threads when those have gone */
static unsigned int readers;		/* programs that a module lets execute RDPMC */

static DECLARE_WAIT_QUEUE_HEAD(none_yields);

/* Is the caller in the group that the administrator named? */
static bool access_in_group(int group)
{
	return group != PFM_GROUP_PERM_ANY &&
	       in_group_p(make_kgid(&init_user_ns, group));
}

/* Distributions keep users out by levels above 2, which is perf's highest. */
static bool access_closed(void)
{
	return READ_ONCE(sysctl_perf_event_paranoid) > 2;
}

/* Has the administrator opened this kind of session to the caller? */
static bool access_opened(u32 flags)
{
	int task_group = READ_ONCE(perfmon_task_group);

	if (flags & PFM_FL_SYSTEM_WIDE)
		return access_in_group(READ_ONCE(perfmon_sys_group));
	if (task_group == PFM_GROUP_PERM_ANY)
		return !access_closed() && !perfmon_arch_all_read();
	return access_in_group(task_group);
}

/*
 * Security modules have one policy for the PMU, whoever drives it: they are asked
 * what perf_event_open() asks and, as there, after all other checks.
 */
static int access_ask_security(u32 flags)
{
	int err = security_perf_event_open(PERF_SECURITY_OPEN);

	if (!err && (flags & PFM_FL_SYSTEM_WIDE))
		err = security_perf_event_open(PERF_SECURITY_CPU);
	return err;
}

/**
 * perfmon_may_create - check the right to create a session
 * @flags: PFM_FL_*
 *
 * Capable callers may create any session, members of sys_group system-wide ones.
 * Per-thread sessions are for members of task_group; if that is not set, for all
 * users, unless kernel.perf_event_paranoid is above 2 or all programs may execute
 * RDPMC, which kills them while a session exists.
 *
 * Return: 0; -EPERM; -EACCES if a security module forbids it.
 */
int perfmon_may_create(u32 flags)
{
	if (!access_opened(flags) && !perfmon_capable())
		return -EPERM;
	return access_ask_security(flags);
}

/**
 * perfmon_may_count_kernel - check the right to count privileged levels
 * @flags: PFM_FL_* of the session that would count them
 *
 * Return: 0; -EPERM; -EACCES if a security module forbids it.
 */
int perfmon_may_count_kernel(u32 flags)
{
	bool member = (flags & PFM_FL_SYSTEM_WIDE) &&
		      access_in_group(READ_ONCE(perfmon_sys_group));

	if (!member && !perfmon_capable())
		return -EPERM;
	return security_perf_event_open(PERF_SECURITY_KERNEL);
}

/**
 * perfmon_task_session_get - count an attached per-thread session
 *
 * Return: 0; -EBUSY while a system-wide session is attached; -EAGAIN if all of
 * these yield, and can be evicted.
 */
int perfmon_task_session_get(void)
{
	int err = 0;

	spin_lock(&attached_lock);
	if (sys_sessions)
		err = -EBUSY;
	else if (yielding)
		err = -EAGAIN;
	else
		task_sessions++;
	spin_unlock(&attached_lock);
	return err;
}

/** perfmon_task_session_put - undo perfmon_task_session_get() */
void perfmon_task_session_put(void)
{
	spin_lock(&attached_lock);
	task_sessions--;
	spin_unlock(&attached_lock);
}

static unsigned int *access_sys_number(const struct perfmon_session *s)
{
	return s->flags & PFM_FL_YIELD ? &yielding : &sys_sessions;
}

/**
 * perfmon_sys_session_get - make a session the one of a CPU
 * @cpu: online, and stays so
 * @s: session, with a reference for the CPU; does not count
 *
 * Return: 0, or -EBUSY while the CPU has one, per-thread sessions are attached or
 * about to be, or programs may execute RDPMC (perfmon_reader_get()).
 */
int perfmon_sys_session_get(int cpu, struct perfmon_session *s)
{
	int err = 0;

	spin_lock(&attached_lock);
	if (task_sessions || evictors || readers || per_cpu(perfmon_cpu_session, cpu)) {
		err = -EBUSY;
	} else {
		++*access_sys_number(s);
		WRITE_ONCE(per_cpu(perfmon_cpu_session, cpu), s);
	}
	spin_unlock(&attached_lock);
	return err;
}

/** perfmon_sys_session_put - undo it; the CPU has no session any more */
void perfmon_sys_session_put(const struct perfmon_session *s)
{
	spin_lock(&attached_lock);
	--*access_sys_number(s);
	spin_unlock(&attached_lock);
	if (s->flags & PFM_FL_YIELD)
		wake_up(&none_yields);
}

/**
 * perfmon_evictor_get - keep system-wide sessions out for a per-thread one
 *
 * Those that are attached stay so; no other one is until perfmon_evictor_put().
 */
void perfmon_evictor_get(void)
{
	spin_lock(&attached_lock);
	evictors++;
	spin_unlock(&attached_lock);
}

/** perfmon_evictor_put - undo perfmon_evictor_get() */
void perfmon_evictor_put(void)
{
	spin_lock(&attached_lock);
	evictors--;
	spin_unlock(&attached_lock);
}

/** perfmon_evictor_wait - wait until no session that yields is attached */
void perfmon_evictor_wait(void)
{
	wait_event(none_yields, !READ_ONCE(yielding));
}

/**
 * perfmon_reader_get - count a program that may execute RDPMC
 *
 * It would read the counters of system-wide sessions, which are never stopped.
 *
 * Return: 0; -EBUSY while a system-wide session is attached.
 */
int perfmon_reader_get(void)
{
	int err = 0;

	spin_lock(&attached_lock);
	if (sys_sessions || yielding)
		err = -EBUSY;
	else
		readers++;
	spin_unlock(&attached_lock);
	return err;
}

/** perfmon_reader_put - undo perfmon_reader_get() */
void perfmon_reader_put(void)
{
	spin_lock(&attached_lock);
	readers--;
	spin_unlock(&attached_lock);
}

unsigned int perfmon_task_sessions(void)
{
	return READ_ONCE(task_sessions);
}

unsigned int perfmon_sys_sessions(void)
{
	return READ_ONCE(sys_sessions) + READ_ONCE(yielding);
}
