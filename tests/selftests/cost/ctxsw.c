// SPDX-License-Identifier: GPL-2.0-only
/*
 * What counting costs in MSR accesses. In the steady state neither a context
 * switch nor a read writes an MSR: counters that only count run on, and are
 * read at the edges. Numbers come from the test machine, hence are exact.
 */
#include "loop.h"
#include "machine.h"
#include "msr.h"
#include "pfm_test.h"
#include "pingpong.h"
#include "pmrs.h"
#include "pmu.h"

#define ROUNDS 1000
#define WARM_UP 300

/* A session of the calling thread on every counter of the processor. */
static int count_on_all_counters(void)
{
	const struct pmu *pmu = pmu_get();
	int fd = pmu_session(0);
	unsigned int i;

	if (fd < 0)
		return -1;
	/* The first one last: it enables the others on P6. */
	for (i = pmu->counters; i-- > 0;)
		if (pmu_count_user(fd, &pmu->counter[i], 0))
			return -1;
	if (attach_self(fd) || pfm_start_session(fd, 0))
		return -1;
	return fd;
}

/* A session of the calling thread on the first counter. */
static int count_on_one_counter(void)
{
	int fd = pmu_session(0);

	if (fd < 0 || attach_self(fd) || pfm_start_session(fd, 0))
		return -1;
	return fd;
}

static int partner_on_all_counters(void)
{
	return count_on_all_counters() < 0;
}

static int partner_on_one_counter(void)
{
	return count_on_one_counter() < 0;
}

FIXTURE(cpu0)
{
	int msr;
	struct pingpong pingpong;
};

FIXTURE_SETUP(cpu0)
{
	ASSERT_NE(NULL, pmu_get());
	self->msr = msr_open(0);
	if (self->msr < 0)
		SKIP(return, "this is not the test machine");
	/* Keeps the PMU reserved, so that only switches are measured. */
	ASSERT_LE(0, pfm_create_session(0));
}

FIXTURE_TEARDOWN(cpu0)
{
	if (self->pingpong.partner > 0)
		pingpong_stop(&self->pingpong);
}

/* Accesses of a steady ping-pong; the partner is ready to play. */
static struct pmu_accesses play(struct __test_metadata *_metadata,
				FIXTURE_DATA(cpu0) * self, long rounds)
{
	struct pmu_accesses accesses;

	ASSERT_EQ(0, pingpong_play(&self->pingpong, WARM_UP));
	accesses = pmu_accesses(self->msr);
	ASSERT_EQ(0, pingpong_play(&self->pingpong, rounds));
	accesses = pmu_accesses_since(self->msr, &accesses);
	TH_LOG("%ld round trips: %lu wrmsr, %lu rdmsr, %lu rdpmc", rounds,
	       (unsigned long)accesses.wrmsr, (unsigned long)accesses.rdmsr,
	       (unsigned long)accesses.rdpmc);
	return accesses;
}

TEST_F(cpu0, two_threads_with_the_same_control_switch_without_wrmsr)
{
	struct pmu_accesses accesses;

	ASSERT_EQ(0,
		  pingpong_start(&self->pingpong, 0, partner_on_one_counter));
	ASSERT_LE(0, count_on_one_counter());
	accesses = play(_metadata, self, ROUNDS);
	EXPECT_EQ(0, accesses.wrmsr);
	/* Each switch reads the counter of each side: the test measures. */
	EXPECT_LE(2 * ROUNDS, accesses.rdmsr + accesses.rdpmc);
}

TEST_F(cpu0, two_threads_on_all_counters_switch_without_wrmsr)
{
	struct pmu_accesses accesses;

	ASSERT_EQ(0,
		  pingpong_start(&self->pingpong, 0, partner_on_all_counters));
	ASSERT_LE(0, count_on_all_counters());
	accesses = play(_metadata, self, ROUNDS);
	EXPECT_EQ(0, accesses.wrmsr);
	EXPECT_LE(2 * ROUNDS * pmu_get()->counters,
		  accesses.rdmsr + accesses.rdpmc);
}

