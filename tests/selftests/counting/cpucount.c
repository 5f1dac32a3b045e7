// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a system-wide session counts, records and tells, and that it does not
 * matter where its user is. Conformance cases C061, C084 and C119.
 */
#include <poll.h>
#include <sys/mman.h>

#include <perfmon/perfmon_dfl_smpl.h>

#include "child.h"
#include "counter_check.h"
#include "event_set.h"
#include "loop.h"
#include "machine.h"
#include "msr.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"
#include "worker.h"

#define MAX_CPUS 8
#define MAX_CONSTANT 200

/* The caller is on CPU 0; a worker is on the last one. */
FIXTURE(cpu)
{
	int fd;
	int last;
	int msr; /* of the last CPU, or -1 */
	struct worker worker;
};

FIXTURE_SETUP(cpu)
{
	NEEDS_COUNTERS();
	ASSERT_EQ(0, cpu_sessions_attached());
	self->last = cpus_online() - 1;
	self->msr = msr_open(self->last);
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, worker_start(&self->worker, self->last));
	self->fd = pmu_cpu_session();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(cpu)
{
	worker_stop(&self->worker);
	close(self->fd);
	EXPECT_EQ(0, cpu_sessions_attached());
}

TEST_F(cpu, C084_a_cpu_counts_what_runs_on_it)
{
	uint64_t constant, value;
	unsigned long n;

	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, 0));
	ASSERT_EQ(0, counted_run(self->fd, 2000));
	constant = set_value(self->fd, 0) - 2000;
	ASSERT_GT(MAX_CONSTANT, constant);
	for (n = 20; n <= 20000000; n *= 100) {
		uint64_t least = UINT64_MAX;
		int i;

		/* Now and then init has something to do on this CPU, too. */
		for (i = 0; i < 5; i++) {
			ASSERT_EQ(0, write_pmd(self->fd, pmu_first()->pmd, 0));
			ASSERT_EQ(0, counted_run(self->fd, n));
			value = set_value(self->fd, 0);
			least = value < least ? value : least;
		}
		EXPECT_EQ(n + constant, least);
	}
	/* Another process here, and one elsewhere. */
	ASSERT_EQ(0, write_pmd(self->fd, pmu_first()->pmd, 0));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	if (self->last) {
		ASSERT_EQ(0, worker_run(&self->worker, 20000000));
		EXPECT_GT(20000, set_value(self->fd, 0));
	}
	value = set_value(self->fd, 0);
	if (fork() == 0) {
		counted_loop(20000000);
		_exit(0);
	}
	wait(NULL);
	EXPECT_LE(20000000, set_value(self->fd, 0) - value);
}

TEST_F(cpu, C084_kernel_and_idle_time_belong_to_the_cpu)
{
	uint64_t first, second;

	/* The last CPU has nothing to do, unless it is our own. */
	if (!self->last)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, self->last));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	first = set_value(self->fd, 0);
	usleep(200000);
	EXPECT_EQ(first, set_value(self->fd, 0));
	ASSERT_EQ(0,
		  pmu_program(self->fd, pmu_first(), pmu_first()->kernel, 0));
	/* The calls that look at it run there. */
	first = set_value(self->fd, 0);
	second = set_value(self->fd, 0);
	EXPECT_LT(first, second);
}

TEST_F(cpu, counts_on_every_cpu_at_once_are_the_machines)
{
	const struct pmu_counter *counter = pmu_first();
	struct worker workers[MAX_CPUS];
	uint64_t before[MAX_CPUS];
	int fds[MAX_CPUS], msrs[MAX_CPUS];
	int cpu, n = self->last + 1;

	if (!self->last || self->msr < 0)
		SKIP(return, "needs two processors of the test machine");
	for (cpu = 1; cpu < n; cpu++) {
		ASSERT_EQ(0, worker_start(&workers[cpu], cpu));
		fds[cpu] = pmu_cpu_session();
		msrs[cpu] = msr_open(cpu);
		ASSERT_EQ(0, pfm_attach_session(fds[cpu], 0, cpu));
	}
	for (cpu = 1; cpu < n; cpu++) {
		before[cpu] = idle_cpu_user_instructions(msrs[cpu]);
		ASSERT_EQ(0, pfm_start_session(fds[cpu], 0));
	}
	for (cpu = 1; cpu < n; cpu++)
		ASSERT_EQ(0, worker_order(&workers[cpu], 10000000 + cpu * 2));
	for (cpu = 1; cpu < n; cpu++) {
		uint64_t value;

		ASSERT_EQ(0, worker_wait(&workers[cpu]));
		before[cpu] =
			idle_cpu_user_instructions(msrs[cpu]) - before[cpu];
		ASSERT_EQ(0, read_pmd(fds[cpu], counter->pmd, &value));
		EXPECT_EQ(before[cpu], value);
		EXPECT_LE(10000000, value);
		ASSERT_EQ(0, pfm_stop_session(fds[cpu], 0));
	}
	for (cpu = 1; cpu < n; cpu++) {
		worker_stop(&workers[cpu]);
		close(fds[cpu]);
		close(msrs[cpu]);
	}
}

