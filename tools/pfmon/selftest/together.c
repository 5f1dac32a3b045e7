// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that count at the same time agree, fixed ones with programmable ones,
 * and cycles have a sensible relation to time.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cpus.h"
#include "tests.h"

#define TURNS 50000ul
#define LONG_TURNS 2000000ul

/* So often a rate is measured again that others may have disturbed. */
#define PATIENCE 10

/* No processor retires more of the loop's instructions in a cycle. */
#define MOST_PER_CYCLE 16
/* Nor does it need more cycles for one of them. */
#define MOST_CYCLES 64

/* The compiler's header has it for newer processors only. */
static uint64_t read_tsc(void)
{
	uint32_t low, high;

	asm volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

/* Runs the loop once. Returns whether all counters agreed. */
static bool agree_once(struct selftest *st, int fd,
		       const struct program *program, const struct loop *loop,
		       const struct place *place)
{
	uint64_t before = cpus_disturbances(st->first_cpu);
	uint64_t counts[COUNTERS_MAX];
	struct ruling ruling;

	if (measure_once(fd, program, loop, TURNS, counts)) {
		tap_failed(&st->tap, place, "cannot measure", errno);
		return false;
	}
	ruling = judge_spread(counts, program->pmd_count,
			      cpus_disturbances(st->first_cpu) - before);
	tap_ruling(&st->tap, place, &ruling);
	return ruling.verdict == VERDICT_RIGHT;
}

static void judge_together(struct selftest *st, const struct program *program,
			   const char *what)
{
	struct place place = { st->first_cpu, "all counters", what };
	int fd = measure_open(program);

	if (fd < 0) {
		tap_failed(&st->tap, &place, "cannot count at the same time",
			   errno);
		return;
	}
	for (int i = 0; i < st->repeat && !selftest_stopped(); i++) {
		if (!agree_once(st, fd, program, &loop_count, &place))
			break;
	}
	close(fd);
}

/* The Pentium 4 has fewer control registers for an event than counters. */
static bool has_pairs(const struct pmu *pmu)
{
	return pmu->is_p4;
}

static void together_on_cpu(struct selftest *st)
{
	struct program program = { 0 };

	if (cpus_pin(st->first_cpu))
		return;
	if (program_add_all(&program, &st->pmu, counter_has_instructions,
			    &st->pmu.instructions, LEVELS_USER) < 2) {
		tap_skip(&st->tap, "only one counter counts instructions");
		return;
	}
	judge_together(st, &program, "instructions at user level");
	if (st->first_cpu == cpus_next(&st->cpus, -1))
		tap_note(&st->tap, "%d counters%s", program.pmd_count,
			 has_pairs(&st->pmu) ?
				 ", which share control registers" :
				 "");
}

void test_together(struct selftest *st)
{
	on_each_cpu(st, together_on_cpu);
}

/*
 * Microcode may take a counter to itself while transactions run: the test
 * reprograms all counters again and again beside these.
 */
void test_transactions(struct selftest *st)
{
	struct place place = { st->first_cpu, "all counters",
			       "instructions beside transactions" };
	struct program program = { 0 }, other = { 0 };
	uint64_t counts[COUNTERS_MAX];
	int fd;

	if (!loop_has_transactions()) {
		tap_skip(&st->tap, "the processor has no transactions (RTM)");
		return;
	}
	if (cpus_pin(st->first_cpu) ||
	    program_add_all(&program, &st->pmu, counter_has_instructions,
			    &st->pmu.instructions, LEVELS_USER) < 2 ||
	    !program_add_all(&other, &st->pmu, counter_has_cycles,
			     &st->pmu.cycles, LEVELS_USER))
		return;
	fd = measure_open(&program);
	for (int i = 0; fd >= 0 && i < 10 * st->repeat; i++) {
		if (selftest_stopped() || measure_program(fd, &other) ||
		    measure_once(fd, &other, &loop_transactions, TURNS,
				 counts) ||
		    measure_program(fd, &program) ||
		    !agree_once(st, fd, &program, &loop_transactions, &place))
			break;
	}
	if (fd < 0)
		tap_failed(&st->tap, &place, "cannot measure", errno);
	else
		close(fd);
}

static const struct counter *
first_with(const struct pmu *pmu, enum counter_kind kind,
	   bool (*has)(const struct pmu *, const struct counter *))
{
	for (int i = 0; i < pmu->count; i++) {
		if (pmu->counters[i].kind == kind &&
		    has(pmu, &pmu->counters[i]))
			return &pmu->counters[i];
	}
	return NULL;
}

static void fixed_on_cpu(struct selftest *st)
{
	static const struct {
		const char *what;
		bool (*has)(const struct pmu *, const struct counter *);
		bool cycles;
	} pairs[] = {
		{ "instructions, fixed and programmable",
		  counter_has_instructions, false },
		{ "cycles, fixed and programmable", counter_has_cycles, true },
	};
	int made = 0;

	if (cpus_pin(st->first_cpu))
		return;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const struct counter *fixed =
			first_with(&st->pmu, COUNTER_FIXED, pairs[i].has);
		const struct counter *other =
			first_with(&st->pmu, COUNTER_GENERAL, pairs[i].has);
		const pfmlib_event_t *event = pairs[i].cycles ?
						      &st->pmu.cycles :
						      &st->pmu.instructions;
		struct program program = { 0 };

		if (!fixed || !other ||
		    program_add(&program, &st->pmu, fixed, event,
				LEVELS_USER) ||
		    program_add(&program, &st->pmu, other, event, LEVELS_USER))
			continue;
		judge_together(st, &program, pairs[i].what);
		made++;
	}
	if (!made)
		tap_skip(&st->tap, "no fixed counters");
}

