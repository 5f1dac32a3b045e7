// SPDX-License-Identifier: GPL-2.0-only
/* v3.0 calls as a v2.81 program makes them, see shim.h. */
#define PFM_TEST_V281_SHIM_ITSELF
#include "shim.h"

#include <errno.h>
#include <limits.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

/* The longest vectors that v2.81 takes by default, in elements. */
#define MAX_PMCS 85
#define MAX_PMDS 23

#define CTX_FLAGS \
	(PFM_FL_NOTIFY_BLOCK | PFM_FL_SYSTEM_WIDE | PFM_FL_OVFL_NO_MSG)
#define SET_FLAGS (PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH)

#define NO_FLAGS "these calls of v2.81 have no flags"
#define IGNORED "v2.81 ignores other flags and fields"

struct v281_test (*v281_running_test)(void);

/* Ends the test; a comparison that has failed before stays a failure. */
static void __attribute__((noreturn)) skip(const char *reason)
{
	struct v281_test test = v281_running_test();

	fflush(stdout);
	if (test.failed)
		_exit(KSFT_FAIL);
	if (test.reason)
		snprintf(test.reason, test.reason_size, "%s", reason);
	_exit(KSFT_SKIP);
}

static void needs(bool has_form, const char *otherwise)
{
	if (!has_form)
		skip(otherwise);
}

/* Sessions */

static bool has_reserved(const char *name, const void *arg, size_t size)
{
	pfm_dfl_smpl_arg_t copy;

	if (strcmp(name, PFM_DFL_SMPL_NAME) != 0 || size != sizeof(copy) ||
	    !arg)
		return false;
	memcpy(&copy, arg, sizeof(copy));
	for (int i = 0; i < 6; i++)
		if (copy.reserved[i])
			return true;
	return copy.reserved1;
}

int v281_create_session(int flags, ...)
{
	pfarg_ctx_t ctx = { .ctx_flags = (uint32_t)flags & CTX_FLAGS };
	char *name;
	void *arg;
	size_t size;
	va_list args;

	needs(!(flags & ~(CTX_FLAGS | PFM_FL_SMPL_FMT)), IGNORED);
	if (!(flags & PFM_FL_SMPL_FMT))
		return pfm_create_context(&ctx, NULL, NULL, 0);

	va_start(args, flags);
	name = va_arg(args, char *);
	arg = va_arg(args, void *);
	size = va_arg(args, size_t);
	va_end(args);
	needs(name, "without a name v2.81 creates a session without a format");
	needs(!has_reserved(name, arg, size), IGNORED);
	return pfm_create_context(&ctx, name, arg, size);
}

int v281_attach_session(int fd, int flags, int target)
{
	pfarg_load_t load = { .load_pid = (uint32_t)target };

	needs(!flags, NO_FLAGS);
	if (target == PFM_NO_TARGET)
		return pfm_unload_context(fd);
	return pfm_load_context(fd, &load);
}

int v281_detach_session(int fd, int flags)
{
	needs(!flags, NO_FLAGS);
	return pfm_unload_context(fd);
}

int v281_start_session(int fd, int flags)
{
	if (flags == PFM_STFL_RESTART)
		return pfm_restart(fd);
	needs(!flags, NO_FLAGS);
	return pfm_start(fd, NULL);
}

int v281_stop_session(int fd, int flags)
{
	needs(!flags, NO_FLAGS);
	return pfm_stop(fd);
}

/* Registers */

/*
 * How many elements of a vector must be made: none if the count or the pointer
 * is wrong, which is for the library to find.
 */
static int to_convert(const void *vector, int n, int max)
{
	if (!vector || n < 0 || n >= (int)(INT_MAX / sizeof(pfarg_pmr_t)))
		return 0;
	needs(n <= max, "vectors of v2.81 are limited in another way");
	return n;
}

static int write_pmcs(int fd, const pfarg_pmr_t *pmrs, int n)
{
	pfarg_pmc_t pmcs[MAX_PMCS];

	for (int i = 0; i < to_convert(pmrs, n, MAX_PMCS); i++)
		pmcs[i] = (pfarg_pmc_t){
			.reg_num = pmrs[i].reg_num,
			.reg_set = pmrs[i].reg_set,
			.reg_flags = pmrs[i].reg_flags,
			.reg_value = pmrs[i].reg_value,
		};
	return pfm_write_pmcs(fd, pmrs ? pmcs : NULL, n);
}

static void put_attributes(pfarg_pmd_t *pmd, const pfarg_pmd_attr_t *attr)
{
	needs(!attr->reg_smpl_rate, IGNORED);
	needs(!attr->reg_random_seed, IGNORED);
	for (int i = 0; i < 6; i++)
		needs(!attr->reg_reserved[i], IGNORED);
	pmd->reg_long_reset = attr->reg_long_reset;
	pmd->reg_short_reset = attr->reg_short_reset;
	pmd->reg_random_mask = attr->reg_random_mask;
	pmd->reg_ovfl_switch_cnt = attr->reg_ovfl_swcnt;
	pmd->reg_smpl_eventid = attr->reg_smpl_eventid;
	for (unsigned int i = 0; i < PFM_PMD_BV; i++) {
		pmd->reg_smpl_pmds[i] = attr->reg_smpl_pmds[i];
		pmd->reg_reset_pmds[i] = attr->reg_reset_pmds[i];
	}
}

/*
 * v2.81 always writes the attributes, so that a program that wants to keep them
 * repeats what it wrote. Here they are asked for.
 */
