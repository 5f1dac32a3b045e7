// SPDX-License-Identifier: MIT
/*
 * The v2.81 interface on a v3.0 kernel: registers.
 *
 * v2.81 has one structure for a PMC and one for a PMD with its attributes.  v3.0 has one
 * for all registers and another for attributes.  These functions build both v3.0 vectors
 * in their own memory and copy the results back.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <string.h>

#include "compat_v281.h"
#include "compat_vector.h"

/* The v3.0 form of PMDs. */
struct pmds {
	pfarg_pmr_t *pmrs;
	pfarg_pmd_attr_t *attrs;
	int n;
};

os_err_t pfm_write_pmcs(int fd, pfarg_pmc_t *pmcs, int count)
{
	struct work work;
	pfarg_pmr_t *pmrs;
	int rc;

	if (v281_native(&rc, V281_WRITE_PMCS, fd, (long)pmcs, count))
		return rc;
	if (pfmlib_check_vector(fd, pmcs, count, sizeof(*pmcs)) ||
	    pfmlib_work_get(&work, (size_t)count * sizeof(*pmrs)))
		return -1;

	pmrs = work.data;
	for (int i = 0; i < count; i++)
		pmrs[i] = (pfarg_pmr_t){
			.reg_num = pmcs[i].reg_num,
			.reg_set = pmcs[i].reg_set,
			.reg_flags = pmcs[i].reg_flags,
			.reg_value = pmcs[i].reg_value,
		};
	rc = pfm_write_pmrs(fd, PFM_RWFL_PMC, pmrs, count);
	pfmlib_work_put(&work);
	return rc;
}

static int pmds_get(struct pmds *pmds, struct work *work, int n)
{
	pmds->n = n;
	return pfmlib_work_get_pmds(work, n, &pmds->pmrs, &pmds->attrs);
}

static void put_attributes(pfarg_pmd_attr_t *attr, const pfarg_pmd_t *pmd)
{
	attr->reg_long_reset = pmd->reg_long_reset;
	attr->reg_short_reset = pmd->reg_short_reset;
	attr->reg_random_mask = pmd->reg_random_mask;
	memcpy(attr->reg_smpl_pmds, pmd->reg_smpl_pmds,
	       sizeof(attr->reg_smpl_pmds));
	memcpy(attr->reg_reset_pmds, pmd->reg_reset_pmds,
	       sizeof(attr->reg_reset_pmds));
	attr->reg_ovfl_swcnt = pmd->reg_ovfl_switch_cnt;
	attr->reg_smpl_eventid = pmd->reg_smpl_eventid;
	attr->reg_last_value = 0;
	attr->reg_smpl_rate = 0;
	attr->reg_smpl_doubled = 0;
	attr->reg_random_seed = 0;
	memset(attr->reg_reserved, 0, sizeof(attr->reg_reserved));
}

static void put_register(pfarg_pmr_t *pmr, const pfarg_pmd_t *pmd)
{
	*pmr = (pfarg_pmr_t){
		.reg_num = pmd->reg_num,
		.reg_set = pmd->reg_set,
		.reg_flags = pmd->reg_flags,
		.reg_value = pmd->reg_value,
	};
}

/*
 * Transfers PMDs in order, in one call if the kernel accepts that size.  v2.81 would have
 * accepted all of them (pfmlib_check_vector()), but v3.0's attributes are bigger.
 * Returns the result of the call; *seen is the number of elements that the kernel has
 * processed.
 */
static int transfer(v3_transfer *call, int fd, const struct pmds *pmds,
		    int *seen)
{
	const int flags = PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR;
	int saved_errno = errno;
	int chunk = pmds->n;

	*seen = 0;
	do {
		int left = pmds->n - *seen;
		int n = chunk < left ? chunk : left;

		if (call(fd, flags, pmds->pmrs + *seen, n,
			 pmds->attrs + *seen) == 0) {
			*seen += n;
		} else if (errno == E2BIG && n > 1) {
			chunk = (n + 1) / 2;
		} else {
			/* Elements before a bad one were processed. */
			if (errno == EINVAL)
				*seen += n;
			return -1;
		}
	} while (*seen < pmds->n);
	errno = saved_errno;
	return 0;
}

os_err_t pfm_write_pmds(int fd, pfarg_pmd_t *pmds, int count)
{
	struct pmds now;
	struct work work;
	int rc, seen;

	if (v281_native(&rc, V281_WRITE_PMDS, fd, (long)pmds, count))
		return rc;
	if (pfmlib_check_vector(fd, pmds, count, sizeof(*pmds)) ||
	    pmds_get(&now, &work, count))
		return -1;

	for (int i = 0; i < count; i++) {
		put_register(&now.pmrs[i], &pmds[i]);
		put_attributes(&now.attrs[i], &pmds[i]);
	}
	rc = transfer(pfm_write_pmrs, fd, &now, &seen);
	pfmlib_work_put(&work);
	return rc;
}

/*
 * The kernel fills only the elements that it reads, so the others are returned unchanged.
 * Attributes are not used.
 */
os_err_t pfm_read_pmds(int fd, pfarg_pmd_t *pmds, int count)
{
	struct pmds now;
	struct work work;
	int rc, seen;

	if (v281_native(&rc, V281_READ_PMDS, fd, (long)pmds, count))
		return rc;
	if (pfmlib_check_vector(fd, pmds, count, sizeof(*pmds)) ||
	    pmds_get(&now, &work, count))
		return -1;

	for (int i = 0; i < count; i++) {
		put_register(&now.pmrs[i], &pmds[i]);
		now.attrs[i].reg_last_value = pmds[i].reg_last_reset_val;
		now.attrs[i].reg_ovfl_swcnt = pmds[i].reg_ovfl_switch_cnt;
	}
	rc = transfer(pfm_read_pmrs, fd, &now, &seen);
	for (int i = 0; i < seen; i++) {
		pmds[i].reg_value = now.pmrs[i].reg_value;
		pmds[i].reg_last_reset_val = now.attrs[i].reg_last_value;
		pmds[i].reg_ovfl_switch_cnt = now.attrs[i].reg_ovfl_swcnt;
	}
	pfmlib_work_put(&work);
	return rc;
}
