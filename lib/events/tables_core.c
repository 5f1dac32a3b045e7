// SPDX-License-Identifier: MIT
/*
 * The load functions of the models from Core and Atom to Westmere, called by
 * pfmlib_init.c; libpfm4 has their tables on every architecture.
 */
#include "tables.h"

static int load(struct pfmlib_pmu *pmu, const char *core,
		unsigned int core_patches, const char *uncore,
		unsigned int uncore_patches)
{
	struct pfmlib_table table = { 0 };

	pfmlib_table_add_libpfm4(&table, core, PFMLIB_CODES_AS_THEY_ARE);
	if (uncore)
		pfmlib_table_add_libpfm4(&table, uncore,
					 PFMLIB_CODES_AS_THEY_ARE);
	pfmlib_table_patch(&table, core_patches | uncore_patches);
	pmu->cycle_event = "UNHALTED_CORE_CYCLES";
	return pfmlib_table_finish(&table, pmu);
}

int pfmlib_load_core(struct pfmlib_pmu *pmu)
{
	pmu->inst_event = "INSTRUCTIONS_RETIRED";
	return load(pmu, "core", PFMLIB_PATCH_CORE, NULL, 0);
}

int pfmlib_load_atom(struct pfmlib_pmu *pmu)
{
	pmu->inst_event = "INSTRUCTIONS_RETIRED";
	return load(pmu, "atom", PFMLIB_PATCH_ATOM, NULL, 0);
}

int pfmlib_load_nhm(struct pfmlib_pmu *pmu)
{
	pmu->inst_event = "INSTRUCTION_RETIRED";
	switch (pmu->cpu.model) {
	case 26:
	case 30:
		return load(pmu, "nhm", PFMLIB_PATCH_NHM, "nhm_unc",
			    PFMLIB_PATCH_NHM_UNCORE);
	case 46:
		return load(pmu, "nhm_ex", PFMLIB_PATCH_NHM, NULL, 0);
	default:
		return PFMLIB_ERR_NOTSUPP;
	}
}

int pfmlib_load_wsm(struct pfmlib_pmu *pmu)
{
	pmu->inst_event = "INSTRUCTION_RETIRED";
	switch (pmu->cpu.model) {
	case 37:
		return load(pmu, "wsm", PFMLIB_PATCH_WSM, "wsm_unc",
			    PFMLIB_PATCH_WSM_UNCORE);
	case 44:
		return load(pmu, "wsm_dp",
			    PFMLIB_PATCH_WSM | PFMLIB_PATCH_WSM_DP, "wsm_unc",
			    PFMLIB_PATCH_WSM_UNCORE);
	/* It has a different uncore. */
	case 47:
		return load(pmu, "wsm_dp",
			    PFMLIB_PATCH_WSM | PFMLIB_PATCH_WSM_DP, NULL, 0);
	default:
		return PFMLIB_ERR_NOTSUPP;
	}
}
