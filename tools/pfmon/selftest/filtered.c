// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that a loop of loads causes for certain. A host may let the architectural
 * events through, instructions, cycles and branches, and hide all others.
 */
#include <errno.h>

#include "cpus.h"
#include "tests.h"

#define TURNS 5000ul

/* The names in the models' tables; the first one that is there counts. */
static const char *const loads[] = {
	"MEM_INST_RETIRED:ALL_LOADS",
	"MEM_UOPS_RETIRED:ALL_LOADS",
	"MEM_INST_RETIRED:LOADS",
	"L1D_ALL_REF:ANY",
	"L1D_ALL_REF",
	"DATA_MEM_REFS",
	"LS_DISPATCH:LD_DISPATCH",
	"DATA_CACHE_ACCESSES",
	NULL,
};

static const char *const micro_operations[] = {
	"UOPS_RETIRED:ANY",   "UOPS_RETIRED:ALL",
	"UOPS_RETIRED:SLOTS", "TOPDOWN_RETIRING:ALL",
	"UOPS_RETIRED",	      "RETIRED_UOPS",
	"RETIRED_OPS",	      NULL,
};

static const char *find_event(const char *const *names, pfmlib_event_t *event)
{
	for (; *names; names++) {
		if (!pfm_find_full_event(*names, event))
			return *names;
	}
	return NULL;
}

static void judge_counter(struct selftest *st, const struct counter *counter,
			  const struct program *program, const char *name)
{
	struct place place = { st->first_cpu, counter->name, name };
	struct ruling ruling;
	struct runs runs;

	if (measure_runs(program, st->first_cpu, &loop_load, TURNS, st->repeat,
			 &runs)) {
		tap_failed(&st->tap, &place, "cannot measure", errno);
		return;
	}
	/* Errata make some processors miss a few loads. */
	ruling = judge_range(
		judge_smallest(&runs), st->emulated ? 1 : TURNS / 2, UINT64_MAX,
		"the event does not count although the loop causes it: a host filters it, or libpfm has a wrong value for it");
	tap_ruling(&st->tap, &place, &ruling);
}

/* Returns how many counters can have one of the events. */
static int judge_event(struct selftest *st, const char *const *names)
{
	pfmlib_event_t event;
	const char *name = find_event(names, &event);
	int made = 0;

	for (int i = 0; name && i < st->pmu.count && !selftest_stopped(); i++) {
		const struct counter *counter = &st->pmu.counters[i];
		struct program program = { 0 };

		if (counter->kind == COUNTER_FIXED ||
		    !counter_is_chosen(&st->pmu, counter, &event) ||
		    program_add(&program, &st->pmu, counter, &event,
				LEVELS_USER))
			continue;
		judge_counter(st, counter, &program, name);
		made++;
	}
	return made;
}

void test_filtered(struct selftest *st)
{
	if (cpus_pin(st->first_cpu))
		return;
	if (judge_event(st, loads) + judge_event(st, micro_operations) == 0)
		tap_skip(
			&st->tap,
			"libpfm has no event of loads or micro-operations here");
}
