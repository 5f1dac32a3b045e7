// SPDX-License-Identifier: GPL-2.0-only
/* Names of events that do not depend on the model, see alias.h. */
#include "events/alias.h"

#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/tables.h"

#define NATIVE_MAX 5
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/*
 * What the models call it; the first that the running one has. The same name
 * never means two things. Instructions and cycles are libpfm's business.
 */
static const struct {
	const char *name;
	const char *natives[NATIVE_MAX];
	enum event_meaning meaning;
} aliases[] = {
	{ "branches",
	  { "RETIRED_BRANCH_INSTRUCTIONS", "BRANCH_INSTRUCTIONS_RETIRED",
	    "BR_INST_RETIRED:ALL_BRANCHES", "BR_INST_RETIRED" },
	  MEANS_BRANCHES },
	{ "branch-misses",
	  { "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED",
	    "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS",
	    "MISPREDICTED_BRANCH_RETIRED", "BR_MISP_RETIRED:ALL_BRANCHES",
	    "BR_MISS_PRED_RETIRED" },
	  MEANS_BRANCHES },
	{ "ref-cycles", { "UNHALTED_REFERENCE_CYCLES" }, MEANS_OTHER },
	{ "cache-references", { "LAST_LEVEL_CACHE_REFERENCES" }, MEANS_OTHER },
	{ "cache-misses", { "LAST_LEVEL_CACHE_MISSES" }, MEANS_OTHER },
	/* Of AMD; with the modifier p they are sampled precisely. */
	{ "ops", { "RETIRED_UOPS", "RETIRED_OPS", "EX_RET_OPS" }, MEANS_OTHER },
};

/*
 * Behind the kind of core of a hybrid processor, as in cpu_core/cycles: what fixed
 * counters count everywhere needs a selector that counts on one kind only.
 */
static const char *const kinds[] = { "cpu_core/", "cpu_atom/" };
static const struct {
	const char *name;
	const char *native;
} of_kinds[] = {
	{ "instructions", "INST_RETIRED:ANY_P" },
	{ "cycles", "CPU_CLK_UNHALTED:THREAD_P" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED:THREAD_P" },
	{ "branches", "BR_INST_RETIRED:ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED:ALL_BRANCHES" },
};

static const struct {
	const char *name;
	enum event_soft soft;
} softs[] = {
	{ "task-clock", SOFT_TASK_CLOCK },
	{ "context-switches", SOFT_CONTEXT_SWITCHES },
	{ "cs", SOFT_CONTEXT_SWITCHES },
	{ "page-faults", SOFT_PAGE_FAULTS },
	{ "faults", SOFT_PAGE_FAULTS },
	{ "minor-faults", SOFT_MINOR_FAULTS },
	{ "major-faults", SOFT_MAJOR_FAULTS },
};

static bool is(const char *name, size_t len, const char *alias)
{
	return strlen(alias) == len && !strncasecmp(name, alias, len);
}

/* The full name, to be freed; NULL if the library has none. */
static char *name_of(int (*get)(pfmlib_event_t *))
{
	pfmlib_event_t event = { 0 };

	return get(&event) == PFMLIB_SUCCESS ? tables_full_name(&event) : NULL;
}

static char *first_native(const char *const natives[NATIVE_MAX])
{
	pfmlib_event_t event;

	for (int i = 0; i < NATIVE_MAX && natives[i]; i++) {
		if (pfm_find_full_event(natives[i], &event) == PFMLIB_SUCCESS)
			return strdup(natives[i]);
	}
	return NULL;
}

/* The length of a kind with its slash that the name begins with, or 0. */
static size_t kind_length(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncasecmp(name, kinds[i], strlen(kinds[i])))
			return strlen(kinds[i]);
	return 0;
}

void alias_spell_kind(char *name)
{
	char *slash = strchr(name + kind_length(name), '/');

	if (!slash || !kind_length(name))
		return;
	if (slash[1] && slash[1] != ':')
		*slash = ':';
	else
		memmove(slash, slash + 1, strlen(slash));
}

/* What follows the kind is the alias; *known stays false if there is none. */
static char *kind_native(const char *name, size_t len, bool *known)
{
	size_t kind = kind_length(name);
	pfmlib_event_t event;
	char *native = NULL;

	for (size_t i = 0; kind && i < ARRAY_SIZE(of_kinds); i++) {
		if (!is(name + kind, len - kind, of_kinds[i].name))
			continue;
		*known = true;
		if (asprintf(&native, "%.*s%s", (int)kind, name,
			     of_kinds[i].native) < 0)
			return NULL;
		if (pfm_find_full_event(native, &event) == PFMLIB_SUCCESS)
			return native;
		free(native);
		return NULL;
	}
	return NULL;
}

char *alias_native(const char *name, size_t len, bool *known)
{
	char *native;

	*known = false;
	if (!tables_pmu())
		return NULL;
	native = kind_native(name, len, known);
	if (*known)
		return native;
	*known = true;
	if (is(name, len, "instructions"))
		return name_of(pfm_get_inst_retired_event);
	if (is(name, len, "cycles") || is(name, len, "cpu-cycles"))
		return name_of(pfm_get_cycle_event);
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (is(name, len, aliases[i].name))
			return first_native(aliases[i].natives);
	}
	*known = false;
	return NULL;
}

enum event_soft alias_soft(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(softs); i++) {
		if (!strcasecmp(name, softs[i].name))
			return softs[i].soft;
	}
	return SOFT_NONE;
}

/* Of the events that an alias can stand for. */
static enum event_meaning meaning_in_table(const char *full_name)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		for (int j = 0; j < NATIVE_MAX && aliases[i].natives[j]; j++) {
			if (!strcmp(aliases[i].natives[j], full_name))
				return aliases[i].meaning;
		}
	}
	return MEANS_OTHER;
}

enum event_meaning alias_meaning(const char *full_name)
{
	char *instructions = name_of(pfm_get_inst_retired_event);
	char *cycles = name_of(pfm_get_cycle_event);
	enum event_meaning meaning = meaning_in_table(full_name);

	if (instructions && !strcmp(instructions, full_name))
		meaning = MEANS_INSTRUCTIONS;
	else if (cycles && !strcmp(cycles, full_name))
		meaning = MEANS_CYCLES;
	free(instructions);
	free(cycles);
	return meaning;
}

unsigned int alias_most(enum event_meaning meaning, enum event_meaning with)
{
	if (meaning != MEANS_OTHER && meaning == with)
		return 1;
	return meaning == MEANS_BRANCHES && with == MEANS_INSTRUCTIONS;
}
