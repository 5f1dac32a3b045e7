// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of AMD's instruction-based sampling in the register map, and what this
 * processor's can do.
 */
#include <linux/bits.h>
#include <linux/init.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#include <asm/perfmon_compat.h>
#include <asm/processor.h>

#include "../build.h"
#include "ibs.h"
#include "../map.h"
#include "../perfctr_core.h"

/* The first numbers; libpfm has the same ones for all families. */
#define PERFMON_IBS_PMC	6
#define PERFMON_IBS_PMD	6

/** perfmon_arch_ibs_caps - what IBS can do, as CPUID 0x8000001b says; 0: there is none */
u32 perfmon_arch_ibs_caps(void)
{
	return ibs_caps;
}

static const char *const reg_names[PERFMON_IBS_REGS] __initconst = {
	"IBSFETCHCTL", "IBSFETCHLINAD", "IBSFETCHPHYSAD",
	"IBSOPCTL", "IBSOPRIP", "IBSOPDATA", "IBSOPDATA2", "IBSOPDATA3",
	"IBSDCLINAD", "IBSDCPHYSAD", "IBSBRTARGET", "IBSOPDATA4",
	"ICIBSEXTDCTL",
};

static const u32 reg_msrs[PERFMON_IBS_REGS] __initconst = {
	MSR_AMD64_IBSFETCHCTL, MSR_AMD64_IBSFETCHLINAD,
	MSR_AMD64_IBSFETCHPHYSAD, MSR_AMD64_IBSOPCTL, MSR_AMD64_IBSOPRIP,
	MSR_AMD64_IBSOPDATA, MSR_AMD64_IBSOPDATA2, MSR_AMD64_IBSOPDATA3,
	MSR_AMD64_IBSDCLINAD, MSR_AMD64_IBSDCPHYSAD, MSR_AMD64_IBSBRTARGET,
	MSR_AMD64_IBSOPDATA4, MSR_AMD64_ICIBSEXTDCTL,
};

/* Capability that a register needs beside the capabilities of its unit. */
static u32 __init ibs_reg_needs(unsigned int reg)
{
	switch (reg) {
	case PERFMON_IBS_OP_TARGET:
		return IBS_CAPS_BRNTRGT;
	case PERFMON_IBS_OP_DATA4:
		return IBS_CAPS_OPDATA4;
	case PERFMON_IBS_FETCH_EXTENDED:
		return IBS_CAPS_FETCHCTLEXTD;
	}
	return IBS_CAPS_AVAIL;
}

/* What users may write to the control of a unit. */
static u64 __init ibs_user_bits(unsigned int unit)
{
	u64 bits = IBS_OP_MAX_CNT | ibs_units[unit].enable;

	if (unit == PERFMON_IBS_FETCH) {
		bits |= IBS_FETCH_RAND_EN;
		if (ibs_caps & IBS_CAPS_ZEN4)
			bits |= IBS_FETCH_L3MISSONLY;
		return bits;
	}
	if (ibs_caps & IBS_CAPS_OPCNT)
		bits |= IBS_OP_CNT_CTL;
	if (ibs_caps & IBS_CAPS_OPCNTEXT)
		bits |= IBS_OP_MAX_CNT_EXT_MASK;
	if (ibs_caps & IBS_CAPS_ZEN4)
		bits |= IBS_OP_L3MISSONLY;
	return bits;
}

static void __init ibs_add_pmc(struct perfmon_pmu *pmu, unsigned int unit)
{
	struct perfmon_reg *reg;

	ibs_pmc[unit] = pmu->nr_pmcs;
	perfmon_also_pmcs |= BIT(pmu->nr_pmcs);
	reg = perfmon_add_pmc(pmu, PERFMON_IBS_PMC + unit,
			      PERFMON_REG_WC | PERFMON_REG_CLAIM |
			      PERFMON_REG_USER |
			      PERFMON_ANY_SESSION);
	strscpy(reg->name, reg_names[ibs_units[unit].first]);
	reg->addr = ibs_units[unit].ctl;
	reg->rsvd = ~ibs_user_bits(unit);
	reg->priv = PERFMON_PRIV_ALWAYS;
}

static void __init ibs_add_pmd(struct perfmon_pmu *pmu, unsigned int i)
{
	bool interrupts = i == PERFMON_IBS_FETCH_CTL || i == PERFMON_IBS_OP_CTL;
	struct perfmon_reg *reg;

	if (interrupts)
		ibs_pmd[ibs_unit_of(i)] = pmu->nr_pmds;
	reg = perfmon_add_pmd(pmu, PERFMON_IBS_PMD + i,
			      PERFMON_IBS_PMC + ibs_unit_of(i),
			      PERFMON_REG_V | PERFMON_REG_RO |
			      (interrupts ? PERFMON_REG_INTR : 0) |
			      PERFMON_ANY_SESSION, 64);
	strscpy(reg->name, reg_names[i]);
	reg->addr = reg_msrs[i];
	reg->hw = PERFMON_HW_IBS + i;
}

static u32 __init ibs_find_caps(void)
{
	const u32 needed = IBS_CAPS_AVAIL | IBS_CAPS_FETCHSAM | IBS_CAPS_OPSAM;
	u32 caps = IBS_CAPS_DEFAULT;
	u64 ctl;

	if (!boot_cpu_has(X86_FEATURE_IBS) || !perfctr_cpu_has_nmi() ||
	    !perfctr_host_has_ibs())
		return 0;
	/* Without an entry of the LVT perf_event has found none, either. */
	if (rdmsrl_safe(MSR_AMD64_IBSCTL, &ctl) ||
	    !(ctl & IBSCTL_LVT_OFFSET_VALID))
		return 0;
	if (cpuid_eax(0x80000000) >= IBS_CPUID_FEATURES &&
	    cpuid_eax(IBS_CPUID_FEATURES) & IBS_CAPS_AVAIL)
		caps = cpuid_eax(IBS_CPUID_FEATURES);
	return (caps & needed) == needed ? caps : 0;
}

/* Add the registers of IBS to the map, if the counters leave their numbers free. */
void __init perfctr_ibs_fill_map(struct perfmon_pmu *pmu)
{
	unsigned int i;

	if (perfctr_design->nr_counters > PERFMON_IBS_PMC)
		return;
	ibs_caps = ibs_find_caps();
	if (!ibs_caps)
		return;
	for (i = 0; i < PERFMON_IBS_UNITS; i++)
		ibs_add_pmc(pmu, i);
	for (i = 0; i < PERFMON_IBS_REGS; i++)
		if (ibs_caps & ibs_reg_needs(i))
			ibs_add_pmd(pmu, i);
}
