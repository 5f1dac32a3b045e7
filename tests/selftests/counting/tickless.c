// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs whose tick would stop: idle ones, and with nohz_full= busy ones. A
 * counter of which 32 bits are read must be looked at all the same, which the
 * test machine sees as accesses to its PMU. Nobody else has anything to do on
 * CPU 1.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "attr.h"
#include "event_set.h"
#include "loop.h"
#include "machine.h"
#include "msr.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "worker.h"

/* Instructions of a second of the machine, roughly. */
#define SECOND 125000000UL

/* Least number of looks in a second at an idle CPU, and at a busy one. */
#define IDLE_LOOKS 15
#define BUSY_LOOKS 80

/* Four times this is 2^32 and some more. */
#define QUARTER 1073741834UL

/* Instructions on CPU 1 that are not of the loops. */
#define SLACK 5000

FIXTURE(cpu1)
{
	int fd;
	int msr;
	struct worker worker;
};

FIXTURE_SETUP(cpu1)
{
	NEEDS_COUNTERS();
	self->msr = msr_open(1);
	if (cpus_online() < 2 || self->msr < 0)
		SKIP(return, "needs two processors of the test machine");
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, worker_start(&self->worker, 1));
	self->fd = pmu_cpu_session();
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, 1));
}

FIXTURE_TEARDOWN(cpu1)
{
	worker_stop(&self->worker);
	if (self->fd >= 0)
		close(self->fd);
}

static uint64_t looks(int msr)
{
	struct pmu_accesses accesses = pmu_accesses(msr);

	return accesses.rdpmc + accesses.rdmsr;
}

static void sleep_ms(long ms)
{
	struct timespec pause = { .tv_sec = ms / 1000,
				  .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&pause, NULL);
}

TEST_F_TIMEOUT(cpu1, an_idle_cpu_is_looked_at, 120)
{
	uint64_t before, after;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	before = looks(self->msr);
	sleep_ms(10000);
	after = looks(self->msr);
	EXPECT_LE(10 * IDLE_LOOKS, after - before);
	/* Which is no reason for a tick. */
	EXPECT_GE(10 * BUSY_LOOKS, after - before);

	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	sleep_ms(200);
	before = looks(self->msr);
	sleep_ms(1000);
	EXPECT_EQ(before, looks(self->msr));
}

TEST_F_TIMEOUT(cpu1, the_clock_of_an_idle_cpu_goes_on, 120)
{
	uint64_t before, after, value, error;

	if (!pmu_reg(PMU_PMD, PMD_TSC, &(struct pmu_reg){ 0 }))
		SKIP(return, "no time stamp counter");
	ASSERT_EQ(0, write_pmd(self->fd, PMD_TSC, 0));
	before = __rdtsc();
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	sleep_ms(10000);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	after = __rdtsc();
	ASSERT_EQ(0, read_pmd(self->fd, PMD_TSC, &value));
	EXPECT_LE(value, after - before);
	error = after - before - value;
	EXPECT_GT((after - before) / 1000, error);
	/* It has passed 32 bits. */
	EXPECT_LT(UINT32_MAX, value);
}

static bool asked_for_nohz_full(void)
{
	char text[1024];

	return !file_read("/proc/cmdline", text, sizeof(text)) &&
	       strstr(text, "nohz_full=1");
}

#define NEEDS_NOHZ_FULL()                                            \
	do {                                                         \
		if (!asked_for_nohz_full())                          \
			SKIP(return, "not booted with nohz_full=1"); \
	} while (0)

/* Interrupts of the local timer of CPU 1. */
static long timer_interrupts(void)
{
	FILE *file = fopen("/proc/interrupts", "re");
	char line[512];
	long count = -1;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " LOC: %*d %ld", &count) == 1)
			break;
	if (file)
		fclose(file);
	return count;
}

/* So the tests below are about something. */
TEST_F_TIMEOUT(cpu1, without_a_session_a_busy_cpu_has_no_tick, 120)
{
	long before;

	NEEDS_NOHZ_FULL();
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	/* The timers of a module run while there is any. */
	if (perfmon_is_module()) {
		close(self->fd);
		self->fd = -1;
	}
	ASSERT_EQ(0, worker_order(&self->worker, 3 * SECOND));
	sleep_ms(500);
	before = timer_interrupts();
	sleep_ms(1000);
	EXPECT_GT(before + BUSY_LOOKS / 2, timer_interrupts());
	ASSERT_EQ(0, worker_wait(&self->worker));
}

TEST_F_TIMEOUT(cpu1, a_busy_cpu_is_looked_at, 120)
{
	uint64_t before;

	NEEDS_NOHZ_FULL();
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, worker_order(&self->worker, 3 * SECOND));
	sleep_ms(500);
	before = looks(self->msr);
	sleep_ms(1000);
	EXPECT_LE(before + BUSY_LOOKS, looks(self->msr));
	ASSERT_EQ(0, worker_wait(&self->worker));
}

struct loop_on_cpu1 {
	int fd;
	int failed;
};

static void *count_own_loop(void *arg)
{
	struct loop_on_cpu1 *loop = arg;

	loop->fd = pmu_session(0);
	loop->failed = loop->fd < 0 || pin_to_cpu(1) || attach_self(loop->fd) ||
		       pfm_start_session(loop->fd, 0);
	counted_loop(3 * SECOND);
	close(loop->fd);
	return NULL;
}

TEST_F_TIMEOUT(cpu1, a_busy_thread_is_looked_at, 120)
{
	struct loop_on_cpu1 loop = { 0 };
	pthread_t thread;
	uint64_t before;

	NEEDS_NOHZ_FULL();
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, count_own_loop, &loop));
	sleep_ms(500);
	before = looks(self->msr);
	sleep_ms(1000);
	EXPECT_LE(before + BUSY_LOOKS, looks(self->msr));
	pthread_join(thread, NULL);
	EXPECT_EQ(0, loop.failed);
}

TEST_F_TIMEOUT(cpu1, a_busy_cpu_counts_past_32_bits, 600)
{
	const uint64_t expected = 4 * (uint64_t)QUARTER;
	uint64_t value;
	int i;

	NEEDS_NOHZ_FULL();
	if (kernel_is_slow())
		SKIP(return, "four billion instructions on a slow kernel");
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	/* As orders that wait for each other, so that it never sleeps. */
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, worker_order(&self->worker, QUARTER));
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, worker_wait(&self->worker));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	value = set_value(self->fd, 0);
	EXPECT_LE(expected, value);
	EXPECT_GE(expected + SLACK, value);
}

TEST_HARNESS_MAIN
