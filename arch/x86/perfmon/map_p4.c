// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register map of the Pentium 4: 65 control and 18 data registers.
 *
 * Half of the numbers are for each thread of a core.  With hyper-threading only
 * the first half exists.
 */
#include <linux/init.h>
#include <linux/perfmon_pmu.h>
#include <linux/printk.h>
#include <linux/string.h>

#include <asm/msr-index.h>

#include "map.h"
#include "p4.h"
#include "perfctr_core.h"

/* In PMCs: the bits that the user can choose, and the others of a CCCR. */
#define ESCR_FREE	GENMASK(30, 2)
#define CCCR_FREE	(P4_CCCR_CASCADE | GENMASK(24, 18) | GENMASK(15, 12))
#define CCCR_DEFAULT	(P4_CCCR_OVF_PMI_T0 | P4_CCCR_ACTIVE_THREAD)

#define MATRIX_VERT_RSVD	0xffffffffffffffecULL
#define PEBS_ENABLE_RSVD	0xfffffffff8ffe000ULL

#define COUNTER_BITS	40

#define FIRST_OF_SECOND_HALF	32

/**
 * struct p4_escr - an ESCR of the first half
 * @unit: first part of its name
 * @number: last part of its name
 * @msr: its address; the partner has the next number and the next address
 */
struct p4_escr {
	const char *unit;
	u8 number;
	u16 msr;
};

/* In the order of their PMCs, starting at 0. */
static const struct p4_escr escrs[] __initconst = {
	{ "BPU", 0, MSR_P4_BPU_ESCR0 },
	{ "IS", 0, MSR_P4_IS_ESCR0 },
	{ "MOB", 0, MSR_P4_MOB_ESCR0 },
	{ "ITLB", 0, MSR_P4_ITLB_ESCR0 },
	{ "PMH", 0, MSR_P4_PMH_ESCR0 },
	{ "IX", 0, MSR_P4_IX_ESCR0 },
	{ "FSB", 0, MSR_P4_FSB_ESCR0 },
	{ "BSU", 0, MSR_P4_BSU_ESCR0 },
	{ "MS", 0, MSR_P4_MS_ESCR0 },
	{ "TC", 0, MSR_P4_TC_ESCR0 },
	{ "TBPU", 0, MSR_P4_TBPU_ESCR0 },
	{ "FLAME", 0, MSR_P4_FLAME_ESCR0 },
	{ "FIRM", 0, MSR_P4_FIRM_ESCR0 },
	{ "SAAT", 0, MSR_P4_SAAT_ESCR0 },
	{ "U2L", 0, MSR_P4_U2L_ESCR0 },
	{ "DAC", 0, MSR_P4_DAC_ESCR0 },
	{ "IQ", 0, MSR_P4_IQ_ESCR0 },
	{ "ALF", 0, MSR_P4_ALF_ESCR0 },
	{ "RAT", 0, MSR_P4_RAT_ESCR0 },
	{ "SSU", 0, MSR_P4_SSU_ESCR0 },
	{ "CRU", 0, MSR_P4_CRU_ESCR0 },
	{ "CRU", 2, MSR_P4_CRU_ESCR2 },
	{ "CRU", 4, MSR_P4_CRU_ESCR4 },
};

/**
 * struct p4_counter - a counter of the first half and its partner
 * @unit: group of counters
 * @number: within the group
 * @partner: number of the partner within the group
 * @counter: its RDPMC number
 * @partner_counter: RDPMC number of the partner
 */
struct p4_counter {
	const char *unit;
	u8 number;
	u8 partner;
	u8 counter;
	u8 partner_counter;
};

/* In the order of their CCCRs' PMCs and of their PMDs. */
static const struct p4_counter counters[] __initconst = {
	{ "BPU", 0, 2, 0, 2 },
	{ "BPU", 1, 3, 1, 3 },
	{ "MS", 0, 2, 4, 6 },
	{ "MS", 1, 3, 5, 7 },
	{ "FLAME", 0, 2, 8, 10 },
	{ "FLAME", 1, 3, 9, 11 },
	{ "IQ", 0, 2, 12, 14 },
	{ "IQ", 1, 3, 13, 15 },
	{ "IQ", 4, 5, P4_IQ_CTR4, P4_IQ_CTR5 },
};

