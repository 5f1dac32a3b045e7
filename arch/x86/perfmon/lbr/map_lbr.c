// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stack of branches in the register map, and which stack this processor has.
 *
 * Before architectural records the format of entries is in IA32_PERF_CAPABILITIES, and their
 * number follows from the model.
 */
#include <linux/array_size.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/perfmon_compat.h>
#include <asm/processor.h>

#include "../build.h"
#include "../map.h"
#include "../perfctr_core.h"
#include "lbr.h"

/* Its number, as libpfm has it for Nehalem. */
#define PERFMON_LBR_PMC	30

/* Bits 5:0 of IA32_PERF_CAPABILITIES: the format. */
#define CAP_FORMAT	0x3f

/* CPUID of architectural records: depths / 8 as bits, filters, and what entries say. */
#define LEAF_LBR		0x1c
#define LEAF_DEPTHS		0xff
#define LEAF_FILTERS		0x3
#define LEAF_PREDICTION		0x1
#define INFO_CYCLES_VALID	BIT_ULL(60)

/* CPUID of AMD's. */
#define LEAF_AMD_LBR		0x80000022
#define AMD_HAS_LBR		BIT(1)
#define AMD_FREEZES_LBR		BIT(2)

enum lbr_format {
	FORMAT_FLAGS = 3,	/* bit 63 of the origin: mispredicted */
	FORMAT_FLAGS_TSX = 4,	/* bits 62:61, too */
	FORMAT_INFO = 5,	/* a register of its own */
	FORMAT_TIME = 6,	/* as FLAGS, and cycles in the destination */
	FORMAT_INFO_NO_TSX = 7,
};

struct lbr_design lbr_design __ro_after_init;

struct model {
	u8 model; /* of family 6 */
	bool jumps_too;
};

/* Processors with 16 entries; they have the registers that this driver knows. */
static const struct model models[] __initconst = {
	{ 0x1a, true },		/* Nehalem */
	{ 0x1e, true },
	{ 0x1f, true },
	{ 0x2e, true },
	{ 0x25, true },		/* Westmere */
	{ 0x2c, true },
	{ 0x2f, true },
	{ 0x2a, false },	/* Sandy Bridge */
	{ 0x2d, false },
	{ 0x3a, false },	/* Ivy Bridge */
	{ 0x3e, false },
	{ 0x3c, false },	/* Haswell */
	{ 0x3f, false },
	{ 0x45, false },
	{ 0x46, false },
	{ 0x3d, false },	/* Broadwell */
	{ 0x47, false },
	{ 0x4f, false },
	{ 0x56, false },
};

/* The smaller stack: its threads share the filter where it has the erratum. */
static void __init lbr_find_16(struct lbr_design *design)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(models); i++) {
		if (boot_cpu_data.x86 != 6 ||
		    boot_cpu_data.x86_model != models[i].model)
			continue;
		design->depth = 16;
		design->jumps_too = models[i].jumps_too;
		design->shared_filter = models[i].jumps_too;
		return;
	}
}

static void __init lbr_find_format(struct lbr_design *design, unsigned int format)
{
	switch (format) {
	case FORMAT_FLAGS:
		design->from_flags = 1;
		lbr_find_16(design);
		break;
	case FORMAT_FLAGS_TSX:
		design->from_flags = 3;
		design->has_tsx = boot_cpu_has(X86_FEATURE_RTM);
		lbr_find_16(design);
		break;
	case FORMAT_INFO:
		design->has_tsx = boot_cpu_has(X86_FEATURE_RTM);
		design->info = MSR_LBR_INFO_0;
		design->depth = PERFMON_BRANCHES;
		break;
	case FORMAT_INFO_NO_TSX:
		design->info = MSR_LBR_INFO_0;
		design->depth = PERFMON_BRANCHES;
		break;
	case FORMAT_TIME:
		design->from_flags = 1;
		design->to_flags = 16;
		design->cycles_in_to = true;
		design->depth = PERFMON_BRANCHES;
		break;
	}
}

/* Kinds of core may have stacks of their own. */
static void __init lbr_find_by_model(struct lbr_design *design)
{
	u64 caps;

	if (!boot_cpu_has(X86_FEATURE_PDCM) || boot_cpu_has(X86_FEATURE_HYBRID_CPU) ||
	    rdmsrl_safe(MSR_IA32_PERF_CAPABILITIES, &caps))
		return;
	design->control = MSR_LBR_SELECT;
	design->off = LBR_NOTHING;
	design->debugctl = DEBUGCTLMSR_LBR | DEBUGCTLMSR_FREEZE_LBRS_ON_PMI;
	design->from = MSR_LBR_NHM_FROM;
	design->to = MSR_LBR_NHM_TO;
	design->stride = 1;
	design->has_top = true;
	lbr_find_format(design, caps & CAP_FORMAT);
}

