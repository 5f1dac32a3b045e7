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
 */
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void print_event(const char *name)
{
	unsigned long where;
	int ret;

	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = PFM_PLM3;
	in.pfp_event_count = 1;
	ret = pfm_find_full_event(name, &in.pfp_events[0]);
	if (ret != PFMLIB_SUCCESS) {
		printf("%s %d 0x0 0x0\n", name, ret);
		return;
	}
	where = counters();
	ret = pfm_dispatch_events(&in, NULL, &out, NULL);
	printf("%s %d %#lx %#lx", name, ret, where,
	       said(in.pfp_events[0].event));
	for (unsigned int i = 0; !ret && i < out.pfp_pmc_count; i++)
		printf(" %u=%#llx", out.pfp_pmcs[i].reg_num,
		       out.pfp_pmcs[i].reg_value);
	printf("\n");
}

int main(void)
{
	char line[512];

	if (pfm_initialize() != PFMLIB_SUCCESS) {
		fprintf(stderr, "event_codes: no such model\n");
		return EXIT_FAILURE;
	}
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		print_event(line);
	}
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
