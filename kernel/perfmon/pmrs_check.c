// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work on register elements before and after the target: checking them completely,
 * finding their sets, allocating memory, and converting the masks of attributes from
 * numbers to positions and back.
 *
 * Called by pmrs.c in process context with interrupts on, so that none of this lengthens
 * the time with interrupts off on the target's CPU.  The session is locked, except for
 * perfmon_piece_finish().
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/perfmon_fmt.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "access.h"
#include "family/family.h"
#include "pmd.h"
#include "pmrs.h"
#include "smpl/capture.h"
#include "smpl/records.h"

#define PMD_FLAGS	(PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM)
#define PMC_FLAGS	(PFM_REGFL_NO_EMUL64 | PFM_REGFL_USER_ONLY)

/* Position of a register that the session may use, or -EINVAL. */
static int pmrs_pmc_position(const struct perfmon_session *s, unsigned int num)
{
	int pos = perfmon_pmc_position(num);

	if (pos < 0 || !perfmon_reg_available(s, &perfmon_pmu.pmcs[pos]))
		return -EINVAL;
	return pos;
}

static int pmrs_pmd_position(const struct perfmon_session *s, unsigned int num)
{
	int pos = perfmon_pmd_position(num);

	if (pos < 0 || !perfmon_reg_available(s, &perfmon_pmu.pmds[pos]))
		return -EINVAL;
	return pos;
}

static bool pmrs_counts_kernel(const struct perfmon_reg *reg, u64 value)
{
	if (reg->type & PERFMON_REG_PRIV_0)
		value = ~value;
	return (value & reg->priv) || reg->priv == PERFMON_PRIV_ALWAYS;
}

/*
 * May the caller count the kernel?  Ask once, and only if it matters: the audit log shows
 * each use of privileges.
 */
static int pmrs_may_count_kernel(const struct perfmon_session *s,
				 struct perfmon_piece *p)
{
	if (!p->kernel_known)
		p->kernel_err = perfmon_may_count_kernel(s->flags);
	p->kernel_known = true;
	return p->kernel_err;
}

/* Registers that sample by themselves are the session's until its end. */
static int pmrs_claim(struct perfmon_session *s)
{
	int err = 0;

	if (!s->claimed)
		err = perfmon_arch_claim(perfmon_capture);
	if (!err)
		s->claimed = true;
	return err;
}

static bool pmrs_flags_fit(const struct perfmon_reg *reg, u32 flags)
{
	if (flags & PFM_REGFL_NO_EMUL64 && !(reg->type & PERFMON_REG_NO64))
		return false;
	return !(flags & PFM_REGFL_USER_ONLY) || reg->type & PERFMON_REG_USER;
}

static int pmrs_check_pmc_value(struct perfmon_session *s,
				struct perfmon_piece *p, int i,
				const struct perfmon_reg *reg)
{
	struct pfarg_pmr *pmr = &p->pmrs[i];
	u64 value = (pmr->reg_value & ~reg->rsvd) | (reg->dfl & reg->rsvd);
	bool kernel;
	int err;

	if (!pmrs_flags_fit(reg, pmr->reg_flags))
		return -EINVAL;
	if (pmr->reg_flags & PFM_REGFL_NO_EMUL64)
		value &= ~reg->no64;
	if (reg->type & PERFMON_REG_REC && value &&
	    !perfmon_records_fit_pmc(s, p->set[i], reg, value))
		return -EINVAL;
	kernel = !(pmr->reg_flags & PFM_REGFL_USER_ONLY) &&
		 pmrs_counts_kernel(reg, value);
	if (kernel) {
		err = pmrs_may_count_kernel(s, p);
		if (err)
			return err;
	}
	if (reg->type & PERFMON_REG_WC) {
		err = perfmon_arch_check_pmc(reg, value);
		if (err)
			return err;
	}
	if (reg->type & PERFMON_REG_CLAIM && value) {
		err = pmrs_claim(s);
		if (err)
			return err;
	}
	if (kernel)
		s->kernel_ip = true;
	pmr->reg_value = value;
	return 0;
}

static int pmrs_check_pmc(struct perfmon_session *s,
			  struct perfmon_piece *p, int i)
{
	struct pfarg_pmr *pmr = &p->pmrs[i];
	int err, pos = pmrs_pmc_position(s, pmr->reg_num);

