// SPDX-License-Identifier: MIT
/*
 * Processors of which we know nothing but the time-stamp counter.  It counts at
 * all privilege levels and has no selector.
 */
#include "dispatch.h"

#define PMD_TSC 256
#define MSR_TSC 0x10
#define WIDTH 64

static int setup(struct pfmlib_pmu *pmu)
{
	pfmlib_mask_add_range(&pmu->impl_pmds, PMD_TSC, 1);
	pfmlib_mask_add_range(&pmu->impl_counters, PMD_TSC, 1);
	pmu->num_counters = 1;
	pmu->width = WIDTH;
	return PFMLIB_SUCCESS;
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	(void)pmu;
	(void)model_in;
	(void)model_out;
	if (!in->pfp_event_count)
		return PFMLIB_SUCCESS;
	if (in->pfp_events[0].plm & PFMLIB_PLM_MIDDLE)
		return PFMLIB_ERR_INVAL;
	pfmlib_emit_pmd(out, PMD_TSC, MSR_TSC, MSR_TSC);
	return PFMLIB_SUCCESS;
}

static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	(void)pmu;
	(void)event;
	pfmlib_mask_add_range(counters, PMD_TSC, 1);
}

const struct pfmlib_dispatch pfmlib_dispatch_tsc = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
};
