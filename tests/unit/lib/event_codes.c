// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what the library makes of events, for checks/event_codes.py.
 *
 * usage: LIBPFM_FORCE_PMU=... event_codes < EVENTS
 *
 * A line of the input is an event with its mask.  The line that it becomes has the
 * name, the error of pfm_find_full_event() or of dispatching it alone at user level,
 * the PMDs that it can be counted on alone, the PMDs that pfm_get_event_counters() has
 * for the event, and its PMCs with their values on the first counter.
 *
 * usage: event_codes every
 *
 * Prints such lines for every event of every model, for scripts/compare-libpfm4: without
 * a mask, with each of its masks, and with each two of them that it can be counted with.
 * They begin with LIBPFM_FORCE_PMU and end with the code of the event or of its mask and
 * with whether it can be sampled precisely.
 */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_intel_nhm.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all_pmus.h"
#include "array_size.h"

#define FIXED_CONTROL 16
#define NUM_COUNTERS 32

static pfmlib_input_param_t in;
static pfmlib_output_param_t out;

/*
 * Where the only event of the input can be counted with PMCs from first to last of the
 * counters'.
 */
static unsigned long counters_with(unsigned int first, unsigned int last)
{
	unsigned int pmc;

	memset(&in.pfp_unavail_pmcs, 0, sizeof(in.pfp_unavail_pmcs));
	for (pmc = 0; pmc <= FIXED_CONTROL; pmc++)
		if (pmc < first || pmc > last)
			pfm_regmask_set(&in.pfp_unavail_pmcs, pmc);
	if (pfm_dispatch_events(&in, NULL, &out, NULL) != PFMLIB_SUCCESS)
		return 0;
	return 1UL << out.pfp_pmds[0].reg_num;
}

static unsigned long counters(void)
{
	unsigned long mask = 0, pairs = 0;
	unsigned int pmc;

	for (pmc = 0; pmc <= FIXED_CONTROL; pmc++)
		mask |= counters_with(pmc, pmc);
	/* AMD's pairs. */
	for (pmc = 0; !mask && pmc < FIXED_CONTROL; pmc += 2)
		pairs |= counters_with(pmc, pmc + 1);
	mask |= pairs;
	memset(&in.pfp_unavail_pmcs, 0, sizeof(in.pfp_unavail_pmcs));
	return mask;
}

static unsigned long said(unsigned int event)
{
	unsigned long mask = 0;
	pfmlib_regmask_t all;

	pfm_get_event_counters(event, &all);
	for (unsigned int i = 0; i < NUM_COUNTERS; i++)
		if (pfm_regmask_isset(&all, i))
			mask |= 1UL << i;
	return mask;
}

static void print_registers(int error)
{
	for (unsigned int i = 0; !error && i < out.pfp_pmc_count; i++)
		printf(" %u=%#llx", out.pfp_pmcs[i].reg_num,
		       out.pfp_pmcs[i].reg_value);
}

/* The only event of the input. */
static void print_event(const char *name)
{
	unsigned long where = counters();
	int ret = pfm_dispatch_events(&in, NULL, &out, NULL);

	printf("%s %d %#lx %#lx", name, ret, where,
	       said(in.pfp_events[0].event));
	print_registers(ret);
}

static void start(void)
{
	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = PFM_PLM3;
	in.pfp_event_count = 1;
}

static void print_named(const char *name)
{
	int ret;

	start();
	ret = pfm_find_full_event(name, &in.pfp_events[0]);
	if (ret == PFMLIB_SUCCESS)
		print_event(name);
	else
		printf("%s %d 0x0 0x0", name, ret);
	printf("\n");
}

static void print_codes(const pfmlib_event_t *event)
{
	unsigned int code = 0;

	if (event->num_masks)
		pfm_get_event_mask_code(event->event, event->unit_masks[0],
					&code);
	else
		pfm_get_event_code(event->event, (int *)&code);
	printf(" code %#x%s\n", code,
	       pfm_nhm_is_pebs(&in.pfp_events[0]) > 0 ? " precise" : "");
}

/* Both masks of the event in the input. */
static void print_pair(const char *pmu, const char *name, const char *first)
{
	const pfmlib_event_t *event = &in.pfp_events[0];
	char second[512];

	if (pfm_dispatch_events(&in, NULL, &out, NULL) != PFMLIB_SUCCESS)
		return;
	pfm_get_event_mask_name(event->event, event->unit_masks[1], second,
				sizeof(second));
	printf("%s %s:%s:%s", pmu, name, first, second);
	print_registers(PFMLIB_SUCCESS);
	printf("\n");
}

static void print_mask(const char *pmu, const char *name, unsigned int mask)
{
	pfmlib_event_t *event = &in.pfp_events[0];
	char first[512], both[1024];

	event->num_masks = 1;
	event->unit_masks[0] = mask;
	pfm_get_event_mask_name(event->event, mask, first, sizeof(first));
	snprintf(both, sizeof(both), "%s:%s", name, first);
	printf("%s ", pmu);
	print_event(both);
	print_codes(event);
	event->num_masks = 2;
	for (unsigned int i = 0; i < mask; i++) {
		event->unit_masks[1] = i;
		print_pair(pmu, name, first);
	}
}

static void print_every_mask(const char *pmu, unsigned int event)
{
	unsigned int num_masks = 0;
	char name[512];

	start();
	in.pfp_events[0].event = event;
	pfm_get_event_name(event, name, sizeof(name));
	printf("%s ", pmu);
	print_event(name);
	print_codes(&in.pfp_events[0]);
	pfm_get_num_event_masks(event, &num_masks);
	for (unsigned int mask = 0; mask < num_masks; mask++)
		print_mask(pmu, name, mask);
}

static bool print_every_event(const char *pmu)
{
	unsigned int num = 0;

	setenv("LIBPFM_FORCE_PMU", pmu, 1);
	if (pfm_initialize() != PFMLIB_SUCCESS)
		return false;
	pfm_get_num_events(&num);
	for (unsigned int event = 0; event < num; event++)
		print_every_mask(pmu, event);
	return true;
}

static bool print_every_model(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(all_pmus); i++)
		if (!print_every_event(all_pmus[i]))
			return false;
	return true;
}

static bool print_asked(void)
{
	char line[512];

	if (pfm_initialize() != PFMLIB_SUCCESS)
		return false;
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		print_named(line);
	}
	return true;
}

int main(int argc, char **argv)
{
	bool every = argc > 1 && !strcmp(argv[1], "every");

	if (!(every ? print_every_model() : print_asked())) {
		fprintf(stderr, "event_codes: no such model\n");
		return EXIT_FAILURE;
	}
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