static void __init p4_add_escr(struct perfmon_pmu *pmu, unsigned int num,
			       const char *unit, unsigned int number,
			       unsigned int msr)
{
	struct perfmon_reg *reg;

	if ((msr == MSR_P4_IQ_ESCR0 || msr == MSR_P4_IQ_ESCR1) &&
	    !perfctr_p4_has_iq_escr())
		return;
	reg = perfmon_add_pmc(pmu, num, PERFMON_ANY_SESSION);
	snprintf(reg->name, sizeof(reg->name), "%s_ESCR%u", unit, number);
	reg->addr = msr;
	reg->rsvd = ~(u64)ESCR_FREE;
	reg->priv = P4_ESCR_T0_OS;
}

static void __init p4_add_cccr(struct perfmon_pmu *pmu, unsigned int num,
			       const char *unit, unsigned int number,
			       unsigned int counter)
{
	struct perfmon_reg *reg;

	reg = perfmon_add_pmc(pmu, num,
			      PERFMON_REG_NO64 | PERFMON_ANY_SESSION);
	snprintf(reg->name, sizeof(reg->name), "%s_CCCR%u", unit, number);
	reg->addr = perfctr_design->evntsel_msr(counter);
	reg->dfl = CCCR_DEFAULT;
	reg->rsvd = ~(u64)CCCR_FREE;
	reg->no64 = P4_CCCR_OVF_PMI_T0 | P4_CCCR_OVF_PMI_T1;
}

static void __init p4_add_counter(struct perfmon_pmu *pmu, unsigned int num,
				  unsigned int cccr, const char *unit,
				  unsigned int number, unsigned int counter)
{
	struct perfmon_reg *reg;

	reg = perfmon_add_pmd(pmu, num, cccr,
			      PERFMON_REG_C64 | PERFMON_REG_INTR |
			      PERFMON_ANY_SESSION, COUNTER_BITS);
	snprintf(reg->name, sizeof(reg->name), "%s_CTR%u", unit, number);
	reg->addr = perfctr_design->counter_msr(counter);
	reg->hw = counter | PERFCTR_FAST_RDPMC;
	reg->rsvd = ~(BIT_ULL(COUNTER_BITS) - 1);
}

/* Registers are added in the order of their numbers. */
static void __init p4_add_first_half(struct perfmon_pmu *pmu)
{
	unsigned int i, num = 0, pmd = 0;

	for (i = 0; i < ARRAY_SIZE(escrs); i++)
		p4_add_escr(pmu, num++, escrs[i].unit, escrs[i].number,
			    escrs[i].msr);
	for (i = 0; i < ARRAY_SIZE(counters); i++, num++) {
		p4_add_cccr(pmu, num, counters[i].unit, counters[i].number,
			    counters[i].counter);
		p4_add_counter(pmu, pmd++, num, counters[i].unit,
			       counters[i].number, counters[i].counter);
	}
}

static void __init p4_add_pebs(struct perfmon_pmu *pmu, unsigned int num,
			       const char *name, unsigned int msr, u64 rsvd)
{
	struct perfmon_reg *reg;

	reg = perfmon_add_pmc(pmu, num, PERFMON_ANY_SESSION);
	strscpy(reg->name, name);
	reg->addr = msr;
	reg->rsvd = rsvd;
}

static void __init p4_add_second_half(struct perfmon_pmu *pmu)
{
	unsigned int i, num = FIRST_OF_SECOND_HALF, pmd = ARRAY_SIZE(counters);

	for (i = 0; i < ARRAY_SIZE(escrs); i++)
		if (escrs[i].msr != MSR_P4_SSU_ESCR0)
			p4_add_escr(pmu, num++, escrs[i].unit,
				    escrs[i].number + 1, escrs[i].msr + 1);
	for (i = 0; i < ARRAY_SIZE(counters); i++, num++) {
		p4_add_cccr(pmu, num, counters[i].unit, counters[i].partner,
			    counters[i].partner_counter);
		p4_add_counter(pmu, pmd++, num, counters[i].unit,
			       counters[i].partner,
			       counters[i].partner_counter);
	}
	p4_add_pebs(pmu, num++, "PEBS_MATRIX_VERT", MSR_P4_PEBS_MATRIX_VERT,
		    MATRIX_VERT_RSVD);
	p4_add_pebs(pmu, num, "PEBS_ENABLE", MSR_IA32_PEBS_ENABLE,
		    PEBS_ENABLE_RSVD);
}

void __init perfctr_p4_fill_map(struct perfmon_pmu *pmu)
{
	pmu->model = "Intel P4";
	p4_add_first_half(pmu);
	if (!perfctr_p4_has_threads())
		p4_add_second_half(pmu);
}
