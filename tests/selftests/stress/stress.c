// SPDX-License-Identifier: GPL-2.0-only
/*
 * Everything at once, for a long time: processes whose threads do anything
 * that can be done with sessions and are killed at any moment, while CPUs go
 * and come back, perf_event wants the PMU and the administrator takes it. In the
 * end nothing must be left, and both must count as ever. A kernel that checks
 * itself sees the most.
 *
 *	stress [SECONDS [SEED]]		guest time; 5 and 1 unless given
 */
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include "attr.h"
#include "child.h"
#include "churn.h"
#include "counter_check.h"
#include "fleeting.h"
#include "machine.h"
#include "owner.h"
#include "perf.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "prng.h"
#include "sessions.h"

#define PROCESSES CHURN_PEERS
#define THREADS 3
#define FLEETING 3
#define MAX_CPUS 8
#define MAX_SECONDS 86400
#define MAX_CHANGES_NS 60000000000LL

#define ENABLED "/sys/kernel/perfmon/enabled"

static unsigned int seconds = 5;
static uint64_t seed = 1;

static bool time_is_up(const struct timespec *end)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > end->tv_sec ||
	       (now.tv_sec == end->tv_sec && now.tv_nsec >= end->tv_nsec);
}

static int churn_process(void *arg)
{
	churn_forever(arg, THREADS);
}

FIXTURE(machine)
{
	struct prng prng;
	struct timespec end;
	int64_t changes_ns; /* by which the end may come later still */
	int cpus;
	struct churn churn[PROCESSES];
	pid_t *pids; /* shared with them */
	uint64_t generation;
};

FIXTURE_SETUP(machine)
{
	prng_seed(&self->prng, seed, ~0ULL);
	clock_gettime(CLOCK_MONOTONIC, &self->end);
	self->end.tv_sec += seconds;
	self->changes_ns = MAX_CHANGES_NS;
	self->cpus = cpus_online();
	self->pids = mmap(NULL, PROCESSES * sizeof(pid_t),
			  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			  -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->pids);
	/* Nobody can ask a module for the PMU while it lingers. */
	if (perfmon_is_module())
		ASSERT_EQ(0, linger_set("0"));
	TH_LOG("%u s with seed %llu", seconds, (unsigned long long)seed);
}

/* The machine is whole again, also if the test was killed. */
FIXTURE_TEARDOWN_PARENT(machine)
{
	int cpu;

	for (cpu = 1; cpu < MAX_CPUS; cpu++)
		cpu_set_online(cpu, true);
	linger_set(LINGER_DEFAULT);
	file_write(ENABLED, "1");
}

static void start_process(struct __test_metadata *_metadata,
			  FIXTURE_DATA(machine) * self, int i)
{
	self->churn[i].seed = seed + self->generation++ * 1000;
	self->churn[i].peers = self->pids;
	self->pids[i] = child_start(churn_process, &self->churn[i]);
	ASSERT_LT(0, self->pids[i]);
}

/* It ends by itself only if it has found something. */
static void kill_process(struct __test_metadata *_metadata,
			 FIXTURE_DATA(machine) * self, int i)
{
	int status;

	ASSERT_EQ(0, kill(self->pids[i], SIGKILL));
	ASSERT_EQ(self->pids[i], waitpid(self->pids[i], &status, 0));
	ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
	{
		TH_LOG("process %d of generation %llu: status 0x%x", i,
		       (unsigned long long)self->generation, status);
	}
}

static void start_all(struct __test_metadata *_metadata,
		      FIXTURE_DATA(machine) * self)
{
	int i;

	for (i = 0; i < PROCESSES; i++)
		start_process(_metadata, self, i);
}

static void kill_all(struct __test_metadata *_metadata,
		     FIXTURE_DATA(machine) * self)
{
	int i;

	for (i = 0; i < PROCESSES; i++)
		kill_process(_metadata, self, i);
}

/* Exact as ever. */
static void expect_perf_works(struct __test_metadata *_metadata)
{
	int fd = perf_open_instructions();
	uint64_t constant;

	ASSERT_LE(0, fd);
	constant = perf_count_loop(fd, 2000) - 2000;
	EXPECT_EQ(200000 + constant, perf_count_loop(fd, 200000));
	close(fd);
}

/* All sessions end at once, and whoever wants the PMU then has it. */
static void end_sessions(struct __test_metadata *_metadata)
{
	ASSERT_EQ(0, file_write(ENABLED, "0"));
	expect_perf_works(_metadata);
	ASSERT_EQ(0, file_write(ENABLED, "1"));
}

