// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupt-mode counters of the low-level core, through the test module: they
 * overflow each time at the very instruction, for every counter, beside other
 * counters, on several processors, and whatever else used the counter in
 * between.
 */
#include <pthread.h>

#include "imode_model.h"
#include "kmsg.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmu.h"

#define MAX_CPUS PERFCTR_PROBE_SLOTS

FIXTURE(imode)
{
	int fd;
	int kmsg;
	const struct pmu *pmu;
	struct perfctr_probe_log log;
	struct perfctr_probe_record records[PERFCTR_PROBE_LOG_RECORDS];
};

FIXTURE_SETUP(imode)
{
	const char *skip;

	self->kmsg = kmsg_open();
	self->fd = probe_start(PERFCTR_PROBE_PCINT, &skip);
	if (skip)
		SKIP(return, "%s", skip);
	ASSERT_LE(0, self->fd);
	self->pmu = pmu_get();
	ASSERT_EQ(0, pin_to_cpu(0));
}

FIXTURE_TEARDOWN(imode)
{
	/* Whatever came last must not have left an interrupt behind. */
	ASSERT_EQ(0, probe_log(self->fd, 0, self->records, &self->log));
	EXPECT_EQ(0, self->log.recorded + self->log.spurious + self->log.late);
	close(self->fd);
	EXPECT_EQ(0, probe_unload());
	EXPECT_FALSE(kmsg_says(self->kmsg, "unknown"));
	EXPECT_FALSE(kmsg_says(self->kmsg, "WARNING"));
}

/* A control with one i-mode counter and nothing else. */
static struct probe_control one(const struct pmu_counter *counter, int period)
{
	return (struct probe_control){
		.i_mode = { counter },
		.period = { period },
	};
}

/* Does a run here and compares what the log of the CPU says of it. */
static void run(struct __test_metadata *_metadata, FIXTURE_DATA(imode) * self,
		struct predicted *p, int cpu, unsigned long iterations)
{
	const char *wrong;
	int i;

	ASSERT_EQ(0, probe_run(self->fd, (int)p->slot, iterations));
	ASSERT_EQ(0, probe_log(self->fd, cpu, self->records, &self->log));
	wrong = predict_run(p, iterations, self->records, self->log.recorded);
	EXPECT_EQ(NULL, wrong)
	{
		TH_LOG("%s", wrong);
	}
	EXPECT_EQ(0, self->log.lost);
	EXPECT_EQ(0, self->log.spurious);
	EXPECT_EQ(0, self->log.late);
	for (i = 0; i < p->first + p->n; i++)
		EXPECT_EQ(p->sum, probe_sum(self->fd, (int)p->slot, i));
}

static const struct {
	int period;
	unsigned long iterations;
} periods[] = {
	{ 1, 20 },	 { 2, 100 },	   { 3, 1000 },
	{ 997, 500000 }, { 1000, 500000 }, { 100000, 5000000 },
};

TEST_F_TIMEOUT(imode, each_counter_overflows_at_the_very_instruction, 300)
{
	struct predicted p;
	unsigned int i, j;

	for (i = 0; i < self->pmu->counters; i++) {
		for (j = 0; j < ARRAY_SIZE(periods); j++) {
			struct probe_control control =
				one(&self->pmu->counter[i], periods[j].period);

			ASSERT_EQ(0, predict_set(self->fd, 0, &control, &p));
			run(_metadata, self, &p, 0, periods[j].iterations);
			if (!__test_passed(_metadata)) {
				TH_LOG("counter %u, period %d", i,
				       periods[j].period);
				return;
			}
			EXPECT_EQ(probe_run_length(periods[j].iterations) /
					  (unsigned int)periods[j].period,
				  self->log.recorded);
		}
	}
}

TEST_F(imode, an_overflow_at_the_system_call_is_found_in_the_kernel)
{
	const unsigned long iterations = 501;
	const int period = (int)probe_run_length(iterations) / 5;
	struct probe_control control = one(pmu_first(), period);
	struct predicted p;

	ASSERT_EQ(probe_run_length(iterations), 5 * period);
	ASSERT_EQ(0, predict_set(self->fd, 0, &control, &p));
	run(_metadata, self, &p, 0, iterations);
	ASSERT_EQ(5, self->log.recorded);
	EXPECT_TRUE(probe_in_kernel(self->records[4].ip));
	/* The next run begins with a full period. */
	run(_metadata, self, &p, 0, iterations);
}

TEST_F(imode, a_period_goes_on_from_run_to_run)
{
	struct probe_control control = one(pmu_first(), 1000);
	struct predicted p;
	int i;

	ASSERT_EQ(0, predict_set(self->fd, 0, &control, &p));
	for (i = 0; i < 50; i++)
		run(_metadata, self, &p, 0, 123 + 3 * (unsigned long)i);
	EXPECT_LT(10000, p.sum);
}

