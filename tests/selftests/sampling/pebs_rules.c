// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which registers may make records: the processor reloads the counter by itself, so that
 * a session cannot vary the period. Refused writes change nothing.
 */
#include <string.h>
#include <unistd.h>

#include "array_size.h"
#include "default_format.h"
#include "instruction_track.h"
#include "loop.h"
#include "machine.h"
#include "msr.h"
#include "overflow_period.h"
#include "pebs.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "precise_format.h"

#define PERIOD (kernel_is_slow() ? 9967ull : 997ull)
#define BUFFER (1 << 18)
#define RANDOM PFM_REGFL_RANDOM
#define NOTIFY PFM_REGFL_OVFL_NOTIFY

FIXTURE(rules)
{
	struct precise p;
};

FIXTURE_SETUP(rules)
{
	const struct pfm_precise_smpl_arg arg = { .buf_size = BUFFER };

	if (!pebs_exists())
		SKIP(return, "no PEBS");
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, precise_open(&self->p, 0, &arg));
}

FIXTURE_TEARDOWN(rules)
{
	precise_close(&self->p);
}

/* A write of PMD 0 and what comes of it while PEBS_ENABLE names that. */
static const struct {
	uint64_t value;
	uint32_t flags;
	struct pfarg_pmd_attr attr;
	int err;
} cases[] = {
	{ -7, 0, { .reg_short_reset = -7 }, 0 },
	{ -1, 0, { .reg_short_reset = -2 }, 0 },
	{ -0x7fffffff, NOTIFY, { .reg_short_reset = -0x7fffffff }, 0 },
	{ -7, 0, { .reg_short_reset = -7, .reg_long_reset = 12 }, 0 },
	{ -7, 0, { .reg_short_reset = -7, .reg_smpl_eventid = 3 }, 0 },
	{ 0, 0, { .reg_short_reset = -7 }, EINVAL },
	{ 7, 0, { .reg_short_reset = -7 }, EINVAL },
	{ -0x80000000ULL, 0, { .reg_short_reset = -7 }, EINVAL },
	{ -7, 0, { .reg_short_reset = 0 }, EINVAL },
	{ -7, 0, { .reg_short_reset = 7 }, EINVAL },
	{ -7, 0, { .reg_short_reset = -1 }, EINVAL },
	{ -7, 0, { .reg_short_reset = -0x80000000ULL }, EINVAL },
	{ -7, RANDOM, { .reg_short_reset = -7, .reg_random_mask = 1 }, EINVAL },
	{ -7, 0, { .reg_short_reset = -7, .reg_ovfl_swcnt = 1 }, EINVAL },
	{ -7, 0, { .reg_short_reset = -7, .reg_smpl_pmds = { 2 } }, EINVAL },
	{ -7, 0, { .reg_short_reset = -7, .reg_reset_pmds = { 2 } }, EINVAL },
};

TEST_F(rules, a_pmd_that_makes_records_keeps_a_fixed_period)
{
	struct pfarg_pmd_attr attr;
	uint64_t value;
	size_t i;

	ASSERT_EQ(0, pebs_instructions(self->p.fd, 0, PERIOD));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		ASSERT_EQ(0, pebs_program(self->p.fd, 0, PEBS_INSTRUCTIONS, 0,
					  PERIOD));
		EXPECT_EQ(cases[i].err,
			  ERRNO(write_pmd_attr(self->p.fd, 0, cases[i].flags,
					       cases[i].value, &cases[i].attr)))
		{
			TH_LOG("case %zu", i);
		}
		ASSERT_EQ(0, read_pmd_attr(self->p.fd, 0, &value, &attr));
		EXPECT_EQ(cases[i].err ? -PERIOD : cases[i].value, value);
		EXPECT_EQ(cases[i].err ? -PERIOD :
					 cases[i].attr.reg_short_reset,
			  attr.reg_short_reset);
	}
	/* Without attributes it keeps the ones it has. */
	EXPECT_EQ(0, ERRNO(write_pmd(self->p.fd, 0, -5)));
	EXPECT_EQ(EINVAL, ERRNO(write_pmd(self->p.fd, 0, 5)));
	ASSERT_EQ(0, read_pmd(self->p.fd, 0, &value));
	EXPECT_EQ(-5ULL, value);
	/* Other PMDs may have any. */
	EXPECT_EQ(0, ERRNO(write_pmd(self->p.fd, 1, 5)));
}

TEST_F(rules, only_pmds_with_a_fixed_period_make_records)
{
	uint64_t value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		ASSERT_EQ(0, write_pmc(self->p.fd, PMC_PEBS_ENABLE, 0));
		ASSERT_EQ(0, write_pmd_attr(self->p.fd, 0, cases[i].flags,
					    cases[i].value, &cases[i].attr));
		EXPECT_EQ(cases[i].err,
			  ERRNO(write_pmc(self->p.fd, PMC_PEBS_ENABLE, 1)))
		{
			TH_LOG("case %zu", i);
		}
		ASSERT_EQ(0, read_pmc(self->p.fd, PMC_PEBS_ENABLE, &value));
		EXPECT_EQ(!cases[i].err, value);
		/* A PMD that is not used yet is checked when it is written. */
		EXPECT_EQ(0, ERRNO(write_pmc(self->p.fd, PMC_PEBS_ENABLE, 8)));
	}
}

