/* SPDX-License-Identifier: GPL-2.0-only */
/* What makes precise samples: its registers by name, and the periods that it can have. */
#ifndef PFMON_SAMPLER_KINDS_H
#define PFMON_SAMPLER_KINDS_H

#include <stdint.h>

#include "events/sampler.h"
#include "registers/regmap.h"

struct sampler_kind {
	const char *name; /* in reports and files */
	const char *
		reg; /* name of the PMC, and of the PMD of a unit that overflows */
	uint64_t enable; /* bit of the PMC */
	uint64_t least; /* shortest period */
	uint64_t step; /* periods are multiples of this */
	/* Events of a period behind the overflow; the sample is at the last one. */
	unsigned int after;
};

/* NULL: a counter samples. */
const struct sampler_kind *sampler_kind(enum event_sampler sampler);

/* The longest period by what the PMC has room for. */
uint64_t sampler_longest(enum event_sampler sampler, const struct reg *pmc);

/* The value of the PMC of a unit with another period. */
uint64_t sampler_with_period(uint64_t control, uint64_t period);

#endif /* PFMON_SAMPLER_KINDS_H */
