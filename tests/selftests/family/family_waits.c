// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling by a family with PFM_FL_NOTIFY_BLOCK: a member that finds no room in the
 * buffer of its CPU waits for it, so that nothing is lost while somebody reads.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "array_size.h"
#include "child.h"
#include "family_buffers.h"
#include "family_fixture.h"
#include "machine.h"
#include "overflow_period.h"

/* Divides no loop, so that members have something left over. */
#define PERIOD 10007

/* Longer than any member. */
#define NEVER 1000000007

/* Entries of a half: it is full again and again. */
#define SCANTY 20

static const char *const many[FAMILY_WORDS] = { "threads", "4", "4000000" };
static const char *const one[FAMILY_WORDS] = { "loop", "4000000" };

static bool waiting_open(struct samples *s)
{
	return samples_open(s, PFM_FL_NOTIFY_BLOCK, SCANTY, PERIOD);
}

/* The same for members on one CPU: who is moved while it waits may find room elsewhere. */
static bool waiting_open_pinned(struct samples *s)
{
	return !pin_to_cpu(0) && waiting_open(s);
}

/* Returns when the members have counted nothing for 50 ms. */
static void until_nothing_is_counted(const struct samples *s)
{
	uint64_t before;

	do {
		before = family_value(s->fd);
		usleep(50000);
	} while (before != family_value(s->fd));
}

/*
 * Returns when all members that live wait.  That nothing is counted is not enough: a
 * fork takes longer than that on a slow kernel.
 */
static void until_all_wait(const struct samples *s)
{
	do {
		until_nothing_is_counted(s);
	} while (!samples_have_no_room(s));
}

static uint64_t value_of(int fd, uint16_t pmd)
{
	struct pfarg_pmr pmr = { .reg_num = pmd };

	must(pfm_read_pmrs(fd,
			   PFM_RWFL_PMD | PFM_RWFL_FAMILY | PFM_RWFL_RUNNING,
			   &pmr, 1),
	     "value of a family");
	return pmr.reg_value;
}

/*
 * Lets a second counter count the kernel as well, so that who only looks for room is
 * seen if it counts.  A processor with one counter counts nothing then.
 */
static bool kernel_counted(int fd)
{
	const struct pmu *pmu = pmu_get();

	if (pmu->counters < 2)
		return true;
	/* On a P6 the second is switched on by the selector of the first. */
	return !pmu_program(fd, &pmu->counter[1], pmu->counter[1].kernel, 0) &&
	       !period_program(fd, pmu_first(), PFM_REGFL_OVFL_NOTIFY, PERIOD,
			       NULL);
}

/*
 * All members wait, for room in the same buffer.  Have they counted anything when each has
 * looked for it?  On a slow kernel some may still have been on their way into the wait.
 */
static bool looks_and_counts(int fd)
{
	const struct pmu *pmu = pmu_get();
	uint16_t pmd = pmu->counters < 2 ? pmu_first()->pmd :
					   pmu->counter[1].pmd;
	int i, rounds = kernel_is_slow() ? 20 : 1;
	uint64_t value;

	do {
		value = value_of(fd, pmd);
		for (i = 0; i < 5; i++) {
			period_restart(fd);
			usleep(20000);
		}
	} while (value_of(fd, pmd) != value && --rounds);
	return !value || !rounds;
}

static const struct {
	const char *name;
	const char *words[FAMILY_WORDS];
} crowds[] = {
	{ "one process", { "loop", "4000000" } },
	{ "threads", { "threads", "7", "800000" } },
	{ "children", { "forks", "5", "800000" } },
	{ "a tree of processes", { "tree", "2", "3", "400000" } },
	{ "programs of children", { "vexec", "4", "800000" } },
};

