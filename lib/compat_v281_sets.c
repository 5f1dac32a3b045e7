// SPDX-License-Identifier: MIT
/*
 * The v2.81 interface on a v3.0 kernel: event sets.
 *
 * The structures are the same, but v3.0 refuses fields that v2.81 ignored; they are
 * cleared in a copy.  v3.0 also refuses short timeouts, which programs get from
 * clock_getres(); they are raised to the shortest possible one.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <string.h>
#include <time.h>

#include "compat_v281.h"
#include "compat_vector.h"

#define SET_FLAGS (PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH)

/* The shortest timeout of v3.0, whatever the resolution of the clock is. */
#define MIN_TIMEOUT_NS 10000

/* The shortest timeout that the kernel accepts, in ns.  Keeps errno. */
static uint64_t min_timeout(void)
{
	int saved_errno = errno;
	struct timespec res;
	uint64_t ns = 0;

	if (clock_getres(CLOCK_MONOTONIC, &res) == 0)
		ns = (uint64_t)res.tv_sec * 1000000000 + (uint64_t)res.tv_nsec;
	errno = saved_errno;
	return ns > MIN_TIMEOUT_NS ? ns : MIN_TIMEOUT_NS;
}

/* 0 means no timeout in both versions. */
static uint64_t long_enough(const pfarg_setdesc_t *set)
{
	uint64_t min;

	if (!(set->set_flags & PFM_SETFL_TIME_SWITCH) || !set->set_timeout)
		return set->set_timeout;
	min = min_timeout();
	return set->set_timeout < min ? min : set->set_timeout;
}

/* pfm_create_sets() with a cleaned copy. */
static int create_sets(int fd, int flags, pfarg_setdesc_t *setd, int n)
{
	bool deletes = flags & PFM_SETS_DELETE;
	pfarg_setdesc_t *copy;
	struct work work;
	int rc;

	if (pfmlib_check_vector(fd, setd, n, sizeof(*setd)) ||
	    pfmlib_work_get(&work, (size_t)n * sizeof(*setd)))
		return -1;

	copy = work.data;
	for (int i = 0; i < n; i++)
		copy[i] = (pfarg_setdesc_t){
			.set_id = setd[i].set_id,
			.set_flags = setd[i].set_flags & SET_FLAGS,
			.set_timeout = deletes ? setd[i].set_timeout :
						 long_enough(&setd[i]),
		};
	rc = pfm_create_sets(fd, flags, copy, n);
	/* Programs read the actual timeout there. */
	for (int i = 0; i < n && rc == 0; i++)
		if (setd[i].set_timeout != copy[i].set_timeout)
			setd[i].set_timeout = copy[i].set_timeout;
	pfmlib_work_put(&work);
	return rc;
}

os_err_t pfm_create_evtsets(int fd, pfarg_setdesc_t *setd, int count)
{
	int rc;

	if (v281_native(&rc, V281_CREATE_EVTSETS, fd, (long)setd, count))
		return rc;
	return create_sets(fd, 0, setd, count);
}

/* Fails with EINVAL, or with EBADF if every call would. */
static int refuse_delete(int fd)
{
	if (pfm_create_sets(fd, 0, NULL, 0) == 0 || errno != EBADF)
		errno = EINVAL;
	return -1;
}

os_err_t pfm_delete_evtsets(int fd, pfarg_setdesc_t *setd, int count)
{
	int rc;

	if (v281_native(&rc, V281_DELETE_EVTSETS, fd, (long)setd, count))
		return rc;
	if (pfmlib_v281_strict())
		return refuse_delete(fd);
	return create_sets(fd, PFM_SETS_DELETE, setd, count);
}

/* All but the reserved fields, which the caller owns. */
static void put_back(pfarg_setinfo_t *info, const pfarg_setinfo_t *from)
{
	info->set_flags = from->set_flags;
	memcpy(info->set_ovfl_pmds, from->set_ovfl_pmds,
	       sizeof(info->set_ovfl_pmds));
	info->set_runs = from->set_runs;
	info->set_timeout = from->set_timeout;
	info->set_act_duration = from->set_act_duration;
	memcpy(info->set_avail_pmcs, from->set_avail_pmcs,
	       sizeof(info->set_avail_pmcs));
	memcpy(info->set_avail_pmds, from->set_avail_pmds,
	       sizeof(info->set_avail_pmds));
}

/* The parentheses prevent the expansion of perfmon.h's macro. */
os_err_t(pfm_getinfo_evtsets)(int fd, pfarg_setinfo_t *info, int count)
{
	pfarg_setinfo_t *copy;
	struct work work;
	int rc;

	if (v281_native(&rc, V281_GETINFO_EVTSETS, fd, (long)info, count))
		return rc;
	if (pfmlib_check_vector(fd, info, count, sizeof(*info)) ||
	    pfmlib_work_get(&work, (size_t)count * sizeof(*info)))
		return -1;

	copy = work.data;
	for (int i = 0; i < count; i++) {
		copy[i] = info[i];
		copy[i].set_reserved1 = 0;
		memset(copy[i].set_reserved3, 0, sizeof(copy[i].set_reserved3));
	}
	rc = pfm_getinfo_sets(fd, 0, copy, count);
	/* Sets before a bad one were filled; the others keep the caller's values. */
	if (rc == 0 || errno == EINVAL)
		for (int i = 0; i < count; i++)
			put_back(&info[i], &copy[i]);
	pfmlib_work_put(&work);
	return rc;
}
