// SPDX-License-Identifier: GPL-2.0-only
/* A minute of sampling on each counter: no interrupt is lost, no event either. */
#include <errno.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "cpus.h"
#include "sampler.h"
#include "tests.h"

#define SECONDS 60
#define SAMPLES 150u
#define CALIBRATION 20000000ul /* turns */

/* Lengths that have no common divisor with each other. */
static const uint64_t odd[] = { 3, 7, 19, 31, 37, 61, 73, 91, 121, 139 };

static double seconds_of(unsigned long turns)
{
	struct timespec begin, end;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	loop_count.run(turns);
	clock_gettime(CLOCK_MONOTONIC, &end);
	return (double)(end.tv_sec - begin.tv_sec) +
	       (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
}

/* Instructions that take so long, but no more than the loop has turns for. */
static uint64_t instructions_of(double seconds)
{
	double rate = 2.0 * CALIBRATION / seconds_of(CALIBRATION);
	double most = sizeof(long) > 4 ? 1e18 : 1.8 * (double)ULONG_MAX;
	double all = rate * seconds;

	return all > most ? (uint64_t)most : (uint64_t)all;
}

static void soak_counter(struct selftest *st, const struct counter *counter,
			 uint64_t instructions, uint64_t add)
{
	uint64_t period = instructions / SAMPLES + add;
	struct place place = { st->first_cpu, counter->name,
			       "samples of a long time" };
	struct sampled sampled;
	struct sampler sampler;
	struct ruling ruling;
	unsigned long turns = (unsigned long)(instructions / 2);

	if (sampler_open(&sampler, &st->pmu, counter, NULL, period)) {
		tap_failed(&st->tap, &place, "cannot sample", errno);
		return;
	}
	if (measure_run(sampler.fd, &loop_count, turns) ||
	    sampler_result(&sampler, instructions, loop_is_in_count,
			   &sampled)) {
		tap_failed(&st->tap, &place, "cannot sample", errno);
	} else {
		ruling = judge_samples(&sampled);
		tap_ruling(&st->tap, &place, &ruling);
	}
	sampler_close(&sampler);
}

void test_soak(struct selftest *st)
{
	int counters = 0;
	uint64_t instructions;

	for (int i = 0; i < st->pmu.count; i++)
		counters += counter_has_instructions(&st->pmu,
						     &st->pmu.counters[i]);
	if (!counters || cpus_pin(st->first_cpu))
		return;
	instructions = instructions_of((double)SECONDS / counters);
	for (int i = 0; i < st->pmu.count && !selftest_stopped(); i++) {
		if (counter_has_instructions(&st->pmu, &st->pmu.counters[i]))
			soak_counter(st, &st->pmu.counters[i], instructions,
				     odd[i % 10]);
	}
}
