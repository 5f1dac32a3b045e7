// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hyper-threads without counters of their own: on a Pentium 4 the threads of a
 * core share the counters, and only the first one may use them. A monitored
 * thread is kept away from the second ones, and nothing is counted there.
 */
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loop.h"
#include "machine.h"
#include "msr.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"

#define FIRST 0
#define SECOND 1

#define INSNS 1000000

static int allow(int first, int second)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	if (first)
		CPU_SET(FIRST, &set);
	if (second)
		CPU_SET(SECOND, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

static bool may_run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	return !sched_getaffinity(0, sizeof(set), &set) && CPU_ISSET(cpu, &set);
}

FIXTURE(session)
{
	int fd;
};

FIXTURE_SETUP(session)
{
	if (!pmu_is_shared() || cpus_online() < 2)
		SKIP(return, "each thread of this processor has its counters");
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(session)
{
	close(self->fd);
}

static uint64_t count(struct __test_metadata *_metadata, int fd)
{
	uint64_t value = 0;

	EXPECT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	return value;
}

TEST_F(session, an_attached_thread_leaves_the_second_thread)
{
	ASSERT_EQ(0, allow(0, 1));
	ASSERT_EQ(0, allow(1, 1));
	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_TRUE(may_run_on(FIRST));
	EXPECT_FALSE(may_run_on(SECOND));
	EXPECT_EQ(FIRST, sched_getcpu());
}

TEST_F(session, a_thread_that_may_run_nowhere_else_is_refused)
{
	ASSERT_EQ(0, allow(0, 1));
	EXPECT_EQ(EINVAL, ERRNO(attach_self(self->fd)));
	EXPECT_TRUE(may_run_on(SECOND));
	ASSERT_EQ(0, allow(1, 0));
	EXPECT_EQ(0, attach_self(self->fd));
}

TEST_F(session, a_second_thread_cannot_be_watched)
{
	int fd = pfm_create_session(PFM_FL_SYSTEM_WIDE);

	ASSERT_LE(0, fd);
	EXPECT_EQ(EINVAL, ERRNO(pfm_attach_session(fd, 0, SECOND)));
	EXPECT_EQ(0, ERRNO(pfm_attach_session(fd, 0, FIRST)));
	close(fd);
}

/* Who widens the affinity again is not counted there, and loses nothing. */
TEST_F(session, nothing_is_counted_on_the_second_thread)
{
	uint64_t here, there, back;

	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(INSNS);
	here = count(_metadata, self->fd);
	EXPECT_LE(INSNS, here);

	ASSERT_EQ(0, allow(0, 1));
	there = count(_metadata, self->fd);
	counted_loop(INSNS);
	EXPECT_EQ(there, count(_metadata, self->fd));

	ASSERT_EQ(0, allow(1, 0));
	counted_loop(INSNS);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	back = count(_metadata, self->fd);
	EXPECT_LE(there + INSNS, back);
	EXPECT_GE(there + INSNS + 1000, back);
}

TEST_F(session, no_register_is_touched_on_the_second_thread)
{
	int msr = msr_open(SECOND);
	struct pmu_accesses before, since;

	if (msr < 0)
		SKIP(return, "no statistics of this machine");
	before = pmu_accesses(msr);
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(INSNS);
	ASSERT_EQ(0, allow(0, 1));
	counted_loop(INSNS);
	count(_metadata, self->fd);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, allow(1, 0));
	counted_loop(INSNS);
	close(self->fd);
	since = pmu_accesses_since(msr, &before);
	EXPECT_EQ(0, since.wrmsr + since.rdmsr + since.rdpmc);
	close(msr);
}

TEST_HARNESS_MAIN
