// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each counter alone counts the instructions of loops, at user level, at kernel
 * level and at both.
 */
#include <errno.h>

#include "cpus.h"
#include "tests.h"

#define SHORT_TURNS 500ul
#define LONG_TURNS 500000ul
#define FULL_TURNS 50000000ul
#define FULL_RUNS 3

/* The measurements of all counters with loops of one length. */
struct series {
	bool measured[COUNTERS_MAX];
	struct runs runs[COUNTERS_MAX];
};

static struct place place_of(int cpu, const struct counter *counter,
			     const char *event)
{
	return (struct place){ cpu, counter->name, event };
}

static const char *event_name(unsigned int levels)
{
	switch (levels) {
	case LEVELS_USER:
		return "instructions at user level";
	case LEVELS_KERNEL:
		return "instructions at kernel level";
	default:
		return "instructions at both levels";
	}
}

/* Measures one counter. Returns false if that is not possible. */
static bool measure_counter(struct selftest *st, const struct counter *counter,
			    int cpu, unsigned int levels, unsigned long turns,
			    int count, struct runs *runs)
{
	struct place place = place_of(cpu, counter, event_name(levels));
	struct program program = { 0 };

	if (!counter_has_instructions(&st->pmu, counter) ||
	    program_add(&program, &st->pmu, counter, &st->pmu.instructions,
			levels))
		return false;
	if (measure_runs(&program, cpu, &loop_count, turns, count, runs)) {
		tap_failed(&st->tap, &place, "cannot measure", errno);
		return false;
	}
	return true;
}

static void measure_series(struct selftest *st, int cpu, unsigned int levels,
			   unsigned long turns, int count,
			   struct series *series)
{
	for (int i = 0; i < st->pmu.count && !selftest_stopped(); i++)
		series->measured[i] = measure_counter(st, &st->pmu.counters[i],
						      cpu, levels, turns, count,
						      &series->runs[i]);
}

/* Returns the instructions around the loop by the count of most counters. */
static int64_t overhead_of(const struct selftest *st,
			   const struct series *series)
{
	int64_t overheads[COUNTERS_MAX] = { 0 };
	int count = 0;

	for (int i = 0; i < st->pmu.count; i++) {
		const struct runs *runs = &series->runs[i];

		if (series->measured[i] && judge_smallest(runs))
			overheads[count++] =
				(int64_t)(judge_smallest(runs) - runs->length);
	}
	return count ? judge_overhead(overheads, count) : 0;
}

/* True if a counter beside this one has counted what was executed. */
static bool others_count(const struct selftest *st, const struct series *series,
			 int than)
{
	for (int i = 0; i < st->pmu.count; i++) {
		const struct runs *runs = &series->runs[i];

		if (i != than && series->measured[i] &&
		    judge_smallest(runs) ==
			    runs->length + (uint64_t)st->overhead)
			return true;
	}
	return false;
}

static void judge_series(struct selftest *st, int cpu,
			 const struct series *series)
{
	for (int i = 0; i < st->pmu.count; i++) {
		const struct runs *runs = &series->runs[i];
		struct circumstances around = {
			.hypervisor = st->hypervisor,
			.others_count = others_count(st, series, i),
			.cycles =
				st->cycles_of_million * runs->length / 1000000,
		};
		struct place place = place_of(cpu, &st->pmu.counters[i],
					      event_name(LEVELS_USER));
		struct ruling ruling;

		if (!series->measured[i])
			continue;
		ruling = st->pmu.separates_levels ?
				 judge_exact(runs, st->overhead, &around) :
				 judge_both(runs, -1);
		st->some_count |= ruling.verdict == VERDICT_RIGHT;
		st->miscounts[i] |= ruling.verdict == VERDICT_WRONG;
		tap_ruling(&st->tap, &place, &ruling);
	}
}

/* Cycles only help to name the cause of a wrong count: they may be missing. */
static void measure_cycles(struct selftest *st, int cpu)
{
	for (int i = 0; i < st->pmu.count; i++) {
		const struct counter *counter = &st->pmu.counters[i];
		struct program program = { 0 };
		struct runs runs;

		if (!counter_has_cycles(&st->pmu, counter) ||
		    program_add(&program, &st->pmu, counter, &st->pmu.cycles,
				LEVELS_USER) ||
		    measure_runs(&program, cpu, &loop_count, LONG_TURNS, 1,
				 &runs))
			continue;
		st->cycles_of_million = runs.run[0].count;
		return;
	}
}