TEST_F(imode, counters_that_only_count_stand_beside_one_that_interrupts)
{
	const struct pmu_counter *counter = self->pmu->counter;
	struct probe_control control = {
		.a_mode = { &counter[0] },
		.i_mode = { &counter[1] },
		.period = { 997 },
	};
	struct predicted p;
	unsigned int i;

	if (self->pmu->counters < 2)
		SKIP(return, "needs two counters");
	ASSERT_EQ(0, predict_set(self->fd, 0, &control, &p));
	ASSERT_EQ(1, p.first);
	run(_metadata, self, &p, 0, 50000);

	/* Two of each kind; the sums of the records contain all of them. */
	if (self->pmu->counters < 4)
		return;
	control.a_mode[1] = &counter[2];
	control.i_mode[1] = &counter[3];
	control.period[1] = 1000;
	ASSERT_EQ(0, predict_set(self->fd, 0, &control, &p));
	run(_metadata, self, &p, 0, 50000);
	ASSERT_LT(150, self->log.recorded);
	for (i = 0; i < self->log.recorded; i++)
		ASSERT_EQ(self->records[i].sum[0], self->records[i].sum[3]);
}

TEST_F(imode, two_counters_interrupt_each_with_its_period)
{
	const struct pmu_counter *counter = self->pmu->counter;
	struct probe_control control = {
		.i_mode = { &counter[0], &counter[1] },
		.period = { 997, 1000 },
	};
	struct predicted p;

	if (self->pmu->counters < 2)
		SKIP(return, "needs two counters");
	ASSERT_EQ(0, predict_set(self->fd, 0, &control, &p));
	run(_metadata, self, &p, 0, 505000);

	/* Every second overflow of one is an overflow of both. */
	control.period[0] = 500;
	ASSERT_EQ(0, predict_set(self->fd, 0, &control, &p));
	run(_metadata, self, &p, 0, 50000);
	ASSERT_EQ(200, self->log.recorded);
	EXPECT_EQ(1, self->records[0].overflowed);
	EXPECT_EQ(3, self->records[1].overflowed);
}

TEST_F(imode, the_last_counters_interrupt_like_the_first)
{
	const unsigned int last = self->pmu->counters - 1;
	struct probe_control control = {
		.i_mode = { &self->pmu->counter[last], pmu_first() },
		.period = { 1000, 997 },
	};
	struct predicted p;

	if (!last)
		SKIP(return, "needs two counters");
	ASSERT_EQ(0, predict_set(self->fd, 0, &control, &p));
	run(_metadata, self, &p, 0, 100000);
}

/* One of several processors that run at the same time. */
struct worker {
	pthread_t thread;
	pthread_barrier_t *barrier;
	int fd;
	int cpu;
	unsigned long iterations;
	long failed;
};

/* Nothing else executes on the processor between the barriers. */
static void *run_between_barriers(void *arg)
{
	struct worker *worker = arg;

	worker->failed = pin_to_cpu(worker->cpu);
	pthread_barrier_wait(worker->barrier);
	worker->failed |=
		probe_run(worker->fd, worker->cpu, worker->iterations);
	pthread_barrier_wait(worker->barrier);
	return NULL;
}

static void run_on_all(struct __test_metadata *_metadata,
		       FIXTURE_DATA(imode) * self, int cpus, int period,
		       unsigned long overflows)
{
	struct worker workers[MAX_CPUS] = { 0 };
	struct predicted p[MAX_CPUS];
	pthread_barrier_t barrier;
	const char *wrong;
	int i;

	ASSERT_EQ(0, pthread_barrier_init(&barrier, NULL, cpus));
	for (i = 0; i < cpus; i++) {
		struct probe_control control = one(pmu_first(), period + i);

		ASSERT_EQ(0, predict_set(self->fd, i, &control, &p[i]));
		workers[i].barrier = &barrier;
		workers[i].fd = self->fd;
		workers[i].cpu = i;
		workers[i].iterations = overflows / 2 * (unsigned long)period;
	}
	for (i = 1; i < cpus; i++)
		ASSERT_EQ(0, pthread_create(&workers[i].thread, NULL,
					    run_between_barriers, &workers[i]));
	run_between_barriers(&workers[0]);
	for (i = 1; i < cpus; i++)
		pthread_join(workers[i].thread, NULL);
	for (i = 0; i < cpus; i++) {
		ASSERT_EQ(0, workers[i].failed);
		ASSERT_EQ(0, probe_log(self->fd, i, self->records, &self->log));
		wrong = predict_run(&p[i], workers[i].iterations, self->records,
				    self->log.recorded);
		EXPECT_EQ(NULL, wrong)
		{
			TH_LOG("cpu %d: %s", i, wrong);
		}
		EXPECT_EQ(p[i].sum, probe_sum(self->fd, i, 0));
		EXPECT_EQ(0, self->log.spurious + self->log.late);
	}
}

