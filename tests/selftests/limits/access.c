// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is nobody's business: levels that a user may not count, threads that
 * are none of a program's own, addresses of the kernel.
 */
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "attr.h"
#include "child.h"
#include "default_format.h"
#include "loop.h"
#include "machine.h"
#include "msr.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

/* A group that no user of the guest is in unless a test says so. */
#define GROUP 4711
#define GROUP_TEXT "4711"

/* Of pidfd_open(), since 6.9. */
#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

/* The group is restored by the parent, also if the test was killed. */
FIXTURE(group)
{
	char sys[16];
};

FIXTURE_SETUP(group)
{
	ASSERT_EQ(0, attr_read("sys_group", self->sys, sizeof(self->sys)));
}

FIXTURE_TEARDOWN_PARENT(group)
{
	EXPECT_EQ(0, attr_write("sys_group", self->sys));
}

/* The errno of counting the kernel in a new session with these flags. */
static int count_kernel_errno(void *arg)
{
	const int *flags = arg;
	int fd = pfm_create_session(*flags);

	if (fd < 0)
		return 254;
	return ERRNO(write_pmc(fd, pmu_first()->pmc, pmu_first()->kernel));
}

TEST_F(group, sys_group_may_count_the_kernel_of_cpus_and_not_of_threads)
{
	int thread = 0, cpu = PFM_FL_SYSTEM_WIDE;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, attr_write("sys_group", GROUP_TEXT));
	EXPECT_EQ(0, unprivileged(GROUP, count_kernel_errno, &cpu));
	EXPECT_EQ(EPERM, unprivileged(GROUP, count_kernel_errno, &thread));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, count_kernel_errno, &thread));
	EXPECT_EQ(0, count_kernel_errno(&thread));
}

/* The thread of this process that polls an io_uring, or -1. */
static pid_t find_polling_thread(void)
{
	char path[64], name[32];
	pid_t tid;

	/* Threads have consecutive numbers here, or nearly so. */
	for (tid = gettid() + 1; tid < gettid() + 100; tid++) {
		snprintf(path, sizeof(path), "/proc/self/task/%d/comm", tid);
		if (!file_read(path, name, sizeof(name)) &&
		    !strncmp(name, "iou-sqp", 7))
			return tid;
	}
	return -1;
}

/* The kernel makes it; it takes its name when it runs first. */
static pid_t polling_thread(void)
{
	struct io_uring_params params = { .flags = IORING_SETUP_SQPOLL };
	pid_t tid = -1;
	int i;

	if (syscall(SYS_io_uring_setup, 4, &params) < 0)
		return -1;
	for (i = 0; i < 1000 && tid < 0; i++) {
		usleep(1000);
		tid = find_polling_thread();
	}
	return tid;
}

TEST(the_kernels_threads_in_a_process_are_the_kernels)
{
	int fd = pfm_create_session(0);
	pid_t tid = polling_thread();

	ASSERT_LE(0, fd);
	ASSERT_LT(0, tid);
	EXPECT_EQ(EPERM, ERRNO(pfm_attach_session(fd, 0, tid)));
}

/* A process with a second thread; both sleep. */
struct pair {
	int told[2];
};

static void *tell_and_sleep(void *arg)
{
	struct pair *pair = arg;
	pid_t tid = gettid();

	if (write(pair->told[1], &tid, sizeof(tid)) == (ssize_t)sizeof(tid))
		child_sleep(NULL);
	return NULL;
}

static int two_threads(void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, tell_and_sleep, arg))
		return 1;
	return child_sleep(NULL);
}

static int stop_thread(pid_t tid)
{
	int status;

	if (ptrace(PTRACE_SEIZE, tid, NULL, PTRACE_O_EXITKILL) ||
	    ptrace(PTRACE_INTERRUPT, tid, NULL, NULL))
		return -1;
	return waitpid(tid, &status, __WALL) == tid ? 0 : -1;
}

/* The first thread cannot be waited for before the others are. */
static void kill_both(pid_t pid, pid_t tid)
{
	int status;

	kill(pid, SIGKILL);
	while (waitpid(tid, &status, __WALL) == tid && WIFSTOPPED(status))
		;
	child_kill(pid);
}

