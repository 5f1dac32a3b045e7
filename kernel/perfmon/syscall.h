/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The common frame of all system calls: the checks, in the same order for all, and the
 * copies of vector arguments; see syscall.c.
 */
#ifndef _KERNEL_PERFMON_SYSCALL_H
#define _KERNEL_PERFMON_SYSCALL_H

#include <linux/compiler.h>
#include <linux/file.h>
#include <linux/limits.h>
#include <linux/types.h>

#include "target.h"

extern bool perfmon_usable;
extern size_t perfmon_arg_mem_max;

/**
 * struct perfmon_call - a system call on a session; perfmon_call_open() begins it
 * @f: descriptor
 * @session: of the descriptor
 * @caller: relation of the caller to the target; valid while the session is locked
 * @held: the target, if it is another thread; with a reference
 * @frozen: @held is in a ptrace stop of the caller; see perfmon_host_hold()
 */
struct perfmon_call {
	struct fd f;
	struct perfmon_session *session;
	enum perfmon_caller caller;
	struct task_struct *held;
	bool frozen;
};

#define PERFMON_VEC_SMALL	256

/**
 * struct perfmon_vec - kernel copy of a vector argument
 * @data: the elements
 * @small: memory for vectors of up to PERFMON_VEC_SMALL bytes, so that the usual call
 *	allocates nothing
 */
struct perfmon_vec {
	void *data;
	u64 small[PERFMON_VEC_SMALL / sizeof(u64)];
};

/* Return: -EINVAL unless 0 <= @n and the size in bytes fits in an int. */
static __always_inline int perfmon_check_count(int n, size_t element)
{
	return n < 0 || n >= INT_MAX / element ? -EINVAL : 0;
}

/* Return: -E2BIG if the vector is over the administrator's arg_mem_max. */
static __always_inline int perfmon_vec_fits(int n, size_t element)
{
	return n * element > READ_ONCE(perfmon_arg_mem_max) ? -E2BIG : 0;
}

int perfmon_call_open(struct perfmon_call *call, perfmon_fd fd);
int perfmon_call_lock(struct perfmon_call *call);
int perfmon_call_lock_running(struct perfmon_call *call, bool change);
void perfmon_call_unlock(struct perfmon_call *call);
void perfmon_call_close(struct perfmon_call *call);
int perfmon_call_open_vec(struct perfmon_call *call, perfmon_fd fd,
			  struct perfmon_vec *v, const void __user *src, int n,
			  size_t element);
int perfmon_vec_get(struct perfmon_vec *v, const void __user *src, int n,
		    size_t element);
void perfmon_vec_put(struct perfmon_vec *v);

#endif /* _KERNEL_PERFMON_SYSCALL_H */