TEST_F_TIMEOUT(imode, all_processors_at_once_are_exact, 300)
{
	int cpus = cpus_that_count();

	if (cpus < 2)
		SKIP(return, "needs two processors");
	if (cpus > MAX_CPUS)
		cpus = MAX_CPUS;
	run_on_all(_metadata, self, cpus, 997, 1800);
	run_on_all(_metadata, self, cpus, 1000, 1800);
	run_on_all(_metadata, self, cpus, 100000, 100);
}

TEST_F(imode, a_state_that_comes_back_to_a_cpu_finds_no_stale_counter)
{
	struct probe_control control = one(pmu_first(), 1000);
	struct predicted p;
	int i;

	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, predict_set(self->fd, 0, &control, &p));
	/* 401 instructions here, 401 there: both within a period. */
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, pin_to_cpu(i % 2));
		run(_metadata, self, &p, i % 2, 199);
	}
	EXPECT_EQ(40100, p.sum);
	/* Twice in one place, once in the other. */
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, pin_to_cpu(i % 3 == 2));
		run(_metadata, self, &p, i % 3 == 2, 199);
	}
}

/*
 * Runs slot 0, which interrupts, up to just before its overflow; then slot 1
 * with @control; then slot 0 again.
 */
static void take_turns(struct __test_metadata *_metadata,
		       FIXTURE_DATA(imode) * self,
		       const struct pmu_counter *counter,
		       const struct probe_control *control)
{
	struct probe_control victim = one(counter, 1000);
	struct predicted p, other;
	int i;

	ASSERT_EQ(0, predict_set(self->fd, 0, &victim, &p));
	ASSERT_EQ(0, predict_set(self->fd, 1, control, &other));
	for (i = 0; i < 20; i++) {
		run(_metadata, self, &p, 0, 498);
		run(_metadata, self, &other, 0, 3000);
	}
}

TEST_F(imode, the_counter_of_a_state_that_is_away_does_not_fire)
{
	const struct pmu_counter *last =
		&self->pmu->counter[self->pmu->counters - 1];
	struct probe_control control = { .a_mode = { pmu_first() } };

	/* Its selector is not one of those that the other state writes. */
	take_turns(_metadata, self, last, &control);
	/* It is. */
	take_turns(_metadata, self, pmu_first(), &control);
	control.a_mode[0] = last;
	take_turns(_metadata, self, last, &control);
}

TEST_F(imode, two_states_share_an_interrupting_counter)
{
	struct probe_control control = one(pmu_first(), 997);

	take_turns(_metadata, self, pmu_first(), &control);
	/* With equal controls as well: only the values differ. */
	control.period[0] = 1000;
	take_turns(_metadata, self, pmu_first(), &control);
}

TEST_F(imode, sampling_in_place_changes_nothing)
{
	struct probe_control control = one(pmu_first(), 1000);
	struct predicted p;
	int i;

	ASSERT_EQ(0, predict_set(self->fd, 0, &control, &p));
	ASSERT_EQ(0, probe_resume(self->fd, 0));
	for (i = 0; i < 1000; i++)
		ASSERT_EQ(0, probe_sample(self->fd, 0));
	ASSERT_EQ(0, probe_suspend(self->fd, 0));
	ASSERT_EQ(0, probe_log(self->fd, 0, self->records, &self->log));
	EXPECT_EQ(probe_sum(self->fd, 0, p.first) / 1000, self->log.recorded);
	for (i = 0; i < (int)self->log.recorded; i++)
		EXPECT_EQ(1000 * ((uint64_t)i + 1),
			  self->records[i].sum[p.first]);
}

/* Number of overflow interrupts of a processor in /proc/interrupts. */
static long interrupts(int cpu)
{
	char line[512], *word;
	long value = -1;
	FILE *file = fopen("/proc/interrupts", "re");

	while (file && value < 0 && fgets(line, sizeof(line), file)) {
		word = line + strspn(line, " ");
		if (strncmp(word, "PFM:", 4))
			continue;
		for (word += 4; cpu >= 0; cpu--)
			value = strtol(word, &word, 10);
	}
	if (file)
		fclose(file);
	return value;
}

TEST_F(imode, proc_interrupts_counts_each_overflow)
{
	struct probe_control control = one(pmu_first(), 1000);
	long before = interrupts(0);
	struct predicted p;

	ASSERT_LE(0, before);
	ASSERT_EQ(0, predict_set(self->fd, 0, &control, &p));
	run(_metadata, self, &p, 0, 500000);
	EXPECT_EQ(1000, self->log.recorded);
	EXPECT_EQ(before + 1000, interrupts(0));
	if (cpus_online() > 1) {
		before = interrupts(1);
		run(_metadata, self, &p, 0, 500000);
		EXPECT_EQ(before, interrupts(1));
	}
}

TEST_HARNESS_MAIN
