// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that runs for longer than 2^32 events without leaving its
 * processor: the kernel looks at the counters at each tick, so that the low
 * 32 bits, which are all that it reads, never wrap unseen. Takes some ten
 * seconds, therefore a program of its own.
 */
#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

/* Four times this is 2^32 and some more; fits into 32 bits by itself. */
#define QUARTER 1073741834UL

/* User instructions of start, stop and the calls of the loop. */
#define SLACK 300

FIXTURE(self)
{
	int fd;
};

FIXTURE_SETUP(self)
{
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN(self)
{
	close(self->fd);
}

TEST_F_TIMEOUT(self, C076_a_long_run_passes_32_bits, 600)
{
	const uint64_t expected = 4 * (uint64_t)QUARTER;
	uint64_t value;
	int i;

	if (kernel_is_slow())
		SKIP(return, "four billion instructions on a slow kernel");
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < 4; i++)
		counted_loop(QUARTER);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	ASSERT_EQ(0, read_pmd(self->fd, pmu_first()->pmd, &value));
	EXPECT_LE(expected, value);
	EXPECT_GE(expected + SLACK, value);
}

TEST_HARNESS_MAIN
