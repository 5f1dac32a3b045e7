// SPDX-License-Identifier: GPL-2.0-only
/* Uses libpfm.so.4: beside-libpfm4 compiles it, alone and with pfm3.c. */
#include <perfmon/pfmlib.h>
#include <string.h>

int use_pfm4(void);

/* Returns 0 if this is the library of that version, and it has PMUs. */
int use_pfm4(void)
{
	pfm_pmu_info_t info;

	if (PFM_MAJ_VERSION(pfm_get_version()) != 4)
		return 3;
	memset(&info, 0, sizeof(info));
	info.size = sizeof(info);
	if (pfm_initialize() != PFM_SUCCESS ||
	    pfm_get_pmu_info(PFM_PMU_INTEL_CORE, &info) != PFM_SUCCESS ||
	    strcmp(info.name, "core") != 0)
		return 4;
	return 0;
}

#ifndef PART
int main(void)
{
	return use_pfm4();
}
#endif
