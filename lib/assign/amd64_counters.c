// SPDX-License-Identifier: MIT
/* Assigns AMD's events to counters, see amd64_counters.h. */
#include "amd64_counters.h"
#include "constraints.h"
#include "events/pfmlib_events.h"

#define FAMILY_17H 0x17 /* Zen */

#define ALL_COUNTERS ((1ULL << PMU_AMD64_MAX_COUNTERS) - 1)
#define EVEN_COUNTERS (0x5555555555555555ULL & ALL_COUNTERS)

/* SSE and AVX operations: more than 15 in a cycle. */
#define LARGE_INCREMENTS 0x003

/* The arguments of a search. */
struct search {
	const struct amd64_use *uses;
	unsigned int num_uses;
	unsigned int *counter;
	bool skips_those_without;
};

struct amd64_use pfmlib_amd64_use(const struct pfmlib_pmu *pmu,
				  unsigned int code, unsigned int umask)
{
	struct amd64_use use = {
		.counters = pfmlib_constraint_counters(pmu, code, umask),
		.is_pair = pmu->cpu.family >= FAMILY_17H &&
			   code == LARGE_INCREMENTS,
	};

	if (use.is_pair)
		use.counters &= EVEN_COUNTERS;
	return use;
}

uint64_t pfmlib_amd64_event_counters(const struct pfmlib_pmu *pmu,
				     unsigned int event)
{
	const struct pfmlib_event_desc *desc = &pmu->events[event];
	uint64_t counters = 0;
	unsigned int mask, code;

	if (pfmlib_default_mask(desc, &code))
		counters =
			pfmlib_amd64_use(pmu, desc->code, code & 0xff).counters;
	for (mask = 0; mask < desc->num_masks; mask++)
		counters |= pfmlib_amd64_use(pmu, desc->code,
					     desc->masks[mask].code & 0xff)
				    .counters;
	return counters;
}

/* Tries all counters for event i and the events after it. */
static bool find(const struct search *search, unsigned int i, uint64_t usable)
{
	const struct amd64_use *use = &search->uses[i];
	uint64_t left, taken;

	if (i == search->num_uses)
		return true;
	if (use->needs_none && search->skips_those_without)
		return find(search, i + 1, usable);
	for (left = use->counters & usable; left; left &= left - 1) {
		taken = left & -left;
		if (use->is_pair)
			taken |= taken << 1;
		if ((taken & usable) != taken)
			continue;
		search->counter[i] = (unsigned int)__builtin_ctzll(left);
		if (find(search, i + 1, usable & ~taken))
			return true;
	}
	return false;
}

bool pfmlib_amd64_assign(const struct amd64_use *uses, unsigned int num_uses,
			 uint64_t usable, unsigned int *counter)
{
	struct search search = {
		.uses = uses,
		.num_uses = num_uses,
		.counter = counter,
	};

	if (find(&search, 0, usable & ALL_COUNTERS))
		return true;
	search.skips_those_without = true;
	return find(&search, 0, usable & ALL_COUNTERS);
}
