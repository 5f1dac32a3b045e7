// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an overflow does to the counters of a thread that monitors itself:
 * masks, resets, restarts. Conformance cases C090 to C092, C095, C098, C099
 * and C104 to C107; who is told of it is the subject of notify.c, random resets
 * are that of random.c.
 *
 * The overflow comes at the very instruction, so every address and every count
 * is known.
 */
#include <time.h>

#include "instruction_track.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "overflow_fixture.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

/* Of 32-bit kernels; those of 64 bits are far above. */
#define KERNEL_START 0xc0000000

TEST_F(self, C090_an_overflow_is_told_by_a_signal_and_a_message)
{
	const uint64_t bit = 1ULL << self->pmd;
	union pfarg_msg msg;

	ASSERT_EQ(0, message_signal(self->fd, SIGIO));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(1, message_signals_told(1));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_OVFL, msg.type);
	EXPECT_EQ((uint32_t)getpid(), msg.pfm_ovfl_msg.msg_ovfl_pid);
	EXPECT_EQ((uint32_t)gettid(), msg.pfm_ovfl_msg.msg_ovfl_tid);
	EXPECT_EQ(0, msg.pfm_ovfl_msg.msg_active_set);
	EXPECT_GT(sysconf(_SC_NPROCESSORS_CONF), msg.pfm_ovfl_msg.msg_ovfl_cpu);
	EXPECT_TRUE(message_names(&msg, bit));
	EXPECT_EQ(track_ip(ROUNDS, PERIOD + 1), msg.pfm_ovfl_msg.msg_ovfl_ip);
	/* The signal comes before the thread executes anything more. */
	if (!message_signals_are_late())
		EXPECT_EQ(track_ip(ROUNDS, PERIOD + 1), message_signal_ip);
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
}

TEST_F(self, C091_nothing_counts_until_the_restart)
{
	union pfarg_msg msg;

	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(0, value_of(self->fd, self->pmd));
	counted_loop(1000);
	EXPECT_EQ(0, value_of(self->fd, self->pmd));
	EXPECT_EQ(0, ERRNO(pfm_start_session(self->fd, 0)));
	counted_loop(1000);
	EXPECT_EQ(0, value_of(self->fd, self->pmd));
	EXPECT_EQ(0, ERRNO(pfm_stop_session(self->fd, 0)));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
}

TEST_F(self, C091_the_restart_loads_the_long_reset_value)
{
	struct pfarg_pmd_attr attr = { .reg_long_reset = -5000,
				       .reg_short_reset = -7000 };
	union pfarg_msg msg;
	uint64_t value;

	ASSERT_EQ(0, write_pmd_attr(self->fd, self->pmd, PFM_REGFL_OVFL_NOTIFY,
				    -PERIOD, &attr));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	/* The session was stopped meanwhile and stays so. */
	EXPECT_EQ(0, ERRNO(period_restart(self->fd)));
	counted_loop(1000);
	ASSERT_EQ(0, read_pmd_attr(self->fd, self->pmd, &value, &attr));
	EXPECT_EQ(-5000, (int64_t)value);
	EXPECT_EQ(-5000, (int64_t)attr.reg_last_value);

	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(track_ip(ROUNDS, 5001), msg.pfm_ovfl_msg.msg_ovfl_ip);
}

TEST_F(self, C091_a_started_session_counts_on_after_the_restart)
{
	union pfarg_msg msg;
	uint64_t first;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(2 * PERIOD);
	ASSERT_EQ(0, message_take(self->fd, &msg));
	ASSERT_EQ(0, period_restart(self->fd));
	first = value_of(self->fd, self->pmd);
	EXPECT_LT(-PERIOD, (int64_t)first);
	EXPECT_LT(first, value_of(self->fd, self->pmd));
	counted_loop(2 * PERIOD);
	EXPECT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(0, value_of(self->fd, self->pmd));
}

TEST_F(self, C092_each_notification_is_worth_one_restart)
{
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(0, ERRNO(period_restart(self->fd)));
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
}

