// SPDX-License-Identifier: MIT
/*
 * The list of models: the detection of each, the default of a forced one, its load
 * function and its dispatcher; and the public functions about all models.
 */
#include "pfmlib_models.h"

#include "assign/dispatch.h"
#include "events/tables.h"

static bool is_intel(const struct pfmlib_cpu *cpu, unsigned int family)
{
	return cpu->vendor == PFMLIB_VENDOR_INTEL && cpu->family == family;
}

/* True if the bit numbered cpu->model is set in models, for Intel's family 6. */
static bool is_intel_model(const struct pfmlib_cpu *cpu, uint64_t models)
{
	return is_intel(cpu, 6) && cpu->model < 64 && models >> cpu->model & 1;
}

#define BIT(model) (1ULL << (model))

static bool is_pii(const struct pfmlib_cpu *cpu)
{
	return is_intel_model(cpu, BIT(3) | BIT(5) | BIT(6));
}

static bool is_ppro(const struct pfmlib_cpu *cpu)
{
	return is_intel_model(cpu, BIT(1));
}

static bool is_p6(const struct pfmlib_cpu *cpu)
{
	return is_intel_model(cpu, BIT(7) | BIT(8) | BIT(10) | BIT(11));
}

static bool is_pm(const struct pfmlib_cpu *cpu)
{
	return is_intel_model(cpu, BIT(9) | BIT(13));
}

static bool is_coreduo(const struct pfmlib_cpu *cpu)
{
	return is_intel_model(cpu, BIT(14));
}

static bool is_p4(const struct pfmlib_cpu *cpu)
{
	return is_intel(cpu, 15);
}

/*
 * Model 22 (Celerons) is missing, as in libpfm 3.10, although the kernel drives it like
 * these: programs have always seen the architectural PMU there.
 */
static bool is_core(const struct pfmlib_cpu *cpu)
{
	return is_intel_model(cpu, BIT(15) | BIT(23) | BIT(29));
}

static bool is_atom(const struct pfmlib_cpu *cpu)
{
	return is_intel_model(cpu,
			      BIT(28) | BIT(38) | BIT(39) | BIT(53) | BIT(54));
}

static bool is_nhm(const struct pfmlib_cpu *cpu)
{
	return is_intel_model(cpu, BIT(26) | BIT(30) | BIT(31) | BIT(46));
}

static bool is_wsm(const struct pfmlib_cpu *cpu)
{
	return is_intel_model(cpu, BIT(37) | BIT(44) | BIT(47));
}

static bool is_p5mmx(const struct pfmlib_cpu *cpu)
{
	return is_intel(cpu, 5) && (cpu->model == 4 || cpu->model == 8);
}

static bool is_p5(const struct pfmlib_cpu *cpu)
{
	return is_intel(cpu, 5) && (cpu->model < 4 || cpu->model == 7);
}

static bool is_mii(const struct pfmlib_cpu *cpu)
{
	return cpu->vendor == PFMLIB_VENDOR_CYRIX && cpu->family == 6;
}

static bool is_winchip(const struct pfmlib_cpu *cpu)
{
	return cpu->vendor == PFMLIB_VENDOR_CENTAUR && cpu->family == 5;
}

static bool is_winchip_c6(const struct pfmlib_cpu *cpu)
{
	return is_winchip(cpu) && cpu->model == 4;
}

static bool is_winchip_2(const struct pfmlib_cpu *cpu)
{
	return is_winchip(cpu) && (cpu->model == 8 || cpu->model == 9);
}

static bool is_c3(const struct pfmlib_cpu *cpu)
{
	return cpu->vendor == PFMLIB_VENDOR_CENTAUR && cpu->family == 6 &&
	       cpu->model >= 6 && cpu->model <= 9;
}

static bool is_arch(const struct pfmlib_cpu *cpu)
{
	return cpu->vendor == PFMLIB_VENDOR_INTEL && cpu->family >= 5 &&
	       cpu->arch_version >= 1;
}

static bool has_tsc(const struct pfmlib_cpu *cpu)
{
	return cpu->has_tsc;
}

static void force_intel(struct pfmlib_cpu *cpu, unsigned int family,
			unsigned int model)
{
	cpu->vendor = PFMLIB_VENDOR_INTEL;
	if (!cpu->family) {
		cpu->family = family;
		cpu->model = model;
	}
}

/* Models whose events depend only on the type. */
static void force_any(struct pfmlib_cpu *cpu)
{
	force_intel(cpu, 6, 0);
}

