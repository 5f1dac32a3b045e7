// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions of threads that nobody stops: attached, started, read, stopped and
 * detached with PFM_ATFL_RUNNING, PFM_STFL_RUNNING and PFM_RWFL_RUNNING while the
 * target runs, sleeps, or ends; and who may do so.
 */
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "child.h"
#include "event_set.h"
#include "lifetime_fixture.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"
#include "unprivileged.h"

static int attach_running(int fd, pid_t tid)
{
	return pfm_attach_session(fd, PFM_ATFL_RUNNING, tid);
}

static int read_running(int fd, uint16_t pmd, uint64_t *value)
{
	struct pfarg_pmr pmr = { .reg_num = pmd };
	int rc = pfm_read_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_RUNNING, &pmr, 1);

	*value = pmr.reg_value;
	return rc;
}

/* A child that waits for a byte, executes LOOP, and ends. */
struct waiter {
	int go[2];
	pid_t pid;
};

static int wait_and_loop(void *arg)
{
	const struct waiter *waiter = arg;
	char byte;

	if (read(waiter->go[0], &byte, 1) != 1)
		return 1;
	counted_loop(LOOP);
	return 0;
}

static int waiter_start(struct waiter *waiter)
{
	if (pipe(waiter->go))
		return -1;
	waiter->pid = child_start(wait_and_loop, waiter);
	return waiter->pid > 0 ? 0 : -1;
}

/* Return: the exit status, or -1. */
static int waiter_go(struct waiter *waiter)
{
	int status = -1;

	if (write(waiter->go[1], "", 1) == 1)
		status = child_wait(waiter->pid);
	close(waiter->go[0]);
	close(waiter->go[1]);
	return status;
}

TEST_F(session, a_sleeping_thread_is_counted_from_the_start_to_its_end)
{
	struct waiter waiter;
	union pfarg_msg msg;
	uint64_t value;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, waiter_start(&waiter));
	EXPECT_EQ(0, ERRNO(attach_running(self->fd, waiter.pid)));
	EXPECT_EQ(0, ERRNO(pfm_start_session(self->fd, PFM_STFL_RUNNING)));
	EXPECT_EQ(0, waiter_go(&waiter));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_LE(LOOP, value);
	EXPECT_GT(LOOP + LIBC, value);
	EXPECT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_EQ(self->attached_before, sessions_attached());
}

/* Until what a running session shows has grown by so much. */
static bool grows(int fd, uint16_t pmd, uint64_t by)
{
	uint64_t first, value;
	int i;

	if (read_running(fd, pmd, &first))
		return false;
	for (i = 0; i < 1000; i++) {
		usleep(1000);
		if (read_running(fd, pmd, &value) || value < first)
			return false;
		if (value - first >= by)
			return true;
	}
	return false;
}

TEST_F(session, a_running_thread_is_read_again_and_again)
{
	pid_t pid = child_start(child_spin, NULL);
	uint64_t stopped, later;

	NEEDS_COUNTERS();
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, ERRNO(attach_running(self->fd, pid)));
	EXPECT_EQ(self->attached_before + 1, sessions_attached());
	ASSERT_EQ(0, ERRNO(pfm_start_session(self->fd, PFM_STFL_RUNNING)));
	EXPECT_TRUE(grows(self->fd, self->pmd, 100000));
	EXPECT_TRUE(grows(self->fd, self->pmd, 100000));
	ASSERT_EQ(0, ERRNO(pfm_stop_session(self->fd, PFM_STFL_RUNNING)));
	ASSERT_EQ(0, read_running(self->fd, self->pmd, &stopped));
	usleep(10000);
	ASSERT_EQ(0, read_running(self->fd, self->pmd, &later));
	EXPECT_EQ(stopped, later);
	EXPECT_EQ(0, ERRNO(pfm_attach_session(self->fd, PFM_ATFL_RUNNING,
					      PFM_NO_TARGET)));
	EXPECT_EQ(self->attached_before, sessions_attached());
	child_kill(pid);
}

static int spin_on_second_cpu(void *arg)
{
	return pin_to_cpu(1) ? 1 : child_spin(arg);
}

/* The target runs all the time: nothing switches the session to the hardware. */
TEST_F(session, counting_has_begun_when_start_returns)
{
	pid_t pid;
	int i;

	NEEDS_COUNTERS();
	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, pin_to_cpu(0));
	pid = child_start(spin_on_second_cpu, NULL);
	ASSERT_LT(0, pid);
	usleep(20000);
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, ERRNO(attach_running(self->fd, pid)));
		ASSERT_EQ(0,
			  ERRNO(pfm_start_session(self->fd, PFM_STFL_RUNNING)));
		/* CPUs may take turns: the other one's comes with a pause. */
		EXPECT_TRUE(grows(self->fd, self->pmd, 1000));
		ASSERT_EQ(0, pfm_attach_session(self->fd, PFM_ATFL_RUNNING,
						PFM_NO_TARGET));
	}
	child_kill(pid);
}

