// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts that are exact to one instruction: what is counted around a loop is
 * the number of its instructions plus a constant, whatever its length, however
 * often it runs, on every counter, and with other threads and migrations in
 * between. The constant is the user part of start and stop.
 */
#include <pthread.h>
#include <sched.h>

#include "chunks.h"
#include "counter_check.h"
#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

/* The constant is small: some library code and two system calls. */
#define MAX_CONSTANT CALL_COST

#define MAX_THREADS 4

/* Lengths of loops, and how often a patient person repeats each. */
static const struct {
	unsigned long instructions;
	int times;
} loops[] = {
	{ 20, 1000 },
	{ 2000, 1000 },
	{ 2000000, 20 },
	{ 200000000, 3 },
};

static int new_session(const struct pmu_counter *counter)
{
	int fd = pfm_create_session(0);

	if (fd < 0 || pmu_count_user(fd, counter, 0) || attach_self(fd)) {
		close(fd);
		return -1;
	}
	return fd;
}

FIXTURE(self)
{
	int fd;
	uint16_t pmd;
	uint64_t constant;
};

FIXTURE_SETUP(self)
{
	NEEDS_COUNTERS();
	self->pmd = pmu_first()->pmd;
	self->fd = new_session(pmu_first());
	ASSERT_LE(0, self->fd);
	self->constant = counted_from_zero(self->fd, self->pmd, 2000) - 2000;
	ASSERT_LT(0, self->constant);
	ASSERT_GT(MAX_CONSTANT, self->constant);
}

FIXTURE_TEARDOWN(self)
{
	close(self->fd);
}

TEST_F_TIMEOUT(self, loops_of_every_length_have_the_same_constant, 120)
{
	unsigned int i;
	int j;

	for (i = 0; i < ARRAY_SIZE(loops); i++) {
		int times = (int)repetitions(loops[i].times);
		unsigned long instructions = loops[i].instructions;

		if (instructions > 10000000 && repeat_less())
			instructions /= 10;

		for (j = 0; j < times; j++) {
			ASSERT_EQ(instructions + self->constant,
				  counted_from_zero(self->fd, self->pmd,
						    instructions))
			{
				TH_LOG("repetition %d", j);
			}
		}
	}
	TH_LOG("constant %u", (unsigned int)self->constant);
}

TEST_F(self, each_counter_alone_has_the_same_constant)
{
	const struct pmu *pmu = pmu_get();
	unsigned int i, j;

	close(self->fd);
	for (i = 0; i < pmu->counters; i++) {
		uint16_t pmd = pmu->counter[i].pmd;
		int fd = new_session(&pmu->counter[i]);

		ASSERT_LE(0, fd);
		for (j = 0; j < 3; j++) {
			unsigned long n = loops[j].instructions;

			EXPECT_EQ(n + self->constant,
				  counted_from_zero(fd, pmd, n))
			{
				TH_LOG("pmd%u", pmd);
			}
		}
		close(fd);
	}
}

TEST_F(self, all_counters_together_have_the_same_constant)
{
	const struct pmu *pmu = pmu_get();
	unsigned int i, j;
	uint64_t value;

	for (i = 0; i < pmu->counters; i++)
		ASSERT_EQ(0, pmu_count_user(self->fd, &pmu->counter[i], 0));
	/* The first counter of P6 enables the others: restore its event. */
	ASSERT_EQ(0, pmu_count_user(self->fd, pmu_first(), 0));
	for (j = 0; j < 3; j++) {
		unsigned long n = loops[j].instructions;

		for (i = 0; i < pmu->counters; i++)
			ASSERT_EQ(0,
				  write_pmd(self->fd, pmu->counter[i].pmd, 0));
		ASSERT_EQ(0, counted_run(self->fd, n));
		for (i = 0; i < pmu->counters; i++) {
			uint16_t pmd = pmu->counter[i].pmd;

			ASSERT_EQ(0, read_pmd(self->fd, pmd, &value));
			EXPECT_EQ(n + self->constant, value)
			{
				TH_LOG("pmd%u", pmd);
			}
		}
	}
}

/* Nobody has to write anything for that. */
TEST_F(self, attached_again_it_goes_on_where_it_was)
{
	const unsigned long n = loops[1].instructions;
	uint64_t before = 0, value;
	int i;

	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 0));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
		ASSERT_EQ(0, attach_self(self->fd));
		ASSERT_EQ(0, counted_run(self->fd, n));
		ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
		ASSERT_EQ(n + self->constant, value - before);
		before = value;
	}
	/* What was written meanwhile is taken. */
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, -1000000000000000));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, n));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_EQ(n + self->constant - 1000000000000000, value);
}

#define READS 1000

/* Reads a running counter after loops of two lengths in turn. */
static int __attribute__((noinline))
read_often(int fd, uint16_t pmd, uint64_t values[READS])
{
	int rc = 0;
	int i;

	for (i = 0; i < READS; i++) {
		counted_loop(loops[i & 1].instructions);
		rc |= read_pmd(fd, pmd, &values[i]);
	}
	return rc;
}

