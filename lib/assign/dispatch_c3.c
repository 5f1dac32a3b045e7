// SPDX-License-Identifier: MIT
/*
 * VIA C3: one counter, number 1, which counts at all privilege levels and
 * cannot be stopped.  Number 0 is the time-stamp counter by another name.
 */
#include "dispatch.h"

#define COUNTER 1
#define EVNTSEL1 0x187
#define PERFCTR1 0xc2
#define WIDTH 32

static int setup(struct pfmlib_pmu *pmu)
{
	pfmlib_mask_add_range(&pmu->impl_pmcs, COUNTER, 1);
	pfmlib_mask_add_range(&pmu->impl_pmds, COUNTER, 1);
	pfmlib_mask_add_range(&pmu->impl_counters, COUNTER, 1);
	pmu->num_counters = 1;
	pmu->width = WIDTH;
	return PFMLIB_SUCCESS;
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	const pfmlib_event_t *event = &in->pfp_events[0];

	(void)model_in;
	(void)model_out;
	if (!in->pfp_event_count)
		return PFMLIB_SUCCESS;
	if (event->plm & PFMLIB_PLM_MIDDLE)
		return PFMLIB_ERR_INVAL;
	if (!pfmlib_pmc_usable(in, COUNTER))
		return PFMLIB_ERR_NOASSIGN;
	pfmlib_emit_pmc(out, COUNTER, pmu->events[event->event].code, EVNTSEL1);
	pfmlib_emit_pmd(out, COUNTER, PERFCTR1, COUNTER);
	return PFMLIB_SUCCESS;
}

static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	(void)pmu;
	(void)event;
	pfmlib_mask_add_range(counters, COUNTER, 1);
}

const struct pfmlib_dispatch pfmlib_dispatch_c3 = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
};
