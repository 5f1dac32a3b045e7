// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets: memory, lookup, and the control that is built from a set's
 * registers.  sets.c has the system call.
 *
 * perfmon_session.lock protects which sets there are: they come and go while the
 * session is detached.  perfmon_set_build() is also called without it, on the
 * target: by the set timer, the overflow interrupt, the tick, and a start at an
 * execve().
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/perfmon_fmt.h>
#include <linux/slab.h>
#include <linux/stddef.h>

#include "account.h"
#include "host.h"
#include "pmd.h"
#include "session.h"
#include "set.h"

/* The size depends on the processor's registers; kmalloc() would add a half. */
static struct kmem_cache *set_cache __ro_after_init;

/* The PMDs end where the PMCs begin. */
static_assert(sizeof(struct perfmon_set) == offsetof(struct perfmon_set, pmds));

static size_t set_pmcs_offset(void)
{
	return struct_size_t(struct perfmon_set, pmds, perfmon_pmu.nr_pmds);
}

/** perfmon_sets_init - prepare for sets; the PMU is known */
int __init perfmon_sets_init(void)
{
	size_t size = set_pmcs_offset() + perfmon_pmu.nr_pmcs * sizeof(u64);

	set_cache = kmem_cache_create("perfmon_set", size, 0, SLAB_ACCOUNT,
				      NULL);
	return set_cache ? 0 : -ENOMEM;
}

/** perfmon_sets_exit - undo perfmon_sets_init() */
void __init perfmon_sets_exit(void)
{
	kmem_cache_destroy(set_cache);
}

/* A set with what has to be zero from the start. */
static __always_inline struct perfmon_set *set_new(gfp_t gfp)
{
	size_t from = offsetof(struct perfmon_set, id);

	return perfmon_host_alloc(set_cache, gfp, from,
				  sizeof(struct perfmon_set) - from);
}

/** perfmon_set_default_pmcs - give all PMCs their defaults, as never written */
void perfmon_set_default_pmcs(struct perfmon_set *set)
{
	unsigned int pos;

	for (pos = 0; pos < perfmon_pmu.nr_pmcs; pos++)
		set->pmcs[pos] = perfmon_pmu.pmcs[pos].dfl;
	bitmap_zero(set->used_pmcs, PERFMON_ARCH_MAX_PMCS);
	bitmap_zero(set->no64, PERFMON_ARCH_MAX_PMCS);
	set->some_no64 = false;
	set->dirty = true;
}

/**
 * perfmon_set_alloc - make a set with default registers
 * @id: its number
 *
 * Return: the set, or NULL.
 */
struct perfmon_set *perfmon_set_alloc(u16 id)
{
	struct perfmon_set *set = set_new(GFP_KERNEL);
	struct perfmon_pmd *pmd;

	if (!set)
		return NULL;
	perfmon_arch_prepare(&set->arch);
	set->id = id;
	set->pmcs = (void *)set + set_pmcs_offset();
	/* An index would take four instructions more for each. */
	for (pmd = set->pmds; (void *)pmd != set->pmcs; pmd++)
		*pmd = (struct perfmon_pmd){ .at = &pmd->value };
	perfmon_set_default_pmcs(set);
	return set;
}

/**
 * perfmon_set_alloc_charged - the same, and charge for it
 * @account: of the session that the set is to be of
 * @id: its number
 *
 * Return: the set, or NULL: no memory, or over the limit.
 */
struct perfmon_set *perfmon_set_alloc_charged(struct perfmon_account *account,
					      u16 id)
{
	size_t bytes = perfmon_set_size();
	struct perfmon_set *set;

	if (!perfmon_account_charge(account, bytes))
		return NULL;
	set = perfmon_set_alloc(id);
	if (!set)
		perfmon_account_uncharge(account, bytes);
	return set;
}

