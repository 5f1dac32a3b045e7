// SPDX-License-Identifier: GPL-2.0-only
/*
 * Building elements of a perfctr control from PMC values, on the Pentium 4: two
 * PMCs control a PMD, its CCCR and the ESCR that the CCCR selects.
 *
 * Called by perfmon_arch_build() through perfctr_design.build.
 */
#include <linux/bitops.h>
#include <linux/perfmon_pmu.h>

#include "p4.h"
#include "perfctr_core.h"

/* Bits that the mode of the counter determines, not the user. */
#define CCCR_DROPPED	(P4_CCCR_OVF_PMI_T0 | P4_CCCR_OVF_PMI_T1 | \
			 P4_CCCR_FORCE_OVF)

/* Value of the PMC for this MSR, 0 if there is none. */
static u32 p4_pmc_of_msr(const u64 *pmcs, unsigned int msr)
{
	unsigned int pos;

	for (pos = 0; pos < perfmon_pmu.nr_pmcs; pos++)
		if (perfmon_pmu.pmcs[pos].addr == msr)
			return pmcs[pos];
	return 0;
}

/* Enable replay tagging if all PMCs that it needs are set, else disable it. */
static void p4_add_replay_tagging(struct perfctr_cpu_control *control,
				  const u64 *pmcs)
{
	u32 enable = p4_pmc_of_msr(pmcs, MSR_IA32_PEBS_ENABLE);
	u32 matrix_vert = p4_pmc_of_msr(pmcs, MSR_P4_PEBS_MATRIX_VERT) &
			  P4_PMV_REPLAY;

	if (!(enable & P4_PE_UOP_TAG) || !(enable & P4_PE_REPLAY_TAGS) ||
	    !matrix_vert)
		return;
	control->p4.pebs_enable = enable & (P4_PE_UOP_TAG | P4_PE_REPLAY_TAGS);
	control->p4.pebs_matrix_vert = matrix_vert;
}

void perfctr_p4_build(struct perfmon_arch_set *set, const u64 *pmcs,
		      const unsigned long *used_pmcs,
		      const unsigned long *used_pmds)
{
	struct perfctr_cpu_control *control = &set->state.control;
	unsigned int pmd;

	for_each_set_bit(pmd, used_pmds, perfctr_design->nr_counters) {
		const struct perfmon_reg *reg = &perfmon_pmu.pmds[pmd];
		unsigned int escr, i = control->nractrs;
		u32 cccr;

		if (reg->type & PERFMON_REG_V)
			continue;
		cccr = pmcs[reg->ctrl] & ~(u64)CCCR_DROPPED;
		escr = perfctr_p4_escr(reg->hw & ~PERFCTR_FAST_RDPMC, cccr);
		if (!(cccr & P4_CCCR_COUNTS) || !escr)
			continue;
		set->element[pmd] = i;
		control->pmc_map[i] = reg->hw;
		control->evntsel[i] = cccr;
		control->evntsel_high[i] = 0;
		control->p4.escr[i] = p4_pmc_of_msr(pmcs, escr);
		control->nractrs++;
	}
	if (control->nractrs)
		p4_add_replay_tagging(control, pmcs);
}
