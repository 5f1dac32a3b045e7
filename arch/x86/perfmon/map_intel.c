// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register map of Intel processors with architectural performance
 * monitoring.
 *
 * LD_LAT, PMC 18, exists with PEBS_ENABLE only: the event that it qualifies counts
 * nothing unless PEBS is on.
 */
#include <linux/array_size.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>

#include <asm/cpufeature.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "map.h"
#include "perfctr_core.h"

/* Fixed counters and their control register start at this number. */
#define FIRST_FIXED	16
#define MAX_FIXED	16

/* In a field of the fixed control register: OS, USR, any thread, PMI. */
#define FIELD_OS	0x1
#define FIELD_LEVELS	0x3
#define FIELD_ANY	0x4
#define FIELD_PMI	0x8

/* Selector bits 32 (all counters) and 33 (counter 2) are for TSX. */
#define SELECTOR_IN_TX		BIT_ULL(32)
#define SELECTOR_IN_TXCP	BIT_ULL(33)
#define IN_TXCP_COUNTER		2

/* Usable bits of counters whose writes have 32 bits. */
#define SHORT_WIDTH	31

/* LBR_SELECT is PMC 30. */
#define AFTER_LBR_SELECT	31

struct extra_pmc {
	u8 num;
	u8 extra;
	const char *name;
};

static const struct extra_pmc extra_pmcs[] __initconst = {
	{ 18, PERFCTR_LD_LAT, "LD_LAT" },
	{ 19, PERFCTR_OFFCORE_RSP0, "OFFCORE_RSP0" },
	{ AFTER_LBR_SELECT, PERFCTR_OFFCORE_RSP1, "OFFCORE_RSP1" },
	{ 32, PERFCTR_FRONTEND, "FRONTEND" },
};

static u64 __init intel_selector_rsvd(unsigned int n)
{
	u64 rsvd = SELECTOR_RSVD;

	if (perfctr_design->has_any_thread)
		rsvd &= ~(u64)EVNTSEL_ANY;
	if (boot_cpu_has(X86_FEATURE_RTM)) {
		rsvd &= ~SELECTOR_IN_TX;
		if (n == IN_TXCP_COUNTER)
			rsvd &= ~SELECTOR_IN_TXCP;
	}
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		rsvd &= ~(PFM_X86_PMC_CORE | PFM_X86_PMC_ATOM);
	return rsvd;
}

/*
 * Counts of transactions that abort are undone.  The interrupt would abort the
 * transaction, and it would start again and reach the same point.
 */
static u64 __init intel_selector_no_int(unsigned int n)
{
	return SELECTOR_IN_TXCP & ~intel_selector_rsvd(n);
}

static bool __init intel_is_atom(void)
{
	return boot_cpu_data.x86 == 6 && boot_cpu_data.x86_model == 28;
}

static const char *__init intel_model_name(void)
{
	if (perfctr_design->cpu_type == PERFCTR_X86_INTEL_CORE2)
		return "Intel Core";
	return intel_is_atom() ? "Intel Atom" : "Intel architectural";
}

/* One width for all: one bit less than a write to any counter can set. */
static u8 __init intel_usable_width(unsigned int hw_bits)
{
	if (perfctr_design->sign_extends)
		return SHORT_WIDTH;
	if (!perfctr_design->nr_fixed)
		return hw_bits - 1;
	return min_t(unsigned int, hw_bits,
		     fls64(perfctr_design->fixed_mask)) - 1;
}

/* The kinds of core that alone have the counter; 0 if all CPUs have it, or none. */
static u8 __init intel_kinds_of(const u32 kind_masks[PERFCTR_MAX_KINDS],
				unsigned int n)
{
	unsigned int i;
	u8 kinds = 0;

	for (i = 0; i < PERFCTR_MAX_KINDS; i++)
		if (kind_masks[i] & BIT(n))
			kinds |= BIT(i);
	return kinds;
}

static bool __init intel_has_fixed(unsigned int n)
{
	if (n < perfctr_design->nr_fixed)
		return !(perfctr_design->absent_fixed & BIT(n));
	return intel_kinds_of(perfctr_design->kind_fixed, n);
}

/* The same bits in the fields of all existing fixed counters. */
static u64 __init intel_fixed_fields(u64 bits)
{
	unsigned int n;
	u64 value = 0;

	for (n = 0; n < MAX_FIXED; n++)
		if (intel_has_fixed(n))
			value |= bits << 4 * n;
	return value;
}

