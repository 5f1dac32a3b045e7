// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processors go and come back while sessions count: no event is lost or added,
 * and a processor that comes back belongs to whoever has the PMU by then.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "attr.h"
#include "child.h"
#include "chunks.h"
#include "family.h"
#include "loop.h"
#include "machine.h"
#include "perf.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define CYCLES 25
#define MAX_CPUS 8
#define MAX_CONSTANT 200
#define MEMBERS 8
#define FAMILY_CYCLES 4
#define MAX_FAMILY_CONSTANT 200000

/* The machine is whole again after each test, also if it was killed. */
FIXTURE(cpus)
{
	int nr;
	int fd;
	uint16_t pmd;
	uint64_t constant;
};

FIXTURE_SETUP(cpus)
{
	self->nr = cpus_online();
	if (self->nr < 2)
		SKIP(return, "needs two processors");
	self->pmd = pmu_first()->pmd;
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, attach_self(self->fd));
	self->constant = chunks_constant(self->fd, self->pmd);
	ASSERT_GT(MAX_CONSTANT, self->constant);
}

FIXTURE_TEARDOWN_PARENT(cpus)
{
	int cpu;

	for (cpu = 1; cpu < MAX_CPUS; cpu++)
		cpu_set_online(cpu, true);
}

/* A thread that counts itself until it is told to stop. */
struct worker {
	pthread_t thread;
	pid_t tid;
	int cpu; /* where it has to stay; -1: anywhere */
	const volatile int *stop;
	uint64_t chunks, value;
	int failed;
};

static void *count_until_stopped(void *arg)
{
	struct worker *worker = arg;
	int fd = pmu_session(0);

	__atomic_store_n(&worker->tid, gettid(), __ATOMIC_RELEASE);
	worker->failed = (worker->cpu >= 0 && pin_to_cpu(worker->cpu)) ||
			 fd < 0 || attach_self(fd) ||
			 count_chunks(fd, worker->stop, &worker->chunks) ||
			 read_pmd(fd, pmu_first()->pmd, &worker->value);
	close(fd);
	return NULL;
}

static void start_workers(struct __test_metadata *_metadata,
			  struct worker *workers, int n, int cpu,
			  const volatile int *stop)
{
	int i;

	for (i = 0; i < n; i++) {
		workers[i] = (struct worker){ .cpu = cpu, .stop = stop };
		ASSERT_EQ(0, pthread_create(&workers[i].thread, NULL,
					    count_until_stopped, &workers[i]));
		while (!__atomic_load_n(&workers[i].tid, __ATOMIC_ACQUIRE))
			sched_yield();
	}
}

static void expect_exact(struct __test_metadata *_metadata,
			 struct worker *workers, int n, uint64_t constant)
{
	int i;

	for (i = 0; i < n; i++) {
		pthread_join(workers[i].thread, NULL);
		EXPECT_EQ(0, workers[i].failed);
		EXPECT_EQ(workers[i].chunks * CHUNK_INSTRUCTIONS + constant,
			  workers[i].value)
		{
			TH_LOG("thread %d, %u chunks", i,
			       (unsigned int)workers[i].chunks);
		}
	}
}

/* Sends a thread to one processor, if that is there. */
static void send_to(const struct worker *worker, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(worker->tid, sizeof(set), &set);
}

