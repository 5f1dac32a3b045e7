// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starting, stopping and counting in the calling thread: conformance cases
 * C070 to C085. Cases about other threads are in lifetime.c, those about exec in
 * execve.c; counts that must be exact are in exact.c.
 */
#include <pthread.h>
#include <sched.h>

#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

/* User instructions around a loop: the rest of start, read or stop. */
#define SLACK (100 + CALL_COST)

/* Attached to the caller, with whatever register there is. */
FIXTURE(session)
{
	int fd;
};

FIXTURE_SETUP(session)
{
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN(session)
{
	close(self->fd);
}

/* The counter that these tests use, programmed and attached to the caller. */
FIXTURE(self)
{
	int fd;
	uint16_t pmc;
	uint16_t pmd;
	int width;
};

FIXTURE_SETUP(self)
{
	const struct pmu_counter *counter = pmu_first();

	NEEDS_COUNTERS();
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, attach_self(self->fd));
	self->pmc = counter->pmc;
	self->pmd = counter->pmd;
	self->width = counter->width;
}

FIXTURE_TEARDOWN(self)
{
	close(self->fd);
}

/* Presets the counter, runs @instructions with it, and returns its value. */
static uint64_t count_from(struct __test_metadata *_metadata, int fd,
			   uint16_t pmd, uint64_t preset,
			   unsigned long instructions)
{
	uint64_t value;

	ASSERT_EQ(0, write_pmd(fd, pmd, preset));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	counted_loop(instructions);
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	ASSERT_EQ(0, read_pmd(fd, pmd, &value));
	return value;
}

TEST(C070_a_detached_session_is_neither_started_nor_stopped)
{
	int fd = pfm_create_session(0);

	ASSERT_LE(0, fd);
	EXPECT_EQ(EINVAL, ERRNO(pfm_start_session(fd, 0)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_stop_session(fd, 0)));
	EXPECT_EQ(EBUSY, ERRNO(pfm_start_session(fd, PFM_STFL_RESTART)));
}

TEST_F(session, C070_nothing_is_restarted_without_a_notification)
{
	EXPECT_EQ(EBUSY, ERRNO(pfm_start_session(self->fd, PFM_STFL_RESTART)));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	EXPECT_EQ(EBUSY, ERRNO(pfm_start_session(self->fd, PFM_STFL_RESTART)));
}

TEST_F(session, C071_unknown_flags_are_refused)
{
	const int known = PFM_STFL_RESTART | PFM_STFL_AT_EXEC |
			  PFM_STFL_RUNNING;
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		int flag = (int)(1U << bit);

		if (!(flag & known)) {
			EXPECT_EQ(EINVAL,
				  ERRNO(pfm_start_session(self->fd, flag)));
			EXPECT_EQ(EINVAL,
				  ERRNO(pfm_start_session(self->fd, flag | 1)));
		}
		if (flag != PFM_STFL_RUNNING) {
			EXPECT_EQ(EINVAL,
				  ERRNO(pfm_stop_session(self->fd, flag)));
		}
	}
}

TEST_F(session, C072_start_and_stop_can_be_repeated)
{
	EXPECT_EQ(0, ERRNO(pfm_stop_session(self->fd, 0)));
	EXPECT_EQ(0, ERRNO(pfm_start_session(self->fd, 0)));
	EXPECT_EQ(0, ERRNO(pfm_start_session(self->fd, 0)));
	EXPECT_EQ(0, ERRNO(pfm_stop_session(self->fd, 0)));
	EXPECT_EQ(0, ERRNO(pfm_stop_session(self->fd, 0)));
}

TEST_F(self, C072_a_second_start_keeps_the_count)
{
	uint64_t value;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(20000);
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(20000);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_LE(40000, value);
	EXPECT_GE(40000 + SLACK, value);
}

TEST_F(self, C073_a_loop_counts_its_instructions)
{
	uint64_t value = count_from(_metadata, self->fd, self->pmd, 0, 1000000);
	uint64_t again;

	EXPECT_LE(1000000, value);
	EXPECT_GE(1000000 + SLACK, value);
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &again));
	EXPECT_EQ(value, again);
}

TEST_F(self, C073_counting_starts_with_start_not_with_attach)
{
	uint64_t value;

	counted_loop(20000);
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_EQ(0, value);
}

TEST_F(self, C074_a_stopped_session_does_not_count)
{
	uint64_t before = count_from(_metadata, self->fd, self->pmd, 0, 20000);
	uint64_t after;

	counted_loop(20000);
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &after));
	EXPECT_EQ(before, after);
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	counted_loop(20000);
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &after));
	EXPECT_EQ(before, after);
}

