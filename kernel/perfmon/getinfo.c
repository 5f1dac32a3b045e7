// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfm_getinfo_sets(): describing event sets.
 *
 * Hot fields are read on the target (target.c), for all elements of a piece at once.  The
 * rest is done before and after that, under perfmon_session.lock.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/syscalls.h>
#include <linux/uaccess.h>

#include "access.h"
#include "family/family.h"
#include "loss.h"
#include "run.h"
#include "syscall.h"

/* Set the bits of the registers that the session may use. */
static void getinfo_avail(u64 *bv, const struct perfmon_reg *regs,
			  unsigned int nr, const struct perfmon_session *s)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (perfmon_reg_available(s, &regs[i]))
			bv[regs[i].num / 64] |= 1ULL << regs[i].num % 64;
}

/* Most descriptions of a piece, see PERFMON_PIECE. */
#define INFO_PIECE	64

struct getinfo {
	int n;
	bool up_to_date;	/* include the present slice */
	int flags;		/* PFM_GIFL_* */
	struct pfarg_setinfo *infos;
	struct perfmon_set *sets[INFO_PIECE];
};

static void getinfo_active(struct perfmon_session *s, const struct getinfo *g,
			   struct pfarg_setinfo *info)
{
	info->set_timeout = s->active->left;
	if (!g->up_to_date || !s->counting)
		return;
	info->set_act_duration += perfmon_clock(s) - s->slice_clock;
	if (s->active->flags & PFM_SETFL_TIME_SWITCH)
		info->set_timeout = perfmon_timer_left(s);
}

static void getinfo_kinds(const struct perfmon_session *s,
			  struct perfmon_set *set, u64 *ns)
{
	bool live = set == s->counting && perfmon_session_live(s);

	ns[PFM_KINDS_CORE_NS] = perfmon_arch_kind_ns(&set->arch, 0, live);
	ns[PFM_KINDS_ATOM_NS] = perfmon_arch_kind_ns(&set->arch, 1, live);
}

/* Read the hot fields.  Context: on the target. */
static void getinfo_hot(struct perfmon_session *s, void *arg)
{
	const struct getinfo *g = arg;
	struct perfmon_set *set;
	struct pfarg_setinfo *info;
	int i;

	for (i = 0; i < g->n; i++) {
		set = g->sets[i];
		info = &g->infos[i];
		info->set_runs = set->runs;
		info->set_act_duration = set->duration;
		info->set_timeout = set->timeout;
		/* These are positions; getinfo_end() turns them into register numbers. */
		bitmap_copy((unsigned long *)info->set_ovfl_pmds,
			    set->ovfl_pmds, PERFMON_ARCH_MAX_PMDS);
		if (g->flags & PFM_GIFL_LOSS)
			perfmon_loss_get(s, info->set_reserved3);
		if (g->flags & PFM_GIFL_KINDS)
			getinfo_kinds(s, set, info->set_reserved3);
		if (set == s->active && perfmon_session_attached(s))
			getinfo_active(s, g, info);
	}
}

/* Return: false if the element is bad. */
static bool getinfo_begin(struct perfmon_session *s, struct getinfo *g, int i)
{
	struct pfarg_setinfo *info = &g->infos[i];
	u16 id = info->set_id;

	if (info->set_reserved1 ||
	    memchr_inv(info->set_reserved3, 0, sizeof(info->set_reserved3)))
		return false;
	g->sets[i] = perfmon_set_find(s, id);
	if (!g->sets[i])
		return false;
	memset(info, 0, sizeof(*info));
	info->set_id = id;
	info->set_flags = g->sets[i]->flags;
	return true;
}

static void getinfo_end(const struct perfmon_session *s,
			struct pfarg_setinfo *info)
{
	DECLARE_BITMAP(ovfl, PERFMON_ARCH_MAX_PMDS);
	unsigned int pos, num;

