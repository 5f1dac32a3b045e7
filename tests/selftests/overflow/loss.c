// SPDX-License-Identifier: GPL-2.0-only
/*
 * PFM_GIFL_LOSS of pfm_getinfo_sets(): what a session has missed while it was
 * masked, and the overflows that nobody was told of. Throttling is the subject of
 * throttle.c.
 */
#include <string.h>
#include "child.h"
#include "cpu_time.h"
#include "instruction_track.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define PERIOD 10000

/* Messages that a session keeps. */
#define DEPTH 8

/* In ns, from one thing that the clock is asked about to the next. */
#define CLOCK_SLACK 3000000ULL

#define LOOP 10000000UL

/* With everything else that such a call tells. */
static int losses(int fd, uint64_t *loss)
{
	struct pfarg_setinfo info = { 0 };

	if (pfm_getinfo_sets(fd, PFM_GIFL_LOSS, &info, 1))
		return -1;
	memcpy(loss, info.set_reserved3, sizeof(info.set_reserved3));
	return 0;
}

static uint64_t loss_of(int fd, unsigned int which)
{
	uint64_t loss[6];

	return losses(fd, loss) ? ~0ULL : loss[which];
}

FIXTURE(self)
{
	int fd;
};

FIXTURE_SETUP(self)
{
	NEEDS_INTERRUPTS();
	self->fd = period_session(0, PERIOD);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN(self)
{
	close(self->fd);
}

TEST_F(self, nothing_is_missed_at_first)
{
	uint64_t loss[6];
	int i;

	ASSERT_EQ(0, losses(self->fd, loss));
	for (i = 0; i < 6; i++)
		EXPECT_EQ(0, loss[i]);
}

TEST_F(self, the_time_it_is_masked_is_told)
{
	uint64_t before, length, told;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(PERIOD);
	before = cpu_time();
	told = loss_of(self->fd, PFM_LOSS_BLIND_NS);
	EXPECT_GT(CLOCK_SLACK, told);
	counted_loop(LOOP);
	length = cpu_time() - before;
	/* Up to now, the session being masked. */
	told = loss_of(self->fd, PFM_LOSS_BLIND_NS);
	EXPECT_LE(length, told);
	EXPECT_GE(length + CLOCK_SLACK, told);

	/* No more from the restart on, */
	ASSERT_EQ(0, period_restart(self->fd));
	told = loss_of(self->fd, PFM_LOSS_BLIND_NS);
	counted_loop(PERIOD / 2);
	EXPECT_EQ(told, loss_of(self->fd, PFM_LOSS_BLIND_NS));
	/* and nothing while it is stopped, though masked. */
	counted_loop(PERIOD);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	told = loss_of(self->fd, PFM_LOSS_BLIND_NS);
	counted_loop(LOOP);
	EXPECT_EQ(told, loss_of(self->fd, PFM_LOSS_BLIND_NS));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(LOOP);
	EXPECT_LE(told + length / 2, loss_of(self->fd, PFM_LOSS_BLIND_NS));

	/* It survives the attachment. */
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	told = loss_of(self->fd, PFM_LOSS_BLIND_NS);
	EXPECT_LE(length, told);
	counted_loop(LOOP);
	EXPECT_EQ(told, loss_of(self->fd, PFM_LOSS_BLIND_NS));
}

TEST_F(self, an_overflow_that_finds_the_queue_full_is_told)
{
	int i;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < DEPTH; i++) {
		counted_loop(PERIOD);
		EXPECT_EQ(0, loss_of(self->fd, PFM_LOSS_OVERFLOWS));
		ASSERT_EQ(0, period_restart(self->fd));
	}
	counted_loop(PERIOD);
	EXPECT_EQ(1, loss_of(self->fd, PFM_LOSS_OVERFLOWS));
}

TEST_F(self, only_those_who_ask_are_told)
{
	struct pfarg_setinfo info = { 0 };
	int i;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(PERIOD);
	counted_loop(LOOP);
	ASSERT_LT(0, loss_of(self->fd, PFM_LOSS_BLIND_NS));
	ASSERT_EQ(0, pfm_getinfo_sets(self->fd, 0, &info, 1));
	for (i = 0; i < 6; i++)
		EXPECT_EQ(0, info.set_reserved3[i]);
	/* What is reserved on input stays so. */
	for (i = 0; i < 6; i++) {
		memset(&info, 0, sizeof(info));
		info.set_reserved3[i] = 1;
		EXPECT_EQ(EINVAL, ERRNO(pfm_getinfo_sets(
					  self->fd, PFM_GIFL_LOSS, &info, 1)));
	}
	EXPECT_EQ(EINVAL, ERRNO(pfm_getinfo_sets(self->fd, PFM_GIFL_LOSS << 1,
						 &info, 1)));
}

/* A thread that waits for each restart misses nothing. */
TEST(who_blocks_misses_nothing)
{
	union pfarg_msg msg;
	int i, fd;
	pid_t pid;

	NEEDS_INTERRUPTS();
	fd = period_session(PFM_FL_NOTIFY_BLOCK, PERIOD);
	pid = child_start_stopped(track_child, NULL);
	ASSERT_LE(0, fd);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, child_continue(pid));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, message_wait(fd, &msg));
		ASSERT_EQ(0, period_restart(fd));
	}
	EXPECT_EQ(0, loss_of(fd, PFM_LOSS_BLIND_NS));
	EXPECT_EQ(0, loss_of(fd, PFM_LOSS_OVERFLOWS));
	child_kill(pid);
	close(fd);
}

TEST_HARNESS_MAIN
