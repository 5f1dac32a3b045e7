/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One register, written or read through the library; of set 0 unless the name
 * says otherwise. Used where a test is about something else than the vectors
 * themselves.
 */
#ifndef PFM_TEST_PMRS_H
#define PFM_TEST_PMRS_H

#include <stdint.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

static inline int set_write_pmc(int fd, uint16_t set, uint16_t num,
				uint64_t value)
{
	struct pfarg_pmr pmr = { .reg_num = num,
				 .reg_set = set,
				 .reg_value = value };

	return pfm_write_pmrs(fd, PFM_RWFL_PMC, &pmr, 1);
}

static inline int set_write_pmd(int fd, uint16_t set, uint16_t num,
				uint64_t value)
{
	struct pfarg_pmr pmr = { .reg_num = num,
				 .reg_set = set,
				 .reg_value = value };

	return pfm_write_pmrs(fd, PFM_RWFL_PMD, &pmr, 1);
}

static inline int set_read_pmc(int fd, uint16_t set, uint16_t num,
			       uint64_t *value)
{
	struct pfarg_pmr pmr = { .reg_num = num, .reg_set = set };
	int rc = pfm_read_pmrs(fd, PFM_RWFL_PMC, &pmr, 1);

	*value = pmr.reg_value;
	return rc;
}

static inline int set_read_pmd(int fd, uint16_t set, uint16_t num,
			       uint64_t *value)
{
	struct pfarg_pmr pmr = { .reg_num = num, .reg_set = set };
	int rc = pfm_read_pmrs(fd, PFM_RWFL_PMD, &pmr, 1);

	*value = pmr.reg_value;
	return rc;
}

/* With attributes; those are copied, since the library takes no const. */
static inline int set_write_pmd_attr(int fd, uint16_t set, uint16_t num,
				     uint32_t flags, uint64_t value,
				     const struct pfarg_pmd_attr *attr)
{
	struct pfarg_pmr pmr = { .reg_num = num,
				 .reg_set = set,
				 .reg_flags = flags,
				 .reg_value = value };
	struct pfarg_pmd_attr copy = *attr;

	return pfm_write_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, &pmr, 1,
			      &copy);
}

static inline int set_read_pmd_attr(int fd, uint16_t set, uint16_t num,
				    uint64_t *value,
				    struct pfarg_pmd_attr *attr)
{
	struct pfarg_pmr pmr = { .reg_num = num, .reg_set = set };
	int rc = pfm_read_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, &pmr, 1,
			       attr);

	*value = pmr.reg_value;
	return rc;
}

static inline int write_pmc(int fd, uint16_t num, uint64_t value)
{
	return set_write_pmc(fd, 0, num, value);
}

static inline int write_pmd(int fd, uint16_t num, uint64_t value)
{
	return set_write_pmd(fd, 0, num, value);
}

static inline int read_pmc(int fd, uint16_t num, uint64_t *value)
{
	return set_read_pmc(fd, 0, num, value);
}

static inline int read_pmd(int fd, uint16_t num, uint64_t *value)
{
	return set_read_pmd(fd, 0, num, value);
}

static inline int write_pmd_attr(int fd, uint16_t num, uint32_t flags,
				 uint64_t value,
				 const struct pfarg_pmd_attr *attr)
{
	return set_write_pmd_attr(fd, 0, num, flags, value, attr);
}

static inline int read_pmd_attr(int fd, uint16_t num, uint64_t *value,
				struct pfarg_pmd_attr *attr)
{
	return set_read_pmd_attr(fd, 0, num, value, attr);
}

/* Attaches to the calling thread. */
static inline int attach_self(int fd)
{
	return pfm_attach_session(fd, 0, gettid());
}

#endif
