// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets: memory, lookup, the control that is built from a set, and the
 * system call that creates sets; getinfo.c describes them.
 *
 * Everything here is protected by pfm_session.lock; sets are created and
 * deleted only while the session is detached.
 */
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/syscalls.h>
#include <linux/uaccess.h>

#include "perfmon.h"

/* Shortest time switch: less would be a timer storm. */
#define MIN_TIMEOUT_NS	10000

#define MAX_SETS	1024

#define SET_FLAGS	(PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH)

static void set_default_pmcs(struct pfm_set *set)
{
	unsigned int pos;

	for (pos = 0; pos < perfmon_pmu.nr_pmcs; pos++)
		set->pmcs[pos] = perfmon_pmu.pmcs[pos].dfl;
	bitmap_zero(set->used_pmcs, PERFMON_ARCH_MAX_PMCS);
	bitmap_zero(set->no64, PERFMON_ARCH_MAX_PMCS);
	set->some_no64 = false;
	set->dirty = true;
}

/* Sets of this machine's registers; kmalloc() would round up by half. */
static struct kmem_cache *set_cache __ro_after_init;

static size_t pmcs_offset(void)
{
	return struct_size_t(struct pfm_set, pmds, perfmon_pmu.nr_pmds);
}

/** perfmon_sets_init - prepare for sets; the PMU is known */
int __init perfmon_sets_init(void)
{
	size_t size = pmcs_offset() + perfmon_pmu.nr_pmcs * sizeof(u64);

	set_cache = kmem_cache_create("perfmon_set", size, 0, SLAB_ACCOUNT,
				      NULL);
	return set_cache ? 0 : -ENOMEM;
}

/**
 * perfmon_set_alloc - make a set with default registers
 * @id: its number
 *
 * Return: the set, or NULL.
 */
struct pfm_set *perfmon_set_alloc(u16 id)
{
	struct pfm_set *set = kmem_cache_zalloc(set_cache, GFP_KERNEL);

	if (!set)
		return NULL;
	set->pmcs = (void *)set + pmcs_offset();
	set->id = id;
	memset(set->arch.element, PERFMON_NO_ELEMENT,
	       sizeof(set->arch.element));
	set_default_pmcs(set);
	return set;
}

/** perfmon_set_free - free a set that is in no list; NULL is allowed */
void perfmon_set_free(struct pfm_set *set)
{
	unsigned int pos;

	if (!set)
		return;
	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++)
		kfree(set->pmds[pos].attr);
	kmem_cache_free(set_cache, set);
}

/* What a set has cost its session, the attributes of its PMDs included. */
static size_t set_bytes(const struct pfm_set *set)
{
	size_t bytes = kmem_cache_size(set_cache);
	unsigned int pos;

	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++)
		if (set->pmds[pos].attr)
			bytes += sizeof(*set->pmds[pos].attr);
	return bytes;
}

static int compare_id(const void *id, const struct rb_node *node)
{
	return (int)*(const u16 *)id - rb_entry(node, struct pfm_set, by_id)->id;
}

/** perfmon_set_find - look up a set of a session, NULL if there is none */
struct pfm_set *perfmon_set_find(struct pfm_session *s, u16 id)
{
	struct rb_node *node = rb_find(&id, &s->sets_by_id, compare_id);

	return node ? rb_entry(node, struct pfm_set, by_id) : NULL;
}

/**
 * perfmon_set_add - make a set one of a session's
 * @s: session, detached
 * @set: with a number that no set of the session has
 */
