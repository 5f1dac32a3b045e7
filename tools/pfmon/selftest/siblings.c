// SPDX-License-Identifier: GPL-2.0-only
/*
 * The threads of a core use counters of the same numbers at the same time, and one
 * after the other the register of off-core masks, which they share on some
 * processors.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cpus.h"
#include "crew.h"
#include "tests.h"

#define TURNS 500000ul
#define RUNS 5

/* Memory that no cache of a core holds, and turns of a loop through it. */
#define OFFCORE_MEMORY (8ul << 20)
#define OFFCORE_TURNS (OFFCORE_MEMORY / 64)
#define OFFCORE_ENOUGH 64
#define OFFCORE_REGISTER "OFFCORE_RSP0"

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

/* Finds two tested threads of a core; false if there are none. */
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

/* Puts an off-core event on a counter that can have it; false if there is none. */
static bool add_offcore(const struct pmu *pmu, struct program *program)
{
	pfmlib_event_t event = { .num_masks = 2 };
	unsigned int masks;

	if (pfm_find_event("OFFCORE_RESPONSE_0", &event.event) ||
	    pfm_get_num_event_masks(event.event, &masks))
		return false;
	/* A request and a response; set_mask() replaces them. */
	event.unit_masks[1] = masks - 1;
	for (int i = 0; i < pmu->count; i++) {
		const struct counter *counter = &pmu->counters[i];

		if (counter_has_selector(pmu, counter) &&
		    counter_is_chosen(pmu, counter, &event) &&
		    !program_add(program, pmu, counter, &event, LEVELS_USER))
			return true;
	}
	return false;
}

/* Sets the mask to all bits of the register, or to none. */
static bool set_mask(const struct pmu *pmu, struct program *program, bool all)
{
	for (int i = 0; i < program->pmc_count; i++) {
		const struct reg *reg = &pmu->map.pmc[program->pmcs[i].reg_num];

		if (strcmp(reg->name, OFFCORE_REGISTER))
			continue;
		program->pmcs[i].reg_value = all ? ~reg->reserved : 0;
		return true;
	}
	return false;
}

/* Returns the off-core requests of a loop on a CPU, 0 if they do not count. */
static uint64_t count_offcore(struct selftest *st, int cpu,
			      const struct program *program)
{
	struct place place = { cpu, NULL, "off-core requests" };
	uint64_t counts[COUNTERS_MAX] = { 0 };
	int fd = cpus_pin(cpu) ? -1 : measure_open(program);

	if (fd < 0 ||
	    measure_once(fd, program, &loop_load, OFFCORE_TURNS, counts))
		tap_failed(&st->tap, &place, "cannot measure", errno);
	if (fd >= 0)
		close(fd);
	return counts[0];
}

/* Each run finds the mask of the other thread, "none" or "all", in the register. */
static void judge_offcore(struct selftest *st, const int pair[2],
			  const struct program *all, const struct program *none)
{
	const char *cause =
		"the threads of a core share the register of the mask, and the mask of the other one was in it";
	struct place place = { pair[0], OFFCORE_REGISTER, "off-core requests" };
	uint64_t usual = count_offcore(st, pair[0], all);
	struct ruling ruling;

	if (usual < OFFCORE_ENOUGH) {
		tap_skip(&st->tap, "off-core requests do not count here");
		return;
	}
	for (int i = 0; i < 2 * RUNS && !selftest_stopped(); i++) {
		place.cpu = pair[1 - i % 2];
		ruling = judge_range(count_offcore(st, place.cpu, none), 0,
				     usual / 16, cause);
		tap_ruling(&st->tap, &place, &ruling);
		place.cpu = pair[i % 2];
		ruling = judge_range(count_offcore(st, place.cpu, all),
				     usual / 4, UINT64_MAX, cause);
		tap_ruling(&st->tap, &place, &ruling);
	}
}

void test_offcore(struct selftest *st)
{
	struct program all = { 0 }, none;
	int pair[2];

	if (!find_pair(st, pair)) {
		tap_skip(&st->tap, "no two threads of a core are tested");
		return;
	}
	if (!add_offcore(&st->pmu, &all) || !set_mask(&st->pmu, &all, true)) {
		tap_skip(&st->tap, "no event with a mask of its own");
		return;
	}
	none = all;
	set_mask(&st->pmu, &none, false);
	if (loop_memory(OFFCORE_MEMORY)) {
		tap_skip(&st->tap, "no memory for a loop");
		return;
	}
	judge_offcore(st, pair, &all, &none);
	loop_memory(LOOP_SMALL);
}
