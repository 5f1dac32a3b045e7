// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events to counters, see assign.h.
 *
 * libpfm assigns the events that it knows by name. Those that are values of an event
 * select register, raw or by another name, get the registers that remain (values.c).
 */
#include "registers/assign.h"

#include <stdlib.h>
#include <string.h>

#include "registers/available.h"
#include "diag.h"
#include "events/selector.h"
#include "events/tables.h"
#include "registers/samplers.h"
#include "registers/values.h"

/* Input and output of libpfm; too large for a stack. */
struct dispatch {
	pfmlib_input_param_t in;
	union modifiers_input model_in;
	pfmlib_output_param_t out;
};

/* Not for libpfm. */
static bool is_raw(const struct event *event)
{
	return event->by_value || event->sampler;
}

/*
 * The named events from first to before end of the list, without the registers that the
 * plan has already. Returns a PFMLIB_ERR_*;
 * without such events nothing is dispatched.
 */
static int dispatch(struct dispatch *d, const struct plan *plan,
		    const struct event_list *list, int first, int end,
		    const struct available *regs)
{
	unsigned int count = 0;
	bool any = false;

	memset(d, 0, sizeof(*d));
	for (int i = first; i < end; i++) {
		const struct event *event = &list->events[i];

		if (is_raw(event))
			continue;
		if (modifiers_any(&event->modifiers)) {
			any = true;
			if (!modifiers_add(&d->model_in, tables_type(), count,
					   &event->modifiers))
				return PFMLIB_ERR_FEATCOMB;
		}
		d->in.pfp_events[count++] = event->found;
	}
	if (!count)
		return PFMLIB_SUCCESS;
	d->in.pfp_event_count = count;
	d->in.pfp_dfl_plm = PFM_PLM3;
	d->in.pfp_unavail_pmcs = available_not(regs);
	for (int i = 0; i < plan->pmc_count; i++)
		pfm_regmask_set(&d->in.pfp_unavail_pmcs, plan->pmcs[i].reg_num);
	if (regs->map->of_a_kind)
		d->in.pfp_flags = PFMLIB_PFP_SYSTEMWIDE;
	return pfm_dispatch_events(&d->in, any ? &d->model_in : NULL, &d->out,
				   NULL);
}

/* Whether a counter can count the event with one of its unit masks alone. */
static bool has_counter_for_one_mask(struct dispatch *d)
{
	pfmlib_event_t *event = d->in.pfp_events;

	if (event->num_masks < 2)
		return false;
	event->num_masks = 1;
	return pfm_dispatch_events(&d->in, NULL, &d->out, NULL) ==
	       PFMLIB_SUCCESS;
}

/* Finds the event that libpfm refuses, and prints the reason. */
static int explain(struct dispatch *d, const struct plan *plan,
		   const struct event_list *list, const struct available *regs)
{
	const struct event *event;
	int last = 1, error;

	while (dispatch(d, plan, list, 0, last, regs) == PFMLIB_SUCCESS)
		last++;
	event = &list->events[last - 1];
	error = dispatch(d, plan, list, last - 1, last, regs);
	if (error == PFMLIB_ERR_NOASSIGN && has_counter_for_one_mask(d))
		return diag(
			"event %s: its unit masks cannot be counted together; count each as an event",
			event->name);
	switch (error) {
	case PFMLIB_SUCCESS:
		return diag(
			"event %s: too many events, the counters that can count it are taken; %s has %d counters, count fewer events at once",
			event->name, regs->map->model,
			available_counters(regs));
	case PFMLIB_ERR_NOASSIGN:
		return diag(
			"event %s: no counter of %s that is available can count it; choose another event",
			event->name, regs->map->model);
	case PFMLIB_ERR_FEATCOMB:
		return diag(
			"event %s: %s cannot count it with these unit masks or modifiers; choose others",
			event->name, tables_pmu());
	default:
		return diag("event %s: %s", event->name, pfm_strerror(error));
	}
}

/*
 * Bits that the event needs and the event select register reserves. Where enable
 * and interrupt are reserved, the kernel sets them.
 */
static int check_reserved(const struct plan *plan,
			  const struct event_list *list,
			  const struct available *regs)
{
	for (int i = 0; i < plan->pmc_count; i++) {
		const struct pfarg_pmr *pmc = &plan->pmcs[i];
		const struct reg *reg = &regs->map->pmc[pmc->reg_num];
		uint64_t refused = (pmc->reg_value ^ reg->fixed_to) &
				   reg->reserved & ~(SEL_ENABLE | SEL_INT);

		if (refused && available_is_selector(regs, pmc->reg_num))
			return diag(
				"event %s: selector bits 0x%llx are reserved on %s; choose another value",
				list->events[plan->pmc_event[i]].name,
				(unsigned long long)refused, regs->map->model);
	}
	return 0;
}

