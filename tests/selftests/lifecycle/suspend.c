// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session that counts while the machine sleeps: the processors lose their
 * registers, and the threads go on as if nothing had been.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "attr.h"
#include "chunks.h"
#include "event_set.h"
#include "family.h"
#include "kmsg.h"
#include "loop.h"
#include "machine.h"
#include "perf.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define POWER "/sys/power/"
#define WAKE_ALARM "/sys/class/rtc/rtc0/wakealarm"
#define REHEARSAL_DELAY "/sys/module/suspend/parameters/pm_test_delay"

FIXTURE(power)
{
	int fd;
	int state; /* /sys/power/state */
	int nothing; /* /dev/null */
};

FIXTURE_SETUP(power)
{
	const struct pmu *pmu = pmu_get();
	unsigned int i;

	self->state = open(POWER "state", O_WRONLY | O_CLOEXEC);
	if (self->state < 0)
		SKIP(return, "this kernel does not suspend");
	self->nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	ASSERT_LE(0, self->nothing);
	ASSERT_NE(NULL, pmu);
	self->fd = pfm_create_session(0);
	ASSERT_LE(0, self->fd);
	/* The first one last: it enables the others on P6. */
	for (i = pmu->counters; i-- > 0;)
		ASSERT_EQ(0, pmu_count_user(self->fd, &pmu->counter[i], 0));
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN_PARENT(power)
{
	EXPECT_EQ(0, file_write(POWER "pm_test", "none"));
}

/* The rehearsal does all but the sleeping itself; registers survive. */
static int rehearse(void)
{
	int err = file_write(REHEARSAL_DELAY, "0");

	return err ? err : file_write(POWER "pm_test", "core");
}

/* The next time is real, and the clock ends it after two seconds at most. */
static int set_alarm(void)
{
	int err = file_write(WAKE_ALARM, "0");

	return err ? err : file_write(WAKE_ALARM, "+2");
}

/* Writes to a file between two loops; the only code that is counted. */
static int __attribute__((noinline)) count_around(int session, int fd)
{
	if (pfm_start_session(session, 0))
		return -1;
	counted_loop(2000);
	if (write(fd, "mem", 3) != 3)
		return -1;
	counted_loop(2000);
	return pfm_stop_session(session, 0);
}

/* What each counter counts around a write to a file. */
static void counts_around(struct __test_metadata *_metadata, int session,
			  int fd, uint64_t *counts)
{
	const struct pmu *pmu = pmu_get();
	unsigned int i;

	for (i = 0; i < pmu->counters; i++)
		ASSERT_EQ(0, write_pmd(session, pmu->counter[i].pmd, 0));
	ASSERT_EQ(0, count_around(session, fd));
	for (i = 0; i < pmu->counters; i++)
		ASSERT_EQ(0,
			  read_pmd(session, pmu->counter[i].pmd, &counts[i]));
}

/* The thread that sends the machine to sleep counts itself meanwhile. */
static void expect_counts_over_sleep(struct __test_metadata *_metadata,
				     FIXTURE_DATA(power) * self)
{
	uint64_t awake[PMU_MAX_COUNTERS], asleep[PMU_MAX_COUNTERS];
	unsigned int i;

	counts_around(_metadata, self->fd, self->nothing, awake);
	counts_around(_metadata, self->fd, self->state, asleep);
	for (i = 0; i < pmu_get()->counters; i++) {
		EXPECT_LE(4000, awake[i]);
		EXPECT_EQ(awake[i], asleep[i])
		{
			TH_LOG("pmd%u", pmu_get()->counter[i].pmd);
		}
	}
}

TEST_F_TIMEOUT(power, a_session_counts_exactly_over_a_rehearsal, 120)
{
	ASSERT_EQ(0, rehearse());
	expect_counts_over_sleep(_metadata, self);
}

TEST_F_TIMEOUT(power, a_session_counts_exactly_over_a_suspend_to_ram, 120)
{
	ASSERT_EQ(0, set_alarm());
	expect_counts_over_sleep(_metadata, self);
}

struct worker {
	pthread_t thread;
	int cpu;
	const int *stop;
	uint64_t chunks, value;
	int failed;
};

static void *count_until_stopped(void *arg)
{
	struct worker *worker = arg;
	int fd = pmu_session(0);

	worker->failed = fd < 0 || pin_to_cpu(worker->cpu) || attach_self(fd) ||
			 count_chunks(fd, worker->stop, &worker->chunks) ||
			 read_pmd(fd, pmu_first()->pmd, &worker->value);
	close(fd);
	return NULL;
}

#define WORKERS 4

TEST_F_TIMEOUT(power, other_threads_count_exactly_over_a_suspend_to_ram, 120)
{
	struct worker workers[WORKERS] = { 0 };
	int i, stop = 0;
	uint64_t constant;

	ASSERT_EQ(0, write_pmd(self->fd, pmu_first()->pmd, 0));
	constant = chunks_constant(self->fd, pmu_first()->pmd);
	for (i = 0; i < WORKERS; i++) {
		workers[i].cpu = i % cpus_online();
		workers[i].stop = &stop;
		ASSERT_EQ(0, pthread_create(&workers[i].thread, NULL,
					    count_until_stopped, &workers[i]));
	}
	for (i = 0; i < 3; i++) {
		counted_loop(2000000);
		ASSERT_EQ(0, set_alarm());
		ASSERT_EQ(3, write(self->state, "mem", 3));
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	for (i = 0; i < WORKERS; i++) {
		pthread_join(workers[i].thread, NULL);
		EXPECT_EQ(0, workers[i].failed);
		EXPECT_LT(0, workers[i].chunks);
		EXPECT_EQ(workers[i].chunks * CHUNK_INSTRUCTIONS + constant,
			  workers[i].value);
	}
}

/* What a crowd of threads counts while the machine sleeps so often. */
static uint64_t crowd_value(struct __test_metadata *_metadata, int state,
			    int sleeps)
{
	/* A kernel that checks itself takes longer to fall asleep. */
	const char *const words[] = { "threads", "4",
				      kernel_is_slow() ? "100000000" :
							 "20000000",
				      NULL };
	int fd = family_session(0), status = -1;
	uint64_t value;
	pid_t pid = family_start(fd, words);

	while (sleeps--) {
		counted_loop(2000000);
		EXPECT_EQ(0, set_alarm());
		EXPECT_EQ(3, write(state, "mem", 3));
		/* Else it was not the crowd that slept. */
		EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
	}
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(4, family_loss(fd, PFM_LOSS_PARTS));
	value = family_value(fd);
	close(fd);
	return value;
}

TEST_F_TIMEOUT(power, a_family_counts_exactly_over_a_suspend_to_ram, 120)
{
	uint64_t awake;

	awake = crowd_value(_metadata, self->state, 0);
	EXPECT_LT(4 * 2 * 20000000UL, awake);
	EXPECT_EQ(awake, crowd_value(_metadata, self->state, 3));
}

TEST_F_TIMEOUT(power, the_pmu_can_change_hands_after_a_suspend_to_ram, 120)
{
	ASSERT_EQ(0, set_alarm());
	ASSERT_EQ(3, write(self->state, "mem", 3));
	close(self->fd);
	/* After many changes of hands it keeps the PMU for a second, for nobody. */
	if (perfmon_is_module())
		sleep(2);
	EXPECT_STREQ("", perf_trouble());
	self->fd = pmu_session(0);
	EXPECT_LE(0, self->fd);
}

#define SET_TIMEOUT 10000000

/* A session of the caller or of CPU 0 whose two sets take turns. */
static int time_switched_session(int flags)
{
	uint64_t timeout = timer_round(SET_TIMEOUT);
	int fd = pfm_create_session(flags);

	if (fd < 0 ||
	    set_make_counting(fd, 0, PFM_SETFL_TIME_SWITCH, timeout) ||
	    set_make_counting(fd, 1, PFM_SETFL_TIME_SWITCH, timeout) ||
	    pfm_attach_session(fd, 0,
			       flags & PFM_FL_SYSTEM_WIDE ? 0 : gettid()) ||
	    pfm_start_session(fd, 0))
		return -1;
	return fd;
}

static void expect_turns_over_sleep(struct __test_metadata *_metadata,
				    FIXTURE_DATA(power) * self, int flags)
{
	int kmsg = kmsg_open(), fd, i;
	uint64_t runs;

	ASSERT_LE(0, kmsg);
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, pin_to_cpu(0));
	fd = time_switched_session(flags);
	ASSERT_LE(0, fd);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(3, write(self->state, "mem", 3));
		runs = set_runs(fd, 0) + set_runs(fd, 1);
		counted_loop(20000000);
		EXPECT_LE(runs + 4, set_runs(fd, 0) + set_runs(fd, 1));
	}
	/* What stops the clock must not find a timer that asks it. */
	EXPECT_FALSE(kmsg_says(kmsg, "WARNING:"));
	close(fd);
}

TEST_F_TIMEOUT(power, sets_of_a_thread_take_turns_over_a_rehearsal, 120)
{
	ASSERT_EQ(0, rehearse());
	expect_turns_over_sleep(_metadata, self, 0);
}

TEST_F_TIMEOUT(power, sets_of_a_cpu_take_turns_over_a_rehearsal, 120)
{
	ASSERT_EQ(0, rehearse());
	expect_turns_over_sleep(_metadata, self, PFM_FL_SYSTEM_WIDE);
}

TEST_HARNESS_MAIN
