// SPDX-License-Identifier: GPL-2.0-only
/* How fast samples come, see pace.h. */
#include "record/pace.h"

#include "engine/clocks.h"

/* A few ms of too many. */
#define MANY 512
#define MOMENT PACE_STEP

/*
 * PACE_MAX of a moment. The kernel stops counters that have more than 125000 for a
 * tick, and one that was stopped has fewer altogether.
 */
#define MOMENT_MAX 150000

static void see(struct pace_span *span, uint64_t ns)
{
	uint64_t took = ns - span->mark;

	if (span->mark && took &&
	    (!span->shortest_ns || took < span->shortest_ns))
		span->shortest_ns = took;
	span->mark = ns;
}

void pace_see(struct pace *pace, uint64_t count, uint64_t ns)
{
	see(&pace->moment, ns);
	if (count % MANY == 0)
		see(&pace->many, ns);
}

static void join(struct pace_span *span, const struct pace_span *other)
{
	if (other->shortest_ns &&
	    (!span->shortest_ns || other->shortest_ns < span->shortest_ns))
		span->shortest_ns = other->shortest_ns;
}

void pace_join(struct pace *pace, const struct pace *other)
{
	join(&pace->many, &other->many);
	join(&pace->moment, &other->moment);
}

static uint64_t rate(const struct pace_span *span, uint64_t samples)
{
	return span->shortest_ns ? samples * NS_PER_S / span->shortest_ns : 0;
}

uint64_t pace_peak(const struct pace *pace)
{
	return rate(&pace->moment, MOMENT);
}

bool pace_is_too_fast(const struct pace *pace)
{
	return rate(&pace->many, MANY) > PACE_MAX ||
	       pace_peak(pace) > MOMENT_MAX;
}