TEST_F(self, two_reads_differ_by_what_ran_between_them)
{
	static uint64_t values[READS];
	uint64_t constant;
	int i;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, read_often(self->fd, self->pmd, values));
	constant = values[1] - values[0] - loops[1].instructions;
	EXPECT_GT(MAX_CONSTANT, constant);
	for (i = 1; i < READS; i++)
		ASSERT_EQ(loops[i & 1].instructions + constant,
			  values[i] - values[i - 1]);
}

/* A thread that measures loops of its own length on one processor. */
struct worker {
	pthread_t thread;
	pthread_barrier_t *barrier;
	int cpu;
	unsigned long instructions;
	int times;
	uint64_t constant;
	int wrong; /* repetitions with another count; -1: it failed */
	uint64_t seen; /* one of the other counts */
};

static void *measure(void *arg)
{
	struct worker *worker = arg;
	int failed = pin_to_cpu(worker->cpu);
	int fd = new_session(pmu_first());
	int i;

	pthread_barrier_wait(worker->barrier);
	for (i = 0; i < worker->times; i++) {
		uint64_t value = counted_from_zero(fd, pmu_first()->pmd,
						   worker->instructions);

		if (value == worker->instructions + worker->constant)
			continue;
		worker->wrong++;
		worker->seen = value;
	}
	if (failed)
		worker->wrong = -1;
	close(fd);
	return NULL;
}

/* Threads with loops of different length, on @cpus processors in turn. */
static void measure_in_threads(struct __test_metadata *_metadata, int threads,
			       int cpus, uint64_t constant)
{
	struct worker workers[MAX_THREADS] = { 0 };
	pthread_barrier_t barrier;
	int i;

	ASSERT_EQ(0, pthread_barrier_init(&barrier, NULL, threads));
	for (i = 0; i < threads; i++) {
		workers[i].barrier = &barrier;
		workers[i].cpu = i % cpus;
		/* Several ticks long, so that they are switched within. */
		workers[i].instructions = 2000000 + 1000000UL * i;
		workers[i].times = (int)repetitions(30);
		workers[i].constant = constant;
		ASSERT_EQ(0, pthread_create(&workers[i].thread, NULL, measure,
					    &workers[i]));
	}
	for (i = 0; i < threads; i++) {
		pthread_join(workers[i].thread, NULL);
		EXPECT_EQ(0, workers[i].wrong)
		{
			TH_LOG("thread %d on cpu %d: saw %llu for %lu", i,
			       workers[i].cpu, (long long)workers[i].seen,
			       workers[i].instructions);
		}
	}
}

TEST_F_TIMEOUT(self, C078_two_threads_on_one_cpu_are_exact, 120)
{
	measure_in_threads(_metadata, 2, 1, self->constant);
}

TEST_F_TIMEOUT(self, C078_four_threads_on_two_cpus_are_exact, 120)
{
	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	measure_in_threads(_metadata, 4, 2, self->constant);
}

/* What is counted while the caller moves @times to one processor in turn. */
static uint64_t counted_moves(int fd, uint16_t pmd, int times,
			      const int cpus[2])
{
	uint64_t value;
	int i;

	if (pin_to_cpu(cpus[1]) || write_pmd(fd, pmd, 0) ||
	    pfm_start_session(fd, 0))
		return ~0ULL;
	for (i = 0; i < times; i++) {
		if (pin_to_cpu(cpus[i % 2]))
			return ~0ULL;
		counted_loop(2000);
	}
	if (pfm_stop_session(fd, 0) || read_pmd(fd, pmd, &value))
		return ~0ULL;
	return value;
}

TEST_F(self, C079_a_thousand_migrations_change_nothing)
{
	static const int stay[2] = { 0, 0 };
	static const int move[2] = { 0, 1 };
	uint64_t expected;

	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	expected = counted_moves(self->fd, self->pmd, 1000, stay);
	EXPECT_LT(2000000, expected);
	EXPECT_EQ(expected, counted_moves(self->fd, self->pmd, 1000, move));
	EXPECT_EQ(expected, counted_moves(self->fd, self->pmd, 1000, move));
}

/* Moves a thread to and fro until it has done so a thousand times. */
struct mover {
	pid_t target;
	int stop;
	int failed;
};

static void *move_target(void *arg)
{
	struct mover *mover = arg;
	cpu_set_t set;
	int i;

	for (i = 0; i < 1000; i++) {
		CPU_ZERO(&set);
		CPU_SET(i % 2, &set);
		mover->failed |=
			sched_setaffinity(mover->target, sizeof(set), &set);
		/* Its next chunk of work begins where it is now. */
		sched_yield();
	}
	__atomic_store_n(&mover->stop, 1, __ATOMIC_RELEASE);
	return NULL;
}

TEST_F_TIMEOUT(self, C079_being_moved_by_another_thread_changes_nothing, 120)
{
	struct mover mover = { .target = gettid() };
	uint64_t constant, chunks, value;
	pthread_t thread;

	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	constant = chunks_constant(self->fd, self->pmd);
	ASSERT_GT(MAX_CONSTANT, constant);

	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, move_target, &mover));
	ASSERT_EQ(0, count_chunks(self->fd, &mover.stop, &chunks));
	pthread_join(thread, NULL);
	EXPECT_EQ(0, mover.failed);
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_EQ(chunks * CHUNK_INSTRUCTIONS + constant, value)
	{
		TH_LOG("%u chunks", (unsigned int)chunks);
	}
}

TEST_HARNESS_MAIN