static void disturb(struct __test_metadata *_metadata,
		    FIXTURE_DATA(machine) * self)
{
	struct timespec pause = { .tv_nsec =
					  prng_below(&self->prng, 20000000) };
	int i = prng_below(&self->prng, PROCESSES);
	int cpu;

	switch (prng_below(&self->prng, 9)) {
	case 0:
		kill_all(_metadata, self);
		EXPECT_TRUE(nothing_is_left());
		expect_perf_works(_metadata);
		start_all(_metadata, self);
		break;
	case 1:
	case 2:
		kill_process(_metadata, self, i);
		start_process(_metadata, self, i);
		break;
	case 3:
	case 4:
		/* While sessions exist it is refused. */
		close(perf_open_instructions());
		break;
	case 5:
		end_sessions(_metadata);
		break;
	default:
		if (self->cpus < 2)
			break;
		cpu = 1 + prng_below(&self->prng, self->cpus - 1);
		cpu_set_online(cpu, prng_one_in(&self->prng, 2));
		break;
	}
	nanosleep(&pause, NULL);
}

static uint64_t count_once(unsigned long instructions)
{
	int fd = pmu_session(0);
	uint64_t value = ~0ULL;

	if (fd < 0)
		return value;
	if (!attach_self(fd) && !counted_run(fd, instructions))
		read_pmd(fd, pmu_first()->pmd, &value);
	close(fd);
	return value;
}

TEST_F_TIMEOUT(machine, survives_and_nothing_is_left, MAX_SECONDS)
{
	uint64_t constant;
	int cpu;

	start_all(_metadata, self);
	while (!time_is_up(&self->end))
		disturb(_metadata, self);
	kill_all(_metadata, self);
	for (cpu = 1; cpu < self->cpus; cpu++)
		cpu_set_online(cpu, true);
	TH_LOG("%llu processes", (unsigned long long)self->generation);

	EXPECT_TRUE(nothing_is_left());
	for (cpu = 0; cpu < self->cpus; cpu++) {
		ASSERT_EQ(0, pin_to_cpu(cpu));
		constant = count_once(2000) - 2000;
		EXPECT_EQ(2000000 + constant, count_once(2000000));
	}
	EXPECT_TRUE(nothing_is_left());
	expect_perf_works(_metadata);
}

static int fleeting_process(void *arg)
{
	fleeting_forever(*(const uint64_t *)arg);
}

/* What it takes is no time of the test, in which sessions come and go. */
static void change_a_cpu(FIXTURE_DATA(machine) * self)
{
	struct timespec begin, now;
	int64_t took;

	if (self->cpus == 1)
		return;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	cpu_set_online(1 + prng_below(&self->prng, self->cpus - 1),
		       prng_one_in(&self->prng, 2));
	clock_gettime(CLOCK_MONOTONIC, &now);
	took = (now.tv_sec - begin.tv_sec) * 1000000000LL +
	       (now.tv_nsec - begin.tv_nsec);
	if (took > self->changes_ns)
		took = self->changes_ns;
	self->changes_ns -= took;
	took += self->end.tv_nsec;
	self->end.tv_sec += took / 1000000000;
	self->end.tv_nsec = took % 1000000000;
}

/* While a CPU comes or goes no session does, for long if the kernel is slow. */
static bool cpu_is_due(struct prng *prng)
{
	return kernel_is_slow() ? prng_one_in(prng, 30) : !prng_one_in(prng, 3);
}

/*
 * The hooks and the PMU come and go with each session that is the first or the
 * last one; processes are killed in the middle of it.
 */
TEST_F_TIMEOUT(machine, sessions_are_the_first_and_the_last, MAX_SECONDS)
{
	struct timespec pause = { 0 };
	uint64_t seeds[FLEETING];
	pid_t pids[FLEETING];
	int64_t taken;
	int i;

	ASSERT_EQ(0, linger_set("0"));
	taken = pmu_taken();
	for (i = 0; i < FLEETING; i++) {
		seeds[i] = seed + i;
		pids[i] = child_start(fleeting_process, &seeds[i]);
		ASSERT_LT(0, pids[i]);
	}
	while (!time_is_up(&self->end)) {
		pause.tv_nsec = prng_below(&self->prng, 40000000);
		nanosleep(&pause, NULL);
		if (cpu_is_due(&self->prng)) {
			change_a_cpu(self);
			continue;
		}
		i = prng_below(&self->prng, FLEETING);
		child_kill(pids[i]);
		seeds[i] += 1000;
		pids[i] = child_start(fleeting_process, &seeds[i]);
		ASSERT_LT(0, pids[i]);
	}
	for (i = 0; i < FLEETING; i++)
		child_kill(pids[i]);
	taken = pmu_taken() - taken;
	TH_LOG("the PMU was taken %lld times", (long long)taken);
	EXPECT_LT(seconds, taken);
	EXPECT_TRUE(nothing_is_left());
	EXPECT_EQ(0, hooks_enabled());
	expect_perf_works(_metadata);
}

int main(int argc, char **argv)
{
	if (!strcmp(argv[0], CHURN_EXEC))
		return churn_exec();
	/* Options are the harness's. */
	if (argc > 1 && argv[1][0] != '-') {
		seconds = strtoul(argv[1], NULL, 0);
		if (argc > 2)
			seed = strtoull(argv[2], NULL, 0);
	}
	return test_harness_run(argc, argv);
}
