// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of monitored threads, the rule for acting on one of them, and the hook of the
 * context switch, which follows that rule.
 *
 * Owns perfmon_host_table, which is changed under table_lock, and read under RCU by the
 * context switch and other code; perfmon_here of each CPU, which only that CPU changes,
 * with interrupts off; and perfmon_session.host.
 *
 * A linked session has an owner, named by .where: a CPU; or a caller that has set it to
 * HELD.  While it is OFF, the first of these that comes takes it.  The context switch
 * waits for a caller that holds it; such a caller has interrupts off and is quick.  If a
 * session was linked while its thread ran, the CPU of the thread takes it: by an
 * interrupt (table_claim()), or at the next switch.
 *
 * Lock order: perfmon_session.lock, HELD, table_lock.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/processor.h>
#include <linux/rculist.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include <asm/processor-flags.h>
#include <asm/special_insns.h>

#include "host.h"

struct hlist_head perfmon_host_table[1 << PERFMON_HOST_BITS];
static DEFINE_RAW_SPINLOCK(table_lock);	/* protects changes of the table */

DEFINE_PER_CPU(struct perfmon_session *, perfmon_here);

/* Interrupts are off, which is sufficient for RCU. */
#define table_dereference(node) \
	rcu_dereference_check(node, rcu_read_lock_sched_held())

/* Context: RCU, or interrupts off. */
static __always_inline struct perfmon_session *
table_find(const struct hlist_head *bucket, const struct task_struct *task)
{
	struct perfmon_session *s;
	struct hlist_node *node;

	for (node = table_dereference(hlist_first_rcu(bucket)); node;
	     node = table_dereference(hlist_next_rcu(node))) {
		s = hlist_entry(node, struct perfmon_session, host.node);
		if (READ_ONCE(s->host.task) == task)
			return s;
	}
	return NULL;
}

/** perfmon_host_linked - has the thread a session? */
bool perfmon_host_linked(struct task_struct *task)
{
	bool linked;

	rcu_read_lock();
	linked = table_find(perfmon_host_bucket(task), task);
	rcu_read_unlock();
	return linked;
}

/**
 * perfmon_host_get - the session of a thread
 * @task: thread
 *
 * Context: any.
 * Return: the session with a reference, or NULL.
 */
struct perfmon_session *perfmon_host_get(struct task_struct *task)
{
	struct perfmon_session *s;

	rcu_read_lock();
	s = table_find(perfmon_host_bucket(task), task);
	if (s && !refcount_inc_not_zero(&s->ref))
		s = NULL;
	rcu_read_unlock();
	return s;
}

static __always_inline void table_come_here(struct perfmon_session *s, u64 now)
{
	s->host.clock_in = now;
	__this_cpu_write(perfmon_here, s);
}

/* Take a session for this CPU if its thread runs here.  Context: interrupts off. */
static void table_claim(void *session)
{
	struct perfmon_session *s = session;

	if (READ_ONCE(s->host.task) == current &&
	    cmpxchg_acquire(&s->host.where, PERFMON_HOST_OFF,
			    smp_processor_id()) == PERFMON_HOST_OFF)
		table_come_here(s, sched_clock());
}

static int table_add(struct perfmon_session *s, struct task_struct *task)
{
	struct hlist_head *bucket = perfmon_host_bucket(task);

	if (table_find(bucket, task))
		return -EEXIST;
	s->host.clock_sum = 0;
	s->host.where = task == current ? smp_processor_id() : PERFMON_HOST_OFF;
	WRITE_ONCE(s->host.task, task);
	hlist_add_head_rcu(&s->host.node, bucket);
	if (task == current)
		table_come_here(s, sched_clock());
	return 0;
}

/**
 * perfmon_host_link - link a session to its target, which may run
 * @s: session that does not count, locked
 *
 * Context: may sleep.
 * Return: 0; -EEXIST if the target has a session; -EBUSY if it exits, or the session is
 * still leaving a former target.  After an error the caller detaches the session.
 */
