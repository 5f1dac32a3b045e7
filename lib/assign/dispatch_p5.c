// SPDX-License-Identifier: MIT
/*
 * The dispatcher of Pentium, Pentium MMX, Cyrix and WinChip: two counters without
 * interrupt, each selected by one half of the register CESR.  PMC 0 is the low
 * half, PMC 1 the high half; the kernel combines them.
 *
 * WinChip counts at all privilege levels, even if the input asks for fewer.
 */
#include "dispatch.h"

#define NUM_COUNTERS 2
#define CESR 0x11
#define CTR0 0x12
#define WIDTH 40

/* Bits of a half, above the event's code. */
#define HALF_KERNEL 0x40
#define HALF_USER 0x80

static int setup(struct pfmlib_pmu *pmu)
{
	pfmlib_mask_add_range(&pmu->impl_pmcs, 0, NUM_COUNTERS);
	pfmlib_mask_add_range(&pmu->impl_pmds, 0, NUM_COUNTERS);
	pfmlib_mask_add_range(&pmu->impl_counters, 0, NUM_COUNTERS);
	pmu->num_counters = NUM_COUNTERS;
	pmu->width = WIDTH;
	return PFMLIB_SUCCESS;
}

static bool has_levels(const struct pfmlib_pmu *pmu)
{
	return pmu->model->type != PFMLIB_WINCHIP_C6_PMU &&
	       pmu->model->type != PFMLIB_WINCHIP_2_PMU;
}

static uint64_t half(const struct pfmlib_pmu *pmu,
		     const pfmlib_input_param_t *in, unsigned int i)
{
	unsigned int plm = pfmlib_plm(in, i);
	uint64_t value = pmu->events[in->pfp_events[i].event].code;

	if (!has_levels(pmu))
		return value;
	return value | (plm & PFM_PLM0 ? HALF_KERNEL : 0) |
	       (plm & PFM_PLM3 ? HALF_USER : 0);
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	unsigned int counter[NUM_COUNTERS], i;
	uint64_t allowed[NUM_COUNTERS], usable = 0;

	(void)model_in;
	(void)model_out;
	for (i = 0; i < NUM_COUNTERS; i++)
		if (pfmlib_pmc_usable(in, i))
			usable |= 1ULL << i;
	for (i = 0; i < in->pfp_event_count; i++) {
		if (in->pfp_events[i].plm & PFMLIB_PLM_MIDDLE)
			return PFMLIB_ERR_INVAL;
		allowed[i] = usable &
			     pmu->events[in->pfp_events[i].event].counters;
	}
	if (!pfmlib_assign_lowest(allowed, in->pfp_event_count, counter))
		return PFMLIB_ERR_NOASSIGN;
	for (i = 0; i < in->pfp_event_count; i++) {
		pfmlib_emit_pmc(out, counter[i], half(pmu, in, i), CESR);
		pfmlib_emit_pmd(out, counter[i], CTR0 + counter[i], counter[i]);
	}
	return PFMLIB_SUCCESS;
}

static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	counters->bits[0] |= pmu->events[event].counters;
}

const struct pfmlib_dispatch pfmlib_dispatch_p5 = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
};