void perfmon_set_add(struct pfm_session *s, struct pfm_set *set)
{
	struct rb_node **link = &s->sets_by_id.rb_node, *parent = NULL;
	struct list_head *before = &s->sets;
	struct pfm_set *other;

	while (*link) {
		parent = *link;
		other = rb_entry(parent, struct pfm_set, by_id);
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

/* The set is still the caller's. */
static void remove_set(struct pfm_session *s, struct pfm_set *set)
{
	rb_erase(&set->by_id, &s->sets_by_id);
	list_del(&set->node);
	s->nr_sets--;
}

/*
 * Only a counter that is going to wrap needs the interrupt, and that is one
 * whose value is negative, now or after a reset.  All others stay in the mode
 * that costs the context switch nothing.
 */
static bool wants_interrupt(const struct pfm_set *set, unsigned int pos)
{
	const struct perfmon_reg *reg = &perfmon_pmu.pmds[pos];
	const struct pfm_pmd *pmd = &set->pmds[pos];

	if (!(reg->type & PERFMON_REG_INTR) || test_bit(reg->ctrl, set->no64))
		return false;
	if ((s64)pmd->value < 0)
		return true;
	return pmd->attr && ((s64)pmd->attr->long_reset < 0 ||
			     (s64)pmd->attr->short_reset < 0);
}

/**
 * perfmon_set_build - make the counters of a set follow its registers
 * @set: is on no CPU
 * @system_wide: kind of the session
 *
 * The 64-bit values move with their PMDs to the new elements.  An overflow
 * that has not been processed yet is not forgotten.
 */
void perfmon_set_build(struct pfm_set *set, bool system_wide)
{
	DECLARE_BITMAP(ictrs, PERFMON_ARCH_MAX_PMDS) = { 0 };
	unsigned int pos;

	for_each_set_bit(pos, set->used_pmds, perfmon_pmu.nr_pmds) {
		set->pmds[pos].value = pfm_pmd_value(set, pos);
		if (wants_interrupt(set, pos))
			__set_bit(pos, ictrs);
	}
	/* These have gone through zero and still have to interrupt for it. */
	bitmap_or(ictrs, ictrs, set->armed, PERFMON_ARCH_MAX_PMDS);

	perfmon_arch_build(&set->arch, set->pmcs, set->used_pmcs,
			   set->used_pmds, ictrs, system_wide);

	for_each_set_bit(pos, set->used_pmds, perfmon_pmu.nr_pmds) {
		u64 value = set->pmds[pos].value;

		*perfmon_arch_value(&set->arch, pos, &set->pmds[pos].value) =
			value;
		if (!perfmon_arch_interrupts(&set->arch, pos))
			__clear_bit(pos, set->armed);
		else if (test_bit(pos, set->armed) && (s64)value >= 0)
			perfmon_arch_pend(&set->arch, pos);
		else
			perfmon_arm_pmd(set, pos);
	}
	set->dirty = false;
}

static bool timeout_valid(u64 timeout)
{
	u32 rest;

	div_u64_rem(timeout, hrtimer_resolution, &rest);
	return timeout >= MIN_TIMEOUT_NS && timeout <= S64_MAX && !rest;
}

static bool desc_reserved_zero(const struct pfarg_setdesc *desc)
{
	return !desc->set_reserved1 &&
	       !memchr_inv(desc->reserved, 0, sizeof(desc->reserved));
}

/* A set that is paid for; NULL: no memory, or over the limit. */
static struct pfm_set *set_alloc_charged(struct pfm_session *s, u16 id)
{
	size_t bytes = kmem_cache_size(set_cache);
	struct pfm_set *set;

	if (!perfmon_account_charge(&s->account, bytes))
		return NULL;
	set = perfmon_set_alloc(id);
	if (!set)
		perfmon_account_uncharge(&s->account, bytes);
	return set;
}

/* The set with this number, a new one if there is none; NULL: no memory. */
static struct pfm_set *find_or_add(struct pfm_session *s, u16 id)
{
	struct pfm_set *set = perfmon_set_find(s, id);

	if (set || s->nr_sets >= MAX_SETS)
		return set;
	set = set_alloc_charged(s, id);
	if (!set)
		return NULL;
	perfmon_set_add(s, set);
	return set;
}

static int create_set(struct pfm_session *s, const struct pfarg_setdesc *desc)
{
	struct pfm_set *set;

	if (!desc_reserved_zero(desc))
		return -EINVAL;
	if (desc->set_flags & ~SET_FLAGS || desc->set_flags == SET_FLAGS)
		return -EINVAL;
	if ((desc->set_flags & PFM_SETFL_TIME_SWITCH) &&
	    !timeout_valid(desc->set_timeout))
		return -EINVAL;
	set = find_or_add(s, desc->set_id);
	if (!set)
		return -ENOMEM;

	set->flags = desc->set_flags;
	set->timeout = desc->set_flags & PFM_SETFL_TIME_SWITCH ?
		       desc->set_timeout : 0;
	set->left = set->timeout;
	set->runs = 0;
	set->duration = 0;
	set_default_pmcs(set);
	return 0;
}

/* Attaching begins with set 0, which is therefore permanent. */
static int delete_set(struct pfm_session *s, const struct pfarg_setdesc *desc)
{
	struct pfm_set *set;

	if (!desc_reserved_zero(desc) || !desc->set_id)
		return -EINVAL;
	set = perfmon_set_find(s, desc->set_id);
	if (!set)
		return -EINVAL;
	if (s->active == set)
		s->active = list_first_entry(&s->sets, struct pfm_set, node);
	remove_set(s, set);
	perfmon_account_uncharge(&s->account, set_bytes(set));
	perfmon_set_free(set);
	return 0;
}

static int create_sets_locked(struct pfm_session *s, int flags,
			      const struct pfarg_setdesc *descs, int n)
{
	int i, err = 0;

	if (pfm_session_attached(s) || s->ended)
		return -EBUSY;
	for (i = 0; i < n && !err; i++)
		err = flags & PFM_SETS_DELETE ? delete_set(s, &descs[i]) :
						create_set(s, &descs[i]);
	return err;
}

/**
 * sys_pfm_create_sets - create, change or delete event sets
 * @fd: session
 * @flags: 0, or PFM_SETS_DELETE
 * @sets: vector of descriptions
 * @n: its length
 *
 * Elements are processed in order; those before a bad one stay applied.
 *
 * Return: 0, or
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: unknown flag, bad @n, a reserved field is not zero, unknown or
 *   both set flags, a bad timeout, deletion of set 0 or of an unknown set
 * * -EBADF: @fd is no session
 * * -E2BIG: vector over arg_mem_max
 * * -ENOMEM: memory, too many sets, or over RLIMIT_MEMLOCK of the creator of
 *   the session
 * * -EFAULT: copying the vector
 * * -EBUSY: the session is attached, or was ended by the administrator
 */
SYSCALL_DEFINE4(pfm_create_sets, int, fd, int, flags,
		struct pfarg_setdesc __user *, sets, int, n)
{
	struct perfmon_call call;
	struct perfmon_vec v;
	int err;

	if (!perfmon_usable())
		return -ENOSYS;
	if (flags & ~PFM_SETS_DELETE)
		return -EINVAL;
	err = perfmon_call_open_vec(&call, fd, &v, sets, n, sizeof(*sets));
	if (err)
		return err;
	mutex_lock(&call.session->lock);
	err = create_sets_locked(call.session, flags, v.data, n);
	mutex_unlock(&call.session->lock);
	perfmon_vec_put(&v);
	perfmon_call_close(&call);
	return err;
}
