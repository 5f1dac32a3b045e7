// SPDX-License-Identifier: GPL-2.0-only
/*
 * The creation of a part where perfmon is a module.
 *
 * In the tracepoint of a clone, a module must not sleep, nor allocate on PREEMPT_RT. So
 * the child makes its part itself, before its program executes anything.  The parent has
 * memory for one clone at hand, and gets memory for the next one before it returns to its
 * program.  The parent may have ended when the child makes its part, and the family would
 * end with it: perfmon_family.unborn keeps it until then. ../family/family.h has the
 * locks.
 */
#include <linux/atomic.h>
#include <linux/irqflags.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/task_work.h>

#include "../access.h"
#include "../host.h"
#include "../target.h"
#include "family.h"

/**
 * struct birth - a child that will become a member
 * @work: makes it a member; runs on the child
 * @family: its family, with a reference to the root, and one of perfmon_family.unborn
 * @attachment: the root's attachment in which the child was born
 */
struct birth {
	struct callback_head work;
	struct perfmon_family *family;
	unsigned int attachment;
};

/*
 * Is the family still in the same attachment?  A child that was killed executes no
 * program.
 */
static bool birth_is_due(const struct birth *birth)
{
	const struct perfmon_family *family = birth->family;

	return family->open && family->attachments == birth->attachment &&
	       !(current->flags & PF_EXITING);
}

static void birth_work(struct callback_head *work)
{
	struct birth *birth = container_of(work, struct birth, work);
	struct perfmon_family *family = birth->family;
	bool over;

	mutex_lock(&family->lock);
	if (birth_is_due(birth)) {
		perfmon_clone_begin(family, current);
		perfmon_family_follow(family);
	}
	atomic_dec(&family->unborn);
	over = perfmon_family_ended(family);
	mutex_unlock(&family->lock);
	if (over)
		perfmon_settle(family->root);
	perfmon_session_put(family->root);
	kfree(birth);
}

static struct birth *birth_alloc(void)
{
	return kmalloc(sizeof(struct birth), GFP_KERNEL | __GFP_NOWARN);
}

static void birth_supply(struct callback_head *work)
{
	struct perfmon_session *s =
		container_of(work, struct perfmon_session, host.supply_work);

	/* From here on another thread may have the session and queue the work again. */
	WRITE_ONCE(s->host.supplies, false);
	kfree(xchg(&s->host.birth, birth_alloc()));
	if (perfmon_is_part(s))
		perfmon_part_put(perfmon_part_of(s));
	else
		perfmon_session_put(s);
}

/* Queue the allocation of memory for the next clone.  Context: on the target. */
static void birth_order(struct perfmon_session *s)
{
	if (s->host.supplies)
		return;
	WRITE_ONCE(s->host.supplies, true);
	refcount_inc(&s->ref);
	/* Fails only for threads that have exited, which make no clones. */
	WARN_ON_ONCE(task_work_add(current, &s->host.supply_work, TWA_RESUME));
}

/** perfmon_birth_init - prepare a session or a part */
void perfmon_birth_init(struct perfmon_session *s)
{
	init_task_work(&s->host.supply_work, birth_supply);
}

/** perfmon_birth_supply - give a member of a family the memory for a clone of its thread */
void perfmon_birth_supply(struct perfmon_session *s)
{
	s->host.birth = birth_alloc();
}

/** perfmon_birth_exit - undo perfmon_birth_init() */
void perfmon_birth_exit(struct perfmon_session *s)
{
	kfree(s->host.birth);
}

/*
 * Will the child of the running thread become a member?  Without memory it is lost.
 *
 * Context: interrupts off.
 * Return: its birth, filled; NULL if it will not.
 */
static struct birth *birth_expect(const struct task_struct *child,
				  u64 clone_flags)
{
	struct perfmon_session *s = perfmon_host_here();
	struct perfmon_family *family;
	struct birth *birth;

	if (!s || !perfmon_family(s) ||
	    !perfmon_clone_inherits(s, child, clone_flags))
		return NULL;
	family = perfmon_family(s);
	birth = xchg(&s->host.birth, NULL);
	if (birth) {
		refcount_inc(&family->root->ref);
		atomic_inc(&family->unborn);
		birth->family = family;
		birth->attachment = READ_ONCE(family->attachments);
	} else {
		atomic64_inc(&family->lost);
	}
	birth_order(s);
	return birth;
}

/**
 * perfmon_host_probe_clone - a thread has created another one
 * @data: not used
 * @child: its creation cannot fail any more, and it has never run
 * @clone_flags: CLONE_*
 *
 * Context: tracepoint, on the parent; must not sleep.
 */
void perfmon_host_probe_clone(void *data, struct task_struct *child,
			      unsigned long clone_flags)
{
	struct birth *birth;

	local_irq_disable();
	birth = birth_expect(child, clone_flags);
	local_irq_enable();
	if (!birth)
		return;
	init_task_work(&birth->work, birth_work);
	/* Fails only for threads that have exited. */
	WARN_ON_ONCE(task_work_add(child, &birth->work, TWA_RESUME));
}
