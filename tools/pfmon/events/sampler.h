/* SPDX-License-Identifier: GPL-2.0-only */
/* What can sample an event. */
#ifndef PFMON_SAMPLER_H
#define PFMON_SAMPLER_H

/*
 * A counter that overflows names the instruction at which its interrupt was taken. The
 * others make records, which name the sampled instruction itself.
 */
enum event_sampler {
	SAMPLER_COUNTER,
	SAMPLER_IBS_OP, /* the op unit of AMD's instruction-based sampling */
	SAMPLER_IBS_FETCH,
};

#endif /* PFMON_SAMPLER_H */
