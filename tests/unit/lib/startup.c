// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pfm_initialize() costs on each processor, for check-startup.
 *
 * usage: startup			lists the processors, "TYPE,FAMILY,MODEL,STEPPING NAME"
 *	  startup PROCESSOR...		initialises for each; valgrind's callgrind
 *					writes what that took
 */
#include <perfmon/pfmlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#define TYPES 128
#define FAMILIES 32
#define NO_MODEL 255
#define SKX_MODEL 85

#define NAME_MAX_SIZE 128

static bool initialise(const char *processor)
{
	return !setenv("LIBPFM_FORCE_PMU", processor, 1) &&
	       pfm_initialize() == PFMLIB_SUCCESS;
}

/* AMD's processors are known by many models; the table is in the name. */
static bool is_listed(const char *name)
{
	static char last[NAME_MAX_SIZE];
	bool same = !strcmp(last, name);

	snprintf(last, sizeof(last), "%s", name);
	return same;
}

static bool list_one(int type, int family, int model, int stepping)
{
	char processor[64], name[NAME_MAX_SIZE];

	snprintf(processor, sizeof(processor), "%d,%d,%d,%d", type, family,
		 model, stepping);
	if (!initialise(processor) || pfm_get_pmu_name(name, sizeof(name)))
		return false;
	if (type != PFMLIB_AMD64_PMU || !is_listed(name))
		printf("%s %s\n", processor, name);
	return true;
}

static void list_family(int type, int family)
{
	/* Many types have one table, whatever the model. */
	if (type != PFMLIB_AMD64_PMU && list_one(type, family, NO_MODEL, 1))
		return;
	for (int model = 0; model < NO_MODEL; model++) {
		list_one(type, family, model, 1);
		/* Skylake's server and Cascade Lake differ in the stepping. */
		if (type == PFMLIB_INTEL_SKL_PMU && model == SKX_MODEL)
			list_one(type, family, model, 5);
	}
}

int main(int argc, char **argv)
{
	/* libpfm4 starts once. */
	if (!initialise("36"))
		return EXIT_FAILURE;
	for (int i = 1; i < argc; i++) {
		CALLGRIND_ZERO_STATS;
		if (!initialise(argv[i]))
			return EXIT_FAILURE;
		CALLGRIND_DUMP_STATS_AT(argv[i]);
	}
	if (argc > 1)
		return 0;
	for (int type = 0; type < TYPES; type++) {
		if (type != PFMLIB_AMD64_PMU)
			list_family(type, 6);
	}
	for (int family = 15; family < FAMILIES; family++)
		list_family(PFMLIB_AMD64_PMU, family);
	return 0;
}
