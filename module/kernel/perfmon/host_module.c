// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hooks of a core that is loaded as a module: tracepoints for the switch, clone, exec
 * and exit of threads, and a timer on each CPU that replaces the tick.  They exist while
 * perfmon has the PMU.
 *
 * Owns hooks_on, which owner.c changes under its lock and CPU hotplug reads; the timers,
 * each of which only its CPU touches; and the times at which the PMU was last taken,
 * under owner.c's lock.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/perfmon_module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/task_work.h>
#include <linux/tracepoint.h>

#include "family/family.h"
#include "host.h"
#include "loss.h"
#include "run.h"
#include "target.h"

/*
 * Period of the timer while nothing counts on the CPU, or the CPU is idle.  A thread that
 * begins to run waits at most this long for its first tick; no counter counts half of
 * 2^32 events in this time.
 */
#define IDLE_TICK_NS	(20 * NSEC_PER_MSEC)

/* The PMU lingers if it was taken this often within a second. */
#define MANY_CHANGES	10

struct host_probe {
	const char *name;
	void *fn;
	struct tracepoint *tp;
};

static bool hooks_on;
static enum cpuhp_state tick_state;
static DEFINE_PER_CPU(struct hrtimer, host_tick);
static unsigned long changes[MANY_CHANGES];	/* in jiffies */
static unsigned int oldest_change;

static void host_leave(struct callback_head *work)
{
	struct perfmon_session *s =
		container_of(work, struct perfmon_session, host.leave_work);
	bool exits = s->host.exits;

	s->host.exits = false;
	/*
	 * Pairs with perfmon_host_link(): from now on the session may get another thread.
	 */
	smp_store_release(&s->host.leaving, false);
	perfmon_leave(s, !exits);
}

/* Drop a reference to the session of a thread. */
static void host_put_atomic(struct perfmon_session *s)
{
	if (perfmon_is_part(s))
		perfmon_part_put_atomic(perfmon_part_of(s));
	else
		perfmon_session_put_atomic(s);
}

/*
 * Queue the detachment of a session from the running thread, before the thread returns to
 * user mode or ends.  Takes over the reference.
 */
static void host_queue_leave(struct perfmon_session *s, bool exits)
{
	s->host.exits |= exits;
	if (!READ_ONCE(s->host.leaving)) {
		WRITE_ONCE(s->host.leaving, true);
		if (!task_work_add(current, &s->host.leave_work,
				   exits ? TWA_NONE : TWA_RESUME))
			return;
		WRITE_ONCE(s->host.leaving, false);
	}
	host_put_atomic(s);
}

/*
 * The thread ends; its task works have not run yet.  The kernel has released its memory
 * and files, or is about to.
 */
static PERFMON_EXIT_PROBE(host_probe_exit)
{
	struct perfmon_session *s = perfmon_host_get(task);

	if (s)
		host_queue_leave(s, true);
}

/* Stop counting now: the session must not see the start of the new program. */
static void host_stop_here(struct perfmon_session *s)
{
	local_irq_disable();
	if (perfmon_host_is_here(s)) {
		perfmon_pause(s);
		perfmon_gap_stopped(s);
	}
	local_irq_enable();
}

static void host_begin(struct callback_head *work)
{
	struct perfmon_session *s =
		container_of(work, struct perfmon_session, host.begin_work);

	/* Pairs with perfmon_host_link(), see host_leave(). */
	smp_store_release(&s->host.begins, false);
	__perfmon_exec_done();
	perfmon_session_put(s);
}

/* The program is about to start.  Starting a family takes a lock, so it is done later. */
static void host_exec_done(void)
{
	struct perfmon_session *s;

	local_irq_disable();
	s = perfmon_host_here();
	if (s && s->at_exec && perfmon_family(s))
		refcount_inc(&s->ref);
	else
		s = NULL;
	local_irq_enable();
	if (!s) {
		__perfmon_exec_done();
		return;
	}
	if (!READ_ONCE(s->host.begins)) {
		WRITE_ONCE(s->host.begins, true);
		if (!task_work_add(current, &s->host.begin_work, TWA_RESUME))
			return;
		WRITE_ONCE(s->host.begins, false);
	}
	perfmon_session_put_atomic(s);
}

/* May the session stay at a program that other users may not trace? */
static bool host_is_capable(const struct perfmon_session *s)
{
	if (perfmon_is_part(s))
		s = perfmon_family(s)->root;
	return s->owner_capable;
}

/*
 * If unprivileged users may not trace the new program, the session leaves it, unless its
 * creator may count everything.  At any other program, PFM_STFL_AT_EXEC starts it.
 */
static void host_probe_exec(void *data, struct task_struct *task, pid_t old_pid,
			    struct linux_binprm *bprm)
{
	struct perfmon_session *s;

	if (!perfmon_compat_undumpable(task))
		goto done;
	s = perfmon_host_get(task);
	if (!s)
		return;
	if (!host_is_capable(s)) {
		host_stop_here(s);
		host_queue_leave(s, false);
		return;
	}
	host_put_atomic(s);
done:
	host_exec_done();
}

static struct host_probe probes[] = {
	{ "sched_switch", perfmon_host_probe_switch },
	{ "task_newtask", perfmon_host_probe_clone },
	{ "sched_process_exit", host_probe_exit },
	{ "sched_process_exec", host_probe_exec },
};

static void host_find_probe(struct tracepoint *tp, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (!strcmp(tp->name, probes[i].name))
			probes[i].tp = tp;
}

/* Unregister the first @n probes, in reverse order. */
static void host_unregister(unsigned int n)
{
	while (n--)
		tracepoint_probe_unregister(probes[n].tp, probes[n].fn, NULL);
}

