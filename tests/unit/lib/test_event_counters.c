// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that not every counter can count, as Intel's manual lists them. The
 * oracle of the random dispatches asks the library which counters an event has,
 * so a wrong answer would be right in both places.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <perfmon/pfmlib.h>

#include "array_size.h"
#include "force_pmu.h"

#define FIRST 0x1
#define SECOND 0x2
#define BOTH 0x3

struct row {
	const char *event;
	unsigned int counters; /* bit mask */
};

static const struct row p6[] = {
	{ "CPU_CLK_UNHALTED", BOTH },
	{ "INST_RETIRED", BOTH },
	{ "FLOPS", FIRST },
	{ "FP_COMP_OPS_EXE", FIRST },
	{ "FP_ASSIST", SECOND },
	{ "MUL", SECOND },
	{ "DIV", SECOND },
	{ "CYCLES_DIV_BUSY", FIRST },
};

static const struct row core[] = {
	{ "FP_COMP_OPS_EXE", FIRST },
	{ "FP_ASSIST", SECOND },
	{ "MUL", SECOND },
	{ "DIV", SECOND },
	{ "CYCLES_DIV_BUSY", FIRST },
	{ "IDLE_DURING_DIV", FIRST },
	{ "DELAYED_BYPASS", SECOND },
	{ "MEM_LOAD_RETIRED", FIRST },
	{ "BR_INST_EXEC", BOTH },
};

static const struct row nehalem[] = {
	{ "L1D_CACHE_LD", BOTH },   { "L1D_CACHE_ST", BOTH },
	{ "L1D_CACHE_LOCK", BOTH }, { "L1D_ALL_REF", BOTH },
	{ "L1D_PREFETCH", BOTH },   { "L1D", BOTH },
	{ "BR_INST_EXEC", 0xf },
};

static const struct {
	const char *pmu; /* of LIBPFM_FORCE_PMU */
	const struct row *rows;
	size_t count;
} models[] = {
	{ "37", p6, ARRAY_SIZE(p6) },
	{ "38", p6, ARRAY_SIZE(p6) },
	{ "32", p6, ARRAY_SIZE(p6) },
	{ "36", core, ARRAY_SIZE(core) },
	{ "40", nehalem, ARRAY_SIZE(nehalem) },
};

/* The first 64. */
static uint64_t counters_of(const char *name)
{
	pfmlib_regmask_t mask;
	unsigned int event, i;
	uint64_t bits = 0;

	if (pfm_find_event(name, &event))
		fail_msg("%s: no such event", name);
	assert_int_equal(pfm_get_event_counters(event, &mask), PFMLIB_SUCCESS);
	for (i = 0; i < 64; i++)
		if (pfm_regmask_isset(&mask, i))
			bits |= 1ULL << i;
	return bits;
}

static void events_have_the_counters_of_the_manual(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		force_pmu(models[i].pmu);
		for (size_t j = 0; j < models[i].count; j++) {
			const struct row *row = &models[i].rows[j];
			uint64_t counters = counters_of(row->event);

			if (counters != row->counters)
				fail_msg("%s %s: 0x%llx", models[i].pmu,
					 row->event,
					 (unsigned long long)counters);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_have_the_counters_of_the_manual),
	};

	return cmocka_run_group_tests_name("lib_event_counters", tests, NULL,
					   NULL);
}
