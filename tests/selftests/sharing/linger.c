// SPDX-License-Identifier: GPL-2.0-only
/*
 * The second after the last session: perfmon keeps the PMU and the hooks, so
 * that a loop of create and close disturbs nobody, and whoever else wants the
 * PMU has it at once.
 */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "attr.h"
#include "child.h"
#include "counter_check.h"
#include "function_calls.h"
#include "machine.h"
#include "msr.h"
#include "owner.h"
#include "perf.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define NMI_WATCHDOG "/proc/sys/kernel/nmi_watchdog"
#define CPU1_ONLINE "/sys/devices/system/cpu/cpu1/online"

/* Of a loop that would interrupt all CPUs several times in each. */
#define TURNS 300

/* In a second. */
#define OFTEN 10

/* The wait of who takes the PMU back from somebody who wanted it. */
#define REST_MS 100

static long ms_since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - begin->tv_sec) * 1000 +
	       (now.tv_nsec - begin->tv_nsec) / 1000000;
}

/* Nobody can ask a module for the PMU. */
#define NOT_OF_A_MODULE()                                                    \
	do {                                                                 \
		if (perfmon_is_module())                                     \
			SKIP(return, "a module gives the PMU back at once"); \
	} while (0)

/* The last session of many comes and goes. */
static int create_and_close(void)
{
	int fd = pfm_create_session(0);

	return fd < 0 ? -1 : close(fd);
}

FIXTURE(linger)
{
	char unused;
};

FIXTURE_SETUP(linger)
{
	(void)self;
	ASSERT_EQ(0, linger_set("0"));
	ASSERT_EQ(0, hooks_enabled());
	ASSERT_EQ(0, linger_set(LINGER_DEFAULT));
}

FIXTURE_TEARDOWN_PARENT(linger)
{
	(void)self;
	linger_set(LINGER_DEFAULT);
}

TEST_F(linger, nobody_owns_the_pmu_and_the_hooks_stay_for_a_second)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	struct timespec begin;

	NOT_OF_A_MODULE();
	ASSERT_EQ(0, create_and_close());
	clock_gettime(CLOCK_MONOTONIC, &begin);
	EXPECT_TRUE(pmu_owner_is("none"));
	EXPECT_EQ(1, hooks_enabled());
	while (hooks_enabled() && ms_since(&begin) < 10000)
		nanosleep(&pause, NULL);
	EXPECT_EQ(0, hooks_enabled());
	EXPECT_LE(990, ms_since(&begin));
	EXPECT_TRUE(pmu_owner_is("none"));
	EXPECT_STREQ("", perf_trouble());
}

TEST_F(linger, each_session_begins_the_second_anew)
{
	const struct timespec half = { .tv_nsec = 600000000 };
	struct timespec closed;
	int64_t taken = pmu_taken();
	int late = 0, i;

	NOT_OF_A_MODULE();
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, create_and_close());
		/* What a slow kernel may add to the sleep. */
		late += i && ms_since(&closed) > 990;
		clock_gettime(CLOCK_MONOTONIC, &closed);
		nanosleep(&half, NULL);
		EXPECT_TRUE(hooks_enabled() || ms_since(&closed) > 990);
	}
	EXPECT_LE(taken + 1, pmu_taken());
	EXPECT_GE(taken + 1 + late, pmu_taken());
}

TEST_F(linger, a_session_after_it_counts_exactly)
{
	uint64_t value;
	int fd;

	ASSERT_EQ(0, create_and_close());
	fd = pmu_session(0);
	ASSERT_LE(0, fd);
	EXPECT_TRUE(pmu_owner_is(pmu_get()->counters ? "perfmon" : "none"));
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, counted_run(fd, 2000000));
	ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	EXPECT_LE(2000000, value);
	EXPECT_GE(2000200, value);
	/* It is no session on offer. */
	EXPECT_EQ(EBUSY, ERRNO(perf_open_instructions()));
	close(fd);
}

TEST_F(linger, perf_has_the_pmu_right_after_the_last_close)
{
	int i, fd;

	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, create_and_close());
		fd = perf_open_instructions();
		ASSERT_LE(0, fd);
		EXPECT_TRUE(pmu_owner_is("perf_event"));
		EXPECT_EQ(EBUSY, ERRNO(pfm_create_session(0)));
		close(fd);
	}
	ASSERT_EQ(0, create_and_close());
	EXPECT_STREQ("", perf_trouble());
}