/* Every call, with the loop executed by the worker. */
static void operate(struct __test_metadata *_metadata, int fd,
		    struct worker *worker)
{
	const struct pmu_counter *counter = pmu_first();
	uint64_t value, again;
	int i;

	EXPECT_EQ(0, ERRNO(pmu_count_user(fd, counter, 1000)));
	EXPECT_EQ(0, ERRNO(read_pmd(fd, counter->pmd, &value)));
	EXPECT_EQ(1000, value);
	EXPECT_EQ(EBUSY, ERRNO(pfm_start_session(fd, PFM_STFL_RESTART)));
	EXPECT_EQ(0, ERRNO(pfm_start_session(fd, 0)));
	EXPECT_EQ(0, ERRNO(pfm_start_session(fd, 0)));
	EXPECT_EQ(1, set_runs(fd, 0));
	EXPECT_EQ(EBUSY, ERRNO(set_make(fd, 1, 0, 0)));
	ASSERT_EQ(0, worker_order(worker, 20000000));
	for (i = 0, value = 1000; i < 1000; i++) {
		ASSERT_EQ(0, ERRNO(read_pmd(fd, counter->pmd, &again)));
		EXPECT_LE(value, again);
		value = again;
	}
	EXPECT_LT(0, set_duration(fd, 0));
	ASSERT_EQ(0, worker_wait(worker));
	EXPECT_LE(20001000, set_value(fd, 0));
	/* The value of a counter that counts is replaced. */
	EXPECT_EQ(0, ERRNO(write_pmd(fd, counter->pmd, 1ULL << 40)));
	ASSERT_EQ(0, worker_run(worker, 2000));
	value = set_value(fd, 0) - (1ULL << 40);
	EXPECT_LE(2000, value);
	EXPECT_GT(1000000, value);
	EXPECT_EQ(0, ERRNO(pfm_stop_session(fd, 0)));
	EXPECT_EQ(0, ERRNO(pfm_stop_session(fd, 0)));
	value = set_value(fd, 0);
	ASSERT_EQ(0, worker_run(worker, 2000));
	EXPECT_EQ(value, set_value(fd, 0));
	EXPECT_EQ(0, ERRNO(pfm_detach_session(fd, 0)));
	EXPECT_EQ(value, set_value(fd, 0));
}

TEST_F(cpu, C061_a_cpu_is_monitored_from_any_other)
{
	int cpu;

	for (cpu = self->last; cpu >= 0; cpu--) {
		ASSERT_EQ(0, pin_to_cpu(cpu));
		ASSERT_EQ(0, set_make(self->fd, 0, 0, 0));
		ASSERT_EQ(0, pfm_attach_session(self->fd, 0, self->last));
		operate(_metadata, self->fd, &self->worker);
	}
}

TEST_F(cpu, C061_a_read_never_goes_back_wherever_it_comes_from)
{
	uint64_t value, last = 0;
	int i;

	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, self->last));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, worker_order(&self->worker, 50000000));
	for (i = 0; i < 200; i++) {
		ASSERT_EQ(0, pin_to_cpu(i % (self->last + 1)));
		value = set_value(self->fd, 0);
		EXPECT_LE(last, value);
		last = value;
	}
	ASSERT_EQ(0, worker_wait(&self->worker));
	EXPECT_LE(50000000, set_value(self->fd, 0));
}

