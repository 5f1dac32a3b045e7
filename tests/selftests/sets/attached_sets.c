// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sets of an attached session: how often and how long each runs, and the
 * registers of those that do not. Conformance cases C140, C142 and C144; how sets
 * take turns is the subject of rotation.c.
 */
#include "event_set.h"
#include "loop.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

FIXTURE(session)
{
	int fd;
};

FIXTURE_SETUP(session)
{
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(session)
{
	close(self->fd);
}

TEST_F(session, C140_only_counting_takes_duration)
{
	uint64_t stopped, detached;

	ASSERT_EQ(0, attach_self(self->fd));
	counted_loop(1000000);
	EXPECT_EQ(0, set_duration(self->fd, 0));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(1000000);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	stopped = set_duration(self->fd, 0);
	EXPECT_LT(0, stopped);
	counted_loop(1000000);
	EXPECT_EQ(stopped, set_duration(self->fd, 0));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_EQ(stopped, set_duration(self->fd, 0));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	detached = set_duration(self->fd, 0);
	EXPECT_EQ(stopped, detached);
}

TEST_F(session, C140_starting_again_loses_no_duration)
{
	uint64_t previous = 0;
	uint64_t now;
	int i;

	ASSERT_EQ(0, attach_self(self->fd));
	for (i = 0; i < 10; i++) {
		ASSERT_EQ(0, pfm_start_session(self->fd, 0));
		counted_loop(1000000);
		now = set_duration(self->fd, 0);
		EXPECT_LT(previous, now);
		previous = now;
	}
}

TEST_F(session, C142_each_attach_is_a_run_of_set_0)
{
	struct pfarg_setinfo info;
	unsigned int i;

	for (i = 1; i <= 3; i++) {
		ASSERT_EQ(0, attach_self(self->fd));
		ASSERT_EQ(0, set_info(self->fd, 0, &info));
		EXPECT_EQ(i, info.set_runs);
		ASSERT_EQ(0, pfm_start_session(self->fd, 0));
		ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
		ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
		ASSERT_EQ(0, set_info(self->fd, 0, &info));
		EXPECT_EQ(i, info.set_runs);
	}
}

TEST_F(session, C142_other_sets_do_not_run)
{
	ASSERT_EQ(0, set_make_counting(self->fd, 1, 0, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(1000000);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_EQ(1, set_runs(self->fd, 0));
	EXPECT_EQ(0, set_runs(self->fd, 1));
	EXPECT_EQ(0, set_duration(self->fd, 1));
	EXPECT_EQ(0, set_value(self->fd, 1));
	EXPECT_LE(1000000, set_value(self->fd, 0));
}

TEST_F(session, C144_an_inactive_set_is_programmed_meanwhile)
{
	const struct pmu_counter *counter = pmu_first();
	uint64_t value, before;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, set_make_counting(self->fd, 1, 0, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(1000000);
	before = set_value(self->fd, 0);
	EXPECT_EQ(0, set_write_pmd(self->fd, 1, counter->pmd, 1ULL << 50));
	EXPECT_EQ(0, set_write_pmc(self->fd, 1, counter->pmc, 0));
	counted_loop(1000000);
	EXPECT_EQ(0, set_read_pmd(self->fd, 1, counter->pmd, &value));
	EXPECT_EQ(1ULL << 50, value);
	EXPECT_EQ(0, set_read_pmc(self->fd, 1, counter->pmc, &value));
	EXPECT_EQ(0, value & SEL_ENABLE);
	EXPECT_EQ(0, set_read_pmc(self->fd, 0, counter->pmc, &value));
	EXPECT_EQ(counter->user & 0xffff, value & 0xffff);
	/* The loop and six calls. */
	value = set_value(self->fd, 0) - before;
	EXPECT_LE(1000000, value);
	EXPECT_GE(1000000 + 6 * CALL_COST, value);
}

/* The kernel has a short way for reads of the active set alone. */
TEST_F(session, C144_one_read_takes_values_of_several_sets)
{
	const unsigned int pmd = pmu_first()->pmd;
	struct pfarg_pmr both[] = {
		{ .reg_num = (uint16_t)pmd, .reg_set = 0 },
		{ .reg_num = (uint16_t)pmd, .reg_set = 1 },
		{ .reg_num = (uint16_t)pmd, .reg_set = 0 },
	};

	NEEDS_COUNTERS();
	ASSERT_EQ(0, set_make_counting(self->fd, 1, 0, 0));
	ASSERT_EQ(0, set_write_pmd(self->fd, 1, pmd, 1ULL << 50));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, pfm_read_pmrs(self->fd, PFM_RWFL_PMD, both, 3));
	EXPECT_GT(1ULL << 49, both[0].reg_value);
	EXPECT_EQ(1ULL << 50, both[1].reg_value);
	EXPECT_LE(both[0].reg_value, both[2].reg_value);
	/* That the inactive one comes first makes no difference. */
	ASSERT_EQ(0, pfm_read_pmrs(self->fd, PFM_RWFL_PMD, &both[1], 1));
	EXPECT_EQ(1ULL << 50, both[1].reg_value);
}

TEST_HARNESS_MAIN
