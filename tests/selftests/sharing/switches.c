// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernels that were booted with a part of the PMU switched off: perfmon=nofixed,
 * counters=2 and nointr. What is left counts as ever.
 */

#include "attr.h"
#include "instruction_track.h"
#include "message.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define ROUNDS 20000UL
#define PERIOD 1000

FIXTURE(booted)
{
	const struct pmu *pmu;
	char cmdline[2048];
};

FIXTURE_SETUP(booted)
{
	ASSERT_EQ(0, file_read("/proc/cmdline", self->cmdline,
			       sizeof(self->cmdline)));
	self->pmu = pmu_all();
	ASSERT_NE(NULL, self->pmu);
}

FIXTURE_TEARDOWN(booted)
{
}

#define NEEDS(word)                                               \
	do {                                                      \
		if (!strstr(self->cmdline, (word)))               \
			SKIP(return, "not booted with %s", word); \
	} while (0)

static unsigned int fixed_counters(const struct pmu *pmu)
{
	unsigned int i, n = 0;

	for (i = 0; i < pmu->counters; i++)
		n += pmu->counter[i].fixed;
	return n;
}

TEST_F(booted, without_fixed_counters_there_are_none)
{
	NEEDS("perfmon=nofixed");
	EXPECT_EQ(0, fixed_counters(self->pmu));
	EXPECT_LT(0, self->pmu->counters);
}

TEST_F(booted, with_two_counters_the_third_is_no_register)
{
	struct pmu_reg reg;
	int fd = pfm_create_session(0);
	unsigned int fixed = fixed_counters(self->pmu);

	NEEDS("perfmon=counters=2");
	ASSERT_LE(0, fd);
	EXPECT_EQ(2, self->pmu->counters - fixed);
	EXPECT_TRUE(pmu_reg(PMU_PMC, 1, &reg));
	EXPECT_FALSE(pmu_reg(PMU_PMC, 2, &reg));
	EXPECT_EQ(0, ERRNO(write_pmc(fd, 1, self->pmu->counter[1].user)));
	EXPECT_EQ(EINVAL, ERRNO(write_pmc(fd, 2, self->pmu->counter[1].user)));
}

TEST_F(booted, without_interrupts_overflows_are_told_to_nobody)
{
	union pfarg_msg msg;
	uint64_t value;
	int fd = pfm_create_session(0);

	NEEDS("perfmon=nointr");
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, period_program(fd, pmu_first(), PFM_REGFL_OVFL_NOTIFY,
				    PERIOD, NULL));
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	EXPECT_EQ(EAGAIN, message_take(fd, &msg));
	ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	EXPECT_EQ(track_length(ROUNDS) - PERIOD, value);
}

TEST_HARNESS_MAIN
