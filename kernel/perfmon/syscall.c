// SPDX-License-Identifier: GPL-2.0-only
/*
 * The common frame of all system calls.
 *
 * Every call checks in this order, and the first failure decides the error:
 * perfmon usable (ENOSYS), flags (EINVAL), element count (EINVAL), descriptor
 * (EBADF), vector size (E2BIG), memory (ENOMEM), copy-in (EFAULT), state and
 * caller (EBUSY, ESRCH, EPERM, EINVAL), elements in order, copy-out (EFAULT).
 */
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "file.h"
#include "syscall.h"

/*
 * Does perfmon drive this processor?  If not, or with perfmon=off, all system
 * calls fail with -ENOSYS.
 */
bool perfmon_usable __ro_after_init;

/* Limit of a vector in bytes, arg_mem_max in sysfs; applies to later calls. */
size_t perfmon_arg_mem_max = PAGE_SIZE;

/**
 * perfmon_call_open - look up the session
 * @call: filled; perfmon_call_close() must follow success
 * @fd: descriptor
 *
 * Return: 0 or -EBADF.
 */
int perfmon_call_open(struct perfmon_call *call, perfmon_fd fd)
{
	call->held = NULL;
	call->f = perfmon_host_fdget(fd);
	if (fd_empty(call->f))
		return -EBADF;
	call->session = perfmon_file_session(fd_file(call->f));
	if (call->session)
		return 0;
	fdput(call->f);
	return -EBADF;
}

static void call_let_go(struct perfmon_call *call)
{
	if (!call->held)
		return;
	if (call->frozen)
		perfmon_tracee_thaw(call->held);
	put_task_struct(call->held);
	call->held = NULL;
}

/*
 * Freeze the target of the locked session, if it is another thread and the caller may
 * freeze it.  The session is unlocked meanwhile, so that other callers, such as the
 * administrator, need not wait: freezing takes until the thread is off its CPU, and other
 * threads may delay that for any time.
 */
static void call_freeze_target(struct perfmon_call *call)
{
	struct perfmon_session *s = call->session;
	struct task_struct *target;

	while (s->target && s->target != current && s->target != call->held) {
		target = get_task_struct(s->target);
		mutex_unlock(&s->lock);
		call_let_go(call);
		call->held = target;
		call->frozen = !perfmon_host_hold(target);
		mutex_lock(&s->lock);
	}
	/* The session may have been detached meanwhile. */
	if (call->held && s->target != call->held)
		call_let_go(call);
}

/* The session is locked, and its target is another thread. */
static noinline int call_hold_other(struct perfmon_call *call)
{
	struct perfmon_session *s = call->session;
	int caller;

	call_freeze_target(call);
	caller = perfmon_caller_hold(s, call->held && call->frozen);
	if (caller < 0) {
		perfmon_call_unlock(call);
		return caller;
	}
	call->caller = caller;
	return 0;
}

/**
 * perfmon_call_lock - lock the session and keep its target still
 * @call: opened
 *
 * On success @call->caller is the relation of the caller to the target.
 *
 * Return: 0, or -ESRCH or -EPERM if the caller may not touch the target now;
 * then the session is not locked.
 */
int perfmon_call_lock(struct perfmon_call *call)
{
	struct perfmon_session *s = call->session;

	mutex_lock(&s->lock);
	if (unlikely(s->target && s->target != current))
		return call_hold_other(call);
	call->caller = perfmon_caller_any(s);
	return 0;
}

/**
 * perfmon_call_lock_running - lock the session, whatever its target does
 * @call: opened
 * @change: the call changes the session; else it only reads values
 *
 * On success @call->caller is the relation of the caller to the target.
 *
 * Return: 0; -EPERM, then the session is not locked.
 */
int perfmon_call_lock_running(struct perfmon_call *call, bool change)
{
	struct perfmon_session *s = call->session;
	int caller;

	mutex_lock(&s->lock);
	caller = perfmon_caller_running(s, change);
	if (caller < 0) {
		mutex_unlock(&s->lock);
		return caller;
	}
	call->caller = caller;
	return 0;
}

/** perfmon_call_unlock - undo perfmon_call_lock(), perfmon_call_lock_running() */
void perfmon_call_unlock(struct perfmon_call *call)
{
	if (unlikely(call->held))
		call_let_go(call);
	mutex_unlock(&call->session->lock);
}

/** perfmon_call_close - undo perfmon_call_open() */
void perfmon_call_close(struct perfmon_call *call)
{
	fdput(call->f);
}

/**
 * perfmon_vec_get - copy a vector in
 * @v: filled; perfmon_vec_put() must follow success
 * @src: user pointer, ignored if @n is 0
 * @n: elements; perfmon_check_count() and perfmon_vec_fits() have passed it
 * @element: size of one
 *
 * Return: 0, -ENOMEM or -EFAULT.
 */
int perfmon_vec_get(struct perfmon_vec *v, const void __user *src, int n,
		    size_t element)
{
	size_t size = n * element;

	v->data = v->small;
	if (!n)
		return 0;
	if (size > sizeof(v->small)) {
		v->data = kvmalloc(size, GFP_KERNEL_ACCOUNT);
		if (!v->data)
			return -ENOMEM;
	}
	if (copy_from_user(v->data, src, size)) {
		perfmon_vec_put(v);
		return -EFAULT;
	}
	return 0;
}

/**
 * perfmon_call_open_vec - open a call on a session with one vector
 * @call: filled; perfmon_call_close() must follow success
 * @fd: descriptor
 * @v: filled; perfmon_vec_put() must follow success
 * @src: user pointer to the vector
 * @n: its length
 * @element: size of an element
 *
 * Return: 0, -EINVAL, -EBADF, -E2BIG, -ENOMEM or -EFAULT, in this order.
 */
int perfmon_call_open_vec(struct perfmon_call *call, perfmon_fd fd,
			  struct perfmon_vec *v, const void __user *src, int n,
			  size_t element)
{
	int err = perfmon_check_count(n, element);

	if (err)
		return err;
	err = perfmon_call_open(call, fd);
	if (err)
		return err;
	err = perfmon_vec_fits(n, element);
	if (!err)
		err = perfmon_vec_get(v, src, n, element);
	if (err)
		perfmon_call_close(call);
	return err;
}

/** perfmon_vec_put - free what perfmon_vec_get() allocated */
void perfmon_vec_put(struct perfmon_vec *v)
{
	if (v->data != v->small)
		kvfree(v->data);
}
