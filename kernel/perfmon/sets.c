// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfm_create_sets(): creating, changing and deleting event sets; getinfo.c
 * describes them.
 *
 * Only a detached session is changed, under perfmon_session.lock.
 */
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/syscalls.h>

#include "account.h"
#include "session.h"
#include "set.h"
#include "syscall.h"

/* Shortest timeout: a shorter one would cause a storm of timer interrupts. */
#define MIN_TIMEOUT_NS	10000

#define MAX_SETS	1024

#define SET_FLAGS	(PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH)

static bool sets_timeout_valid(u64 timeout)
{
	u32 rest;

	div_u64_rem(timeout, hrtimer_resolution, &rest);
	return timeout >= MIN_TIMEOUT_NS && timeout <= S64_MAX && !rest;
}

static bool sets_reserved_zero(const struct pfarg_setdesc *desc)
{
	return !desc->set_reserved1 &&
	       !memchr_inv(desc->reserved, 0, sizeof(desc->reserved));
}

/*
 * Return: the set @id, which is created if there is none; NULL: no memory, or
 * too many sets.
 */
static struct perfmon_set *sets_find_or_add(struct perfmon_session *s, u16 id)
{
	struct perfmon_set *set = perfmon_set_find(s, id);

	if (set || s->nr_sets >= MAX_SETS)
		return set;
	set = perfmon_set_alloc_charged(&s->account, id);
	if (!set)
		return NULL;
	perfmon_set_add(s, set);
	return set;
}

static int sets_create(struct perfmon_session *s,
		       const struct pfarg_setdesc *desc)
{
	struct perfmon_set *set;

	if (!sets_reserved_zero(desc))
		return -EINVAL;
	if (desc->set_flags & ~SET_FLAGS || desc->set_flags == SET_FLAGS)
		return -EINVAL;
	if ((desc->set_flags & PFM_SETFL_TIME_SWITCH) &&
	    !sets_timeout_valid(desc->set_timeout))
		return -EINVAL;
	/* Sets of a family do not switch by overflows, see family/check.c. */
	if ((desc->set_flags & PFM_SETFL_OVFL_SWITCH) &&
	    (s->flags & PFM_FL_INHERIT))
		return -EINVAL;
	set = sets_find_or_add(s, desc->set_id);
	if (!set)
		return -ENOMEM;

	set->flags = desc->set_flags;
	set->timeout = desc->set_flags & PFM_SETFL_TIME_SWITCH ?
		       desc->set_timeout : 0;
	set->left = set->timeout;
	set->runs = 0;
	set->duration = 0;
	perfmon_set_default_pmcs(set);
	return 0;
}

/* Each attachment begins with the first set, so set 0 cannot be deleted. */
static int sets_delete(struct perfmon_session *s,
		       const struct pfarg_setdesc *desc)
{
	struct perfmon_set *set;

	if (!sets_reserved_zero(desc) || !desc->set_id)
		return -EINVAL;
	set = perfmon_set_find(s, desc->set_id);
	if (!set)
		return -EINVAL;
	if (s->active == set)
		s->active =
			list_first_entry(&s->sets, struct perfmon_set, node);
	perfmon_set_remove(s, set);
	perfmon_account_uncharge(&s->account, perfmon_set_bytes(set));
	perfmon_set_free(set);
	return 0;
}

static int sets_create_locked(struct perfmon_session *s, int flags,
			      const struct pfarg_setdesc *descs, int n)
{
	int i, err = 0;

	if (perfmon_session_attached(s) || s->ended)
		return -EBUSY;
	for (i = 0; i < n && !err; i++)
		err = flags & PFM_SETS_DELETE ? sets_delete(s, &descs[i]) :
						sets_create(s, &descs[i]);
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
 *
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: unknown flag, bad @n, a reserved field is not zero, unknown or
 *   both set flags, a bad timeout, deletion of set 0 or of an unknown set,
 *   PFM_SETFL_OVFL_SWITCH with PFM_FL_INHERIT
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

	if (!perfmon_usable)
		return -ENOSYS;
	if (flags & ~PFM_SETS_DELETE)
		return -EINVAL;
	err = perfmon_call_open_vec(&call, fd, &v, sets, n, sizeof(*sets));
	if (err)
		return err;
	mutex_lock(&call.session->lock);
	err = sets_create_locked(call.session, flags, v.data, n);
	mutex_unlock(&call.session->lock);
	perfmon_vec_put(&v);
	perfmon_call_close(&call);
	return err;
}