TEST_F(self, C095_an_overflow_that_nobody_wants_to_know_of_ends_counting)
{
	union pfarg_msg msg;

	ASSERT_EQ(0, message_signal(self->fd, SIGIO));
	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, -PERIOD));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(0, value_of(self->fd, self->pmd));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(0, value_of(self->fd, self->pmd));
	EXPECT_EQ(0, message_signals);
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(track_length(ROUNDS), value_of(self->fd, self->pmd));
}

TEST_F(self, C098_an_overflow_resets_the_pmds_of_its_mask_with_their_values)
{
	const struct pmu *pmu = pmu_get();
	struct pfarg_pmd_attr attr = { .reg_long_reset = 5 };
	struct pfarg_pmd_attr mask = { 0 };
	unsigned int i;

	if (pmu->counters < 2)
		SKIP(return, "needs two counters");
	/* The first counter of P6 enables the others: program it last. */
	for (i = 1; i < pmu->counters && i < 3; i++) {
		ASSERT_EQ(0, pmu_count_user(self->fd, &pmu->counter[i], 0));
		ASSERT_EQ(0, write_pmd_attr(self->fd, pmu->counter[i].pmd, 0,
					    100, &attr));
	}
	pmd_mark(mask.reg_reset_pmds, pmu->counter[1].pmd);
	ASSERT_EQ(0, period_program(self->fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, PERIOD, &mask));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(100 + PERIOD, value_of(self->fd, pmu->counter[1].pmd));
	ASSERT_EQ(0, period_restart(self->fd));
	EXPECT_EQ(-PERIOD, (int64_t)value_of(self->fd, self->pmd));
	EXPECT_EQ(5, value_of(self->fd, pmu->counter[1].pmd));
	if (pmu->counters > 2)
		EXPECT_EQ(100 + PERIOD,
			  value_of(self->fd, pmu->counter[2].pmd));
}

TEST_F(self, C099_pmds_that_overflow_together_share_a_message)
{
	const struct pmu *pmu = pmu_get();
	union pfarg_msg msg;
	uint64_t pmds = 0;
	unsigned int i;

	for (i = pmu->counters; i-- > 0;) {
		ASSERT_EQ(0,
			  period_program(self->fd, &pmu->counter[i],
					 PFM_REGFL_OVFL_NOTIFY, PERIOD, NULL));
		pmds |= 1ULL << pmu->counter[i].pmd;
	}
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	EXPECT_TRUE(message_names(&msg, pmds));
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	EXPECT_EQ(0, period_restart(self->fd));
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
	for (i = 0; i < pmu->counters; i++)
		EXPECT_EQ(-PERIOD,
			  (int64_t)value_of(self->fd, pmu->counter[i].pmd));
}

TEST_F(self, C099_a_message_names_no_earlier_overflow)
{
	const struct pmu *pmu = pmu_get();
	union pfarg_msg msg;

	if (pmu->counters < 2)
		SKIP(return, "needs two counters");
	/* The first counter of P6 enables the others: program it last. */
	ASSERT_EQ(0,
		  period_program(self->fd, &pmu->counter[1],
				 PFM_REGFL_OVFL_NOTIFY, 3 * PERIOD / 2, NULL));
	ASSERT_EQ(0, period_program(self->fd, &pmu->counter[0],
				    PFM_REGFL_OVFL_NOTIFY, PERIOD, NULL));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	EXPECT_TRUE(message_names(&msg, 1ULL << pmu->counter[0].pmd));
	ASSERT_EQ(0, period_restart(self->fd));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	EXPECT_TRUE(message_names(&msg, 1ULL << pmu->counter[1].pmd));
}

TEST_F(self, C099_a_message_also_names_pmds_that_do_not_notify)
{
	const struct pmu *pmu = pmu_get();
	union pfarg_msg msg;

	if (pmu->counters < 2)
		SKIP(return, "needs two counters");
	ASSERT_EQ(0,
		  period_program(self->fd, &pmu->counter[1], 0, PERIOD, NULL));
	ASSERT_EQ(0, period_program(self->fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, PERIOD, NULL));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	EXPECT_TRUE(message_names(&msg, 1ULL << self->pmd |
						1ULL << pmu->counter[1].pmd));
}

