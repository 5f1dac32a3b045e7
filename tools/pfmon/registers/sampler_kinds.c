// SPDX-License-Identifier: GPL-2.0-only
/*
 * What makes precise samples, see sampler_kinds.h. Bits are as in AMD's manuals. Intel's
 * processors reload a counter from 31 bits, and record its next event after an overflow.
 */
#include "registers/sampler_kinds.h"

#include <stddef.h>

/* Periods of IBS are in units of 16; for ops some processors have more bits. */
#define IBS_STEP 16
#define IBS_PERIOD 0xffffull
#define IBS_OP_MORE (0x7full << 20)
#define IBS_OP_MORE_SHIFT 4

static const struct sampler_kind kinds[] = {
	[SAMPLER_IBS_OP] = { "ibs_op", "IBSOPCTL", 1ull << 17, 0x90, IBS_STEP,
			     0 },
	[SAMPLER_IBS_FETCH] = { "ibs_fetch", "IBSFETCHCTL", 1ull << 48, 0x10,
				IBS_STEP, 0 },
	[SAMPLER_PEBS] = { "pebs", "PEBS_ENABLE", 0, 3, 1, 1 },
};

#define PEBS_LONGEST (1ull << 31)

const struct sampler_kind *sampler_kind(enum event_sampler sampler)
{
	return sampler == SAMPLER_COUNTER ? NULL : &kinds[sampler];
}

uint64_t sampler_longest(enum event_sampler sampler, const struct reg *pmc)
{
	uint64_t most = IBS_PERIOD;

	if (sampler == SAMPLER_PEBS)
		return PEBS_LONGEST;
	if (sampler == SAMPLER_IBS_OP && !(pmc->reserved & IBS_OP_MORE))
		most |= IBS_OP_MORE >> IBS_OP_MORE_SHIFT;
	return most * IBS_STEP;
}

uint64_t sampler_with_period(uint64_t control, uint64_t period)
{
	uint64_t units = period / IBS_STEP;

	control &= ~(IBS_PERIOD | IBS_OP_MORE);
	return control | (units & IBS_PERIOD) |
	       (units << IBS_OP_MORE_SHIFT & IBS_OP_MORE);
}
