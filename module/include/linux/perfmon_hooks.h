/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hooks of a module, called by tracepoints and a timer, see host_module.c.
 * A kernel with built-in perfmon has another file of this name.
 */
#ifndef _LINUX_PERFMON_HOOKS_H
#define _LINUX_PERFMON_HOOKS_H

#include <linux/percpu.h>
#include <linux/types.h>

struct perfmon_session;
struct task_struct;

/* The system-wide session of a CPU. */
DECLARE_PER_CPU(struct perfmon_session *, perfmon_cpu_session);

void __perfmon_sched_out(struct task_struct *prev);
void __perfmon_sched_in(struct task_struct *next);
void __perfmon_tick(struct perfmon_session *s);
void __perfmon_clone_task(struct task_struct *child, u64 clone_flags);
void __perfmon_exit_task(void);
void __perfmon_exec_task(void);
void __perfmon_exec_done(void);

#endif /* _LINUX_PERFMON_HOOKS_H */