TEST_F(self, C104_a_full_queue_masks_the_session_for_good)
{
	union pfarg_msg msg;
	int i;

	ASSERT_EQ(0, message_signal(self->fd, SIGIO));
	for (i = 1; i <= 8; i++) {
		ASSERT_EQ(0, track_run(self->fd, ROUNDS));
		/* One that is late would be one with the next. */
		EXPECT_EQ(i, message_signals_told(i));
		ASSERT_EQ(0, ERRNO(period_restart(self->fd)));
	}
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(0, value_of(self->fd, self->pmd));
	EXPECT_EQ(8, message_signals);
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
	for (i = 0; i < 8; i++)
		EXPECT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 7));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(7 + track_length(ROUNDS), value_of(self->fd, self->pmd));
}

TEST_F(self, C105_a_set_remembers_its_last_overflow_until_it_is_attached)
{
	const uint64_t bit = 1ULL << self->pmd;
	struct pfarg_setinfo info = { .set_id = 0 };

	ASSERT_EQ(0, pfm_getinfo_sets(self->fd, 0, &info, 1));
	EXPECT_EQ(0, info.set_ovfl_pmds[0]);
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, pfm_getinfo_sets(self->fd, 0, &info, 1));
	EXPECT_EQ(bit, info.set_ovfl_pmds[0]);
	/* Neither a restart nor the end of the attachment clears it. */
	ASSERT_EQ(0, period_restart(self->fd));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, pfm_getinfo_sets(self->fd, 0, &info, 1));
	EXPECT_EQ(bit, info.set_ovfl_pmds[0]);
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_getinfo_sets(self->fd, 0, &info, 1));
	EXPECT_EQ(0, info.set_ovfl_pmds[0]);
}

TEST_F(self, a_register_that_is_written_has_not_overflowed)
{
	struct pfarg_setinfo info = { .set_id = 0 };

	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 5));
	ASSERT_EQ(0, pfm_getinfo_sets(self->fd, 0, &info, 1));
	EXPECT_EQ(0, info.set_ovfl_pmds[0]);
}

/* It interrupts because of its reset value; 0 is not the end of a period. */
TEST_F(self, a_register_that_begins_at_0_has_not_overflowed)
{
	const struct pfarg_pmd_attr attr = { .reg_long_reset = -PERIOD };
	const struct pmu *pmu = pmu_get();
	union pfarg_msg msg;

	if (pmu->counters < 2)
		SKIP(return, "needs two counters");
	ASSERT_EQ(0, pmu_count_user(self->fd, &pmu->counter[1], 0));
	ASSERT_EQ(0,
		  write_pmd_attr(self->fd, pmu->counter[1].pmd, 0, 0, &attr));
	ASSERT_EQ(0, period_program(self->fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, PERIOD, NULL));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	EXPECT_TRUE(message_names(&msg, 1ULL << self->pmd));
	EXPECT_EQ(PERIOD, value_of(self->fd, pmu->counter[1].pmd));
}

/* Attaches, and counts the kernel's way through start and detach. */
static int attach_and_detach(int fd)
{
	return attach_self(fd) || pfm_start_session(fd, 0) ||
	       pfm_detach_session(fd, 0);
}

/*
 * Lets the overflow come at each instruction from start to detach, also where
 * the interrupt has to wait and finds the session gone.
 */
