// SPDX-License-Identifier: GPL-2.0-only
/*
 * The creation of a part, in the clone() of its parent.
 *
 * A failure here is counted in perfmon_family.lost; it does not fail the clone.  The
 * clone itself cannot fail any more at this point, so no part ever has to be undone.
 * family.h has the locks.
 */
#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/perfmon_hooks.h>
#include <linux/refcount.h>
#include <linux/sched.h>

#include "../access.h"
#include "../cpu.h"
#include "../run.h"
#include "family.h"

/**
 * perfmon_clone_inherits - does the child of a member become a member?
 * @s: session of the member
 * @child: has never run
 * @clone_flags: CLONE_*
 *
 * Context: any.
 */
bool perfmon_clone_inherits(const struct perfmon_session *s,
			    const struct task_struct *child, u64 clone_flags)
{
	if (child->flags & (PF_KTHREAD | PF_USER_WORKER | PF_IO_WORKER))
		return false;
	return !(s->flags & PFM_FL_INHERIT_THREAD) ||
	       (clone_flags & CLONE_THREAD);
}

/* Is the parent still a member, and can its family grow? */
static bool clone_is_member(const struct perfmon_session *s)
{
	const struct perfmon_family *family = s->family;

	if (!family->open || s->target != current)
		return false;
	return s->part ? READ_ONCE(s->state) != PERFMON_UNLOADED :
			 !family->orphaned;
}

/* Return: a part whose memory is charged; NULL: over a limit, or no memory. */
static struct perfmon_part *clone_get_part(struct perfmon_family *family)
{
	size_t bytes = perfmon_part_bytes(family);
	struct perfmon_part *part;

	if (family->nr_parts >= READ_ONCE(perfmon_inherit_max))
		return NULL;
	if (!perfmon_account_charge(&family->account, bytes))
		return NULL;
	part = perfmon_part_alloc(family);
	if (part)
		perfmon_room_init(&part->s);
	else
		perfmon_account_uncharge(&family->account, bytes);
	return part;
}

static void clone_drop_part(struct perfmon_part *part)
{
	struct perfmon_family *family = part->s.family;

	perfmon_account_uncharge(&family->account, perfmon_part_bytes(family));
	perfmon_part_free(part);
}

/*
 * The sets take turns as the first set of new parts.  Otherwise children that live less
 * than one timeout would count in set 0 only.
 */
static void clone_choose_set(struct perfmon_part *part)
{
	struct perfmon_family *family = part->s.family;

	perfmon_activate_set(&part->s,
			     perfmon_set_find(&part->s, family->next->id));
	family->next = list_next_entry_circular(family->next,
						&family->root->sets, node);
}

/*
 * Link the part to the child.  Return: false if another session was attached to the child
 * meanwhile, or a system-wide session prevents it.
 */
static bool clone_link(struct perfmon_part *part, struct task_struct *child)
{
	struct perfmon_family *family = part->s.family;

	/* Cannot fail: the session of the family is attached to a thread. */
	if (WARN_ON_ONCE(perfmon_task_session_get()))
		return false;
	if (!perfmon_part_link(part, child)) {
		perfmon_task_session_put();
		return false;
	}
	perfmon_tick_keep(&part->s);
	refcount_inc(&family->root->ref);
	part->serial = ++family->begun;
	list_add_tail(&part->node, &family->parts);
	family->nr_parts++;
	return true;
}

/**
 * perfmon_clone_begin - make a child a member
 * @family: open and locked
 * @child: has never executed its program
 *
 * If the part cannot be made, the child is counted as lost; if it cannot be linked, as
 * one that has left.
 *
 * Context: may sleep.
 */
void perfmon_clone_begin(struct perfmon_family *family,
			 struct task_struct *child)
{
	struct perfmon_part *part = clone_get_part(family);

	if (!part) {
		atomic64_inc(&family->lost);
		return;
	}
	clone_choose_set(part);
	if (!clone_link(part, child)) {
		clone_drop_part(part);
		family->left++;
	}
}

/**
 * perfmon_family_clone - a member of a family has a child
 * @s: session of the caller, with a reference: a root or a part
 * @child: see perfmon_clone_task()
 * @clone_flags: CLONE_*
 *
 * Context: may sleep.
 */
void perfmon_family_clone(struct perfmon_session *s, struct task_struct *child,
			  u64 clone_flags)
{
	struct perfmon_family *family = s->family;

	if (!perfmon_clone_inherits(s, child, clone_flags))
		return;
	mutex_lock(&family->lock);
	if (clone_is_member(s))
		perfmon_clone_begin(family, child);
	mutex_unlock(&family->lock);
}
