// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets that take turns by overflows: conformance cases C139 and C143, pending
 * resets, and what a restart does to the sets. The overflow interrupt of the
 * test machine comes at the very instruction, so all numbers are exact.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include <perfmon/perfmon_dfl_smpl.h>

#include "counter_check.h"
#include "event_set.h"
#include "loop.h"
#include "must.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define PERIOD 10000
#define LONG_PERIOD 30000

#define BUFFER_SIZE 65536

/* An overflow each PERIOD instructions, @switches of them leave the set. */
static int overflow_in_set(int fd, uint16_t id, uint32_t set_flags,
			   uint32_t reg_flags, uint64_t switches)
{
	struct pfarg_pmd_attr attr = { .reg_long_reset = -LONG_PERIOD,
				       .reg_short_reset = -PERIOD,
				       .reg_ovfl_swcnt = switches };

	if (set_make_counting(fd, id, set_flags, 0))
		return -1;
	return set_write_attr(fd, id, reg_flags, -PERIOD, &attr);
}

static uint64_t last_value(int fd, uint16_t id)
{
	struct pfarg_pmd_attr attr;
	uint64_t value;

	must(set_read_attr(fd, id, &value, &attr), "attributes of a PMD");
	return attr.reg_last_value;
}

/* The set of the next message; -1 if there is none. */
static int message_set(int fd)
{
	union pfarg_msg msg;

	if (read(fd, &msg, sizeof(msg)) != sizeof(msg) ||
	    msg.type != PFM_MSG_OVFL)
		return -1;
	return msg.pfm_ovfl_msg.msg_active_set;
}

FIXTURE(session)
{
	int fd;
};

FIXTURE_SETUP(session)
{
	NEEDS_INTERRUPTS();
	self->fd = pfm_create_session(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
}

FIXTURE_TEARDOWN(session)
{
	close(self->fd);
}

TEST_F(session, C139_each_overflow_switches_sets)
{
	uint64_t done;

	ASSERT_EQ(0, overflow_in_set(self->fd, 0, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, overflow_in_set(self->fd, 9, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, 101 * PERIOD));
	/* 101 times a period, and a little more. */
	EXPECT_EQ(51, set_runs(self->fd, 0));
	EXPECT_EQ(51, set_runs(self->fd, 9));
	/* Set 0 waits with its residue for its next turn. */
	EXPECT_EQ(0, set_value(self->fd, 0));
	EXPECT_EQ((uint64_t)-PERIOD, last_value(self->fd, 0));
	done = set_value(self->fd, 9) + PERIOD;
	EXPECT_LT(0, done);
	EXPECT_GT(200, done);
	EXPECT_EQ(-1, message_set(self->fd));
}

TEST_F(session, C139_a_single_set_switches_to_itself)
{
	uint64_t done;

	ASSERT_EQ(0, overflow_in_set(self->fd, 0, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, 100 * PERIOD));
	EXPECT_EQ(101, set_runs(self->fd, 0));
	done = set_value(self->fd, 0) + PERIOD;
	EXPECT_LT(0, done);
	EXPECT_GT(200, done);
}

TEST_F(session, C139_sets_take_turns_in_the_order_of_their_numbers)
{
	ASSERT_EQ(0, overflow_in_set(self->fd, 0, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, overflow_in_set(self->fd, 9, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, overflow_in_set(self->fd, 4, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, PERIOD + PERIOD / 2));
	EXPECT_EQ(1, set_runs(self->fd, 4));
	EXPECT_EQ(0, set_runs(self->fd, 9));
	ASSERT_EQ(0, counted_run(self->fd, PERIOD));
	EXPECT_EQ(1, set_runs(self->fd, 4));
	EXPECT_EQ(1, set_runs(self->fd, 9));
	EXPECT_EQ(1, set_runs(self->fd, 0));
}

TEST_F(session, C142_an_attachment_begins_with_the_first_set)
{
	ASSERT_EQ(0, overflow_in_set(self->fd, 0, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, overflow_in_set(self->fd, 9, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, PERIOD + PERIOD / 2));
	ASSERT_EQ(1, set_runs(self->fd, 9));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(2, set_runs(self->fd, 0));
	EXPECT_EQ(1, set_runs(self->fd, 9));
}

TEST_F(session, C135_the_set_that_was_active_is_deleted)
{
	uint16_t pmd = pmu_first()->pmd;
	uint64_t value;

	ASSERT_EQ(0, overflow_in_set(self->fd, 0, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, overflow_in_set(self->fd, 9, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, PERIOD + PERIOD / 2));
	ASSERT_EQ(1, set_runs(self->fd, 9));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, set_delete(self->fd, 9));
	EXPECT_FALSE(set_exists(self->fd, 9));
	EXPECT_EQ(EINVAL, ERRNO(set_read_pmd(self->fd, 9, pmd, &value)));
	EXPECT_EQ(0, ERRNO(set_read_pmd(self->fd, 0, pmd, &value)));
}

/* A session that records each overflow, with its buffer. */
FIXTURE(sampling)
{
	int fd;
	const struct pfm_dfl_smpl_hdr *hdr;
};

FIXTURE_SETUP(sampling)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = BUFFER_SIZE };
	void *buf;

	NEEDS_INTERRUPTS();
	self->fd = pfm_create_session(PFM_FL_SMPL_FMT, "default", &arg,
				      sizeof(arg));
	ASSERT_LE(0, self->fd);
	buf = mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, buf);
	self->hdr = buf;
}

FIXTURE_TEARDOWN(sampling)
{
	close(self->fd);
	munmap((void *)self->hdr, BUFFER_SIZE);
}

TEST_F(sampling, C139_the_third_overflow_switches_sets)
{
	const struct pfm_dfl_smpl_entry *entry = (const void *)(self->hdr + 1);
	struct pfarg_pmd_attr attr;
	uint64_t value;
	unsigned int i;

	ASSERT_EQ(0, overflow_in_set(self->fd, 0, PFM_SETFL_OVFL_SWITCH, 0, 3));
	ASSERT_EQ(0, overflow_in_set(self->fd, 1, PFM_SETFL_OVFL_SWITCH, 0, 3));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, 301 * PERIOD));

	EXPECT_EQ(51, set_runs(self->fd, 0));
	EXPECT_EQ(50, set_runs(self->fd, 1));
	ASSERT_EQ(301, self->hdr->hdr_count);
	for (i = 0; i < 301; i++)
		EXPECT_EQ(i / 3 % 2, entry[i].set);
	ASSERT_EQ(0, set_read_attr(self->fd, 0, &value, &attr));
	EXPECT_EQ(2, attr.reg_ovfl_swcnt);
	ASSERT_EQ(0, set_read_attr(self->fd, 1, &value, &attr));
	EXPECT_EQ(0, attr.reg_ovfl_swcnt);
}

