// SPDX-License-Identifier: GPL-2.0-only
/*
 * Precise event-based sampling (PEBS), see pebs.h.
 *
 * Only counters that have a selector of their own make records. So libpfm says which
 * selector an event has, and the event is assigned by that (registers/samplers.c).
 */
#include "events/pebs.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "events/loads.h"
#include "events/selector.h"
#include "events/tables.h"

/* Instructions, which all of these processors record. The tables say so of one mask. */
#define CODE_INSTRUCTIONS 0x00c0
#define CODE_ONE_MASK 0x01c0

#define SEL_CODE 0xffffull
/*
 * Cycles in which less than 16 instructions retire are all cycles. Linux samples them so,
 * too (events/intel/core.c).
 */
#define CYCLES(code) ((code) | SEL_INVERT | 16ull << SEL_CMASK_SHIFT)
#define CYCLES_NAME "cpu/event=0xc0,inv=1,cmask=0x10/"
/* By micro-operations, from Sandy Bridge to Broadwell. */
#define CODE_UOPS 0x01c2
#define CYCLES_OF_UOPS_NAME "cpu/event=0xc2,umask=0x1,inv=1,cmask=0x10/"
/* The shortest period of Nehalem and Haswell, with the event behind the overflow. */
#define ERRATUM_LEAST 33

/* Loads that take long are rarer than all loads: some thousand a second are usual. */
#define LATENCY_PERIOD 10007
/* The shortest period of counters of Golden Cove that spread samples. */
#define SPREAD_LEAST 128

/* And what counts the same where samples are spread evenly. */
#define SPREAD_NAME "cpu/event=0xc0,umask=0x1/"
#define CYCLES_SPREAD_NAME "cpu/event=0xc0,umask=0x1,inv=1,cmask=0x10/"

/* Registers by their numbers in libpfm, beside the selectors. */
#define PMC_FIXED_CONTROL 16
#define PMC_PEBS_ENABLE 17
#define PMC_LATENCY 18
#define PMC_FRONTEND 32

/* Input and output of libpfm; too large for a stack. */
struct encoding {
	pfmlib_input_param_t in;
	pfmlib_nhm_input_param_t model_in;
	pfmlib_output_param_t out;
};

/*
 * The unit masks that make records, of a code and of all events that have it; those that
 * are in the wanted one together. -1: one of them is the wanted one.
 */
static int masks_of(unsigned int number, unsigned int wanted)
{
	pfmlib_event_t event = { .event = number, .num_masks = 1 };
	unsigned int count = 0, code, all = 0;

	pfm_get_num_event_masks(number, &count);
	for (unsigned int i = 0; i < count; i++) {
		event.unit_masks[0] = i;
		if (pfm_nhm_is_pebs(&event) != 1 ||
		    pfm_get_event_mask_code(number, i, &code) != PFMLIB_SUCCESS)
			continue;
		if ((uint8_t)code == wanted)
			return -1;
		if (!((uint8_t)code & ~wanted))
			all |= (uint8_t)code;
	}
	return (int)all;
}

/* Whether the model has an event with records by this code and unit mask. */
static bool makes_records(uint64_t selector)
{
	unsigned int count = 0, wanted = SEL_UMASK(selector), all = 0;
	int code, masks;

	pfm_get_num_events(&count);
	for (unsigned int i = 0; i < count; i++) {
		if (pfm_get_event_code(i, &code) != PFMLIB_SUCCESS ||
		    (uint8_t)code != SEL_EVENT(selector))
			continue;
		masks = masks_of(i, wanted);
		if (masks < 0)
			return true;
		all |= (unsigned int)masks;
	}
	return all && all == wanted;
}

/* Whether counters make records of all events, as since Ice Lake. */
static bool records_all(void)
{
	switch (tables_type()) {
	case PFMLIB_INTEL_ICL_PMU:
	case PFMLIB_INTEL_SPR_PMU:
	case PFMLIB_INTEL_GLC_PMU:
	case PFMLIB_INTEL_RWC_PMU:
		return true;
	default:
		return false;
	}
}