/* @to counts what @from does, from zero, with its control; neither is on a CPU. */
static void set_take_control(struct perfmon_set *to,
			     const struct perfmon_set *from)
{
	unsigned int pos;

	perfmon_arch_copy(&to->arch, &from->arch);
	to->flags = from->flags;
	to->timeout = from->timeout;
	to->dirty = false;
	to->borrows = true;
	bitmap_copy(to->ictrs, from->ictrs, PERFMON_ARCH_MAX_PMDS);
	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++) {
		struct perfmon_pmd *pmd = &to->pmds[pos];

		*pmd = from->pmds[pos];
		pmd->value = 0;
		pmd->last = 0;
		pmd->at = perfmon_arch_value(&to->arch, pos, &pmd->value);
	}
}

/**
 * perfmon_set_copy - make a set that counts what another one does, from zero
 * @from: set that follows one that is built, see perfmon_set_follow()
 * @gfp: GFP_*
 *
 * It has the other's control and its attributes, and cannot be built again: it has
 * no PMCs.
 *
 * Return: the set, or NULL.
 */
struct perfmon_set *perfmon_set_copy(const struct perfmon_set *from, gfp_t gfp)
{
	struct perfmon_set *set = set_new(gfp);

	if (!set)
		return NULL;
	set->id = from->id;
	set_take_control(set, from);
	return set;
}

/**
 * perfmon_set_follow - give a set the control of another one
 * @to: never counts; keeps its values
 * @from: is built, and on no CPU
 */
void perfmon_set_follow(struct perfmon_set *to, const struct perfmon_set *from)
{
	u64 value[PERFMON_ARCH_MAX_PMDS];
	unsigned int pos;

	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++)
		value[pos] = perfmon_pmd_value(to, pos);
	set_take_control(to, from);
	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++)
		*to->pmds[pos].at = value[pos];
}

/** perfmon_set_free - free a set that is in no list; NULL is allowed */
void perfmon_set_free(struct perfmon_set *set)
{
	unsigned long left;
	unsigned int pos;

	if (!set)
		return;
	perfmon_set_free(set->ended);
	perfmon_set_free(set->late);
	left = set->borrows ? 0 : *set->used_pmds;
	while (perfmon_next_pmd(&left, &pos))
		kfree(set->pmds[pos].attr);
	kmem_cache_free(set_cache, set);
}

/** perfmon_set_size - bytes of a set, without the attributes of its PMDs */
size_t perfmon_set_size(void)
{
	return kmem_cache_size(set_cache);
}

/** perfmon_set_bytes - bytes that a set is charged for, with all that it has */
size_t perfmon_set_bytes(const struct perfmon_set *set)
{
	size_t bytes = perfmon_set_size();
	unsigned int pos;

	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++)
		if (set->pmds[pos].attr)
			bytes += sizeof(*set->pmds[pos].attr);
	if (set->ended)
		bytes += perfmon_set_size();
	if (set->late)
		bytes += perfmon_set_size();
	return bytes;
}

static int set_compare_id(const void *id, const struct rb_node *node)
{
	return (int)*(const u16 *)id -
	       rb_entry(node, struct perfmon_set, by_id)->id;
}

/** perfmon_set_find - look up a set of a session, NULL if there is none */
struct perfmon_set *perfmon_set_find(struct perfmon_session *s, u16 id)
{
	struct rb_node *node = rb_find(&id, &s->sets_by_id, set_compare_id);

	return node ? rb_entry(node, struct perfmon_set, by_id) : NULL;
}

/**
 * perfmon_set_add - make a set one of a session's
 * @s: session, detached
 * @set: with a number that no set of the session has
 */
void perfmon_set_add(struct perfmon_session *s, struct perfmon_set *set)
{
	struct rb_node **link = &s->sets_by_id.rb_node, *parent = NULL;
	struct list_head *before = &s->sets;
	struct perfmon_set *other;

	while (*link) {
		parent = *link;
		other = rb_entry(parent, struct perfmon_set, by_id);
		if (set->id < other->id) {
			link = &parent->rb_left;
		} else {
			before = &other->node;
			link = &parent->rb_right;
		}
	}
	rb_link_node(&set->by_id, parent, link);
	rb_insert_color(&set->by_id, &s->sets_by_id);
	list_add(&set->node, before);
	s->nr_sets++;
}

