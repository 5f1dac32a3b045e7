/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Families: a session with PFM_FL_INHERIT, which is called the root here, and its parts.
 * Each child of its target has one part, and so has each child of these.
 *
 * A part is a perfmon_session without a file and messages; the context switch, the tick
 * and the set timer treat it like any other.  Its sets are copies of the root's control
 * with the same identity, so that a switch between members of a family writes no
 * register.
 *
 * Locking:
 * - perfmon_family.lock (mutex) protects the list of parts, the totals of ended parts
 *   (perfmon_set.ended and .late of the root's sets), and all fields that are not marked
 *   otherwise.  A walk over the parts releases it after each WALK_PIECE of them, so that
 *   a clone or an exit waits no longer than for these.  Lock order: exec_update_lock,
 *   perfmon_session.lock of a root, perfmon_family.lock.  A thread that clones or exits
 *   takes perfmon_family.lock alone; after the end of the last part it unlocks it and
 *   takes the root's lock (perfmon_settle()).
 * - The lock of the root is held while a family is opened, closed, started, stopped or
 *   walked.  So there is one walk at a time, and the control of an attached root's sets
 *   stays equal to its copies in the parts (check.c).
 * - The hot fields of a part (session.h) are changed by the hooks on its thread, or by
 *   perfmon_on_thread() under perfmon_family.lock.
 * - A part counts only while its thread is on a CPU: each switch out pauses it.  So a
 *   start or stop need not touch parts that are off their CPUs; they look at @started at
 *   their next switch in.  Parts that run get an interrupt, which goes to each CPU where
 *   a part of the family was last (perfmon_family_here).  A switch has interrupts off, so
 *   either it sees the flag or the interrupt comes after it and finds the part.
 * - Code on other threads cannot see from a thread whether its session is a part.  It
 *   looks the thread up in the table of parts (part.c) under RCU; parts are freed after a
 *   grace period.
 *
 * References: the link of a thread holds a reference to its part, and a part to its root.
 */
#ifndef _KERNEL_PERFMON_FAMILY_H
#define _KERNEL_PERFMON_FAMILY_H

#include <linux/atomic.h>
#include <linux/container_of.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/barrier.h>

#include "../account.h"
#include "../session.h"

struct kobj_attribute;
struct perfmon_piece;
struct task_struct;

/**
 * struct perfmon_family - state that the members of a family share
 * @root: the session; the family lives as long as it
 * @lock: see the top of this file
 * @open: the root is attached: its members' children become parts
 * @started: the parts count; also read without the lock
 * @orphaned: the root's target has left, but its family has not; changed with the root's
 *	lock and @lock held, either of them is enough to read it
 * @attachments: how often it was opened; also read without the lock
 * @unborn: children whose parts do not exist yet, where perfmon is a module and makes
 *	parts after the clone; raised by a member, lowered with the lock
 * @walking: a walk over the parts is under way
 * @some_late: perfmon_set.late of some set is not zero
 * @passed: serial number of the last part that the walk has visited
 * @parts: live parts, ascending @serial
 * @nr_parts: their number
 * @begun: number of parts so far, which is the last serial number
 * @lost: children without a part, for lack of memory or over a limit; atomic
 * @left: parts that ended before their threads
 * @next: the next part begins with this set of the root; valid while @open
 * @account: memory of the live parts, charged to the root's creator
 * @buffers: buffers that the members sample into (smpl/cpus.c), NULL if they do not;
 *	constant
 * @overflows: lost overflows of parts (perfmon_loss.overflows)
 * @throttled_ns: throttled time of parts that have ended (perfmon_loss.gap_ns)
 */
struct perfmon_family {
	struct perfmon_session *root;
	struct mutex lock;	/* see the top of this file */
	bool open;
	bool started;
	bool orphaned;
	bool walking;
	bool some_late;
	unsigned int attachments;
	atomic_t unborn;
	u64 passed;
	struct list_head parts;
	unsigned int nr_parts;
	u64 begun;
	atomic64_t lost;
	u64 left;
	struct perfmon_set *next;
	struct perfmon_account account;
	struct perfmon_cpu_buffers *buffers;
	atomic64_t overflows;
	u64 throttled_ns;
};

/**
 * struct perfmon_part - a part
 * @by_task: in the table of parts
 * @node: in perfmon_family.parts
 * @serial: number of the part, counted from 1
 * @s: its session, which ends before the field msgq.ring
 */
struct perfmon_part {
	struct hlist_node by_task;
	struct list_head node;
	u64 serial;
	struct perfmon_session s;
};

/* The family of a session, NULL without PFM_FL_INHERIT.  Never changes. */
static __always_inline struct perfmon_family *
perfmon_family(const struct perfmon_session *s)
{
	return s->family;
}

/* Has the last member gone?  Context: perfmon_family.lock held. */
static inline bool perfmon_family_ended(const struct perfmon_family *family)
{
	return family->orphaned && !family->nr_parts &&
	       !atomic_read(&family->unborn);
}

/* Is the session of a thread a part? */
static __always_inline bool perfmon_is_part(const struct perfmon_session *s)
{
	return s->part;
}

/* Has the target left, while its family continues?  Context: the session is locked. */
static __always_inline bool perfmon_orphaned(const struct perfmon_session *s)
{
	const struct perfmon_family *family = perfmon_family(s);

	return unlikely(family) && family->orphaned;
}

/*
 * The share of a part's PMD, whose present value is @value, in the sum of the family.  If
 * the PMD interrupts, it is the count since its last overflow, or since the part began.
 */
static inline u64 perfmon_part_value(const struct perfmon_set *set,
				     unsigned int pos, u64 value)
{
	return test_bit(pos, set->ictrs) ? value - set->pmds[pos].last : value;
}

static inline struct perfmon_part *perfmon_part_of(struct perfmon_session *s)
{
	return container_of(s, struct perfmon_part, s);
}

/* family.c */
struct perfmon_family *perfmon_family_alloc(struct perfmon_session *root);
void perfmon_family_free(struct perfmon_family *family);
int perfmon_family_prepare(struct perfmon_session *s);
void perfmon_family_open(struct perfmon_session *s);
void perfmon_family_forget(struct perfmon_session *s,
			   const struct perfmon_piece *p);

/* limit.c */
extern unsigned int perfmon_inherit_max;
extern struct kobj_attribute perfmon_inherit_attr;

/* part.c */
int perfmon_parts_init(void);
void perfmon_parts_exit(void);
size_t perfmon_part_bytes(const struct perfmon_family *family);
struct perfmon_part *perfmon_part_alloc(struct perfmon_family *family);
void perfmon_part_free(struct perfmon_part *part);
void perfmon_part_put(struct perfmon_part *part);
void perfmon_part_put_atomic(struct perfmon_part *part);
void perfmon_part_out(struct perfmon_session *s);
void perfmon_part_in(struct perfmon_session *s);
bool perfmon_part_link(struct perfmon_part *part, struct task_struct *task);
struct perfmon_part *perfmon_part_get(struct task_struct *task);
void perfmon_part_end(struct perfmon_part *part, bool left);

/* walk.c */
struct pfarg_setinfo;

void perfmon_family_read(struct perfmon_session *s, struct perfmon_piece *p);
void perfmon_family_info(struct perfmon_session *s,
			 struct perfmon_set *const *sets,
			 struct pfarg_setinfo *infos, int n);
void perfmon_family_loss(struct perfmon_session *s, u64 *loss);
unsigned int perfmon_family_parts(struct perfmon_session *s);

/* clone.c */
bool perfmon_clone_inherits(const struct perfmon_session *s,
			    const struct task_struct *child, u64 clone_flags);
void perfmon_clone_begin(struct perfmon_family *family,
			 struct task_struct *child);
void perfmon_family_clone(struct perfmon_session *s, struct task_struct *child,
			  u64 clone_flags);

/* control.c */
DECLARE_PER_CPU(struct perfmon_family *, perfmon_family_here);

/*
 * Note that a part of the family comes to this CPU; the caller reads
 * perfmon_family.started next.  Context: interrupts off.
 */
static __always_inline void perfmon_part_comes(struct perfmon_family *family)
{
	__this_cpu_write(perfmon_family_here, family);
	/* Pairs with control_run(). */
	smp_mb();
}

void perfmon_family_run(struct perfmon_session *s, bool run);
void perfmon_family_follow(struct perfmon_family *family);
bool perfmon_family_orphan(struct perfmon_session *s);
bool perfmon_family_over(struct perfmon_session *s);
void perfmon_family_close(struct perfmon_session *s);
bool perfmon_family_quit(struct perfmon_part *part, bool left);
void perfmon_family_yield(struct perfmon_part *part);

/* room.c */
struct pfm_ovfl_arg;

void perfmon_room_init(struct perfmon_session *s);
bool perfmon_room_keep(struct perfmon_session *s,
		       const struct pfm_ovfl_arg *last, unsigned long ovfl);

/* Do members wait for room in a buffer?  Then a restart only makes them look again. */
static inline bool perfmon_room_waits(const struct perfmon_session *s)
{
	return perfmon_family(s) && s->flags & PFM_FL_NOTIFY_BLOCK;
}

/* check.c */
int perfmon_family_check_pmc(const struct perfmon_session *s, u32 flags);
int perfmon_family_check_pmd(const struct perfmon_session *s,
			     const struct perfmon_set *set, unsigned int pos,
			     u64 value, const struct pfarg_pmd_attr *attr);

/* Drop a reference to the session of a thread. */
static inline void perfmon_member_put(struct perfmon_session *s)
{
	if (perfmon_is_part(s))
		perfmon_part_put(perfmon_part_of(s));
	else
		perfmon_session_put(s);
}

#endif /* _KERNEL_PERFMON_FAMILY_H */
