// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applying register elements on the target (target.c): writes and reads of data that the
 * context switch, the overflow interrupt and the set timer use as well.
 *
 * The elements have been checked and their sets found (pmrs_check.c).  The time of a
 * piece does not depend on the number of sets; the hardware is stopped once for all of
 * its elements.
 */
#include <linux/bitmap.h>

#include "pmd.h"
#include "pmrs.h"
#include "run.h"
#include "target.h"

/*
 * Up to so many PMDs of a running set are written while it counts; for more, stopping the
 * set is cheaper.
 */
#define MAX_RESTARTS	8

/**
 * struct hardware - the counting set, while a piece writes registers
 * @live: the set, while it is on the hardware of this CPU
 * @stopped: it was taken off the hardware and has to be put back
 * @restarts: PMDs that were written while it counted
 */
struct hardware {
	struct perfmon_set *live;
	bool stopped;
	unsigned int restarts;
};

static void pmrs_write_pmc(struct perfmon_set *set, unsigned int pos,
			   const struct pfarg_pmr *pmr)
{
	set->pmcs[pos] = pmr->reg_value;
	__set_bit(pos, set->used_pmcs);
	set->dirty = true;
	if (unlikely(perfmon_pmu.pmcs[pos].type & PERFMON_REG_USER))
		perfmon_arch_user_only(&set->arch, pos,
				       pmr->reg_flags & PFM_REGFL_USER_ONLY);
	if (likely(!set->some_no64 &&
		   !(pmr->reg_flags & PFM_REGFL_NO_EMUL64)))
		return;
	__assign_bit(pos, set->no64, pmr->reg_flags & PFM_REGFL_NO_EMUL64);
	set->some_no64 = !bitmap_empty(set->no64, PERFMON_ARCH_MAX_PMCS);
}

/* Copy a mask; the PMDs in it count as used from now on. */
static void pmrs_use_masked_pmds(struct perfmon_set *set, unsigned long *mask,
				 const unsigned long *named)
{
	bitmap_copy(mask, named, PERFMON_ARCH_MAX_PMDS);
	if (bitmap_subset(mask, set->used_pmds, PERFMON_ARCH_MAX_PMDS))
		return;
	bitmap_or(set->used_pmds, set->used_pmds, mask, PERFMON_ARCH_MAX_PMDS);
	set->dirty = true;
}

static bool pmrs_resets_negative(const struct perfmon_pmd_attr *attr)
{
	return (s64)attr->long_reset < 0 || (s64)attr->short_reset < 0;
}

static void pmrs_store_attr(struct perfmon_set *set,
			    struct perfmon_pmd_attr *attr,
			    struct pfarg_pmd_attr *user)
{
	bool negative = pmrs_resets_negative(attr);

	attr->long_reset = user->reg_long_reset;
	attr->short_reset = user->reg_short_reset;
	attr->random_mask = user->reg_random_mask;
	perfmon_rate_init(&attr->rate, user->reg_smpl_rate);
	attr->eventid = user->reg_smpl_eventid;
	attr->swcnt = user->reg_ovfl_swcnt;
	attr->swcnt_rest = user->reg_ovfl_swcnt;
	pmrs_use_masked_pmds(set, attr->smpl,
			     perfmon_positions(user->reg_smpl_pmds));
	pmrs_use_masked_pmds(set, attr->reset,
			     perfmon_positions(user->reg_reset_pmds));
	/* A negative reset value needs a counter that interrupts. */
	if (negative != pmrs_resets_negative(attr))
		set->dirty = true;
}

static void pmrs_stop_hardware(struct hardware *hw)
{
	perfmon_arch_suspend(&hw->live->arch);
	hw->live = NULL;
	hw->stopped = true;
}

/* A counter on the hardware begins a new period, so that only later events are added. */
static void pmrs_load_pmd(struct hardware *hw, struct perfmon_set *set,
			  unsigned int pos, u64 value)
{
	bool interrupts = test_bit(pos, set->ictrs);

	if (set == hw->live) {
		if (interrupts || hw->restarts++ == MAX_RESTARTS)
			pmrs_stop_hardware(hw);
		else
			perfmon_arch_restart(&set->arch, pos);
	}
	perfmon_pmd_load(set, pos, value);
	if (interrupts)
		perfmon_arm_pmd(set, pos);
	else if ((s64)value < 0)
		set->dirty = true; /* the PMD may have to interrupt now */
}

