// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ten thousand sessions at once: the last ones cost as much to create as the
 * first ones, none takes much memory, and all of it comes back.
 */
#include "crowd.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"

#define SESSIONS 10000

/* Of a detached session without buffer, its file included. */
#define MAX_BYTES 4096

FIXTURE(many)
{
	struct crowd crowd;
};

FIXTURE_SETUP(many)
{
	ASSERT_EQ(0, crowd_create(&self->crowd, repetitions(SESSIONS)))
	{
		TH_LOG("errno %d", errno);
	}
}

FIXTURE_TEARDOWN(many)
{
	crowd_close(&self->crowd);
	EXPECT_TRUE(nothing_is_left());
}

TEST_F(many, sessions_are_sessions)
{
	const int *fds = self->crowd.fds;
	unsigned int i, n = self->crowd.n;
	uint64_t value;

	for (i = 0; i < n; i++)
		ASSERT_EQ(0, write_pmd(fds[i], pmu_first()->pmd, i));
	for (i = 0; i < n; i++) {
		ASSERT_EQ(0, read_pmd(fds[i], pmu_first()->pmd, &value));
		ASSERT_EQ(i, value);
	}
	ASSERT_EQ(0, attach_self(fds[n - 1]));
	EXPECT_EQ(EEXIST, ERRNO(attach_self(fds[0])));
	EXPECT_EQ(0, ERRNO(pfm_start_session(fds[n - 1], 0)));
}

TEST_F(many, the_last_ones_cost_no_more_than_the_first)
{
	TH_LOG("%llu instructions for the first, %llu for the last of %u",
	       (unsigned long long)self->crowd.first,
	       (unsigned long long)self->crowd.last, self->crowd.n);
	if (!self->crowd.first)
		SKIP(return, "this is not the test machine");
	EXPECT_LE(self->crowd.last * 5, self->crowd.first * 6);
}

TEST_F(many, each_takes_less_than_a_page)
{
	if (kernel_is_slow())
		SKIP(return,
			   "this kernel has memory of its own for each object");
	TH_LOG("%llu bytes", (unsigned long long)self->crowd.bytes);
	EXPECT_LT(0, self->crowd.bytes);
	EXPECT_GT(MAX_BYTES, self->crowd.bytes);
}

TEST_HARNESS_MAIN
