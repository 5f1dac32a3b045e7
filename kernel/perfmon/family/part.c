// SPDX-License-Identifier: GPL-2.0-only
/*
 * A part: its life, its switches, and its end.  family.h has the locks.
 *
 * The switches run on its thread under the run-queue lock, like any session's
 * (ctxsw.c).
 */
#include <linux/hashtable.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/prandom.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "../access.h"
#include "../cpu.h"
#include "../host.h"
#include "../loss.h"
#include "../ovfl.h"
#include "../pmd.h"
#include "../run.h"
#include "../target.h"
#include "family.h"

/*
 * A clone must not wait for reclaim, nor log a failed allocation: the child is counted as
 * lost instead.
 */
#define PART_GFP	(GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN)

/* Parts have no ring of messages, which would be a third of a session. */
#define PART_SIZE	offsetof(struct perfmon_part, s.msgq.ring)

/* The family of the last part on this CPU.  Only compared: it may have been freed. */
DEFINE_PER_CPU(struct perfmon_family *, perfmon_family_here);

static struct kmem_cache *part_cache __ro_after_init;

static DEFINE_SPINLOCK(parts_lock);	/* protects changes of the table */
static DEFINE_HASHTABLE(parts, 10);	/* live parts of all families, by thread */

/** perfmon_parts_init - prepare for parts */
int __init perfmon_parts_init(void)
{
	part_cache = kmem_cache_create("perfmon_part", PART_SIZE, 0,
				       SLAB_ACCOUNT, NULL);
	return part_cache ? 0 : -ENOMEM;
}

/** perfmon_parts_exit - undo perfmon_parts_init() */
void __init perfmon_parts_exit(void)
{
	kmem_cache_destroy(part_cache);
}

/** perfmon_part_bytes - memory of one part, which the root's creator is charged for */
size_t perfmon_part_bytes(const struct perfmon_family *family)
{
	return PART_SIZE + family->root->nr_sets * perfmon_set_size();
}

/*
 * A part may count less than one period. If periods are random, the part begins at a
 * random place within one, as if it had counted for a long time: so each of its events
 * has the same chance to be sampled. The place precedes the random bits of the period;
 * or, since longer periods reach their end less often, it is the smaller of two random
 * numbers.
 */
static u64 part_random_value(struct perfmon_session *s, struct perfmon_pmd *pmd)
{
	struct perfmon_period period;
	u64 place;

	pmd->doubled = READ_ONCE(pmd->attr->rate.doubled);
	period = perfmon_pmd_period(pmd, pmd->attr->short_reset);
	place = mul_u64_u32_shr(period.least + period.mask / 2,
				prandom_u32_state(&s->random), 32);
	if (place < period.least)
		return -(place + 1);
	return -(period.least + 1 +
		 min(perfmon_random_bits(s, period.mask),
		     perfmon_random_bits(s, period.mask)));
}

/* The value that a PMD of a new part begins with, from its short reset value. */
static u64 part_first_value(struct perfmon_session *s, struct perfmon_set *set,
			    unsigned int pos)
{
	struct perfmon_pmd *pmd = &set->pmds[pos];

	if (pmd->attr && pmd->flags & PFM_REGFL_RANDOM &&
	    (s64)pmd->attr->short_reset < 0)
		return part_random_value(s, pmd);
	return pmd_reset_value(s, set, pos, false);
}

static void part_arm(struct perfmon_session *s, struct perfmon_set *set)
{
	unsigned int pos;

	perfmon_arch_renew(&set->arch);
	for_each_set_bit(pos, set->ictrs, PERFMON_ARCH_MAX_PMDS) {
		perfmon_pmd_load(set, pos, part_first_value(s, set, pos));
		perfmon_arm_pmd(set, pos);
	}
}

static bool part_add_sets(struct perfmon_session *s,
			  const struct perfmon_session *root)
{
	struct perfmon_set *set, *copy;

	list_for_each_entry(set, &root->sets, node) {
		copy = perfmon_set_copy(set->ended, PART_GFP);
		if (!copy)
			return false;
		perfmon_set_add(s, copy);
		if (!bitmap_empty(copy->ictrs, PERFMON_ARCH_MAX_PMDS))
			part_arm(s, copy);
	}
	return true;
}

