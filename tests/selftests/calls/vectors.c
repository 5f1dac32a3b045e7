// SPDX-License-Identifier: GPL-2.0-only
/*
 * The vectors of pfm_write_pmrs() and pfm_read_pmrs(): what they name, how long
 * they may be, where they lie, and what a bad element leaves. Conformance cases
 * C020 to C025, C037, C038, C044 and C045; the registers that they name are the
 * subject of regs.c.
 */
#include <limits.h>
#include <sys/mman.h>

#include "attr.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "regs_fixture.h"

TEST_F(session, C020_exactly_one_kind_of_register_is_named)
{
	static const int flags[] = {
		0,
		PMD | PMC,
		PFM_RWFL_PMD_ATTR,
		PMC | PFM_RWFL_PMD_ATTR,
		PMD | PMC | PFM_RWFL_PMD_ATTR,
		8,
		0x10001,
		(int)0x80000001,
	};
	struct pfarg_pmd_attr attr = { 0 };
	struct pfarg_pmr pmr = { .reg_num = self->pmd };
	unsigned int i;

	ASSERT_EQ(0, pfm_write_pmrs(self->fd, PMD, &pmr, 1));
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		EXPECT_EQ(EINVAL, ERRNO(pfm_write_pmrs(self->fd, flags[i], &pmr,
						       1, &attr)))
		{
			TH_LOG("flags 0x%x", (unsigned int)flags[i]);
		}
		EXPECT_EQ(EINVAL, ERRNO(pfm_read_pmrs(self->fd, flags[i], &pmr,
						      1, &attr)))
		{
			TH_LOG("flags 0x%x", (unsigned int)flags[i]);
		}
	}
}

TEST_F(session, C021_the_number_of_elements_has_bounds)
{
	const int max_pmr = INT_MAX / (int)sizeof(struct pfarg_pmr);
	const int max_attr = INT_MAX / (int)sizeof(struct pfarg_pmd_attr);
	static struct pfarg_pmd_attr attr;
	struct pfarg_pmr pmr = { .reg_num = self->pmd };
	const struct {
		int flags;
		int n;
		int err;
	} rows[] = {
		{ PMD, -1, EINVAL },
		{ PMD, INT_MIN, EINVAL },
		{ PMD, INT_MAX, EINVAL },
		{ PMD, max_pmr, EINVAL },
		{ PMD, max_pmr - 1, E2BIG },
		{ PMC, -1, EINVAL },
		{ PMC, max_pmr, EINVAL },
		{ PMD_ATTR, max_attr, EINVAL },
		{ PMD_ATTR, max_attr - 1, E2BIG },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		EXPECT_EQ(rows[i].err,
			  ERRNO(pfm_write_pmrs(self->fd, rows[i].flags, &pmr,
					       rows[i].n, &attr)))
		{
			TH_LOG("write, row %u", i);
		}
		EXPECT_EQ(rows[i].err,
			  ERRNO(pfm_read_pmrs(self->fd, rows[i].flags, &pmr,
					      rows[i].n, &attr)))
		{
			TH_LOG("read, row %u", i);
		}
	}
}

TEST_F(session, C021_no_elements_is_no_error_and_no_access)
{
	struct pfarg_pmr *nowhere = (struct pfarg_pmr *)8;

	EXPECT_EQ(0, ERRNO(pfm_write_pmrs(self->fd, PMD, NULL, 0)));
	EXPECT_EQ(0, ERRNO(pfm_read_pmrs(self->fd, PMD, nowhere, 0)));
	EXPECT_EQ(0, ERRNO(pfm_write_pmrs(self->fd, PMD_ATTR, NULL, 0, NULL)));
	EXPECT_EQ(EBADF, ERRNO(pfm_write_pmrs(-1, PMD, NULL, 0)));
	EXPECT_EQ(EBADF, ERRNO(pfm_read_pmrs(-1, PMD, NULL, 0)));
}