void test_fixed(struct selftest *st)
{
	on_each_cpu(st, fixed_on_cpu);
}

static void cycles_on_cpu(struct selftest *st)
{
	int made = 0;

	if (cpus_pin(st->first_cpu))
		return;
	for (int i = 0; i < st->pmu.count && !selftest_stopped(); i++) {
		const struct counter *counter = &st->pmu.counters[i];
		struct place place = { st->first_cpu, counter->name,
				       "cycles at user level" };
		struct program program = { 0 };
		struct ruling ruling;
		struct runs runs;

		if (!counter_has_cycles(&st->pmu, counter) ||
		    program_add(&program, &st->pmu, counter, &st->pmu.cycles,
				LEVELS_USER))
			continue;
		made++;
		if (measure_runs(&program, st->first_cpu, &loop_count, TURNS,
				 st->repeat, &runs)) {
			tap_failed(&st->tap, &place, "cannot measure", errno);
			continue;
		}
		ruling = judge_range(
			judge_smallest(&runs), runs.length / MOST_PER_CYCLE,
			runs.length * MOST_CYCLES,
			judge_smallest(&runs) ?
				"cycles have no sensible relation to the instructions" :
				"cycles do not count: a host filters them, the counter is not enabled, or it cannot count them and libpfm does not know");
		tap_ruling(&st->tap, &place, &ruling);
	}
	if (!made)
		tap_skip(&st->tap, "no counter counts cycles");
}

void test_cycles(struct selftest *st)
{
	on_each_cpu(st, cycles_on_cpu);
}

/* Measures millionths of a cycle in a tick of the TSC; keeps the best in rate. */
static int measure_rate(const struct program *program, unsigned long turns,
			int repeat, uint64_t *rate)
{
	uint64_t counts[COUNTERS_MAX], begin, ticks;
	int fd = measure_open(program);

	if (fd < 0)
		return -1;
	for (int i = 0; i < repeat; i++) {
		begin = read_tsc();
		if (measure_once(fd, program, &loop_count, turns, counts)) {
			close(fd);
			return -1;
		}
		ticks = read_tsc() - begin;
		if (ticks && counts[0] * 1000000 / ticks > *rate)
			*rate = counts[0] * 1000000 / ticks;
	}
	close(fd);
	return 0;
}

struct rates {
	uint64_t shorter, longer;
};

/* The longer loop has a smaller part of cycles around it. */
static struct ruling judge_rates(const struct rates *rates)
{
	uint64_t rate = rates->shorter;

