// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions of threads that become another program: who stays monitored, which
 * descriptors stay open, and what more privileges end. Conformance cases C081
 * and C159.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "child.h"
#include "lifetime_fixture.h"
#include "loop.h"
#include "message.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "program_copy.h"
#include "sessions.h"
#include "unprivileged.h"

/* Arguments with which this program runs itself. */
#define RUN_LOOP "--run-loop"
#define TELL_ATTACHMENT "--tell-attachment"
#define READ_FD "--read-fd"
#define TEST_FD "--test-fd"

static int exec_loop(void *arg)
{
	(void)arg;
	execl("/proc/self/exe", "execve", RUN_LOOP, NULL);
	return 127;
}

/* The new program: it only counts. */
static int run_loop(void)
{
	counted_loop(LOOP);
	return 0;
}

TEST_F(session, C081_a_child_is_monitored_over_exec)
{
	pid_t pid = child_start_stopped(exec_loop, NULL);
	uint64_t before, value;
	union pfarg_msg msg;
	int status;

	NEEDS_COUNTERS();
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	/* A traced child stops once when it has become the new program. */
	ASSERT_EQ(0, child_continue(pid));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFSTOPPED(status));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &before));
	EXPECT_LT(0, before);
	ASSERT_EQ(0, child_continue(pid));
	EXPECT_EQ(0, child_wait(pid));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_LE(before + LOOP, value);
	EXPECT_GT(before + LOOP + LIBC, value);
	EXPECT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
}

/* Counts over its own exec and leaves the reading to the new program. */
static int exec_read_fd(void *arg)
{
	int fd = pmu_session(0);
	char number[16];

	(void)arg;
	snprintf(number, sizeof(number), "%d", fd);
	if (attach_self(fd) || pfm_start_session(fd, 0))
		return 10;
	counted_loop(LOOP);
	execl("/proc/self/exe", "execve", READ_FD, number, NULL);
	return 127;
}

/* The new program: the session is still attached to this thread. */
static int read_fd(int fd)
{
	uint64_t value, grown;

	if (read_pmd(fd, pmu_first()->pmd, &value))
		return 1;
	counted_loop(LOOP);
	if (pfm_stop_session(fd, 0) || read_pmd(fd, pmu_first()->pmd, &grown))
		return 2;
	if (value < LOOP || value > LOOP + LIBC)
		return 3;
	return grown >= value + LOOP ? 0 : 4;
}

TEST(C081_a_thread_goes_on_monitoring_itself_over_exec)
{
	NEEDS_COUNTERS();
	EXPECT_EQ(0, child_wait(child_start(exec_read_fd, NULL)));
}

static int exec_test_fd(void *arg)
{
	const int *fd = arg;
	char number[16];

	snprintf(number, sizeof(number), "%d", *fd);
	execl("/proc/self/exe", "execve", TEST_FD, number, NULL);
	return 127;
}

/* The new program: 0 if there is such a descriptor, else the error. */
static int test_fd(int fd)
{
	return fcntl(fd, F_GETFD) < 0 ? errno : 0;
}

TEST(an_exec_closes_the_descriptor_if_it_was_made_so)
{
	int kept = pfm_create_session(0);
	int closed = pfm_create_session(PFM_FL_CLOEXEC);

	ASSERT_LE(0, kept);
	ASSERT_LE(0, closed);
	EXPECT_EQ(0, child_wait(child_start(exec_test_fd, &kept)));
	EXPECT_EQ(EBADF, child_wait(child_start(exec_test_fd, &closed)));
}

static void *exec_in_thread(void *arg)
{
	_exit(exec_read_fd(arg));
}

static int exec_from_second_thread(void *arg)
{
	int leaders = pmu_session(0);
	pthread_t thread;

	/* The session of the thread that the exec ends. */
	if (attach_self(leaders) ||
	    pthread_create(&thread, NULL, exec_in_thread, arg))
		return 11;
	for (;;)
		pause();
}