TEST_F(self, C074_counting_goes_on_after_a_stop)
{
	uint64_t value;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(20000);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	counted_loop(20000);
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(20000);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_LE(40000, value);
	EXPECT_GE(40000 + 2 * SLACK, value);
}

TEST_F(self, C075_a_running_counter_is_read_and_grows)
{
	uint64_t previous = 0;
	uint64_t value;
	int i;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < 100; i++) {
		counted_loop(2000);
		ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
		EXPECT_LE(previous + 2000, value);
		EXPECT_GE(previous + 2000 + SLACK, value);
		previous = value;
	}
}

TEST_F(self, C076_a_carry_leaves_the_hardware_counter)
{
	uint64_t wrap = 1ULL << self->width;
	uint64_t value =
		count_from(_metadata, self->fd, self->pmd, wrap - 1000, 10000);

	EXPECT_LE(wrap + 9000, value);
	EXPECT_GE(wrap + 9000 + SLACK, value);
}

/* Bits at which a counter of some width, or a part of one, would wrap. */
static const int boundaries[] = { 30, 31, 32, 39, 40, 47, 48, 62 };

TEST_F(self, C076_a_carry_crosses_every_boundary)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(boundaries); i++) {
		uint64_t wrap = 1ULL << boundaries[i];
		uint64_t value = count_from(_metadata, self->fd, self->pmd,
					    wrap - 1000, 10000);

		EXPECT_LE(wrap + 9000, value)
		{
			TH_LOG("bit %d", boundaries[i]);
		}
		EXPECT_GE(wrap + 9000 + SLACK, value)
		{
			TH_LOG("bit %d", boundaries[i]);
		}
	}
}

TEST_F(self, C076_a_carry_is_seen_while_the_counter_runs)
{
	uint64_t preset = (1ULL << self->width) - 10000;
	uint64_t value;
	int i;

	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, preset));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 1; i <= 20; i++) {
		counted_loop(1000);
		ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
		EXPECT_LE(preset + 1000 * i, value);
		EXPECT_GE(preset + (1000 + SLACK) * i, value);
	}
}

TEST_F(self, C077_high_bits_of_a_preset_are_kept)
{
	static const uint64_t presets[] = {
		(1ULL << 31) + 5,   (1ULL << 32) + 5, (1ULL << 40) + 5,
		(1ULL << 47) + 5,   1ULL << 62,	      1ULL << 63,
		0xfedcba9800000000,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(presets); i++) {
		uint64_t value = count_from(_metadata, self->fd, self->pmd,
					    presets[i], 2000);

		EXPECT_LE(presets[i] + 2000, value)
		{
			TH_LOG("preset 0x%llx", (long long)presets[i]);
		}
		EXPECT_GE(presets[i] + 2000 + SLACK, value)
		{
			TH_LOG("preset 0x%llx", (long long)presets[i]);
		}
	}
}

TEST_F(self, C077_a_preset_is_not_changed_by_start_and_stop)
{
	/* Attached, started and stopped with its enable bit clear. */
	const uint64_t preset = 0x123456789abcdef0;
	uint64_t value;

	ASSERT_EQ(0, write_pmc(self->fd, self->pmc, 0));
	value = count_from(_metadata, self->fd, self->pmd, preset, 2000);
	EXPECT_EQ(preset, value);
}

/* A thread that monitors itself, and what came out of it. */
struct worker {
	pthread_t thread;
	pthread_barrier_t *barrier;
	unsigned long instructions;
	uint64_t value;
	int rc;
};

static void *count_in_thread(void *arg)
{
	struct worker *worker = arg;
	int fd = pmu_session(0);
	int i;

	worker->rc = fd < 0 || attach_self(fd);
	pthread_barrier_wait(worker->barrier);
	worker->rc |= pfm_start_session(fd, 0);
	/* Gives way in between, so that the threads alternate. */
	for (i = 0; i < 10; i++) {
		counted_loop(worker->instructions / 10);
		sched_yield();
	}
	worker->rc |= pfm_stop_session(fd, 0);
	worker->rc |= read_pmd(fd, pmu_first()->pmd, &worker->value);
	pthread_barrier_wait(worker->barrier);
	close(fd);
	return NULL;
}

TEST(C078_two_threads_count_each_for_itself)
{
	pthread_barrier_t barrier;
	struct worker workers[2] = {
		{ .barrier = &barrier, .instructions = 200000 },
		{ .barrier = &barrier, .instructions = 600000 },
	};
	int i;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, pthread_barrier_init(&barrier, NULL, 2));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_create(&workers[i].thread, NULL,
					    count_in_thread, &workers[i]));
	for (i = 0; i < 2; i++)
		pthread_join(workers[i].thread, NULL);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(0, workers[i].rc);
		EXPECT_LE(workers[i].instructions, workers[i].value);
		EXPECT_GE(workers[i].instructions + 10 * SLACK,
			  workers[i].value);
	}
}