TEST_F(sampling, stopping_keeps_the_overflows_that_are_left)
{
	struct pfarg_pmd_attr attr;
	uint64_t value;

	ASSERT_EQ(0, overflow_in_set(self->fd, 0, PFM_SETFL_OVFL_SWITCH, 0, 3));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, 2 * PERIOD));
	ASSERT_EQ(0, set_read_attr(self->fd, 0, &value, &attr));
	EXPECT_EQ(1, attr.reg_ovfl_swcnt);
	EXPECT_EQ(1, set_runs(self->fd, 0));
	ASSERT_EQ(0, counted_run(self->fd, PERIOD));
	ASSERT_EQ(0, set_read_attr(self->fd, 0, &value, &attr));
	EXPECT_EQ(3, attr.reg_ovfl_swcnt);
	EXPECT_EQ(2, set_runs(self->fd, 0));
	/* A new attachment begins with all of them. */
	ASSERT_EQ(0, counted_run(self->fd, PERIOD));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, set_read_attr(self->fd, 0, &value, &attr));
	EXPECT_EQ(3, attr.reg_ovfl_swcnt);
}

/* What the three sets have counted since they were sampled last. */
static uint64_t sum_of_sets(int fd)
{
	uint64_t sum = 0;
	uint16_t id;

	for (id = 0; id < 3; id++)
		sum += set_value(fd, id) + PERIOD;
	return sum;
}

TEST_F(sampling, sets_that_switch_by_time_lose_no_overflow)
{
	uint64_t value;
	unsigned int i;
	uint16_t id;

	for (id = 0; id < 3; id++) {
		struct pfarg_pmd_attr attr = { .reg_short_reset = -PERIOD };

		ASSERT_EQ(0,
			  set_make_counting(self->fd, id, PFM_SETFL_TIME_SWITCH,
					    timer_round(500000)));
		ASSERT_EQ(0, set_write_attr(self->fd, id, 0, -PERIOD, &attr));
	}
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, 20));
	/* On a slow kernel it is not the first set's any more. */
	value = sum_of_sets(self->fd);
	for (i = 0; i < 10; i++)
		ASSERT_EQ(0, counted_run(self->fd, 100 * PERIOD));
	/* Each start and stop costs what the first did beside its loop. */
	EXPECT_EQ(1000 * PERIOD + value + 10 * (value - 20),
		  self->hdr->hdr_count * PERIOD + sum_of_sets(self->fd));
	EXPECT_LT(2, set_runs(self->fd, 2));
}

