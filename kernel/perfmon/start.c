// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfm_start_session() and pfm_stop_session(): start, stop, and restart after a
 * notification.
 *
 * Functions *_on_target() change the session; they run on the target (target.c).
 */
#include <linux/errno.h>
#include <linux/syscalls.h>

#include "admin/stats.h"
#include "family/family.h"
#include "loss.h"
#include "notify/notify.h"
#include "pmd.h"
#include "run.h"
#include "smpl/smpl.h"
#include "syscall.h"

static void start_on_target(struct perfmon_session *s, void *unused)
{
	perfmon_start(s);
}

static void start_at_exec_on_target(struct perfmon_session *s, void *unused)
{
	s->at_exec = true;
}

static void stop_on_target(struct perfmon_session *s, void *unused)
{
	s->at_exec = false;
	perfmon_pause(s);
	perfmon_gap_stopped(s);
	WRITE_ONCE(s->started, false);
}

/* perfmon_clock() of a thread that may be running must be read on its CPU. */
static enum perfmon_caller start_with_clock(enum perfmon_caller caller)
{
	return caller == PERFMON_CALLER_MASKED ? PERFMON_CALLER_OTHER : caller;
}

/*
 * The administrator has detached an ended session: a start fails with -EBUSY, not
 * -EINVAL.
 */
static int start_detached_errno(const struct perfmon_session *s,
				perfmon_target_fn fn)
{
	return s->ended && fn != stop_on_target ? -EBUSY : -EINVAL;
}

/* Start or stop the target first, then its family. */
static void start_act(struct perfmon_session *s, enum perfmon_caller caller,
		      perfmon_target_fn fn)
{
	if (caller != PERFMON_CALLER_ORPHAN)
		perfmon_on_target(s, start_with_clock(caller), fn, NULL);
	else
		WRITE_ONCE(s->started, fn == start_on_target);
	if (perfmon_family(s))
		perfmon_family_run(s, READ_ONCE(s->started));
}

static noinline int start_for_other(struct perfmon_call *call,
				    perfmon_target_fn fn, bool running)
{
	int err = running ? perfmon_call_lock_running(call, true) :
			    perfmon_call_lock(call);

	if (err)
		return err;
	if (call->caller == PERFMON_CALLER_DETACHED)
		err = start_detached_errno(call->session, fn);
	else if (call->caller == PERFMON_CALLER_ORPHAN &&
		 fn == start_at_exec_on_target)
		err = -ESRCH;
	else
		start_act(call->session, call->caller, fn);
	perfmon_call_unlock(call);
	return err;
}

/* Start or stop: unlike a restart, both need permission to act on the target. */
static __always_inline int start_or_stop(perfmon_fd fd, perfmon_target_fn fn,
					 int flags)
{
	struct perfmon_call call __uninitialized;
	int err;

	err = perfmon_call_open(&call, fd);
	if (err)
		return err;
	/* A family is started and stopped under the session's lock. */
	if (likely(!perfmon_family(call.session)) &&
	    perfmon_self_begin(call.session)) {
		fn(call.session, NULL);
		perfmon_self_end();
	} else {
		err = start_for_other(&call, fn, flags & PFM_STFL_RUNNING);
	}
	perfmon_call_close(&call);
	return err;
}

/* Only for sessions of threads: a CPU executes no program. */
static int start_at_exec(perfmon_fd fd, int flags)
{
	struct perfmon_call call;
	int err = perfmon_call_open(&call, fd);

	if (err)
		return err;
	if (call.session->flags & PFM_FL_SYSTEM_WIDE)
		err = -EINVAL;
	else
		err = start_for_other(&call, start_at_exec_on_target,
				      flags & PFM_STFL_RUNNING);
	perfmon_call_close(&call);
	return err;
}

/* The sampling format, if there is one, decides what the restart does. */
static u32 restart_controls(struct perfmon_session *s)
{
	u32 ctrl = PFM_OVFL_CTRL_RESET;

	if (!s->fmt)
		return ctrl;
	ctrl = 0;
	if (!s->fmt->restart)
		return PFM_OVFL_CTRL_RESET;
	if (s->fmt->restart(s->counting, &ctrl, s->buf_addr))
		return PFM_OVFL_CTRL_MASK;
	if (ctrl & PFM_OVFL_CTRL_FULL && !s->can_restart)
		s->can_restart = 1;
	return ctrl;
}

/* The active set is not on the hardware. */
static void restart_reset_or_switch(struct perfmon_session *s, u32 ctrl)
{
	struct perfmon_set *set = s->active;

	if (s->switch_pending) {
		s->switch_pending = false;
		perfmon_switch_set(s, true);
	} else if (ctrl & PFM_OVFL_CTRL_RESET) {
		perfmon_reset_pmds(s, set, set->reset_pmds, true);
		bitmap_zero(set->reset_pmds, PERFMON_ARCH_MAX_PMDS);
	}
}

