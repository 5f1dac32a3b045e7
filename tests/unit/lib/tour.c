// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program as people write it: for every model of the library it asks for all
 * events, finds each by its name and dispatches it.  check-programs builds it
 * against the shared and the static library, and runs it under valgrind.
 *
 * usage: tour; writes "MODELS EVENTS" to standard output
 */
#define __PFMLIB_OS_COMPILE
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the types of x86. */
#define LAST_TYPE PFMLIB_INTEL_HYBRID_PMU

static void check(int ret, const char *what)
{
	if (ret == PFMLIB_SUCCESS)
		return;
	fprintf(stderr, "tour: %s: %s\n", what, pfm_strerror(ret));
	exit(EXIT_FAILURE);
}

/* The event with all its masks, one after the other. */
static void visit_masks(unsigned int event, unsigned int num_masks)
{
	for (unsigned int mask = 0; mask < num_masks; mask++) {
		pfmlib_event_t wanted = { .event = event, .num_masks = 1 };
		pfmlib_event_t found;
		char name[256], *text;

		wanted.unit_masks[0] = mask;
		check(pfm_get_full_event_name(&wanted, name, sizeof(name)),
		      "full name");
		check(pfm_find_full_event(name, &found), name);
		check(pfm_get_event_mask_description(event, mask, &text), name);
		free(text);
	}
}

static void visit_event(unsigned int event)
{
	static pfmlib_input_param_t in;
	static pfmlib_output_param_t out;
	unsigned int num_masks;
	pfmlib_regmask_t counters;
	char *text;

	check(pfm_get_num_event_masks(event, &num_masks), "masks");
	check(pfm_get_event_description(event, &text), "description");
	free(text);
	check(pfm_get_event_counters(event, &counters), "counters");
	visit_masks(event, num_masks);

	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = PFM_PLM0 | PFM_PLM3;
	in.pfp_event_count = 1;
	in.pfp_events[0].event = event;
	in.pfp_events[0].num_masks = num_masks > 0;
	/* Some events want more; what must not happen is seen by valgrind. */
	if (pfm_dispatch_events(&in, NULL, &out, NULL) == PFMLIB_SUCCESS &&
	    out.pfp_pmd_count < 1) {
		fprintf(stderr, "tour: event %u without a counter\n", event);
		exit(EXIT_FAILURE);
	}
}

int main(void)
{
	unsigned int models = 0, events = 0;

	/* Whatever runs this may be a processor that we do not know. */
	pfm_initialize();
	for (int type = 1; type <= LAST_TYPE; type++) {
		unsigned int num_events;

		if (pfm_force_pmu(type) != PFMLIB_SUCCESS)
			continue;
		check(pfm_get_num_events(&num_events), "events");
		for (unsigned int event = 0; event < num_events; event++)
			visit_event(event);
		models++;
		events += num_events;
	}
	printf("%u %u\n", models, events);
	return EXIT_SUCCESS;
}