TEST_F(session, C143_a_message_names_its_set)
{
	ASSERT_EQ(0, overflow_in_set(self->fd, 0, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, overflow_in_set(self->fd, 1, 0, PFM_REGFL_OVFL_NOTIFY, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, 5 * PERIOD));
	EXPECT_EQ(1, message_set(self->fd));
	EXPECT_EQ(-1, message_set(self->fd));
	EXPECT_EQ(0, set_value(self->fd, 1));
}

TEST_F(session, a_restart_does_the_switch_that_the_overflow_asked_for)
{
	struct pfarg_setinfo info;

	ASSERT_EQ(0, overflow_in_set(self->fd, 0, PFM_SETFL_OVFL_SWITCH,
				     PFM_REGFL_OVFL_NOTIFY, 1));
	ASSERT_EQ(0, set_make_counting(self->fd, 1, 0, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, 5 * PERIOD));
	/* Masked: the set that overflowed is told of and stays. */
	EXPECT_EQ(0, message_set(self->fd));
	EXPECT_EQ(0, set_runs(self->fd, 1));
	EXPECT_EQ(0, set_value(self->fd, 0));

	ASSERT_EQ(0, ERRNO(pfm_start_session(self->fd, PFM_STFL_RESTART)));
	EXPECT_EQ(1, set_runs(self->fd, 1));
	EXPECT_EQ(0, set_value(self->fd, 1));
	ASSERT_EQ(0, counted_run(self->fd, 5 * PERIOD));
	EXPECT_LE(5 * PERIOD, set_value(self->fd, 1));
	/* Not reset before its next turn, and told of in its own mask. */
	EXPECT_EQ(0, set_value(self->fd, 0));
	ASSERT_EQ(0, set_info(self->fd, 0, &info));
	EXPECT_EQ(1ULL << pmu_first()->pmd, info.set_ovfl_pmds[0]);
	ASSERT_EQ(0, set_info(self->fd, 1, &info));
	EXPECT_EQ(0, info.set_ovfl_pmds[0]);
}

TEST_F(session, pending_resets_are_long_after_a_restart)
{
	ASSERT_EQ(0, overflow_in_set(self->fd, 0, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, overflow_in_set(self->fd, 1, PFM_SETFL_OVFL_SWITCH,
				     PFM_REGFL_OVFL_NOTIFY, 1));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, 5 * PERIOD));
	EXPECT_EQ(1, message_set(self->fd));
	EXPECT_EQ(0, set_value(self->fd, 0));

	ASSERT_EQ(0, ERRNO(pfm_start_session(self->fd, PFM_STFL_RESTART)));
	EXPECT_EQ(2, set_runs(self->fd, 0));
	EXPECT_EQ((uint64_t)-LONG_PERIOD, set_value(self->fd, 0));
	EXPECT_EQ((uint64_t)-LONG_PERIOD, last_value(self->fd, 0));
	/* From there by an interrupt: the short one. */
	ASSERT_EQ(0, counted_run(self->fd, LONG_PERIOD));
	EXPECT_EQ(2, set_runs(self->fd, 1));
	EXPECT_EQ((uint64_t)-PERIOD, last_value(self->fd, 1));
}

TEST_F(session, attaching_forgets_what_is_pending)
{
	ASSERT_EQ(0, overflow_in_set(self->fd, 0, PFM_SETFL_OVFL_SWITCH,
				     PFM_REGFL_OVFL_NOTIFY, 1));
	ASSERT_EQ(0, set_make_counting(self->fd, 1, 0, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, 5 * PERIOD));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(EBUSY, ERRNO(pfm_start_session(self->fd, PFM_STFL_RESTART)));
	ASSERT_EQ(0, counted_run(self->fd, 2000));
	EXPECT_EQ(0, set_runs(self->fd, 1));
	EXPECT_LE(2000, set_value(self->fd, 0));
}

TEST_F(session, a_masked_session_keeps_its_set_and_the_rest_of_its_timeout)
{
	uint64_t timeout = timer_round(10000000), left;
	struct pfarg_pmd_attr attr = { .reg_long_reset = 0 };

	ASSERT_EQ(0, set_make_counting(self->fd, 0, PFM_SETFL_TIME_SWITCH,
				       timeout));
	ASSERT_EQ(0, set_write_attr(self->fd, 0, PFM_REGFL_OVFL_NOTIFY, -PERIOD,
				    &attr));
	ASSERT_EQ(0, set_make_counting(self->fd, 1, 0, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(PERIOD);
	EXPECT_EQ(0, message_set(self->fd));
	left = set_timeout(self->fd, 0);
	EXPECT_GT(timeout, left);
	/* Some 30 ms. */
	counted_loop(4000000);
	EXPECT_EQ(left, set_timeout(self->fd, 0));
	EXPECT_EQ(0, set_runs(self->fd, 1));
	ASSERT_EQ(0, pfm_start_session(self->fd, PFM_STFL_RESTART));
	EXPECT_GE(left, set_timeout(self->fd, 0));
	EXPECT_EQ(0, set_runs(self->fd, 1));
	counted_loop(4000000);
	EXPECT_EQ(1, set_runs(self->fd, 1));
}

TEST_HARNESS_MAIN