int perfmon_host_link(struct perfmon_session *s)
{
	struct task_struct *task = s->target;
	unsigned long flags;
	int err;

	/* Pairs with the release after the session has left its former thread. */
	if (smp_load_acquire(&s->host.leaving))
		return -EBUSY;
	/* Pairs with the release after that thread has started another program. */
	if (smp_load_acquire(&s->host.begins))
		return -EBUSY;
	raw_spin_lock_irqsave(&table_lock, flags);
	err = table_add(s, task);
	raw_spin_unlock_irqrestore(&table_lock, flags);
	if (err)
		return err;
	/* Either its exit finds the session in the table, or we see that it exits. */
	smp_mb();
	if (READ_ONCE(task->flags) & PF_EXITING)
		return -EBUSY;
	/* If it runs on another CPU by now, its switch in has found the session. */
	if (task != current)
		smp_call_function_single(task_cpu(task), table_claim, s, 1);
	return 0;
}

/**
 * perfmon_host_unlink - undo perfmon_host_link(), if it succeeded
 * @s: session
 *
 * Context: on the target, or while it is held; interrupts off.
 */
void perfmon_host_unlink(struct perfmon_session *s)
{
	raw_spin_lock(&table_lock);
	if (s->host.task) {
		hlist_del_rcu(&s->host.node);
		WRITE_ONCE(s->host.task, NULL);
	}
	raw_spin_unlock(&table_lock);
	if (!perfmon_host_is_here(s))
		return;
	__this_cpu_write(perfmon_here, NULL);
	/* Pairs with the next taker, which finds it unlinked. */
	smp_store_release(&s->host.where, PERFMON_HOST_OFF);
}

/**
 * perfmon_host_run_off_cpu - call a function while a thread runs nowhere
 * @s: session, locked, attached to a thread
 * @fn: must not sleep nor wake a task
 * @arg: for @fn
 *
 * Return: false if the thread is running; then @fn was not called.
 */
bool perfmon_host_run_off_cpu(struct perfmon_session *s, perfmon_target_fn fn,
			      void *arg)
{
	unsigned long flags;
	bool held;

	local_irq_save(flags);
	held = cmpxchg_acquire(&s->host.where, PERFMON_HOST_OFF,
			       PERFMON_HOST_HELD) == PERFMON_HOST_OFF;
	if (held) {
		fn(s, arg);
		/* Pairs with the next taker, mostly the switch. */
		smp_store_release(&s->host.where, PERFMON_HOST_OFF);
	}
	local_irq_restore(flags);
	return held;
}

/* The thread of this CPU's session stops running.  Return: sched_clock(). */
static __always_inline u64 table_switch_out(struct perfmon_session *s)
{
	u64 now;

	__perfmon_sched_out(s->host.task);
	now = sched_clock();
	s->host.clock_sum += now - s->host.clock_in;
	__this_cpu_write(perfmon_here, NULL);
	/* From here on others may take the session. */
	smp_store_release(&s->host.where, PERFMON_HOST_OFF);
	return now;
}

/* Take the session of a thread that begins to run.  Return: NULL if it has none. */
static __always_inline struct perfmon_session *
table_take(const struct hlist_head *bucket, const struct task_struct *next)
{
	struct perfmon_session *s = table_find(bucket, next);

	if (!s)
		return NULL;
	while (cmpxchg_acquire(&s->host.where, PERFMON_HOST_OFF,
			       smp_processor_id()) != PERFMON_HOST_OFF)
		cpu_relax();
	if (likely(s->host.task == next))
		return s;
	/*
	 * Its holder has unlinked it, and another thread may have it now.  Restore
	 * .where.
	 */
	smp_store_release(&s->host.where, PERFMON_HOST_OFF);
	return NULL;
}

/*
 * A thread begins to run, perhaps with a session; @now is sched_clock() or 0.  If its
 * program may execute RDPMC (@reader), it must not find others' counts.
 */
static __always_inline void table_switch_in(const struct hlist_head *bucket,
					    struct task_struct *next, u64 now,
					    bool reader)
{
	struct perfmon_session *s = table_take(bucket, next);

	/*
	 * A session that counts with a page isolates the counters itself, and may keep
	 * its own.
	 */
	if (reader && !(s && s->page && s->counting))
		perfmon_reader_isolate();
	if (!s)
		return;
	table_come_here(s, now ? now : sched_clock());
	__perfmon_sched_in(next);
}