static void repeat_attributes(int fd, pfarg_pmd_t *pmd)
{
	pfarg_pmr_t pmr = { .reg_num = pmd->reg_num, .reg_set = pmd->reg_set };
	pfarg_pmd_attr_t attr;

	if (pfm_read_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, &pmr, 1,
			  &attr) == 0)
		put_attributes(pmd, &attr);
}

static void put_pmd(pfarg_pmd_t *pmd, const pfarg_pmr_t *pmr)
{
	*pmd = (pfarg_pmd_t){
		.reg_num = pmr->reg_num,
		.reg_set = pmr->reg_set,
		.reg_flags = pmr->reg_flags,
		.reg_value = pmr->reg_value,
	};
}

static int write_pmds(int fd, const pfarg_pmr_t *pmrs, int n,
		      const pfarg_pmd_attr_t *attrs)
{
	pfarg_pmd_t pmds[MAX_PMDS];

	for (int i = 0; i < to_convert(pmrs, n, MAX_PMDS); i++) {
		put_pmd(&pmds[i], &pmrs[i]);
		if (attrs)
			put_attributes(&pmds[i], &attrs[i]);
		else
			repeat_attributes(fd, &pmds[i]);
	}
	return pfm_write_pmds(fd, pmrs ? pmds : NULL, n);
}

/* v2.81 tells of two attributes; they must be those that v3.0 tells of. */
static void read_attributes(int fd, const pfarg_pmr_t *pmrs, int n,
			    const pfarg_pmd_t *pmds, pfarg_pmd_attr_t *attrs)
{
	pfarg_pmr_t copy[MAX_PMDS];
	int saved_errno = errno;

	memcpy(copy, pmrs, n * sizeof(copy[0]));
	pfm_read_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, copy, n, attrs);
	for (int i = 0; i < n; i++) {
		attrs[i].reg_last_value = pmds[i].reg_last_reset_val;
		attrs[i].reg_ovfl_swcnt = pmds[i].reg_ovfl_switch_cnt;
	}
	errno = saved_errno;
}

static int read_pmds(int fd, pfarg_pmr_t *pmrs, int n, pfarg_pmd_attr_t *attrs)
{
	pfarg_pmd_t pmds[MAX_PMDS];
	int converted = to_convert(pmrs, n, MAX_PMDS);
	int rc;

	for (int i = 0; i < converted; i++) {
		put_pmd(&pmds[i], &pmrs[i]);
		if (attrs) {
			pmds[i].reg_last_reset_val = attrs[i].reg_last_value;
			pmds[i].reg_ovfl_switch_cnt = attrs[i].reg_ovfl_swcnt;
		}
	}
	rc = pfm_read_pmds(fd, pmrs ? pmds : NULL, n);
	for (int i = 0; i < converted; i++)
		pmrs[i].reg_value = pmds[i].reg_value;
	if (attrs)
		read_attributes(fd, pmrs, converted, pmds, attrs);
	return rc;
}

static pfarg_pmd_attr_t *check_attributes(int flags, pfarg_pmd_attr_t *attrs)
{
	needs(attrs || !(flags & PFM_RWFL_PMD_ATTR),
	      "v2.81 has one vector for both");
	return flags & PFM_RWFL_PMD_ATTR ? attrs : NULL;
}

int v281_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	pfarg_pmd_attr_t *attrs = NULL;
	va_list args;

	if (flags == PFM_RWFL_PMC)
		return write_pmcs(fd, pmrs, n);
	needs((flags & ~PFM_RWFL_PMD_ATTR) == PFM_RWFL_PMD, NO_FLAGS);
	if (flags & PFM_RWFL_PMD_ATTR) {
		va_start(args, n);
		attrs = va_arg(args, pfarg_pmd_attr_t *);
		va_end(args);
	}
	return write_pmds(fd, pmrs, n, check_attributes(flags, attrs));
}

int v281_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	pfarg_pmd_attr_t *attrs = NULL;
	va_list args;

	if (flags == PFM_RWFL_PMC)
		return pfm_read_pmrs(fd, flags, pmrs, n);
	needs((flags & ~PFM_RWFL_PMD_ATTR) == PFM_RWFL_PMD, NO_FLAGS);
	if (flags & PFM_RWFL_PMD_ATTR) {
		va_start(args, n);
		attrs = va_arg(args, pfarg_pmd_attr_t *);
		va_end(args);
	}
	return read_pmds(fd, pmrs, n, check_attributes(flags, attrs));
}

/* Event sets: the structures are the same. */

int v281_create_sets(int fd, int flags, pfarg_setdesc_t *sets, int n)
{
	for (int i = 0; sets && i < n && n <= 64; i++) {
		needs(!(sets[i].set_flags & ~SET_FLAGS), IGNORED);
		needs(!sets[i].set_reserved1, IGNORED);
		for (int j = 0; j < 6; j++)
			needs(!sets[i].reserved[j], IGNORED);
	}
	if (flags == PFM_SETS_DELETE)
		return pfm_delete_evtsets(fd, sets, n);
	needs(!flags, NO_FLAGS);
	return pfm_create_evtsets(fd, sets, n);
}

int v281_getinfo_sets(int fd, int flags, pfarg_setinfo_t *infos, int n)
{
	needs(!flags, NO_FLAGS);
	for (int i = 0; infos && i < n && n <= 20; i++) {
		needs(!infos[i].set_reserved1, IGNORED);
		for (int j = 0; j < 6; j++)
			needs(!infos[i].set_reserved3[j], IGNORED);
	}
	return pfm_getinfo_evtsets(fd, infos, n);
}
