// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs without counters of their own: the second hyper-threads of Pentium 4
 * processors.  A monitored thread is kept away from them, because nothing could
 * be counted there; a session of such a CPU makes no sense.
 *
 * The affinity is changed once, when the session is attached, and children
 * inherit it.  Whoever widens it again afterwards gets a thread that is not
 * counted while it runs there.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/sched.h>

#include "perfmon.h"

/** perfmon_cpu_counts - may a session watch this CPU? */
bool perfmon_cpu_counts(unsigned int cpu)
{
	return !cpumask_test_cpu(cpu, perfmon_arch_forbidden_cpus());
}

/**
 * perfmon_keep_countable - let a thread run only where it can be counted
 * @task: the caller, or a thread that is kept still
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if it may run nowhere else; -ENOMEM.
 */
int perfmon_keep_countable(struct task_struct *task)
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
