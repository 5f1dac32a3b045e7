// SPDX-License-Identifier: MIT
/* Registers that qualify events, and branch records: see intel_extra.h. */
#include "intel_extra.h"

#define PEBS_ENABLE_MSR 0x3f1
#define LBR_SELECT_MSR 0x1c8
#define LBR_TOS_MSR 0x1c9
#define LBR_FROM_MSR 0x680
#define LBR_TO_MSR 0x6c0

/* PEBS_ENABLE: this bit and the number of the counter make it a latency. */
#define PEBS_LATENCY 32

/* PMDs: top of stack, then pairs of from and to. */
#define LBR_TOS 31
#define LBR_FIRST 32
#define NUM_BRANCH_RECORDS 16

/* LBR_SELECT: levels that are not recorded. */
#define LBR_NOT_KERNEL 0x1
#define LBR_NOT_USER 0x2

static const struct {
	unsigned int pmc;
	unsigned int msr;
} registers[INTEL_NUM_EXTRA] = {
	[INTEL_LATENCY_THRESHOLD] = { INTEL_PMC_LATENCY, 0x3f6 },
	[INTEL_OFFCORE_RSP0] = { INTEL_PMC_OFFCORE_0, 0x1a6 },
	[INTEL_OFFCORE_RSP1] = { INTEL_PMC_OFFCORE_1, 0x1a7 },
	[INTEL_FRONTEND] = { INTEL_PMC_FRONTEND, 0x3f7 },
};

void pfmlib_intel_add_lbr(pfmlib_regmask_t *pmds)
{
	pfmlib_mask_add_range(pmds, LBR_TOS, 1);
	pfmlib_mask_add_range(pmds, LBR_FIRST, 2 * NUM_BRANCH_RECORDS);
}

int pfmlib_intel_want_extra(struct intel_extra *extra,
			    const pfmlib_input_param_t *in,
			    enum intel_extra_register which, uint64_t value)
{
	if (extra->used[which] && extra->value[which] != value)
		return PFMLIB_ERR_NOASSIGN;
	if (!pfmlib_pmc_usable(in, registers[which].pmc))
		return PFMLIB_ERR_NOASSIGN;
	extra->used[which] = true;
	extra->value[which] = value;
	return PFMLIB_SUCCESS;
}

int pfmlib_intel_want_latency(struct intel_extra *extra,
			      const pfmlib_input_param_t *in,
			      unsigned int threshold)
{
	if (threshold < INTEL_THRESHOLD_MIN || threshold > INTEL_THRESHOLD_MAX)
		return PFMLIB_ERR_INVAL;
	return pfmlib_intel_want_extra(extra, in, INTEL_LATENCY_THRESHOLD,
				       threshold);
}

int pfmlib_intel_want_pebs(struct intel_extra *extra,
			   const struct intel_call *call, unsigned int i,
			   unsigned int threshold)
{
	unsigned int counter = call->counter[i];

	if (!pfmlib_pmc_usable(call->in, INTEL_PMC_PEBS_ENABLE))
		return PFMLIB_ERR_NOASSIGN;
	extra->pebs_enable |= 1ULL << counter;
	if (!threshold)
		return PFMLIB_SUCCESS;
	extra->pebs_enable |= 1ULL << (PEBS_LATENCY + counter);
	return pfmlib_intel_want_latency(extra, call->in, threshold);
}

void pfmlib_intel_emit_extra(const struct intel_extra *extra,
			     pfmlib_output_param_t *out)
{
	unsigned int i;

	if (extra->pebs_enable)
		pfmlib_emit_pmc(out, INTEL_PMC_PEBS_ENABLE, extra->pebs_enable,
				PEBS_ENABLE_MSR);
	for (i = 0; i < INTEL_NUM_EXTRA; i++)
		if (extra->used[i])
			pfmlib_emit_pmc(out, registers[i].pmc, extra->value[i],
					registers[i].msr);
}

int pfmlib_intel_emit_lbr(const pfmlib_nhm_lbr_t *lbr,
			  const struct intel_call *call,
			  pfmlib_output_param_t *out)
{
	unsigned int plm = lbr->lbr_plm ? lbr->lbr_plm : call->in->pfp_dfl_plm;
	uint64_t select = lbr->lbr_filter & PFM_NHM_LBR_ALL;
	unsigned int i;

	if (!pfmlib_pmc_usable(call->in, INTEL_PMC_LBR_SELECT))
		return PFMLIB_ERR_NOASSIGN;
	if (!(plm & PFM_PLM0))
		select |= LBR_NOT_KERNEL;
	if (!(plm & PFM_PLM3))
		select |= LBR_NOT_USER;
	pfmlib_emit_pmc(out, INTEL_PMC_LBR_SELECT, select, LBR_SELECT_MSR);
	pfmlib_emit_pmd(out, LBR_TOS, LBR_TOS_MSR, LBR_TOS_MSR);
	for (i = 0; i < NUM_BRANCH_RECORDS; i++) {
		pfmlib_emit_pmd(out, LBR_FIRST + 2 * i, LBR_FROM_MSR + i,
				LBR_FROM_MSR + i);
		pfmlib_emit_pmd(out, LBR_FIRST + 2 * i + 1, LBR_TO_MSR + i,
				LBR_TO_MSR + i);
	}
	return PFMLIB_SUCCESS;
}
