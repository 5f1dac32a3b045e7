// SPDX-License-Identifier: MIT
/*
 * The dispatchers of models with a single counter, which counts at all privilege levels:
 * the VIA C3, and processors with no known counter but the time-stamp counter.
 */
#include "dispatch.h"

/* Counter 1 cannot be stopped.  Counter 0 is another name of the time-stamp counter. */
#define C3_COUNTER 1
#define C3_EVNTSEL1 0x187
#define C3_PERFCTR1 0xc2
#define C3_WIDTH 32

/* The time-stamp counter has no selector. */
#define TSC_PMD 256
#define TSC_MSR 0x10
#define TSC_WIDTH 64

static int c3_setup(struct pfmlib_pmu *pmu)
{
	pfmlib_mask_add_range(&pmu->impl_pmcs, C3_COUNTER, 1);
	pfmlib_mask_add_range(&pmu->impl_pmds, C3_COUNTER, 1);
	pfmlib_mask_add_range(&pmu->impl_counters, C3_COUNTER, 1);
	pmu->num_counters = 1;
	pmu->width = C3_WIDTH;
	return PFMLIB_SUCCESS;
}

static int c3_dispatch(const struct pfmlib_pmu *pmu,
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
	if (!pfmlib_pmc_usable(in, C3_COUNTER))
		return PFMLIB_ERR_NOASSIGN;
	pfmlib_emit_pmc(out, C3_COUNTER, pmu->events[event->event].code,
			C3_EVNTSEL1);
	pfmlib_emit_pmd(out, C3_COUNTER, C3_PERFCTR1, C3_COUNTER);
	return PFMLIB_SUCCESS;
}

static void c3_event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			      pfmlib_regmask_t *counters)
{
	(void)pmu;
	(void)event;
	pfmlib_mask_add_range(counters, C3_COUNTER, 1);
}

const struct pfmlib_dispatch pfmlib_dispatch_c3 = {
	.setup = c3_setup,
	.dispatch = c3_dispatch,
	.event_counters = c3_event_counters,
};

static int tsc_setup(struct pfmlib_pmu *pmu)
{
	pfmlib_mask_add_range(&pmu->impl_pmds, TSC_PMD, 1);
	pfmlib_mask_add_range(&pmu->impl_counters, TSC_PMD, 1);
	pmu->num_counters = 1;
	pmu->width = TSC_WIDTH;
	return PFMLIB_SUCCESS;
}

static int tsc_dispatch(const struct pfmlib_pmu *pmu,
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
	pfmlib_emit_pmd(out, TSC_PMD, TSC_MSR, TSC_MSR);
	return PFMLIB_SUCCESS;
}

static void tsc_event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			       pfmlib_regmask_t *counters)
{
	(void)pmu;
	(void)event;
	pfmlib_mask_add_range(counters, TSC_PMD, 1);
}

const struct pfmlib_dispatch pfmlib_dispatch_tsc = {
	.setup = tsc_setup,
	.dispatch = tsc_dispatch,
	.event_counters = tsc_event_counters,
};
