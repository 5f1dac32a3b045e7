// SPDX-License-Identifier: GPL-2.0-only
/*
 * A minute of sampling on all counters at the same time: no interrupt is lost, no
 * event either.
 */
#include <errno.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "cpus.h"
#include "sampler.h"
#include "tests.h"

#define SECONDS 60
/* On an emulated processor a longer time shows nothing new. */
#define SECONDS_EMULATED 10
#define SAMPLES_MOST 150
#define CALIBRATION 20000000ul /* turns */
#define SLICES 60 /* signals end the test between two of them */

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

/* Returns the instructions of this time, limited by the turns of a loop. */
static uint64_t instructions_of(double seconds)
{
	double rate = 2.0 * CALIBRATION / seconds_of(CALIBRATION);
	double most = sizeof(long) > 4 ? 1e18 : 1.8 * (double)ULONG_MAX;
	double all = rate * seconds;

	return all > most ? (uint64_t)most : (uint64_t)all;
}

static void choose_periods(uint64_t *periods, int count, uint64_t instructions)
{
	int samples = SAMPLER_ROOM_OF_ALL / count;

	if (samples > SAMPLES_MOST)
		samples = SAMPLES_MOST;
	for (int i = 0; i < count; i++)
		periods[i] = instructions / (uint64_t)samples + odd[i % 10] +
			     1000 * (uint64_t)(i / 10);
}

/* The instructions between the slices are few. Returns 0, or -1 with errno. */
static int run_long(int fd, uint64_t instructions)
{
	if (pfm_start_session(fd, 0))
		return -1;
	for (int i = 0; i < SLICES && !selftest_stopped(); i++)
		loop_count.run((unsigned long)(instructions / 2 / SLICES));
	return pfm_stop_session(fd, 0);
}

static void judge_counter(struct selftest *st, const struct sampler *sampler,
			  int i, uint64_t instructions)
{
	unsigned int pmd = sampler->program.pmds[i].reg_num;
	struct place place = { st->first_cpu, st->pmu.map.pmd[pmd].name,
			       "samples of a long time" };
	struct sampled sampled;
	struct ruling ruling;

	if (sampler_result(sampler, i, instructions, loop_is_in_count,
			   &sampled)) {
		tap_failed(&st->tap, &place, "cannot sample", errno);
		return;
	}
	ruling = judge_samples(&sampled);
	tap_ruling(&st->tap, &place, &ruling);
	ruling = judge_pauses(&sampled);
	tap_ruling(&st->tap, &place, &ruling);
}

void test_soak(struct selftest *st)
{
	struct place place = { st->first_cpu, "all counters",
			       "samples of a long time" };
	uint64_t periods[COUNTERS_MAX], instructions;
	struct program program = { 0 };
	struct sampler sampler;

	if (!program_add_all(&program, &st->pmu, counter_has_instructions,
			     &st->pmu.instructions, LEVELS_USER) ||
	    cpus_pin(st->first_cpu))
		return;
	instructions =
		instructions_of(st->emulated ? SECONDS_EMULATED : SECONDS);
	choose_periods(periods, program.pmd_count, instructions);
	if (sampler_open_all(&sampler, &program, periods)) {
		tap_failed(&st->tap, &place, "cannot sample", errno);
		return;
	}
	if (run_long(sampler.fd, instructions))
		tap_failed(&st->tap, &place, "cannot sample", errno);
	else if (!selftest_stopped())
		for (int i = 0; i < program.pmd_count; i++)
			judge_counter(st, &sampler, i, instructions);
	sampler_close(&sampler);
	tap_note(&st->tap, "%d counters", program.pmd_count);
}
