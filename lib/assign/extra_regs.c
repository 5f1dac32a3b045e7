// SPDX-License-Identifier: MIT
/* Collects and emits extra registers and branch records, see extra_regs.h. */
#include "extra_regs.h"

#define PEBS_ENABLE_MSR 0x3f1
/* Its bits from here on enable the latency of loads. */
#define LATENCY_SHIFT 32
#define LBR_SELECT_MSR 0x1c8
#define LBR_TOS_MSR 0x1c9
#define LBR_FROM_MSR 0x680
#define LBR_TO_MSR 0x6c0

/* PMDs: top of stack, then pairs of source and destination. */
#define LBR_TOS 31
#define LBR_FIRST 32
#define NUM_BRANCH_RECORDS 16

/* LBR_SELECT: these levels are not recorded. */
#define LBR_NOT_KERNEL 0x1
#define LBR_NOT_USER 0x2

static const struct {
	unsigned int pmc;
	unsigned int msr;
} registers[NUM_EXTRA_REGS] = {
	[EXTRA_LATENCY] = { EXTRA_PMC_LATENCY, 0x3f6 },
	[EXTRA_OFFCORE_0] = { EXTRA_PMC_OFFCORE_0, 0x1a6 },
	[EXTRA_OFFCORE_1] = { EXTRA_PMC_OFFCORE_1, 0x1a7 },
	[EXTRA_FRONTEND] = { EXTRA_PMC_FRONTEND, 0x3f7 },
};

void pfmlib_extra_add_lbr(pfmlib_regmask_t *pmds)
{
	pfmlib_mask_add_range(pmds, LBR_TOS, 1);
	pfmlib_mask_add_range(pmds, LBR_FIRST, 2 * NUM_BRANCH_RECORDS);
}

int pfmlib_extra_want(struct extra_regs *extra, const pfmlib_input_param_t *in,
		      enum extra_reg which, uint64_t value)
{
	if (extra->used[which] && extra->value[which] != value)
		return PFMLIB_ERR_NOASSIGN;
	if (!pfmlib_pmc_usable(in, registers[which].pmc))
		return PFMLIB_ERR_NOASSIGN;
	extra->used[which] = true;
	extra->value[which] = value;
	return PFMLIB_SUCCESS;
}

int pfmlib_extra_want_pebs(struct extra_regs *extra,
			   const struct arch_call *call, unsigned int i,
			   bool latency)
{
	if (!pfmlib_pmc_usable(call->in, EXTRA_PMC_PEBS_ENABLE))
		return PFMLIB_ERR_NOASSIGN;
	extra->pebs_enable |= 1ULL << call->counter[i];
	if (latency)
		extra->pebs_enable |= 1ULL
				      << (LATENCY_SHIFT + call->counter[i]);
	return PFMLIB_SUCCESS;
}

void pfmlib_extra_emit(const struct extra_regs *extra,
		       pfmlib_output_param_t *out)
{
	unsigned int i;

	if (extra->pebs_enable)
		pfmlib_emit_pmc(out, EXTRA_PMC_PEBS_ENABLE, extra->pebs_enable,
				PEBS_ENABLE_MSR);
	for (i = 0; i < NUM_EXTRA_REGS; i++)
		if (extra->used[i])
			pfmlib_emit_pmc(out, registers[i].pmc, extra->value[i],
					registers[i].msr);
}

int pfmlib_extra_emit_lbr(const pfmlib_nhm_lbr_t *lbr,
			  const struct arch_call *call,
			  pfmlib_output_param_t *out)
{
	unsigned int plm = lbr->lbr_plm ? lbr->lbr_plm : call->in->pfp_dfl_plm;
	uint64_t select = lbr->lbr_filter & PFM_NHM_LBR_ALL;
	unsigned int i;

	if (!pfmlib_pmc_usable(call->in, EXTRA_PMC_LBR_SELECT))
		return PFMLIB_ERR_NOASSIGN;
	if (!(plm & PFM_PLM0))
		select |= LBR_NOT_KERNEL;
	if (!(plm & PFM_PLM3))
		select |= LBR_NOT_USER;
	pfmlib_emit_pmc(out, EXTRA_PMC_LBR_SELECT, select, LBR_SELECT_MSR);
	pfmlib_emit_pmd(out, LBR_TOS, LBR_TOS_MSR, LBR_TOS_MSR);
	for (i = 0; i < NUM_BRANCH_RECORDS; i++) {
		pfmlib_emit_pmd(out, LBR_FIRST + 2 * i, LBR_FROM_MSR + i,
				LBR_FROM_MSR + i);
		pfmlib_emit_pmd(out, LBR_FIRST + 2 * i + 1, LBR_TO_MSR + i,
				LBR_TO_MSR + i);
	}
	return PFMLIB_SUCCESS;
}
