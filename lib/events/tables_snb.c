// SPDX-License-Identifier: MIT
/*
 * The load function of Intel's models since Sandy Bridge ("snb" in the names of
 * the library), called by pfmlib_init.c, and the list that assigns one of
 * libpfm4's tables or an event file (eventfiles/) to each sub-model.
 */
#include <stdio.h>

#include "eventfiles/eventfiles.h"
#include "tables.h"

#define BY_LIBPFM4(type, model, pmu, name)                              \
	{                                                               \
		PFMLIB_INTEL_##type##_PMU, model, pmu, NULL, NULL, name \
	}
#define BY_FILE(type, model, file, name)                                     \
	{                                                                    \
		PFMLIB_INTEL_##type##_PMU, model, NULL, &pfmlib_file_##file, \
			NULL, name                                           \
	}
/* A hybrid processor with the files of both kinds of core. */
#define BY_FILES(model, files, name)                               \
	{                                                          \
		PFMLIB_INTEL_HYBRID_PMU, model, NULL,              \
			&pfmlib_file_##files##_core,               \
			&pfmlib_file_##files##_atom, "Intel " name \
	}

/* The first sub-model of each type is its default. */
static const struct submodel {
	int type;
	unsigned int model;
	const char *pmu; /* libpfm4's name; NULL: it has no table */
	const struct pfmlib_event_file *file; /* missing in libpfm4, or NULL */
	const struct pfmlib_event_file *other; /* for the other kind of core */
	const char *name; /* NULL: the type's name */
} submodels[] = {
	BY_LIBPFM4(SNB, 42, "snb", NULL),
	BY_LIBPFM4(SNB, 45, "snb_ep", NULL),
	BY_LIBPFM4(IVB, 58, "ivb", NULL),
	BY_LIBPFM4(IVB, 62, "ivb_ep", NULL),
	BY_LIBPFM4(HSW, 60, "hsw", NULL),
	BY_LIBPFM4(HSW, 63, "hsw_ep", NULL),
	BY_LIBPFM4(HSW, 69, "hsw", NULL),
	BY_LIBPFM4(HSW, 70, "hsw", NULL),
	BY_LIBPFM4(BDW, 61, "bdw", NULL),
	BY_LIBPFM4(BDW, 71, "bdw", NULL),
	BY_LIBPFM4(BDW, 79, "bdw_ep", NULL),
	BY_LIBPFM4(BDW, 86, "bdw_ep", NULL),
	BY_LIBPFM4(SKL, 94, "skl", NULL),
	BY_LIBPFM4(SKL, 78, "skl", NULL),
	BY_LIBPFM4(SKL, 85, "skx", NULL),
	BY_LIBPFM4(SKL, 142, "skl", NULL),
	BY_LIBPFM4(SKL, 158, "skl", NULL),
	BY_LIBPFM4(SKL, 165, "skl", NULL),
	BY_LIBPFM4(SKL, 166, "skl", NULL),
	BY_LIBPFM4(ICL, 125, "icl", NULL),
	BY_LIBPFM4(ICL, 106, "icx", NULL),
	BY_LIBPFM4(ICL, 108, "icl", NULL),
	BY_LIBPFM4(ICL, 126, "icl", NULL),
	BY_LIBPFM4(ICL, 140, "icl", NULL),
	BY_LIBPFM4(ICL, 141, "icl", NULL),
	BY_LIBPFM4(ICL, 157, "icl", NULL),
	BY_LIBPFM4(ICL, 167, "icl", NULL),
	BY_LIBPFM4(SPR, 143, "spr", NULL),
	BY_LIBPFM4(SPR, 207, "spr", "Intel Emerald Rapids"),
	BY_LIBPFM4(SLM, 55, "slm", NULL),
	BY_LIBPFM4(SLM, 76, "slm", NULL),
	BY_LIBPFM4(SLM, 77, "slm", NULL),
	BY_LIBPFM4(GLM, 92, "glm", NULL),
	BY_LIBPFM4(GLM, 95, "glm", NULL),
	{ PFMLIB_INTEL_TMT_PMU, 134, "tmt", &pfmlib_file_snowridgex, NULL,
	  "Intel Snow Ridge (Tremont)" },
	BY_LIBPFM4(TMT, 150, "tmt", NULL),
	BY_LIBPFM4(KNL, 87, "knl", NULL),
	BY_LIBPFM4(KNL, 133, "knm", NULL),
	/*
	 * According to the models in mapfile.csv, or in the driver for models
	 * missing there.
	 */
	BY_FILE(GLC, 151, alderlake_core, "Intel Alder Lake (Golden Cove)"),
	BY_FILE(GLC, 154, alderlake_core, "Intel Alder Lake (Golden Cove)"),
	BY_FILE(GLC, 183, alderlake_core, "Intel Raptor Lake (Golden Cove)"),
	BY_FILE(GLC, 186, alderlake_core, "Intel Raptor Lake (Golden Cove)"),
	BY_FILE(GLC, 191, alderlake_core, "Intel Raptor Lake (Golden Cove)"),
	BY_FILE(GRT, 190, alderlake_atom, "Intel Alder Lake N (Gracemont)"),
	BY_FILE(GRT, 151, alderlake_atom, "Intel Alder Lake (Gracemont)"),
	BY_FILE(GRT, 154, alderlake_atom, "Intel Alder Lake (Gracemont)"),
	BY_FILE(GRT, 183, alderlake_atom, "Intel Raptor Lake (Gracemont)"),
	BY_FILE(GRT, 186, alderlake_atom, "Intel Raptor Lake (Gracemont)"),
	BY_FILE(GRT, 191, alderlake_atom, "Intel Raptor Lake (Gracemont)"),
	BY_FILE(RWC, 173, graniterapids, "Intel Granite Rapids (Redwood Cove)"),
	BY_FILE(RWC, 174, graniterapids, "Intel Granite Rapids (Redwood Cove)"),
	BY_FILE(RWC, 170, meteorlake_core, "Intel Meteor Lake (Redwood Cove)"),
	BY_FILE(RWC, 172, meteorlake_core, "Intel Meteor Lake (Redwood Cove)"),
	BY_FILE(RWC, 181, meteorlake_core, "Intel Arrow Lake U (Redwood Cove)"),
	BY_FILE(CMT, 175, sierraforest, "Intel Sierra Forest (Crestmont)"),
	BY_FILE(CMT, 182, sierraforest, "Intel Grand Ridge (Crestmont)"),
	BY_FILE(CMT, 170, meteorlake_atom, "Intel Meteor Lake (Crestmont)"),
	BY_FILE(CMT, 172, meteorlake_atom, "Intel Meteor Lake (Crestmont)"),
	BY_FILE(CMT, 181, meteorlake_atom, "Intel Arrow Lake U (Crestmont)"),
	BY_FILE(LNC, 189, lunarlake_core, "Intel Lunar Lake (Lion Cove)"),
	BY_FILE(LNC, 198, lunarlake_core, "Intel Arrow Lake (Lion Cove)"),
	BY_FILE(SKT, 189, lunarlake_atom, "Intel Lunar Lake (Skymont)"),
	BY_FILE(SKT, 198, lunarlake_atom, "Intel Arrow Lake (Skymont)"),
	BY_FILES(151, alderlake, "Alder Lake (hybrid)"),
	BY_FILES(154, alderlake, "Alder Lake (hybrid)"),
	BY_FILES(183, alderlake, "Raptor Lake (hybrid)"),
	BY_FILES(186, alderlake, "Raptor Lake (hybrid)"),
	BY_FILES(191, alderlake, "Raptor Lake (hybrid)"),
	BY_FILES(170, meteorlake, "Meteor Lake (hybrid)"),
	BY_FILES(172, meteorlake, "Meteor Lake (hybrid)"),
	BY_FILES(181, meteorlake, "Arrow Lake U (hybrid)"),
	BY_FILES(189, lunarlake, "Lunar Lake (hybrid)"),
	BY_FILES(198, lunarlake, "Arrow Lake (hybrid)"),
};

