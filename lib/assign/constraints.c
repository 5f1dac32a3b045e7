// SPDX-License-Identifier: MIT
/* Looks up the counters of an event, see constraints.h. */
#include "constraints.h"

#define ALL_COUNTERS (~0ULL)
#define LOW_BYTE 0xff
#define LOWER_HALF 0x0f
#define UPPER_HALF 0xf0

static bool is_for(const struct pfmlib_constraint *rule, unsigned int select,
		   unsigned int umask)
{
	if (rule->which == ANY_HIGH)
		select &= LOW_BYTE;
	if (select < rule->first || select > rule->last)
		return false;
	switch ((enum pfmlib_constraint_umask)rule->which) {
	case IS:
		return umask == rule->umask;
	case HAS:
		return (umask & rule->umask) == rule->umask;
	case SEVERAL:
		return umask & (umask - 1);
	case BOTH_HALVES:
		return umask & LOWER_HALF && umask & UPPER_HALF;
	case ANY:
	case ANY_HIGH:
		break;
	}
	return true;
}

static const struct pfmlib_constraints *rules_of(const struct pfmlib_pmu *pmu)
{
	int type = pmu->model->type;
	unsigned int number = type == PFMLIB_AMD64_PMU ? pmu->cpu.family :
							 pmu->cpu.model;
	const struct pfmlib_constraints *rules = pfmlib_constraints;

	while (rules->type != PFMLIB_UNKNOWN_PMU &&
	       (rules->type != type ||
		(rules->number && rules->number != number)))
		rules++;
	return rules;
}

uint64_t pfmlib_constraint_counters(const struct pfmlib_pmu *pmu,
				    unsigned int select, unsigned int umask)
{
	const struct pfmlib_constraints *rules = rules_of(pmu);
	unsigned int i;

	for (i = 0; i < rules->num_rules; i++)
		if (is_for(&rules->rules[i], select, umask))
			return rules->rules[i].counters;
	return ALL_COUNTERS;
}
