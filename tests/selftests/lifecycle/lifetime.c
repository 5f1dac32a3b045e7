// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions over the life of threads: fork, exit, and the last reference that
 * goes away. Conformance cases C066, C080, C102, C103, C156, C157; exec is the
 * subject of execve.c.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <time.h>

#include "child.h"
#include "lifetime_fixture.h"
#include "loop.h"
#include "message.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"

static int loop_with_own_session(void *arg)
{
	const int *inherited = arg;
	uint64_t value;
	int fd;

	/* The child is not the target, although it holds the descriptor. */
	if (ERRNO(read_pmd(*inherited, pmu_first()->pmd, &value)) != ESRCH)
		return 1;
	counted_loop(LOOP);
	fd = pmu_session(0);
	if (fd < 0 || attach_self(fd) || pfm_start_session(fd, 0))
		return 2;
	counted_loop(LOOP);
	if (pfm_stop_session(fd, 0) || read_pmd(fd, pmu_first()->pmd, &value))
		return 3;
	return value >= LOOP && value < LOOP + LIBC ? 0 : 4;
}

TEST_F(session, C080_a_forked_child_is_not_monitored)
{
	uint64_t value;
	pid_t pid;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	pid = child_start(loop_with_own_session, &self->fd);
	EXPECT_EQ(0, child_wait(pid));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_LT(0, value);
	EXPECT_GT(LIBC, value);
	EXPECT_EQ(self->attached_before + 1, sessions_attached());
}

static void *loop_in_thread(void *arg)
{
	counted_loop(LOOP);
	return arg;
}

TEST_F(session, C080_a_new_thread_is_not_monitored)
{
	pthread_t thread;
	uint64_t value;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, loop_in_thread, NULL));
	pthread_join(thread, NULL);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_LT(0, value);
	EXPECT_GT(LIBC, value);
}

static int run_loop(void *arg)
{
	(void)arg;
	counted_loop(LOOP);
	return 0;
}

TEST_F(session, C102_a_count_survives_the_exit_of_the_child)
{
	pid_t pid = child_start_stopped(run_loop, NULL);
	uint64_t value;

	NEEDS_COUNTERS();
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, child_continue(pid));
	EXPECT_EQ(0, child_wait(pid));
	/* Reported dead, the child is detached already. */
	EXPECT_EQ(self->attached_before, sessions_attached());
	EXPECT_EQ(0, ERRNO(read_pmd(self->fd, self->pmd, &value)));
	EXPECT_LE(LOOP, value);
	EXPECT_GT(LOOP + LIBC, value);
	EXPECT_EQ(EINVAL, ERRNO(pfm_stop_session(self->fd, 0)));
	EXPECT_EQ(EBUSY, ERRNO(pfm_start_session(self->fd, PFM_STFL_RESTART)));
}

TEST_F(session, C102_a_count_survives_the_death_of_the_child)
{
	pid_t pid = child_start_stopped(child_spin, NULL);
	uint64_t value;

	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, child_continue(pid));
	child_kill(pid);
	EXPECT_EQ(self->attached_before, sessions_attached());
	EXPECT_EQ(0, ERRNO(read_pmd(self->fd, self->pmd, &value)));
	EXPECT_EQ(0, ERRNO(attach_self(self->fd)));
}

/* The end of a monitored child as a message. */
TEST_F(session, C102_the_end_of_a_child_is_a_message)
{
	static const union pfarg_msg end = { .type = PFM_MSG_END };
	pid_t pid = child_start_stopped(run_loop, NULL);
	union pfarg_msg msg;

	ASSERT_LT(0, pid);
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	EXPECT_EQ(EAGAIN, ERRNO(read(self->fd, &msg, sizeof(msg))));
	ASSERT_EQ(0, child_continue(pid));
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_EQ(EINVAL, ERRNO(read(self->fd, &msg, sizeof(msg) - 1)));
	memset(&msg, 0xa5, sizeof(msg));
	EXPECT_EQ((ssize_t)sizeof(msg), read(self->fd, &msg, sizeof(msg)));
	EXPECT_EQ(0, memcmp(&msg, &end, sizeof(msg)));
	EXPECT_EQ(EAGAIN, ERRNO(read(self->fd, &msg, sizeof(msg))));
}

TEST_F(session, C066_a_new_attachment_forgets_the_end_of_the_last)
{
	union pfarg_msg msg;
	int i;

	for (i = 0; i < 2; i++) {
		pid_t pid = child_start_stopped(run_loop, NULL);

		ASSERT_LT(0, pid);
		ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
		EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
		ASSERT_EQ(0, child_continue(pid));
		EXPECT_EQ(0, child_wait(pid));
	}
	/* Nobody has read the first one. */
	EXPECT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
}

struct self_monitor {
	int fd;
	int rc;
};

static void *monitor_self_and_exit(void *arg)
{
	struct self_monitor *monitor = arg;

	monitor->rc = attach_self(monitor->fd) ||
		      pfm_start_session(monitor->fd, 0);
	counted_loop(LOOP);
	return NULL;
}