/* Not inlined into the probe, which then saves no registers for most switches. */
static noinline __flatten void table_switch(struct perfmon_session *s,
					    const struct hlist_head *bucket,
					    struct task_struct *next)
{
	u64 now = 0;

	if (s)
		now = table_switch_out(s);
	table_switch_in(bucket, next, now, false);
}

/*
 * A program that may execute RDPMC is loaded for the first time after perf_event had the
 * PMU.  This load zeroes the counters that perf_event has left dirty, and comes after the
 * hook of the switch.  So the thread's session begins to count later, in an interrupt.
 */
struct table_reader {
	bool unloaded;	/* no such load has happened since */
	bool loads;	/* one is happening now */
	struct irq_work begin;
};

static DEFINE_PER_CPU(struct table_reader, table_reader);

static void table_begin(struct irq_work *work)
{
	struct table_reader *reader =
		container_of(work, struct table_reader, begin);

	/* If perf_event's file rdpmc is 0, the load zeroed nothing. */
	if (reader->loads && (native_read_cr4() & X86_CR4_PCE))
		reader->unloaded = false;
	reader->loads = false;
	if (!perfmon_host_here())
		table_switch_in(perfmon_host_bucket(current), current, 0,
				perfctr_host_may_read(current));
}

/**
 * perfmon_host_table_init - prepare before any hook: per-CPU data of modules has no
 *	relocations
 */
void perfmon_host_table_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(table_reader, cpu).begin =
			IRQ_WORK_INIT_HARD(table_begin);
}

/**
 * perfmon_host_reader_unloaded - perf_event may have used the counters of this CPU
 *
 * Context: interrupts off.
 */
void perfmon_host_reader_unloaded(void)
{
	__this_cpu_write(table_reader.unloaded, true);
}

/** perfmon_host_table_exit - wait for table_begin(); no session is left */
void perfmon_host_table_exit(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(table_reader, cpu).begin);
}

static void table_switch_unloaded(struct perfmon_session *s,
				  const struct task_struct *prev,
				  const struct task_struct *next)
{
	bool loads = prev->active_mm != next->mm;

	if (s)
		table_switch_out(s);
	perfmon_reader_zero();
	__this_cpu_write(table_reader.loads, loads);
	irq_work_queue(this_cpu_ptr(&table_reader.begin));
}

/* table_switch() to a thread whose program may execute RDPMC. */
static noinline void table_switch_reader(struct perfmon_session *s,
					 const struct hlist_head *bucket,
					 const struct task_struct *prev,
					 struct task_struct *next)
{
	u64 now = 0;

	/*
	 * It has old permission from perf_event, which gives none while we have the PMU.
	 */
	if (!perfmon_reader_known(next->mm)) {
		perfctr_host_forbid_mm(next->mm);
		table_switch(s, bucket, next);
		return;
	}
	if (unlikely(__this_cpu_read(table_reader.unloaded))) {
		table_switch_unloaded(s, prev, next);
		return;
	}
	if (s)
		now = table_switch_out(s);
	table_switch_in(bucket, next, now, true);
}

/**
 * perfmon_host_probe_switch - a CPU switches from one thread to another
 * @data: not used, like @preempt and @prev_state
 * @preempt: see above
 * @prev: thread that stops running; perfmon_here has its session
 * @next: thread that begins to run
 * @prev_state: see above
 *
 * Context: tracepoint; run-queue lock held, interrupts off, which is sufficient for RCU.
 */
void perfmon_host_probe_switch(void *data, bool preempt,
			       struct task_struct *prev,
			       struct task_struct *next,
			       unsigned int prev_state)
{
	const struct hlist_head *bucket = perfmon_host_bucket(next);
	struct perfmon_session *s = perfmon_host_here();

	if (unlikely(perfctr_host_may_read(next)))
		table_switch_reader(s, bucket, prev, next);
	else if (unlikely(s || !hlist_empty(bucket)))
		table_switch(s, bucket, next);
}
