// SPDX-License-Identifier: GPL-2.0-only
/*
 * The attack that a program which may execute RDPMC would make: it reads every
 * counter of the machine before and after another program has run, and subtracts.
 * It must find its own counts, and no others.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <perfmon/pfm_state.h>

#include "attr.h"
#include "child.h"
#include "loop.h"
#include "machine.h"
#include "may_rdpmc.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

/* What the other program executes in a turn, and what counts as found. */
#define TURN 4000000UL
#define FOUND (TURN / 4)

/* Numbers for RDPMC: programmable counters, and fixed ones. */
#define PROGRAMMABLE 18
#define FIXED 4
#define NUMBERS (PROGRAMMABLE + FIXED)
#define FIRST_FIXED 0x40000000U

static uint64_t rdpmc(uint32_t number)
{
	uint32_t low, high;

	asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
	return (uint64_t)high << 32 | low;
}

static uint32_t number(unsigned int n)
{
	return n < PROGRAMMABLE ? n : FIRST_FIXED + n - PROGRAMMABLE;
}

/* Marks the numbers that this machine has counters for. */
static void find_counters(bool exists[NUMBERS])
{
	unsigned int n;

	for (n = 0; n < NUMBERS; n++)
		exists[n] = can_rdpmc(number(n));
}

static void read_all(const bool exists[NUMBERS], uint64_t values[NUMBERS])
{
	unsigned int n;

	for (n = 0; n < NUMBERS; n++)
		values[n] = exists[n] ? rdpmc(number(n)) : 0;
}

/* The other program: counts on all counters, and runs when it is told to. */
struct other {
	pid_t pid;
	int cpu;
	int order[2];
	int done[2];
	bool spins; /* all the time, elsewhere */
	bool reads; /* maps its own state page */
	bool only_clock; /* counts with no counter */
};

static int other_session(const struct other *other)
{
	const struct pmu *pmu = pmu_get();
	unsigned int i;
	int fd = pfm_create_session(0);

	if (other->reads && !pfm_map_state(fd))
		return -1;
	if (other->only_clock)
		return write_pmd(fd, PMD_TSC, 0) || attach_self(fd) ||
				       pfm_start_session(fd, 0) ?
			       -1 :
			       fd;
	for (i = 0; i < pmu->counters; i++)
		if (pmu_program(fd, &pmu->counter[i], pmu->counter[i].kernel,
				0))
			return -1;
	/* The first counter of P6 enables the others: restore its event. */
	if (pmu_program(fd, pmu_first(), pmu_first()->kernel, 0) ||
	    attach_self(fd) || pfm_start_session(fd, 0))
		return -1;
	return fd;
}

static int other_main(void *arg)
{
	const struct other *other = arg;
	char c = 0;
	int fd;

	if (pin_to_cpu(other->cpu))
		return 1;
	fd = other_session(other);
	if (fd < 0 || write(other->done[1], &c, 1) != 1)
		return 1;
	while (other->spins || read(other->order[0], &c, 1) == 1) {
		counted_loop(TURN);
		if (!other->spins && write(other->done[1], &c, 1) != 1)
			return 1;
	}
	return 0;
}

static bool other_start(struct other *other, int cpu, bool spins)
{
	char c;

	other->cpu = cpu;
	other->spins = spins;
	if (pipe(other->order) || pipe(other->done))
		return false;
	other->pid = child_start(other_main, other);
	return other->pid > 0 && read(other->done[0], &c, 1) == 1;
}

/* Lets it run, while the caller sleeps. */
static bool other_turn(const struct other *other)
{
	char c = 0;

	return write(other->order[1], &c, 1) == 1 &&
	       read(other->done[0], &c, 1) == 1;
}

FIXTURE(attacker)
{
	int fd;
	const struct pfm_state *state;
	struct other other;
	bool exists[NUMBERS];
	uint64_t before[NUMBERS], after[NUMBERS];
};

static int attacker_session(const struct pmu_counter *counter)
{
	int fd = pfm_create_session(0);

	if (pmu_count_user(fd, counter, 0) ||
	    (counter != pmu_first() && pmu_first()->pmc != counter->pmc &&
	     pmu_get()->counters == 2 && pmu_count_user(fd, pmu_first(), 0)))
		return -1;
	return fd;
}

