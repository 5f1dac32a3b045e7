// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whoever waits, is blocked, stopped or counted, or keeps its memory from the
 * kernel, is no obstacle when the administrator takes the PMU back
 * (/sys/kernel/perfmon/enabled).
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>

#include "attr.h"
#include "child.h"
#include "enabled_fixture.h"
#include "message.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"
#include "stall.h"

/* Those who are waiting. */

static void *read_message(void *arg)
{
	const int *fd = arg;
	union pfarg_msg msg = { .type = 0 };

	if (read(*fd, &msg, sizeof(msg)) != (ssize_t)sizeof(msg))
		return NULL;
	return msg.type == PFM_MSG_END ? arg : NULL;
}

TEST_F(administrator, a_reader_and_a_poller_are_woken)
{
	int fds[2] = { pfm_create_session(0), pfm_create_session(0) };
	struct pollfd poller = { .fd = fds[1], .events = POLLIN };
	pthread_t reader;
	void *told;

	ASSERT_LE(0, fds[1]);
	ASSERT_EQ(0, message_signal(fds[1], SIGUSR1));
	ASSERT_EQ(0, pthread_create(&reader, NULL, read_message, &fds[0]));
	ASSERT_EQ(0, poll(&poller, 1, 50));
	ASSERT_EQ(0, attr_write("enabled", "0"));
	EXPECT_EQ(1, poll(&poller, 1, 0));
	EXPECT_EQ(POLLIN, poller.revents);
	EXPECT_EQ(1, message_signals);
	ASSERT_EQ(0, pthread_join(reader, &told));
	EXPECT_EQ(&fds[0], told);
}

/* The letter that /proc has for what a thread is doing. */
static char state_of(pid_t pid)
{
	char path[32], text[256], state = '?';

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (!file_read(path, text, sizeof(text)))
		sscanf(text, "%*d (%*[^)]) %c", &state);
	return state;
}

static bool comes_to(pid_t pid, char state)
{
	int i;

	for (i = 0; i < 1000 && state_of(pid) != state; i++)
		usleep(1000);
	return state_of(pid) == state;
}

TEST_F(administrator, a_blocked_thread_goes_on)
{
	pid_t pid = child_start_stopped(child_spin, NULL);
	union pfarg_msg msg;
	int fd;

	NEEDS_INTERRUPTS();
	fd = period_session(PFM_FL_NOTIFY_BLOCK, 10000);
	ASSERT_LE(0, fd);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, ptrace(PTRACE_DETACH, pid, NULL, NULL));
	ASSERT_EQ(0, message_wait(fd, &msg));
	ASSERT_TRUE(comes_to(pid, 'S'));
	ASSERT_EQ(0, attr_write("enabled", "0"));
	EXPECT_TRUE(comes_to(pid, 'R'));
	EXPECT_EQ(EBUSY, ERRNO(pfm_start_session(fd, PFM_STFL_RESTART)));
	EXPECT_EQ(0, message_take_end(fd));
	child_kill(pid);
}

static int read_errno(int fd)
{
	uint64_t value;

	return ERRNO(read_pmd(fd, pmu_first()->pmd, &value));
}

static int exit_with_7(void *arg)
{
	(void)arg;
	return 7;
}

TEST_F(administrator, a_stopped_tracee_is_no_obstacle)
{
	pid_t pid = child_start_stopped(exit_with_7, NULL);
	int fd = pmu_session(0);

	ASSERT_LT(0, pid);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, attr_write("enabled", "0"));
	EXPECT_EQ(0, sessions_attached());
	expect_pmu_free(_metadata);
	EXPECT_EQ(0, read_errno(fd));
	EXPECT_EQ(EBUSY, ERRNO(pfm_start_session(fd, 0)));
	ASSERT_EQ(0, child_continue(pid));
	EXPECT_EQ(7, child_wait(pid));
	EXPECT_EQ(0, message_take_end(fd));
	/* Its exit is nothing that this session is told of. */
	EXPECT_EQ(EAGAIN, message_take_end(fd));
}

