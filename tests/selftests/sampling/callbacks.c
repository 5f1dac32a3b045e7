// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the callbacks of a sampling format are given, and what becomes of what
 * they return. The format is that of tests/modules/perfmon_histogram.c.
 */
#include <sys/mman.h>

#include "attr.h"
#include "instruction_track.h"
#include "message.h"
#include "module.h"
#include "overflow_period.h"
#include "perfmon_histogram.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define MODULE "perfmon_histogram"
#define FORMAT "histogram"
#define IN_USE "/sys/module/" MODULE "/parameters/in_use"

#define PERIOD 997
#define ROUNDS 20000UL

/* More addresses than the track has, from its first. */
#define BUCKETS 64

#define RESET HISTOGRAM_RESET
#define NOTIFY HISTOGRAM_NOTIFY
#define MASK HISTOGRAM_MASK
#define SWITCH HISTOGRAM_SWITCH

FIXTURE(format)
{
	struct histogram_arg arg;
	uint16_t pmd;
};

/* Like the default format, without a limit. */
FIXTURE_SETUP(format)
{
	NEEDS_INTERRUPTS();
	ASSERT_EQ(0, module_load(MODULE, ""));
	self->pmd = pmu_first()->pmd;
	self->arg = (struct histogram_arg){
		.first = track_ip(1, 1),
		.buckets = BUCKETS,
		.ctrl = RESET,
		.full_ctrl = NOTIFY | MASK,
		.restart_ctrl = RESET,
	};
}

FIXTURE_TEARDOWN_PARENT(format)
{
	EXPECT_EQ(0, module_unload(MODULE));
}

static int create_with(const struct histogram_arg *arg, size_t size)
{
	return pfm_create_session(PFM_FL_SMPL_FMT, FORMAT, arg, size);
}

static int create(const struct histogram_arg *arg)
{
	return create_with(arg, sizeof(*arg));
}

static const struct histogram_buffer *map(int fd)
{
	return mmap(NULL, sizeof(struct histogram_buffer), PROT_READ,
		    MAP_PRIVATE, fd, 0);
}

/* A session that is programmed, attached to the caller and mapped. */
static int prepare(const struct histogram_arg *arg,
		   const struct histogram_buffer **hist)
{
	int fd = create(arg);

	if (fd < 0 ||
	    period_program(fd, pmu_first(), PFM_REGFL_OVFL_NOTIFY, PERIOD,
			   NULL) ||
	    attach_self(fd))
		return -1;
	*hist = map(fd);
	return *hist == MAP_FAILED ? -1 : fd;
}

TEST_F(format, the_argument_reaches_the_format)
{
	const struct histogram_buffer *hist;
	struct pfarg_setinfo info = { .set_id = 0 };
	unsigned int i, pmds = 0;
	int fd;

	fd = pfm_create_session(PFM_FL_SMPL_FMT | PFM_FL_OVFL_NO_MSG, FORMAT,
				&self->arg, sizeof(self->arg));
	ASSERT_LE(0, fd);
	hist = map(fd);
	ASSERT_NE(MAP_FAILED, hist);
	EXPECT_EQ(0, memcmp(&self->arg, &hist->arg, sizeof(self->arg)));
	EXPECT_EQ(PFM_FL_SMPL_FMT | PFM_FL_OVFL_NO_MSG, hist->flags);
	ASSERT_EQ(0, pfm_getinfo_sets(fd, 0, &info, 1));
	for (i = 0; i < PFM_PMD_BV; i++)
		pmds += __builtin_popcountll(info.set_avail_pmds[i]);
	EXPECT_EQ(pmds, hist->pmds);
}

TEST_F(format, the_format_may_refuse_a_session)
{
	EXPECT_EQ(EINVAL, ERRNO(create_with(&self->arg, 1)));
	self->arg.reserved = 1;
	EXPECT_EQ(EINVAL, ERRNO(create(&self->arg)));
	self->arg.reserved = 0;
	self->arg.buckets = HISTOGRAM_MAX_BUCKETS + 1;
	EXPECT_EQ(ERANGE, ERRNO(create(&self->arg)));
	self->arg.buckets = BUCKETS;
	self->arg.init_error = ENXIO;
	EXPECT_EQ(ENXIO, ERRNO(create(&self->arg)));
	/* Neither memory nor the module is held. */
	EXPECT_EQ(0, attr_number("smpl_buffer_mem_cur"));
	EXPECT_EQ(0, file_number(IN_USE));
	EXPECT_EQ(0, module_unload(MODULE));
	EXPECT_EQ(0, module_load(MODULE, ""));
}

TEST_F(format, the_format_learns_of_the_end_of_a_session)
{
	int first = create(&self->arg), second;

	ASSERT_LE(0, first);
	self->arg.buckets = 0;
	second = create(&self->arg);
	ASSERT_LE(0, second);
	EXPECT_EQ(2, file_number(IN_USE));
	close(first);
	EXPECT_EQ(1, file_number(IN_USE));
	close(second);
	EXPECT_EQ(0, file_number(IN_USE));
}