TEST_F(cpu0, a_monitored_and_an_unmonitored_thread_switch_without_wrmsr)
{
	struct pmu_accesses accesses;

	ASSERT_EQ(0, pingpong_start(&self->pingpong, 0, NULL));
	ASSERT_LE(0, count_on_all_counters());
	accesses = play(_metadata, self, ROUNDS);
	EXPECT_EQ(0, accesses.wrmsr);
	EXPECT_LE(ROUNDS, accesses.rdmsr + accesses.rdpmc);
}

TEST_F(cpu0, an_unmonitored_and_a_monitored_thread_switch_without_wrmsr)
{
	struct pmu_accesses accesses;

	ASSERT_EQ(0,
		  pingpong_start(&self->pingpong, 0, partner_on_one_counter));
	accesses = play(_metadata, self, ROUNDS);
	EXPECT_EQ(0, accesses.wrmsr);
	EXPECT_LE(ROUNDS, accesses.rdmsr + accesses.rdpmc);
}

TEST_F(cpu0, a_session_that_is_stopped_costs_no_access)
{
	struct pmu_accesses accesses;
	int fd;

	ASSERT_EQ(0, pingpong_start(&self->pingpong, 0, NULL));
	fd = count_on_all_counters();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	accesses = play(_metadata, self, ROUNDS);
	EXPECT_EQ(0, accesses.wrmsr);
	EXPECT_EQ(0, accesses.rdmsr + accesses.rdpmc);
}

TEST_F(cpu0, threads_that_nobody_monitors_cost_no_access)
{
	struct pmu_accesses accesses;

	/* A session exists, but neither of these two threads has it. */
	ASSERT_EQ(0, pingpong_start(&self->pingpong, 0, NULL));
	accesses = play(_metadata, self, ROUNDS);
	EXPECT_EQ(0, accesses.wrmsr);
	EXPECT_EQ(0, accesses.rdmsr + accesses.rdpmc);
}

TEST_F(cpu0, switching_neither_loses_nor_adds_an_instruction)
{
	const uint16_t pmd = pmu_first()->pmd;
	uint64_t values[4];
	int fd, i;

	ASSERT_EQ(0,
		  pingpong_start(&self->pingpong, 0, partner_on_one_counter));
	fd = count_on_one_counter();
	ASSERT_LE(0, fd);
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, read_pmd(fd, pmd, &values[i]));
		ASSERT_EQ(0, pingpong_play(&self->pingpong, ROUNDS));
	}
	EXPECT_LT(ROUNDS, values[1] - values[0]);
	EXPECT_EQ(values[2] - values[1], values[3] - values[2]);
}

TEST_F(cpu0, ticks_look_at_the_counters_of_a_thread_that_never_switches)
{
	struct pmu_accesses accesses;

	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_LE(0, count_on_one_counter());
	accesses = pmu_accesses(self->msr);
	/* 1.6 s on the test machine: 160 ticks with the lowest HZ. */
	counted_loop(200000000);
	accesses = pmu_accesses_since(self->msr, &accesses);
	EXPECT_EQ(0, accesses.wrmsr);
	EXPECT_LE(100, accesses.rdmsr + accesses.rdpmc);
}

TEST_F(cpu0, reading_counters_writes_no_msr)
{
	const uint16_t pmd = pmu_first()->pmd;
	struct pmu_accesses accesses;
	uint64_t value;
	int fd, i;

	ASSERT_EQ(0, pin_to_cpu(0));
	fd = count_on_all_counters();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, read_pmd(fd, pmd, &value));
	accesses = pmu_accesses(self->msr);
	for (i = 0; i < ROUNDS; i++)
		ASSERT_EQ(0, read_pmd(fd, pmd, &value));
	accesses = pmu_accesses_since(self->msr, &accesses);
	TH_LOG("%d reads: %lu wrmsr, %lu rdmsr, %lu rdpmc", ROUNDS,
	       (unsigned long)accesses.wrmsr, (unsigned long)accesses.rdmsr,
	       (unsigned long)accesses.rdpmc);
	EXPECT_EQ(0, accesses.wrmsr);
	EXPECT_LE(ROUNDS, accesses.rdmsr + accesses.rdpmc);
}

TEST_HARNESS_MAIN