TEST_F(self, an_overflow_does_not_survive_the_attachment)
{
	const struct pmu_counter *counter = pmu_first();
	int64_t period = 0, late = 0, value;
	union pfarg_msg msg;

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, write_pmc(self->fd, counter->pmc,
			       counter->kernel & ~counter->known->user_level));
	do {
		const struct pfarg_pmd_attr attr = { 0 };

		/* A slow kernel executes thousands of instructions. */
		period += kernel_is_slow() ? 97 : 1;
		ASSERT_EQ(0, write_pmd_attr(self->fd, self->pmd,
					    PFM_REGFL_OVFL_NOTIFY, -period,
					    &attr));
		ASSERT_EQ(0, attach_and_detach(self->fd));
		late += message_take(self->fd, &msg) == EAGAIN;
		value = (int64_t)value_of(self->fd, self->pmd);
		if (value < 0)
			break;
		ASSERT_EQ(0, attach_self(self->fd));
		ASSERT_EQ(0, track_run(self->fd, ROUNDS));
		ASSERT_EQ(EAGAIN, message_take(self->fd, &msg))
		{
			TH_LOG("after a period of %lld", (long long)period);
		}
		ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	} while (period < 100000);
	TH_LOG("%lld periods, %lld overflows came too late", (long long)period,
	       (long long)late - 1);
	EXPECT_GT(0, value);
	EXPECT_LT(1, late);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

TEST_F(self, C106_a_storm_of_overflows_hurts_nobody)
{
	long restarts = 0, messages = 0;
	union pfarg_msg msg;
	uint64_t value;
	int64_t end;

	ASSERT_EQ(0, period_program(self->fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, 1, NULL));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (end = now_ms() + 1000; now_ms() < end;) {
		messages += !message_take(self->fd, &msg);
		restarts += !period_restart(self->fd);
	}
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_LT(10, restarts);
	/* One for each restart and the first; the last may be unread. */
	EXPECT_LE(restarts, messages);
	EXPECT_GE(restarts + 1, messages);
	/* It counts as ever, once the last overflow is dealt with. */
	period_restart(self->fd);
	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 0));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(1000000);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	value = value_of(self->fd, self->pmd);
	EXPECT_LE(1000000, value);
	EXPECT_GT(1000000 + 2 * CALL_COST, value);
}

/*
 * Counts to the stop call itself: the kernel has been entered when the
 * interrupt comes. Returns 0 if the message has the address after the call.
 */
static int overflow_in_call(void *arg)
{
	int fd = period_session(0, track_length(ROUNDS));
	union pfarg_msg msg;
	uint64_t ip;

	(void)arg;
	if (fd < 0 || attach_self(fd) || track_run(fd, ROUNDS) ||
	    message_take(fd, &msg))
		return 1;
	ip = msg.pfm_ovfl_msg.msg_ovfl_ip;
	return ip == track_ip(ROUNDS, track_length(ROUNDS) + 1) ? 0 : 2;
}

TEST(C107_who_counts_user_mode_sees_no_address_of_the_kernel)
{
	NEEDS_INTERRUPTS();
	EXPECT_EQ(0, overflow_in_call(NULL));
	EXPECT_EQ(0, unprivileged(NO_GROUP, overflow_in_call, NULL));
}

/* What the next restart loads. */
static int next_period(int fd, uint16_t pmd, uint64_t period)
{
	const struct pfarg_pmd_attr attr = { .reg_long_reset = -period };

	return write_pmd_attr(fd, pmd, PFM_REGFL_OVFL_NOTIFY, -period, &attr);
}

TEST_F(self, C107_who_counts_the_kernel_sees_its_addresses)
{
	const struct pmu_counter *counter = pmu_first();
	union pfarg_msg msg;
	int i, kernel = 0;

	/* Kernel instructions alone overflow in the kernel. */
	ASSERT_EQ(0, write_pmc(self->fd, counter->pmc,
			       counter->kernel & ~counter->known->user_level));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < 20; i++) {
		while (message_take(self->fd, &msg))
			;
		kernel += msg.pfm_ovfl_msg.msg_ovfl_ip >= KERNEL_START;
		/*
		 * Equal periods would end at the same place of this loop again
		 * and again. Where the kernel takes no interrupts, as on its
		 * way out, the user gets them.
		 */
		ASSERT_EQ(0, next_period(self->fd, self->pmd, PERIOD + 61 * i));
		ASSERT_EQ(0, period_restart(self->fd));
	}
	EXPECT_LT(10, kernel);
}

TEST_HARNESS_MAIN
