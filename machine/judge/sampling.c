// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: perf_event must take exactly as many as the count divided by the
 * period, each at the instruction that follows the one that overflowed. Also
 * the same on two CPUs at once, with counts; and beside one that computes.
 */

#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"
#include "pmu_stats.h"

/* Instructions from the start of the event to the sled. */
static uint32_t way_to_sled(const struct samples *samples, uint64_t period)
{
	const int first = sled_position(samples->address[0]);

	return (period - (uint32_t)first) % SLED_INSNS;
}

/*
 * Sample k comes after k periods. Where that is in the sled follows from where
 * the first one was. Returns how many samples are elsewhere.
 */
static uint32_t misplaced(const struct samples *samples, uint64_t period)
{
	const uint32_t before = way_to_sled(samples, period);
	uint32_t wrong = 0;
	int found, expected;
	uint32_t k;

	for (k = 0; k < samples->number; k++) {
		found = sled_position(samples->address[k]);
		expected = (int)(((k + 1) * period - before) % SLED_INSNS);
		if (found != expected && !wrong++)
			note("sample %u of period %llu is at %d, expected at %d",
			     k, (unsigned long long)period, found, expected);
	}
	return wrong;
}

static void judge_period(uint64_t period, uint32_t iterations)
{
	const bool stats = have_msr_driver(judge_cpu);
	const uint64_t pmis = stats ? read_stat(judge_cpu, PMU_STAT_PMI) : 0;
	struct samples samples;
	const uint64_t count = sample_sled(period, iterations, &samples);
	const uint64_t want = count / period;

	check(samples.number == want && !samples.lost,
	      "period %llu, %llu instructions: %u samples, expected %llu, %u lost",
	      (unsigned long long)period, (unsigned long long)count,
	      samples.number, (unsigned long long)want, samples.lost);
	check(samples.number && !misplaced(&samples, period),
	      "period %llu: no sample is an instruction off",
	      (unsigned long long)period);
	if (stats)
		check(read_stat(judge_cpu, PMU_STAT_PMI) - pmis ==
			      samples.number,
		      "period %llu: one interrupt for each sample",
		      (unsigned long long)period);
	free(samples.address);
}

/* Beside somebody who takes the CPU at ever other moments of a period. */
static void judge_beside_others(void)
{
	const pid_t other = fork();
	uint32_t us;

	if (other < 0)
		give_up("fork");
	if (!other) {
		take_priority(PRIORITY_RESTLESS);
		for (us = 0;; us++)
			usleep(50 + us % 97);
	}
	usleep(1000);
	judge_period(10007, 202020);
	if (kill(other, SIGKILL) || waitpid(other, NULL, 0) != other)
		give_up("kill");
}

void judge_sampling(void)
{
	if (no_perf_pmu()) {
		skip("sampling with perf_event", no_perf_pmu());
		return;
	}
	judge_period(100000, 40404);
	judge_period(997, 20202);
	judge_beside_others();
}

/* What each of two processes finds on its own CPU. */
struct findings {
	uint64_t overhead;
	uint64_t count;
	uint64_t sampled_count;
	uint32_t samples;
	uint32_t misplaced;
	uint32_t lost;
};

#define LOOP_ITERATIONS 1000000
#define COMMON_PERIOD 10007

static void measure(int cpu, struct findings *findings, int go)
{
	struct samples samples;
	char byte;
	int fd;

	pin_to_cpu(cpu);
	fd = open_counter(PERF_COUNT_HW_INSTRUCTIONS, -1);
	if (read(go, &byte, 1) != 1)
		give_up("read");
	findings->overhead = count_code(fd, run_loop, 5) - 5 * LOOP_INSNS;
	findings->count = count_code(fd, run_loop, LOOP_ITERATIONS);
	close(fd);
	findings->sampled_count = sample_sled(COMMON_PERIOD, 20202, &samples);
	findings->samples = samples.number;
	findings->misplaced =
		samples.number ? misplaced(&samples, COMMON_PERIOD) : 1;
	findings->lost = samples.lost;
	_exit(0);
}

static void judge_findings(int cpu, const struct findings *f)
{
	check(f->count == f->overhead + LOOP_ITERATIONS * LOOP_INSNS,
	      "CPU %d counts exactly while another one counts", cpu);
	check(f->samples == f->sampled_count / COMMON_PERIOD && !f->misplaced &&
		      !f->lost,
	      "CPU %d samples exactly while another one samples: %u samples",
	      cpu, f->samples);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static uint64_t time_of_samples(void)
{
	const uint64_t begin = now_ns();
	struct samples samples;

	sample_sled(COMMON_PERIOD, 20202, &samples);
	free(samples.address);
	return now_ns() - begin;
}

/*
 * A CPU that enters no kernel would run until the next timer whenever it is its
 * turn, and who samples beside it loses his turn with each overflow. The clock is
 * that of all instructions: who has a share takes two to eight times as long, who
 * has none thousands of times.
 */
static void judge_share(void)
{
	const uint64_t alone = time_of_samples();
	const pid_t other = fork();
	uint64_t beside;

	if (other < 0)
		give_up("fork");
	if (!other) {
		pin_to_cpu(!judge_cpu);
		for (;;)
			run_loop(LOOP_ITERATIONS);
	}
	usleep(10000);
	beside = time_of_samples();
	if (kill(other, SIGKILL) || waitpid(other, NULL, 0) != other)
		give_up("kill");
	check(beside < 20 * alone,
	      "who samples has a share beside a CPU that computes: %llu us, alone %llu",
	      (unsigned long long)beside / 1000,
	      (unsigned long long)alone / 1000);
}

void judge_two_cpus(void)
{
	struct findings *findings;
	int go[2];
	int cpu;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		skip("two CPUs at once", "there is only one CPU");
		return;
	}
	if (no_perf_pmu()) {
		skip("two CPUs at once", no_perf_pmu());
		return;
	}
	findings = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (findings == MAP_FAILED || pipe(go))
		give_up("mmap or pipe");
	for (cpu = 0; cpu < 2; cpu++)
		if (fork() == 0)
			measure(cpu, &findings[cpu], go[0]);
	if (write(go[1], "go", 2) != 2)
		give_up("write");
	while (wait(NULL) > 0)
		;
	for (cpu = 0; cpu < 2; cpu++)
		judge_findings(cpu, &findings[cpu]);
	munmap(findings, getpagesize());
	judge_share();
}
