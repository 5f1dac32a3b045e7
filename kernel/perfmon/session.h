/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session, and who may touch it.
 *
 * Locks:
 * - perfmon_session.lock (mutex) serialises the system calls on a session and
 *   protects everything in it that has no other comment.  What a thread does
 *   about itself and is done in the hot way needs no lock, see
 *   perfmon_self_begin().
 * - "Hot" fields are used by the context switch, the tick, the overflow
 *   interrupt and the set timer of the CPU that the session counts on, without
 *   a lock and with interrupts off.  Everybody else changes them where those
 *   cannot run: perfmon_on_target() takes the code to them.  Hot are
 *   perfmon_session.counting, .active and those marked so, and the values and
 *   counters of all sets.
 * - task_struct.perfmon_session and the session of a CPU follow the same rule and
 *   hold a reference.
 * - perfmon_msgq.lock (raw, interrupt-safe) protects the messages.
 */
#ifndef _KERNEL_PERFMON_SESSION_H
#define _KERNEL_PERFMON_SESSION_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/perfmon_pmu.h>
#include <linux/prandom.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/task_work.h>
#include <linux/types.h>
#include <linux/uidgid_types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "account.h"
#include "host_session.h"
#include "loss.h"
#include "notify/msgq.h"
#include "set.h"

/* Values are those of the interface description; 4 names no session. */
enum perfmon_state {
	PERFMON_UNLOADED = 1,
	PERFMON_LOADED = 2,
	PERFMON_MASKED = 3,
};

/**
 * struct perfmon_creator - who created a session
 * @uid: user, whose sessions share the budgets of throttling
 * @tgid: process, in the initial pid namespace
 * @comm: its name then
 */
struct perfmon_creator {
	kuid_t uid;
	pid_t tgid;
	char comm[TASK_COMM_LEN];
};

/**
 * struct perfmon_session - a monitoring session, named by a file descriptor
 * @counting: the active set while the session is attached, started and neither
 *	masked nor throttled, else NULL: all that the context switch looks at
 * @lock: see the top of this file
 * @ref: one for the file, one for the attachment, one per passing user
 * @flags: PFM_FL_*
 * @state: enum perfmon_state; MASKED comes and goes by the hot rule
 * @started: between start and stop; hot
 * @at_exec: starts when the target executes a program; hot
 * @ended: by the administrator, for ever (admin/enabled.c); never attached again
 * @self: was attached by its target
 * @owner_capable: creator may count everything
 * @kernel_ip: some PMC was allowed to count the kernel, so samples may show it
 * @can_restart: notifications whose restart is owed; hot
 * @switch_pending: the restart will switch sets; hot
 * @block_queued: @block_work is on its way or running; hot
 * @blocked: the target waits in @block_wait for a restart, or is about to; hot
 * @signal_queued: @signal_work is on its way; hot
 * @gap: enum perfmon_gap, hot
 * @gap_clock: perfmon_clock() when the gap began; hot
 * @loss: what was missed; hot
 * @throttle_end: when a throttled session may go on, in jiffies; hot
 * @storm_jiffies: overflow interrupts in that jiffy ...; hot
 * @storm_count: ... are counted here; hot
 * @storm_step: those that have not been counted yet; hot
 * @active: set that is or will be on the hardware; hot
 * @sets: all sets, ascending id
 * @sets_by_id: the same, to be looked up
 * @nr_sets: their number
 * @target: monitored thread, with a reference; NULL unless attached to one
 * @cpu: monitored CPU; -1 unless attached to one
 * @slice_clock: perfmon_clock() when the active set began to count; hot
 * @slice_time: monotonic time when the timeout of the active set began to run;
 *	hot
 * @random: source of randomised periods; hot
 * @random_seeded: some PMD was written that has such periods
 * @account: what its sets and attributes cost its creator
 * @ns: pid namespace of the owner, which all ids belong to
 * @seen_task: task that was interrupted last, only to be compared; hot
 * @seen_start: its start_time, since addresses are used again; hot
 * @seen_tid: its thread id in @ns; hot
 * @seen_tgid: its process id in @ns; hot
 * @fmt: sampling format, or NULL
 * @fmt_ready: it was initialised
 * @buf: its buffer, or NULL
 * @buf_addr: where the kernel sees it, or NULL
 * @block_work: makes the target wait before it returns to user mode
 * @block_wait: where it waits
 * @signal_work: makes the target signal itself
 * @signal_mask: PMDs 0..31 of overflows without a signal so far; hot
 * @creator: constant
 * @holder: in the list of sessions that hold the PMU, see perfmon_pmu_get()
 * @free_work: frees it where the last reference must not
 * @rcu: the memory goes when no irq_work can look at it any more
 * @host: what the host knows of it (host.h)
 * @msgq: messages; comes last, see session_alloc()
 */
struct perfmon_session {
	struct perfmon_set *counting;
	struct mutex lock;	/* see the top of this file */
	refcount_t ref;
	u32 flags;
	u8 state;
	bool started;
	bool at_exec;
	bool ended;
	bool self;
	bool owner_capable;
	bool kernel_ip;
	u8 can_restart;
	bool switch_pending;
	bool block_queued;
	bool blocked;
	bool signal_queued;
	u8 gap;
	u64 gap_clock;
	struct perfmon_loss loss;
	unsigned long throttle_end;
	unsigned long storm_jiffies;
	unsigned int storm_count;
	unsigned int storm_step;
	struct perfmon_set *active;
	struct list_head sets;
	struct rb_root sets_by_id;
	unsigned int nr_sets;
	struct task_struct *target;
	int cpu;
	u64 slice_clock;
	ktime_t slice_time;
	struct rnd_state random;
	bool random_seeded;
	struct perfmon_account account;
	struct pid_namespace *ns;
	const void *seen_task;
	u64 seen_start;
	u32 seen_tid;
	u32 seen_tgid;
	struct pfm_smpl_fmt *fmt;
	bool fmt_ready;
	struct perfmon_buffer *buf;
	void *buf_addr;
	struct callback_head block_work;
	wait_queue_head_t block_wait;
	struct callback_head signal_work;
	u32 signal_mask;
	struct perfmon_creator creator;
	struct list_head holder;
	struct work_struct free_work;
	struct rcu_head rcu;
	struct perfmon_host_session host;
	struct perfmon_msgq msgq;
};

/*
 * Is the session attached?  For who has its lock: on the target it may be masked
 * and unmasked meanwhile, but not attached or detached.
 */
static inline bool perfmon_session_attached(const struct perfmon_session *s)
{
	return READ_ONCE(s->state) != PERFMON_UNLOADED;
}

int perfmon_session_init(void);
void perfmon_session_exit(void);
struct perfmon_session *perfmon_session_alloc(struct perfmon_set *set);
void perfmon_session_put(struct perfmon_session *s);
void perfmon_session_put_atomic(struct perfmon_session *s);

#endif /* _KERNEL_PERFMON_SESSION_H */
