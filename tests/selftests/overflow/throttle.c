// SPDX-License-Identifier: GPL-2.0-only
/*
 * Storms of overflows: who is stopped for them, for how long, and what is told
 * of it afterwards.
 */
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include "attr.h"
#include "child.h"
#include "cpu_time.h"
#include "default_format.h"
#include "event_set.h"
#include "family.h"
#include "family_buffers.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "module.h"
#include "must.h"
#include "overflow_period.h"
#include "perfmon_histogram.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

/* A few ticks, in instructions and in ms. */
#define TICKS_LOOP 3000000UL
#define TICKS_MS 20

/* In ns, from one thing that the clock is asked about to the next. */
#define CLOCK_SLACK 3000000ULL

static int64_t stat_sum(const char *name)
{
	char path[128];
	int64_t sum = 0;
	int cpu;

	for (cpu = 0; cpu < cpus_online(); cpu++) {
		snprintf(path, sizeof(path), PERFMON_DEBUGFS "cpu%d/%s", cpu,
			 name);
		sum += file_number(path);
	}
	return sum;
}

static uint64_t loss_of(int fd, unsigned int which)
{
	struct pfarg_setinfo info = { 0 };

	if (pfm_getinfo_sets(fd, PFM_GIFL_LOSS, &info, 1))
		return ~0ULL;
	return info.set_reserved3[which];
}

/* A session that storms and goes on: each overflow is reset, nobody is told. */
FIXTURE(storm)
{
	struct sampler sampler;
	int fd;
	uint16_t pmd;
};

FIXTURE_SETUP(storm)
{
	NEEDS_INTERRUPTS();
	/* CPUs that share the time of the machine have too little of it. */
	if (cpus_online() > 1 || kernel_is_slow())
		SKIP(return, "a storm needs the whole machine");
	ASSERT_EQ(0, sampler_open(&self->sampler, 0, 16 << 20));
	self->fd = self->sampler.fd;
	self->pmd = pmu_first()->pmd;
	ASSERT_EQ(0, period_program(self->fd, pmu_first(), 0, 1, NULL));
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN(storm)
{
	sampler_close(&self->sampler);
}

static uint64_t samples(const struct sampler *sampler)
{
	return ((volatile struct pfm_dfl_smpl_hdr *)sampler->hdr)->hdr_count;
}

/* Runs until it is stopped: 100 instructions without a sample. */
static bool storm_until_throttled(const struct sampler *sampler)
{
	uint64_t before;
	int i;

	for (i = 0; i < 1000; i++) {
		before = samples(sampler);
		counted_loop(100);
		if (samples(sampler) == before)
			return true;
	}
	return false;
}

TEST_F(storm, is_stopped_and_goes_on)
{
	uint64_t before;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_TRUE(storm_until_throttled(&self->sampler));
	before = samples(&self->sampler);
	cpu_time_spend(TICKS_MS * 1000000);
	EXPECT_LT(before, samples(&self->sampler));
	EXPECT_EQ(0, pfm_stop_session(self->fd, 0));
}

TEST_F(storm, does_not_go_on_after_a_stop)
{
	uint64_t before, duration;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_TRUE(storm_until_throttled(&self->sampler));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	before = samples(&self->sampler);
	duration = set_duration(self->fd, 0);
	counted_loop(TICKS_LOOP);
	EXPECT_EQ(before, samples(&self->sampler));
	EXPECT_EQ(duration, set_duration(self->fd, 0));
}

static uint64_t wall_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

TEST_F(storm, the_time_it_was_stopped_is_told_and_not_counted)
{
	uint64_t before, begin, total, wall, duration, lost;

	before = cpu_time();
	begin = wall_time();
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(3 * TICKS_LOOP);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	total = cpu_time() - before;
	wall = wall_time() - begin;
	duration = set_duration(self->fd, 0);
	lost = loss_of(self->fd, PFM_LOSS_THROTTLED_NS);
	EXPECT_LT(0, lost);
	/* A module cannot tell interrupts from the thread. */
	EXPECT_GE(perfmon_is_module() ? wall : total, duration + lost);
	EXPECT_LE(total, duration + lost + CLOCK_SLACK);
	EXPECT_EQ(0, loss_of(self->fd, PFM_LOSS_BLIND_NS));
}

TEST_F(storm, the_statistics_tell_of_it)
{
	int64_t count, length;

	ASSERT_EQ(0, attr_write("reset_stats", "1"));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(3 * TICKS_LOOP);
	ASSERT_TRUE(storm_until_throttled(&self->sampler));
	counted_loop(TICKS_LOOP);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	count = stat_sum("throttled_count");
	length = stat_sum("throttled_jiffies");
	EXPECT_LT(1, count);
	/* Two or three each; the last one need not be over. */
	EXPECT_LE(2 * (count - 1), length);
	EXPECT_GE(3 * count, length);
}

/* A thread that is never there when the tick comes. */
TEST_F(storm, a_thread_of_short_bursts_goes_on_in_time)
{
	struct pfarg_pmd_attr attr = { .reg_short_reset = -(1ULL << 40) };
	const struct timespec pause = { .tv_nsec = 10000000 };
	uint64_t before, after;
	int i;

	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_TRUE(storm_until_throttled(&self->sampler));
	ASSERT_EQ(0,
		  write_pmd_attr(self->fd, self->pmd, 0, -(1ULL << 40), &attr));
	for (i = 0; i < 50; i++) {
		nanosleep(&pause, NULL);
		ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &before));
		counted_loop(2000);
		ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &after));
		EXPECT_LE(2000, after - before);
	}
	EXPECT_GT(200 * 1000 * 1000, loss_of(self->fd, PFM_LOSS_THROTTLED_NS));
}