TEST_F(rules, records_need_a_format_that_takes_them)
{
	static const uint16_t pmcs[] = { PMC_PEBS_ENABLE, PMC_LD_LAT };
	uint64_t value;
	size_t i;
	int fds[2], j;

	fds[0] = pfm_create_session(0);
	fds[1] = dfl_create(0, BUFFER);
	for (j = 0; j < 2; j++) {
		ASSERT_LE(0, fds[j]);
		for (i = 0; i < ARRAY_SIZE(pmcs); i++) {
			EXPECT_EQ(EINVAL, ERRNO(write_pmc(fds[j], pmcs[i], 1)));
			EXPECT_EQ(0, ERRNO(write_pmc(fds[j], pmcs[i], 0)));
			ASSERT_EQ(0, read_pmc(fds[j], pmcs[i], &value));
			EXPECT_EQ(0, value);
		}
		close(fds[j]);
	}
	for (i = 0; i < ARRAY_SIZE(pmcs); i++)
		EXPECT_EQ(0, ERRNO(write_pmc(self->p.fd, pmcs[i], 1)));
}

TEST_F(rules, families_make_no_records)
{
	const struct pfm_precise_smpl_arg arg = {
		.buf_size = BUFFER,
		.buf_flags = PFM_PRECISE_SMPL_HALVES,
	};
	int fd;

	fd = precise_create(PFM_FL_INHERIT, &arg);
	ASSERT_LE(0, fd);
	EXPECT_EQ(EINVAL, ERRNO(write_pmc(fd, PMC_PEBS_ENABLE, 1)));
	EXPECT_EQ(0, ERRNO(write_pmc(fd, PMC_PEBS_ENABLE, 0)));
	close(fd);
}

TEST_F(rules, bits_that_no_counter_has_are_dropped)
{
	uint64_t value;
	struct pmu_reg reg;

	ASSERT_EQ(0, write_pmc(self->p.fd, PMC_PEBS_ENABLE, ~0ULL));
	ASSERT_EQ(0, read_pmc(self->p.fd, PMC_PEBS_ENABLE, &value));
	ASSERT_TRUE(pmu_reg(PMU_PMC, PMC_PEBS_ENABLE, &reg));
	EXPECT_EQ(~reg.rsvd_msk, value);
}

TEST_F(rules, a_counter_that_is_off_makes_no_records)
{
	ASSERT_EQ(0, pebs_instructions(self->p.fd, 0, PERIOD));
	ASSERT_EQ(0,
		  write_pmc(self->p.fd, 0, PEBS_INSTRUCTIONS & ~0x400000ULL));
	ASSERT_EQ(0, attach_self(self->p.fd));
	ASSERT_EQ(0, track_run(self->p.fd, 10 * PERIOD));
	EXPECT_EQ(0, self->p.hdr->hdr_count);
}

/* Records since the last call. */
static uint64_t new_records(const struct precise *p)
{
	static uint64_t before;
	uint64_t now = p->hdr->hdr_count, new = now - before;

	before = now;
	return new;
}

TEST_F(rules, writes_take_effect_while_it_counts)
{
	const struct pfarg_pmd_attr slow = { .reg_short_reset = -20 * PERIOD };
	const unsigned long length = 100 * PERIOD;
	uint64_t value;

	ASSERT_EQ(0, attach_self(self->p.fd));
	ASSERT_EQ(0, pfm_start_session(self->p.fd, 0));
	ASSERT_EQ(0, pebs_instructions(self->p.fd, 0, PERIOD));
	counted_loop(length);
	/* The records that there are stay. */
	ASSERT_EQ(0, write_pmd_attr(self->p.fd, 0, 0, -20 * PERIOD, &slow));
	ASSERT_EQ(0, read_pmd(self->p.fd, 0, &value));
	EXPECT_GT(3 * CALL_COST, value + 20 * PERIOD);
	EXPECT_EQ(length / PERIOD, new_records(&self->p));
	counted_loop(length);
	ASSERT_EQ(0, write_pmc(self->p.fd, PMC_PEBS_ENABLE, 0));
	EXPECT_EQ(length / (20 * PERIOD), new_records(&self->p));
	/* From here on it is a counter as any other, and has no more than overflows. */
	counted_loop(length);
	ASSERT_EQ(0, write_pmc(self->p.fd, PMC_PEBS_ENABLE, 1));
	EXPECT_EQ(length / (20 * PERIOD), new_records(&self->p));
	ASSERT_EQ(0, write_pmd(self->p.fd, 0, -3));
	counted_loop(length);
	ASSERT_EQ(0, pfm_stop_session(self->p.fd, 0));
	EXPECT_EQ(1 + length / (20 * PERIOD), new_records(&self->p));
}

TEST_HARNESS_MAIN