FIXTURE_SETUP(attacker)
{
	NEEDS_COUNTERS();
	ASSERT_EQ(0, pin_to_cpu(0));
	self->fd = attacker_session(pmu_first());
	ASSERT_LE(0, self->fd);
	self->state = pfm_map_state(self->fd);
	ASSERT_NE(NULL, self->state);
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	if (!pfm_state_usable(self->state))
		SKIP(return, "programs cannot read counters here");
	find_counters(self->exists);
}

FIXTURE_TEARDOWN_PARENT(attacker)
{
	attr_write("rdpmc", "1");
}

static bool is_own(const struct pfm_state *state, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < state->nr_counters; i++)
		if ((state->counter[i].map & ~(1U << 31)) == number(n))
			return true;
	return false;
}

/* How many counters differ by more than the attacker can have counted. */
static unsigned int changes(const uint64_t before[NUMBERS],
			    const uint64_t after[NUMBERS])
{
	unsigned int n, found = 0;

	for (n = 0; n < NUMBERS; n++)
		found += after[n] - before[n] > FOUND &&
			 before[n] - after[n] > FOUND;
	return found;
}

/* How many counters of others are not zero. */
static unsigned int left_over(const struct pfm_state *state,
			      const uint64_t values[NUMBERS])
{
	unsigned int n, found = 0;

	for (n = 0; n < NUMBERS; n++)
		found += values[n] && !is_own(state, n);
	return found;
}

/* How many of its own say more than it has executed. */
static unsigned int too_large(const struct pfm_state *state,
			      const uint64_t values[NUMBERS])
{
	unsigned int n, found = 0;

	for (n = 0; n < NUMBERS; n++)
		found += is_own(state, n) && values[n] > FOUND;
	return found;
}

static void expect_nothing_of_turns(struct __test_metadata *_metadata,
				    FIXTURE_DATA(attacker) * self)
{
	long turn;

	ASSERT_TRUE(other_start(&self->other, 0, false));
	for (turn = 0; turn < repetitions(20); turn++) {
		read_all(self->exists, self->before);
		ASSERT_TRUE(other_turn(&self->other));
		read_all(self->exists, self->after);
		ASSERT_EQ(0, left_over(self->state, self->before));
		ASSERT_EQ(0, left_over(self->state, self->after));
		ASSERT_EQ(0, too_large(self->state, self->after));
		ASSERT_EQ(0, changes(self->before, self->after));
	}
}

TEST_F(attacker, finds_nothing_of_who_takes_turns_with_it)
{
	expect_nothing_of_turns(_metadata, self);
}

/* Else the test above would prove nothing. */
TEST_F(attacker, finds_all_of_it_where_the_administrator_trusts_it)
{
	ASSERT_EQ(0, attr_write("rdpmc", "2"));
	ASSERT_TRUE(other_start(&self->other, 0, false));
	ASSERT_TRUE(other_turn(&self->other));
	read_all(self->exists, self->before);
	ASSERT_TRUE(other_turn(&self->other));
	read_all(self->exists, self->after);
	EXPECT_LT(0, changes(self->before, self->after));
	EXPECT_LT(0, too_large(self->state, self->after));
	/* And nothing of it is left when he does not any more. */
	ASSERT_EQ(0, attr_write("rdpmc", "1"));
	read_all(self->exists, self->after);
	EXPECT_EQ(0, left_over(self->state, self->after));
	EXPECT_EQ(0, too_large(self->state, self->after));
}

TEST_F(attacker, finds_nothing_on_the_processor_of_who_runs_elsewhere)
{
	int last = cpus_that_count() - 1;
	long turn;

	if (last < 1)
		SKIP(return, "needs two processors");
	ASSERT_TRUE(other_start(&self->other, last, true));
	for (turn = 0; turn < repetitions(20); turn++) {
		ASSERT_EQ(0, pin_to_cpu(turn & 1 ? last : 0));
		read_all(self->exists, self->before);
		sched_yield();
		usleep(2000);
		read_all(self->exists, self->after);
		ASSERT_EQ(0, left_over(self->state, self->before));
		ASSERT_EQ(0, left_over(self->state, self->after));
		ASSERT_EQ(0, too_large(self->state, self->before));
		ASSERT_EQ(0, changes(self->before, self->after));
	}
}

