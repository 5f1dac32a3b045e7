// SPDX-License-Identifier: GPL-2.0-only
/* Events that are values of an event select register, see values.h. */
#include "registers/values.h"

#include <string.h>

#include "diag.h"
#include "events/selector.h"
#include "events/tables.h"

/* Registers that qualify selectors, by their numbers in libpfm and in the kernel. */
#define PMC_FIXED_CONTROL 16
#define PMC_OFFCORE_0 19
#define PMC_OFFCORE_1 31
#define PMC_FRONTEND 32

#define FIRST_FIXED 16 /* PMD of the first fixed counter */
/* In the control of fixed counters: four bits each. */
#define FIXED_OS 0x1
#define FIXED_USER 0x2
#define FIXED_INT 0x8

/* Off-core events, and how the second of two is told from the first. */
#define CODE(selector) ((selector)&0xffff)
#define OFFCORE_SECOND 0x000c /* 0xb7 and 0xbb */
#define OFFCORE_SECOND_ATOM 0x0300 /* by the unit mask */
#define OFFCORE_NEW 0x012a /* the other one is 0x012b */
#define OFFCORE_SECOND_NEW 0x0001

int plan_add_pmc(struct plan *plan, unsigned int pmc, uint64_t value, int event)
{
	if (plan->pmc_count == CONTROLS_MAX)
		return diag("too many control registers; count fewer events");
	plan->pmcs[plan->pmc_count] = (struct pfarg_pmr){
		.reg_num = (__u16)pmc,
		.reg_value = value,
	};
	plan->pmc_event[plan->pmc_count++] = event;
	return 0;
}

void plan_add_merged(struct plan *plan, unsigned int pmd)
{
	plan->pmds[plan->pmd_count++].reg_num = (__u16)pmd;
}

/* The selectors that no event has yet, bit n for PMC n. */
static uint32_t free_selectors(const struct plan *plan,
			       const struct available *regs)
{
	uint32_t counters = 0;

	for (unsigned int i = 0; i < COUNTERS_MAX; i++) {
		if (available_is_selector(regs, i) && available_pmc(regs, i))
			counters |= 1u << i;
	}
	for (int i = 0; i < plan->pmc_count; i++) {
		if (plan->pmcs[i].reg_num < COUNTERS_MAX)
			counters &= ~(1u << plan->pmcs[i].reg_num);
	}
	return counters;
}

static int too_many(const struct event *event, const struct available *regs)
{
	return diag(
		"event %s: too many events, the counters that can count it are taken; %s has %d counters, count fewer events at once",
		event->name, regs->map->model, available_counters(regs));
}

/* A control register that the plan has already, NULL: it has not. */
static struct pfarg_pmr *find_pmc(struct plan *plan, unsigned int pmc)
{
	for (int i = 0; i < plan->pmc_count; i++)
		if (plan->pmcs[i].reg_num == pmc)
			return &plan->pmcs[i];
	return NULL;
}

/* Events share a register that qualifies them if it has the same value for all. */
static bool is_shared(struct plan *plan, const struct available *regs,
		      unsigned int pmc, uint64_t value)
{
	const struct pfarg_pmr *used = find_pmc(plan, pmc);

	return used ? used->reg_value == value : available_pmc(regs, pmc);
}

/* The event that has the second off-core register. */
static uint64_t second_offcore(uint64_t selector)
{
	const struct processor *processor = tables_processor();
	int type = tables_type();
	bool atom = type == PFMLIB_INTEL_SLM_PMU ||
		    type == PFMLIB_INTEL_GLM_PMU ||
		    type == PFMLIB_INTEL_TMT_PMU ||
		    type == PFMLIB_INTEL_KNL_PMU || processor->atom;

	if (CODE(selector) == OFFCORE_NEW)
		return selector ^ OFFCORE_SECOND_NEW;
	return selector ^ (atom ? OFFCORE_SECOND_ATOM : OFFCORE_SECOND);
}

/* Writes the register that qualifies an event, and says which selector goes with it. */
static int qualify(struct plan *plan, const struct event *event, int number,
		   const struct available *regs, uint64_t *selector)
{
	const struct coding *coding = &event->coding;
	unsigned int pmc = PMC_OFFCORE_0;

	/* Of the others records alone know a latency, see samplers.c. */
	if (coding->kind == CODING_PLAIN || coding->kind == CODING_LATENCY)
		return 0;
	if (coding->kind == CODING_FRONTEND)
		pmc = PMC_FRONTEND;
	else if (coding->kind == CODING_OFFCORE_1)
		pmc = PMC_OFFCORE_1;
	else if (coding->kind == CODING_OFFCORE &&
		 !is_shared(plan, regs, pmc, coding->value)) {
		pmc = PMC_OFFCORE_1;
		*selector = second_offcore(*selector);
	}
	if (!is_shared(plan, regs, pmc, coding->value))
		return diag(
			"event %s: the register that qualifies it is not there, or another event has it with another value; count them one after the other",
			event->name);
	if (find_pmc(plan, pmc))
		return 0;
	return plan_add_pmc(plan, pmc, coding->value, number);
}