static bool can_sample(const struct event *event)
{
	const uint64_t selector = event->selector;

	if (selector & SEL_ANY_THREAD)
		return false;
	/* Only a fixed counter has event 0. */
	if (records_all())
		return SEL_EVENT(selector) != 0;
	return (selector & SEL_CODE) == CODE_INSTRUCTIONS ||
	       event->coding.kind == CODING_LATENCY || makes_records(selector);
}

/* What libpfm writes to its registers becomes the selector and what qualifies it. */
static int take_output(struct event *event, const pfmlib_output_param_t *out)
{
	for (unsigned int i = 0; i < out->pfp_pmc_count; i++) {
		const pfmlib_reg_t *pmc = &out->pfp_pmcs[i];

		if (pmc->reg_num == out->pfp_pmds[0].reg_num) {
			event->selector = pmc->reg_value;
		} else if (pmc->reg_num == PMC_LATENCY) {
			event->coding.kind = CODING_LATENCY;
			event->coding.value = pmc->reg_value;
		} else if (pmc->reg_num == PMC_FRONTEND) {
			event->coding.kind = CODING_FRONTEND;
			event->coding.value = pmc->reg_value;
		} else if (pmc->reg_num != PMC_PEBS_ENABLE) {
			return -1;
		}
	}
	event->selector |= SEL_ENABLE | SEL_INT;
	return 0;
}

/* The selector of an event that libpfm knows by name. -1 after a message. */
static int encode(struct event *event)
{
	struct encoding *encoding = calloc(1, sizeof(*encoding));
	int ret;

	if (!encoding)
		return diag("out of memory");
	encoding->in.pfp_event_count = 1;
	encoding->in.pfp_events[0] = event->found;
	encoding->in.pfp_dfl_plm = PFM_PLM3;
	/* Not a fixed counter. */
	pfm_regmask_set(&encoding->in.pfp_unavail_pmcs, PMC_FIXED_CONTROL);
	encoding->model_in.pfp_nhm_pebs.pebs_used = 1;
	encoding->model_in.pfp_nhm_pebs.ld_lat_thres = loads_latency();
	ret = pfm_dispatch_events(&encoding->in, &encoding->model_in,
				  &encoding->out, NULL);
	if (ret == PFMLIB_SUCCESS)
		ret = take_output(event, &encoding->out);
	free(encoding);
	return ret;
}

static int take_selector(struct event *event, uint64_t selector,
			 const char *name)
{
	free(event->full_name);
	event->full_name = strdup(name);
	event->selector = selector | SEL_ENABLE | SEL_INT |
			  (event->levels & LEVEL_USER ? SEL_USR : 0) |
			  (event->levels & LEVEL_KERNEL ? SEL_OS : 0);
	return event->full_name ? 0 : diag("out of memory");
}

/*
 * Cycles, which no counter with records counts by that name: of the instructions, or of
 * their micro-operations. 0: Linux has no selector for them on this processor.
 */
static uint64_t code_of_cycles(void)
{
	switch (tables_type()) {
	case PFMLIB_INTEL_NHM_PMU:
	case PFMLIB_INTEL_WSM_PMU:
	case PFMLIB_INTEL_SKL_PMU:
		return CODE_INSTRUCTIONS;
	case PFMLIB_INTEL_SNB_PMU:
	case PFMLIB_INTEL_IVB_PMU:
	case PFMLIB_INTEL_HSW_PMU:
	case PFMLIB_INTEL_BDW_PMU:
		return CODE_UOPS;
	default:
		return 0;
	}
}

/* Whether records have the next instruction and not the sampled one, as of format 1. */
static bool records_the_next(void)
{
	switch (tables_type()) {
	case PFMLIB_INTEL_NHM_PMU:
	case PFMLIB_INTEL_WSM_PMU:
	case PFMLIB_INTEL_SNB_PMU:
	case PFMLIB_INTEL_IVB_PMU:
		return true;
	default:
		return false;
	}
}

