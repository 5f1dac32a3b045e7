// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that read counters with RDPMC: none does while perfmon has the PMU, unless
 * it maps a state page, since the counters hold what other threads did. perf_event's permission
 * outlives its event in children, and `rdpmc` in perf_event's sysfs may give it
 * to everybody. A module takes the former for good, and has no sessions beside the
 * latter.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

#include <perfmon/pfm_state.h>

#include "attr.h"
#include "child.h"
#include "loop.h"
#include "machine.h"
#include "may_rdpmc.h"
#include "owner.h"
#include "perf.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

#define LOOP 20000
/* User instructions to start a child and to wait for it. */
#define CHILD_COST 10000
#define RDPMC "/sys/bus/event_source/devices/cpu/rdpmc"

/* perf_event's, of which children keep but the permission. */
static int event;

/* A child that tells each time it is asked. */
struct reader {
	pid_t pid;
	int ask[2];
	int answer[2];
};

static int answer(void *arg)
{
	const struct reader *reader = arg;
	char c;

	close(event);
	while (read(reader->ask[0], &c, 1) == 1) {
		c = can_rdpmc(0);
		if (write(reader->answer[1], &c, 1) != 1)
			break;
	}
	return 0;
}

/* Returns -1 if the child is gone. */
static int child_can_read(const struct reader *reader)
{
	char c = 0;

	if (write(reader->ask[1], &c, 1) != 1 ||
	    read(reader->answer[0], &c, 1) != 1)
		return -1;
	return c;
}

/* One that reads all the time and never leaves its CPU. */
struct spinner {
	unsigned long reads;
	unsigned long faults;
};

static int spin(void *arg)
{
	struct spinner *spinner = arg;

	close(event);
	if (pin_to_cpu(1))
		return 1;
	for (;;) {
		if (can_rdpmc(0))
			__atomic_add_fetch(&spinner->reads, 1,
					   __ATOMIC_RELAXED);
		else
			__atomic_add_fetch(&spinner->faults, 1,
					   __ATOMIC_RELAXED);
	}
}

/* Whether @count grows within two seconds. */
static bool grows(const unsigned long *count)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	unsigned long before = __atomic_load_n(count, __ATOMIC_RELAXED);
	int i;

	for (i = 0; i < 2000; i++) {
		if (__atomic_load_n(count, __ATOMIC_RELAXED) > before + 10)
			return true;
		nanosleep(&ms, NULL);
	}
	return false;
}

FIXTURE(rdpmc)
{
	char setting[16];
	struct reader reader;
	bool is_module;
};

FIXTURE_SETUP(rdpmc)
{
	char device[32];

	if (file_read(RDPMC, self->setting, sizeof(self->setting)))
		SKIP(return, "perf_event does not drive this processor");
	self->is_module = !attr_read("device", device, sizeof(device));
	ASSERT_EQ(0, linger_set("0"));
	ASSERT_EQ(0, pipe(self->reader.ask));
	ASSERT_EQ(0, pipe(self->reader.answer));
}

FIXTURE_TEARDOWN_PARENT(rdpmc)
{
	file_write(RDPMC, self->setting);
	linger_set(LINGER_DEFAULT);
}

/*
 * Calls @start while an event of perf_event is mapped, whose permission the
 * child inherits, as it does all of the mm; the event is gone when the child has
 * closed it, too.
 */
static pid_t start_with_permission(pid_t (*start)(void *arg), void *arg)
{
	void *page;
	pid_t pid;

	event = perf_open_instructions();
	if (event < 0)
		return -1;
	page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
		    event, 0);
	if (page == MAP_FAILED)
		return -1;
	pid = start(arg);
	munmap(page, (size_t)sysconf(_SC_PAGESIZE));
	close(event);
	return pid;
}

static pid_t start_reader(void *arg)
{
	return child_start(answer, arg);
}

static pid_t start_spinner(void *arg)
{
	return child_start(spin, arg);
}

TEST_F(rdpmc, a_permission_that_is_left_over_reads_nothing_of_sessions)
{
	int fd;

	self->reader.pid = start_with_permission(start_reader, &self->reader);
	ASSERT_LT(0, self->reader.pid);
	/* Else there would be nothing to see. */
	ASSERT_EQ(1, child_can_read(&self->reader));
	fd = pmu_session(0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, child_can_read(&self->reader));
	close(fd);
	EXPECT_EQ(!self->is_module, child_can_read(&self->reader));
}

TEST_F(rdpmc, nobody_reads_while_perfmon_lingers_and_perf_wants_nothing)
{
	int fd;

	if (self->is_module)
		SKIP(return, "a module gives the PMU back at once");
	self->reader.pid = start_with_permission(start_reader, &self->reader);
	ASSERT_LT(0, self->reader.pid);
	ASSERT_EQ(1, child_can_read(&self->reader));
	ASSERT_EQ(0, linger_set("60000"));
	fd = pmu_session(0);
	ASSERT_LE(0, fd);
	close(fd);
	EXPECT_EQ(0, child_can_read(&self->reader));
	fd = perf_open_instructions();
	ASSERT_LE(0, fd);
	EXPECT_EQ(1, child_can_read(&self->reader));
	close(fd);
}

