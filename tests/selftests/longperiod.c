// SPDX-License-Identifier: GPL-2.0-only
/*
 * A period of more than 2^32 instructions: the hardware counts it in parts, and
 * the overflow comes at the very instruction. Takes half a minute, therefore a
 * program of its own.
 */
#include "machine.h"
#include "message.h"
#include "period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "track.h"

#define PERIOD ((1ULL << 32) + 4096)

/* A track that is a little longer. */
#define ROUNDS (unsigned long)(PERIOD / TRACK_ROUND + 4)

FIXTURE(self)
{
	int fd;
};

FIXTURE_SETUP(self)
{
	self->fd = period_session(0, PERIOD);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN(self)
{
	close(self->fd);
}

TEST_F_TIMEOUT(self, a_period_above_32_bits_is_exact, 600)
{
	union pfarg_msg msg;
	uint64_t value;

	if (kernel_is_slow())
		SKIP(return, "four billion instructions on a slow kernel");
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(track_ip(ROUNDS, PERIOD + 1), msg.pfm_ovfl_msg.msg_ovfl_ip);
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	ASSERT_EQ(0, read_pmd(self->fd, pmu_first()->pmd, &value));
	EXPECT_EQ(0, value);
}

TEST_HARNESS_MAIN