/* Exit and exec are registered last: a thread that neither of them saw is in no table. */
static int host_register(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		err = tracepoint_probe_register(probes[i].tp, probes[i].fn,
						NULL);
		if (err) {
			host_unregister(i);
			return err;
		}
	}
	return 0;
}

static enum hrtimer_restart host_tick_expired(struct hrtimer *timer)
{
	struct perfmon_session *s = perfmon_host_here();

	if (!s)
		s = __this_cpu_read(perfmon_cpu_session);
	if (s)
		__perfmon_tick(s);
	hrtimer_forward_now(timer, s && !is_idle_task(current) ? TICK_NSEC :
								 IDLE_TICK_NS);
	return HRTIMER_RESTART;
}

/*
 * At a switch, the probe checks whether the next program may execute RDPMC; check the
 * present one here.
 */
static void host_cpu_begin(void *unused)
{
	perfmon_host_reader_unloaded();
	if (!perfmon_reader_known(current->active_mm))
		perfctr_host_forbid_here();
	hrtimer_start(this_cpu_ptr(&host_tick), TICK_NSEC,
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static int host_cpu_online(unsigned int cpu)
{
	local_irq_disable();
	if (READ_ONCE(hooks_on))
		host_cpu_begin(NULL);
	local_irq_enable();
	return 0;
}

/* Without the cancel, the timer would move to another CPU. */
static int host_cpu_offline(unsigned int cpu)
{
	hrtimer_cancel(per_cpu_ptr(&host_tick, cpu));
	return 0;
}

/** perfmon_host_hooks - are the tracepoints and the timers active? */
bool perfmon_host_hooks(void)
{
	return READ_ONCE(hooks_on);
}

static void host_note_change(void)
{
	changes[oldest_change] = jiffies;
	oldest_change = (oldest_change + 1) % MANY_CHANGES;
}

/**
 * perfmon_host_lingers - shall perfmon keep the PMU for a while?
 *
 * No other user can ask for the PMU meanwhile, so only if it was taken very often.
 */
bool perfmon_host_lingers(void)
{
	unsigned long first = changes[oldest_change];

	return first && time_before(jiffies, first + HZ);
}

/**
 * perfmon_host_hooks_enable - register the tracepoints and start the timers
 *
 * Context: may sleep; takes cpus_read_lock.  perfmon_host_hooks_disable() does so, too.
 * Return: 0 or an error; then no hook is active.
 */
int perfmon_host_hooks_enable(void)
{
	int err = host_register();

	if (err)
		return err;
	host_note_change();
	cpus_read_lock();
	WRITE_ONCE(hooks_on, true);
	on_each_cpu(host_cpu_begin, NULL, 1);
	perfctr_host_forbid_rest();
	cpus_read_unlock();
	return 0;
}

/**
 * perfmon_host_hooks_disable - undo perfmon_host_hooks_enable()
 *
 * A probe that is still running finds no session.
 */
void perfmon_host_hooks_disable(void)
{
	unsigned int cpu;

	cpus_read_lock();
	WRITE_ONCE(hooks_on, false);
	for_each_online_cpu(cpu)
		hrtimer_cancel(per_cpu_ptr(&host_tick, cpu));
	cpus_read_unlock();
	host_unregister(ARRAY_SIZE(probes));
}

/** perfmon_host_session_init - let a session hold the module */
void perfmon_host_session_init(struct perfmon_session *s)
{
	__module_get(THIS_MODULE);
	s->host.where = PERFMON_HOST_OFF;
	init_task_work(&s->host.leave_work, host_leave);
	init_task_work(&s->host.begin_work, host_begin);
	perfmon_birth_init(s);
	if (perfmon_family(s))
		perfmon_birth_supply(s);
}

/** perfmon_host_family_init - the same for the root of a new family, which has begun */
void perfmon_host_family_init(struct perfmon_session *root)
{
	perfmon_birth_supply(root);
}

/** perfmon_host_session_exit - undo perfmon_host_session_init() */
void perfmon_host_session_exit(struct perfmon_session *s)
{
	if (perfmon_family(s))
		perfmon_birth_exit(s);
	module_put(THIS_MODULE);
}

static void host_free_rcu(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct perfmon_session, rcu));
}

/* Not kfree_rcu(): the module's end waits with rcu_barrier(), which covers call_rcu(). */
void perfmon_host_free_rcu(struct perfmon_session *s)
{
	call_rcu(&s->rcu, host_free_rcu);
}

static ssize_t device_show(struct kobject *kobj, struct kobj_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "/dev/perfmon\n");
}

struct kobj_attribute perfmon_host_attr = __ATTR_RO(device);

/**
 * perfmon_host_init - find the tracepoints, prepare the timers
 *
 * Return: 0, or an error.
 */
int perfmon_host_init(void)
{
	struct hrtimer *timer;
	unsigned int cpu, i;
	int ret;

	for_each_kernel_tracepoint(host_find_probe, NULL);
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (!probes[i].tp)
			return -ENOENT;
	perfmon_host_table_init();
	for_each_possible_cpu(cpu) {
		timer = per_cpu_ptr(&host_tick, cpu);
		hrtimer_setup(timer, host_tick_expired, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_PINNED_HARD);
	}
	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "perfmon:tick",
					host_cpu_online, host_cpu_offline);
	if (ret < 0)
		return ret;
	tick_state = ret;
	return 0;
}

/** perfmon_host_exit - undo perfmon_host_init(); no hook is active any more */
void perfmon_host_exit(void)
{
	cpuhp_remove_state_nocalls(tick_state);
	tracepoint_synchronize_unregister();
	perfmon_host_table_exit();
}