static bool target_is(int fd, pid_t tid)
{
	char path[64], text[1024], line[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	snprintf(line, sizeof(line), "perfmon-target:\tthread %d\n", tid);
	return !file_read(path, text, sizeof(text)) && strstr(text, line);
}

TEST(a_pidfd_of_a_thread_names_that_thread)
{
	struct pair pair;
	int fd = pfm_create_session(0);
	pid_t pid, tid;
	int pidfd;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pipe(pair.told));
	pid = child_start(two_threads, &pair);
	ASSERT_EQ((ssize_t)sizeof(tid), read(pair.told[0], &tid, sizeof(tid)));
	ASSERT_NE(pid, tid);
	pidfd = (int)syscall(SYS_pidfd_open, tid, PIDFD_THREAD);
	if (pidfd < 0 && errno == EINVAL) {
		child_kill(pid);
		SKIP(return, "this kernel has no pidfd of threads");
	}
	ASSERT_LE(0, pidfd);
	/* The first thread is nothing that could be attached to. */
	ASSERT_EQ(0, stop_thread(tid));
	EXPECT_EQ(0, ERRNO(pfm_attach_session(fd, PFM_ATFL_PIDFD, pidfd)));
	EXPECT_TRUE(target_is(fd, tid));
	kill_both(pid, tid);
}

TEST(a_pidfd_of_a_process_names_its_first_thread)
{
	struct pair pair;
	int fd = pfm_create_session(0);
	pid_t pid, tid;
	int pidfd;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pipe(pair.told));
	pid = child_start(two_threads, &pair);
	ASSERT_EQ((ssize_t)sizeof(tid), read(pair.told[0], &tid, sizeof(tid)));
	ASSERT_EQ(0, stop_thread(tid));
	ASSERT_EQ(0, stop_thread(pid));
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	ASSERT_LE(0, pidfd);
	EXPECT_EQ(0, ERRNO(pfm_attach_session(fd, PFM_ATFL_PIDFD, pidfd)));
	EXPECT_TRUE(target_is(fd, pid));
	kill_both(pid, tid);
}

/*
 * A session of a CPU that does not count the kernel, whose overflow interrupt
 * is late: it comes when the CPU is idle, in a thread of the kernel.
 */
FIXTURE(late)
{
	struct sampler sampler;
	int msr;
};

FIXTURE_SETUP(late)
{
	NEEDS_INTERRUPTS();
	self->msr = msr_open(0);
	if (self->msr < 0)
		SKIP(return, "this is not the test machine");
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, sampler_open(&self->sampler, PFM_FL_SYSTEM_WIDE,
				  dfl_size(1000)));
	ASSERT_EQ(0, period_program(self->sampler.fd, pmu_first(), 0, 20000,
				    NULL));
	ASSERT_EQ(0, pfm_attach_session(self->sampler.fd, 0, 0));
	ASSERT_EQ(0, pfm_start_session(self->sampler.fd, 0));
}

FIXTURE_TEARDOWN(late)
{
	msr_fault(self->msr, PMU_FAULT_CLEAR);
	close(self->msr);
	sampler_close(&self->sampler);
}

TEST_F(late, where_the_kernels_threads_are_is_not_told)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	unsigned int idle = 0, told = 0;
	long delay;

	/* Further into the idle loop each time, whatever comes before it. */
	for (delay = 1000; delay <= 60000; delay += 1000) {
		ASSERT_EQ(0, msr_fault(self->msr,
				       PMU_FAULT(PMU_FAULT_DELAY, delay)));
		counted_loop(20000);
		usleep(2000);
	}
	ASSERT_EQ(0, pfm_stop_session(self->sampler.fd, 0));
	while ((entry = sampler_next(&self->sampler, entry, 0))) {
		if (entry->pid)
			continue;
		idle++;
		told += entry->ip != 0;
	}
	EXPECT_LT(0U, idle);
	EXPECT_EQ(0U, told);
}

TEST_HARNESS_MAIN