/** perfmon_set_remove - take a set from its session; it becomes the caller's */
void perfmon_set_remove(struct perfmon_session *s, struct perfmon_set *set)
{
	rb_erase(&set->by_id, &s->sets_by_id);
	list_del(&set->node);
	s->nr_sets--;
}

/*
 * Only a counter whose value is negative, now or after a reset, is going to
 * overflow and needs the interrupt.  All others stay in a-mode, which costs the
 * context switch nothing.
 */
static bool set_wants_interrupt(const struct perfmon_set *set, unsigned int pos)
{
	const struct perfmon_reg *reg = &perfmon_pmu.pmds[pos];
	const struct perfmon_pmd *pmd = &set->pmds[pos];

	if (!(reg->type & PERFMON_REG_INTR) || test_bit(reg->ctrl, set->no64))
		return false;
	if ((s64)pmd->value < 0)
		return true;
	return pmd->attr && ((s64)pmd->attr->long_reset < 0 ||
			     (s64)pmd->attr->short_reset < 0);
}

/* Move the value to the element that the PMD has got, and arm it. */
static void set_settle_pmd(struct perfmon_set *set, unsigned int pos)
{
	struct perfmon_pmd *pmd = &set->pmds[pos];
	u64 value = pmd->value;

	pmd->at = perfmon_arch_value(&set->arch, pos, &pmd->value);
	*pmd->at = value;
	if (!perfmon_arch_interrupts(&set->arch, pos)) {
		__clear_bit(pos, set->armed);
		return;
	}
	__set_bit(pos, set->ictrs);
	if (test_bit(pos, set->armed) && (s64)value >= 0)
		perfmon_arch_pend(&set->arch, pos);
	else
		perfmon_arm_pmd(set, pos);
}

/* The PMDs that make records get their reset values from the hardware. */
static void set_settle_records(const struct perfmon_session *s,
			       struct perfmon_set *set)
{
	bool blocks = s->fmt && s->fmt->blocks;
	unsigned long left = *set->used_pmds;
	const struct perfmon_pmd_attr *attr;
	unsigned int pos;

	while (perfmon_next_pmd(&left, &pos)) {
		attr = set->pmds[pos].attr;
		perfmon_arch_set_records(&set->arch, pos,
					 attr ? attr->short_reset : 0);
	}
	perfmon_arch_choose_blocks(&set->arch,
				   blocks ? s->fmt->blocks(s->buf_addr) : 0);
}

/**
 * perfmon_set_build - make the counters of a set follow its registers
 * @s: its session
 * @set: is on no CPU
 *
 * The 64-bit values move with their PMDs to the new elements.  Overflows that
 * have not been processed yet interrupt again.
 */
void perfmon_set_build(const struct perfmon_session *s, struct perfmon_set *set)
{
	DECLARE_BITMAP(wanted, PERFMON_ARCH_MAX_PMDS) = { 0 };
	unsigned long left = *set->used_pmds;
	unsigned int pos;

	while (perfmon_next_pmd(&left, &pos)) {
		set->pmds[pos].value = perfmon_pmd_value(set, pos);
		if (perfmon_set_must_not_interrupt(set, pos))
			__clear_bit(pos, set->armed);
		else if (set_wants_interrupt(set, pos))
			__set_bit(pos, wanted);
	}
	/* Those that have overflowed since must still interrupt for it. */
	bitmap_or(wanted, wanted, set->armed, PERFMON_ARCH_MAX_PMDS);

	perfmon_arch_build(&set->arch, set->pmcs, set->used_pmcs,
			   set->used_pmds, wanted,
			   s->flags & PFM_FL_SYSTEM_WIDE);
	perfmon_arch_choose_nmi(&set->arch, s->flags & PFM_FL_NMI,
				s->fmt && s->fmt->flags & PFM_FMTFL_STACK);

	*set->ictrs = 0;
	left = *set->used_pmds;
	while (perfmon_next_pmd(&left, &pos))
		set_settle_pmd(set, pos);
	if (perfmon_arch_has_also(&set->arch))
		set_settle_records(s, set);
	set->builds++;
	set->dirty = false;
}
