// SPDX-License-Identifier: MIT
/*
 * The dispatcher of Pentium Pro, Pentium II, Pentium III and Pentium M: two
 * counters, both enabled by bit 22 of the first selector.
 */
#include <perfmon/pfmlib_i386_p6.h>

#include "dispatch.h"

#define NUM_COUNTERS PMU_I386_P6_NUM_COUNTERS
#define ALL_COUNTERS 0x3ULL
#define PERFEVTSEL0 0x186
#define PERFCTR0 0xc1

/*
 * Flags of an event: the only counter that can count it, and whether its masks
 * combine.
 */
#define ONLY_COUNTER0 0x1
#define ONLY_COUNTER1 0x2
#define COMBINES 0x4

static const struct pfmlib_event_bits constraints[] = {
	{ "FLOPS", ONLY_COUNTER0 },
	{ "FP_COMP_OPS_EXE", ONLY_COUNTER0 },
	{ "CYCLES_DIV_BUSY", ONLY_COUNTER0 },
	{ "FP_ASSIST", ONLY_COUNTER1 },
	{ "MUL", ONLY_COUNTER1 },
	{ "DIV", ONLY_COUNTER1 },
	{ "L2_IFETCH", COMBINES },
	{ "L2_ST", COMBINES },
	{ "L2_RQSTS", COMBINES },
	{ "L2_LD", COMBINES },
	/* since the Pentium II */
	{ "MMX_INSTR_TYPE_EXEC", COMBINES },
	{ "SEG_RENAME_STALLS", COMBINES },
	{ "SEG_REG_RENAMES", COMBINES },
	/* Pentium M */
	{ "EMON_FUSED_UOPS_RET", COMBINES },
	{ "L2_LINES_IN", COMBINES },
	{ "L2_LINES_OUT", COMBINES },
	{ "L2_M_LINES_OUT", COMBINES },
};

static unsigned int event_bits(const struct pfmlib_pmu *pmu, unsigned int event)
{
	return ((const unsigned int *)pmu->data)[event];
}

static uint64_t event_allowed(const struct pfmlib_pmu *pmu, unsigned int event)
{
	unsigned int bits = event_bits(pmu, event);

	if (bits & ONLY_COUNTER0)
		return 0x1;
	return bits & ONLY_COUNTER1 ? 0x2 : ALL_COUNTERS;
}

static int setup(struct pfmlib_pmu *pmu)
{
	pfmlib_mask_add_range(&pmu->impl_pmcs, 0, NUM_COUNTERS);
	pfmlib_mask_add_range(&pmu->impl_pmds, 0, NUM_COUNTERS);
	pfmlib_mask_add_range(&pmu->impl_counters, 0, NUM_COUNTERS);
	pmu->num_counters = NUM_COUNTERS;
	pmu->width = PMU_I386_P6_COUNTER_WIDTH;
	pmu->data = pfmlib_find_event_bits(pmu, constraints,
					   ARRAY_SIZE(constraints));
	return pmu->data ? PFMLIB_SUCCESS : PFMLIB_ERR_NOMEM;
}

static int check_event(const struct pfmlib_pmu *pmu,
		       const pfmlib_event_t *event,
		       const pfmlib_i386_p6_counter_t *options)
{
	if (event->plm & PFMLIB_PLM_MIDDLE)
		return PFMLIB_ERR_INVAL;
	if (options &&
	    (options->flags & ~(PFM_I386_P6_SEL_INV | PFM_I386_P6_SEL_EDGE)))
		return PFMLIB_ERR_INVAL;
	if (event->num_masks > 1 && !(event_bits(pmu, event->event) & COMBINES))
		return PFMLIB_ERR_FEATCOMB;
	return PFMLIB_SUCCESS;
}

static uint64_t selector(const struct pfmlib_pmu *pmu,
			 const pfmlib_input_param_t *in, unsigned int i,
			 const pfmlib_i386_p6_counter_t *options)
{
	const pfmlib_event_t *event = &in->pfp_events[i];
	unsigned int code = pmu->events[event->event].code;
	unsigned int umask = (code >> 8) | pfmlib_mask_codes(pmu, event);
	uint64_t value = (code & 0xff) | pfmlib_plm_bits(in, i) |
			 PFMLIB_SEL_INT;

	value |= (uint64_t)(umask & 0xff) << PFMLIB_SEL_UMASK_SHIFT;
	if (options) {
		value |= (uint64_t)(options->cnt_mask & 0xff)
			 << PFMLIB_SEL_CMASK_SHIFT;
		if (options->flags & PFM_I386_P6_SEL_EDGE)
			value |= PFMLIB_SEL_EDGE;
		if (options->flags & PFM_I386_P6_SEL_INV)
			value |= PFMLIB_SEL_INV;
	}
	return value;
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	const pfmlib_i386_p6_input_param_t *param = model_in;
	const pfmlib_i386_p6_counter_t *options[NUM_COUNTERS];
	uint64_t allowed[NUM_COUNTERS], usable = 0, value;
	unsigned int counter[NUM_COUNTERS], i;
	bool counter0 = false;
	int ret;

	(void)model_out;
	for (i = 0; i < NUM_COUNTERS; i++)
		if (pfmlib_pmc_usable(in, i))
			usable |= 1ULL << i;
	for (i = 0; i < in->pfp_event_count; i++) {
		options[i] = param ? &param->pfp_i386_p6_counters[i] : NULL;
		ret = check_event(pmu, &in->pfp_events[i], options[i]);
		if (ret != PFMLIB_SUCCESS)
			return ret;
		allowed[i] = event_allowed(pmu, in->pfp_events[i].event) &
			     usable;
	}
	if (!pfmlib_assign_lowest(allowed, in->pfp_event_count, counter))
		return PFMLIB_ERR_NOASSIGN;

	for (i = 0; i < in->pfp_event_count; i++) {
		value = selector(pmu, in, i, options[i]);
		if (!counter[i]) {
			value |= PFMLIB_SEL_EN;
			counter0 = true;
		}
		pfmlib_emit_pmc(out, counter[i], value,
				PERFEVTSEL0 + counter[i]);
		pfmlib_emit_pmd(out, counter[i], PERFCTR0 + counter[i],
				counter[i]);
	}
	/* The second counter counts only if the first selector enables it. */
	if (!counter0 && usable & 1)
		pfmlib_emit_pmc(out, 0, PFMLIB_SEL_EN, PERFEVTSEL0);
	return PFMLIB_SUCCESS;
}

static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	counters->bits[0] |= (unsigned long)event_allowed(pmu, event);
}

const struct pfmlib_dispatch pfmlib_dispatch_p6 = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
};
