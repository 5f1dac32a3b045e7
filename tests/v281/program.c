// SPDX-License-Identifier: GPL-2.0-only
/* Events into a session, see program.h; with the v2.81 calls. */
#include "program.h"

#include <err.h>

#include "events.h"

void program_events(int fd, unsigned int set, const char *const *events,
		    unsigned int count, pfarg_pmd_t *pmds)
{
	static pfmlib_output_param_t out;
	pfarg_setinfo_t info = { .set_id = set };
	pfarg_pmc_t pmcs[PFM_MAX_PMCS] = { 0 };

	if (pfm_getinfo_evtsets(fd, &info, 1))
		err(1, "cannot ask for the registers");
	assign_events(events, count, info.set_avail_pmcs, &out);

	for (unsigned int i = 0; i < out.pfp_pmc_count; i++) {
		pmcs[i].reg_num = out.pfp_pmcs[i].reg_num;
		pmcs[i].reg_set = set;
		pmcs[i].reg_value = out.pfp_pmcs[i].reg_value;
	}
	if (pfm_write_pmcs(fd, pmcs, (int)out.pfp_pmc_count))
		err(1, "cannot program the events");

	for (unsigned int i = 0; i < count; i++)
		pmds[i] = (pfarg_pmd_t){ .reg_num = out.pfp_pmds[i].reg_num,
					 .reg_set = set };
}