TEST_F(format, a_format_needs_no_buffer)
{
	uint64_t value;
	int fd;

	self->arg.buckets = 0;
	fd = create(&self->arg);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, attr_number("smpl_buffer_mem_cur"));
	EXPECT_EQ(MAP_FAILED, map(fd));
	ASSERT_EQ(0, period_program(fd, pmu_first(), 0, PERIOD, NULL));
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	/* Each overflow was reset. */
	ASSERT_EQ(0, read_pmd(fd, self->pmd, &value));
	EXPECT_EQ(-PERIOD + track_length(ROUNDS) % PERIOD, value);
}

TEST_F(format, each_overflow_is_given_to_the_handler)
{
	struct pfarg_pmd_attr attr = { .reg_smpl_eventid = 0x123456789abc };
	const uint64_t samples = track_length(ROUNDS) / PERIOD;
	const struct histogram_buffer *hist;
	uint64_t expected[BUCKETS] = { 0 }, i;
	int fd = prepare(&self->arg, &hist);

	ASSERT_LE(0, fd);
	pmd_mark(attr.reg_smpl_pmds, self->pmd);
	ASSERT_EQ(0, period_program(fd, pmu_first(), 0, PERIOD, &attr));
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	for (i = 1; i <= samples; i++)
		expected[track_ip(ROUNDS, i * PERIOD + 1) - self->arg.first]++;
	EXPECT_EQ(samples, hist->samples);
	EXPECT_EQ(0, hist->outside);
	EXPECT_EQ(0, memcmp(expected, hist->count, sizeof(expected)));
	EXPECT_EQ(self->pmd, hist->ovfl_pmd);
	EXPECT_EQ(0, hist->set);
	EXPECT_EQ(0x123456789abc, hist->eventid);
	EXPECT_EQ(-PERIOD, (int64_t)hist->last_value);
	EXPECT_EQ(1, hist->nr_values);
	EXPECT_EQ(0, hist->value);
}

TEST_F(format, a_full_format_is_restarted)
{
	const struct histogram_buffer *hist;
	union pfarg_msg msg;
	int fd, i;

	self->arg.full = 50;
	fd = prepare(&self->arg, &hist);
	ASSERT_LE(0, fd);
	for (i = 1; i <= 3; i++) {
		ASSERT_EQ(0, track_run(fd, ROUNDS));
		EXPECT_EQ(50, hist->samples);
		ASSERT_EQ(0, message_take(fd, &msg));
		EXPECT_EQ(track_ip(ROUNDS, 50 * PERIOD + 1),
			  msg.pfm_ovfl_msg.msg_ovfl_ip);
		EXPECT_EQ(0, ERRNO(period_restart(fd)));
		EXPECT_EQ(0, hist->samples);
		EXPECT_EQ(i, hist->restarts);
		EXPECT_EQ(0, hist->active_restarts);
	}
}

/* Fills the format and lets it answer to the restart: nothing goes on. */
static void restart_in_vain(struct __test_metadata *_metadata,
			    const struct histogram_arg *arg)
{
	const struct histogram_buffer *hist;
	uint64_t value;
	int fd = prepare(arg, &hist);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	EXPECT_EQ(50, hist->samples);
	EXPECT_EQ(0, ERRNO(period_restart(fd)));
	EXPECT_EQ(1, hist->restarts);
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	EXPECT_EQ(0, hist->samples);
	ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	/* The counter was reset if the format said so. */
	EXPECT_EQ(arg->restart_ctrl & RESET && !arg->restart_error ? -PERIOD :
								     0,
		  (int64_t)value);
	/* The restart that was owed is used up. */
	EXPECT_EQ(EBUSY, ERRNO(period_restart(fd)));
	EXPECT_EQ(1, hist->restarts);
}

TEST_F(format, a_restart_may_keep_the_session_masked)
{
	self->arg.full = 50;
	self->arg.restart_ctrl = MASK;
	restart_in_vain(_metadata, &self->arg);
}

TEST_F(format, a_restart_may_reset_a_session_that_stays_masked)
{
	self->arg.full = 50;
	self->arg.restart_ctrl = MASK | RESET;
	restart_in_vain(_metadata, &self->arg);
}

TEST_F(format, a_restart_that_fails_keeps_the_session_masked)
{
	self->arg.full = 50;
	self->arg.restart_error = EIO;
	restart_in_vain(_metadata, &self->arg);
}

static uint64_t blind_ns(int fd)
{
	struct pfarg_setinfo info = { .set_id = 0 };

	return pfm_getinfo_sets(fd, PFM_GIFL_LOSS, &info, 1) ?
		       ~0ULL :
		       info.set_reserved3[PFM_LOSS_BLIND_NS];
}

TEST_F(format, a_stopped_session_that_stays_masked_misses_nothing)
{
	const struct histogram_buffer *hist;
	uint64_t missed;
	int fd;

	self->arg.full = 50;
	self->arg.restart_ctrl = MASK;
	fd = prepare(&self->arg, &hist);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	ASSERT_EQ(0, ERRNO(period_restart(fd)));
	missed = blind_ns(fd);
	ASSERT_EQ(0, track_run(-1, ROUNDS));
	EXPECT_EQ(missed, blind_ns(fd));
}

