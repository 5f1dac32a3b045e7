// SPDX-License-Identifier: GPL-2.0-only
/* The registers of what makes precise samples, see samplers.h. */
#include "registers/samplers.h"

#include <string.h>

#include "diag.h"
#include "events/loads.h"
#include "events/selector.h"
#include "registers/sampler_kinds.h"
#include "registers/values.h"

/* Before this format of records a bit of its own lets a counter record the latency. */
#define FORMAT_GROUPS 4
#define LATENCY_SHIFT 32

#define FIRST_FIXED 16 /* PMD of the first fixed counter */

/* Any, as long as the one that is wanted is not known: the kernel checks it. */
#define PERIOD_ANY 0xffff0

int samplers_count(const struct event_list *list)
{
	int count = 0;

	for (int i = 0; i < list->count; i++)
		count += sampler_is_unit(list->events[i].sampler);
	return count;
}

bool samplers_any(const struct event_list *list)
{
	for (int i = 0; i < list->count; i++)
		if (list->events[i].sampler)
			return true;
	return false;
}

bool samplers_has_records(const struct event_list *list)
{
	for (int i = 0; i < list->count; i++)
		if (list->events[i].sampler == SAMPLER_PEBS)
			return true;
	return false;
}

int samplers_check_counted(const struct event_list *list)
{
	for (int i = 0; i < list->count; i++)
		if (list->events[i].sampler)
			return diag(
				"event %s: has precise samples and no count; use pfmon record, or leave the p out",
				list->events[i].name);
	return 0;
}

/* The number of a register by its name, -1: it is not there. */
static int find(const struct reg *regs, unsigned int count, const char *name)
{
	for (unsigned int i = 0; i < count; i++)
		if (regs[i].present && !strcmp(regs[i].name, name))
			return (int)i;
	return -1;
}

static bool is_taken(const struct plan *plan, unsigned int pmc)
{
	for (int i = 0; i < plan->pmc_count; i++)
		if (plan->pmcs[i].reg_num == pmc)
			return true;
	return false;
}

static int assign_unit(struct plan *plan, const struct event *event, int number,
		       const struct available *regs)
{
	const struct sampler_kind *kind = sampler_kind(event->sampler);
	uint64_t control = sampler_with_period(
		event->sampler_control | kind->enable, PERIOD_ANY);
	int pmc = find(regs->map->pmc, PFM_MAX_PMCS, kind->reg);
	int pmd = find(regs->map->pmd, PFM_MAX_PMDS, kind->reg);

	if (pmc < 0 || pmd < 0)
		return diag(
			"event %s: no precise samples: this processor has no IBS, or this kernel does not use it; leave the p out",
			event->name);
	if (!available_pmc(regs, (unsigned int)pmc) ||
	    !available_pmd(regs, (unsigned int)pmd))
		return diag("event %s: IBS has another user", event->name);
	if (is_taken(plan, (unsigned int)pmc))
		return diag(
			"event %s: another event has %s already, which samples one at a time",
			event->name, kind->name);
	if (control & regs->map->pmc[pmc].reserved)
		return diag("event %s: the IBS of this processor cannot do so",
			    event->name);
	plan->pmds[number].reg_num = (__u16)pmd;
	plan->selectors[number] = control;
	plan->longest[number] =
		sampler_longest(event->sampler, &regs->map->pmc[pmc]);
	if (plan_add_pmc(plan, (unsigned int)pmc, control, number))
		return -1;
	if (!(event->levels & LEVEL_KERNEL))
		plan->pmcs[plan->pmc_count - 1].reg_flags = PFM_REGFL_USER_ONLY;
	return 0;
}

/*
 * What has to be counted with loads on some processors, once: a counter of its own, whose
 * value is of no use.
 */
static int count_beside(struct plan *plan, const struct event *event,
			int number, const struct available *regs)
{
	const uint64_t levels = event->selector & (SEL_USR | SEL_OS);
	const struct event beside = { .name = event->name,
				      .selector = loads_beside() | levels |
						  SEL_ENABLE };

	if (!loads_beside() || plan->beside)
		return 0;
	plan->beside = true;
	return values_add_counter(plan, &beside, number, regs);
}

/* There is one register of it for all counters. */
static int record_latency(struct plan *plan, const struct event *event,
			  int number, const struct available *regs)
{
	int pmc = find(regs->map->pmc, PFM_MAX_PMCS, "LD_LAT");

	if (pmc < 0)
		return diag(
			"event %s: this processor or this kernel has no latency of loads",
			event->name);
	if (plan->latency.reg_value &&
	    plan->latency.reg_value != event->coding.value)
		return diag(
			"event %s: another event has another latency; sample them one after the other",
			event->name);
	plan->latency = (struct pfarg_pmr){ .reg_num = (__u16)pmc,
					    .reg_value = event->coding.value };
	if (regs->map->pebs_format < FORMAT_GROUPS)
		plan->records.reg_value |=
			1ull << (LATENCY_SHIFT + plan->pmds[number].reg_num);
	return count_beside(plan, event, number, regs);
}

/* Of a counter in the PMC; the one of the first fixed counter is 32. */
static uint64_t record_bit(unsigned int pmd)
{
	return 1ull << (pmd < FIRST_FIXED ? pmd : pmd - FIRST_FIXED + 32);
}

/*
 * One of the counters that make records. Their PMC is written later, with the period, so
 * that it is not among the others of the plan.
 */
static int assign_recorder(struct plan *plan, const struct event *event,
			   int number, const struct available *regs)
{
	const struct sampler_kind *kind = sampler_kind(event->sampler);
	int pmc = find(regs->map->pmc, PFM_MAX_PMCS, kind->reg);
	uint32_t makers;
	uint64_t record;

	if (pmc < 0)
		return diag(
			"event %s: no precise samples: this kernel uses no PEBS of this processor; leave the p out",
			event->name);
	if (!available_pmc(regs, (unsigned int)pmc))
		return diag("event %s: PEBS has another user", event->name);
	makers = (uint32_t)~regs->map->pmc[pmc].reserved &
		 event->sampler_counters;
	if (event->coding.fixed ?
		    values_assign_fixed(plan, event, number, regs) < 1 :
		    values_assign_on(plan, event, number, regs, makers))
		return -1;
	plan->longest[number] =
		sampler_longest(event->sampler, &regs->map->pmc[pmc]);
	record = record_bit(plan->pmds[number].reg_num);
	if (record & regs->map->pmc[pmc].reserved ||
	    (event->coding.fixed && regs->map->pebs_format < FORMAT_GROUPS))
		return diag(
			"event %s: its counter makes no records here; write pp",
			event->name);
	plan->records.reg_num = (__u16)pmc;
	plan->records.reg_value |= record;
	if (event->coding.kind == CODING_LATENCY)
		return record_latency(plan, event, number, regs);
	return 0;
}

int samplers_assign(struct plan *plan, const struct event_list *list,
		    const struct available *regs)
{
	for (int i = 0; i < list->count; i++) {
		const struct event *event = &list->events[i];
		bool unit = sampler_is_unit(event->sampler);

		if (event->sampler && (unit ? assign_unit : assign_recorder)(
					      plan, event, i, regs))
			return -1;
	}
	return 0;
}
