// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that the monitored thread reads without a system call: exact counts,
 * whatever happens to the thread meanwhile, and the right to do it, which comes
 * and goes. Whose counts it can read is the subject of isolation.c.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>

#include <perfmon/pfm_state.h>

#include "attr.h"
#include "child.h"
#include "event_set.h"
#include "loop.h"
#include "machine.h"
#include "may_rdpmc.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

/* User instructions of what an interrupted read does again. */
#define RETRIES 400

FIXTURE(reader)
{
	int fd;
	const struct pfm_state *state;
	unsigned int i;
};

FIXTURE_SETUP(reader)
{
	NEEDS_COUNTERS();
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	self->state = pfm_map_state(self->fd);
	ASSERT_NE(NULL, self->state);
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	if (!pfm_state_usable(self->state))
		SKIP(return, "programs cannot read counters here");
	self->i =
		(unsigned int)pfm_state_index(self->state, pmu_first()->pmd, 0);
}

FIXTURE_TEARDOWN_PARENT(reader)
{
	attr_write("rdpmc", "1");
}

/* What is counted between two reads around a loop. */
static uint64_t __attribute__((noinline))
read_around(const struct pfm_state *state, unsigned int i, unsigned long n)
{
	uint64_t before = pfm_state_read(state, i);

	counted_loop(n);
	return pfm_state_read(state, i) - before;
}

TEST_F(reader, a_loop_between_two_reads_is_exact)
{
	static const unsigned long loops[] = { 20, 2000, 200000, 2000000 };
	uint64_t constant = read_around(self->state, self->i, 20) - 20;
	unsigned int i;
	long j;

	EXPECT_LT(0, constant);
	EXPECT_GT(50, constant);
	for (i = 0; i < ARRAY_SIZE(loops); i++)
		for (j = 0; j < repetitions(100); j++) {
			uint64_t n =
				read_around(self->state, self->i, loops[i]);

			/* A switch or tick between reads costs a retry at most. */
			ASSERT_LE(loops[i] + constant, n);
			ASSERT_GE(loops[i] + constant + RETRIES, n);
		}
}

TEST_F(reader, each_counter_is_read)
{
	const struct pmu *pmu = pmu_get();
	uint64_t values[PFM_STATE_COUNTERS] = { 0 };
	unsigned int i, n;

	for (i = 0; i < pmu->counters; i++)
		ASSERT_EQ(0, pmu_count_user(self->fd, &pmu->counter[i], 0));
	ASSERT_EQ(0, pmu_count_user(self->fd, pmu_first(), 0));
	ASSERT_TRUE(pfm_state_usable(self->state));
	n = self->state->nr_counters;
	ASSERT_LE(1, n);
	for (i = 0; i < pmu->counters; i++) {
		int e = pfm_state_index(self->state, pmu->counter[i].pmd, 0);

		if (e >= 0)
			EXPECT_LE(2000, read_around(self->state,
						    (unsigned int)e, 2000));
	}
	if (n >= 2) {
		pfm_state_read_many(self->state, 2, values);
		EXPECT_LT(0, values[0] + values[1]);
	}
}

TEST_F(reader, the_page_and_the_system_call_agree)
{
	uint64_t before, called, after;
	long j;

	for (j = 0; j < repetitions(1000); j++) {
		before = pfm_state_read(self->state, self->i);
		ASSERT_EQ(0, read_pmd(self->fd, pmu_first()->pmd, &called));
		after = pfm_state_read(self->state, self->i);
		ASSERT_LT(before, called);
		ASSERT_LT(called, after);
		ASSERT_GT(before + CALL_COST + RETRIES, after);
	}
}

