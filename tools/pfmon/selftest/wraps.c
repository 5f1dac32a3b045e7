// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that wrap: at the width of the hardware, to which an unfinished period
 * brings them close, and at 32 bits, the part of most counters that perfmon reads.
 */
#include <errno.h>
#include <unistd.h>

#include "cpus.h"
#include "inventory.h"
#include "sampler.h"
#include "tests.h"

/* A period, and the part of it that is used. */
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

	if (sampler_open(&sampler, &st->pmu, counter, NULL, 100003, 0)) {
		tap_failed(&st->tap, &place, "cannot sample", errno);
		return;
	}
	if (measure_run(sampler.fd, &loop_count, turns) ||
	    sampler_result(&sampler, 0, turns * loop_count.instructions,
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

/* Adds all counters of instructions. Returns their number. */
static int add_instructions(struct selftest *st, struct program *program)
{
	return program_add_all(program, &st->pmu, counter_has_instructions,
			       &st->pmu.instructions, LEVELS_USER);
}

/* Returns a tested CPU that has no tick while it is busy, or -1. */
static int tickless_cpu(const struct selftest *st)
{
	cpu_set_t cpus;
	char list[256];

	if (!inventory_line("/sys/devices/system/cpu/nohz_full", NULL, list,
			    sizeof(list)) ||
	    cpus_parse(list, &cpus))
		return -1;
	CPU_AND(&cpus, &cpus, &st->cpus);
	return cpus_next(&cpus, -1);
}

static void judge_wraps(struct selftest *st, const struct program *program,
			const uint64_t *counts, int cpu, uint64_t high)
{
	uint64_t executed =
		(uint64_t)TURNS_OF_32_BITS * loop_count.instructions;

	for (int i = 0; i < program->pmd_count; i++) {
		struct place place = {
			cpu, st->pmu.map.pmd[program->pmds[i].reg_num].name,
			"instructions over 2^32"
		};
		struct ruling ruling = judge_range(
			counts[i], executed, executed + high,
			"a wrap of the counter's lower 32 bits was lost or seen twice");

		tap_ruling(&st->tap, &place, &ruling);
	}
}

void test_wrap_32_bits(struct selftest *st)
{
	int tickless = tickless_cpu(st);
	int cpu = tickless < 0 ? st->first_cpu : tickless;
	struct place place = { cpu, "all counters", "instructions over 2^32" };
	uint64_t counts[COUNTERS_MAX], before;
	struct program program = { 0 };
	int fd;

	add_instructions(st, &program);
	if (cpus_pin(cpu))
		return;
	before = cpus_disturbances(cpu);
	fd = measure_open(&program);
	if (fd < 0 ||
	    measure_once(fd, &program, &loop_count, TURNS_OF_32_BITS, counts))
		tap_failed(&st->tap, &place, "cannot measure", errno);
	else
		judge_wraps(st, &program, counts, cpu,
			    2 * (cpus_disturbances(cpu) - before) + 8 +
				    (uint64_t)st->overhead);
	if (fd >= 0)
		close(fd);
	if (tickless >= 0)
		tap_note(&st->tap, "on CPU %d, which has no tick (nohz_full)",
			 cpu);
}

/* perfmon has to keep the tick, which reads the counters of a CPU in time. */
void test_wrap_tickless(struct selftest *st)
{
	int cpu = tickless_cpu(st), fd;
	struct place place = { cpu, "all counters",
			       "instructions of the CPU over 2^32" };
	struct program program = { 0 };
	uint64_t counts[COUNTERS_MAX];

	if (cpu < 0) {
		tap_skip(&st->tap, "no CPU that is tested has nohz_full");
		return;
	}
	add_instructions(st, &program);
	if (cpus_pin(cpu))
		return;
	fd = measure_open_cpu(&program, cpu);
	/* Others may run there as well. */
	if (fd < 0 ||
	    measure_once(fd, &program, &loop_count, TURNS_OF_32_BITS, counts))
		tap_failed(&st->tap, &place, "cannot measure", errno);
	else
		judge_wraps(st, &program, counts, cpu, 1u << 31);
	if (fd >= 0)
		close(fd);
}
