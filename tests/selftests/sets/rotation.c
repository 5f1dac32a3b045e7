// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets that take turns by time: conformance cases C137, C138 and C141, and how
 * exact multiplexing is. User instructions are counted by exactly one set each,
 * so that nothing may be lost or counted twice, however often sets are switched.
 */
#include <time.h>

#include "attr.h"
#include "counter_check.h"
#include "cpu_time.h"
#include "event_set.h"
#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define MS 1000000ULL

/* Long enough for a second on the test machine. */
#define LONG_LOOP 125000000UL

/* What start and stop execute beside a loop: little, but not to be computed. */
#define MAX_CONSTANT 200

#define NR_SETS 3

/* By set switches, in tenths. Without restraint it is 27 at least. */
#define MAX_SLOWDOWN 25

static void sleep_ms(long ms)
{
	struct timespec time = { .tv_sec = ms / 1000,
				 .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static bool within_percent(uint64_t value, uint64_t truth, unsigned int percent)
{
	uint64_t diff = value > truth ? value - truth : truth - value;

	return diff * 100 <= truth * percent;
}

static uint64_t total(int fd, uint64_t (*field)(int fd, uint16_t id))
{
	uint64_t sum = 0;
	uint16_t id;

	for (id = 0; id < NR_SETS; id++)
		sum += field(fd, id);
	return sum;
}

/* A session of sets that take turns, attached to this thread. */
static int ring_open(uint64_t timeout)
{
	int fd = pfm_create_session(0);
	uint16_t id;

	for (id = 0; id < NR_SETS; id++)
		if (ERRNO(set_make_counting(fd, id, PFM_SETFL_TIME_SWITCH,
					    timeout)))
			return -1;
	return attach_self(fd) ? -1 : fd;
}

/* Three sets that take turns every 10 ms. */
FIXTURE(ring)
{
	int fd;
	uint64_t timeout;
};

FIXTURE_SETUP(ring)
{
	NEEDS_COUNTERS();
	self->timeout = timer_round(10 * MS);
	self->fd = ring_open(self->timeout);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(ring)
{
	close(self->fd);
}

/* Timeouts that are much longer than a few calls, in a slow kernel, too. */
static void take_longer_turns(struct __test_metadata *_metadata,
			      FIXTURE_DATA(ring) * self)
{
	if (!kernel_is_slow())
		return;
	ASSERT_EQ(0, close(self->fd));
	self->timeout = timer_round(80 * MS);
	self->fd = ring_open(self->timeout);
	ASSERT_LE(0, self->fd);
}

TEST_F(ring, C137_sets_take_turns)
{
	uint64_t runs, expected, start = cpu_time();
	uint16_t id;

	ASSERT_EQ(0, counted_run(self->fd, LONG_LOOP));
	expected = (cpu_time() - start) / self->timeout;
	for (id = 0; id < NR_SETS; id++) {
		runs = set_runs(self->fd, id);
		EXPECT_LE(runs, set_runs(self->fd, 0));
		EXPECT_LE(set_runs(self->fd, 0), runs + 1);
	}
	/* Timers come late, never early. */
	runs = total(self->fd, set_runs);
	EXPECT_LE(runs, expected + 1);
	EXPECT_LE(expected * 95 / 100, runs);
}

TEST_F(ring, C137_the_order_is_that_of_the_numbers)
{
	unsigned int i;

	take_longer_turns(_metadata, self);
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < 100; i++) {
		uint64_t runs[NR_SETS];
		uint16_t id;

		for (id = 0; id < NR_SETS; id++)
			runs[id] = set_runs(self->fd, id);
		EXPECT_LE(runs[1], runs[0]);
		EXPECT_LE(runs[2], runs[1]);
		EXPECT_LE(runs[0], runs[2] + 1);
		cpu_time_spend(self->timeout / 4);
	}
	EXPECT_LT(5, set_runs(self->fd, 2));
}

TEST_F(ring, C137_durations_add_up_to_the_cpu_time)
{
	uint64_t durations, time, start = cpu_time();

	ASSERT_EQ(0, counted_run(self->fd, LONG_LOOP));
	time = cpu_time() - start;
	durations = total(self->fd, set_duration);
	/* A module's clock runs in interrupts, too. */
	EXPECT_LE(durations, time + (perfmon_is_module() ? time / 1000 : 0));
	EXPECT_TRUE(within_percent(durations, time, 1))
	{
		TH_LOG("%llu of %llu ns", (unsigned long long)durations,
		       (unsigned long long)time);
	}
}

TEST_F(ring, the_counts_of_all_sets_add_up_exactly)
{
	uint64_t constant, sum, n;

	/* A turn of set 0 alone. */
	ASSERT_EQ(0, counted_run(self->fd, 2000));
	constant = total(self->fd, set_value) - 2000;
	ASSERT_GT(MAX_CONSTANT, constant);

	sum = 2000 + constant;
	for (n = 2000000; n <= 200000000; n *= 10) {
		ASSERT_EQ(0, counted_run(self->fd, n));
		sum += n + constant;
		EXPECT_EQ(sum, total(self->fd, set_value));
	}
	EXPECT_LT(10, set_runs(self->fd, 2));
}

/*
 * The truth is that of a steady loop. In a slow kernel interrupts take a part of
 * its time, not an even one, and only a longer loop is steady.
 */
TEST_F(ring, each_set_scaled_is_within_one_percent_of_the_truth)
{
	unsigned long n = (kernel_is_slow() ? 8 : 1) * LONG_LOOP;
	uint64_t sum;
	uint16_t id;

	ASSERT_EQ(0, counted_run(self->fd, n));
	sum = total(self->fd, set_duration);
	for (id = 0; id < NR_SETS; id++) {
		double scaled = (double)set_value(self->fd, id) * sum /
				set_duration(self->fd, id);

		EXPECT_TRUE(within_percent(scaled, n, 1))
		{
			TH_LOG("set %u: %.0f", id, scaled);
		}
	}
}

TEST_F(ring, a_set_that_counts_nothing_has_its_turn)
{
	uint64_t first;

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0,
		  set_make(self->fd, 1, PFM_SETFL_TIME_SWITCH, self->timeout));
	ASSERT_EQ(0, set_write_pmd(self->fd, 1, pmu_first()->pmd, 77));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, LONG_LOOP));
	EXPECT_EQ(77, set_value(self->fd, 1));
	first = set_duration(self->fd, 0);
	EXPECT_LT(first / 2, set_duration(self->fd, 1));
}

