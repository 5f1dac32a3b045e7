// SPDX-License-Identifier: MIT
/*
 * The load function of Intel's models since Sandy Bridge ("snb" in the names of
 * the library), called by pfmlib_init.c, and the list that assigns one of libpfm4's
 * tables to each sub-model.
 */
#include "tables.h"

/* Of one type, the first is the default. */
static const struct submodel {
	int type;
	unsigned int model;
	const char *pmu;
} submodels[] = {
	{ PFMLIB_INTEL_SNB_PMU, 42, "snb" },
	{ PFMLIB_INTEL_SNB_PMU, 45, "snb_ep" },
	{ PFMLIB_INTEL_IVB_PMU, 58, "ivb" },
	{ PFMLIB_INTEL_IVB_PMU, 62, "ivb_ep" },
	{ PFMLIB_INTEL_HSW_PMU, 60, "hsw" },
	{ PFMLIB_INTEL_HSW_PMU, 63, "hsw_ep" },
	{ PFMLIB_INTEL_HSW_PMU, 69, "hsw" },
	{ PFMLIB_INTEL_HSW_PMU, 70, "hsw" },
	{ PFMLIB_INTEL_BDW_PMU, 61, "bdw" },
	{ PFMLIB_INTEL_BDW_PMU, 71, "bdw" },
	{ PFMLIB_INTEL_BDW_PMU, 79, "bdw_ep" },
	{ PFMLIB_INTEL_BDW_PMU, 86, "bdw_ep" },
	{ PFMLIB_INTEL_SKL_PMU, 94, "skl" },
	{ PFMLIB_INTEL_SKL_PMU, 78, "skl" },
	{ PFMLIB_INTEL_SKL_PMU, 85, "skx" },
	{ PFMLIB_INTEL_SKL_PMU, 142, "skl" },
	{ PFMLIB_INTEL_SKL_PMU, 158, "skl" },
	{ PFMLIB_INTEL_SKL_PMU, 165, "skl" },
	{ PFMLIB_INTEL_SKL_PMU, 166, "skl" },
	{ PFMLIB_INTEL_ICL_PMU, 125, "icl" },
	{ PFMLIB_INTEL_ICL_PMU, 106, "icx" },
	{ PFMLIB_INTEL_ICL_PMU, 108, "icl" },
	{ PFMLIB_INTEL_ICL_PMU, 126, "icl" },
	{ PFMLIB_INTEL_ICL_PMU, 140, "icl" },
	{ PFMLIB_INTEL_ICL_PMU, 141, "icl" },
	{ PFMLIB_INTEL_ICL_PMU, 157, "icl" },
	{ PFMLIB_INTEL_ICL_PMU, 167, "icl" },
	{ PFMLIB_INTEL_SPR_PMU, 143, "spr" },
	{ PFMLIB_INTEL_SLM_PMU, 55, "slm" },
	{ PFMLIB_INTEL_SLM_PMU, 76, "slm" },
	{ PFMLIB_INTEL_SLM_PMU, 77, "slm" },
	{ PFMLIB_INTEL_GLM_PMU, 92, "glm" },
	{ PFMLIB_INTEL_GLM_PMU, 95, "glm" },
	{ PFMLIB_INTEL_TMT_PMU, 134, "tmt" },
	{ PFMLIB_INTEL_TMT_PMU, 150, "tmt" },
	{ PFMLIB_INTEL_KNL_PMU, 87, "knl" },
	{ PFMLIB_INTEL_KNL_PMU, 133, "knm" },
};

/* Skylake and Cascade Lake servers differ in the stepping only. */
#define SKX_MODEL 85
#define FIRST_CLX_STEPPING 5

static const struct submodel *submodel_of(int type,
					  const struct pfmlib_cpu *cpu)
{
	for (size_t i = 0; i < ARRAY_SIZE(submodels); i++) {
		if (submodels[i].type == type &&
		    submodels[i].model == cpu->model)
			return &submodels[i];
	}
	return NULL;
}

bool pfmlib_is_snb(int type, const struct pfmlib_cpu *cpu)
{
	return cpu->vendor == PFMLIB_VENDOR_INTEL && cpu->family == 6 &&
	       submodel_of(type, cpu);
}

void pfmlib_force_snb(int type, struct pfmlib_cpu *cpu)
{
	if (cpu->family)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(submodels); i++) {
		if (submodels[i].type == type) {
			cpu->family = 6;
			cpu->model = submodels[i].model;
			return;
		}
	}
}

int pfmlib_load_snb(struct pfmlib_pmu *pmu)
{
	const struct submodel *sub = submodel_of(pmu->model->type, &pmu->cpu);
	struct pfmlib_table table = { 0 };
	const char *name;

	if (!sub || pmu->cpu.family != 6)
		return PFMLIB_ERR_NOTSUPP;
	name = sub->pmu;
	if (sub->model == SKX_MODEL && pmu->cpu.stepping >= FIRST_CLX_STEPPING)
		name = "clx";
	pfmlib_table_add_libpfm4(&table, name, PFMLIB_CODES_AS_THEY_ARE);
	pfmlib_table_use_defaults(&table);
	pmu->cycle_event = "UNHALTED_CORE_CYCLES";
	pmu->inst_event = "INSTRUCTION_RETIRED";
	return pfmlib_table_finish(&table, pmu);
}