/* Function calls of CPU 1 during a loop of create and close, or -1. */
static long function_calls_of_loop(void)
{
	long calls = function_calls(1);
	int i;

	for (i = 0; i < TURNS; i++)
		if (calls < 0 || create_and_close())
			return -1;
	return function_calls(1) - calls;
}

TEST_F(linger, a_loop_of_create_and_close_disturbs_no_other_cpu)
{
	struct pmu_accesses accesses;
	int64_t taken;
	long calls = TURNS;
	int tries = kernel_is_slow() ? 5 : 1;
	int msr;

	NOT_OF_A_MODULE();
	if (cpus_online() < 2)
		SKIP(return, "needs two processors");
	msr = msr_open(1);
	if (msr < 0)
		SKIP(return, "this is not the test machine");
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, create_and_close());
	taken = pmu_taken();
	accesses = pmu_accesses(msr);
	/*
	 * The kernel wakes its own threads there: less than one in each turn, though
	 * one that checks itself not at any time. What perfmon sent would come in each
	 * loop, and twice a turn.
	 */
	while (tries-- && calls >= TURNS)
		calls = function_calls_of_loop();
	accesses = pmu_accesses_since(msr, &accesses);
	EXPECT_EQ(0, accesses.wrmsr);
	EXPECT_EQ(0, accesses.rdmsr);
	EXPECT_LE(0, calls);
	EXPECT_GT(TURNS, calls);
	EXPECT_EQ(taken, pmu_taken());
}

TEST_F(linger, zero_gives_the_pmu_back_at_once)
{
	int64_t taken = pmu_taken();
	int i;

	NOT_OF_A_MODULE();
	ASSERT_EQ(0, create_and_close());
	EXPECT_EQ(1, hooks_enabled());
	EXPECT_EQ(0, linger_set("0"));
	EXPECT_EQ(0, hooks_enabled());
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(0, create_and_close());
		EXPECT_EQ(0, hooks_enabled());
	}
	EXPECT_EQ(taken + 6, pmu_taken());
}

TEST_F(linger, what_is_no_time_is_refused)
{
	static const char *const bad[] = { "60001", "-1", "soon",
					   "4294967296" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(EINVAL, linger_set(bad[i]))
		{
			TH_LOG("%s", bad[i]);
		}
	}
	EXPECT_EQ(1000, file_number(PERFMON_DEBUGFS "linger_ms"));
	EXPECT_EQ(0, linger_set("60000"));
	EXPECT_EQ(60000, file_number(PERFMON_DEBUGFS "linger_ms"));
}

/* perf wants the PMU, has it, and is gone again. */
static int demand(void)
{
	int fd;

	if (create_and_close())
		return -1;
	fd = perf_open_instructions();
	return fd < 0 ? -1 : close(fd);
}

TEST_F(linger, taking_the_pmu_back_from_perf_waits)
{
	struct timespec begin;
	long waited, again, usual;

	NOT_OF_A_MODULE();
	ASSERT_EQ(0, demand());
	clock_gettime(CLOCK_MONOTONIC, &begin);
	ASSERT_EQ(0, create_and_close());
	waited = ms_since(&begin);
	/* Of the time, perf has had a little; all of it if the kernel is slow. */
	if (!kernel_is_slow())
		EXPECT_LE(REST_MS - 50, waited);
	EXPECT_GT(REST_MS + 900, waited);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	ASSERT_EQ(0, create_and_close());
	again = ms_since(&begin);
	/* It does not wait; on a slow kernel it takes a while all the same. */
	clock_gettime(CLOCK_MONOTONIC, &begin);
	ASSERT_EQ(0, create_and_close());
	usual = kernel_is_slow() ? ms_since(&begin) : 0;
	EXPECT_GT(REST_MS - 50 + usual, again);
}

static int create_one(void *arg)
{
	(void)arg;
	return create_and_close();
}

TEST_F(linger, who_waits_can_be_killed)
{
	const struct timespec little = { .tv_nsec = 5000000 };
	bool took = true;
	int64_t taken;
	pid_t pid;
	int i;

	NOT_OF_A_MODULE();
	/* Before it takes the PMU, if the machine is quick enough. */
	for (i = 0; i < 10 && took; i++) {
		ASSERT_EQ(0, demand());
		taken = pmu_taken();
		pid = child_start(create_one, NULL);
		nanosleep(&little, NULL);
		child_kill(pid);
		took = pmu_taken() > taken;
	}
	/* perf's event alone lasts as long as the rest in a slow kernel. */
	if (!kernel_is_slow())
		EXPECT_FALSE(took);
	ASSERT_EQ(0, create_and_close());
}

