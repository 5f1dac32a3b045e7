// SPDX-License-Identifier: GPL-2.0-only
/* From the names of events to registers, see events.h. */
#include "events.h"

#include <err.h>
#include <perfmon/perfmon.h>
#include <string.h>

static int find_event(const char *name, pfmlib_event_t *event)
{
	if (!strcmp(name, "instructions"))
		return pfm_get_inst_retired_event(event);
	if (!strcmp(name, "cycles"))
		return pfm_get_cycle_event(event);
	return pfm_find_full_event(name, event);
}

void assign_events(const char *const *events, unsigned int count,
		   const uint64_t *avail_pmcs, pfmlib_output_param_t *out)
{
	static pfmlib_input_param_t in; /* too large for a stack */
	int rc = pfm_initialize();

	if (rc != PFMLIB_SUCCESS)
		errx(1, "cannot use this processor: %s", pfm_strerror(rc));

	memset(&in, 0, sizeof(in));
	for (unsigned int i = 0; i < count; i++) {
		rc = find_event(events[i], &in.pfp_events[i]);
		if (rc != PFMLIB_SUCCESS)
			errx(1, "event %s: %s", events[i], pfm_strerror(rc));
	}
	in.pfp_event_count = count;
	in.pfp_dfl_plm = PFM_PLM3;
	for (unsigned int pmc = 0; pmc < PFM_MAX_PMCS; pmc++)
		if (!(avail_pmcs[pmc / 64] >> pmc % 64 & 1))
			pfm_regmask_set(&in.pfp_unavail_pmcs, pmc);

	rc = pfm_dispatch_events(&in, NULL, out, NULL);
	if (rc != PFMLIB_SUCCESS)
		errx(1, "cannot count these events together: %s",
		     pfm_strerror(rc));
}
