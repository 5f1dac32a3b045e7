// SPDX-License-Identifier: MIT
/*
 * The functions of a draft of version 3, exported by libpfm 3.10.  They call
 * v3.0's functions where their meaning is clear (perfmon_draft.h).
 */
#include <errno.h>
#include <limits.h>
#include <perfmon/perfmon.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "compat_vector.h"
#include "calls/pfmlib_kernel.h"

/* Copies the registers that the session can use, as reported for set 0. */
static int get_available(int fd, pfarg_sinfo_t *sif)
{
	pfarg_setinfo_t info = { .set_id = 0 };

	if (pfm_getinfo_sets(fd, 0, &info, 1))
		return -1;
	memcpy(sif->sif_avail_pmcs, info.set_avail_pmcs,
	       sizeof(sif->sif_avail_pmcs));
	memcpy(sif->sif_avail_pmds, info.set_avail_pmds,
	       sizeof(sif->sif_avail_pmds));
	memset(sif->sif_reserved, 0, sizeof(sif->sif_reserved));
	return 0;
}

/* Not a cancellation point, unlike close(). */
static void close_quietly(int fd)
{
	int saved_errno = errno;
	int cancel_state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	close(fd);
	pthread_setcancelstate(cancel_state, NULL);
	errno = saved_errno;
}

os_err_t pfm_create(int flags, pfarg_sinfo_t *sif, ...)
{
	int fd;

	if (flags & PFM_FL_SMPL_FMT) {
		char *smpl_name;
		void *smpl_arg;
		size_t smpl_size;
		va_list args;

		va_start(args, sif);
		smpl_name = va_arg(args, char *);
		smpl_arg = va_arg(args, void *);
		smpl_size = va_arg(args, size_t);
		va_end(args);
		fd = pfm_create_session(flags, smpl_name, smpl_arg, smpl_size);
	} else {
		fd = pfm_create_session(flags);
	}
	if (fd >= 0 && sif && get_available(fd, sif)) {
		close_quietly(fd);
		return -1;
	}
	return fd;
}

/* The structure consists of v3.0's register and then its attributes. */
_Static_assert(sizeof(pfarg_draft_pmd_attr_t) ==
		       sizeof(pfarg_pmr_t) + sizeof(pfarg_pmd_attr_t),
	       "nothing else is in it");

static int transfer_attrs(v3_transfer *call, int fd,
			  pfarg_draft_pmd_attr_t *regs, int n)
{
	pfarg_pmd_attr_t *attrs;
	pfarg_pmr_t *pmrs;
	struct work work;
	int rc;

	if (pfmlib_check_vector(fd, regs, n, sizeof(*attrs)) ||
	    pfmlib_work_get_pmds(&work, n, &pmrs, &attrs))
		return -1;

	for (int i = 0; i < n; i++) {
		memcpy(&pmrs[i], &regs[i], sizeof(pmrs[i]));
		memcpy(&attrs[i], &regs[i].reg_long_reset, sizeof(attrs[i]));
	}
	rc = call(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, pmrs, n, attrs);
	if (call == pfm_read_pmrs && (rc == 0 || errno == EINVAL))
		for (int i = 0; i < n; i++) {
			regs[i].reg_value = pmrs[i].reg_value;
			memcpy(&regs[i].reg_long_reset, &attrs[i],
			       sizeof(attrs[i]));
		}
	pfmlib_work_put(&work);
	return rc;
}

static int transfer(v3_transfer *call, int fd, int flags, int type, void *reg,
		    size_t size)
{
	size_t element = type == PFM_RW_PMD_ATTR ?
				 sizeof(pfarg_draft_pmd_attr_t) :
				 sizeof(pfarg_pmr_t);

	if (pfmlib_v3_base() < 0)
		return -1;
	if (flags || type < PFM_RW_PMD || type > PFM_RW_PMD_ATTR ||
	    size % element || size / element > INT_MAX)
		return pfmlib_fail(EINVAL);
	if (type == PFM_RW_PMD_ATTR)
		return transfer_attrs(call, fd, reg, (int)(size / element));
	return call(fd, type == PFM_RW_PMD ? PFM_RWFL_PMD : PFM_RWFL_PMC, reg,
		    (int)(size / element));
}

os_err_t pfm_write(int fd, int flags, int type, void *reg, size_t n)
{
	return transfer(pfm_write_pmrs, fd, flags, type, reg, n);
}

os_err_t pfm_read(int fd, int flags, int type, void *reg, size_t n)
{
	return transfer(pfm_read_pmrs, fd, flags, type, reg, n);
}

os_err_t pfm_set_state(int fd, int flags, int state)
{
	if (pfmlib_v3_base() < 0)
		return -1;
	if (flags)
		return pfmlib_fail(EINVAL);
	switch (state) {
	case PFM_ST_START:
		return pfm_start_session(fd, 0);
	case PFM_ST_STOP:
		return pfm_stop_session(fd, 0);
	case PFM_ST_RESTART:
		return pfm_start_session(fd, PFM_STFL_RESTART);
	default:
		return pfmlib_fail(EINVAL);
	}
}

os_err_t pfm_attach(int fd, int flags, int target)
{
	return pfm_attach_session(fd, flags, target);
}
