// SPDX-License-Identifier: MIT
/* The events of Intel's models from Pentium 4 to Westmere, see tables.h. */
#include "tables.h"

int pfmlib_load_p4(struct pfmlib_pmu *pmu)
{
	unsigned int model = pmu->cpu.model;
	struct pfmlib_table table = { 0 };

	/* With INSTR_COMPLETED, which models 3, 4 and 6 have only. */
	pfmlib_table_add_libpfm4(&table, "netburst_p", PFMLIB_CODES_P4);
	pfmlib_table_patch(&table, PFMLIB_PATCH_P4);
	pmu->cycle_event = "GLOBAL_POWER_EVENTS:RUNNING";
	if (model == 3 || model == 4 || model == 6)
		pmu->inst_event = "INSTR_COMPLETED:NBOGUS";
	else
		pmu->inst_event = "INSTR_RETIRED:NBOGUSNTAG:NBOGUSTAG";
	return pfmlib_table_finish(&table, pmu);
}

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
	case 47:
		return load(pmu, "wsm_dp", PFMLIB_PATCH_WSM, "wsm_unc",
			    PFMLIB_PATCH_WSM_UNCORE);
	default:
		return PFMLIB_ERR_NOTSUPP;
	}
}