TEST_F(ring, a_set_without_timeout_is_kept)
{
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, set_make_counting(self->fd, 1, 0, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, LONG_LOOP));
	EXPECT_EQ(1, set_runs(self->fd, 1));
	EXPECT_EQ(0, set_runs(self->fd, 2));
	EXPECT_LE(LONG_LOOP, set_value(self->fd, 0) + set_value(self->fd, 1));
}

TEST_F(ring, attaching_again_begins_with_set_0)
{
	uint64_t runs;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	while (set_runs(self->fd, 1) < 1)
		counted_loop(1000);
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	runs = set_runs(self->fd, 0);
	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(runs + 1, set_runs(self->fd, 0));
	ASSERT_EQ(0, set_write_pmd(self->fd, 0, pmu_first()->pmd, 0));
	ASSERT_EQ(0, counted_run(self->fd, 2000));
	EXPECT_LE(2000, set_value(self->fd, 0));
}

TEST_F(ring, C141_a_sleeping_thread_switches_no_sets)
{
	uint64_t duration;

	take_longer_turns(_metadata, self);
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	duration = set_duration(self->fd, 0);
	sleep_ms(1000);
	EXPECT_EQ(1, total(self->fd, set_runs));
	duration = set_duration(self->fd, 0) - duration;
	EXPECT_GT(self->timeout, duration);
	cpu_time_spend(5 * self->timeout);
	EXPECT_LT(4, total(self->fd, set_runs));
}

