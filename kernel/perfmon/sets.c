// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets: memory, lookup, the control that is built from a set, and the
 * system calls that create and describe sets.
 *
 * Everything here is protected by pfm_session.lock.  Only set 0 exists yet.
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

#define SET_FLAGS	(PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH)

static void set_default_pmcs(struct pfm_set *set)
{
	unsigned int pos;

	for (pos = 0; pos < perfmon_pmu.nr_pmcs; pos++)
		set->pmcs[pos] = perfmon_pmu.pmcs[pos].dfl;
	bitmap_zero(set->used_pmcs, PERFMON_ARCH_MAX_PMCS);
	bitmap_zero(set->no64, PERFMON_ARCH_MAX_PMCS);
	set->dirty = true;
}

/**
 * perfmon_set_alloc - make a set with default registers
 * @id: its number
 *
 * Return: the set, or NULL.
 */
struct pfm_set *perfmon_set_alloc(u16 id)
{
	struct pfm_set *set;
	size_t pmds = struct_size(set, pmds, perfmon_pmu.nr_pmds);

	set = kzalloc(pmds + perfmon_pmu.nr_pmcs * sizeof(*set->pmcs),
		      GFP_KERNEL_ACCOUNT);
	if (!set)
		return NULL;
	set->pmcs = (void *)set + pmds;
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
	kfree(set);
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

/**
 * perfmon_set_build - make the counters of a set follow its registers
 * @set: is on no CPU
 * @system_wide: kind of the session
 *
 * The 64-bit values move with their PMDs to the new elements.
 */
void perfmon_set_build(struct pfm_set *set, bool system_wide)
{
	unsigned long long *sum;
	unsigned int pos;

	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++)
		set->pmds[pos].value = pfm_pmd_value(set, pos);

	perfmon_arch_build(&set->arch, set->pmcs, set->used_pmds, system_wide);

	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++) {
		sum = perfmon_arch_sum(&set->arch, pos);
		if (sum)
			*sum = set->pmds[pos].value;
	}
	set->dirty = false;
}

static bool timeout_valid(u64 timeout)
{
	u32 rest;

	div_u64_rem(timeout, hrtimer_resolution, &rest);
	return timeout >= MIN_TIMEOUT_NS && timeout <= S64_MAX && !rest;
}

static int create_set(struct pfm_session *s, const struct pfarg_setdesc *desc)
{
	struct pfm_set *set;

	if (desc->set_reserved1 ||
	    memchr_inv(desc->reserved, 0, sizeof(desc->reserved)))
		return -EINVAL;
	if (desc->set_flags & ~SET_FLAGS || desc->set_flags == SET_FLAGS)
		return -EINVAL;
	if ((desc->set_flags & PFM_SETFL_TIME_SWITCH) &&
	    !timeout_valid(desc->set_timeout))
		return -EINVAL;
	if (desc->set_id)
		return -EOPNOTSUPP;

	set = perfmon_set_find(s, desc->set_id);
	set->flags = desc->set_flags;
	set->timeout = desc->set_flags & PFM_SETFL_TIME_SWITCH ?
		       desc->set_timeout : 0;
	set->runs = 0;
	set->duration = 0;
	set_default_pmcs(set);
	return 0;
}

/* Set 0 is permanent, and no other can exist. */
static int delete_set(struct pfm_session *s, const struct pfarg_setdesc *desc)
{
	return -EINVAL;
}

static int create_sets_locked(struct pfm_session *s, int flags,
			      const struct pfarg_setdesc *descs, int n)
{
	int i, err = 0;

	if (s->state != PFM_UNLOADED)
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
 * * -ENOMEM, -EFAULT: copying it
 * * -EBUSY: the session is attached
 * * -EOPNOTSUPP: a set other than 0
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
	err = perfmon_check_count(n, sizeof(*sets));
	if (err)
		return err;
	err = perfmon_call_open(&call, fd);
	if (err)
		return err;
	err = perfmon_vec_fits(n, sizeof(*sets));
	if (!err)
		err = perfmon_vec_get(&v, sets, n, sizeof(*sets));
	if (!err) {
		mutex_lock(&call.session->lock);
		err = create_sets_locked(call.session, flags, v.data, n);
		mutex_unlock(&call.session->lock);
		perfmon_vec_put(&v);
	}
	perfmon_call_close(&call);
	return err;
}

/* Bit vector of the registers that a session of this kind may use. */
static void fill_avail(u64 *bv, const struct perfmon_reg *regs,
		       unsigned int nr, u16 kind)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (regs[i].type & kind)
			bv[regs[i].num / 64] |= 1ULL << regs[i].num % 64;
}

static int getinfo_set(struct pfm_session *s, struct pfarg_setinfo *info)
{
	u16 kind = s->flags & PFM_FL_SYSTEM_WIDE ? PERFMON_REG_SYS :
						   PERFMON_REG_THR;
	struct pfm_set *set;
	u16 id = info->set_id;

	if (info->set_reserved1 ||
	    memchr_inv(info->set_reserved3, 0, sizeof(info->set_reserved3)))
		return -EINVAL;
	set = perfmon_set_find(s, id);
	if (!set)
		return -EINVAL;

	memset(info, 0, sizeof(*info));
	info->set_id = id;
	info->set_flags = set->flags;
	info->set_runs = set->runs;
	info->set_timeout = set->timeout;
	info->set_act_duration = set->duration;
	if (set == s->counting && s->target == current)
		info->set_act_duration += perfmon_counted_ns(s);
	fill_avail(info->set_avail_pmcs, perfmon_pmu.pmcs, perfmon_pmu.nr_pmcs,
		   kind);
	fill_avail(info->set_avail_pmds, perfmon_pmu.pmds, perfmon_pmu.nr_pmds,
		   kind);
	return 0;
}

/* Return: number of elements done, which is less than @n if one is bad. */
static int getinfo_sets_locked(struct pfm_session *s,
			       struct pfarg_setinfo *infos, int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (getinfo_set(s, &infos[i]))
			break;
	return i;
}

/**
 * sys_pfm_getinfo_sets - describe event sets
 * @fd: session, in any state
 * @flags: 0
 * @infos: vector, set_id is input
 * @n: its length
 *
 * Return: 0, or
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: flags, bad @n, a reserved field is not zero, unknown set
 * * -EBADF: @fd is no session
 * * -E2BIG: vector over arg_mem_max
 * * -ENOMEM, -EFAULT: copying it
 */
SYSCALL_DEFINE4(pfm_getinfo_sets, int, fd, int, flags,
		struct pfarg_setinfo __user *, infos, int, n)
{
	struct perfmon_call call;
	struct perfmon_vec v;
	int err, done;

	if (!perfmon_usable())
		return -ENOSYS;
	if (flags)
		return -EINVAL;
	err = perfmon_check_count(n, sizeof(*infos));
	if (err)
		return err;
	err = perfmon_call_open(&call, fd);
	if (err)
		return err;
	err = perfmon_vec_fits(n, sizeof(*infos));
	if (!err)
		err = perfmon_vec_get(&v, infos, n, sizeof(*infos));
	if (!err) {
		mutex_lock(&call.session->lock);
		done = getinfo_sets_locked(call.session, v.data, n);
		mutex_unlock(&call.session->lock);
		if (done < n)
			err = -EINVAL;
		if (copy_to_user(infos, v.data, done * sizeof(*infos)))
			err = -EFAULT;
		perfmon_vec_put(&v);
	}
	perfmon_call_close(&call);
	return err;
}
