// SPDX-License-Identifier: GPL-2.0-only
/*
 * System-wide sessions: which CPUs they are attached to, who keeps whom out,
 * who may have one. Conformance cases C005, C060, C062, C063, C155 and C158;
 * what they count is the subject of cpucount.
 */
#include <fcntl.h>
#include <pthread.h>

#include "attr.h"
#include "event_set.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"
#include "unprivileged.h"

#define MAX_CPUS 8
#define GROUP 4242
#define GROUP_TEXT "4242"

/* The caller is on CPU 0. */
FIXTURE(cpu)
{
	int fd;
	int last;
};

FIXTURE_SETUP(cpu)
{
	ASSERT_EQ(0, cpu_sessions_attached());
	self->last = cpus_online() - 1;
	ASSERT_EQ(0, pin_to_cpu(0));
	self->fd = pmu_cpu_session();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(cpu)
{
	close(self->fd);
	EXPECT_EQ(0, cpu_sessions_attached());
}

TEST_F(cpu, C060_any_online_cpu_is_a_target_and_nothing_else)
{
	static const int bad[] = { -2, INT_MIN, MAX_CPUS, 99999, INT_MAX };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT_EQ(EINVAL,
			  ERRNO(pfm_attach_session(self->fd, 0, bad[i])))
		{
			TH_LOG("%d", bad[i]);
		}
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_attach_session(self->fd, PFM_ATFL_PIDFD, 0)));
	for (i = 0; (int)i <= self->last; i++) {
		EXPECT_EQ(0, ERRNO(pfm_attach_session(self->fd, 0, i)));
		EXPECT_EQ(1, cpu_sessions_attached());
		/* Its own state comes before the target's. */
		EXPECT_EQ(EBUSY, ERRNO(pfm_attach_session(self->fd, 0, i)));
		EXPECT_EQ(EBUSY, ERRNO(pfm_attach_session(self->fd, 0, -2)));
		EXPECT_EQ(0, ERRNO(pfm_detach_session(self->fd, 0)));
		EXPECT_EQ(0, cpu_sessions_attached());
	}
	EXPECT_EQ(0, ERRNO(pfm_detach_session(self->fd, 0)));
}

TEST_F(cpu, C062_a_cpu_has_at_most_one_session)
{
	int second = pmu_cpu_session();

	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, 0));
	EXPECT_EQ(EBUSY, ERRNO(pfm_attach_session(second, 0, 0)));
	if (self->last) {
		EXPECT_EQ(0, ERRNO(pfm_attach_session(second, 0, self->last)));
		EXPECT_EQ(2, cpu_sessions_attached());
	}
	close(second);
	EXPECT_EQ(1, cpu_sessions_attached());
}

static void *attach_errno(void *unused)
{
	int fd = pmu_session(0);
	long err = ERRNO(attach_self(fd));

	(void)unused;
	close(fd);
	return (void *)err;
}

TEST_F(cpu, C063_threads_and_cpus_exclude_each_other)
{
	pthread_t other;
	int thread_fd = pmu_session(0);
	void *err;

	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, self->last));
	EXPECT_EQ(EBUSY, ERRNO(attach_self(thread_fd)));
	ASSERT_EQ(0, pthread_create(&other, NULL, attach_errno, NULL));
	pthread_join(other, &err);
	EXPECT_EQ(EBUSY, (long)err);
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));

	ASSERT_EQ(0, ERRNO(attach_self(thread_fd)));
	EXPECT_EQ(EBUSY, ERRNO(pfm_attach_session(self->fd, 0, 0)));
	EXPECT_EQ(EBUSY, ERRNO(pfm_attach_session(self->fd, 0, self->last)));
	/* Programming it is nobody's business. */
	EXPECT_EQ(0, ERRNO(write_pmd(self->fd, pmu_first()->pmd, 1)));
	ASSERT_EQ(0, pfm_detach_session(thread_fd, 0));
	EXPECT_EQ(0, ERRNO(pfm_attach_session(self->fd, 0, self->last)));
	close(thread_fd);
}

TEST_F(cpu, C158_closing_from_another_cpu_ends_it_at_once)
{
	int fd = pmu_cpu_session();

	ASSERT_EQ(0, pfm_attach_session(fd, 0, self->last));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	EXPECT_EQ(1, cpu_sessions_attached());
	close(fd);
	EXPECT_EQ(0, cpu_sessions_attached());
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, self->last));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	/* Nor does its owner's death leave anything. */
	close(self->fd);
	EXPECT_EQ(0, cpu_sessions_attached());
	self->fd = pmu_cpu_session();
}

FIXTURE(group){};

FIXTURE_SETUP(group)
{
	ASSERT_EQ(0, attr_write("sys_group", GROUP_TEXT));
}

FIXTURE_TEARDOWN_PARENT(group)
{
	EXPECT_EQ(0, attr_write("sys_group", "-1"));
}

