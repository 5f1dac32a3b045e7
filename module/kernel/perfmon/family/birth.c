// SPDX-License-Identifier: GPL-2.0-only
/*
 * The beginning of a part where perfmon is a module.
 *
 * The kernel tells a module of a clone where it must not sleep.  So the child makes its
 * part itself, before its program executes anything.  The parent may have ended by
 * then, and with it the family: perfmon_family.unborn keeps that until the child has
 * come.  ../family/family.h has the locks.
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
 * struct birth - a child that is to become a member
 * @work: does so, on the child
 * @family: its family, with a reference to the root, and one of perfmon_family.unborn
 * @attachment: which of the root's it was born in
 */
struct birth {
	struct callback_head work;
	struct perfmon_family *family;
	unsigned int attachment;
};

/* Is the family the one that it was?  One that was killed executes no program. */
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

/*
 * The family that the child of the running thread belongs to, or NULL.
 *
 * Context: interrupts off; it stays so until they are on again.
 */
static struct perfmon_family *birth_family(const struct task_struct *child,
					   u64 clone_flags)
{
	struct perfmon_session *s = perfmon_host_here();

	return s && perfmon_family(s) &&
	       perfmon_clone_inherits(s, child, clone_flags) ?
		       perfmon_family(s) : NULL;
}

/* Fill @birth, or count the child as lost.  Return: true if it is filled. */
static bool birth_expect(struct birth *birth, const struct task_struct *child,
			 u64 clone_flags)
{
	struct perfmon_family *family;

	local_irq_disable();
	family = birth_family(child, clone_flags);
	if (family && birth) {
		refcount_inc(&family->root->ref);
		atomic_inc(&family->unborn);
		birth->family = family;
		birth->attachment = READ_ONCE(family->attachments);
	} else if (family) {
		atomic64_inc(&family->lost);
	}
	local_irq_enable();
	return family && birth;
}

/**
 * perfmon_host_probe_clone - a thread has made another one
 * @data: not used
 * @child: cannot fail to be made any more, and has never run
 * @clone_flags: CLONE_*
 *
 * Context: tracepoint, on the parent; must not sleep.
 */
void perfmon_host_probe_clone(void *data, struct task_struct *child,
			      unsigned long clone_flags)
{
	struct birth *birth;
	bool wanted;

	local_irq_disable();
	wanted = birth_family(child, clone_flags);
	local_irq_enable();
	if (!wanted)
		return;
	birth = kmalloc(sizeof(*birth), GFP_ATOMIC | __GFP_NOWARN);
	if (!birth_expect(birth, child, clone_flags)) {
		kfree(birth);
		return;
	}
	init_task_work(&birth->work, birth_work);
	/* Fails for threads that have exited only. */
	WARN_ON_ONCE(task_work_add(child, &birth->work, TWA_RESUME));
}