	bitmap_copy(ovfl, (unsigned long *)info->set_ovfl_pmds,
		    PERFMON_ARCH_MAX_PMDS);
	memset(info->set_ovfl_pmds, 0, sizeof(info->set_ovfl_pmds));
	for_each_set_bit(pos, ovfl, perfmon_pmu.nr_pmds) {
		num = perfmon_pmu.pmds[pos].num;
		info->set_ovfl_pmds[num / 64] |= 1ULL << num % 64;
	}
	getinfo_avail(info->set_avail_pmcs, perfmon_pmu.pmcs,
		      perfmon_pmu.nr_pmcs, s);
	getinfo_avail(info->set_avail_pmds, perfmon_pmu.pmds,
		      perfmon_pmu.nr_pmds, s);
}

/* Add the losses, runs and durations of the family. */
static void getinfo_family(struct perfmon_session *s, const struct getinfo *g)
{
	int i;

	if (g->flags & PFM_GIFL_FAMILY)
		perfmon_family_info(s, g->sets, g->infos, g->n);
	if (!(g->flags & PFM_GIFL_LOSS))
		return;
	for (i = 0; i < g->n; i++)
		perfmon_family_loss(s, g->infos[i].set_reserved3);
}

/*
 * PFM_GIFL_KINDS and PFM_GIFL_LOSS both fill set_reserved3; times are the target's only.
 */
static bool getinfo_flags_valid(int flags)
{
	if (flags == PFM_GIFL_KINDS)
		return true;
	return !(flags & ~(PFM_GIFL_LOSS | PFM_GIFL_FAMILY));
}

/* Return: number of filled elements, less than @n if one is bad. */
static int getinfo_piece(struct perfmon_session *s, int flags,
			 struct pfarg_setinfo *infos, int n)
{
	/* Only the filled elements are used. */
	struct getinfo g __uninitialized;
	enum perfmon_caller caller;
	int i;

	mutex_lock(&s->lock);
	caller = perfmon_caller_any(s);
	g.infos = infos;
	g.up_to_date = caller == PERFMON_CALLER_SELF ||
		       caller == PERFMON_CALLER_CPU;
	g.flags = flags;
	for (g.n = 0; g.n < n; g.n++)
		if (!getinfo_begin(s, &g, g.n))
			break;
	if (g.n)
		perfmon_on_target(s, caller, getinfo_hot, &g);
	if (perfmon_family(s))
		getinfo_family(s, &g);
	mutex_unlock(&s->lock);
	for (i = 0; i < g.n; i++)
		getinfo_end(s, &infos[i]);
	return g.n;
}

static int getinfo_sets(struct perfmon_session *s, int flags,
			struct pfarg_setinfo *infos, int n)
{
	int piece, got, done = 0;

	while (done < n) {
		piece = min(n - done, INFO_PIECE);
		got = getinfo_piece(s, flags, infos + done, piece);
		done += got;
		if (got < piece)
			break;
		cond_resched();
	}
	return done;
}

/**
 * sys_pfm_getinfo_sets - describe event sets
 * @fd: session, in any state
 * @flags: PFM_GIFL_KINDS, or any of PFM_GIFL_LOSS and PFM_GIFL_FAMILY
 * @infos: vector, set_id is input
 * @n: its length
 *
 * Return: 0, or
 *
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: unknown flag, PFM_GIFL_KINDS and another, bad @n, a reserved field is
 *   not zero, unknown set; PFM_GIFL_FAMILY without PFM_FL_INHERIT
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

	if (!perfmon_usable)
		return -ENOSYS;
	if (!getinfo_flags_valid(flags))
		return -EINVAL;
	err = perfmon_call_open_vec(&call, fd, &v, infos, n, sizeof(*infos));
	if (err)
		return err;
	if ((flags & PFM_GIFL_FAMILY) && !perfmon_family(call.session)) {
		err = -EINVAL;
		goto out;
	}
	done = getinfo_sets(call.session, flags, v.data, n);
	err = done < n ? -EINVAL : 0;
	if (copy_to_user(infos, v.data, done * sizeof(*infos)))
		err = -EFAULT;
out:
	perfmon_vec_put(&v);
	perfmon_call_close(&call);
	return err;
}
