// SPDX-License-Identifier: MIT
/* Events into a session, see program.h. */
#include "program.h"

#include <err.h>

#include "events.h"

void program_events(int fd, unsigned int set, const char *const *events,
		    unsigned int count, pfarg_pmr_t *pmds)
{
	static pfmlib_output_param_t out;
	pfarg_setinfo_t info = { .set_id = set };
	pfarg_pmr_t pmcs[PFM_MAX_PMCS] = { 0 };

	if (pfm_getinfo_sets(fd, 0, &info, 1))
		err(1, "cannot ask for the registers");
	assign_events(events, count, info.set_avail_pmcs, &out);

	for (unsigned int i = 0; i < out.pfp_pmc_count; i++) {
		pmcs[i].reg_num = out.pfp_pmcs[i].reg_num;
		pmcs[i].reg_set = set;
		pmcs[i].reg_value = out.pfp_pmcs[i].reg_value;
	}
	if (pfm_write_pmrs(fd, PFM_RWFL_PMC, pmcs, (int)out.pfp_pmc_count))
		err(1, "cannot program the events");

	for (unsigned int i = 0; i < count; i++)
		pmds[i] = (pfarg_pmr_t){ .reg_num = out.pfp_pmds[i].reg_num,
					 .reg_set = set };
}