/* Which a module lets linger all the same: otherwise it would be patched all the time. */
TEST_F(linger, a_module_keeps_the_pmu_once_it_has_changed_hands_often)
{
	const struct timespec second = { .tv_sec = 1, .tv_nsec = 100000000 };
	int64_t taken;
	int i, fd;

	if (!perfmon_is_module())
		SKIP(return, "perfmon is no module here");
	nanosleep(&second, NULL);
	taken = pmu_taken();
	for (i = 0; i < OFTEN - 1; i++) {
		ASSERT_EQ(0, create_and_close());
		EXPECT_EQ(0, hooks_enabled());
	}
	for (i = 0; i < OFTEN; i++) {
		ASSERT_EQ(0, create_and_close());
		EXPECT_EQ(1, hooks_enabled());
	}
	EXPECT_EQ(taken + OFTEN, pmu_taken());
	EXPECT_EQ(EBUSY, ERRNO(perf_open_instructions()));
	nanosleep(&second, NULL);
	EXPECT_EQ(0, hooks_enabled());
	fd = perf_open_instructions();
	EXPECT_LE(0, fd);
	close(fd);
}

FIXTURE(watchdog)
{
	char setting[16];
};

FIXTURE_SETUP(watchdog)
{
	if (file_read(NMI_WATCHDOG, self->setting, sizeof(self->setting)))
		SKIP(return, "this kernel has no NMI watchdog");
	if (cpus_online() < 2)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, linger_set(LINGER_DEFAULT));
	ASSERT_EQ(0, pin_to_cpu(0));
}

FIXTURE_TEARDOWN_PARENT(watchdog)
{
	file_write(NMI_WATCHDOG, self->setting);
	file_write(CPU1_ONLINE, "1");
}

/*
 * Its event is created while the CPU comes up, with the lock of CPU hotplug
 * held; the second of lingering has begun before.
 */
TEST_F(watchdog, a_cpu_that_comes_up_in_that_second_gets_its_watchdog)
{
	int fd;

	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "0"));
	fd = pfm_create_session(0);
	ASSERT_LE(0, fd);
	/* It watches nothing yet: the PMU is taken. */
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "1"));
	ASSERT_EQ(0, file_write(CPU1_ONLINE, "0"));
	close(fd);
	EXPECT_TRUE(pmu_owner_is("none"));
	ASSERT_EQ(0, file_write(CPU1_ONLINE, "1"));
	EXPECT_TRUE(pmu_owner_is("nmi_watchdog"));
	EXPECT_EQ(EBUSY, ERRNO(pfm_create_session(0)));
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "0"));
	EXPECT_EQ(0, create_and_close());
}

TEST_F(watchdog, switching_it_on_in_that_second_gives_it_the_pmu)
{
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "0"));
	ASSERT_EQ(0, create_and_close());
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "1"));
	EXPECT_TRUE(pmu_owner_is("nmi_watchdog"));
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "0"));
}

struct hotplug {
	pthread_t thread;
	bool over;
	int failures;
};

static void *cpu1_comes_and_goes(void *arg)
{
	struct hotplug *hotplug = arg;

	while (!__atomic_load_n(&hotplug->over, __ATOMIC_RELAXED)) {
		hotplug->failures += !!file_write(CPU1_ONLINE, "0");
		hotplug->failures += !!file_write(CPU1_ONLINE, "1");
	}
	return NULL;
}

/* The registers of a CPU that was on its way belong to whoever has the rest. */
TEST_F(watchdog, demands_meet_cpus_that_come_and_go)
{
	const struct timespec second = { .tv_sec = 1, .tv_nsec = 100000000 };
	struct hotplug hotplug = { .over = false };
	int i, fd;

	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "0"));
	ASSERT_EQ(0, pthread_create(&hotplug.thread, NULL, cpu1_comes_and_goes,
				    &hotplug));
	for (i = 0; i < repetitions(40); i++) {
		EXPECT_EQ(0, create_and_close());
		fd = perf_open_instructions();
		/* A module keeps the PMU after many of these. */
		EXPECT_TRUE(fd >= 0 || (perfmon_is_module() && errno == EBUSY));
		close(fd);
	}
	__atomic_store_n(&hotplug.over, true, __ATOMIC_RELAXED);
	pthread_join(hotplug.thread, NULL);
	EXPECT_EQ(0, hotplug.failures);
	nanosleep(&second, NULL);
	ASSERT_EQ(0, pin_to_cpu(1));
	EXPECT_STREQ("", perf_trouble());
}

TEST_HARNESS_MAIN