TEST_F(reader, migrations_and_sleeps_lose_nothing)
{
	uint64_t constant = read_around(self->state, self->i, 2000) - 2000;
	uint64_t called, first, last, sum = 0;
	long j;

	first = pfm_state_read(self->state, self->i);
	for (j = 0; j < repetitions(1000); j++) {
		uint64_t n;

		if (cpus_that_count() > 1)
			ASSERT_EQ(0, pin_to_cpu((int)(j % cpus_that_count())));
		if (j % 16 == 0)
			usleep(100);
		n = read_around(self->state, self->i, 2000);
		ASSERT_LE(2000 + constant, n);
		ASSERT_GE(2000 + constant + RETRIES, n);
		sum += n;
	}
	last = pfm_state_read(self->state, self->i);
	EXPECT_LE(sum, last - first);
	ASSERT_EQ(0, read_pmd(self->fd, pmu_first()->pmd, &called));
	EXPECT_LE(last, called);
	EXPECT_GE(last + CALL_COST, called);
}

static const struct pfm_state *handler_state;
static unsigned int handler_index;
static volatile uint64_t handler_last;
static volatile unsigned long handled, handler_wrong;

static void on_alarm(int sig)
{
	uint64_t value = pfm_state_read(handler_state, handler_index);

	(void)sig;
	handler_wrong += value < handler_last;
	handler_last = value;
	handled++;
}

TEST_F(reader, handlers_of_signals_read_too)
{
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	uint64_t value, last = 0;

	handler_state = self->state;
	handler_index = self->i;
	signal(SIGALRM, on_alarm);
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &often, NULL));
	while (handled < (unsigned long)repetitions(200)) {
		value = pfm_state_read(self->state, self->i);
		ASSERT_LT(last, value);
		last = value;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	EXPECT_EQ(0, handler_wrong);
}

TEST_F(reader, a_counter_that_interrupts_is_read_as_well)
{
	struct pfarg_pmd_attr attr = { 0 };
	uint64_t last, value;
	long j;

	NEEDS_INTERRUPTS();
	attr.reg_long_reset = -1000ULL;
	attr.reg_short_reset = -1000ULL;
	ASSERT_EQ(0, write_pmd_attr(self->fd, pmu_first()->pmd, 0,
				    0x7fffffff00000000ULL, &attr));
	self->i =
		(unsigned int)pfm_state_index(self->state, pmu_first()->pmd, 0);
	ASSERT_TRUE(pfm_state_usable(self->state));
	last = pfm_state_read(self->state, self->i);
	for (j = 0; j < 1000; j++) {
		value = read_around(self->state, self->i, 2000);
		ASSERT_LE(2000, value);
		ASSERT_GE(2000 + 50 + RETRIES, value);
	}
	EXPECT_LE(last + 2000000, pfm_state_read(self->state, self->i));
}

TEST_F(reader, without_a_mapping_rdpmc_faults)
{
	EXPECT_TRUE(can_rdpmc(0));
	ASSERT_EQ(0, pfm_unmap_state(self->state));
	EXPECT_FALSE(can_rdpmc(0));
}

TEST_F(reader, one_of_two_mappings_is_enough)
{
	const struct pfm_state *other = pfm_map_state(self->fd);

	ASSERT_NE(NULL, other);
	ASSERT_EQ(0, pfm_unmap_state(self->state));
	EXPECT_TRUE(pfm_state_usable(other));
	EXPECT_TRUE(can_rdpmc(0));
	EXPECT_LT(0, read_around(other, self->i, 20));
}

static int child_rdpmc(void *arg)
{
	(void)arg;
	return can_rdpmc(0);
}

TEST_F(reader, in_a_child_rdpmc_faults)
{
	EXPECT_EQ(0, child_wait(child_start(child_rdpmc, NULL)));
	EXPECT_TRUE(can_rdpmc(0));
}

static void *thread_rdpmc(void *arg)
{
	bool *nothing = arg;

	*nothing = rdpmc_tells_nothing(0);
	return NULL;
}

