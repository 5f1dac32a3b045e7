// SPDX-License-Identifier: GPL-2.0-only
/*
 * System-wide sessions with PFM_FL_YIELD: they leave their CPUs when a session is
 * attached to a thread, and can be attached again when it has gone.
 */
#include <errno.h>
#include <pthread.h>

#include "child.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"

#define MAX_CPUS 8
#define LOOP 1000000
#define YIELDING (PFM_FL_SYSTEM_WIDE | PFM_FL_YIELD)

/* Counts user instructions, and is attached to nothing. */
static int yielding_session(void)
{
	int fd = pfm_create_session(YIELDING);

	if (fd >= 0 && pmu_count_user(fd, pmu_first(), 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The caller is on CPU 0; each CPU has a session that yields. */
FIXTURE(monitor)
{
	int fds[MAX_CPUS];
	int cpus;
	int thread; /* session, for the caller or a child */
};

FIXTURE_SETUP(monitor)
{
	int cpu;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, pin_to_cpu(0));
	self->cpus = cpus_online();
	ASSERT_GE(MAX_CPUS, self->cpus);
	for (cpu = 0; cpu < self->cpus; cpu++) {
		self->fds[cpu] = yielding_session();
		ASSERT_LE(0, self->fds[cpu]);
		ASSERT_EQ(0, pfm_attach_session(self->fds[cpu], 0, cpu));
		ASSERT_EQ(0, pfm_start_session(self->fds[cpu], 0));
	}
	self->thread = pmu_session(0);
	ASSERT_LE(0, self->thread);
}

FIXTURE_TEARDOWN(monitor)
{
	int cpu;

	for (cpu = 0; cpu < self->cpus; cpu++)
		close(self->fds[cpu]);
	close(self->thread);
	EXPECT_EQ(0, cpu_sessions_attached());
	EXPECT_EQ(0, sessions_attached());
}

static uint64_t value_of(int fd)
{
	uint64_t value;

	return read_pmd(fd, pmu_first()->pmd, &value) ? 0 : value;
}

TEST(only_sessions_of_cpus_yield)
{
	int fd = pfm_create_session(YIELDING | PFM_FL_CLOEXEC);

	EXPECT_LE(0, fd);
	close(fd);
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(PFM_FL_YIELD)));
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_create_session(PFM_FL_YIELD | PFM_FL_CLOEXEC)));
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_create_session(YIELDING | PFM_FL_NOTIFY_BLOCK)));
}

TEST_F(monitor, leaves_all_cpus_and_is_told)
{
	int cpu;

	EXPECT_EQ(self->cpus, cpu_sessions_attached());
	EXPECT_EQ(0, ERRNO(attach_self(self->thread)));
	EXPECT_EQ(0, cpu_sessions_attached());
	EXPECT_EQ(1, sessions_attached());
	for (cpu = 0; cpu < self->cpus; cpu++) {
		EXPECT_EQ(0, message_take_end(self->fds[cpu]));
		EXPECT_EQ(EINVAL, ERRNO(pfm_start_session(self->fds[cpu], 0)));
		EXPECT_EQ(EBUSY,
			  ERRNO(pfm_attach_session(self->fds[cpu], 0, cpu)));
	}
	ASSERT_EQ(0, pfm_detach_session(self->thread, 0));
	for (cpu = 0; cpu < self->cpus; cpu++)
		EXPECT_EQ(0, ERRNO(pfm_attach_session(self->fds[cpu], 0, cpu)));
}

TEST_F(monitor, counts_on_where_it_left)
{
	uint64_t first, left, last;

	counted_loop(LOOP);
	ASSERT_EQ(0, attach_self(self->thread));
	first = value_of(self->fds[0]);
	EXPECT_LE(LOOP, first);
	counted_loop(LOOP);
	left = value_of(self->fds[0]);
	EXPECT_EQ(first, left);
	ASSERT_EQ(0, pfm_detach_session(self->thread, 0));
	ASSERT_EQ(0, pfm_attach_session(self->fds[0], 0, 0));
	ASSERT_EQ(0, pfm_start_session(self->fds[0], 0));
	counted_loop(LOOP);
	last = value_of(self->fds[0]);
	EXPECT_LE(left + LOOP, last);
}

TEST_F(monitor, leaves_for_a_thread_that_runs)
{
	pid_t child = child_start(child_spin, NULL);

	ASSERT_LT(0, child);
	EXPECT_EQ(0, ERRNO(pfm_attach_session(self->thread, PFM_ATFL_RUNNING,
					      child)));
	EXPECT_EQ(0, cpu_sessions_attached());
	EXPECT_EQ(0, message_take_end(self->fds[0]));
	child_kill(child);
}

TEST_F(monitor, stays_beside_one_that_does_not_yield)
{
	int last = self->cpus - 1, firm = pmu_cpu_session();

	ASSERT_LE(0, firm);
	ASSERT_EQ(0, pfm_detach_session(self->fds[last], 0));
	ASSERT_EQ(0, pfm_attach_session(firm, 0, last));
	EXPECT_EQ(EBUSY, ERRNO(attach_self(self->thread)));
	EXPECT_EQ(self->cpus, cpu_sessions_attached());
	EXPECT_EQ(EAGAIN, message_take_end(self->fds[0]));
	close(firm);
	EXPECT_EQ(0, ERRNO(attach_self(self->thread)));
}

TEST_F(monitor, stays_where_nothing_comes_of_it)
{
	EXPECT_EQ(ESRCH,
		  ERRNO(pfm_attach_session(self->thread, 0, UNUSED_TID)));
	EXPECT_EQ(EPERM, ERRNO(pfm_attach_session(self->thread, 0, KTHREADD)));
	EXPECT_EQ(EPERM, ERRNO(pfm_attach_session(self->thread,
						  PFM_ATFL_RUNNING, KTHREADD)));
	EXPECT_EQ(self->cpus, cpu_sessions_attached());
	EXPECT_EQ(EAGAIN, message_take_end(self->fds[0]));
}

struct again {
	int fd;
	volatile bool stop;
	volatile long attached;
};

static void *attach_again_and_again(void *arg)
{
	struct again *again = arg;

	pin_to_cpu(cpus_online() - 1);
	while (!again->stop)
		if (!pfm_attach_session(again->fd, 0, 0))
			again->attached++;
	return NULL;
}

#define ATTACHES 300
#define PAUSE_US 100

/* A slow kernel needs more pauses for the other thread to come to anything. */
#define MOST_ATTACHES (20 * ATTACHES)

TEST_F(monitor, keeps_nobody_out_by_coming_back_at_once)
{
	struct again again = { .fd = self->fds[0] };
	pthread_t thread;
	int i, err;

	ASSERT_EQ(0, pthread_create(&thread, NULL, attach_again_and_again,
				    &again));
	for (i = 0; i < ATTACHES || (again.attached < 2 && i < MOST_ATTACHES);
	     i++) {
		err = ERRNO(attach_self(self->thread));
		EXPECT_EQ(0, err)
		{
			TH_LOG("attach %d", i);
		}
		if (err)
			break;
		pfm_detach_session(self->thread, 0);
		/* It gets its chance, also where the CPUs take turns. */
		usleep(PAUSE_US);
	}
	again.stop = true;
	pthread_join(thread, NULL);
	EXPECT_LT(1, again.attached);
}

TEST_HARNESS_MAIN