/* Architectural records, the same on all CPUs: CPUID has their number and what they say. */
static void __init lbr_find_architectural(struct lbr_design *design)
{
	u32 depths, filters, says, unused;

	cpuid_count(LEAF_LBR, 0, &depths, &filters, &says, &unused);
	depths &= LEAF_DEPTHS;
	if (!depths || (filters & LEAF_FILTERS) != LEAF_FILTERS)
		return;
	design->depth = min(8 * fls(depths), PERFMON_BRANCHES);
	design->control = MSR_ARCH_LBR_CTL;
	design->debugctl = DEBUGCTLMSR_FREEZE_LBRS_ON_PMI;
	design->wipe = MSR_ARCH_LBR_DEPTH;
	design->from = MSR_ARCH_LBR_FROM_0;
	design->to = MSR_ARCH_LBR_TO_0;
	design->info = MSR_ARCH_LBR_INFO_0;
	design->stride = 1;
	design->architectural = true;
	design->no_prediction = !(says & LEAF_PREDICTION);
	design->has_tsx = boot_cpu_has(X86_FEATURE_RTM);
	design->cycles_valid = INFO_CYCLES_VALID;
}

/* AMD's records from Zen 4 on, if an overflow can freeze them. */
static void __init lbr_find_amd(struct lbr_design *design)
{
	const u32 wanted = AMD_HAS_LBR | AMD_FREEZES_LBR;

	if (cpuid_eax(0x80000000) < LEAF_AMD_LBR ||
	    (cpuid_eax(LEAF_AMD_LBR) & wanted) != wanted)
		return;
	design->depth = cpuid_ebx(LEAF_AMD_LBR) >> 4 & 0x3f;
	if (design->depth > PERFMON_BRANCHES)
		design->depth = PERFMON_BRANCHES;
	design->control = MSR_AMD64_LBR_SELECT;
	design->off = LBR_NOTHING;
	design->debugctl = DEBUGCTLMSR_FREEZE_LBRS_ON_PMI;
	design->enable = MSR_AMD_DBG_EXTN_CFG;
	design->from = MSR_AMD_SAMP_BR_FROM;
	design->to = MSR_AMD_SAMP_BR_FROM + 1;
	design->stride = 2;
	design->from_flags = 6;
	design->to_flags = 6;
	design->valid_in_to = true;
}

/* Hypervisors may have the format of the machine but no registers. */
static bool __init lbr_is_readable(const struct lbr_design *design)
{
	unsigned int last = (design->depth - 1) * design->stride;
	u64 value;

	if (rdmsrl_safe(design->control, &value) ||
	    rdmsrl_safe(MSR_IA32_DEBUGCTLMSR, &value) ||
	    (design->has_top && rdmsrl_safe(MSR_LBR_TOS, &value)) ||
	    (design->enable && rdmsrl_safe(design->enable, &value)) ||
	    (design->wipe && wrmsrl_safe(design->wipe, design->depth)))
		return false;
	return !rdmsrl_safe(design->from + last, &value) &&
	       !rdmsrl_safe(design->to + last, &value) &&
	       (!design->info || !rdmsrl_safe(design->info + last, &value));
}

static void __init lbr_find(struct lbr_design *design)
{
	if (!perfctr_lvtpc_exists())
		return;
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		lbr_find_amd(design);
	else if (boot_cpu_has(X86_FEATURE_ARCH_LBR))
		lbr_find_architectural(design);
	else
		lbr_find_by_model(design);
	if (design->depth && !lbr_is_readable(design))
		design->depth = 0;
}

/* Add LBR_SELECT, if there is a stack; its number lies between the ones of others. */
void __init perfctr_lbr_fill_map(struct perfmon_pmu *pmu)
{
	struct perfmon_reg *reg;

	lbr_find(&lbr_design);
	if (!lbr_design.depth)
		return;
	lbr_design.pmc = pmu->nr_pmcs;
	perfmon_also_pmcs |= BIT(pmu->nr_pmcs);
	reg = perfmon_add_pmc(pmu, PERFMON_LBR_PMC,
			      PERFMON_REG_PRIV_0 | PERFMON_ANY_SESSION);
	strscpy(reg->name, "LBR_SELECT");
	reg->addr = lbr_design.control;
	reg->rsvd = ~(u64)LBR_KINDS;
	reg->priv = LBR_NO_KERNEL;
}

/**
 * perfmon_arch_branch_records - what the stack of branches has
 * @kinds: filled: bits of its PMC that can be chosen
 * @info: filled: the known properties of each branch, PFM_PRECISE_SMPL_BR_*
 *
 * Return: the number of its entries; 0: there is none.
 */
unsigned int perfmon_arch_branch_records(u64 *kinds, u64 *info)
{
	*kinds = LBR_KINDS;
	*info = 0;
	if (!lbr_design.no_prediction)
		*info |= PFM_PRECISE_SMPL_BR_MISPREDICTED |
			 PFM_PRECISE_SMPL_BR_PREDICTED;
	if (lbr_design.valid_in_to)
		*info |= PFM_PRECISE_SMPL_BR_WRONG_PATH;
	if (lbr_design.has_tsx)
		*info |= PFM_PRECISE_SMPL_BR_IN_TX | PFM_PRECISE_SMPL_BR_ABORT;
	if (lbr_design.info || lbr_design.cycles_in_to)
		*info |= PFM_PRECISE_SMPL_BR_CYCLES;
	return lbr_design.depth;
}

/* Of hdr_hw. */
u32 perfmon_lbr_hw(void)
{
	return lbr_design.depth ? PFM_PRECISE_SMPL_HW_LBR : 0;
}

u32 perfmon_lbr_blocks(void)
{
	return lbr_design.depth ? PFM_PRECISE_SMPL_BRANCHES : 0;
}