TEST_F_TIMEOUT(cpus, a_hundred_cycles_under_moving_threads_lose_no_event, 300)
{
	struct worker workers[2 * MAX_CPUS];
	long cycles = repetitions(CYCLES);
	int n = 2 * self->nr, stop = 0, cycle, i;

	/* This thread changes the machine; the others must not wait for it. */
	ASSERT_EQ(0, pin_to_cpu(0));
	start_workers(_metadata, workers, n, -1, &stop);
	for (cycle = 0; cycle < cycles; cycle++) {
		int cpu = 1 + cycle % (self->nr - 1);

		for (i = 0; i < n; i++)
			send_to(&workers[i], (cycle + i) % self->nr);
		sched_yield();
		EXPECT_EQ(0, cpu_set_online(cpu, false));
		for (i = 0; i < n; i++)
			send_to(&workers[i], (cycle + i) / 2 % self->nr);
		sched_yield();
		EXPECT_EQ(0, cpu_set_online(cpu, true));
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	expect_exact(_metadata, workers, n, self->constant);
}

TEST_F_TIMEOUT(cpus, threads_bound_to_a_cpu_that_goes_count_elsewhere, 300)
{
	struct worker workers[2];
	int stop = 0, cycle;

	ASSERT_EQ(0, pin_to_cpu(0));
	start_workers(_metadata, workers, 2, self->nr - 1, &stop);
	for (cycle = 0; cycle < 5; cycle++) {
		EXPECT_EQ(0, cpu_set_online(self->nr - 1, false));
		counted_loop(2000000);
		EXPECT_EQ(0, cpu_set_online(self->nr - 1, true));
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	expect_exact(_metadata, workers, 2, self->constant);
}

/* What an event selector of a CPU holds; only if there are such. */
static uint64_t selector(int cpu, const struct pmu_counter *counter)
{
	uint64_t value = ~0ULL;
	struct pmu_reg reg;
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !pmu_reg(PMU_PMC, counter->pmc, &reg) ||
	    pread(fd, &value, sizeof(value), (off_t)reg.addr) !=
		    (ssize_t)sizeof(value))
		value = ~0ULL;
	close(fd);
	return value;
}

/* Counts exactly on a processor with every counter. */
static void expect_counts_on(struct __test_metadata *_metadata,
			     FIXTURE_DATA(cpus) * self, int cpu)
{
	ASSERT_EQ(0, pin_to_cpu(cpu));
	EXPECT_EQ(self->constant, chunks_constant(self->fd, self->pmd))
	{
		TH_LOG("cpu %d", cpu);
	}
	if (pmu_first()->selector)
		EXPECT_EQ(pmu_first()->user, selector(cpu, pmu_first()));
	ASSERT_EQ(0, pin_to_cpu(0));
}

TEST_F_TIMEOUT(cpus, a_cpu_that_comes_back_is_ours_and_counts, 300)
{
	int cpu;

	for (cpu = 1; cpu < self->nr; cpu++) {
		/* It has our controls when it goes and none when it comes. */
		expect_counts_on(_metadata, self, cpu);
		ASSERT_EQ(0, cpu_set_online(cpu, false));
		ASSERT_EQ(0, cpu_set_online(cpu, true));
		if (pmu_first()->selector)
			EXPECT_EQ(0, selector(cpu, pmu_first()) & SEL_ENABLE);
		expect_counts_on(_metadata, self, cpu);
	}
}

TEST_F_TIMEOUT(cpus, a_pmu_taken_while_a_cpu_is_away_is_ours_when_it_comes, 300)
{
	int cpu = self->nr - 1;

	close(self->fd);
	ASSERT_STREQ("", perf_trouble());
	ASSERT_EQ(0, cpu_set_online(cpu, false));
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, cpu_set_online(cpu, true));
	expect_counts_on(_metadata, self, cpu);
}

TEST_F_TIMEOUT(cpus, a_pmu_given_back_while_a_cpu_is_away_is_perfs_later, 300)
{
	int cpu = self->nr - 1;

	expect_counts_on(_metadata, self, cpu);
	ASSERT_EQ(0, cpu_set_online(cpu, false));
	close(self->fd);
	ASSERT_EQ(0, cpu_set_online(cpu, true));
	ASSERT_EQ(0, pin_to_cpu(cpu));
	EXPECT_STREQ("", perf_trouble());
}

/* Processes that work until they are told to stop. */
struct work {
	int fd;
	int stop;
	uint64_t chunks[MEMBERS];
};