static void force_p4(struct pfmlib_cpu *cpu)
{
	force_intel(cpu, 15, 0);
}

static void force_nhm(struct pfmlib_cpu *cpu)
{
	force_intel(cpu, 6, 26);
}

static void force_wsm(struct pfmlib_cpu *cpu)
{
	force_intel(cpu, 6, 37);
}

static void force_old(struct pfmlib_cpu *cpu)
{
	cpu->has_tsc = true;
}

static void force_arch(struct pfmlib_cpu *cpu)
{
	cpu->vendor = PFMLIB_VENDOR_INTEL;
	cpu->arch_version = 3;
	cpu->num_generic = 2;
	cpu->num_fixed = 3;
}

/* The default is Barcelona. */
static void force_amd(struct pfmlib_cpu *cpu)
{
	cpu->vendor = PFMLIB_VENDOR_AMD;
	if (!cpu->family) {
		cpu->family = 16;
		cpu->model = 2;
	}
	cpu->has_core_ext = pfmlib_amd64_has_core_counters(cpu->family);
}

/* The types since Sandy Bridge; tables_snb.c lists their sub-models. */
#define SINCE_SNB(id)                                               \
	static bool is_##id(const struct pfmlib_cpu *cpu)           \
	{                                                           \
		return pfmlib_is_snb(PFMLIB_INTEL_##id##_PMU, cpu); \
	}                                                           \
	static void force_##id(struct pfmlib_cpu *cpu)              \
	{                                                           \
		cpu->vendor = PFMLIB_VENDOR_INTEL;                  \
		pfmlib_force_snb(PFMLIB_INTEL_##id##_PMU, cpu);     \
	}

SINCE_SNB(SNB)
SINCE_SNB(IVB)
SINCE_SNB(HSW)
SINCE_SNB(BDW)
SINCE_SNB(SKL)
SINCE_SNB(ICL)
SINCE_SNB(SPR)
SINCE_SNB(SLM)
SINCE_SNB(GLM)
SINCE_SNB(TMT)
SINCE_SNB(KNL)
SINCE_SNB(GLC)
SINCE_SNB(GRT)
SINCE_SNB(RWC)
SINCE_SNB(CMT)
SINCE_SNB(LNC)
SINCE_SNB(SKT)
SINCE_SNB(HYBRID)

#define SINCE_SNB_ROW(id, name)                                               \
	{                                                                     \
		PFMLIB_INTEL_##id##_PMU, name, &pfmlib_dispatch_snb, is_##id, \
			force_##id, pfmlib_load_snb                           \
	}

const struct pfmlib_model pfmlib_models[] = {
	{ PFMLIB_INTEL_PII_PMU, "Intel Pentium II", &pfmlib_dispatch_p6, is_pii,
	  force_any, pfmlib_load_p6 },
	{ PFMLIB_INTEL_PPRO_PMU, "Intel Pentium Pro", &pfmlib_dispatch_p6,
	  is_ppro, force_any, pfmlib_load_p6 },
	{ PFMLIB_I386_P6_PMU, "Intel P6 Processor Family", &pfmlib_dispatch_p6,
	  is_p6, force_any, pfmlib_load_p6 },
	{ PFMLIB_I386_PM_PMU, "Intel Pentium M", &pfmlib_dispatch_p6, is_pm,
	  force_any, pfmlib_load_p6 },
	{ PFMLIB_COREDUO_PMU, "Intel Core Duo/Solo", &pfmlib_dispatch_coreduo,
	  is_coreduo, force_any, pfmlib_load_p6 },
	{ PFMLIB_AMD64_PMU, "AMD64", &pfmlib_dispatch_amd64, pfmlib_is_amd,
	  force_amd, pfmlib_load_amd },
	{ PFMLIB_PENTIUM4_PMU, "Pentium4/Xeon/EM64T", &pfmlib_dispatch_p4,
	  is_p4, force_p4, pfmlib_load_p4 },
	{ PFMLIB_CORE_PMU, "Intel Core", &pfmlib_dispatch_core, is_core,
	  force_any, pfmlib_load_core },
	{ PFMLIB_INTEL_ATOM_PMU, "Intel Atom", &pfmlib_dispatch_atom, is_atom,
	  force_any, pfmlib_load_atom },
	{ PFMLIB_INTEL_NHM_PMU, "Intel Nehalem", &pfmlib_dispatch_nhm, is_nhm,
	  force_nhm, pfmlib_load_nhm },
	{ PFMLIB_INTEL_WSM_PMU, "Intel Westmere", &pfmlib_dispatch_nhm, is_wsm,
	  force_wsm, pfmlib_load_wsm },
	SINCE_SNB_ROW(SNB, "Intel Sandy Bridge"),
	SINCE_SNB_ROW(IVB, "Intel Ivy Bridge"),
	SINCE_SNB_ROW(HSW, "Intel Haswell"),
	SINCE_SNB_ROW(BDW, "Intel Broadwell"),
	SINCE_SNB_ROW(SKL, "Intel Skylake"),
	SINCE_SNB_ROW(ICL, "Intel Ice Lake"),
	SINCE_SNB_ROW(SPR, "Intel Sapphire Rapids"),
	SINCE_SNB_ROW(SLM, "Intel Silvermont"),
	SINCE_SNB_ROW(GLM, "Intel Goldmont"),
	SINCE_SNB_ROW(TMT, "Intel Tremont"),
	SINCE_SNB_ROW(KNL, "Intel Knights Landing"),
	/*
	 * A model may have two kinds of core; the type with all processors of the model
	 * comes first.
	 */
	SINCE_SNB_ROW(GLC, "Intel Golden Cove"),
	SINCE_SNB_ROW(RWC, "Intel Redwood Cove"),
	SINCE_SNB_ROW(LNC, "Intel Lion Cove"),
	SINCE_SNB_ROW(GRT, "Intel Gracemont"),
	SINCE_SNB_ROW(CMT, "Intel Crestmont"),
	SINCE_SNB_ROW(SKT, "Intel Skymont"),
	SINCE_SNB_ROW(HYBRID, "Intel hybrid"),
	{ PFMLIB_INTEL_P5_PMU, "Intel Pentium", &pfmlib_dispatch_p5, is_p5,
	  force_old, pfmlib_load_old },
	{ PFMLIB_INTEL_P5MMX_PMU, "Intel Pentium MMX", &pfmlib_dispatch_p5,
	  is_p5mmx, force_old, pfmlib_load_old },
	{ PFMLIB_CYRIX_MII_PMU, "Cyrix 6x86MX/MII/III", &pfmlib_dispatch_p5,
	  is_mii, force_old, pfmlib_load_old },
	{ PFMLIB_WINCHIP_C6_PMU, "Centaur WinChip C6", &pfmlib_dispatch_p5,
	  is_winchip_c6, force_old, pfmlib_load_old },
	{ PFMLIB_WINCHIP_2_PMU, "Centaur WinChip 2/3", &pfmlib_dispatch_p5,
	  is_winchip_2, force_old, pfmlib_load_old },
	{ PFMLIB_VIA_C3_PMU, "VIA C3", &pfmlib_dispatch_c3, is_c3, force_old,
	  pfmlib_load_old },
	{ PFMLIB_GEN_IA32_PMU, "Intel architectural PMU", &pfmlib_dispatch_arch,
	  is_arch, force_arch, pfmlib_load_arch },
	/* Used if no other row matches. */
	{ PFMLIB_TSC_PMU, "x86 time-stamp counter", &pfmlib_dispatch_tsc,
	  has_tsc, force_old, pfmlib_load_old },
	{ 0 },
};

const struct pfmlib_model *pfmlib_model_of(int type)
{
	const struct pfmlib_model *model = pfmlib_models;

	while (model->name && model->type != type)
		model++;
	return model->name ? model : NULL;
}

pfm_err_t pfm_get_pmu_name_bytype(int type, char *name, size_t maxlen)
{
	const struct pfmlib_model *model = pfmlib_model_of(type);

	if (!model || !name || maxlen < 1)
		return PFMLIB_ERR_INVAL;
	pfmlib_copy_name(name, maxlen, model->name);
	return PFMLIB_SUCCESS;
}

pfm_err_t pfm_is_pmu_supported(int type)
{
	if (!pfmlib_current())
		return PFMLIB_ERR_NOINIT;
	return pfmlib_model_of(type) ? PFMLIB_SUCCESS : PFMLIB_ERR_NOTSUPP;
}

pfm_err_t pfm_list_supported_pmus(int (*pf)(const char *fmt, ...))
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	const struct pfmlib_model *model;

	if (!pf)
		return PFMLIB_ERR_INVAL;
	pf("supported PMU models: ");
	for (model = pfmlib_models; model->name; model++)
		pf("[%s] ", model->name);
	pf("\ndetected host PMU: %s\n", pmu ? pmu->name : "not detected yet");
	return PFMLIB_SUCCESS;
}