TEST(nothing_is_lost_while_somebody_reads)
{
	struct samples s;
	uint64_t counted;
	size_t i;

	NEEDS_INTERRUPTS();
	for (i = 0; i < ARRAY_SIZE(crowds); i++) {
		counted = family_counted(crowds[i].words);
		ASSERT_TRUE(waiting_open(&s));
		family_start_attached(s.fd, crowds[i].words);
		ASSERT_EQ(0, samples_until_end(&s, true));
		samples_take_all(&s);
		EXPECT_LT(2 * SCANTY * s.cpus, s.seen);
		EXPECT_EQ(counted,
			  s.seen * PERIOD + family_left_over(s.fd, PERIOD))
		{
			TH_LOG("%s: %llu samples", crowds[i].name,
			       (unsigned long long)s.seen);
		}
		EXPECT_GT(family_members(s.fd) * PERIOD,
			  family_left_over(s.fd, PERIOD));
		EXPECT_EQ(0, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
		EXPECT_EQ(0, family_loss(s.fd, PFM_LOSS_BLIND_NS));
		samples_close(&s);
	}
}

TEST(nothing_is_lost_however_long_nobody_reads)
{
	struct samples s;
	uint64_t counted;
	int i;

	NEEDS_INTERRUPTS();
	counted = family_counted(many);
	ASSERT_TRUE(waiting_open_pinned(&s));
	ASSERT_TRUE(kernel_counted(s.fd));
	family_start_attached(s.fd, many);
	for (i = 0; i < 3; i++) {
		/* Longer than signals would wait. */
		until_all_wait(&s);
		sleep(i == 1 ? 2 : 0);
		EXPECT_FALSE(looks_and_counts(s.fd));
		samples_take_full(&s);
	}
	ASSERT_EQ(0, samples_until_end(&s, true));
	samples_take_all(&s);
	EXPECT_EQ(counted, s.seen * PERIOD + family_left_over(s.fd, PERIOD));
	EXPECT_EQ(0, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
	samples_close(&s);
}

TEST(counters_that_overflow_together_lose_nothing)
{
	const struct pmu *pmu = pmu_get();
	const struct pmu_counter *second;
	uint16_t pmds[2] = { pmu_first()->pmd };
	struct samples s;
	uint64_t counted;
	size_t i;

	NEEDS_INTERRUPTS();
	if (pmu->counters < 2)
		SKIP(return, "one counter");
	second = &pmu->counter[1];
	pmds[1] = second->pmd;
	counted = family_counted(many);
	ASSERT_TRUE(waiting_open(&s));
	ASSERT_EQ(0, period_program(s.fd, second, PFM_REGFL_OVFL_NOTIFY, PERIOD,
				    NULL));
	/* On a P6 the second is switched on by the selector of the first. */
	ASSERT_EQ(0, period_program(s.fd, pmu_first(), PFM_REGFL_OVFL_NOTIFY,
				    PERIOD, NULL));
	family_start_attached(s.fd, many);
	ASSERT_EQ(0, samples_until_end(&s, true));
	samples_take_all(&s);
	for (i = 0; i < ARRAY_SIZE(pmds); i++)
		EXPECT_EQ(counted, s.seen_of[pmds[i]] * PERIOD + PERIOD +
					   value_of(s.fd, pmds[i]));
	EXPECT_EQ(0, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
	samples_close(&s);
}

TEST(who_waits_while_the_family_is_stopped_waits_on)
{
	/* Parts, and the target itself. */
	static const char *const *const who[] = { many, one };
	struct samples s;
	size_t i;

	NEEDS_INTERRUPTS();
	for (i = 0; i < ARRAY_SIZE(who); i++) {
		ASSERT_TRUE(waiting_open_pinned(&s));
		ASSERT_TRUE(kernel_counted(s.fd));
		family_start_attached(s.fd, who[i]);
		until_all_wait(&s);
		ASSERT_EQ(0, pfm_stop_session(s.fd, PFM_STFL_RUNNING));
		ASSERT_EQ(0, pfm_start_session(s.fd, PFM_STFL_RUNNING));
		EXPECT_FALSE(looks_and_counts(s.fd));
		ASSERT_EQ(0, pfm_stop_session(s.fd, PFM_STFL_RUNNING));
		/* Nothing is counted after that, and what waits is recorded. */
		ASSERT_EQ(0, samples_until_end(&s, true));
		samples_take_all(&s);
		EXPECT_EQ(0, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
		EXPECT_LT(2 * SCANTY, s.seen);
		EXPECT_GE(2 * SCANTY * s.cpus + family_members(s.fd), s.seen);
		samples_close(&s);
	}
}

TEST(nobody_waits_when_the_session_is_closed)
{
	struct samples s;
	pid_t pid;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(waiting_open(&s));
	/* Its members have no descriptor. */
	ASSERT_EQ(0, fcntl(s.fd, F_SETFD, FD_CLOEXEC));
	pid = family_start_attached(s.fd, many);
	until_all_wait(&s);
	samples_close(&s);
	EXPECT_EQ(0, child_wait(pid));
}

TEST(what_waits_when_the_session_is_detached_is_lost_and_counted)
{
	struct samples s;
	pid_t pid;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(waiting_open_pinned(&s));
	pid = family_start_attached(s.fd, many);
	until_all_wait(&s);
	ASSERT_EQ(0, pfm_detach_session(s.fd, PFM_ATFL_RUNNING));
	EXPECT_EQ(0, child_wait(pid));
	samples_take_all(&s);
	EXPECT_LE(1, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
	EXPECT_GE(family_members(s.fd), family_loss(s.fd, PFM_LOSS_OVERFLOWS));
	samples_close(&s);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/* Returns a time in ms before which the last waits have not begun. */
static uint64_t until_they_wait_again(struct samples *s)
{
	uint64_t begun;

	until_all_wait(s);
	begun = now_ms();
	samples_take_full(s);
	until_all_wait(s);
	return begun;
}

TEST(a_signal_ends_the_wait_after_a_second)
{
	struct samples s;
	uint64_t begun;
	int status;
	pid_t pid;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(waiting_open_pinned(&s));
	pid = family_start_attached(s.fd, one);
	until_all_wait(&s);
	begun = now_ms();
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(SIGKILL, WTERMSIG(status));
	EXPECT_GE(1500 + (kernel_is_slow() ? 10000 : 0), now_ms() - begun);
	samples_take_all(&s);
	EXPECT_EQ(1, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
	EXPECT_EQ(2 * SCANTY, s.seen);
	samples_close(&s);
}

TEST(a_signal_waits_for_room_and_then_comes)
{
	struct samples s;
	uint64_t begun;
	bool in_time;
	int status;
	pid_t pid;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(waiting_open_pinned(&s));
	pid = family_start_attached(s.fd, one);
	begun = until_they_wait_again(&s);
	ASSERT_EQ(0, kill(pid, SIGTERM));
	usleep(100000);
	/* On a slow kernel the second may be over. */
	if (!kernel_is_slow()) {
		EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
		ASSERT_GT(1000, now_ms() - begun);
	}
	in_time = now_ms() - begun < 1000;
	samples_take_full(&s);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(SIGTERM, WTERMSIG(status));
	samples_take_all(&s);
	if (in_time)
		EXPECT_EQ(0, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
	samples_close(&s);
}

/* Has the session counted before a wait that began at @begun ends by itself? */
static bool counts_within_a_second(int fd, uint64_t begun)
{
	uint64_t end = begun + 900 + (kernel_is_slow() ? 10000 : 0);
	struct pfarg_pmr pmr = { .reg_num = pmu_first()->pmd };

	do {
		must(pfm_read_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_RUNNING, &pmr,
				   1),
		     "value of a session");
		if (pmr.reg_value != -(uint64_t)NEVER)
			return true;
		usleep(10000);
	} while (now_ms() < end);
	return false;
}

TEST(another_session_may_take_a_member_that_waits)
{
	static const char *const child[FAMILY_WORDS] = { "forks", "1",
							 "4000000" };
	struct samples s;
	uint64_t begun;
	pid_t pid;
	int fd;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(waiting_open_pinned(&s));
	pid = family_start_attached(s.fd, child);
	begun = until_they_wait_again(&s);
	ASSERT_EQ(1, s.nr_tids);
	fd = period_session(0, NEVER);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, pfm_attach_session(fd, PFM_ATFL_RUNNING, s.tids[0]));
	EXPECT_EQ(0, pfm_start_session(fd, PFM_STFL_RUNNING));
	EXPECT_TRUE(counts_within_a_second(fd, begun));
	EXPECT_EQ(0, child_wait(pid));
	close(fd);
	ASSERT_EQ(0, samples_until_end(&s, false));
	samples_take_all(&s);
	EXPECT_EQ(1, family_loss(s.fd, PFM_LOSS_LEFT));
	EXPECT_EQ(1, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
	samples_close(&s);
}

TEST(what_waits_of_the_kernel_has_its_address)
{
	static const char *const forks[FAMILY_WORDS] = { "forks", "100",
							 "1000" };
	struct samples s;
	int i;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(samples_open_stacks(&s, PFM_FL_NOTIFY_BLOCK, 4096,
					kernel_is_slow() ? 99991 : PERIOD));
	family_start_attached(s.fd, forks);
	/* Some wait before they have left the program. */
	for (i = 0; i < 50 && !s.gone; i++) {
		until_nothing_is_counted(&s);
		samples_take_full(&s);
	}
	ASSERT_EQ(0, samples_until_end(&s, true));
	samples_take_all(&s);
	EXPECT_LT(100, s.seen);
	EXPECT_EQ(0, s.wrong);
	EXPECT_LT(0, s.gone);
	samples_close(&s);
}

TEST(a_restart_needs_members)
{
	struct samples s;
	pid_t pid;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(waiting_open(&s));
	EXPECT_EQ(EBUSY, ERRNO(period_restart(s.fd)));
	EXPECT_EQ(EINVAL, ERRNO(attach_self(s.fd)));
	pid = child_start(child_sleep, NULL);
	ASSERT_EQ(0, pfm_attach_session(s.fd, PFM_ATFL_RUNNING, pid));
	EXPECT_EQ(0, period_restart(s.fd));
	EXPECT_EQ(0, period_restart(s.fd));
	ASSERT_EQ(0, pfm_detach_session(s.fd, PFM_ATFL_RUNNING));
	EXPECT_EQ(EBUSY, ERRNO(period_restart(s.fd)));
	child_kill(pid);
	samples_close(&s);
}

TEST(only_what_samples_waits)
{
	NEEDS_INTERRUPTS();
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(PFM_FL_INHERIT |
						   PFM_FL_NOTIFY_BLOCK)));
	EXPECT_EQ(EINVAL, ERRNO(family_create(PFM_FL_NOTIFY_BLOCK,
					      family_buffer_size(SCANTY), 0)));
}

TEST_HARNESS_MAIN
