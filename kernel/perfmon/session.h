/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session, and the locks and rules of its fields.
 *
 * Locks:
 * - perfmon_session.lock (mutex) serialises the system calls on a session and
 *   protects every field that is not marked otherwise below.  A thread reads,
 *   starts and stops its own session without it, see perfmon_self_begin().
 * - "Hot" fields are used by the context switch, the end of an execve(), the tick, the
 *   overflow interrupt and the set timer, on the CPU where the session counts, without a
 *   lock and with interrupts off.  All other code changes them where these cannot run: it
 *   passes a function to perfmon_on_target().  The values and counters of all sets are
 *   hot as well.
 * - task_struct.perfmon_session and the session of a CPU follow the same rule and
 *   hold a reference.
 * - The sessions of inherited threads have other locks, see family/family.h.
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
#include "page/page.h"
#include "set.h"

/* The values are fixed by the interface description, where 4 is not a session's state. */
enum perfmon_state {
	PERFMON_UNLOADED = 1,
	PERFMON_LOADED = 2,
	PERFMON_MASKED = 3,
};

/**
 * struct perfmon_creator - the creator of a session, for budgets and the log
 * @uid: user, whose sessions share the budgets of throttling
 * @tgid: process, in the initial pid namespace
 * @comm: its name at the creation
 */
struct perfmon_creator {
	kuid_t uid;
	pid_t tgid;
	char comm[TASK_COMM_LEN];
};

/**
 * struct perfmon_kept - overflows that wait for room in a buffer
 * @pmds: their PMDs in the active set, 0 if there are none
 * @ip: instruction pointer of the overflow, as the session may see it
 * @tstamp: its time
 * @cpu: its CPU
 */
struct perfmon_kept {
	unsigned long pmds;
	u64 ip;
	u64 tstamp;
	u16 cpu;
};

/**
 * struct perfmon_session - a monitoring session, named by a file descriptor
 * @counting: the active set while the session is attached, started and neither masked nor
 *	throttled, else NULL; the only field that the context switch needs; hot
 * @page: its state page (page/page.h); NULL until a program maps it, then constant
 * @part: it counts a child, as a part of @family; constant
 * @lock: see the top of this file
 * @ref: one reference for the file, one for the attachment, one per temporary user
 * @flags: PFM_FL_*
 * @state: enum perfmon_state; PERFMON_MASKED is set and cleared like a hot field
 * @started: pfm_start_session() was called, and no stop since; hot
 * @at_exec: to be started when the target executes a program; hot
 * @family: with PFM_FL_INHERIT, else NULL; constant (family/family.h)
 * @ended: the administrator has ended it (admin/enabled.c); it can never be attached
 *	again
 * @self: attached by its target
 * @owner_capable: the creator has CAP_PERFMON or CAP_SYS_ADMIN
 * @claimed: has claimed registers that sample by themselves (PERFMON_REG_CLAIM)
 * @kernel_ip: some PMC was allowed to count the kernel, so samples may show kernel
 *	addresses
 * @can_restart: number of notifications without a restart so far; hot
 * @switch_pending: the restart will switch sets; hot
 * @block_queued: @block_work is queued or running; hot
 * @blocked: the target waits in @block_wait for a restart, or is about to; hot
 * @signal_queued: @signal_work is queued; hot
 * @gap: enum perfmon_gap, hot
 * @gap_clock: perfmon_clock() when the gap began; hot
 * @loss: gaps and lost overflows; hot but for one field
 * @kept: samples of a member that wait for room (family/room.c); hot
 * @drain_ctrl: what a format wants after records that it got when the session left its
 *	CPU: PFM_OVFL_CTRL_*, for the interrupt after its return; hot
 * @throttle_end: jiffies at which a throttled session may count again; hot
 * @storm_jiffies: the jiffy that @storm_count belongs to; hot
 * @storm_count: overflow interrupts in that jiffy, in whole steps; hot
 * @storm_step: overflow interrupts since the last whole step, in 1/256 of one, so that
 *	it is 0 again after a step; hot
 * @active: set that is on the hardware, or will be put there next; hot
 * @sets: all sets, ascending id
 * @sets_by_id: the same sets, for perfmon_set_find()
 * @nr_sets: their number
 * @target: monitored thread, with a reference; NULL unless attached to one
 * @cpu: monitored CPU; -1 unless attached to one
 * @slice_clock: perfmon_clock() when the active set began to count; hot
 * @slice_time: monotonic time when the timeout of the active set began to run;
 *	hot
 * @random: source of randomised periods; hot
 * @random_seed: the user's seed of @random, or 0
 * @rate_clock: perfmon_clock() at the last overflow of a PMD with a rate, or 0; hot
 * @rate_ns: total time between these overflows, with the time of parts (rate.c); hot
 * @random_seeded: @random has been seeded, when the first PMD needed it
 * @account: charges the creator for the memory of sets and attributes
 * @ns: pid namespace of the creator; samples and messages have its ids
 * @seen_task: the last interrupted task, never dereferenced; hot
 * @seen_start: its start_time, since task addresses are reused; hot
 * @seen_tid: its thread id in @ns; hot
 * @seen_tgid: its process id in @ns; hot
 * @fmt: sampling format, or NULL
 * @fmt_ready: its init() has succeeded, so exit() must be called
 * @buf: its buffer, or NULL
 * @buf_addr: kernel address of @buf, or NULL
 * @block_work: makes the target wait before it returns to user mode
 * @block_wait: queue where it waits; all members of a family use the root's
 * @signal_work: makes the target signal itself
 * @signal_mask: PMDs 0..31 of overflows that were not signalled yet; hot
 * @creator: constant
 * @holder: in the list of sessions that hold the PMU (owner.c), under its lock
 * @free_work: frees the session if the last reference is dropped in atomic context
 * @rcu: frees the memory when no irq_work can use it any more
 * @host: the host's own part (host_session.h)
 * @msgq: messages; the last field, see perfmon_session_alloc()
 */
