// SPDX-License-Identifier: GPL-2.0-only
/*
 * The family of a session: its life, and the totals of parts that have ended.
 *
 * Each set of a root that was ever attached has two companions. @ended has the counts of
 * parts that have ended, and the control that new parts copy. @late has the counts of
 * parts that ended after the present walk had passed them (walk.c). family.h has the
 * locks.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/slab.h>

#include "../host.h"
#include "../pmrs.h"
#include "../set.h"
#include "family.h"

/**
 * perfmon_family_alloc - make the family of a session
 * @root: session with PFM_FL_INHERIT, whose account is open
 *
 * Return: the family, or NULL: no memory.
 */
struct perfmon_family *perfmon_family_alloc(struct perfmon_session *root)
{
	struct perfmon_family *family;

	family = kzalloc(sizeof(*family), GFP_KERNEL_ACCOUNT);
	if (!family)
		return NULL;
	family->root = root;
	mutex_init(&family->lock);
	INIT_LIST_HEAD(&family->parts);
	perfmon_account_share(&family->account, &root->account);
	perfmon_host_family_init(root);
	return family;
}

/** perfmon_family_free - undo perfmon_family_alloc(); there are no parts */
void perfmon_family_free(struct perfmon_family *family)
{
	perfmon_account_close(&family->account);
	kfree(family);
}

/**
 * perfmon_family_prepare - allocate what perfmon_family_open() needs
 * @s: root, detached and locked
 *
 * Return: 0; -ENOMEM: no memory, or more than the creator may lock.
 */
int perfmon_family_prepare(struct perfmon_session *s)
{
	struct perfmon_set *set;

	list_for_each_entry(set, &s->sets, node) {
		if (!set->ended)
			set->ended = perfmon_set_alloc_charged(&s->account,
							       set->id);
		if (!set->late)
			set->late = perfmon_set_alloc_charged(&s->account,
							      set->id);
		if (!set->ended || !set->late)
			return -ENOMEM;
	}
	return 0;
}

/**
 * perfmon_family_open - let the children of the target become parts
 * @s: root, locked; is about to be attached, its target has no pointer to it yet
 *
 * The control of the sets does not change from now on until the root is detached.
 */
void perfmon_family_open(struct perfmon_session *s)
{
	struct perfmon_family *family = s->family;
	struct perfmon_set *set;

	list_for_each_entry(set, &s->sets, node) {
		if (set->dirty)
			perfmon_set_build(s, set);
		perfmon_set_follow(set->ended, set);
		perfmon_set_follow(set->late, set);
	}
	mutex_lock(&family->lock);
	family->open = true;
	WRITE_ONCE(family->attachments, family->attachments + 1);
	family->started = false;
	family->orphaned = false;
	/* The target itself has begun with the first set. */
	family->next = list_next_entry_circular(s->active, &s->sets, node);
	mutex_unlock(&family->lock);
}

/**
 * perfmon_family_forget - reset totals after PMDs of a detached root were written
 * @s: root, locked
 * @p: piece that was written
 *
 * The new values are the values of the whole family.
 */
void perfmon_family_forget(struct perfmon_session *s,
			   const struct perfmon_piece *p)
{
	int i;

	for (i = 0; i < p->n; i++)
		if (p->set[i]->ended)
			*p->set[i]->ended->pmds[p->pos[i]].at = 0;
}
