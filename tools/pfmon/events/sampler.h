/* SPDX-License-Identifier: GPL-2.0-only */
/* What can sample an event. */
#ifndef PFMON_SAMPLER_H
#define PFMON_SAMPLER_H

#include <stdbool.h>

/*
 * A counter that overflows names the instruction at which its interrupt was taken. The
 * others make records, which name the sampled instruction itself.
 */
enum event_sampler {
	SAMPLER_COUNTER,
	SAMPLER_IBS_OP, /* the op unit of AMD's instruction-based sampling */
	SAMPLER_IBS_FETCH,
	SAMPLER_PEBS, /* a counter of Intel that makes records */
};

/* Whether it is a unit of its own, so that the event needs no counter. */
static inline bool sampler_is_unit(enum event_sampler sampler)
{
	return sampler == SAMPLER_IBS_OP || sampler == SAMPLER_IBS_FETCH;
}

#endif /* PFMON_SAMPLER_H */
