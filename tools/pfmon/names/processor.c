// SPDX-License-Identifier: GPL-2.0-only
/* The processor whose events are counted, see processor.h. */
#include "names/processor.h"

#include <cpuid.h>
#include <ctype.h>
#include <perfmon/pfmlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What libpfm takes for a type if no model is said. */
static const struct {
	uint8_t type, family, model;
} defaults[] = {
	{ PFMLIB_AMD64_PMU, 16, 2 },	     { PFMLIB_I386_P6_PMU, 6, 7 },
	{ PFMLIB_PENTIUM4_PMU, 15, 0 },	     { PFMLIB_COREDUO_PMU, 6, 14 },
	{ PFMLIB_I386_PM_PMU, 6, 13 },	     { PFMLIB_CORE_PMU, 6, 15 },
	{ PFMLIB_INTEL_PPRO_PMU, 6, 1 },     { PFMLIB_INTEL_PII_PMU, 6, 3 },
	{ PFMLIB_INTEL_ATOM_PMU, 6, 28 },    { PFMLIB_INTEL_NHM_PMU, 6, 26 },
	{ PFMLIB_INTEL_WSM_PMU, 6, 37 },     { PFMLIB_INTEL_SNB_PMU, 6, 42 },
	{ PFMLIB_INTEL_IVB_PMU, 6, 58 },     { PFMLIB_INTEL_HSW_PMU, 6, 60 },
	{ PFMLIB_INTEL_BDW_PMU, 6, 61 },     { PFMLIB_INTEL_SKL_PMU, 6, 94 },
	{ PFMLIB_INTEL_ICL_PMU, 6, 125 },    { PFMLIB_INTEL_SPR_PMU, 6, 143 },
	{ PFMLIB_INTEL_SLM_PMU, 6, 55 },     { PFMLIB_INTEL_GLM_PMU, 6, 92 },
	{ PFMLIB_INTEL_TMT_PMU, 6, 134 },    { PFMLIB_INTEL_KNL_PMU, 6, 87 },
	{ PFMLIB_INTEL_GLC_PMU, 6, 151 },    { PFMLIB_INTEL_GRT_PMU, 6, 190 },
	{ PFMLIB_INTEL_RWC_PMU, 6, 173 },    { PFMLIB_INTEL_CMT_PMU, 6, 175 },
	{ PFMLIB_INTEL_LNC_PMU, 6, 189 },    { PFMLIB_INTEL_SKT_PMU, 6, 189 },
	{ PFMLIB_INTEL_HYBRID_PMU, 6, 151 }, { PFMLIB_GEN_IA32_PMU, 6, 255 },
};

static enum processor_vendor vendor_of(int type)
{
	switch (type) {
	case PFMLIB_AMD64_PMU:
		return PROCESSOR_AMD;
	case PFMLIB_INTEL_P5_PMU:
	case PFMLIB_INTEL_P5MMX_PMU:
	case PFMLIB_CYRIX_MII_PMU:
	case PFMLIB_WINCHIP_C6_PMU:
	case PFMLIB_WINCHIP_2_PMU:
	case PFMLIB_VIA_C3_PMU:
	case PFMLIB_TSC_PMU:
		return PROCESSOR_OTHER;
	default:
		return PROCESSOR_INTEL;
	}
}

static void set_default(struct processor *processor, int type)
{
	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++) {
		if (defaults[i].type != type)
			continue;
		processor->family = defaults[i].family;
		processor->model = defaults[i].model;
	}
}

static void read_cpuid(struct processor *processor)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return;
	processor->stepping = eax & 0xf;
	processor->model = eax >> 4 & 0xf;
	processor->family = eax >> 8 & 0xf;
	if (processor->family == 6 || processor->family == 15)
		processor->model |= (eax >> 16 & 0xf) << 4;
	if (processor->family == 15)
		processor->family += eax >> 20 & 0xff;
}

/* What else has only one kind of core counts by the names of the first. */
static void set_kinds(struct processor *processor, int type)
{
	bool atom = type == PFMLIB_INTEL_GRT_PMU ||
		    type == PFMLIB_INTEL_CMT_PMU ||
		    type == PFMLIB_INTEL_SKT_PMU;

	processor->core = !atom;
	processor->atom = atom || type == PFMLIB_INTEL_HYBRID_PMU;
}

struct processor processor_of(int type, const char *pmu)
{
	struct processor processor = { .vendor = vendor_of(type) };
	unsigned int family, model, stepping;

	/* libpfm looks there, too. */
	if (!pmu)
		pmu = getenv("LIBPFM_FORCE_PMU");
	set_kinds(&processor, type);
	if (!pmu || (!isdigit((unsigned char)*pmu) &&
		     getenv("LIBPFM_FORCE_PMU") == pmu)) {
		read_cpuid(&processor);
	} else if (sscanf(pmu, "%*d,%u,%u,%u", &family, &model, &stepping) ==
		   3) {
		processor.family = family;
		processor.model = model;
		processor.stepping = stepping;
	} else {
		set_default(&processor, type);
	}
	return processor;
}