TEST_F(session, C103_a_count_survives_the_exit_of_the_thread)
{
	struct self_monitor monitor = { .fd = self->fd };
	union pfarg_msg msg;
	pthread_t thread;
	uint64_t value;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, pthread_create(&thread, NULL, monitor_self_and_exit,
				    &monitor));
	pthread_join(thread, NULL);
	ASSERT_EQ(0, monitor.rc);
	EXPECT_TRUE(sessions_attached_becomes(self->attached_before));
	EXPECT_EQ(0, ERRNO(read_pmd(self->fd, self->pmd, &value)));
	EXPECT_LE(LOOP, value);
	EXPECT_GT(LOOP + LIBC, value);
	/* Who monitors himself needs no message of his end. */
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(EAGAIN, ERRNO(read(self->fd, &msg, sizeof(msg))));
}

static void *close_it(void *arg)
{
	const int *fd = arg;

	close(*fd);
	return NULL;
}

TEST_F(session, C156_another_thread_closes_the_last_reference)
{
	pthread_t thread;
	int next;

	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, close_it, &self->fd));
	pthread_join(thread, NULL);
	counted_loop(LOOP);
	EXPECT_TRUE(sessions_attached_becomes(self->attached_before));
	next = pmu_session(0);
	ASSERT_LE(0, next);
	EXPECT_EQ(0, ERRNO(attach_self(next)));
}

TEST_F(session, C156_the_thread_itself_closes_the_last_reference)
{
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	close(self->fd);
	EXPECT_EQ(self->attached_before, sessions_attached());
}

TEST_F(session, C156_a_duplicate_keeps_the_session_attached)
{
	int copy = dup(self->fd);

	ASSERT_LE(0, copy);
	ASSERT_EQ(0, attach_self(self->fd));
	close(self->fd);
	EXPECT_EQ(self->attached_before + 1, sessions_attached());
	close(copy);
	EXPECT_EQ(self->attached_before, sessions_attached());
}

static int exit_attached(void *arg)
{
	int fd = pmu_session(0);

	(void)arg;
	return attach_self(fd) || pfm_start_session(fd, 0);
}

TEST(C156_exit_closes_the_last_reference)
{
	long before = sessions_attached();

	ASSERT_EQ(0, child_wait(child_start(exit_attached, NULL)));
	EXPECT_EQ(before, sessions_attached());
}

/* Attaches a new session to @pid, stopped, within a second. */
static int attach_again(int fd, pid_t pid)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	int err = -1;
	int i;

	for (i = 0; i < 1000; i++) {
		if (child_stop(pid))
			return -1;
		err = ERRNO(pfm_attach_session(fd, 0, pid));
		if (err != EEXIST)
			break;
		/* What is left of the old session goes when the child runs. */
		if (child_continue(pid))
			return -1;
		nanosleep(&ms, NULL);
	}
	return err;
}

/*
 * Closes the session of a child that runs, and gives it another one. The
 * child is older than the session, so that it holds no reference to it.
 */
static void close_while_running(struct __test_metadata *_metadata, child_fn fn)
{
	long before = sessions_attached();
	pid_t pid = child_start_stopped(fn, NULL);
	int fd = pmu_session(0);
	int next = pmu_session(0);

	ASSERT_LT(0, pid);
	ASSERT_LE(0, next);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, child_continue(pid));
	close(fd);
	EXPECT_EQ(0, attach_again(next, pid));
	EXPECT_EQ(before + 1, sessions_attached());
	child_kill(pid);
	EXPECT_EQ(before, sessions_attached());
}

TEST(C157_closing_lets_a_running_child_run_on)
{
	close_while_running(_metadata, child_spin);
}

TEST(C157_closing_lets_a_sleeping_child_sleep_on)
{
	close_while_running(_metadata, child_sleep);
}

/* Outlives its parent, but not by more than a minute. */
static int outlive(void *arg)
{
	const int *ready = arg;

	prctl(PR_SET_PDEATHSIG, 0);
	alarm(60);
	return write(ready[1], "", 1) != 1 || child_spin(NULL);
}

/* Lets go a child that it monitors, tells its pid, and exits. */
static int monitor_and_die(void *arg)
{
	const int *pids = arg;
	int fd, ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready))
		return 1;
	pid = child_start_stopped(outlive, ready);
	fd = pmu_session(0);
	if (pfm_attach_session(fd, 0, pid) || pfm_start_session(fd, 0) ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL, 0) ||
	    ptrace(PTRACE_DETACH, pid, NULL, NULL) ||
	    read(ready[0], &byte, 1) != 1)
		return 1;
	return write(pids[1], &pid, sizeof(pid)) != (ssize_t)sizeof(pid);
}

TEST(C157_a_dying_tracer_leaves_its_child_unmonitored)
{
	long before = sessions_attached();
	int pids[2];
	pid_t pid, tracer;

	ASSERT_EQ(0, pipe(pids));
	tracer = child_start(monitor_and_die, pids);
	ASSERT_EQ((ssize_t)sizeof(pid), read(pids[0], &pid, sizeof(pid)));
	ASSERT_EQ(0, child_wait(tracer));
	EXPECT_TRUE(sessions_attached_becomes(before));
	EXPECT_EQ(0, kill(pid, SIGKILL));
}

TEST_F(session, C157_the_session_of_a_child_can_be_closed_after_its_end)
{
	pid_t pid = child_start_stopped(child_sleep, NULL);

	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	child_kill(pid);
	EXPECT_EQ(0, close(self->fd));
	EXPECT_EQ(self->attached_before, sessions_attached());
}

TEST_HARNESS_MAIN