/* The instruction is taken away under its feet, and given back. */
TEST_F(rdpmc, a_thread_that_runs_on_another_cpu_is_stopped_from_reading)
{
	struct spinner *spinner;
	pid_t pid;
	int fd;

	if (cpus_online() < 2)
		SKIP(return, "needs two processors");
	spinner = mmap(NULL, sizeof(*spinner), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, spinner);
	ASSERT_EQ(0, pin_to_cpu(0));
	pid = start_with_permission(start_spinner, spinner);
	ASSERT_LT(0, pid);
	ASSERT_TRUE(grows(&spinner->reads));
	fd = pmu_session(0);
	ASSERT_LE(0, fd);
	EXPECT_TRUE(grows(&spinner->faults));
	EXPECT_FALSE(grows(&spinner->reads));
	close(fd);
	EXPECT_EQ(!self->is_module, grows(&spinner->reads));
	EXPECT_EQ(self->is_module, grows(&spinner->faults));
	child_kill(pid);
}

/* A session that does not come about takes nothing from perf's users. */
TEST_F(rdpmc, a_refused_session_leaves_perfs_users_reading)
{
	int perf = perf_open_instructions();
	void *page;
	int i;

	ASSERT_LE(0, perf);
	page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
		    perf, 0);
	ASSERT_NE(MAP_FAILED, page);
	/* Not often enough to silence the log for others. */
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(EBUSY, ERRNO(pfm_create_session(0)));
		EXPECT_TRUE(can_rdpmc(0));
	}
}

static int just_end(void *arg)
{
	(void)arg;
	return 0;
}

/*
 * Counts loops. After each the CPU loads a child, which is killed before its first
 * instruction, and this program again: the counter has stood still meanwhile.
 */
static void expect_exact(struct __test_metadata *_metadata, int fd)
{
	uint64_t value, last = 0;
	int i;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	for (i = 0; i < 10; i++) {
		counted_loop(LOOP);
		child_kill(child_start(just_end, NULL));
		ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
		EXPECT_LE(last + LOOP, value);
		EXPECT_GE(last + LOOP + CHILD_COST, value);
		last = value;
	}
}

static void dirty_counters(struct __test_metadata *_metadata)
{
	int perf = perf_open_instructions();

	ASSERT_LE(0, perf);
	ASSERT_EQ(0, ioctl(perf, PERF_EVENT_IOC_ENABLE, 0));
	counted_loop(LOOP);
	close(perf);
}

/* A thread that creates a session on the first CPU, which loads other memory for that. */
struct creator {
	int fd;
	int done;
};

static void *create_elsewhere(void *arg)
{
	struct creator *creator = arg;

	creator->fd = pin_to_cpu(0) ? -1 : pmu_session(0);
	__atomic_store_n(&creator->done, 1, __ATOMIC_RELEASE);
	return NULL;
}

/*
 * The kernel zeroes them when a CPU loads a program that may read: here one that has a
 * page from before, and counts with another one before it is loaded again.
 */
TEST_F(rdpmc, counters_that_perf_has_left_dirty_count_exactly)
{
	struct creator creator = { .fd = pmu_session(0) };
	pthread_t thread;

	if (cpus_online() < 2)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, pin_to_cpu(1));
	ASSERT_NE(NULL, pfm_map_state(creator.fd));
	close(creator.fd);
	dirty_counters(_metadata);
	ASSERT_EQ(0, pthread_create(&thread, NULL, create_elsewhere, &creator));
	while (!__atomic_load_n(&creator.done, __ATOMIC_ACQUIRE))
		;
	ASSERT_NE(NULL, pfm_map_state(creator.fd));
	expect_exact(_metadata, creator.fd);
	pthread_join(thread, NULL);
}

/* A program that may read is isolated only while perfmon has the PMU. */
TEST_F(rdpmc, the_mode_is_changed_without_a_touch_of_perfs_counters)
{
	int perf, fd = pmu_session(0);
	uint64_t count;

	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_NE(NULL, pfm_map_state(fd));
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	close(fd);
	perf = perf_open_instructions();
	ASSERT_LE(0, perf);
	ASSERT_EQ(0, ioctl(perf, PERF_EVENT_IOC_ENABLE, 0));
	counted_loop(LOOP);
	EXPECT_EQ(0, attr_write("rdpmc", "2"));
	EXPECT_EQ(0, attr_write("rdpmc", "1"));
	counted_loop(LOOP);
	count = perf_value(perf);
	EXPECT_LE(2 * LOOP, count);
	EXPECT_GE(2 * LOOP + CHILD_COST, count);
	close(perf);
}

static int create_errno(void *arg)
{
	int fd = pfm_create_session(arg ? PFM_FL_SYSTEM_WIDE : 0);

	return fd < 0 ? errno : 0;
}

TEST_F(rdpmc, where_everybody_reads_sessions_are_for_the_chosen)
{
	int fd;

	ASSERT_EQ(0, file_write(RDPMC, "2"));
	ASSERT_TRUE(can_rdpmc(0));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, create_errno, NULL));
	/* Members of the group that the administrator named. */
	ASSERT_EQ(0, attr_write("task_group", "1234"));
	EXPECT_EQ(self->is_module ? EBUSY : 0,
		  unprivileged(1234, create_errno, NULL));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, create_errno, NULL));
	ASSERT_EQ(0, attr_write("task_group", "-1"));
	/* And who is capable: now nobody reads. */
	fd = pmu_session(0);
	ASSERT_EQ(self->is_module, fd < 0);
	EXPECT_EQ(self->is_module, can_rdpmc(0));
	if (fd >= 0)
		close(fd);
	EXPECT_TRUE(can_rdpmc(0));
	ASSERT_EQ(0, file_write(RDPMC, "1"));
	EXPECT_FALSE(can_rdpmc(0));
	EXPECT_EQ(0, unprivileged(NO_GROUP, create_errno, NULL));
}

TEST_HARNESS_MAIN
