// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event registers (ESCR) of a Pentium 4, and the counters that each feeds.
 */
#include <linux/topology.h>
#include <linux/types.h>

#include <asm/msr-index.h>
#include <asm/processor.h>

#include "p4.h"

#define LAST_MODEL_WITH_IQ	2

/*
 * ESCRs by group of counters and ESCR SELECT.  These feed the counters in the
 * first half of a group; their partners, at the next MSR address, feed the
 * second half.
 */
static const u16 first_escrs[P4_GROUPS][P4_SELECTS] = {
	{
		MSR_P4_BPU_ESCR0, MSR_P4_IS_ESCR0, MSR_P4_MOB_ESCR0,
		MSR_P4_ITLB_ESCR0, MSR_P4_PMH_ESCR0, MSR_P4_IX_ESCR0,
		MSR_P4_FSB_ESCR0, MSR_P4_BSU_ESCR0,
	},
	{
		MSR_P4_MS_ESCR0, MSR_P4_TC_ESCR0, MSR_P4_TBPU_ESCR0,
	},
	{
		MSR_P4_FLAME_ESCR0, MSR_P4_FIRM_ESCR0, MSR_P4_SAAT_ESCR0,
		MSR_P4_U2L_ESCR0, 0, MSR_P4_DAC_ESCR0,
	},
	{
		MSR_P4_IQ_ESCR0, MSR_P4_ALF_ESCR0, MSR_P4_RAT_ESCR0,
		MSR_P4_SSU_ESCR0, MSR_P4_CRU_ESCR0, MSR_P4_CRU_ESCR2,
		MSR_P4_CRU_ESCR4,
	},
};

#define IQ_GROUP		3

/*
 * Each ESCR that feeds the first half of a group, by a number below
 * P4_FIRST_ESCRS; 0 for a hole.
 */
unsigned int perfctr_p4_first_escr(unsigned int i)
{
	return first_escrs[i / P4_SELECTS][i % P4_SELECTS];
}

/* Models 0 to 2 have two more ESCRs. */
bool perfctr_p4_has_iq_escr(void)
{
	return boot_cpu_data.x86_model <= LAST_MODEL_WITH_IQ;
}

/* Two threads share the counters of a core. */
bool perfctr_p4_has_threads(void)
{
	return __max_threads_per_core > 1;
}

static bool p4_in_second_half(unsigned int counter)
{
	return counter < P4_IQ_CTR4 ? counter & 2 : counter == P4_IQ_CTR5;
}

/* MSR of the ESCR that feeds a counter, 0 if this CCCR selects none. */
unsigned int perfctr_p4_escr(unsigned int counter, u32 cccr)
{
	unsigned int group = counter < 12 ? counter / 4 : IQ_GROUP;
	unsigned int select = (cccr & P4_CCCR_ESCR_SELECT) >> 13;
	unsigned int msr = first_escrs[group][select];

	if (msr == MSR_P4_IQ_ESCR0 && !perfctr_p4_has_iq_escr())
		return 0;
	if (!msr || !p4_in_second_half(counter))
		return msr;
	/* The only ESCR without a partner. */
	return msr == MSR_P4_SSU_ESCR0 ? 0 : msr + 1;
}