/* What PEBS cannot do. -1 after a message. */
static int check(const struct event *event)
{
	if (!records_all() && !makes_records(CODE_ONE_MASK) &&
	    !makes_records(CODE_INSTRUCTIONS))
		return diag(
			"event %s: pfmon has no precise samples (p) of this processor; leave the p out",
			event->name);
	if (event->modifiers.precise > 1 && records_the_next())
		return diag(
			"event %s: this processor records the instruction after the sampled one; write p",
			event->name);
	if (modifiers_any(&event->modifiers))
		return diag(
			"event %s: precise samples have no modifiers but u, k and p; leave the others out",
			event->name);
	return 0;
}

/* The selector that a counter with records has for it. -1 after a message. */
static int choose_selector(struct event *event)
{
	bool cycles = event->meaning == MEANS_CYCLES;

	if (cycles && code_of_cycles())
		return take_selector(event, CYCLES(code_of_cycles()),
				     code_of_cycles() == CODE_UOPS ?
					     CYCLES_OF_UOPS_NAME :
					     CYCLES_NAME);
	if ((!cycles || records_all()) && (event->by_value || !encode(event)) &&
	    can_sample(event))
		return 0;
	return diag(
		"event %s: has no precise samples on this processor; instructions:p and branches:p have",
		event->name);
}

/* With another selector, which counter 1 alone has. */
static int spread_by_mask(struct event *event)
{
	event->sampler_counters = 1u << 1;
	if (event->meaning == MEANS_CYCLES)
		return take_selector(event, CYCLES(CODE_ONE_MASK),
				     CYCLES_SPREAD_NAME);
	if ((event->selector & SEL_CODE) != CODE_INSTRUCTIONS)
		return -1;
	return take_selector(event, CODE_ONE_MASK, SPREAD_NAME);
}

/*
 * A counter whose samples do not gather at some instructions, as Linux chooses it: ppp. 0,
 * or -1: there is none for the event.
 */
static int spread(struct event *event)
{
	switch (tables_type()) {
	case PFMLIB_INTEL_HSW_PMU:
	case PFMLIB_INTEL_BDW_PMU:
	case PFMLIB_INTEL_SKL_PMU:
		return spread_by_mask(event);
	case PFMLIB_INTEL_SPR_PMU:
	case PFMLIB_INTEL_GLC_PMU:
	case PFMLIB_INTEL_RWC_PMU:
		event->sampler_counters = 1u << 0;
		break;
	case PFMLIB_INTEL_ICL_PMU:
		event->sampler_counters = 0;
		break;
	default:
		return -1;
	}
	/* The first fixed counter has them. */
	if ((event->selector & SEL_CODE) == CODE_INSTRUCTIONS &&
	    event->meaning == MEANS_INSTRUCTIONS) {
		event->coding.fixed = 1;
		return 0;
	}
	return event->sampler_counters ? 0 : -1;
}

static int choose_counters(struct event *event)
{
	event->coding.fixed = 0;
	event->sampler_counters = loads_counters(event);
	if (event->modifiers.precise < 3 || !spread(event))
		return 0;
	return diag(
		"event %s: no counter of this processor spreads its samples evenly (ppp); write pp, or instructions:ppp",
		event->name);
}

/* Errata have a limit, and so have the counters that spread samples evenly. */
static uint64_t least_period(const struct event *event)
{
	switch (tables_type()) {
	case PFMLIB_INTEL_NHM_PMU:
	case PFMLIB_INTEL_HSW_PMU:
		return ERRATUM_LEAST;
	case PFMLIB_INTEL_SPR_PMU:
	case PFMLIB_INTEL_GLC_PMU:
	case PFMLIB_INTEL_RWC_PMU:
		return event->modifiers.precise > 2 ? SPREAD_LEAST : 0;
	default:
		return 0;
	}
}

int pebs_choose(struct event *event)
{
	if (check(event) || choose_selector(event) || choose_counters(event))
		return -1;
	event->by_value = true;
	event->coding.selector = event->selector &
				 ~(SEL_USR | SEL_OS | SEL_ENABLE | SEL_INT);
	/* No other counter spreads them. */
	if (event->coding.fixed)
		event->coding.selector = 0;
	event->sampler_least = least_period(event);
	event->sampler = SAMPLER_PEBS;
	if (loads_access(event) == LOADS_LATENCY_OF_LOAD)
		event->sampler_usual = LATENCY_PERIOD;
	return 0;
}
