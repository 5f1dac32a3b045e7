// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks over the parts of a family, which read the counts of its members.
 *
 * A walk releases perfmon_family.lock after each WALK_PIECE parts, so parts may begin and
 * end meanwhile.  Each part is counted exactly once all the same.  A part that ends
 * before the walk has visited it is in the totals, which are read at the end of the walk.
 * A part that ends after its visit goes into other totals (perfmon_set.late), which are
 * added to the first when the walk is over.  A part that begins during the walk is left
 * to the next one.  So a walk counts all parts that an earlier one has counted.
 *
 * Called with the root's lock held, so there is one walk at a time.
 */
#include <linux/list.h>
#include <linux/sched.h>

#include "../pmd.h"
#include "../pmrs.h"
#include "../target.h"
#include "family.h"

/* A clone or an exit may have to wait for the visits of so many parts. */
#define WALK_PIECE	64

/* Let other threads take the lock; they may change the list. */
static void walk_rest(struct perfmon_family *family)
{
	mutex_unlock(&family->lock);
	cond_resched();
	mutex_lock(&family->lock);
}

/* Begin a walk and call a function on each part.  The family stays locked. */
static void walk_parts(struct perfmon_family *family, perfmon_target_fn fn,
		       void *arg)
{
	struct perfmon_part *part;
	unsigned int n = 0;
	LIST_HEAD(here);
	u64 end;

	mutex_lock(&family->lock);
	family->walking = true;
	family->passed = 0;
	end = family->begun;
	/* The parts behind `here' have not been visited yet. */
	list_add(&here, &family->parts);
	while (!list_is_last(&here, &family->parts)) {
		part = list_entry(here.next, struct perfmon_part, node);
		if (part->serial > end)
			break;
		list_move(&here, &part->node);
		family->passed = part->serial;
		perfmon_on_thread(&part->s, fn, arg);
		if (++n % WALK_PIECE == 0)
			walk_rest(family);
	}
	list_del(&here);
}

static void walk_merge_late(struct perfmon_set *set)
{
	unsigned int pos;

	set->ended->runs += set->late->runs;
	set->ended->duration += set->late->duration;
	set->late->runs = 0;
	set->late->duration = 0;
	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++) {
		*set->ended->pmds[pos].at += perfmon_pmd_value(set->late, pos);
		*set->late->pmds[pos].at = 0;
	}
}

/* The caller has read the totals: add the late ones to them. */
static void walk_end(struct perfmon_family *family)
{
	struct perfmon_set *set;

	if (family->some_late)
		list_for_each_entry(set, &family->root->sets, node)
			walk_merge_late(set);
	family->some_late = false;
	family->walking = false;
	mutex_unlock(&family->lock);
}

/* The part's own set for one of the root's.  Most calls are about one set. */
static struct perfmon_set *walk_set(struct perfmon_session *part,
				    struct perfmon_set *last,
				    const struct perfmon_set *set)
{
	return last && last->id == set->id ? last :
					     perfmon_set_find(part, set->id);
}

/* Add the values of a part.  Context: on its thread. */
static void walk_read(struct perfmon_session *s, void *piece)
{
	bool live = perfmon_session_live(s);
	struct perfmon_piece *p = piece;
	struct perfmon_set *set = NULL;
	u64 value;
	int i;

	for (i = 0; i < p->n; i++) {
		set = walk_set(s, set, p->set[i]);
		value = perfmon_pmd_present(set, p->pos[i],
					    live && set == s->counting);
		p->pmrs[i].reg_value += perfmon_part_value(set, p->pos[i], value);
	}
}

/**
 * perfmon_family_read - add the counts of the family to the target's own values
 * @s: root, locked
 * @p: piece of PMDs that perfmon_piece_read() has filled
 *
 * Context: may sleep.
 */
void perfmon_family_read(struct perfmon_session *s, struct perfmon_piece *p)
{
	struct perfmon_family *family = s->family;
	struct perfmon_set *ended;
	int i;

	walk_parts(family, walk_read, p);
	for (i = 0; i < p->n; i++) {
		ended = p->set[i]->ended;
		/* A root that was never attached has no totals. */
		if (ended)
			p->pmrs[i].reg_value += perfmon_pmd_value(ended,
								  p->pos[i]);
	}
	walk_end(family);
}

struct walk_infos {
	struct perfmon_set *const *sets;
	struct pfarg_setinfo *infos;
	int n;
};

/* Add the runs and durations of a part.  Context: on its thread. */
static void walk_info(struct perfmon_session *s, void *arg)
{
	const struct walk_infos *w = arg;
	struct perfmon_set *set = NULL;
	int i;

	for (i = 0; i < w->n; i++) {
		set = walk_set(s, set, w->sets[i]);
		w->infos[i].set_runs += set->runs;
		w->infos[i].set_act_duration += set->duration;
		if (set == s->counting)
			w->infos[i].set_act_duration +=
				perfmon_clock(s) - s->slice_clock;
	}
}

/**
 * perfmon_family_info - add runs and durations of the family to the target's own
 * @s: root, locked
 * @sets: sets of the root
 * @infos: descriptions that getinfo.c has filled for them
 * @n: number of sets
 *
 * Context: may sleep.
 */
void perfmon_family_info(struct perfmon_session *s,
			 struct perfmon_set *const *sets,
			 struct pfarg_setinfo *infos, int n)
{
	struct walk_infos w = { .sets = sets, .infos = infos, .n = n };
	struct perfmon_family *family = s->family;
	int i;

	walk_parts(family, walk_info, &w);
	for (i = 0; i < n; i++) {
		if (!sets[i]->ended)
			continue;
		infos[i].set_runs += sets[i]->ended->runs;
		infos[i].set_act_duration += sets[i]->ended->duration;
	}
	walk_end(family);
}

/**
 * perfmon_family_loss - add the losses of a family
 * @s: root
 * @loss: set_reserved3 of a pfarg_setinfo
 *
 * Context: may sleep.
 */
void perfmon_family_loss(struct perfmon_session *s, u64 *loss)
{
	struct perfmon_family *family = s->family;

	mutex_lock(&family->lock);
	loss[PFM_LOSS_LEFT] += family->left;
	loss[PFM_LOSS_PARTS] += family->begun;
	loss[PFM_LOSS_THROTTLED_NS] += family->throttled_ns;
	mutex_unlock(&family->lock);
	loss[PFM_LOSS_LOST] += atomic64_read(&family->lost);
	loss[PFM_LOSS_OVERFLOWS] += atomic64_read(&family->overflows);
}

/** perfmon_family_parts - number of live parts, which may change meanwhile */
unsigned int perfmon_family_parts(struct perfmon_session *s)
{
	return READ_ONCE(s->family->nr_parts);
}
