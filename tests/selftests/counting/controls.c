// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two sessions that want different things of the same counter. Processors
 * remember what they were told last, so that most context switches tell them
 * nothing; here they have to notice that it was for somebody else, also when
 * a thread comes back to a processor that had its controls once.
 */
#include <pthread.h>
#include <sched.h>

#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define ROUNDS 100
#define LOOP 20000
#define MAX_CONSTANT 200

/* A session that counts its caller all the time, or -1. */
static int count_self(uint64_t control)
{
	int fd = pfm_create_session(0);

	if (fd < 0 || pmu_program(fd, pmu_first(), control, 0) ||
	    attach_self(fd) || pfm_start_session(fd, 0))
		return -1;
	return fd;
}

/* What is counted between two reads around a loop; ~0 on failure. */
static uint64_t __attribute__((noinline)) measured(int fd)
{
	uint64_t before, after;

	if (read_pmd(fd, pmu_first()->pmd, &before))
		return ~0ULL;
	counted_loop(LOOP);
	if (read_pmd(fd, pmu_first()->pmd, &after))
		return ~0ULL;
	return after - before;
}

/* The other thread counts both levels on the same counter, on one CPU. */
struct other {
	pthread_t thread;
	pthread_barrier_t turn; /* passed when it may run, and when it has */
	int cpu;
	int rounds;
	int failed;
	int wrong; /* rounds in which it counted no more than user level */
	uint64_t user; /* what that would be */
};

static void *count_both_levels(void *arg)
{
	struct other *other = arg;
	int fd, i;

	other->failed = pin_to_cpu(other->cpu);
	fd = count_self(pmu_first()->kernel);
	other->failed |= fd < 0;
	for (i = 0; i < other->rounds; i++) {
		pthread_barrier_wait(&other->turn);
		/* The system calls themselves are counted, once. */
		other->wrong += measured(fd) <= other->user;
		pthread_barrier_wait(&other->turn);
	}
	close(fd);
	return NULL;
}

FIXTURE(user)
{
	int fd;
	uint64_t expected;
	struct other other;
};

FIXTURE_SETUP(user)
{
	self->fd = count_self(pmu_first()->user);
	ASSERT_LE(0, self->fd);
	measured(self->fd);
	self->expected = measured(self->fd);
	ASSERT_LE(LOOP, self->expected);
	ASSERT_GT(LOOP + MAX_CONSTANT, self->expected);
	self->other.rounds = (int)repetitions(ROUNDS);
	self->other.user = self->expected;
	ASSERT_EQ(0, pthread_barrier_init(&self->other.turn, NULL, 2));
}

FIXTURE_TEARDOWN(user)
{
	close(self->fd);
}

/* Lets the other thread count, and waits until it has. */
static void let_other_run(FIXTURE_DATA(user) * self)
{
	pthread_barrier_wait(&self->other.turn);
	pthread_barrier_wait(&self->other.turn);
}

static void join_other(struct __test_metadata *_metadata,
		       FIXTURE_DATA(user) * self)
{
	pthread_join(self->other.thread, NULL);
	EXPECT_EQ(0, self->other.failed);
	EXPECT_EQ(0, self->other.wrong);
}

TEST_F_TIMEOUT(user, threads_that_take_turns_count_what_each_asked_for, 120)
{
	int i;

	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, pthread_create(&self->other.thread, NULL,
				    count_both_levels, &self->other));
	for (i = 0; i < self->other.rounds; i++) {
		EXPECT_EQ(self->expected, measured(self->fd));
		let_other_run(self);
		EXPECT_EQ(self->expected, measured(self->fd));
	}
	join_other(_metadata, self);
}

TEST_F_TIMEOUT(user, a_thread_that_returns_to_a_cpu_gets_its_own_control, 120)
{
	int i;

	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	self->other.cpu = 1;
	ASSERT_EQ(0, pthread_create(&self->other.thread, NULL,
				    count_both_levels, &self->other));
	for (i = 0; i < self->other.rounds; i++) {
		ASSERT_EQ(0, pin_to_cpu(1));
		EXPECT_EQ(self->expected, measured(self->fd));
		ASSERT_EQ(0, pin_to_cpu(0));
		EXPECT_EQ(self->expected, measured(self->fd));
		/* Meanwhile the first CPU is told something else. */
		let_other_run(self);
		ASSERT_EQ(0, pin_to_cpu(1));
		EXPECT_EQ(self->expected, measured(self->fd));
	}
	join_other(_metadata, self);
}

TEST_F_TIMEOUT(user, a_changed_control_is_noticed_on_the_next_cpu, 120)
{
	const struct pmu_counter *counter = pmu_first();
	int i;

	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	for (i = 0; i < self->other.rounds; i++) {
		/* Both CPUs have seen the one, then only this the other. */
		ASSERT_EQ(0, pin_to_cpu(1));
		EXPECT_EQ(self->expected, measured(self->fd));
		ASSERT_EQ(0, pin_to_cpu(0));
		ASSERT_EQ(0,
			  write_pmc(self->fd, counter->pmc, counter->kernel));
		EXPECT_LT(self->expected, measured(self->fd));
		ASSERT_EQ(0, pin_to_cpu(1));
		EXPECT_LT(self->expected, measured(self->fd));
		ASSERT_EQ(0, write_pmc(self->fd, counter->pmc, counter->user));
		EXPECT_EQ(self->expected, measured(self->fd));
		ASSERT_EQ(0, pin_to_cpu(0));
		EXPECT_EQ(self->expected, measured(self->fd));
	}
}

TEST_HARNESS_MAIN