TEST_F(reader, in_another_thread_rdpmc_tells_nothing)
{
	bool nothing = false;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, thread_rdpmc, &nothing));
	pthread_join(thread, NULL);
	EXPECT_TRUE(nothing);
	EXPECT_TRUE(can_rdpmc(0));
}

/* A wrong number of a counter is the program's own mistake. */
TEST_F(reader, a_counter_that_does_not_exist_faults)
{
	EXPECT_FALSE(can_rdpmc(0x12345678));
	EXPECT_TRUE(can_rdpmc(0));
}

TEST_F(reader, the_administrator_takes_the_right_and_gives_it)
{
	uint64_t value = pfm_state_read(self->state, self->i);

	ASSERT_EQ(0, attr_write("rdpmc", "0"));
	EXPECT_FALSE(pfm_state_usable(self->state));
	EXPECT_EQ(PFM_STATE_WHY_MODE, self->state->why);
	EXPECT_LT(value, pfm_read_counter(self->fd, self->state, self->i));
	ASSERT_EQ(0, attr_write("rdpmc", "2"));
	EXPECT_TRUE(pfm_state_usable(self->state));
	EXPECT_LE(20, read_around(self->state, self->i, 20));
	ASSERT_EQ(0, attr_write("rdpmc", "1"));
	EXPECT_TRUE(pfm_state_usable(self->state));
	EXPECT_LE(20, read_around(self->state, self->i, 20));
}

static int map_and_wait(void *arg)
{
	const int *fds = arg; /* session, told, asked */
	char c = 0;

	if (!pfm_map_state(fds[0]) || write(fds[1], &c, 1) != 1)
		return 1;
	return read(fds[2], &c, 1) != 1;
}

/* Who maps the page as well could take it for usable. */
TEST_F(reader, another_process_that_maps_the_page_ends_it)
{
	int told[2], asked[2], fds[3];
	uint64_t value;
	pid_t pid;
	char c = 0;

	ASSERT_EQ(0, pipe(told));
	ASSERT_EQ(0, pipe(asked));
	fds[0] = self->fd;
	fds[1] = told[1];
	fds[2] = asked[0];
	pid = child_start(map_and_wait, fds);
	ASSERT_EQ(1, read(told[0], &c, 1));
	EXPECT_FALSE(pfm_state_usable(self->state));
	EXPECT_EQ(PFM_STATE_WHY_OTHERS, self->state->why);
	value = pfm_read_counter(self->fd, self->state, self->i);
	EXPECT_LT(value, pfm_read_counter(self->fd, self->state, self->i));
	ASSERT_EQ(1, write(asked[1], &c, 1));
	EXPECT_EQ(0, child_wait(pid));
	sched_yield();
	usleep(10000);
	EXPECT_TRUE(pfm_state_usable(self->state));
}

struct victim {
	const struct pfm_state *state;
	unsigned int i;
	int fd;
	pid_t tid;
	int stop;
	unsigned long reads;
	unsigned long wrong;
};

