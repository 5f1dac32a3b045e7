// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts beyond 32 bits, which is all that a program looks at of a counter: the tick
 * brings the page up to date before it comes round. Four billion instructions for each
 * way in which counters may be read, which take half a minute of the guest's time:
 * therefore a program of its own.
 */
#include <perfmon/pfm_state.h>

#include "attr.h"
#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

/* Four times this is 2^32 and some more. */
#define QUARTER 1073741834UL

/* User instructions of the reads, and of one that is made again. */
#define SLACK 500

FIXTURE(reader)
{
	int fd;
	const struct pfm_state *state;
	unsigned int i;
};

FIXTURE_SETUP(reader)
{
	NEEDS_COUNTERS();
	if (kernel_is_slow())
		SKIP(return, "four billion instructions on a slow kernel");
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	self->state = pfm_map_state(self->fd);
	ASSERT_NE(NULL, self->state);
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	self->i =
		(unsigned int)pfm_state_index(self->state, pmu_first()->pmd, 0);
}

FIXTURE_TEARDOWN_PARENT(reader)
{
	attr_write("rdpmc", "1");
}

/* Between two reads the counter comes round, and the program never leaves the CPU. */
static uint64_t count_long(const struct pfm_state *state, unsigned int element)
{
	uint64_t before = pfm_state_read(state, element);
	int i;

	for (i = 0; i < 4; i++)
		counted_loop(QUARTER);
	return pfm_state_read(state, element) - before;
}

static void judge(struct __test_metadata *_metadata,
		  FIXTURE_DATA(reader) * self)
{
	const uint64_t expected = 4 * (uint64_t)QUARTER;
	uint64_t counted;

	ASSERT_TRUE(pfm_state_usable(self->state));
	counted = count_long(self->state, self->i);
	EXPECT_TRUE(pfm_state_usable(self->state));
	EXPECT_LE(expected, counted);
	EXPECT_GE(expected + SLACK, counted);
}

TEST_F_TIMEOUT(reader, a_long_loop_is_exact, 600)
{
	judge(_metadata, self);
}

TEST_F_TIMEOUT(reader, so_it_is_where_the_administrator_trusts_it, 600)
{
	ASSERT_EQ(0, attr_write("rdpmc", "2"));
	judge(_metadata, self);
}

TEST_HARNESS_MAIN