/* Who maps late, after the other has counted for long, finds nothing either. */
TEST_F(attacker, finds_nothing_of_the_time_before_its_mapping)
{
	ASSERT_EQ(0, pfm_unmap_state(self->state));
	ASSERT_TRUE(other_start(&self->other, 0, false));
	ASSERT_TRUE(other_turn(&self->other));
	self->state = pfm_map_state(self->fd);
	ASSERT_NE(NULL, self->state);
	ASSERT_TRUE(pfm_state_usable(self->state));
	read_all(self->exists, self->after);
	EXPECT_EQ(0, left_over(self->state, self->after));
	EXPECT_EQ(0, too_large(self->state, self->after));
}

/*
 * With a module the right stays while the page says that it must not be used; else the
 * kernel skips the RDPMC of who had it.
 */
TEST_F(attacker, finds_nothing_while_its_page_is_not_usable)
{
	ASSERT_EQ(0, attr_write("rdpmc", "0"));
	ASSERT_FALSE(pfm_state_usable(self->state));
	expect_nothing_of_turns(_metadata, self);
}

/* Another thread of the attacker, on a CPU of its own: waits until it may read. */
struct waiter {
	const bool *exists;
	int cpu;
	int runs;
	int stop;
	bool could;
	uint64_t values[NUMBERS];
};

static void *wait_for_right(void *arg)
{
	struct waiter *waiter = arg;

	if (pin_to_cpu(waiter->cpu))
		return NULL;
	__atomic_store_n(&waiter->runs, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&waiter->stop, __ATOMIC_ACQUIRE)) {
		waiter->could = can_rdpmc(0);
		if (!waiter->could)
			continue;
		read_all(waiter->exists, waiter->values);
		break;
	}
	return NULL;
}

TEST_F(attacker, finds_nothing_in_a_thread_that_gets_the_right_as_it_runs)
{
	struct waiter waiter = { .exists = self->exists,
				 .cpu = cpus_that_count() - 1 };
	pthread_t thread;
	unsigned int n;

	if (waiter.cpu < 1)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, pfm_unmap_state(self->state));
	ASSERT_TRUE(other_start(&self->other, waiter.cpu, false));
	ASSERT_TRUE(other_turn(&self->other));
	ASSERT_EQ(0, pthread_create(&thread, NULL, wait_for_right, &waiter));
	while (!__atomic_load_n(&waiter.runs, __ATOMIC_ACQUIRE))
		usleep(100);
	self->state = pfm_map_state(self->fd);
	usleep(10000);
	__atomic_store_n(&waiter.stop, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	ASSERT_NE(NULL, self->state);
	EXPECT_EQ(perfmon_is_module(), waiter.could);
	for (n = 0; n < NUMBERS; n++)
		EXPECT_EQ(0, waiter.values[n]);
}

/* Who has no page counts as if nobody had. */
static void count_beside(struct __test_metadata *_metadata, struct other *other)
{
	uint64_t value, last = 0;
	int fd, i;

	fd = pmu_session(0);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_TRUE(other_start(other, 0, false));
	for (i = 0; i < 10; i++) {
		counted_loop(100000);
		ASSERT_TRUE(other_turn(other));
		ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
		EXPECT_LE(last + 100000, value);
		EXPECT_GE(last + 100000 + 10 * CALL_COST, value);
		last = value;
	}
	close(fd);
}

TEST_F(attacker, does_not_disturb_who_it_attacks)
{
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	self->other.reads = true;
	count_beside(_metadata, &self->other);
}

/* It has no control of its own that would be written. */
TEST_F(attacker, without_a_counter_does_not_disturb_either)
{
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	self->other.reads = true;
	self->other.only_clock = true;
	count_beside(_metadata, &self->other);
}

TEST_HARNESS_MAIN