void exact_on_cpu(struct selftest *st, int cpu)
{
	static struct series series;

	if (cpus_pin(cpu)) {
		tap_note(&st->tap, "CPU %d: cannot run there, not tested", cpu);
		return;
	}
	if (!st->cycles_of_million)
		measure_cycles(st, cpu);
	measure_series(st, cpu, LEVELS_USER, SHORT_TURNS, st->repeat, &series);
	st->overhead = overhead_of(st, &series);
	judge_series(st, cpu, &series);
	measure_series(st, cpu, LEVELS_USER, LONG_TURNS, st->repeat, &series);
	judge_series(st, cpu, &series);
	if (!st->full)
		return;
	measure_series(st, cpu, LEVELS_USER, FULL_TURNS, FULL_RUNS, &series);
	judge_series(st, cpu, &series);
}

void test_exact_user(struct selftest *st)
{
	for (int cpu = cpus_next(&st->cpus, -1);
	     cpu >= 0 && !selftest_stopped(); cpu = cpus_next(&st->cpus, cpu))
		exact_on_cpu(st, cpu);
	tap_note(&st->tap, "%d instructions around each loop",
		 (int)st->overhead);
}

/* Kernel level of a loop that never calls the kernel. */
static void kernel_on_cpu(struct selftest *st, int cpu)
{
	static struct series shorter, longer;

	if (cpus_pin(cpu))
		return;
	measure_series(st, cpu, LEVELS_KERNEL, SHORT_TURNS, st->repeat,
		       &shorter);
	measure_series(st, cpu, LEVELS_KERNEL, LONG_TURNS, st->repeat, &longer);
	for (int i = 0; i < st->pmu.count; i++) {
		struct place place = place_of(cpu, &st->pmu.counters[i],
					      event_name(LEVELS_KERNEL));
		struct ruling ruling;

		if (!shorter.measured[i] || !longer.measured[i])
			continue;
		ruling = judge_kernel(&shorter.runs[i], &longer.runs[i]);
		tap_ruling(&st->tap, &place, &ruling);
	}
}

void test_exact_kernel(struct selftest *st)
{
	for (int cpu = cpus_next(&st->cpus, -1);
	     cpu >= 0 && !selftest_stopped(); cpu = cpus_next(&st->cpus, cpu))
		kernel_on_cpu(st, cpu);
}

static void both_on_cpu(struct selftest *st, int cpu)
{
	static struct series series;

	if (cpus_pin(cpu))
		return;
	measure_series(st, cpu, LEVELS_BOTH, LONG_TURNS, st->repeat, &series);
	for (int i = 0; i < st->pmu.count; i++) {
		struct place place = place_of(cpu, &st->pmu.counters[i],
					      event_name(LEVELS_BOTH));
		struct ruling ruling;

		if (!series.measured[i])
			continue;
		ruling = judge_both(&series.runs[i], st->overhead);
		tap_ruling(&st->tap, &place, &ruling);
	}
}

void test_exact_both(struct selftest *st)
{
	for (int cpu = cpus_next(&st->cpus, -1);
	     cpu >= 0 && !selftest_stopped(); cpu = cpus_next(&st->cpus, cpu))
		both_on_cpu(st, cpu);
}

/* Judges a loop by its counts at two lengths. */
static void judge_loop(struct selftest *st, const struct counter *counter,
		       const struct loop *loop, unsigned long turns)
{
	struct place place = place_of(st->first_cpu, counter, loop->name);
	struct program program = { 0 };
	struct runs shorter, longer;
	struct ruling ruling;

	if (program_add(&program, &st->pmu, counter, &st->pmu.instructions,
			LEVELS_USER) ||
	    measure_runs(&program, st->first_cpu, loop, turns, st->repeat,
			 &shorter) ||
	    measure_runs(&program, st->first_cpu, loop, 2 * turns, st->repeat,
			 &longer)) {
		tap_failed(&st->tap, &place, "cannot measure", errno);
		return;
	}
	ruling = judge_slope(&shorter, &longer, turns, loop->instructions,
			     loop->uncertain);
	tap_ruling(&st->tap, &place, &ruling);
}

void test_loops(struct selftest *st)
{
	const struct counter *counter = NULL;
	size_t large = st->full ? 64ul << 20 : 256ul << 10;

	for (int i = 0; !counter && i < st->pmu.count; i++) {
		if (counter_has_instructions(&st->pmu, &st->pmu.counters[i]))
			counter = &st->pmu.counters[i];
	}
	if (!counter || cpus_pin(st->first_cpu))
		return;
	judge_loop(st, counter, &loop_nops, 1000);
	judge_loop(st, counter, &loop_copy, 1000);
	judge_loop(st, counter, &loop_calls, 1000);
	judge_loop(st, counter, &loop_load, 10000);
	if (loop_memory(large)) {
		tap_note(&st->tap, "no memory for a loop over %zu KiB",
			 large >> 10);
		return;
	}
	judge_loop(st, counter, &loop_load, large / 64);
	loop_memory(LOOP_SMALL);
}