TEST_F(self, C079_a_migrating_thread_loses_no_event)
{
	const int moves = 1000;
	uint64_t value;
	int i;

	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < moves; i++) {
		ASSERT_EQ(0, pin_to_cpu(i & 1));
		counted_loop(10000);
	}
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_LE(10000ULL * moves, value);
	EXPECT_GE((10000ULL + SLACK) * moves, value);
}

TEST_F(self, C082_a_counter_that_is_not_enabled_keeps_its_value)
{
	const struct pmu *pmu = pmu_get();
	unsigned int i;

	for (i = 0; i < pmu->counters; i++) {
		const struct pmu_counter *counter = &pmu->counter[i];
		uint64_t off = counter->selector ? counter->user & ~SEL_ENABLE :
						   0;

		ASSERT_EQ(0, write_pmc(self->fd, 0, 0));
		ASSERT_EQ(0, write_pmc(self->fd, counter->pmc, off));
		EXPECT_EQ(77, count_from(_metadata, self->fd, counter->pmd, 77,
					 2000))
		{
			TH_LOG("pmd%u", counter->pmd);
		}
	}
}

TEST_F(self, C082_a_counter_without_a_level_counts_nothing)
{
	const uint64_t levels = SEL_USER | SEL_KERNEL;

	if (!pmu_first()->selector)
		SKIP(return, NO_SELECTORS);
	ASSERT_EQ(0,
		  write_pmc(self->fd, self->pmc, pmu_first()->user & ~levels));
	EXPECT_EQ(77, count_from(_metadata, self->fd, self->pmd, 77, 2000));
}

TEST_F(self, C083_counting_goes_on_from_a_value_written_meanwhile)
{
	const uint64_t presets[] = { 1000000, 5, (1ULL << 40) - 10 };
	uint64_t value;
	unsigned int i;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < ARRAY_SIZE(presets); i++) {
		counted_loop(50000);
		ASSERT_EQ(0, write_pmd(self->fd, self->pmd, presets[i]));
		counted_loop(2000);
		ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
		EXPECT_LE(presets[i] + 2000, value);
		EXPECT_GE(presets[i] + 2000 + SLACK, value);
	}
}

TEST_F(self, C083_a_control_written_meanwhile_takes_effect_at_once)
{
	uint64_t stopped, value;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(2000);
	ASSERT_EQ(0, write_pmc(self->fd, self->pmc, 0));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &stopped));
	EXPECT_LE(2000, stopped);
	counted_loop(20000);
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_EQ(stopped, value);
	ASSERT_EQ(0, write_pmc(self->fd, self->pmc, pmu_first()->user));
	counted_loop(20000);
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_LE(stopped + 20000, value);
	EXPECT_GE(stopped + 20000 + SLACK, value);
}

TEST_F(self, C083_the_kernel_level_counts_more_than_the_user_level)
{
	uint64_t user = count_from(_metadata, self->fd, self->pmd, 0, 2000);
	uint64_t both;

	ASSERT_EQ(0, write_pmc(self->fd, self->pmc, pmu_first()->kernel));
	both = count_from(_metadata, self->fd, self->pmd, 0, 2000);
	EXPECT_LT(user, both);
}

TEST_F(self, C085_without_emulation_a_counter_wraps_in_its_width)
{
	uint64_t wrap = 1ULL << self->width;
	uint64_t value, interrupt;
	struct pfarg_pmr pmr;

	if (!pmu_no_emulation(pmu_first(), &pmr, &interrupt))
		SKIP(return, NO_NO_EMULATION);
	ASSERT_EQ(0, pfm_write_pmrs(self->fd, PFM_RWFL_PMC, &pmr, 1));
	value = count_from(_metadata, self->fd, self->pmd, wrap - 1000, 10000);
	EXPECT_LE(9000, value);
	EXPECT_GE(9000 + SLACK, value);
}

TEST_F(self, C085_without_emulation_high_bits_stay_as_written)
{
	uint64_t wrap = 1ULL << self->width;
	uint64_t high = 3 * wrap;
	uint64_t value, interrupt;
	struct pfarg_pmr pmr;

	if (!pmu_no_emulation(pmu_first(), &pmr, &interrupt))
		SKIP(return, NO_NO_EMULATION);
	ASSERT_EQ(0, pfm_write_pmrs(self->fd, PFM_RWFL_PMC, &pmr, 1));
	value = count_from(_metadata, self->fd, self->pmd, high + wrap - 1000,
			   10000);
	EXPECT_LE(high + 9000, value);
	EXPECT_GE(high + 9000 + SLACK, value);
}

TEST_HARNESS_MAIN