	if (pos < 0)
		return pos;
	p->pos[i] = pos;
	if (p->write && pmr->reg_flags & ~PMC_FLAGS)
		return -EINVAL;
	if (!p->set[i])
		return -EINVAL;
	if (!p->write)
		return 0;
	err = pmrs_check_pmc_value(s, p, i, &perfmon_pmu.pmcs[pos]);
	if (!err && perfmon_family(s))
		err = perfmon_family_check_pmc(s, pmr->reg_flags);
	return err;
}

/* Convert a mask from numbers to positions.  Return: false if a bit is no usable PMD. */
static bool pmrs_take_mask(const struct perfmon_session *s, u64 *bv,
			   u16 forbidden_type)
{
	DECLARE_BITMAP(mask, PERFMON_ARCH_MAX_PMDS) = { 0 };
	unsigned int word;
	u64 rest;
	int pos;

	for (word = 0; word < PFM_PMD_BV; word++) {
		for (rest = bv[word]; rest; rest &= rest - 1) {
			pos = pmrs_pmd_position(s, 64 * word + __ffs64(rest));
			if (pos < 0 ||
			    (perfmon_pmu.pmds[pos].type & forbidden_type))
				return false;
			__set_bit(pos, mask);
		}
	}
	bitmap_copy(perfmon_positions(bv), mask, PERFMON_ARCH_MAX_PMDS);
	return true;
}

/* Convert a mask from positions back to numbers. */
static void pmrs_show_mask(u64 *bv)
{
	DECLARE_BITMAP(mask, PERFMON_ARCH_MAX_PMDS);
	unsigned int pos, num;

	bitmap_copy(mask, perfmon_positions(bv), PERFMON_ARCH_MAX_PMDS);
	memset(bv, 0, PFM_PMD_BV * sizeof(*bv));
	for_each_set_bit(pos, mask, PERFMON_ARCH_MAX_PMDS) {
		num = perfmon_pmu.pmds[pos].num;
		bv[num / 64] |= 1ULL << num % 64;
	}
}

static bool pmrs_take_attr(const struct perfmon_session *s,
			   struct pfarg_pmd_attr *attr)
{
	return pmrs_take_mask(s, attr->reg_smpl_pmds, 0) &&
	       pmrs_take_mask(s, attr->reg_reset_pmds, PERFMON_REG_RO) &&
	       !memchr_inv(attr->reg_reserved, 0, sizeof(attr->reg_reserved));
}

/*
 * A seed is legal for periods that vary only.  So is a rate, which doubles periods: fixed
 * ones would become multiples of themselves.
 */
static bool pmrs_random_fits(u32 flags, const struct pfarg_pmd_attr *attr)
{
	if (!(flags & PFM_REGFL_RANDOM))
		return !attr->reg_smpl_rate && !attr->reg_random_seed;
	return !attr->reg_smpl_rate ||
	       (attr->reg_smpl_rate <= PERFMON_RATE_MAX &&
		(s64)attr->reg_long_reset < 0 &&
		(s64)attr->reg_short_reset < 0);
}

/*
 * Seed the generator as late as possible, since most sessions need none; but before a PMD
 * uses it.
 */
static void pmrs_seed_random(struct perfmon_session *s)
{
	if (s->random_seeded)
		return;
	perfmon_seed_random(s, 0, 0);
	s->random_seeded = true;
}

/* Would a counter have to interrupt although its PMC forbids it? */
static bool pmrs_asks_in_vain(const struct perfmon_set *set, unsigned int pos,
			      u64 value, const struct pfarg_pmd_attr *attr)
{
	if (!perfmon_set_must_not_interrupt(set, pos) ||
	    test_bit(perfmon_pmu.pmds[pos].ctrl, set->no64))
		return false;
	return (s64)value < 0 || (attr && ((s64)attr->reg_long_reset < 0 ||
					   (s64)attr->reg_short_reset < 0));
}

static int pmrs_check_pmd(struct perfmon_session *s,
			  struct perfmon_piece *p, int i)
{
	struct pfarg_pmd_attr *attr = p->attrs ? &p->attrs[i] : NULL;
	struct pfarg_pmr *pmr = &p->pmrs[i];
	int err, pos = pmrs_pmd_position(s, pmr->reg_num);