TEST_F(session, C022_a_vector_must_be_readable)
{
	struct pfarg_pmd_attr *nowhere = (struct pfarg_pmd_attr *)8;
	struct pfarg_pmr pmr = { .reg_num = self->pmd };

	EXPECT_EQ(EFAULT, ERRNO(pfm_write_pmrs(self->fd, PMD, NULL, 1)));
	EXPECT_EQ(EFAULT, ERRNO(pfm_write_pmrs(self->fd, PMC, NULL, 1)));
	EXPECT_EQ(EFAULT, ERRNO(pfm_read_pmrs(self->fd, PMD, NULL, 1)));
	EXPECT_EQ(EFAULT,
		  ERRNO(pfm_write_pmrs(self->fd, PMD_ATTR, &pmr, 1, NULL)));
	EXPECT_EQ(0, ERRNO(pfm_write_pmrs(self->fd, PMD, &pmr, 1, nowhere)));
	EXPECT_EQ(EFAULT,
		  ERRNO(pfm_read_pmrs(self->fd, PMD_ATTR, &pmr, 1, NULL)));
	EXPECT_EQ(0, ERRNO(pfm_read_pmrs(self->fd, PMD, &pmr, 1, nowhere)));
}

/* Fills a vector with @n times the same register. */
static void repeat(struct pfarg_pmr *pmrs, int n, uint16_t num)
{
	int i;

	for (i = 0; i < n; i++)
		pmrs[i] = (struct pfarg_pmr){ .reg_num = num, .reg_value = i };
}

TEST_F(session, C023_a_vector_fits_into_one_page_by_default)
{
	static struct pfarg_pmr pmrs[257];
	static struct pfarg_pmd_attr attrs[22];

	repeat(pmrs, ARRAY_SIZE(pmrs), self->pmd);
	EXPECT_EQ(E2BIG, ERRNO(pfm_write_pmrs(self->fd, PMD, pmrs, 257)));
	EXPECT_EQ(0, ERRNO(pfm_write_pmrs(self->fd, PMD, pmrs, 256)));
	EXPECT_EQ(E2BIG, ERRNO(pfm_read_pmrs(self->fd, PMD, pmrs, 257)));
	EXPECT_EQ(0, ERRNO(pfm_read_pmrs(self->fd, PMD, pmrs, 256)));
	EXPECT_EQ(E2BIG,
		  ERRNO(pfm_write_pmrs(self->fd, PMD_ATTR, pmrs, 22, attrs)));
	EXPECT_EQ(0,
		  ERRNO(pfm_write_pmrs(self->fd, PMD_ATTR, pmrs, 21, attrs)));
	EXPECT_EQ(E2BIG,
		  ERRNO(pfm_read_pmrs(self->fd, PMD_ATTR, pmrs, 22, attrs)));
	EXPECT_EQ(0, ERRNO(pfm_read_pmrs(self->fd, PMD_ATTR, pmrs, 21, attrs)));
}

/* The limit is restored by the parent, also if the test was killed. */
FIXTURE(limit)
{
	char arg_mem_max[32];
};

FIXTURE_SETUP(limit)
{
	ASSERT_EQ(0, attr_read("arg_mem_max", self->arg_mem_max,
			       sizeof(self->arg_mem_max)));
}

FIXTURE_TEARDOWN_PARENT(limit)
{
	EXPECT_EQ(0, attr_write("arg_mem_max", self->arg_mem_max));
}

