// SPDX-License-Identifier: GPL-2.0-only
/* The threads of a core use the same counters at the same time. */
#include <errno.h>

#include "cpus.h"
#include "crew.h"
#include "tests.h"

#define TURNS 500000ul
#define RUNS 5

struct sibling {
	struct selftest *st;
	const struct counter *counter;
	int cpu;
};

static void work(struct member *member, void *arg)
{
	const struct sibling *sibling = arg;
	struct program program = { 0 };

	member->counter = sibling->counter->name;
	if (cpus_pin(sibling->cpu) ||
	    program_add(&program, &sibling->st->pmu, sibling->counter,
			&sibling->st->pmu.instructions, LEVELS_USER) ||
	    measure_runs(&program, sibling->cpu, &loop_count, TURNS, RUNS,
			 &member->runs))
		member->error = errno;
}

static void judge_pair(struct selftest *st, const struct crew *crew,
		       const struct sibling *siblings)
{
	const struct circumstances around = { .others_count = st->some_count };

	for (int i = 0; i < crew->size; i++) {
		const struct member *member = &crew->members[i];
		struct place place = { siblings[i].cpu, member->counter,
				       "instructions beside the other thread" };
		struct ruling ruling;

		if (member->error) {
			tap_failed(&st->tap, &place, "cannot measure",
				   member->error);
			continue;
		}
		ruling = judge_exact(&member->runs, st->overhead, &around);
		tap_ruling(&st->tap, &place, &ruling);
	}
}

/* Both threads of a core that are tested; false if there are no such. */
static bool find_pair(const struct selftest *st, int pair[2])
{
	cpu_set_t threads;

	for (int cpu = cpus_next(&st->cpus, -1); cpu >= 0;
	     cpu = cpus_next(&st->cpus, cpu)) {
		if (cpus_siblings(cpu, &threads))
			continue;
		CPU_AND(&threads, &threads, &st->cpus);
		pair[0] = cpus_next(&threads, -1);
		pair[1] = pair[0] < 0 ? -1 : cpus_next(&threads, pair[0]);
		if (pair[1] >= 0)
			return true;
	}
	return false;
}

void test_siblings(struct selftest *st)
{
	int pair[2];

	if (!find_pair(st, pair)) {
		tap_skip(&st->tap, "no two threads of a core are tested");
		return;
	}
	for (int i = 0; i < st->pmu.count && !selftest_stopped(); i++) {
		struct sibling siblings[2] = {
			{ st, &st->pmu.counters[i], pair[0] },
			{ st, &st->pmu.counters[i], pair[1] },
		};
		struct crew *crew;

		if (!counter_has_instructions(&st->pmu, &st->pmu.counters[i]))
			continue;
		crew = crew_new();
		if (!crew)
			return;
		crew_add(crew, work, &siblings[0]);
		crew_add(crew, work, &siblings[1]);
		crew_run(crew);
		judge_pair(st, crew, siblings);
		crew_free(crew);
	}
}