TEST_F(session, without_the_flags_it_has_to_be_stopped)
{
	pid_t pid = child_start(child_sleep, NULL);
	uint64_t value;

	ASSERT_LT(0, pid);
	EXPECT_EQ(ESRCH, ERRNO(pfm_attach_session(self->fd, 0, pid)));
	ASSERT_EQ(0, ERRNO(attach_running(self->fd, pid)));
	EXPECT_EQ(ESRCH, ERRNO(pfm_start_session(self->fd, 0)));
	EXPECT_EQ(ESRCH, ERRNO(pfm_stop_session(self->fd, 0)));
	EXPECT_EQ(ESRCH, ERRNO(read_pmd(self->fd, self->pmd, &value)));
	EXPECT_EQ(ESRCH, ERRNO(write_pmd(self->fd, self->pmd, 0)));
	EXPECT_EQ(ESRCH, ERRNO(pfm_detach_session(self->fd, 0)));
	child_kill(pid);
}

TEST_F(session, registers_are_not_written_under_a_running_thread)
{
	struct pfarg_pmr pmr = { .reg_num = self->pmd };

	EXPECT_EQ(EINVAL, ERRNO(pfm_write_pmrs(self->fd,
					       PFM_RWFL_PMD | PFM_RWFL_RUNNING,
					       &pmr, 1)));
}

TEST_F(session, a_restart_is_no_start)
{
	ASSERT_EQ(0, ERRNO(attach_self(self->fd)));
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_start_session(self->fd, PFM_STFL_RESTART |
							    PFM_STFL_RUNNING)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_stop_session(self->fd, PFM_STFL_RESTART)));
}

TEST_F(session, the_flags_change_nothing_for_the_thread_itself)
{
	uint64_t value;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, ERRNO(attach_running(self->fd, gettid())));
	EXPECT_EQ(EBUSY, ERRNO(attach_running(self->fd, gettid())));
	ASSERT_EQ(0, ERRNO(pfm_start_session(self->fd, PFM_STFL_RUNNING)));
	counted_loop(LOOP);
	ASSERT_EQ(0, ERRNO(pfm_stop_session(self->fd, PFM_STFL_RUNNING)));
	ASSERT_EQ(0, read_running(self->fd, self->pmd, &value));
	EXPECT_LE(LOOP, value);
	EXPECT_GT(LOOP + 2 * CALL_COST, value);
	EXPECT_EQ(0, ERRNO(pfm_attach_session(self->fd, PFM_ATFL_RUNNING,
					      PFM_NO_TARGET)));
}

TEST_F(session, a_pidfd_may_name_it)
{
	pid_t pid = child_start(child_spin, NULL);
	int pidfd;

	ASSERT_LT(0, pid);
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	ASSERT_LE(0, pidfd);
	EXPECT_EQ(0, ERRNO(pfm_attach_session(self->fd,
					      PFM_ATFL_PIDFD | PFM_ATFL_RUNNING,
					      pidfd)));
	close(pidfd);
	child_kill(pid);
}

static int end_soon(void *arg)
{
	counted_loop(*(const unsigned long *)arg);
	return 0;
}

TEST_F(session, a_thread_that_has_ended_is_not_attached_to)
{
	unsigned long length = 2;
	pid_t pid = child_start(end_soon, &length);

	ASSERT_LT(0, pid);
	ASSERT_EQ(0, child_wait_zombie(pid));
	EXPECT_EQ(EBUSY, ERRNO(attach_running(self->fd, pid)));
	child_wait(pid);
	EXPECT_EQ(ESRCH, ERRNO(attach_running(self->fd, pid)));
	EXPECT_EQ(ESRCH, ERRNO(attach_running(self->fd, UNUSED_TID)));
	EXPECT_EQ(EPERM, ERRNO(attach_running(self->fd, KTHREADD)));
	EXPECT_EQ(self->attached_before, sessions_attached());
}