static void pmrs_write_attr(struct perfmon_session *s, struct perfmon_set *set,
			    struct perfmon_pmd *pmd,
			    struct perfmon_pmd_attr *memory,
			    struct pfarg_pmd_attr *user)
{
	if (user->reg_random_seed) {
		s->random_seed = user->reg_random_seed;
		perfmon_seed_random(s, s->random_seed, 0);
	}
	if (memory)
		pmd->attr = memory;
	/* Without memory the PMD has no attributes, and the new ones are all 0. */
	if (pmd->attr)
		pmrs_store_attr(set, pmd->attr, user);
}

static void pmrs_write_pmd(struct hardware *hw, struct perfmon_set *set,
			   unsigned int pos, const struct pfarg_pmr *pmr)
{
	struct perfmon_pmd *pmd = &set->pmds[pos];

	pmd->flags = pmr->reg_flags;
	pmd->doubled = 0;
	if (!__test_and_set_bit(pos, set->used_pmds))
		set->dirty = true;
	/* The overflow of the old value is obsolete. */
	__clear_bit(pos, set->armed);
	__clear_bit(pos, set->ovfl_pmds);
	pmrs_load_pmd(hw, set, pos, pmr->reg_value);
}

/**
 * perfmon_piece_write - write registers
 * @s: session
 * @piece: struct perfmon_piece, checked
 *
 * Changes of the counting set are on the hardware when it returns.
 *
 * Context: see perfmon_on_target().
 */
void perfmon_piece_write(struct perfmon_session *s, void *piece)
{
	struct hardware hw = {
		.live = perfmon_session_live(s) ? s->counting : NULL,
	};
	struct perfmon_piece *p = piece;
	struct perfmon_set *set;
	unsigned int pos;
	int i;

	for (i = 0; i < p->n; i++) {
		set = p->set[i];
		pos = p->pos[i];
		if (p->pmc) {
			pmrs_write_pmc(set, pos, &p->pmrs[i]);
			continue;
		}
		if (p->attrs)
			pmrs_write_attr(s, set, &set->pmds[pos], p->attr[i],
					&p->attrs[i]);
		pmrs_write_pmd(&hw, set, pos, &p->pmrs[i]);
		perfmon_find_plain(s, &set->pmds[pos]);
	}
	if (hw.stopped) {
		if (s->counting->dirty)
			perfmon_set_build(s, s->counting);
		perfmon_arch_resume(&s->counting->arch);
	} else {
		perfmon_reload(s);
	}
	perfmon_page_update(s);
}

/* The caller has zeroed @user. */
static void pmrs_show_attr(const struct perfmon_pmd *pmd,
			   struct pfarg_pmd_attr *user)
{
	const struct perfmon_pmd_attr *attr = pmd->attr;

	user->reg_last_value = pmd->last;
	if (!attr)
		return;
	user->reg_long_reset = attr->long_reset;
	user->reg_short_reset = attr->short_reset;
	user->reg_random_mask = attr->random_mask;
	user->reg_smpl_rate = attr->rate.most;
	user->reg_smpl_doubled = READ_ONCE(attr->rate.doubled);
	user->reg_smpl_eventid = attr->eventid;
	user->reg_ovfl_swcnt = attr->swcnt_rest;
	bitmap_copy(perfmon_positions(user->reg_smpl_pmds), attr->smpl,
		    PERFMON_ARCH_MAX_PMDS);
	bitmap_copy(perfmon_positions(user->reg_reset_pmds), attr->reset,
		    PERFMON_ARCH_MAX_PMDS);
}

/**
 * perfmon_piece_read - read registers
 * @s: session
 * @piece: struct perfmon_piece, checked
 *
 * Context: see perfmon_on_target().
 */
void perfmon_piece_read(struct perfmon_session *s, void *piece)
{
	bool is_live = perfmon_session_live(s);
	struct perfmon_piece *p = piece;
	struct perfmon_set *set;
	unsigned int pos;
	u64 value;
	int i;

	for (i = 0; i < p->n; i++) {
		set = p->set[i];
		pos = p->pos[i];
		if (p->pmc) {
			p->pmrs[i].reg_value = set->pmcs[pos];
			continue;
		}
		value = perfmon_pmd_present(set, pos, is_live && set == s->counting);
		p->pmrs[i].reg_value = perfmon_pmd_shown(set, pos, value);
		if (p->attrs)
			pmrs_show_attr(&set->pmds[pos], &p->attrs[i]);
	}
}