TEST(a_storm_does_not_go_on_when_a_restart_masks_it)
{
	struct histogram_arg arg = {
		.buckets = 64,
		.full = 1,
		.ctrl = HISTOGRAM_RESET,
		/* Notifies and storms on. */
		.full_ctrl = HISTOGRAM_RESET | HISTOGRAM_NOTIFY,
		.restart_ctrl = HISTOGRAM_MASK,
	};
	uint64_t before, after;
	int fd, i;

	NEEDS_INTERRUPTS();
	if (cpus_online() > 1 || kernel_is_slow())
		SKIP(return, "a storm needs the whole machine");
	ASSERT_EQ(0, module_load("perfmon_histogram", ""));
	fd = pfm_create_session(PFM_FL_SMPL_FMT | PFM_FL_OVFL_NO_MSG,
				"histogram", &arg, sizeof(arg));
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmu_count_user(fd, pmu_first(), 0));
	ASSERT_EQ(0,
		  write_pmd_attr(
			  fd, pmu_first()->pmd, PFM_REGFL_OVFL_NOTIFY, -1,
			  &(struct pfarg_pmd_attr){ .reg_short_reset = -1 }));
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	/* It is throttled when 100 instructions take no time of its own. */
	for (i = 0; i < 1000; i++) {
		before = set_duration(fd, 0);
		counted_loop(100);
		if (set_duration(fd, 0) == before)
			break;
	}
	ASSERT_GT(1000, i);
	ASSERT_EQ(0, ERRNO(period_restart(fd)));
	before = set_duration(fd, 0);
	counted_loop(TICKS_LOOP);
	after = set_duration(fd, 0);
	EXPECT_EQ(before, after);
	EXPECT_LT(0, loss_of(fd, PFM_LOSS_BLIND_NS));
	close(fd);
	EXPECT_EQ(0, module_unload("perfmon_histogram"));
}

struct victim {
	volatile int go;
	volatile int done;
	volatile uint64_t count, throttled;
};

#define VICTIM_PERIOD 1000
#define VICTIM_LOOPS 300
#define VICTIM_LOOP 10000