	if (pos < 0)
		return pos;
	p->pos[i] = pos;
	if (!p->write) {
		if (!p->set[i] || !test_bit(pos, p->set[i]->used_pmds))
			return -EINVAL;
		if (attr)
			memset(attr, 0, sizeof(*attr));
		return 0;
	}
	if (pmr->reg_flags & ~PMD_FLAGS)
		return -EINVAL;
	if (attr && (!pmrs_take_attr(s, attr) ||
		     !pmrs_random_fits(pmr->reg_flags, attr)))
		return -EINVAL;
	if (!p->set[i] ||
	    pmrs_asks_in_vain(p->set[i], pos, pmr->reg_value, attr))
		return -EINVAL;
	if (unlikely(s->claimed) &&
	    !perfmon_records_fit_pmd(p->set[i], pos, pmr, attr))
		return -EINVAL;
	if (perfmon_family(s)) {
		err = perfmon_family_check_pmd(s, p->set[i], pos,
					       pmr->reg_value, attr);
		if (err)
			return err;
	}
	if (pmr->reg_flags & PFM_REGFL_RANDOM)
		pmrs_seed_random(s);
	return 0;
}

/*
 * Does one of the first @n elements bring memory for the attributes of element @i's PMD?
 */
static bool pmrs_brings_attr(const struct perfmon_piece *p, int n, int i)
{
	int j;

	for (j = 0; j < n; j++)
		if (p->attr[j] && p->set[j] == p->set[i] &&
		    p->pos[j] == p->pos[i])
			return true;
	return false;
}

/* Attributes that are all 0 mean the same as none, and need no memory. */
static bool pmrs_alloc_attr(struct perfmon_session *s, struct perfmon_piece *p,
			    int i)
{
	p->attr[i] = NULL;
	if (p->set[i]->pmds[p->pos[i]].attr ||
	    !memchr_inv(&p->attrs[i], 0, sizeof(p->attrs[i])) ||
	    pmrs_brings_attr(p, i, i))
		return true;
	if (!perfmon_account_charge(&s->account, sizeof(*p->attr[i])))
		return false;
	p->attr[i] = kzalloc(sizeof(*p->attr[i]), GFP_KERNEL_ACCOUNT);
	if (!p->attr[i])
		perfmon_account_uncharge(&s->account, sizeof(*p->attr[i]));
	return p->attr[i];
}

/* Allocate for all elements that will be written, or for none. */
static int pmrs_alloc_attrs(struct perfmon_session *s, struct perfmon_piece *p)
{
	int i;

	for (i = 0; i < p->n; i++)
		if (!pmrs_alloc_attr(s, p, i))
			break;
	if (i == p->n)
		return 0;
	while (i--) {
		if (!p->attr[i])
			continue;
		kfree(p->attr[i]);
		perfmon_account_uncharge(&s->account, sizeof(*p->attr[i]));
	}
	return -ENOMEM;
}

/**
 * perfmon_piece_check - check elements and allocate memory before they are applied
 * @s: session, locked
 * @p: piece; its @n becomes the number of elements before the first bad one
 *
 * Changes nothing that users can see.
 *
 * Return: 0, or the error of the first bad element; or -ENOMEM or -EBUSY, with
 * @n 0.
 */
int perfmon_piece_check(struct perfmon_session *s, struct perfmon_piece *p)
{
	struct perfmon_set *set = s->active;
	int i, err = 0;

	if (p->write && s->ended) {
		p->n = 0;
		return -EBUSY;
	}
	for (i = 0; i < p->n; i++) {
		/* Most calls are about one set. */
		if (unlikely(!set || set->id != p->pmrs[i].reg_set))
			set = perfmon_set_find(s, p->pmrs[i].reg_set);
		p->set[i] = set;
		err = p->pmc ? pmrs_check_pmc(s, p, i) :
			       pmrs_check_pmd(s, p, i);
		if (err)
			break;
	}
	p->n = i;
	if (p->write && p->attrs && pmrs_alloc_attrs(s, p)) {
		p->n = 0;
		return -ENOMEM;
	}
	return err;
}

/** perfmon_piece_finish - turn the masks that were read into numbers */
void perfmon_piece_finish(struct perfmon_piece *p)
{
	int i;

	if (p->write || !p->attrs)
		return;
	for (i = 0; i < p->n; i++) {
		pmrs_show_mask(p->attrs[i].reg_smpl_pmds);
		pmrs_show_mask(p->attrs[i].reg_reset_pmds);
	}
}
