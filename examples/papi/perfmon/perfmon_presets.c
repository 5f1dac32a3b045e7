// SPDX-License-Identifier: MIT
/*
 * PAPI's table of preset events names processors as libpfm4 does.
 */
#include <string.h>

#include "papi.h"
#include "papi_internal.h"

#include "perfmon_library.h"
#include "perfmon_presets.h"

struct processor {
	int type; /* PFMLIB_*_PMU */
	const char *name; /* libpfm's, where one type has several */
	const char *libpfm4;
};

static const struct processor processors[] = {
	{ PFMLIB_AMD64_PMU, "AMD64 (K7)", "amd64_k7" },
	{ PFMLIB_AMD64_PMU, "AMD64 (Family 10h RevB, Barcelona)",
	  "amd64_fam10h_barcelona" },
	{ PFMLIB_AMD64_PMU, "AMD64 (Family 10h RevC, Shanghai)",
	  "amd64_fam10h_shanghai" },
	{ PFMLIB_AMD64_PMU, "AMD64 (Family 10h RevD, Istanbul)",
	  "amd64_fam10h_istanbul" },
	{ PFMLIB_AMD64_PMU, "AMD64 (Family 11h)", "amd64_fam11h_turion" },
	{ PFMLIB_AMD64_PMU, "AMD64 (Family 12h)", "amd64_fam12h_llano" },
	{ PFMLIB_AMD64_PMU, "AMD64 (Family 14h)", "amd64_fam14h_bobcat" },
	{ PFMLIB_AMD64_PMU, "AMD64 (Family 15h RevB)",
	  "amd64_fam15h_interlagos" },
	{ PFMLIB_AMD64_PMU, "AMD64 (Family 17h, Zen1)", "amd64_fam17h_zen1" },
	{ PFMLIB_AMD64_PMU, "AMD64 (Family 17h, Zen2)", "amd64_fam17h_zen2" },
	{ PFMLIB_AMD64_PMU, "AMD64 (Family 19h, Zen3)", "amd64_fam19h_zen3" },
	{ PFMLIB_AMD64_PMU, "AMD64 (Family 19h, Zen4)", "amd64_fam19h_zen4" },
	{ PFMLIB_I386_P6_PMU, NULL, "p6" },
	{ PFMLIB_I386_PM_PMU, NULL, "pm" },
	{ PFMLIB_PENTIUM4_PMU, NULL, "netburst" },
	{ PFMLIB_COREDUO_PMU, NULL, "coreduo" },
	{ PFMLIB_CORE_PMU, NULL, "core" },
	{ PFMLIB_INTEL_ATOM_PMU, NULL, "atom" },
	{ PFMLIB_INTEL_NHM_PMU, NULL, "nhm" },
	{ PFMLIB_INTEL_WSM_PMU, NULL, "wsm" },
	{ PFMLIB_INTEL_SNB_PMU, NULL, "snb" },
	{ PFMLIB_INTEL_IVB_PMU, NULL, "ivb" },
	{ PFMLIB_INTEL_HSW_PMU, NULL, "hsw" },
	{ PFMLIB_INTEL_BDW_PMU, NULL, "bdw" },
	{ PFMLIB_INTEL_SKL_PMU, NULL, "skl" },
	{ PFMLIB_INTEL_ICL_PMU, NULL, "icx" },
	{ PFMLIB_INTEL_SPR_PMU, NULL, "spr" },
	{ PFMLIB_INTEL_SLM_PMU, NULL, "slm" },
	{ PFMLIB_INTEL_KNL_PMU, NULL, "knl" },
	{ PFMLIB_GEN_IA32_PMU, NULL, "ix86arch" },
};

/*
 * Reading the table asks the components for codes, for which PAPI wants to know the
 * thread.  It makes the first one later.
 */
static void load(char *table, int cidx)
{
	static ThreadInfo_t early;
	ThreadInfo_t *thread = _papi_hwi_my_thread;

	if (!thread)
		_papi_hwi_my_thread = &early;
	/* A table without presets is no error: native events remain. */
	(void)_papi_load_preset_table(table, 0, cidx);
	_papi_hwi_my_thread = thread;
}

void perfmon_load_presets(int cidx)
{
	char name[PAPI_MAX_STR_LEN] = "";
	char table[PAPI_MIN_STR_LEN];
	int type = PFMLIB_UNKNOWN_PMU;

	perfmon_lib.pfm_get_pmu_type(&type);
	perfmon_lib.pfm_get_pmu_name(name, (int)sizeof(name));
	for (size_t i = 0; i < sizeof(processors) / sizeof(processors[0]);
	     i++) {
		const struct processor *p = &processors[i];

		if (p->type != type || (p->name && strcmp(p->name, name)))
			continue;
		strcpy(table, p->libpfm4);
		load(table, cidx);
		return;
	}
}