TEST_F(administrator, a_running_thread_of_somebody_else_is_no_obstacle)
{
	pid_t pid = child_start_stopped(child_spin, NULL);
	int fd = pmu_session(0);
	uint64_t value = 0, again;

	ASSERT_LT(0, pid);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, ptrace(PTRACE_DETACH, pid, NULL, NULL));
	usleep(20000);
	EXPECT_EQ(ESRCH, read_errno(fd));
	ASSERT_EQ(0, attr_write("enabled", "0"));
	expect_pmu_free(_metadata);
	ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	EXPECT_LT(0, value);
	usleep(20000);
	ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &again));
	EXPECT_EQ(value, again);
	EXPECT_EQ('R', state_of(pid));
	child_kill(pid);
}

/* A caller who does not let the kernel have his memory. */

static int stalled_write(int fd, void *page)
{
	return ERRNO(pfm_write_pmrs(fd, PFM_RWFL_PMD, page, 1));
}

static int stalled_read(int fd, void *page)
{
	return ERRNO(pfm_read_pmrs(fd, PFM_RWFL_PMD, page, 1));
}

static int stalled_create_sets(int fd, void *page)
{
	return ERRNO(pfm_create_sets(fd, 0, page, 1));
}

static int stalled_getinfo(int fd, void *page)
{
	return ERRNO(pfm_getinfo_sets(fd, 0, page, 1));
}

static int stalled_create(int fd, void *page)
{
	(void)fd;
	return ERRNO(
		pfm_create_session(PFM_FL_SMPL_FMT, page, NULL, (size_t)0));
}

static const struct stalled_call {
	const char *what;
	int (*call)(int fd, void *page);
	int err;
} stalled_calls[] = {
	{ "write_pmrs", stalled_write, EBUSY },
	{ "read_pmrs", stalled_read, 0 },
	{ "create_sets", stalled_create_sets, EBUSY },
	{ "getinfo_sets", stalled_getinfo, 0 },
	/* There is no format without a name. */
	{ "create_session", stalled_create, EINVAL },
};

struct stalled {
	const struct stalled_call *call;
	int fd;
	void *page;
	int err;
};

static void *call_stalled(void *arg)
{
	struct stalled *stalled = arg;

	stalled->err = stalled->call->call(stalled->fd, stalled->page);
	return NULL;
}

/* All zero but for the register, which is where the first counter is. */
static void let_stalled_go(struct __test_metadata *_metadata,
			   const struct stall *stall,
			   const struct stalled_call *call)
{
	struct pfarg_pmr pmr = { .reg_num = pmu_first()->pmd };
	const char zero[64] = { 0 };

	if (call->call == stalled_write || call->call == stalled_read) {
		ASSERT_EQ(0, stall_let_go(stall, &pmr, sizeof(pmr)));
	} else {
		ASSERT_EQ(0, stall_let_go(stall, zero, sizeof(zero)));
	}
}

TEST_F(administrator, memory_that_is_not_there_is_no_obstacle)
{
	struct stalled stalled;
	struct stall stall;
	pthread_t thread;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(stalled_calls); i++) {
		ASSERT_EQ(0, stall_make(&stall));
		stalled = (struct stalled){ .call = &stalled_calls[i],
					    .fd = pmu_session(0),
					    .page = stall.page,
					    .err = -1 };
		ASSERT_LE(0, stalled.fd);
		ASSERT_EQ(0, pthread_create(&thread, NULL, call_stalled,
					    &stalled));
		ASSERT_EQ(0, stall_wait(&stall));
		EXPECT_EQ(0, attr_write("enabled", "0"));
		expect_pmu_free(_metadata);
		let_stalled_go(_metadata, &stall, stalled.call);
		pthread_join(thread, NULL);
		EXPECT_EQ(stalled.call->err, stalled.err)
		{
			TH_LOG("%s", stalled.call->what);
		}
		stall_end(&stall);
		close(stalled.fd);
		ASSERT_EQ(0, attr_write("enabled", "1"));
	}
}

TEST_HARNESS_MAIN