TEST_F(limit, C024_the_administrator_raises_the_limit_of_a_vector)
{
	static struct pfarg_pmr pmrs[513];
	int fd = pfm_create_session(0);

	ASSERT_LE(0, fd);
	repeat(pmrs, ARRAY_SIZE(pmrs), pmu_first()->pmd);
	ASSERT_EQ(0, attr_write("arg_mem_max", "8192"));
	EXPECT_EQ(0, ERRNO(pfm_write_pmrs(fd, PMD, pmrs, 512)));
	EXPECT_EQ(0, ERRNO(pfm_read_pmrs(fd, PMD, pmrs, 512)));
	EXPECT_EQ(511, pmrs[0].reg_value);
	EXPECT_EQ(511, pmrs[511].reg_value);
	EXPECT_EQ(E2BIG, ERRNO(pfm_write_pmrs(fd, PMD, pmrs, 513)));
}

TEST_F(session, C025_the_first_of_several_errors_is_reported)
{
	struct pfarg_pmr pmr = { .reg_num = self->pmd };

	EXPECT_EQ(EINVAL, ERRNO(pfm_write_pmrs(-1, 0, &pmr, 1)));
	EXPECT_EQ(EBADF, ERRNO(pfm_write_pmrs(-1, PMD, &pmr, 257)));
	EXPECT_EQ(E2BIG, ERRNO(pfm_write_pmrs(self->fd, PMD, NULL, 257)));
}

TEST_F(counters, C037_a_bad_element_ends_the_vector_but_undoes_nothing)
{
	struct pfarg_pmr pmrs[] = {
		{ .reg_num = self->pmd, .reg_value = 11 },
		{ .reg_num = 9999, .reg_value = 12 },
		{ .reg_num = self->pmd2, .reg_value = 13 },
	};
	uint64_t value;

	EXPECT_EQ(EINVAL, ERRNO(pfm_write_pmrs(self->fd, PMD, pmrs, 3)));
	EXPECT_EQ(0, ERRNO(read_pmd(self->fd, self->pmd, &value)));
	EXPECT_EQ(11, value);
	EXPECT_EQ(EINVAL, ERRNO(read_pmd(self->fd, self->pmd2, &value)));
}

TEST_F(counters, C038_values_before_a_bad_element_are_returned)
{
	struct pfarg_pmr pmrs[] = {
		{ .reg_num = self->pmd, .reg_value = 1 },
		{ .reg_num = 9999, .reg_value = 2 },
		{ .reg_num = self->pmd, .reg_value = 3 },
	};

	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 42));
	EXPECT_EQ(EINVAL, ERRNO(pfm_read_pmrs(self->fd, PMD, pmrs, 3)));
	EXPECT_EQ(42, pmrs[0].reg_value);
	EXPECT_EQ(2, pmrs[1].reg_value);
	EXPECT_EQ(3, pmrs[2].reg_value);
}

TEST_F(session, C044_results_need_writable_memory)
{
	struct pfarg_pmr *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, page);
	page->reg_num = self->pmd;
	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 6));
	ASSERT_EQ(0, mprotect(page, 4096, PROT_READ));
	EXPECT_EQ(EFAULT, ERRNO(pfm_read_pmrs(self->fd, PMD, page, 1)));
}

TEST_F(session, C044_unwritable_memory_outweighs_a_bad_element)
{
	struct pfarg_pmr *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, page);
	page[0].reg_num = self->pmd;
	page[1].reg_num = 9999;
	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 6));
	ASSERT_EQ(0, mprotect(page, 4096, PROT_READ));
	EXPECT_EQ(EFAULT, ERRNO(pfm_read_pmrs(self->fd, PMD, page, 2)));
}

TEST_F(counters, C045_the_last_write_of_a_register_wins)
{
	struct pfarg_pmr pmrs[] = {
		{ .reg_num = self->pmd, .reg_value = 1 },
		{ .reg_num = self->pmd, .reg_value = 2 },
	};
	uint64_t value;

	EXPECT_EQ(0, ERRNO(pfm_write_pmrs(self->fd, PMD, pmrs, 2)));
	EXPECT_EQ(0, ERRNO(read_pmd(self->fd, self->pmd, &value)));
	EXPECT_EQ(2, value);
}

TEST_HARNESS_MAIN
