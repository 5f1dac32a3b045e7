// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets: memory, lookup, the control that is built from a set, and the
 * system calls that create and describe sets.
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

/** perfmon_set_find - look up a set of a session, NULL if there is none */
struct pfm_set *perfmon_set_find(struct pfm_session *s, u16 id)
{
	struct pfm_set *set;

	list_for_each_entry(set, &s->sets, node)
		if (set->id == id)
			return set;
	return NULL;
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
	return pmd->attr && ((s64)pmd->attr->user.reg_long_reset < 0 ||
			     (s64)pmd->attr->user.reg_short_reset < 0);
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
	struct pfm_set *set = perfmon_set_find(s, id), *next;

	if (set || s->nr_sets >= MAX_SETS)
		return set;
	set = set_alloc_charged(s, id);
	if (!set)
		return NULL;
	list_for_each_entry(next, &s->sets, node)
		if (next->id > id)
			break;
	/* The head of the list if there is no greater one. */
	list_add_tail(&set->node, &next->node);
	s->nr_sets++;
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
	list_del(&set->node);
	s->nr_sets--;
	perfmon_account_uncharge(&s->account, set_bytes(set));
	perfmon_set_free(set);
	return 0;
}

static int create_sets_locked(struct pfm_session *s, int flags,
			      const struct pfarg_setdesc *descs, int n)
{
	int i, err = 0;

	if (s->state != PFM_UNLOADED || s->ended)
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

/* Bit vector of the registers that a session with these flags may use. */
static void fill_avail(u64 *bv, const struct perfmon_reg *regs,
		       unsigned int nr, u32 session_flags)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (perfmon_reg_usable(session_flags, &regs[i]))
			bv[regs[i].num / 64] |= 1ULL << regs[i].num % 64;
}

struct getinfo {
	const struct pfm_set *set;
	struct pfarg_setinfo *info;
	bool up_to_date;	/* add what has been counted since the last fold */
	bool loss;		/* PFM_GIFL_LOSS */
};

/* What the overflow interrupt and the set timer change, on the target. */
static void getinfo_hot(struct pfm_session *s, void *arg)
{
	const struct getinfo *g = arg;
	const struct pfm_set *set = g->set;
	struct pfarg_setinfo *info = g->info;
	unsigned int pos, num;

	info->set_runs = set->runs;
	info->set_act_duration = set->duration;
	info->set_timeout = set->timeout;
	if (set == s->active && s->state != PFM_UNLOADED)
		info->set_timeout = set->left;
	for_each_set_bit(pos, set->ovfl_pmds, perfmon_pmu.nr_pmds) {
		num = perfmon_pmu.pmds[pos].num;
		info->set_ovfl_pmds[num / 64] |= 1ULL << num % 64;
	}
	if (g->loss)
		perfmon_loss_get(s, info->set_reserved3);
	if (!g->up_to_date || set != s->counting)
		return;
	info->set_act_duration += perfmon_clock(s) - s->slice_clock;
	if (set->flags & PFM_SETFL_TIME_SWITCH)
		info->set_timeout = perfmon_timer_left(s);
}

static int getinfo_set(struct pfm_session *s, struct pfarg_setinfo *info,
		       int flags)
{
	enum pfm_caller caller = perfmon_caller_any(s);
	struct getinfo g = {
		.info = info,
		.up_to_date = caller == PFM_CALLER_SELF ||
			      caller == PFM_CALLER_CPU,
		.loss = flags & PFM_GIFL_LOSS,
	};
	u16 id = info->set_id;

	if (info->set_reserved1 ||
	    memchr_inv(info->set_reserved3, 0, sizeof(info->set_reserved3)))
		return -EINVAL;
	g.set = perfmon_set_find(s, id);
	if (!g.set)
		return -EINVAL;

	memset(info, 0, sizeof(*info));
	info->set_id = id;
	info->set_flags = g.set->flags;
	perfmon_on_target(s, caller, getinfo_hot, &g);
	fill_avail(info->set_avail_pmcs, perfmon_pmu.pmcs, perfmon_pmu.nr_pmcs,
		   s->flags);
	fill_avail(info->set_avail_pmds, perfmon_pmu.pmds, perfmon_pmu.nr_pmds,
		   s->flags);
	return 0;
}

/* Return: number of elements done, which is less than @n if one is bad. */
static int getinfo_sets_locked(struct pfm_session *s,
			       struct pfarg_setinfo *infos, int n, int flags)
{
	int i;

	for (i = 0; i < n; i++)
		if (getinfo_set(s, &infos[i], flags))
			break;
	return i;
}

/**
 * sys_pfm_getinfo_sets - describe event sets
 * @fd: session, in any state
 * @flags: 0 or PFM_GIFL_LOSS
 * @infos: vector, set_id is input
 * @n: its length
 *
 * Return: 0, or
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: unknown flag, bad @n, a reserved field is not zero, unknown set
 * * -EBADF: @fd is no session
 * * -E2BIG: vector over arg_mem_max
 * * -ENOMEM: memory for the vector
 * * -EFAULT: copying it
 */
SYSCALL_DEFINE4(pfm_getinfo_sets, int, fd, int, flags,
		struct pfarg_setinfo __user *, infos, int, n)
{
	struct perfmon_call call;
	struct perfmon_vec v;
	int err, done;

	if (!perfmon_usable())
		return -ENOSYS;
	if (flags & ~PFM_GIFL_LOSS)
		return -EINVAL;
	err = perfmon_call_open_vec(&call, fd, &v, infos, n, sizeof(*infos));
	if (err)
		return err;
	mutex_lock(&call.session->lock);
	done = getinfo_sets_locked(call.session, v.data, n, flags);
	mutex_unlock(&call.session->lock);
	err = done < n ? -EINVAL : 0;
	if (copy_to_user(infos, v.data, done * sizeof(*infos)))
		err = -EFAULT;
	perfmon_vec_put(&v);
	perfmon_call_close(&call);
	return err;
}