/* Only sessions with a format restart while they are not masked. */
static void restart_loaded(struct perfmon_session *s)
{
	u32 ctrl = restart_controls(s);
	bool counting = s->counting;

	perfmon_pause(s);
	restart_reset_or_switch(s, ctrl);
	if (ctrl & PFM_OVFL_CTRL_MASK) {
		/* End its gap: else the tick would resume a throttled session. */
		if (s->gap != PERFMON_GAP_NONE)
			perfmon_gap_end(s, perfmon_clock(s));
		WRITE_ONCE(s->state, PERFMON_MASKED);
		perfmon_gap_masked(s);
	} else if (counting) {
		perfmon_unpause(s);
	}
}

static void restart_masked(struct perfmon_session *s)
{
	u32 ctrl = restart_controls(s);

	restart_reset_or_switch(s, ctrl);
	if (ctrl & PFM_OVFL_CTRL_MASK) {
		/* The thread stops waiting and runs without being counted. */
		perfmon_gap_masked(s);
		return;
	}
	WRITE_ONCE(s->state, PERFMON_LOADED);
	if (s->started)
		perfmon_unpause(s);
}

static void restart_on_target(struct perfmon_session *s, void *arg)
{
	bool masked = s->state == PERFMON_MASKED;
	int *err = arg;

	*err = -EBUSY;
	if (!s->can_restart)
		return;
	if (!masked && !(s->fmt && s->fmt->restart))
		return;
	s->can_restart--;
	/* Before counting resumes: the next overflow may block the thread again. */
	WRITE_ONCE(s->blocked, false);
	perfmon_count(PERFMON_STAT_RESTART);
	if (masked)
		restart_masked(s);
	else
		restart_loaded(s);
	perfmon_page_update(s);
	*err = 0;
}

/* Any holder of the descriptor may restart, without permission to act on the target. */
static int restart_session(perfmon_fd fd)
{
	struct perfmon_call call __uninitialized;
	struct perfmon_session *s;
	int err = perfmon_call_open(&call, fd);

	if (err)
		return err;
	s = call.session;
	err = -EBUSY;
	mutex_lock(&s->lock);
	if (perfmon_session_attached(s)) {
		if (perfmon_room_waits(s))
			err = 0;
		else
			perfmon_on_target(s, perfmon_caller_any(s),
					  restart_on_target, &err);
	}
	if (!err)
		perfmon_unblock(s);
	mutex_unlock(&s->lock);
	perfmon_call_close(&call);
	return err;
}

/**
 * sys_pfm_start_session - start counting, or resume after a notification
 * @fd: session
 * @flags: PFM_STFL_RESTART alone, or any of PFM_STFL_AT_EXEC and
 *	PFM_STFL_RUNNING
 *
 * A start of a started session only restarts the timeout of the active set.  Neither a
 * restart nor a start with PFM_STFL_RUNNING needs a stopped target.  With
 * PFM_STFL_AT_EXEC counting begins at the end of the target's next successful execve(),
 * unless the session is stopped before.  A restart of a family makes members that wait
 * for room in a buffer look again (PFM_FL_NOTIFY_BLOCK).
 *
 * Return: 0, or
 *
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: unknown flag, restart with another flag; not attached;
 *   PFM_STFL_AT_EXEC and a session for a CPU
 * * -EBADF: @fd is no session
 * * -ESRCH: attached to a thread that is not stopped by the caller's ptrace, and not
 *   masked; not with PFM_STFL_RUNNING; or PFM_STFL_AT_EXEC when the target has left its
 *   family
 * * -EPERM: attached to such a thread, masked or not, that the caller may not
 *   trace
 * * -EBUSY: restart without a notification that waits for it; the session was
 *   ended by the administrator
 */
SYSCALL_DEFINE2(pfm_start_session, int, fd, int, flags)
{
	if (!perfmon_usable)
		return -ENOSYS;
	if (flags & PFM_STFL_RESTART)
		return flags == PFM_STFL_RESTART ? restart_session(fd) :
						   -EINVAL;
	if (flags & ~(PFM_STFL_AT_EXEC | PFM_STFL_RUNNING))
		return -EINVAL;
	if (flags & PFM_STFL_AT_EXEC)
		return start_at_exec(fd, flags);
	return start_or_stop(fd, start_on_target, flags);
}

/**
 * sys_pfm_stop_session - stop counting
 * @fd: session
 * @flags: 0, or PFM_STFL_RUNNING: the target need not be stopped
 *
 * On return nothing is counted, recorded or notified any more.  Queued messages stay.  A
 * start that waits for an execve() is cancelled.
 *
 * Return: 0, also if it was stopped before; or
 *
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: unknown flag; not attached
 * * -EBADF: @fd is no session
 * * -ESRCH: attached to a thread that is not stopped by the caller's ptrace,
 *   and not masked; not with PFM_STFL_RUNNING
 * * -EPERM: attached to such a thread, masked or not, that the caller may not
 *   trace
 */
SYSCALL_DEFINE2(pfm_stop_session, int, fd, int, flags)
{
	if (!perfmon_usable)
		return -ENOSYS;
	if (flags & ~PFM_STFL_RUNNING)
		return -EINVAL;
	return start_or_stop(fd, stop_on_target, flags);
}
