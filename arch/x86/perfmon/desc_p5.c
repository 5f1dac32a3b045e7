// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register maps of the designs without enable bits and without an overflow
 * interrupt: P5, its clones, and the C3.  Called by desc.c at boot.
 *
 * A PMC of the first is one half of CESR.  P5 and Cyrix count at the levels
 * that the PMC says, and not at all if it says none; WinChip and C3 count at
 * all levels whatever the PMC says.
 */
#include <linux/bits.h>
#include <linux/init.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>

#include "perfctr_core.h"
#include "desc.h"

#define HALF_KERNEL	BIT(6)
#define HALF_USER	BIT(7)

/* Bits that the user cannot choose. */
#define P5_RSVD		0xfffffffffffffe00ULL
#define CYRIX_RSVD	0xfffffffffffffa00ULL
#define WINCHIP_RSVD	0xffffffffffffff00ULL
#define C3_RSVD		0xfffffffffffffe00ULL

#define CESR_WIDTH	40
#define C3_WIDTH	32

/* Counter @n of the design and its selector. */
static void __init add_counter(struct perfmon_pmu *pmu, unsigned int n,
			       u64 rsvd, u64 priv, u8 width,
			       const char *selector, const char *counter)
{
	struct perfmon_reg *reg;

	reg = perfmon_add_pmc(pmu, n, PERFMON_REG_WC | PERFMON_ANY_SESSION);
	snprintf(reg->name, sizeof(reg->name), "%s%u", selector, n);
	reg->addr = perfctr_design->evntsel_msr(n);
	reg->rsvd = rsvd;
	reg->priv = priv;

	reg = perfmon_add_pmd(pmu, n, n, PERFMON_REG_C64 | PERFMON_ANY_SESSION,
			      width);
	snprintf(reg->name, sizeof(reg->name), "%s%u", counter, n);
	reg->addr = perfctr_design->counter_msr(n);
	reg->hw = n;
	reg->rsvd = ~((1ULL << width) - 1);
}

static void __init add_cesr_counters(struct perfmon_pmu *pmu, const char *model,
				     u64 rsvd, u64 levels)
{
	unsigned int n;

	pmu->model = model;
	perfmon_desc_enable = levels;
	for (n = 0; n < perfctr_design->nr_counters; n++)
		add_counter(pmu, n, rsvd,
			    levels ? HALF_KERNEL : PERFMON_PRIV_ALWAYS,
			    CESR_WIDTH, "CESR", "CTR");
}

void __init perfmon_desc_fill_p5(struct perfmon_pmu *pmu)
{
	switch (perfctr_design->cpu_type) {
	case PERFCTR_X86_CYRIX_MII:
		add_cesr_counters(pmu, "Cyrix MII", CYRIX_RSVD,
				  HALF_KERNEL | HALF_USER);
		break;
	case PERFCTR_X86_WINCHIP_C6:
	case PERFCTR_X86_WINCHIP_2:
		add_cesr_counters(pmu, "Centaur WinChip", WINCHIP_RSVD, 0);
		break;
	default:
		add_cesr_counters(pmu, "Intel P5", P5_RSVD,
				  HALF_KERNEL | HALF_USER);
	}
}

void __init perfmon_desc_fill_c3(struct perfmon_pmu *pmu)
{
	unsigned int n;

	pmu->model = "VIA C3";
	perfmon_desc_enable = 0;
	for (n = 0; n < perfctr_design->nr_counters; n++)
		if (!(perfctr_design->absent_counters & BIT(n)))
			add_counter(pmu, n, C3_RSVD, PERFMON_PRIV_ALWAYS,
				    C3_WIDTH, "EVNTSEL", "PERFCTR");
}