/* The session of its parent counts it and those that it makes. */
static int lead_family(void *arg)
{
	struct work *work = arg;
	int i, failed = 0;

	if (attach_self(work->fd) || pfm_start_session(work->fd, 0))
		return 1;
	for (i = 0; i < MEMBERS; i++) {
		pid_t pid = fork();

		if (!pid) {
			work->chunks[i] = chunked_loop(&work->stop);
			_exit(0);
		}
		failed |= pid < 0;
	}
	for (i = 0; i < MEMBERS; i++)
		failed |= waitpid(-1, NULL, 0) < 0;
	return failed;
}

/*
 * What a family counts besides the work of its members, who work until some CPUs have
 * gone and come, however long that takes; or, without @go, for some milliseconds.
 */
static uint64_t family_constant(struct __test_metadata *_metadata, int nr,
				bool go)
{
	struct work *work = mmap(NULL, sizeof(*work), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = family_session(0), cycle, i;
	uint64_t value;
	pid_t pid;

	if (work == MAP_FAILED)
		return ~0ULL;
	work->fd = fd;
	pid = child_start(lead_family, work);
	for (cycle = 0; cycle < FAMILY_CYCLES; cycle++) {
		int cpu = 1 + cycle % (nr - 1);

		if (!go) {
			usleep(1000);
			continue;
		}
		EXPECT_EQ(0, cpu_set_online(cpu, false));
		EXPECT_EQ(0, cpu_set_online(cpu, true));
	}
	__atomic_store_n(&work->stop, 1, __ATOMIC_RELEASE);
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_EQ(0, family_loss(fd, PFM_LOSS_LOST));
	EXPECT_EQ(MEMBERS, family_loss(fd, PFM_LOSS_PARTS));
	value = family_value(fd);
	for (i = 0; i < MEMBERS; i++) {
		EXPECT_LT(0, work->chunks[i]);
		value -= work->chunks[i] * CHUNK_INSTRUCTIONS;
	}
	close(fd);
	munmap(work, sizeof(*work));
	return value;
}

TEST_F_TIMEOUT(cpus, a_family_on_cpus_that_go_loses_no_event, 300)
{
	uint64_t quiet;

	quiet = family_constant(_metadata, self->nr, false);
	EXPECT_GT(MAX_FAMILY_CONSTANT, quiet);
	EXPECT_EQ(quiet, family_constant(_metadata, self->nr, true));
}

static int spin_child(void *arg)
{
	return child_start(child_spin, arg) > 0 ? child_spin(arg) : 1;
}

/* Until the family has counted more; false if it takes a second. */
static bool family_counts(int fd)
{
	uint64_t first = family_value(fd);
	int i;

	for (i = 0; i < 1000 && family_value(fd) == first; i++)
		usleep(1000);
	return family_value(fd) > first;
}

static bool family_stands_still(int fd)
{
	uint64_t first = family_value(fd);

	usleep(20000);
	return family_value(fd) == first;
}

/* One interrupt a CPU tells them, and this one is not there to get it. */
TEST_F_TIMEOUT(cpus, a_family_starts_and_stops_while_a_cpu_is_away, 300)
{
	int cpu = self->nr - 1, fd, cycle;
	pid_t pid;

	fd = family_session(0);
	pid = child_start_stopped(spin_child, NULL);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, pid));
	ASSERT_EQ(0, child_continue(pid));
	for (cycle = 0; cycle < 5; cycle++) {
		EXPECT_EQ(0, cpu_set_online(cpu, false));
		EXPECT_EQ(0, pfm_start_session(fd, PFM_STFL_RUNNING));
		EXPECT_TRUE(family_counts(fd));
		EXPECT_EQ(0, cpu_set_online(cpu, true));
		EXPECT_TRUE(family_counts(fd));
		EXPECT_EQ(0, cpu_set_online(cpu, false));
		EXPECT_EQ(0, pfm_stop_session(fd, PFM_STFL_RUNNING));
		EXPECT_TRUE(family_stands_still(fd));
		EXPECT_EQ(0, cpu_set_online(cpu, true));
		EXPECT_TRUE(family_stands_still(fd));
	}
	EXPECT_EQ(1, family_loss(fd, PFM_LOSS_PARTS));
	close(fd);
	child_kill(pid);
}

TEST_HARNESS_MAIN
