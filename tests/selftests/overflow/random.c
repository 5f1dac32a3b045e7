// SPDX-License-Identifier: GPL-2.0-only
/*
 * Periods that vary at random: within the mask, in each of its bits, and in each
 * session differently, or by a seed. Conformance case C097.
 */
#include <errno.h>

#include "array_size.h"
#include "instruction_track.h"
#include "message.h"
#include "overflow_fixture.h"
#include "pfm_test.h"
#include "pmrs.h"

#define S64_MAX 0x7fffffffffffffffULL

/* After each restart: what was loaded, and whether it took as long. */
static void check_random(struct __test_metadata *_metadata, int fd,
			 uint16_t pmd, uint64_t mask)
{
	struct pfarg_pmd_attr attr = { .reg_long_reset = -PERIOD,
				       .reg_random_mask = mask };
	uint32_t flags = PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM;
	uint64_t seen = 0, value, extra;
	union pfarg_msg msg;
	int i;

	ASSERT_EQ(0, write_pmd_attr(fd, pmd, flags, -1000, &attr));
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, message_take(fd, &msg));
		ASSERT_EQ(0, period_restart(fd));
		ASSERT_EQ(0, read_pmd_attr(fd, pmd, &value, &attr));
		ASSERT_EQ(attr.reg_last_value, value);
		extra = -PERIOD - value;
		ASSERT_EQ(0, extra & ~mask);
		seen |= extra;
		ASSERT_EQ(0, track_run(fd, ROUNDS));
		ASSERT_EQ(0, value_of(fd, pmd));
	}
	/* A bit stays 0 a hundred times once in 10^30 runs. */
	EXPECT_EQ(mask, seen);
	ASSERT_EQ(0, message_take(fd, &msg));
	EXPECT_EQ(track_ip(ROUNDS, PERIOD + extra + 1),
		  msg.pfm_ovfl_msg.msg_ovfl_ip);
}

TEST_F(self, C097_random_periods_vary_within_the_mask)
{
	check_random(_metadata, self->fd, self->pmd, 0xff);
}

TEST_F(self, C097_the_random_mask_may_have_holes)
{
	check_random(_metadata, self->fd, self->pmd, 0x90d);
}

/* One reset value, with all bits that can be random. */
static uint64_t random_reset(int fd, uint16_t pmd, uint64_t seed)
{
	struct pfarg_pmd_attr attr = { .reg_random_mask = S64_MAX,
				       .reg_random_seed = seed };
	union pfarg_msg msg;
	uint64_t value;

	if (write_pmd_attr(fd, pmd, PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM,
			   -PERIOD, &attr) ||
	    track_run(fd, ROUNDS) || message_take(fd, &msg) ||
	    period_restart(fd) || read_pmd(fd, pmd, &value))
		return 0;
	return -value;
}

TEST_F(self, C097_each_bit_of_the_mask_varies)
{
	uint64_t ever = 0, always = ~0ULL, value;
	int i;

	for (i = 0; i < 100; i++) {
		value = random_reset(self->fd, self->pmd, 0);
		ASSERT_NE(0, value);
		ever |= value;
		always &= value;
	}
	EXPECT_EQ(S64_MAX, ever);
	EXPECT_EQ(0, always);
}

/* A reset value of another session, or 0. */
static uint64_t other_reset(FIXTURE_DATA(self) * self, uint64_t seed)
{
	if (pfm_detach_session(self->fd, 0))
		return 0;
	close(self->fd);
	self->fd = period_session(0, PERIOD);
	if (self->fd < 0 || attach_self(self->fd))
		return 0;
	return random_reset(self->fd, self->pmd, seed);
}

TEST_F(self, no_two_sessions_have_the_same_random_periods)
{
	uint64_t first = random_reset(self->fd, self->pmd, 0), second;

	ASSERT_NE(0, first);
	second = other_reset(self, 0);
	ASSERT_NE(0, second);
	EXPECT_NE(first, second);
}

TEST_F(self, a_seed_repeats_the_random_periods)
{
	static const uint64_t seeds[] = { 1, 2, 3, 1ULL << 32, ~0ULL };
	uint64_t first[ARRAY_SIZE(seeds)];
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(seeds); i++) {
		first[i] = random_reset(self->fd, self->pmd, seeds[i]);
		ASSERT_NE(0, first[i]);
		/* The next ones are others, until the seed is written again. */
		EXPECT_NE(first[i], random_reset(self->fd, self->pmd, 0));
		EXPECT_EQ(first[i],
			  random_reset(self->fd, self->pmd, seeds[i]));
		EXPECT_EQ(first[i], other_reset(self, seeds[i]));
		for (j = 0; j < i; j++)
			EXPECT_NE(first[j], first[i]);
	}
}

TEST_F(self, a_seed_needs_periods_that_vary)
{
	struct pfarg_pmd_attr attr = { .reg_random_mask = 0xff,
				       .reg_random_seed = 7 };
	uint64_t first = random_reset(self->fd, self->pmd, 7), value;

	ASSERT_EQ(0, write_pmd_attr(self->fd, self->pmd,
				    PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM,
				    -PERIOD, &attr));
	EXPECT_EQ(EINVAL,
		  ERRNO(write_pmd_attr(self->fd, self->pmd, 0, -1000, &attr)));
	ASSERT_EQ(0, read_pmd_attr(self->fd, self->pmd, &value, &attr));
	EXPECT_EQ(-PERIOD, (int64_t)value);
	EXPECT_EQ(0xff, attr.reg_random_mask);
	EXPECT_EQ(0, attr.reg_random_seed);
	/* What was refused has not taken a random number either. */
	EXPECT_EQ(first, random_reset(self->fd, self->pmd, 0));
}

TEST_F(self, C097_a_mask_without_the_flag_changes_nothing)
{
	struct pfarg_pmd_attr attr = { .reg_long_reset = -PERIOD,
				       .reg_random_mask = 0xfff };

	ASSERT_EQ(0, write_pmd_attr(self->fd, self->pmd, PFM_REGFL_OVFL_NOTIFY,
				    -PERIOD, &attr));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, period_restart(self->fd));
	EXPECT_EQ(-PERIOD, (int64_t)value_of(self->fd, self->pmd));
}

TEST_HARNESS_MAIN