/* Takes turns with whoever else is on the CPU, and overflows in each. */
static int take_turns(void *arg)
{
	struct victim *victim = arg;
	struct sampler sampler;
	int i;

	if (sampler_open(&sampler, 0, 1 << 20) ||
	    period_program(sampler.fd, pmu_first(), 0, VICTIM_PERIOD, NULL) ||
	    attach_self(sampler.fd) || pfm_start_session(sampler.fd, 0))
		return 1;
	for (i = 0; i < VICTIM_LOOPS; i++) {
		counted_loop(VICTIM_LOOP);
		sched_yield();
	}
	if (pfm_stop_session(sampler.fd, 0))
		return 1;
	victim->count = samples(&sampler);
	victim->throttled = loss_of(sampler.fd, PFM_LOSS_THROTTLED_NS);
	victim->done = 1;
	return 0;
}

/* Storms of the caller, who takes turns with a victim until that has ended. */
static void storm_beside(const struct sampler *sampler,
			 const struct victim *victim)
{
	while (!victim->done) {
		counted_loop(2000);
		if (samples(sampler) > 100000)
			break;
		sched_yield();
	}
}

static int victim_of_another_user(void *arg)
{
	return unprivileged(NO_GROUP, take_turns, arg);
}

static void expect_no_harm(struct __test_metadata *_metadata,
			   FIXTURE_DATA(storm) * self, child_fn other)
{
	struct victim *victim;
	pid_t pid;

	victim = mmap(NULL, sizeof(*victim), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, victim);
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	pid = child_start(other, victim);
	ASSERT_LT(0, pid);
	storm_beside(&self->sampler, victim);
	ASSERT_EQ(0, child_wait(pid));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_LT(0, loss_of(self->fd, PFM_LOSS_THROTTLED_NS));
	EXPECT_EQ(0, victim->throttled);
	EXPECT_LE(VICTIM_LOOPS * VICTIM_LOOP / VICTIM_PERIOD, victim->count);
	munmap(victim, sizeof(*victim));
}

TEST_F_TIMEOUT(storm, does_not_stop_the_session_of_another_user, 60)
{
	expect_no_harm(_metadata, self, victim_of_another_user);
}

TEST_F_TIMEOUT(storm, does_not_stop_another_session_of_the_user, 60)
{
	expect_no_harm(_metadata, self, take_turns);
}

static int storming_family(void)
{
	int fd = family_create(0, 1 << 20, PFM_DFL_SMPL_HALVES);

	if (fd >= 0)
		must(period_program(fd, pmu_first(), 0, 60, NULL),
		     "a family that storms");
	return fd;
}

/* The target only makes the threads, and these have parts. */
TEST(members_of_a_family_are_stopped_too)
{
	static const char *const threads[FAMILY_WORDS] = { "threads", "4",
							   "4000000" };
	union pfarg_msg msg;
	int fd;

	NEEDS_INTERRUPTS();
	if (cpus_online() > 1 || kernel_is_slow())
		SKIP(return, "a storm needs the whole machine");
	fd = storming_family();
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, child_wait(family_start(fd, threads)));
	ASSERT_EQ(0, message_wait(fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_LT(0, loss_of(fd, PFM_LOSS_THROTTLED_NS));
	close(fd);
}

/* Has a child that lives on, and ends while it is stopped. */
static int storm_and_leave(void *arg)
{
	int fd = *(int *)arg;
	uint64_t before;

	if (attach_self(fd) || pfm_start_session(fd, 0))
		return 1;
	if (!fork()) {
		sleep(1);
		_exit(0);
	}
	do {
		counted_loop(TICKS_LOOP);
		before = loss_of(fd, PFM_LOSS_THROTTLED_NS);
	} while (loss_of(fd, PFM_LOSS_THROTTLED_NS) == before);
	return 0;
}

TEST(a_target_that_has_left_its_family_is_stopped_no_more)
{
	uint64_t lost;
	int fd;

	NEEDS_INTERRUPTS();
	if (cpus_online() > 1 || kernel_is_slow())
		SKIP(return, "a storm needs the whole machine");
	fd = storming_family();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, child_wait(child_start(storm_and_leave, &fd)));
	lost = loss_of(fd, PFM_LOSS_THROTTLED_NS);
	EXPECT_LT(0, lost);
	EXPECT_GT(1000000000, lost);
	usleep(20000);
	EXPECT_EQ(lost, loss_of(fd, PFM_LOSS_THROTTLED_NS));
	close(fd);
}

TEST_HARNESS_MAIN
