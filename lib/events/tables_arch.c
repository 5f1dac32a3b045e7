// SPDX-License-Identifier: MIT
/*
 * The events of architectural performance monitoring and their load function,
 * called by pfmlib_init.c; models with event files have these events as well.
 * CPUID reports which of them a processor lacks.
 */
#include "tables.h"

/* In the order of the bits of CPUID leaf 0xa that mark absent events. */
static const struct pfmlib_event_desc events[] = {
	{ .name = "UNHALTED_CORE_CYCLES",
	  .desc = "Cycles of the core's clock while it is not halted",
	  .code = 0x003c },
	{ .name = "INSTRUCTIONS_RETIRED",
	  .desc = "Instructions retired",
	  .code = 0x00c0 },
	{ .name = "UNHALTED_REFERENCE_CYCLES",
	  .desc = "Cycles of the reference clock while the core is not halted",
	  .code = 0x013c },
	{ .name = "LAST_LEVEL_CACHE_REFERENCES",
	  .desc = "Requests of the core to the last level cache",
	  .code = 0x4f2e },
	{ .name = "LAST_LEVEL_CACHE_MISSES",
	  .desc = "Requests of the core that missed the last level cache",
	  .code = 0x412e },
	{ .name = "BRANCH_INSTRUCTIONS_RETIRED",
	  .desc = "Branch instructions retired",
	  .code = 0x00c4 },
	{ .name = "MISPREDICTED_BRANCH_RETIRED",
	  .desc = "Branch instructions retired that were mispredicted",
	  .code = 0x00c5 },
};

/* Aliases: libpfm4's names of some of them. */
static const struct {
	const char *name;
	const char *of;
} aliases[] = {
	{ "INSTRUCTION_RETIRED", "INSTRUCTIONS_RETIRED" },
	{ "LLC_REFERENCES", "LAST_LEVEL_CACHE_REFERENCES" },
	{ "LLC_MISSES", "LAST_LEVEL_CACHE_MISSES" },
};

static void add_aliases(struct pfmlib_table *table)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		const struct pfmlib_event_desc *event =
			pfmlib_table_event(table, aliases[i].of);
		struct pfmlib_event_desc alias;

		if (!event)
			continue;
		alias = *event;
		alias.name = aliases[i].name;
		pfmlib_table_add(table, &alias, 1);
	}
}

void pfmlib_table_add_arch(struct pfmlib_table *table, unsigned int unavail)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		if (!(unavail & 1U << i))
			pfmlib_table_add(table, &events[i], 1);
	}
	add_aliases(table);
}

int pfmlib_load_arch(struct pfmlib_pmu *pmu)
{
	struct pfmlib_table table = { 0 };

	pfmlib_table_add_arch(&table, pmu->cpu.arch_unavail);
	if (pfmlib_table_event(&table, "UNHALTED_CORE_CYCLES"))
		pmu->cycle_event = "UNHALTED_CORE_CYCLES";
	if (pfmlib_table_event(&table, "INSTRUCTIONS_RETIRED"))
		pmu->inst_event = "INSTRUCTIONS_RETIRED";
	return pfmlib_table_finish(&table, pmu);
}