/* Skylake and Cascade Lake servers differ only in the stepping. */
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
	const struct submodel *sub = submodel_of(type, cpu);

	if (cpu->vendor != PFMLIB_VENDOR_INTEL || cpu->family != 6 || !sub)
		return false;
	/*
	 * On a hybrid processor, the program may soon run on the other kind of
	 * core.
	 */
	return !sub->file || cpu->is_hybrid == (sub->other != NULL);
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

static const char *libpfm4_name(const struct submodel *sub,
				const struct pfmlib_cpu *cpu)
{
	if (sub->model == SKX_MODEL && cpu->stepping >= FIRST_CLX_STEPPING)
		return "clx";
	return sub->pmu;
}

#define EMR_MODEL 207

static unsigned int patches_of(const struct submodel *sub)
{
	switch (sub->type) {
	case PFMLIB_INTEL_ICL_PMU:
		return PFMLIB_PATCH_ICL;
	case PFMLIB_INTEL_SPR_PMU:
		return sub->model == EMR_MODEL ? PFMLIB_PATCH_EMR :
						 PFMLIB_PATCH_SPR;
	default:
		return 0;
	}
}

int pfmlib_load_snb(struct pfmlib_pmu *pmu)
{
	const struct submodel *sub = submodel_of(pmu->model->type, &pmu->cpu);
	struct pfmlib_table table = { 0 };

	if (!sub || pmu->cpu.family != 6)
		return PFMLIB_ERR_NOTSUPP;
	if (sub->name)
		snprintf(pmu->name, sizeof(pmu->name), "%s", sub->name);
	if (sub->pmu) {
		pfmlib_table_add_libpfm4(&table, libpfm4_name(sub, &pmu->cpu),
					 PFMLIB_CODES_AS_THEY_ARE);
		pfmlib_table_use_defaults(&table, true);
		pfmlib_table_patch(&table, patches_of(sub));
	}
	if (sub->other)
		pfmlib_table_add_common(&table, sub->file, sub->other);
	else if (sub->file)
		pfmlib_table_add_file(&table, sub->file);
	if (!sub->pmu)
		pfmlib_table_add_arch(&table, pmu->cpu.arch_unavail);
	if (sub->other)
		pfmlib_table_add_kinds(&table, sub->file, sub->other);
	pmu->cycle_event = "UNHALTED_CORE_CYCLES";
	pmu->inst_event = "INSTRUCTION_RETIRED";
	return pfmlib_table_finish(&table, pmu);
}