/* Where libpfm's output belongs: its events are the named ones of the list. */
struct owners {
	int event[COUNTERS_MAX];
	int count;
	int escrs; /* so many were seen */
};

/*
 * The event that a PMC belongs to. Most have the number of their counter. On
 * the Pentium 4 each event has an ESCR and then a CCCR, in the order of the
 * events. A PMC that several events share belongs to the first.
 */
static int owner_of(struct owners *owners, const struct plan *plan,
		    const struct reg *reg, unsigned int pmc)
{
	if (strstr(reg->name, "_ESCR"))
		owners->escrs++;
	if (owners->escrs &&
	    (strstr(reg->name, "_ESCR") || strstr(reg->name, "_CCCR")))
		return owners->event[owners->escrs - 1];
	for (int i = 0; i < owners->count; i++) {
		if (plan->pmds[owners->event[i]].reg_num == pmc)
			return owners->event[i];
	}
	/* A counter that is merged into the one before it. */
	for (int i = 0; i < owners->count; i++) {
		if (plan->pmds[owners->event[i]].reg_num + 1u == pmc)
			return owners->event[i];
	}
	return owners->event[0];
}

static int take_output(struct plan *plan, struct owners *owners,
		       const pfmlib_output_param_t *out,
		       const struct regmap *map)
{
	for (int i = 0; i < owners->count; i++)
		plan->pmds[owners->event[i]].reg_num =
			(__u16)out->pfp_pmds[i].reg_num;
	for (unsigned int i = owners->count; i < out->pfp_pmd_count; i++)
		plan_add_merged(plan, out->pfp_pmds[i].reg_num);
	for (unsigned int i = 0; i < out->pfp_pmc_count; i++) {
		const pfmlib_reg_t *pmc = &out->pfp_pmcs[i];
		int event = owner_of(owners, plan, &map->pmc[pmc->reg_num],
				     pmc->reg_num);

		if (plan_add_pmc(plan, pmc->reg_num, pmc->reg_value, event))
			return -1;
		if (!plan->selectors[event])
			plan->selectors[event] = pmc->reg_value;
	}
	/* Fixed counters: one register controls them all. */
	for (int i = 0; i < owners->count; i++) {
		uint64_t *selector = &plan->selectors[owners->event[i]];

		if (!*selector && out->pfp_pmc_count)
			*selector = out->pfp_pmcs[0].reg_value;
	}
	return 0;
}

static int assign_named(struct plan *plan, const struct event_list *list,
			const struct available *regs)
{
	struct dispatch *d = malloc(sizeof(*d));
	struct owners owners = { .count = 0 };
	int ret;

	if (!d)
		return diag("out of memory");
	for (int i = 0; i < list->count; i++) {
		if (!is_raw(&list->events[i]))
			owners.event[owners.count++] = i;
	}
	if (dispatch(d, plan, list, 0, list->count, regs) == PFMLIB_SUCCESS)
		ret = take_output(plan, &owners, &d->out, regs->map);
	else
		ret = explain(d, plan, list, regs);
	free(d);
	return ret;
}

/*
 * The P6 and its like: the enable bit of the first selector enables all
 * counters, the others have none. If no event uses the first it is written for
 * that bit alone.
 */
static int add_shared_enable(struct plan *plan, const struct available *regs)
{
	bool missing = false;

	for (int i = 0; i < plan->pmc_count; i++) {
		unsigned int pmc = plan->pmcs[i].reg_num;

		if (pmc == 0)
			return 0;
		if (available_is_selector(regs, pmc) &&
		    regs->map->pmc[pmc].reserved & SEL_ENABLE)
			missing = true;
	}
	return missing ? plan_add_pmc(plan, 0, SEL_ENABLE, plan->pmc_event[0]) :
			 0;
}

int assign_events(struct plan *plan, const struct event_list *list,
		  const struct regmap *map, const struct pfarg_setinfo *info)
{
	const struct available regs = { .map = map, .info = info };
	int counters = available_counters(&regs);
	int wanted = list->count - samplers_count(list);

	memset(plan, 0, sizeof(*plan));
	if (!counters && wanted)
		return diag(
			"no counters: pfmon cannot use those of %s, or all are taken",
			map->model);
	if (wanted > counters || list->count > COUNTERS_MAX)
		return diag(
			"too many events: %d given, %s has %d counters; count fewer at once",
			wanted, map->model, counters);
	plan->event_count = list->count;
	plan->pmd_count = list->count;
	if (samplers_assign(plan, list, &regs) ||
	    assign_named(plan, list, &regs) ||
	    values_assign(plan, list, &regs) ||
	    add_shared_enable(plan, &regs) || check_reserved(plan, list, &regs))
		return -1;
	return 0;
}