/* The kernel too: a member may count all that a CPU does. */
static int member_counts(void *unused)
{
	int err, fd = pmu_cpu_session();
	uint64_t value = 0;

	(void)unused;
	if (fd < 0)
		return errno;
	err = ERRNO(pmu_program(fd, pmu_first(), pmu_first()->kernel, 0)) ?:
		      ERRNO(pfm_attach_session(fd, 0, 0))		  ?:
		      ERRNO(pfm_start_session(fd, 0))			  ?:
		      ERRNO(pfm_stop_session(fd, 0))			  ?:
		      ERRNO(read_pmd(fd, pmu_first()->pmd, &value));
	close(fd);
	return err ? err : value ? 0 : 254;
}

TEST_F(group, C005_a_member_of_sys_group_monitors_a_cpu)
{
	EXPECT_EQ(0, unprivileged(GROUP, member_counts, NULL));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, member_counts, NULL));
}

/* The machine is whole again afterwards, also if a test was killed. */
FIXTURE(hotplug)
{
	int fd;
	int cpu;
};

FIXTURE_SETUP(hotplug)
{
	self->cpu = cpus_online() - 1;
	if (!self->cpu)
		SKIP(return, "needs two processors");
	self->fd = pmu_cpu_session();
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmu_program(self->fd, pmu_first(), pmu_first()->kernel,
				 1000));
}

FIXTURE_TEARDOWN_PARENT(hotplug)
{
	int cpu;

	for (cpu = 1; cpu < MAX_CPUS; cpu++)
		cpu_set_online(cpu, true);
}

TEST_F(hotplug, C155_a_session_survives_its_cpu_detached)
{
	uint64_t value, duration;
	char msg[64];

	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, self->cpu));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, cpu_set_online(self->cpu, false));
	EXPECT_EQ(0, cpu_sessions_attached());
	value = set_value(self->fd, 0);
	duration = set_duration(self->fd, 0);
	EXPECT_LT(1000, value);
	EXPECT_LT(0, duration);
	EXPECT_EQ(EAGAIN, ERRNO(read(self->fd, msg, sizeof(msg))));
	EXPECT_EQ(EINVAL, ERRNO(pfm_start_session(self->fd, 0)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_stop_session(self->fd, 0)));
	EXPECT_EQ(EBUSY, ERRNO(pfm_start_session(self->fd, PFM_STFL_RESTART)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_attach_session(self->fd, 0, self->cpu)));

	/* Nothing is attached again. */
	ASSERT_EQ(0, cpu_set_online(self->cpu, true));
	usleep(20000);
	EXPECT_EQ(0, cpu_sessions_attached());
	EXPECT_EQ(value, set_value(self->fd, 0));
	EXPECT_EQ(duration, set_duration(self->fd, 0));
	/* But may be. */
	ASSERT_EQ(0, ERRNO(pfm_attach_session(self->fd, 0, self->cpu)));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	usleep(20000);
	EXPECT_LT(value, set_value(self->fd, 0));
	EXPECT_EQ(2, set_runs(self->fd, 0));
}

TEST_F(hotplug, C155_a_session_that_lost_its_cpu_ends)
{
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, self->cpu));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, cpu_set_online(self->cpu, false));
	ASSERT_EQ(0, cpu_set_online(self->cpu, true));
	EXPECT_EQ(0, close(self->fd));
	EXPECT_TRUE(nothing_is_left());
}

TEST_F(hotplug, C155_other_cpus_go_on)
{
	uint64_t value;

	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, 0));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, cpu_set_online(self->cpu, false));
	EXPECT_EQ(1, cpu_sessions_attached());
	value = set_value(self->fd, 0);
	ASSERT_EQ(0, cpu_set_online(self->cpu, true));
	EXPECT_LT(value, set_value(self->fd, 0));
}

static void *close_it(void *arg)
{
	close(*(int *)arg);
	return NULL;
}

TEST_F(hotplug, C155_a_session_is_closed_while_its_cpu_goes)
{
	long i, times = repetitions(50);

	for (i = 0; i < times; i++) {
		pthread_t closer;
		int fd = pmu_cpu_session();

		ASSERT_EQ(0, pfm_attach_session(fd, 0, self->cpu));
		ASSERT_EQ(0, pfm_start_session(fd, 0));
		/* The only one, so that its end is that of perfmon's use. */
		close(self->fd);
		ASSERT_EQ(0, pthread_create(&closer, NULL, close_it, &fd));
		ASSERT_EQ(0, cpu_set_online(self->cpu, false));
		pthread_join(closer, NULL);
		EXPECT_EQ(0, cpu_sessions_attached());
		ASSERT_EQ(0, cpu_set_online(self->cpu, true));
		self->fd = pmu_cpu_session();
	}
}

TEST_HARNESS_MAIN
