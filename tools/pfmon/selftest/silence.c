// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that must stand still do, and a counter that gets another event counts
 * that one from then on: some processors go on with the event before.
 */
#include <errno.h>
#include <unistd.h>

#include "events/selector.h"
#include "cpus.h"
#include "tests.h"

#define TURNS 5000ul

#define FEW_CHANGES 50
#define MANY_CHANGES 1000

static void expect_zero(struct selftest *st, const struct counter *counter,
			const char *what, const struct program *program,
			bool start)
{
	struct place place = { st->first_cpu, counter->name, what };
	uint64_t counts[COUNTERS_MAX];
	struct ruling ruling;
	int fd = measure_open(program), ret;

	if (fd < 0) {
		tap_failed(&st->tap, &place, "cannot measure", errno);
		return;
	}
	if (start) {
		ret = measure_once(fd, program, &loop_count, TURNS, counts);
	} else {
		struct program copy = *program;

		loop_count.run(TURNS);
		ret = pfm_read_pmrs(fd, PFM_RWFL_PMD, copy.pmds,
				    copy.pmd_count);
		counts[0] = copy.pmds[0].reg_value;
	}
	if (ret) {
		tap_failed(&st->tap, &place, "cannot measure", errno);
	} else {
		ruling = judge_zero(counts[0]);
		tap_ruling(&st->tap, &place, &ruling);
	}
	close(fd);
}

void test_zero(struct selftest *st)
{
	if (cpus_pin(st->first_cpu))
		return;
	for (int i = 0; i < st->pmu.count && !selftest_stopped(); i++) {
		const struct counter *counter = &st->pmu.counters[i];
		struct program stopped = { 0 }, no_level = { 0 };

		if (!counter_has_instructions(&st->pmu, counter) ||
		    program_add(&stopped, &st->pmu, counter,
				&st->pmu.instructions, LEVELS_USER))
			continue;
		expect_zero(st, counter, "a session that was not started",
			    &stopped, false);
		if (!counter_has_selector(&st->pmu, counter))
			continue;
		program_add_value(&no_level, &st->pmu, counter,
				  (stopped.pmcs[0].reg_value &
				   ~(uint64_t)(SEL_USR | SEL_OS)) |
					  SEL_ENABLE);
		expect_zero(st, counter, "instructions at no level", &no_level,
			    true);
	}
}

/* Two events that alternate on one counter, in one session. */
struct turns {
	struct program instructions, other;
	struct runs runs;
	uint64_t none; /* how often the other event did not count */
};

static int take_turns(int fd, struct turns *turns, int cpu)
{
	uint64_t counts[COUNTERS_MAX], before = cpus_disturbances(cpu);

	if (measure_program(fd, &turns->other) ||
	    measure_once(fd, &turns->other, &loop_count, TURNS, counts))
		return -1;
	turns->none += !counts[0];
	if (measure_program(fd, &turns->instructions) ||
	    measure_once(fd, &turns->instructions, &loop_count, TURNS, counts))
		return -1;
	turns->runs.run[0] = (struct run){
		.count = counts[0],
		.disturbances = cpus_disturbances(cpu) - before,
	};
	turns->runs.count = 1;
	return 0;
}

static void reprogram_counter(struct selftest *st,
			      const struct counter *counter,
			      struct turns *turns)
{
	int changes = st->full ? MANY_CHANGES : FEW_CHANGES;
	struct place place = { st->first_cpu, counter->name,
			       "instructions after another event" };
	struct circumstances around = {
		.hypervisor = st->hypervisor,
		.others_count = st->some_count,
		.cycles = st->cycles_of_million * 2 * TURNS / 1000000,
	};
	struct ruling ruling = { VERDICT_RIGHT, 0, 0, 0, "" };
	int fd = measure_open(&turns->instructions);

	turns->runs.length = 2 * TURNS;
	for (int i = 0; fd >= 0 && i < changes && !selftest_stopped(); i++) {
		if (take_turns(fd, turns, st->first_cpu)) {
			close(fd);
			fd = -1;
			break;
		}
		ruling = judge_exact(&turns->runs, st->overhead, &around);
		if (ruling.verdict == VERDICT_WRONG)
			break;
	}
	if (fd < 0) {
		tap_failed(&st->tap, &place, "cannot measure", errno);
		return;
	}
	/* A single run of many that was disturbed says nothing. */
	if (ruling.verdict == VERDICT_WRONG)
		tap_ruling(&st->tap, &place, &ruling);
	if (turns->none)
		tap_note(&st->tap,
			 "%s: the other event counted nothing %d times",
			 counter->name, (int)turns->none);
	close(fd);
}

void test_reprogramming(struct selftest *st)
{
	if (cpus_pin(st->first_cpu))
		return;
	for (int i = 0; i < st->pmu.count && !selftest_stopped(); i++) {
		const struct counter *counter = &st->pmu.counters[i];
		struct turns turns = { .none = 0 };

		if (counter->kind == COUNTER_FIXED ||
		    !counter_has_instructions(&st->pmu, counter) ||
		    !counter_has_cycles(&st->pmu, counter) ||
		    program_add(&turns.instructions, &st->pmu, counter,
				&st->pmu.instructions, LEVELS_USER) ||
		    program_add(&turns.other, &st->pmu, counter,
				&st->pmu.cycles, LEVELS_USER))
			continue;
		reprogram_counter(st, counter, &turns);
	}
}