TEST_F(format, a_restart_without_reset_leaves_the_counter)
{
	const struct histogram_buffer *hist;
	uint64_t value;
	int fd;

	self->arg.full = 50;
	self->arg.restart_ctrl = 0;
	fd = prepare(&self->arg, &hist);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	ASSERT_EQ(0, period_restart(fd));
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	/* It counts on from its overflow, far from the next. */
	ASSERT_EQ(0, read_pmd(fd, self->pmd, &value));
	EXPECT_EQ(track_length(ROUNDS), value);
}

TEST_F(format, a_notification_need_not_mask)
{
	const struct histogram_buffer *hist;
	union pfarg_msg msg;
	int fd;

	self->arg.full = 50;
	self->arg.full_ctrl = NOTIFY | RESET;
	fd = prepare(&self->arg, &hist);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	EXPECT_EQ(track_length(ROUNDS) / PERIOD, hist->samples);
	EXPECT_EQ(0, message_take(fd, &msg));
	EXPECT_EQ(EAGAIN, message_take(fd, &msg));
	/* A restart that is owed reaches the format, running or not. */
	EXPECT_EQ(0, ERRNO(pfm_start_session(fd, 0)));
	EXPECT_EQ(0, ERRNO(period_restart(fd)));
	EXPECT_EQ(1, hist->restarts);
	EXPECT_EQ(1, hist->active_restarts);
	EXPECT_EQ(0, hist->samples);
	EXPECT_EQ(EBUSY, ERRNO(period_restart(fd)));
}

TEST_F(format, a_full_queue_masks_who_only_notifies)
{
	const struct histogram_buffer *hist;
	union pfarg_msg msg;
	uint64_t value;
	int fd, i;

	self->arg.ctrl = NOTIFY | RESET;
	fd = prepare(&self->arg, &hist);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	/* The ninth has no place, and is not reset. */
	EXPECT_EQ(9, hist->samples);
	ASSERT_EQ(0, read_pmd(fd, self->pmd, &value));
	EXPECT_EQ(0, value);
	for (i = 0; i < 8; i++)
		EXPECT_EQ(0, message_take(fd, &msg));
	EXPECT_EQ(EAGAIN, message_take(fd, &msg));
	ASSERT_EQ(0, ERRNO(period_restart(fd)));
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	EXPECT_EQ(9, hist->samples);
}

TEST_F(format, a_restart_may_mask_a_running_session)
{
	const struct histogram_buffer *hist;
	uint64_t value, later;
	int fd;

	self->arg.full = 50;
	self->arg.full_ctrl = NOTIFY | RESET;
	self->arg.restart_ctrl = MASK;
	fd = prepare(&self->arg, &hist);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	EXPECT_EQ(0, ERRNO(period_restart(fd)));
	ASSERT_EQ(0, read_pmd(fd, self->pmd, &value));
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	ASSERT_EQ(0, read_pmd(fd, self->pmd, &later));
	EXPECT_EQ(value, later);
	EXPECT_EQ(0, hist->samples);
}

TEST_F(format, a_handler_may_refuse_further_overflows)
{
	const struct pmu *pmu = pmu_get();
	const struct histogram_buffer *hist;
	unsigned int i;
	uint64_t value;
	int fd;

	if (pmu->counters < 2)
		SKIP(return, "needs two counters");
	self->arg.handler_error = ENOSPC;
	fd = prepare(&self->arg, &hist);
	ASSERT_LE(0, fd);
	for (i = 2; i-- > 0;)
		ASSERT_EQ(0, period_program(fd, &pmu->counter[i], 0, PERIOD,
					    NULL));
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	/* Called for the first of two; its controls are obeyed for both. */
	EXPECT_EQ(track_length(ROUNDS) / PERIOD, hist->samples);
	EXPECT_EQ(self->pmd, hist->ovfl_pmd);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, read_pmd(fd, pmu->counter[i].pmd, &value));
		EXPECT_EQ(-PERIOD + track_length(ROUNDS) % PERIOD, value);
	}
}

TEST_F(format, a_handler_may_switch_sets)
{
	struct pfarg_setdesc set = { .set_id = 1 };
	struct pfarg_setinfo info = { .set_id = 1 };
	const struct histogram_buffer *hist;
	uint64_t value;
	int fd;

	self->arg.ctrl = SWITCH | RESET;
	fd = create(&self->arg);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pfm_create_sets(fd, 0, &set, 1));
	ASSERT_EQ(0, period_program(fd, pmu_first(), 0, PERIOD, NULL));
	hist = map(fd);
	ASSERT_NE(MAP_FAILED, hist);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	/* Set 1 has no counters and is never left again. */
	EXPECT_EQ(1, hist->samples);
	EXPECT_EQ(0, hist->set);
	ASSERT_EQ(0, pfm_getinfo_sets(fd, 0, &info, 1));
	EXPECT_EQ(1, info.set_runs);
	/* The reset of set 0 waits for its next turn. */
	ASSERT_EQ(0, read_pmd(fd, self->pmd, &value));
	EXPECT_EQ(0, value);
}

TEST_HARNESS_MAIN