struct perfmon_session {
	struct perfmon_set *counting;
	struct perfmon_page *page;
	bool part;
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
	bool claimed;
	u8 can_restart;
	bool switch_pending;
	bool block_queued;
	bool blocked;
	bool signal_queued;
	u8 gap;
	u64 gap_clock;
	struct perfmon_loss loss;
	struct perfmon_kept kept;
	u32 drain_ctrl;
	unsigned long throttle_end;
	unsigned long storm_jiffies;
	unsigned int storm_count;
	u8 storm_step;
	struct perfmon_family *family;
	struct perfmon_set *active;
	struct list_head sets;
	struct rb_root sets_by_id;
	unsigned int nr_sets;
	struct task_struct *target;
	int cpu;
	u64 slice_clock;
	ktime_t slice_time;
	struct rnd_state random;
	u64 random_seed;
	u64 rate_clock;
	atomic64_t rate_ns;
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
 * Is the session attached?  While its lock is held the answer does not change: the target
 * may mask and unmask the session, but only holders of the lock attach or detach it.
 */
static inline bool perfmon_session_attached(const struct perfmon_session *s)
{
	return READ_ONCE(s->state) != PERFMON_UNLOADED;
}

/*
 * Show a change of the session on its state page.  Must follow each change, unless
 * perfmon_live_start() or perfmon_live_stop() does.
 *
 * Context: on the target.
 */
static __always_inline void perfmon_page_update(struct perfmon_session *s)
{
	if (unlikely(s->page))
		__perfmon_page_update(s);
}

int perfmon_session_init(void);
void perfmon_session_exit(void);
struct perfmon_session *perfmon_session_alloc(struct perfmon_set *set);
void perfmon_session_put(struct perfmon_session *s);
void perfmon_session_put_atomic(struct perfmon_session *s);

#endif /* _KERNEL_PERFMON_SESSION_H */
