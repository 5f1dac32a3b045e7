// SPDX-License-Identifier: MIT
/* Composes and emits the registers of the uncore, see nhm.h. */
#include <string.h>
#include <strings.h>

#include "nhm.h"

/* MSRs of counter 0; the others follow. */
#define FIXED_CTR0 0x394
#define FIXED_CTRL 0x395
#define PMC0 0x3b0
#define EVNTSEL0 0x3c0

/* Of the fixed counter: enable and interrupt. */
#define FIXED_ON 0x5

#define SELECT_OCC_RST (1ULL << 17)

void pfmlib_nhm_add_uncore(struct pfmlib_pmu *pmu)
{
	pfmlib_mask_add_range(&pmu->impl_pmcs, NHM_UNCORE_FIXED,
			      1 + NHM_NUM_UNCORE);
	pfmlib_mask_add_range(&pmu->impl_pmcs, NHM_UNCORE_ADDROP_MATCH, 1);
	pfmlib_mask_add_range(&pmu->impl_pmds, NHM_UNCORE_FIXED,
			      1 + NHM_NUM_UNCORE);
	pfmlib_mask_add_range(&pmu->impl_counters, NHM_UNCORE_FIXED,
			      1 + NHM_NUM_UNCORE);
}

/*
 * UNC_GQ_DATA is an old name for two events: masks for the source of the data
 * belong to the first, masks for their destination to the second.
 */
static int gq_data_code(const struct arch_call *call, unsigned int i,
			uint64_t *code)
{
	const pfmlib_event_t *event = &call->in->pfp_events[i];
	const struct pfmlib_event_desc *desc = &call->pmu->events[event->event];
	unsigned int mask, to = 0;

	if (strcasecmp(desc->name, "UNC_GQ_DATA"))
		return PFMLIB_SUCCESS;
	for (mask = 0; mask < event->num_masks; mask++)
		if (!strncasecmp(desc->masks[event->unit_masks[mask]].name,
				 "TO_", strlen("TO_")))
			to++;
	if (to && to != event->num_masks)
		return PFMLIB_ERR_NOASSIGN;
	if (to)
		++*code;
	return PFMLIB_SUCCESS;
}

int pfmlib_nhm_select_uncore(struct arch_call *call, unsigned int i)
{
	unsigned int flags = call->modifiers[i].flags;
	uint64_t code = pfmlib_arch_code(call, i), value;
	int ret;

	if (flags & ARCH_ANYTHR)
		return PFMLIB_ERR_INVAL;
	ret = gq_data_code(call, i, &code);
	if (ret == PFMLIB_SUCCESS)
		ret = pfmlib_arch_modify(call, i, code, &value);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	if (flags & ARCH_OCC_RST)
		value |= SELECT_OCC_RST;
	call->selector[i] = call->counter[i] == NHM_UNCORE_FIXED ? FIXED_ON :
								   value;
	return PFMLIB_SUCCESS;
}

static unsigned int control_msr(unsigned int counter)
{
	return counter == NHM_UNCORE_FIXED ?
		       FIXED_CTRL :
		       EVNTSEL0 + (counter - NHM_UNCORE_FIRST);
}

static unsigned int counter_msr(unsigned int counter)
{
	return counter == NHM_UNCORE_FIXED ?
		       FIXED_CTR0 :
		       PMC0 + (counter - NHM_UNCORE_FIRST);
}

static void emit_pmcs(const struct arch_call *call, uint64_t counters,
		      pfmlib_output_param_t *out)
{
	unsigned int i;

	for (i = 0; i < call->in->pfp_event_count; i++)
		if (counters >> call->counter[i] & 1)
			pfmlib_emit_pmc(out, call->counter[i],
					call->selector[i],
					control_msr(call->counter[i]));
}

void pfmlib_nhm_emit_uncore(const struct arch_call *call,
			    pfmlib_output_param_t *out)
{
	emit_pmcs(call, ARCH_COUNTER(NHM_UNCORE_FIXED), out);
	emit_pmcs(call, NHM_ALL_UNCORE, out);
}

void pfmlib_nhm_emit_uncore_pmd(const struct arch_call *call, unsigned int i,
				pfmlib_output_param_t *out)
{
	unsigned int msr = counter_msr(call->counter[i]);

	pfmlib_emit_pmd(out, call->counter[i], msr, msr);
}
