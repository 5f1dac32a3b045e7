// SPDX-License-Identifier: GPL-2.0-only
/* Uses libpfm.so.3: beside-libpfm4 compiles it, alone and with pfm4.c. */
#include <perfmon/perfmon.h>
#include <perfmon/pfmlib.h>

int use_pfm3(void);

/* Returns 0 if events are found; by functions that libpfm4 does not have. */
int use_pfm3(void)
{
	pfmlib_event_t event;

	if (pfm_force_pmu(PFMLIB_CORE_PMU) ||
	    pfm_find_full_event("L2_LINES_IN:SELF:ANY", &event) ||
	    event.num_masks != 2)
		return 1;
	return 0;
}

#ifndef PART
int main(void)
{
	unsigned int version;

	if (pfm_get_version(&version) || version != PFMLIB_VERSION ||
	    PFMLIB_MAJ_VERSION(version) != 3)
		return 2;
	return use_pfm3();
}
#endif