TEST(C081_exec_keeps_the_session_of_the_thread_that_called_it)
{
	long before = sessions_attached();

	NEEDS_COUNTERS();
	EXPECT_EQ(0, child_wait(child_start(exec_from_second_thread, NULL)));
	EXPECT_EQ(before, sessions_attached());
}

/* A copy of this program for everybody, with the mode that a test wants. */
#define COPY "/tmp/execve-copy"

#define STILL_ATTACHED 20
#define IS_DETACHED 21

/* The new program tells what exec has made of the session. */
static int tell_attachment(int fd)
{
	switch (ERRNO(pfm_stop_session(fd, 0))) {
	case 0:
		return STILL_ATTACHED;
	case EINVAL:
		return IS_DETACHED;
	default:
		return 1;
	}
}

/* Monitors itself and becomes the copy. */
static int exec_copy(void *arg)
{
	int fd = pmu_session(0);
	char number[16];

	(void)arg;
	snprintf(number, sizeof(number), "%d", fd);
	if (attach_self(fd) || pfm_start_session(fd, 0))
		return 10;
	execl(COPY, "execve", TELL_ATTACHMENT, number, NULL);
	return 127;
}

TEST(C159_an_exec_that_raises_privileges_detaches)
{
	ASSERT_EQ(0, program_copy(COPY, 0755));
	EXPECT_EQ(STILL_ATTACHED, unprivileged(NO_GROUP, exec_copy, NULL));
	ASSERT_EQ(0, program_copy(COPY, 04755));
	EXPECT_EQ(IS_DETACHED, unprivileged(NO_GROUP, exec_copy, NULL));
	unlink(COPY);
}

TEST(C159_a_privileged_owner_keeps_the_session)
{
	ASSERT_EQ(0, program_copy(COPY, 04755));
	ASSERT_EQ(0, chown(COPY, NOBODY, NOBODY));
	ASSERT_EQ(0, chmod(COPY, 04755));
	EXPECT_EQ(STILL_ATTACHED, child_wait(child_start(exec_copy, NULL)));
	unlink(COPY);
}

static int exec_loop_in_copy(void *arg)
{
	(void)arg;
	execl(COPY, "execve", RUN_LOOP, NULL);
	return 127;
}

/* Monitors a child that becomes the copy; untraced, as it must be for that. */
static int monitor_exec_of_copy(void *arg)
{
	union pfarg_msg msg;
	uint64_t value;
	pid_t pid;
	int fd;

	(void)arg;
	/* Who gave up his privileges cannot be traced, until he says so. */
	prctl(PR_SET_DUMPABLE, 1);
	pid = child_start_stopped(exec_loop_in_copy, NULL);
	fd = pmu_session(0);
	if (pfm_attach_session(fd, 0, pid) || pfm_start_session(fd, 0) ||
	    ptrace(PTRACE_DETACH, pid, NULL, NULL) || child_wait(pid))
		return 1;
	if (read(fd, &msg, sizeof(msg)) != (ssize_t)sizeof(msg) ||
	    msg.type != PFM_MSG_END)
		return 2;
	if (read_pmd(fd, pmu_first()->pmd, &value))
		return 3;
	return value < LOOP ? IS_DETACHED : STILL_ATTACHED;
}

TEST(C159_the_secrets_of_a_privileged_child_are_not_counted)
{
	NEEDS_COUNTERS();
	ASSERT_EQ(0, program_copy(COPY, 0755));
	EXPECT_EQ(STILL_ATTACHED,
		  unprivileged(NO_GROUP, monitor_exec_of_copy, NULL));
	ASSERT_EQ(0, program_copy(COPY, 04755));
	EXPECT_EQ(IS_DETACHED,
		  unprivileged(NO_GROUP, monitor_exec_of_copy, NULL));
	unlink(COPY);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], RUN_LOOP))
		return run_loop();
	if (argc == 3 && !strcmp(argv[1], READ_FD))
		return read_fd(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], TEST_FD))
		return test_fd(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], TELL_ATTACHMENT))
		return tell_attachment(atoi(argv[2]));
	return test_harness_run(argc, argv);
}
