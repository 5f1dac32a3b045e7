// SPDX-License-Identifier: GPL-2.0-only
/* Estimates from sets that take turns, see estimate.h. */
#include "engine/estimate.h"

struct estimate estimate_make(uint64_t counted, uint64_t part, uint64_t whole,
			      unsigned int most)
{
	struct estimate estimate = { .counted = counted, .low = counted };
	uint64_t unseen = whole > part ? whole - part : 0;

	estimate.bounded = !unseen || most;
	estimate.high = counted + unseen * most;
	if (!whole || (!part && !counted)) {
		/* Nothing has happened, or nothing of it was seen. */
		estimate.seen = whole ? 0 : 1;
		estimate.value = counted;
		return estimate;
	}
	estimate.seen = unseen ? (double)part / (double)whole : 1;
	estimate.value = counted;
	if (unseen && part)
		estimate.value =
			(uint64_t)((long double)counted / part * whole + 0.5L);
	return estimate;
}

bool estimate_is_exact(const struct estimate *estimate)
{
	return estimate_is_seen(estimate) && estimate->bounded &&
	       estimate->low == estimate->high;
}

bool estimate_is_seen(const struct estimate *estimate)
{
	return estimate->seen > 0;
}