/* What nobody tries on a session of a thread of root's; bits: who succeeded. */
static int touch_running(void *arg)
{
	int fd = *(const int *)arg, succeeded = 0;
	uint64_t value;

	if (ERRNO(read_running(fd, pmu_first()->pmd, &value)) != EPERM)
		succeeded |= 1;
	if (ERRNO(pfm_start_session(fd, PFM_STFL_RUNNING)) != EPERM)
		succeeded |= 2;
	if (ERRNO(pfm_stop_session(fd, PFM_STFL_RUNNING)) != EPERM)
		succeeded |= 4;
	if (ERRNO(pfm_attach_session(fd, PFM_ATFL_RUNNING, PFM_NO_TARGET)) !=
	    EPERM)
		succeeded |= 8;
	if (ERRNO(pfm_start_session(fd, PFM_STFL_RUNNING | PFM_STFL_AT_EXEC)) !=
	    EPERM)
		succeeded |= 16;
	return succeeded;
}

static int attach_init(void *arg)
{
	int fd = pfm_create_session(0);

	(void)arg;
	return fd < 0 ? 254 : ERRNO(attach_running(fd, 1));
}

TEST_F(session, only_a_thread_that_one_may_trace)
{
	pid_t pid = child_start(child_sleep, NULL);

	ASSERT_LT(0, pid);
	ASSERT_EQ(0, ERRNO(attach_running(self->fd, pid)));
	EXPECT_EQ(0, unprivileged(NO_GROUP, touch_running, &self->fd));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, attach_init, NULL));
	EXPECT_EQ(self->attached_before + 1, sessions_attached());
	child_kill(pid);
}

/*
 * An attach goes through all sets of its session between its look at the target
 * and the link: the more sets, the more often something happens in between.
 */
#define SETS 1000
#define ROUNDS 200

static int session_with_many_sets(void)
{
	int fd = pfm_create_session(0);
	uint16_t id;

	for (id = 1; fd >= 0 && id < SETS; id++)
		if (set_make(fd, id, 0, 0))
			return -1;
	return fd;
}

/* Two try to be the one session of a thread that runs: always one of them is. */
#define RIVALS 2
#define STEP 4000UL

struct rival {
	int fd;
	pid_t target;
	volatile int *ready;
	unsigned long delay;
	int err;
};

static void *rival(void *arg)
{
	struct rival *r = arg;

	__sync_fetch_and_add(r->ready, 1);
	while (*r->ready < RIVALS)
		;
	counted_loop(r->delay);
	r->err = ERRNO(attach_running(r->fd, r->target));
	return NULL;
}

TEST(a_thread_has_at_most_one_session_whoever_is_faster)
{
	pid_t pid = child_start(child_sleep, NULL);
	long before = sessions_attached(), round;
	struct rival rivals[RIVALS];
	pthread_t threads[RIVALS];
	volatile int ready;
	int i;

	ASSERT_LT(0, pid);
	for (i = 0; i < RIVALS; i++) {
		rivals[i] = (struct rival){ .fd = session_with_many_sets(),
					    .target = pid,
					    .ready = &ready };
		ASSERT_LE(0, rivals[i].fd);
	}
	for (round = 0; round < repetitions(ROUNDS); round++) {
		ready = 0;
		for (i = 0; i < RIVALS; i++) {
			/* CPUs that take turns do so at another point. */
			rivals[i].delay = 2 + (unsigned long)round * STEP;
			ASSERT_EQ(0, pthread_create(&threads[i], NULL, rival,
						    &rivals[i]));
		}
		for (i = 0; i < RIVALS; i++)
			ASSERT_EQ(0, pthread_join(threads[i], NULL));
		ASSERT_EQ(EEXIST, rivals[0].err + rivals[1].err);
		ASSERT_EQ(before + 1, sessions_attached());
		for (i = 0; i < RIVALS; i++)
			ASSERT_EQ(0, pfm_attach_session(rivals[i].fd,
							PFM_ATFL_RUNNING,
							PFM_NO_TARGET));
	}
	child_kill(pid);
	for (i = 0; i < RIVALS; i++)
		close(rivals[i].fd);
}

/* The attach meets its end at every point: also after it was seen alive. */
TEST(nothing_stays_attached_to_threads_that_end)
{
	int fd = session_with_many_sets();
	long before = sessions_attached(), i;
	unsigned long length;
	pid_t pid;

	ASSERT_LE(0, fd);
	for (i = 0; i < repetitions(ROUNDS); i++) {
		length = 2 + (unsigned long)i * 500;
		pid = child_start(end_soon, &length);
		ASSERT_LT(0, pid);
		if (!attach_running(fd, pid)) {
			pfm_start_session(fd, PFM_STFL_RUNNING);
		} else {
			EXPECT_TRUE(errno == EBUSY || errno == ESRCH)
			{
				TH_LOG("errno %d", errno);
			}
		}
		EXPECT_EQ(0, child_wait(pid));
		/* Its own end has detached it, not that of the descriptor. */
		ASSERT_EQ(before, sessions_attached());
	}
	close(fd);
}

TEST_HARNESS_MAIN