TEST_F(ring, a_timeout_goes_on_after_a_sleep)
{
	uint64_t used = 0;
	int i;

	take_longer_turns(_metadata, self);
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < 3; i++) {
		uint64_t left = set_timeout(self->fd, 0);

		EXPECT_EQ(1, total(self->fd, set_runs));
		EXPECT_GE(self->timeout - used, left);
		cpu_time_spend(self->timeout / 4);
		used += self->timeout / 4;
		sleep_ms((long)(3 * self->timeout / MS));
	}
	cpu_time_spend(self->timeout / 2);
	EXPECT_EQ(2, total(self->fd, set_runs));
}

TEST_F(ring, a_timeout_goes_on_after_a_stop_but_begins_anew_with_a_start)
{
	uint64_t left;
	int i;

	take_longer_turns(_metadata, self);
	EXPECT_EQ(self->timeout, set_timeout(self->fd, 0));
	for (i = 0; i < 6; i++) {
		/* On a running session and on a stopped one. */
		if (i >= 3)
			ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
		ASSERT_EQ(0, pfm_start_session(self->fd, 0));
		cpu_time_spend(self->timeout / 2);
		EXPECT_EQ(1, total(self->fd, set_runs));
	}
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	left = set_timeout(self->fd, 0);
	EXPECT_GE(self->timeout / 2, left);
	cpu_time_spend(self->timeout);
	EXPECT_EQ(left, set_timeout(self->fd, 0));
	EXPECT_EQ(1, total(self->fd, set_runs));
	/* Inactive sets report what was asked for. */
	EXPECT_EQ(self->timeout, set_timeout(self->fd, 1));
}

TEST_F(ring, C138_a_single_set_takes_turns_with_itself)
{
	uint64_t constant, start, expected, runs;

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, set_delete(self->fd, 1));
	ASSERT_EQ(0, set_delete(self->fd, 2));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, 2000));
	constant = set_value(self->fd, 0) - 2000;
	ASSERT_EQ(0, set_write_pmd(self->fd, 0, pmu_first()->pmd, 0));
	runs = set_runs(self->fd, 0);

	start = cpu_time();
	ASSERT_EQ(0, counted_run(self->fd, LONG_LOOP));
	expected = (cpu_time() - start) / self->timeout;
	runs = set_runs(self->fd, 0) - runs;
	EXPECT_LE(runs, expected + 1);
	EXPECT_LE(expected * 95 / 100, runs);
	EXPECT_EQ(LONG_LOOP + constant, set_value(self->fd, 0));
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Also where a switch takes longer than the timeout, as in a slow kernel. The
 * shortest of some times is the one that nothing else disturbed.
 */
TEST_F(ring, the_shortest_timeout_leaves_time_for_the_program)
{
	uint64_t alone = UINT64_MAX, together = UINT64_MAX;
	uint64_t constant, sum, start;
	int i;

	ASSERT_EQ(0, close(self->fd));
	self->fd = ring_open(timer_round(10000));
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, counted_run(self->fd, 20));
	sum = total(self->fd, set_value);
	constant = sum - 20;

	for (i = 0; i < 3; i++) {
		start = cpu_time();
		counted_loop(2000000);
		alone = min(alone, cpu_time() - start);
		start = cpu_time();
		ASSERT_EQ(0, counted_run(self->fd, 2000000));
		together = min(together, cpu_time() - start);
		sum += 2000000 + constant;
		EXPECT_EQ(sum, total(self->fd, set_value));
	}
	EXPECT_LT(1, set_runs(self->fd, 2));
	EXPECT_GE(MAX_SLOWDOWN * alone, together * 10);
}

TEST_HARNESS_MAIN