TEST_F(cpu, an_overflow_is_told_of_and_restarted_from_another_cpu)
{
	struct pfarg_pmd_attr attr = { .reg_long_reset = -20000 };
	struct pollfd poller = { .fd = self->fd, .events = POLLIN };
	union pfarg_msg msg;

	NEEDS_INTERRUPTS();
	ASSERT_EQ(0, set_write_attr(self->fd, 0, PFM_REGFL_OVFL_NOTIFY, -10000,
				    &attr));
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, self->last));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	EXPECT_EQ(0, poll(&poller, 1, 0));
	ASSERT_EQ(0, worker_run(&self->worker, 50000));
	ASSERT_EQ(1, poll(&poller, 1, 1000));
	ASSERT_EQ(64, read(self->fd, &msg, sizeof(msg)));
	EXPECT_EQ(PFM_MSG_OVFL, msg.type);
	EXPECT_EQ(self->last, msg.pfm_ovfl_msg.msg_ovfl_cpu);
	EXPECT_EQ(getpid(), (pid_t)msg.pfm_ovfl_msg.msg_ovfl_pid);
	if (self->last)
		EXPECT_EQ(self->worker.tid,
			  (pid_t)msg.pfm_ovfl_msg.msg_ovfl_tid);
	/* Masked at the very event. */
	EXPECT_EQ(0, set_value(self->fd, 0));
	ASSERT_EQ(0, worker_run(&self->worker, 50000));
	EXPECT_EQ(0, set_value(self->fd, 0));
	EXPECT_EQ(0, ERRNO(pfm_start_session(self->fd, PFM_STFL_RESTART)));
	EXPECT_EQ(EBUSY, ERRNO(pfm_start_session(self->fd, PFM_STFL_RESTART)));
	EXPECT_LE((uint64_t)-20000, set_value(self->fd, 0));
	ASSERT_EQ(0, worker_run(&self->worker, 50000));
	ASSERT_EQ(1, poll(&poller, 1, 1000));
	EXPECT_EQ(0, set_value(self->fd, 0));
}

/* How many samples of the buffer are of a process. */
static unsigned int samples_of(const struct pfm_dfl_smpl_hdr *hdr, pid_t tgid)
{
	const struct pfm_dfl_smpl_entry *entry = (const void *)(hdr + 1);
	unsigned int i, n = 0;

	for (i = 0; i < hdr->hdr_count; i++)
		n += entry[i].tgid == (uint32_t)tgid;
	return n;
}

static int loop_on_cpu(void *arg)
{
	const int *cpu = arg;

	if (pin_to_cpu(*cpu))
		return 1;
	counted_loop(5000000);
	return 0;
}

TEST_F(cpu, C119_samples_tell_the_processes_of_a_cpu)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = 65536 };
	int fd = pfm_create_session(PFM_FL_SYSTEM_WIDE | PFM_FL_SMPL_FMT,
				    "default", &arg, sizeof(arg));
	struct pfarg_pmd_attr attr = { .reg_short_reset = -10000 };
	const struct pfm_dfl_smpl_hdr *hdr;
	pid_t first, second;

	NEEDS_INTERRUPTS();
	ASSERT_LE(0, fd);
	hdr = mmap(NULL, 65536, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, (void *)hdr);
	ASSERT_EQ(0, pmu_count_user(fd, pmu_first(), 0));
	ASSERT_EQ(0, set_write_attr(fd, 0, 0, -10000, &attr));
	ASSERT_EQ(0, pfm_attach_session(fd, 0, self->last));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	first = child_start(loop_on_cpu, &self->last);
	second = child_start(loop_on_cpu, &self->last);
	EXPECT_EQ(0, child_wait(first));
	EXPECT_EQ(0, child_wait(second));
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	/* 500 periods each; what is left of one at a switch is the next one's. */
	EXPECT_LE(490, samples_of(hdr, first));
	EXPECT_GE(510, samples_of(hdr, first));
	EXPECT_LE(490, samples_of(hdr, second));
	EXPECT_GE(510, samples_of(hdr, second));
	EXPECT_EQ(0, hdr->hdr_overflows);
	close(fd);
}

TEST_F(cpu, sets_take_turns_on_a_cpu)
{
	uint64_t sum, runs, timeout = timer_round(2000000);
	uint16_t id;

	if (!self->last || self->msr < 0)
		SKIP(return, "needs two processors of the test machine");
	for (id = 0; id < 3; id++)
		ASSERT_EQ(0, set_make_counting(self->fd, id,
					       PFM_SETFL_TIME_SWITCH, timeout));
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, self->last));
	sum = idle_cpu_user_instructions(self->msr);
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, worker_run(&self->worker, 20000000));
	sum = idle_cpu_user_instructions(self->msr) - sum;
	/* Also while nothing runs there. */
	runs = set_runs(self->fd, 0);
	usleep(100000);
	EXPECT_LT(runs + (kernel_is_slow() ? 2 : 10), set_runs(self->fd, 0));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_EQ(sum, set_value(self->fd, 0) + set_value(self->fd, 1) +
			       set_value(self->fd, 2));
}

TEST_HARNESS_MAIN