static void *read_until_stopped(void *arg)
{
	struct victim *v = arg;
	uint64_t last = 0, value;

	if (attach_self(v->fd) || pfm_start_session(v->fd, 0))
		return NULL;
	__atomic_store_n(&v->tid, gettid(), __ATOMIC_RELEASE);
	while (!__atomic_load_n(&v->stop, __ATOMIC_RELAXED)) {
		value = pfm_state_read(v->state, v->i);
		v->wrong += value < last;
		last = value;
		__atomic_add_fetch(&v->reads, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/*
 * At any moment, between its look at the page and its RDPMC as well.  Where the two
 * threads share no CPU the test machine does some 50 rounds in a second.
 */
TEST_F_TIMEOUT(reader, survives_that_the_right_is_taken, 180)
{
	struct victim v = { .state = self->state,
			    .i = self->i,
			    .fd = self->fd };
	pthread_t thread;
	long j;

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, read_until_stopped, &v));
	while (!__atomic_load_n(&v.tid, __ATOMIC_ACQUIRE))
		usleep(100);
	for (j = 0; j < repetitions(2000); j++) {
		switch (j % 3) {
		case 0:
			ASSERT_EQ(0, pfm_stop_session(v.fd, PFM_STFL_RUNNING));
			ASSERT_EQ(0, pfm_start_session(v.fd, PFM_STFL_RUNNING));
			break;
		case 1:
			ASSERT_EQ(0, attr_write("rdpmc", "0"));
			ASSERT_EQ(0, attr_write("rdpmc", "1"));
			break;
		case 2:
			ASSERT_EQ(0, pfm_attach_session(v.fd, PFM_ATFL_RUNNING,
							PFM_NO_TARGET));
			ASSERT_EQ(0, pfm_attach_session(v.fd, PFM_ATFL_RUNNING,
							v.tid));
			ASSERT_EQ(0, pfm_start_session(v.fd, PFM_STFL_RUNNING));
			break;
		}
	}
	__atomic_store_n(&v.stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_LT(0, v.reads);
	EXPECT_EQ(0, v.wrong);
}

/* Sets whose counters are others: the page follows, and reads stay theirs. */
TEST_F(reader, set_switches_are_followed)
{
	unsigned long seen[2] = { 0, 0 };
	uint64_t value;
	long j;

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, set_make_counting(self->fd, 0, PFM_SETFL_TIME_SWITCH,
				       timer_round(1000000)));
	ASSERT_EQ(0, set_make_counting(self->fd, 1, PFM_SETFL_TIME_SWITCH,
				       timer_round(1000000)));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (j = 0; seen[1] < 100 || seen[0] < 100; j++) {
		unsigned int set = self->state->active_set;
		int i = pfm_state_index(self->state, pmu_first()->pmd, set);

		ASSERT_GT(2, set);
		if (i < 0)
			continue; /* the set has changed since */
		value = pfm_state_read(self->state, (unsigned int)i);
		ASSERT_GT(1ULL << 40, value);
		seen[set]++;
		ASSERT_GT(1L << 30, j);
	}
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	value = set_value(self->fd, self->state->active_set);
	EXPECT_EQ(value, pfm_state_read(self->state, self->i));
}

struct pair {
	int cpu;
	unsigned long wrong;
	bool usable;
};

static void *read_own(void *arg)
{
	struct pair *p = arg;
	const struct pfm_state *state;
	int i, fd = pmu_session(0);
	uint64_t constant;
	long j;

	state = pfm_map_state(fd);
	if (!state || pin_to_cpu(p->cpu) || attach_self(fd) ||
	    pfm_start_session(fd, 0))
		return NULL;
	p->usable = pfm_state_usable(state);
	i = pfm_state_index(state, pmu_first()->pmd, 0);
	constant = read_around(state, (unsigned int)i, 20) - 20;
	for (j = 0; j < repetitions(500); j++) {
		uint64_t n = read_around(state, (unsigned int)i, 20000);

		p->wrong += n < 20000 + constant ||
			    n > 20000 + constant + RETRIES;
		if (j % 8 == 0)
			sched_yield();
	}
	close(fd);
	return NULL;
}

/* On one processor and on two. */
TEST_F(reader, two_threads_have_a_page_each)
{
	int last = cpus_that_count() - 1;
	pthread_t threads[2];
	int run, i;

	for (run = 0; run < 2; run++) {
		struct pair p[2] = { { .cpu = 0 }, { .cpu = run ? last : 0 } };

		for (i = 0; i < 2; i++)
			ASSERT_EQ(0, pthread_create(&threads[i], NULL, read_own,
						    &p[i]));
		for (i = 0; i < 2; i++) {
			pthread_join(threads[i], NULL);
			EXPECT_TRUE(p[i].usable);
			EXPECT_EQ(0, p[i].wrong);
		}
	}
}

TEST_HARNESS_MAIN
