// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that wrap: over the width of the hardware, which an unfinished period
 * has brought close, and over 32 bits, which is all that is read of most.
 */
#include <errno.h>
#include <unistd.h>

#include "cpus.h"
#include "sampler.h"
#include "tests.h"

/* A period that is not quite used up, and what comes behind its end. */
#define PERIOD 20000u
#define USED 15000u
#define TURNS 50000ul

/* Just over 2^32 instructions. */
#define TURNS_OF_32_BITS ((1ul << 31) + 1000)

/* Leaves the counter of the hardware some thousand events before its end. */
static int approach_end(const struct program *program)
{
	struct program copy = *program;
	int fd, ret;

	copy.pmds[0].reg_value = -(uint64_t)PERIOD;
	fd = measure_open(&copy);
	if (fd < 0)
		return -1;
	ret = measure_run(fd, &loop_count, USED / loop_count.instructions);
	close(fd);
	return ret;
}

/* A sampling session finds the overflow although the counter has wrapped before. */
static void sample_after_wrap(struct selftest *st,
			      const struct counter *counter)
{
	struct place place = { st->first_cpu, counter->name,
			       "samples after the counter has wrapped" };
	const unsigned long turns = 255000;
	struct sampled sampled;
	struct sampler sampler;
	struct ruling ruling;

	if (sampler_open(&sampler, &st->pmu, counter, NULL, 100003)) {
		tap_failed(&st->tap, &place, "cannot sample", errno);
		return;
	}
	if (measure_run(sampler.fd, &loop_count, turns) ||
	    sampler_result(&sampler, turns * loop_count.instructions,
			   loop_is_in_count, &sampled)) {
		tap_failed(&st->tap, &place, "cannot sample", errno);
	} else {
		ruling = judge_samples(&sampled);
		tap_ruling(&st->tap, &place, &ruling);
	}
	sampler_close(&sampler);
}

void test_wrap_hardware(struct selftest *st)
{
	const struct circumstances around = { .hypervisor = st->hypervisor,
					      .others_count = st->some_count };

	if (cpus_pin(st->first_cpu))
		return;
	for (int i = 0; i < st->pmu.count && !selftest_stopped(); i++) {
		const struct counter *counter = &st->pmu.counters[i];
		struct place place = {
			st->first_cpu, counter->name,
			"instructions over the hardware's width"
		};
		struct program program = { 0 };
		struct ruling ruling;
		struct runs runs;

		if (!counter_has_instructions(&st->pmu, counter) ||
		    program_add(&program, &st->pmu, counter,
				&st->pmu.instructions, LEVELS_USER))
			continue;
		if (approach_end(&program) ||
		    measure_runs(&program, st->first_cpu, &loop_count, TURNS, 1,
				 &runs)) {
			tap_failed(&st->tap, &place, "cannot measure", errno);
			continue;
		}
		ruling = judge_exact(&runs, st->overhead, &around);
		tap_ruling(&st->tap, &place, &ruling);
		sample_after_wrap(st, counter);
	}
}

void test_wrap_32_bits(struct selftest *st)
{
	struct place place = { st->first_cpu, "all counters",
			       "instructions over 2^32" };
	uint64_t counts[COUNTERS_MAX], before, expected;
	struct program program = { 0 };
	struct ruling ruling;
	int fd;

	for (int i = 0; i < st->pmu.count; i++) {
		if (counter_has_instructions(&st->pmu, &st->pmu.counters[i]))
			program_add(&program, &st->pmu, &st->pmu.counters[i],
				    &st->pmu.instructions, LEVELS_USER);
	}
	if (cpus_pin(st->first_cpu))
		return;
	before = cpus_disturbances(st->first_cpu);
	fd = measure_open(&program);
	if (fd < 0 ||
	    measure_once(fd, &program, &loop_count, TURNS_OF_32_BITS, counts)) {
		tap_failed(&st->tap, &place, "cannot measure", errno);
		return;
	}
	close(fd);
	before = cpus_disturbances(st->first_cpu) - before;
	expected = (uint64_t)TURNS_OF_32_BITS * loop_count.instructions +
		   (uint64_t)st->overhead;
	for (int i = 0; i < program.pmd_count; i++) {
		ruling = judge_range(
			counts[i], expected, expected + 2 * before + 8,
			"a wrap of the counter's lower 32 bits was lost or seen twice");
		tap_ruling(&st->tap, &place, &ruling);
	}
}
