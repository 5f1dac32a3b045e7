/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's own fields of a session, by which the context switch finds it,
 * see host_table.c.
 */
#ifndef _KERNEL_PERFMON_HOST_SESSION_H
#define _KERNEL_PERFMON_HOST_SESSION_H

#include <linux/list.h>
#include <linux/task_work.h>
#include <linux/types.h>

/* perfmon_host_session.where, if it is not the number of a CPU. */
#define PERFMON_HOST_OFF	(-1)	/* the thread runs nowhere */
#define PERFMON_HOST_HELD	(-2)	/* and a caller keeps it so */

/**
 * struct perfmon_host_session - a session in the table of threads
 * @node: in its bucket, by @task
 * @task: thread that it is linked to, or NULL; never dereferenced
 * @where: the CPU on which the thread runs with the session, or one of the
 *	above
 * @clock_sum: CPU time of the thread while linked, up to its last switch in, in ns
 * @clock_in: sched_clock() of its last switch in
 * @leave_work: detaches it from a thread that exits or that its creator may not
 *	trace any more
 * @leaving: @leave_work is queued, with a reference
 * @exits: the thread exits
 * @begin_work: starts it with its family, after an execve() (PFM_STFL_AT_EXEC)
 * @begins: @begin_work is queued, with a reference
 * @birth: memory for the next clone of the thread, or NULL; family/birth.c
 * @supply_work: allocates it
 * @supplies: @supply_work is queued, with a reference
 */
struct perfmon_host_session {
	struct hlist_node node;
	struct task_struct *task;
	int where;
	u64 clock_sum;
	u64 clock_in;
	struct callback_head leave_work;
	bool leaving;
	bool exits;
	struct callback_head begin_work;
	bool begins;
	struct birth *birth;
	struct callback_head supply_work;
	bool supplies;
};

#endif /* _KERNEL_PERFMON_HOST_SESSION_H */
