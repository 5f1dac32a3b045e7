// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that uses libpfm.so.3 and libpfm4 at the same time.  Of the names
 * that both have, those of libpfm.so.3 are linked; libpfm4's are looked up.
 */
#define __PFMLIB_OS_COMPILE
#include <dlfcn.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>

/* Of libpfm4 alone: the next event of a table, or -1. */
int pfm_get_event_next(int event);

static int count_ours(void)
{
	unsigned int num;

	if (pfm_force_pmu(PFMLIB_CORE_PMU) != PFMLIB_SUCCESS ||
	    pfm_get_num_events(&num) != PFMLIB_SUCCESS)
		return -1;
	return (int)num;
}

/* The events that follow this one in libpfm4's table. */
static int count_from(int event)
{
	int num = 0;

	for (; event >= 0; event = pfm_get_event_next(event))
		num++;
	return num;
}

int main(void)
{
	void *libpfm4 = dlopen("libpfm.so.4", RTLD_NOW);
	int (*initialize)(void);
	int (*find_event)(const char *name);
	int ours, theirs;

	if (!libpfm4) {
		fprintf(stderr, "%s\n", dlerror());
		return EXIT_FAILURE;
	}
	*(void **)&initialize = dlsym(libpfm4, "pfm_initialize");
	*(void **)&find_event = dlsym(libpfm4, "pfm_find_event");
	if (!initialize || !find_event || initialize == pfm_initialize)
		return EXIT_FAILURE;

	ours = count_ours();
	/* So that it tells of processors that it does not run on. */
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (initialize())
		return EXIT_FAILURE;
	theirs = count_from(find_event("core::UNHALTED_CORE_CYCLES"));
	/* Theirs has changed nothing of ours. */
	if (count_ours() != ours)
		return EXIT_FAILURE;
	printf("%d %d\n", ours, theirs);
	return EXIT_SUCCESS;
}