/* A register of only some kinds is for CPU-wide sessions: their CPU has it or not. */
static void __init intel_limit(struct perfmon_reg *reg, u8 kinds)
{
	if (!kinds)
		return;
	reg->type &= ~PERFMON_REG_THR;
	reg->kinds = kinds;
}

static void __init intel_add_fixed_ctrl(struct perfmon_pmu *pmu,
					bool any_thread)
{
	struct perfmon_reg *reg = perfmon_add_pmc(pmu, FIRST_FIXED, PERFMON_ANY_SESSION);

	strscpy(reg->name, "FIXED_CTRL");
	reg->addr = MSR_ARCH_PERFMON_FIXED_CTR_CTRL;
	reg->dfl = intel_fixed_fields(FIELD_PMI);
	reg->rsvd = ~intel_fixed_fields(any_thread ? FIELD_LEVELS | FIELD_ANY :
						     FIELD_LEVELS);
	reg->priv = intel_fixed_fields(any_thread ? FIELD_OS | FIELD_ANY :
						    FIELD_OS);
}

static void __init intel_add_fixed_counters(struct perfmon_pmu *pmu, u8 width)
{
	struct perfmon_reg *reg;
	unsigned int n;

	for (n = 0; n < MAX_FIXED; n++) {
		if (!intel_has_fixed(n))
			continue;
		reg = perfmon_add_pmd(pmu, FIRST_FIXED + n, FIRST_FIXED,
				      COUNTER_TYPE, width);
		snprintf(reg->name, sizeof(reg->name), "FIXED_CTR%u", n);
		reg->addr = MSR_ARCH_PERFMON_FIXED_CTR0 + n;
		reg->hw = PERFCTR_FIXED + n;
		reg->rsvd = ~perfctr_design->fixed_mask;
		intel_limit(reg, intel_kinds_of(perfctr_design->kind_fixed, n));
	}
}

static void __init intel_add_extra_pmc(struct perfmon_pmu *pmu,
				       const struct extra_pmc *pmc, bool pebs)
{
	struct perfctr_extra *extra = &perfctr_design->extra[pmc->extra];
	bool latency = pmc->extra == PERFCTR_LD_LAT;
	u64 bits = perfctr_extra_bits(extra);
	struct perfmon_reg *reg;

	if (!bits || (latency && !pebs))
		return;
	extra->pmc = pmu->nr_pmcs;
	reg = perfmon_add_pmc(pmu, pmc->num, PERFMON_ANY_SESSION |
			      (latency ? PERFMON_REG_REC : 0));
	strscpy(reg->name, pmc->name);
	reg->addr = extra->msr;
	reg->rsvd = ~bits;
	/* The usable bits depend on the kind of core. */
	if (bits != extra->mask)
		reg->type |= PERFMON_REG_WC;
}

/* Registers are in the order of their numbers. */
static void __init intel_add_extra(struct perfmon_pmu *pmu, bool pebs)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(extra_pmcs); i++) {
		if (extra_pmcs[i].num == AFTER_LBR_SELECT)
			perfctr_lbr_fill_map(pmu);
		intel_add_extra_pmc(pmu, &extra_pmcs[i], pebs);
	}
}

void __init perfctr_intel_fill_map(struct perfmon_pmu *pmu)
{
	unsigned int n, hw_bits = fls64(perfctr_design->counter_mask);
	u8 width = intel_usable_width(hw_bits);
	bool any_thread;
	u8 kinds;

	pmu->model = intel_model_name();
	for (n = 0; n < FIRST_FIXED; n++) {
		kinds = intel_kinds_of(perfctr_design->kind_counters, n);
		if (n >= perfctr_design->nr_counters && !kinds)
			break;
		perfmon_add_counter(pmu, n, intel_selector_rsvd(n), width,
				    hw_bits, "PERFEVTSEL", "PMC");
		pmu->pmcs[n].no_int = intel_selector_no_int(n);
		pmu->some_no_int |= pmu->pmcs[n].no_int;
		intel_limit(&pmu->pmcs[n], kinds);
		intel_limit(&pmu->pmds[n], kinds);
	}
	if (perfctr_design->nr_fixed) {
		/* The old map of the Atom lacks that bit. */
		any_thread = perfctr_design->has_any_thread && !intel_is_atom();
		intel_add_fixed_ctrl(pmu, any_thread);
		intel_add_fixed_counters(pmu, width);
	}
	intel_add_extra(pmu, perfctr_pebs_fill_map(pmu));
}