/* Copy the fields of a session with a format that the overflow interrupt needs. */
static void part_sample_as(struct perfmon_session *s,
			   const struct perfmon_session *root)
{
	s->fmt = root->fmt;
	s->buf_addr = root->buf_addr;
	s->ns = root->ns;
	s->creator.uid = root->creator.uid;
	s->kernel_ip = root->kernel_ip;
	s->owner_capable = root->owner_capable;
	if (root->random_seeded)
		perfmon_seed_random(s, root->random_seed,
				    root->family->begun + 1);
}

/**
 * perfmon_part_alloc - make a part that counts nothing yet
 * @family: open and locked
 *
 * Return: a part with one reference, not linked to a thread; NULL: no memory.
 */
struct perfmon_part *perfmon_part_alloc(struct perfmon_family *family)
{
	struct perfmon_part *part = perfmon_host_alloc(part_cache, PART_GFP, 0,
						       PART_SIZE);
	struct perfmon_session *s;

	if (!part)
		return NULL;
	s = &part->s;
	refcount_set(&s->ref, 1);
	s->part = true;
	s->flags = family->root->flags;
	s->claimed = family->root->claimed;
	s->state = PERFMON_LOADED;
	s->family = family;
	s->cpu = -1;
	INIT_LIST_HEAD(&s->sets);
	s->sets_by_id = RB_ROOT;
	perfmon_host_session_init(s);
	if (family->root->fmt)
		part_sample_as(s, family->root);
	if (!part_add_sets(s, family->root)) {
		perfmon_part_free(part);
		return NULL;
	}
	return part;
}

static void part_free_rcu(struct rcu_head *rcu)
{
	kmem_cache_free(part_cache,
			container_of(rcu, struct perfmon_part, s.rcu));
}

/** perfmon_part_free - free a part that is not linked to a thread; context: any */
void perfmon_part_free(struct perfmon_part *part)
{
	struct perfmon_set *set, *next;

	list_for_each_entry_safe(set, next, &part->s.sets, node)
		perfmon_set_free(set);
	perfmon_host_session_exit(&part->s);
	/* A module waits for call_rcu() before it is unloaded. */
	if (PERFMON_HOST_LOOKS_UP)
		call_rcu(&part->s.rcu, part_free_rcu);
	else
		kfree_rcu(part, s.rcu);
}

/**
 * perfmon_part_put - drop a reference to a part
 * @part: is or was linked to a thread
 *
 * Context: may sleep; the root of @part is not locked, as it may be freed.
 */
void perfmon_part_put(struct perfmon_part *part)
{
	struct perfmon_session *root = part->s.family->root;

	if (!refcount_dec_and_test(&part->s.ref))
		return;
	perfmon_part_free(part);
	perfmon_session_put(root);
}

/** perfmon_part_put_atomic - perfmon_part_put() for callers that must not sleep */
void perfmon_part_put_atomic(struct perfmon_part *part)
{
	struct perfmon_session *root = part->s.family->root;

	if (!refcount_dec_and_test(&part->s.ref))
		return;
	perfmon_part_free(part);
	perfmon_session_put_atomic(root);
}

/**
 * perfmon_part_out - a part that counts leaves its CPU
 * @s: session of current, on the hardware
 *
 * Context: as __perfmon_sched_out(); the runtime of the thread is up to date.
 */
void perfmon_part_out(struct perfmon_session *s)
{
	perfmon_live_stop(s);
	WRITE_ONCE(s->counting, NULL);
	s->active->duration += perfmon_host_switch_out_clock(s) - s->slice_clock;
}

/*
 * A part comes to a CPU while it is in a gap. A throttled one waits for the end of its
 * time and resumes unless its family has been stopped meanwhile. One whose sample waits
 * for room is resumed by its task work.
 */
static noinline void part_in_gap(struct perfmon_session *s)
{
	if (s->gap == PERFMON_GAP_WAITING)
		return;
	if (!READ_ONCE(s->family->started))
		perfmon_gap_end(s, perfmon_host_switch_clock());
	else if (perfmon_throttle_over(s))
		perfmon_unpause_switched_in(s);
}

