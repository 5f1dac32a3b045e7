// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perfmon costs a machine on which nobody uses it: nothing. While no
 * session exists the hooks are patched out, and a context switch executes the
 * same instructions before the first session and after the last one.
 */
#include "machine.h"
#include "msr.h"
#include "owner.h"
#include "pfm_test.h"
#include "pingpong.h"
#include "pmrs.h"
#include "pmu.h"

#define ROUNDS 1000

/* Nobody is to wait until perfmon has let go of the PMU. */
FIXTURE(hooks)
{
	char unused;
};

FIXTURE_SETUP(hooks)
{
	(void)self;
	ASSERT_EQ(0, linger_set("0"));
}

FIXTURE_TEARDOWN_PARENT(hooks)
{
	(void)self;
	linger_set(LINGER_DEFAULT);
}

TEST_F(hooks, are_on_only_while_a_session_exists)
{
	int first, second;

	EXPECT_EQ(0, hooks_enabled());
	first = pmu_session(0);
	second = pmu_session(0);
	ASSERT_LE(0, second);
	ASSERT_EQ(0, attach_self(first));
	EXPECT_EQ(1, hooks_enabled());
	close(first);
	close(second);
	EXPECT_EQ(0, hooks_enabled());
}

FIXTURE(cpu0)
{
	int msr;
	struct pingpong pingpong;
};

FIXTURE_SETUP(cpu0)
{
	self->msr = msr_open(0);
	if (self->msr < 0)
		SKIP(return, "this is not the test machine");
	ASSERT_EQ(0, linger_set("0"));
	ASSERT_EQ(0, hooks_enabled());
	ASSERT_EQ(0, pingpong_start(&self->pingpong, 0, NULL));
	/* Pipes and caches of the scheduler reach their steady state. */
	ASSERT_EQ(0, pingpong_play(&self->pingpong, ROUNDS));
}

FIXTURE_TEARDOWN(cpu0)
{
	if (self->pingpong.partner > 0)
		pingpong_stop(&self->pingpong);
	linger_set(LINGER_DEFAULT);
}

TEST_F(cpu0, switching_does_not_touch_the_pmu)
{
	struct pmu_accesses accesses = pmu_accesses(self->msr);

	ASSERT_EQ(0, pingpong_play(&self->pingpong, ROUNDS));
	accesses = pmu_accesses_since(self->msr, &accesses);
	EXPECT_EQ(0, accesses.wrmsr);
	EXPECT_EQ(0, accesses.rdmsr);
	EXPECT_EQ(0, accesses.rdpmc);
}

/*
 * The scheduler has a path that is 4 instructions shorter, and takes it for as long
 * as a whole measurement in some boots.  Hooks that are left in take more of each
 * switch, in every measurement.
 */
#define MEASUREMENTS 3

struct round_trips {
	uint64_t least;
	uint64_t most;
};

static struct round_trips measure(const struct pingpong *pingpong, int msr)
{
	struct round_trips trips = { .least = UINT64_MAX };
	uint64_t value;
	int i;

	for (i = 0; i < MEASUREMENTS; i++) {
		value = pingpong_instructions(pingpong, msr, ROUNDS);
		trips.least = value < trips.least ? value : trips.least;
		trips.most = value > trips.most ? value : trips.most;
	}
	return trips;
}

TEST_F(cpu0, the_last_session_leaves_no_instruction_behind)
{
	struct round_trips before, during, after;
	int fd;

	if (kernel_is_slow())
		SKIP(return, "a kernel that checks itself repeats no path");

	before = measure(&self->pingpong, self->msr);
	fd = pmu_session(0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	during = measure(&self->pingpong, self->msr);
	close(fd);
	after = measure(&self->pingpong, self->msr);
	TH_LOG("round trip: %lu instructions before, %lu during, %lu after",
	       (unsigned long)before.most, (unsigned long)during.least,
	       (unsigned long)after.least);
	EXPECT_GE(before.most, after.least);
	/* The measurement does see a session. */
	EXPECT_LT(before.most, during.least);
}

TEST_HARNESS_MAIN
