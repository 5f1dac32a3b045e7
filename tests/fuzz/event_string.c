// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event strings of any kind: the first byte chooses the model, the rest is the
 * string.  No string may do harm, and what is accepted has a name that means
 * the same again.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/pfmlib_pmu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const int models[] = {
	PFMLIB_CORE_PMU,      PFMLIB_PENTIUM4_PMU,    PFMLIB_AMD64_PMU,
	PFMLIB_INTEL_WSM_PMU, PFMLIB_INTEL_BDW_PMU,   PFMLIB_COREDUO_PMU,
	PFMLIB_INTEL_ICL_PMU, PFMLIB_INTEL_P5MMX_PMU,
};

static void expect(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static void check_accepted(pfmlib_event_t *event)
{
	static char name[8192];
	pfmlib_event_t again;

	expect(event->num_masks <= PFMLIB_MAX_MASKS_PER_EVENT,
	       "more masks than there is room for");
	expect(pfm_get_full_event_name(event, name, sizeof(name)) ==
		       PFMLIB_SUCCESS,
	       "an accepted event has no name");
	expect(pfm_find_full_event(name, &again) == PFMLIB_SUCCESS,
	       "its name is not accepted");
	expect(!memcmp(event, &again, sizeof(again)),
	       "its name means something else");
}

static void try_string(const char *string)
{
	pfmlib_event_t event;
	unsigned int index, mask;

	if (pfm_find_full_event(string, &event) == PFMLIB_SUCCESS)
		check_accepted(&event);
	if (pfm_find_event(string, &index) != PFMLIB_SUCCESS)
		return;
	expect(index < pfmlib_current()->num_events, "no such event");
	string = strchr(string, ':');
	if (string &&
	    pfm_find_event_mask(index, string + 1, &mask) == PFMLIB_SUCCESS)
		expect(mask < pfmlib_current()->events[index].num_masks,
		       "no such mask");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *string;

	if (size < 1)
		return 0;
	expect(pfm_force_pmu(
		       models[*data % (sizeof(models) / sizeof(models[0]))]) ==
		       PFMLIB_SUCCESS,
	       "a model cannot be forced");
	/* Of its exact size, so that reading too far is seen. */
	string = malloc(size);
	if (!string)
		return 0;
	memcpy(string, data + 1, size - 1);
	string[size - 1] = '\0';
	try_string(string);
	free(string);
	return 0;
}