/** perfmon_part_in - a part comes to a CPU; as __perfmon_sched_in() */
void perfmon_part_in(struct perfmon_session *s)
{
	perfmon_part_comes(s->family);
	if (unlikely(s->gap != PERFMON_GAP_NONE))
		part_in_gap(s);
	else if (READ_ONCE(s->family->started))
		perfmon_unpause_switched_in(s);
}

/**
 * perfmon_part_link - make a part the session of a thread
 * @part: is not linked to a thread
 * @task: has never executed its program
 *
 * Return: false if the thread has a session already.
 */
bool perfmon_part_link(struct perfmon_part *part, struct task_struct *task)
{
	part->s.target = task;
	if (perfmon_host_link(&part->s))
		return false;
	get_task_struct(task);
	spin_lock(&parts_lock);
	hash_add_rcu(parts, &part->by_task, (unsigned long)task);
	spin_unlock(&parts_lock);
	return true;
}

/**
 * perfmon_part_get - find the part of any thread
 * @task: thread
 *
 * Return: the part with a reference, perhaps ended; NULL if the thread has none.
 */
struct perfmon_part *perfmon_part_get(struct task_struct *task)
{
	struct perfmon_part *part;

	rcu_read_lock();
	hash_for_each_possible_rcu(parts, part, by_task, (unsigned long)task) {
		if (part->s.target == task && refcount_inc_not_zero(&part->s.ref))
			break;
	}
	rcu_read_unlock();
	return part;
}

/* Stop counting for good, and leave the thread. */
static void part_end_on_thread(struct perfmon_session *s, void *unused)
{
	perfmon_pause(s);
	perfmon_gap_leave(s);
	WRITE_ONCE(s->state, PERFMON_UNLOADED);
	perfmon_host_unlink(s);
}

static void part_unhash(struct perfmon_part *part)
{
	spin_lock(&parts_lock);
	hash_del_rcu(&part->by_task);
	spin_unlock(&parts_lock);
}

static void part_add(struct perfmon_set *to, const struct perfmon_set *from)
{
	unsigned int pos;

	to->runs += from->runs;
	to->duration += from->duration;
	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++)
		*to->pmds[pos].at +=
			perfmon_part_value(from, pos,
					   perfmon_pmd_value(from, pos));
}

/* Add the counts of a part to the totals; its sets are in the order of the root's. */
static void part_fold(struct perfmon_part *part)
{
	struct perfmon_family *family = part->s.family;
	bool late = family->walking && part->serial <= family->passed;
	struct perfmon_set *set, *total;

	total = list_first_entry(&family->root->sets, struct perfmon_set, node);
	list_for_each_entry(set, &part->s.sets, node) {
		part_add(late ? total->late : total->ended, set);
		total = list_next_entry(total, node);
	}
	family->some_late |= late;
	/*
	 * Throttling is the only gap of a part that is a loss. A switch adds to the
	 * part's own sum, which no other CPU writes.
	 */
	family->throttled_ns += part->s.loss.gap_ns[PERFMON_GAP_THROTTLED];
}

/**
 * perfmon_part_end - end a part, and keep its counts in the totals
 * @part: part; the caller's reference is another than the thread's
 * @left: before the end of its thread
 *
 * Nothing happens if it has ended before.
 *
 * Context: may sleep; perfmon_family.lock held.
 */
void perfmon_part_end(struct perfmon_part *part, bool left)
{
	struct perfmon_family *family = part->s.family;

	lockdep_assert_held(&family->lock);

	if (part->s.state == PERFMON_UNLOADED)
		return;
	/* Before another session of the thread may set the same dependency. */
	perfmon_tick_release(&part->s);
	perfmon_on_thread(&part->s, part_end_on_thread, NULL);
	part_unhash(part);
	part_fold(part);
	list_del(&part->node);
	family->nr_parts--;
	family->left += left;
	perfmon_account_uncharge(&family->account, perfmon_part_bytes(family));
	perfmon_task_session_put();
	put_task_struct(part->s.target);
	/* Never the last one: the caller has a reference as well. */
	WARN_ON_ONCE(refcount_dec_and_test(&part->s.ref));
}