static bool is_fixed(const struct available *regs, unsigned int pmd)
{
	return available_pmd(regs, pmd) &&
	       available_pmc(regs, PMC_FIXED_CONTROL) &&
	       !strncmp(regs->map->pmd[pmd].name, "FIXED_CTR", 9);
}

static bool has_pmd(const struct plan *plan, unsigned int pmd)
{
	for (int i = 0; i < plan->event_count; i++)
		if (plan->pmds[i].reg_num == pmd)
			return true;
	return false;
}

int values_assign_fixed(struct plan *plan, const struct event *event,
			int number, const struct available *regs)
{
	unsigned int place = event->coding.fixed - 1;
	unsigned int pmd = FIRST_FIXED + place;
	struct pfarg_pmr *control;
	uint64_t field;

	if (!event->coding.fixed)
		return 0;
	if (!is_fixed(regs, pmd) || has_pmd(plan, pmd)) {
		if (event->coding.selector)
			return 0;
		return is_fixed(regs, pmd) ?
			       too_many(event, regs) :
			       diag("event %s: no counter of %s that is available can count it; choose another event",
				    event->name, regs->map->model);
	}
	field = FIXED_INT | (event->levels & LEVEL_USER ? FIXED_USER : 0) |
		(event->levels & LEVEL_KERNEL ? FIXED_OS : 0);
	field <<= 4 * place;
	plan->pmds[number].reg_num = (__u16)pmd;
	plan->selectors[number] = field;
	control = find_pmc(plan, PMC_FIXED_CONTROL);
	if (control)
		control->reg_value |= field;
	else if (plan_add_pmc(plan, PMC_FIXED_CONTROL, field, number))
		return -1;
	return 1;
}

int values_assign_on(struct plan *plan, const struct event *event, int number,
		     const struct available *regs, uint32_t allowed)
{
	uint32_t usable = free_selectors(plan, regs) & allowed;
	uint64_t selector = event->selector;
	bool is_pair = tables_raw_is_pair(selector);
	unsigned int pmc;

	/* No counter counts a latency without records, so that libpfm knows none. */
	if (event->coding.kind != CODING_LATENCY)
		usable &= tables_raw_counters(selector) &
			  (is_pair ? usable >> 1 : UINT32_MAX);
	if (!usable)
		return too_many(event, regs);
	if (qualify(plan, event, number, regs, &selector))
		return -1;
	pmc = (unsigned int)__builtin_ctz(usable);
	plan->pmds[number].reg_num = (__u16)pmc;
	plan->selectors[number] = selector;
	if (plan_add_pmc(plan, pmc, selector, number))
		return -1;
	if (!is_pair)
		return 0;
	plan_add_merged(plan, pmc + 1);
	return plan_add_pmc(plan, pmc + 1, SEL_MERGE, number);
}

int values_add_counter(struct plan *plan, const struct event *event, int number,
		       const struct available *regs)
{
	uint32_t usable = free_selectors(plan, regs) &
			  tables_raw_counters(event->selector);
	unsigned int pmc;

	if (!usable)
		return too_many(event, regs);
	/* The others are left to events. */
	pmc = 31 - (unsigned int)__builtin_clz(usable);
	plan_add_merged(plan, pmc);
	return plan_add_pmc(plan, pmc, event->selector, number);
}

/* Values that so many counters can count, and that have none yet. */
static int assign_some(struct plan *plan, const struct event_list *list,
		       const struct available *regs, int choices,
		       const bool *done)
{
	for (int i = 0; i < list->count; i++) {
		const struct event *event = &list->events[i];

		if (!event->by_value || event->sampler || done[i] ||
		    __builtin_popcount(tables_raw_counters(event->selector)) !=
			    choices)
			continue;
		if (values_assign_on(plan, event, i, regs, UINT32_MAX))
			return -1;
	}
	return 0;
}

static bool has_selectors(const struct available *regs)
{
	for (unsigned int i = 0; i < COUNTERS_MAX; i++) {
		if (available_is_selector(regs, i))
			return true;
	}
	return false;
}

/* Of the others those with the least choice go first. */
int values_assign(struct plan *plan, const struct event_list *list,
		  const struct available *regs)
{
	bool done[COUNTERS_MAX] = { false };

	for (int i = 0; i < list->count; i++) {
		int ret;

		if (!list->events[i].by_value || list->events[i].sampler)
			continue;
		if (!has_selectors(regs))
			return diag(
				"event %s: %s has no event select registers; name the event",
				list->events[i].name, regs->map->model);
		ret = values_assign_fixed(plan, &list->events[i], i, regs);
		if (ret < 0)
			return -1;
		done[i] = ret;
	}
	for (int choices = 1; choices <= COUNTERS_MAX; choices++) {
		if (assign_some(plan, list, regs, choices, done))
			return -1;
	}
	return 0;
}