	if (!rate)
		return judge_range(0, 1, UINT64_MAX,
				   "reference cycles do not count");
	return judge_range(
		rates->longer, rate - rate / 100, rate + rate / 20,
		"the counter does not run evenly: it stands still for a part of the time");
}

/* Interrupts and other threads take ticks away, from some of the runs. */
static int measure_rates(const struct program *program, int repeat,
			 struct rates *rates)
{
	for (int i = 0; i < PATIENCE; i++) {
		if (measure_rate(program, LONG_TURNS, repeat,
				 &rates->shorter) ||
		    measure_rate(program, 2 * LONG_TURNS, repeat,
				 &rates->longer))
			return -1;
		if (judge_rates(rates).verdict == VERDICT_RIGHT)
			break;
	}
	return 0;
}

/* The fixed counter of reference cycles runs at the rate of the TSC. */
void test_reference(struct selftest *st)
{
	struct place place = { st->first_cpu, "FIXED_CTR2",
			       "reference cycles, millionths of the TSC" };
	const struct counter *counter = NULL;
	struct program program = { 0 };
	struct rates rates = { 0 };
	struct ruling ruling;

	for (int i = 0; i < st->pmu.count; i++) {
		if (!strcmp(st->pmu.counters[i].name, "FIXED_CTR2"))
			counter = &st->pmu.counters[i];
	}
	if (!counter) {
		tap_skip(&st->tap, "no counter of reference cycles");
		return;
	}
	if (cpus_pin(st->first_cpu) ||
	    program_add(&program, &st->pmu, counter, &st->pmu.cycles,
			LEVELS_USER) ||
	    measure_rates(&program, st->repeat, &rates)) {
		tap_failed(&st->tap, &place, "cannot measure", errno);
		return;
	}
	ruling = judge_rates(&rates);
	tap_ruling(&st->tap, &place, &ruling);
	tap_note(&st->tap, "%d.%06d reference cycles in a tick of the TSC",
		 (int)(rates.longer / 1000000), (int)(rates.longer % 1000000));
}

/* The names of retired branches in the models' tables. */
static bool find_branches(pfmlib_event_t *event, const char **name)
{
	static const char *const names[] = {
		"BR_INST_RETIRED:ALL_BRANCHES",
		"BRANCH_INSTRUCTIONS_RETIRED",
		"RETIRED_BRANCH_INSTRUCTIONS",
		"BR_INST_RETIRED:ANY",
		"BR_INST_RETIRED",
		"RETIRED_BRANCHES",
		"BRANCHES",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		*name = names[i];
		if (!pfm_find_full_event(names[i], event))
			return true;
	}
	return false;
}

void test_branches(struct selftest *st)
{
	pfmlib_event_t event;
	const char *name;
	int made = 0;

	if (!find_branches(&event, &name)) {
		tap_skip(&st->tap, "libpfm has no event of branches here");
		return;
	}
	if (cpus_pin(st->first_cpu))
		return;
	for (int i = 0; i < st->pmu.count && !selftest_stopped(); i++) {
		const struct counter *counter = &st->pmu.counters[i];
		struct place place = { st->first_cpu, counter->name, name };
		struct program program = { 0 };
		struct runs shorter, longer;
		struct ruling ruling;

		if (counter->kind == COUNTER_FIXED ||
		    !counter_is_chosen(&st->pmu, counter, &event) ||
		    program_add(&program, &st->pmu, counter, &event,
				LEVELS_USER))
			continue;
		made++;
		if (measure_runs(&program, st->first_cpu, &loop_count, TURNS,
				 st->repeat, &shorter) ||
		    measure_runs(&program, st->first_cpu, &loop_count,
				 2 * TURNS, st->repeat, &longer)) {
			tap_failed(&st->tap, &place, "cannot measure", errno);
			continue;
		}
		ruling = judge_branches(&shorter, &longer, TURNS, st->emulated);
		tap_ruling(&st->tap, &place, &ruling);
	}
	if (!made)
		tap_skip(&st->tap, "no counter counts branches");
	else if (st->emulated)
		tap_note(
			&st->tap,
			"an emulated processor: only that they count was judged");
}
