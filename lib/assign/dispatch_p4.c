// SPDX-License-Identifier: MIT
/*
 * The dispatcher of the Pentium 4: each event needs its own ESCR, and one of the counters
 * that this ESCR reaches.
 *
 * Programs expect a certain order: each event, in the order of the input, takes its first
 * free ESCR that reaches a free counter.  If that order fails, the search goes back and
 * tries other ESCRs.  The counters of a group are equal, so the first free one is taken.
 */
#include <stdlib.h>
#include <strings.h>

#include "dispatch_p4.h"
#include "events/tables.h"

#define WIDTH 40
#define NUM_PMCS 63

/* ESCRs that later models lack. */
#define PMC_IQ_ESCR0 16
#define PMC_IQ_ESCR1 48

#define ESCR_USR (1u << 2)
#define ESCR_OS (1u << 3)
#define ESCR_TAG_ENABLE (1u << 4)
#define ESCR_TAG_SHIFT 5
#define ESCR_MASK_SHIFT 9
#define ESCR_SELECT_SHIFT 25

/* Masks TAG0 to TAG3 come after the 16 masks with ESCR bits. */
#define EVENT_MASKS 0xffffu
#define TAG_MASKS_SHIFT 16
#define TAG_MASKS 0xfu

#define CCCR_ENABLE (1u << 12)
#define CCCR_SELECT_SHIFT 13
#define CCCR_ANY_THREAD (3u << 16)
#define CCCR_OVF_PMI_T0 (1u << 26)

/* Replay tagging. */
#define PMC_MATRIX_VERT 63
#define PMC_PEBS_ENABLE 64
#define MSR_MATRIX_VERT 0x3f2
#define MSR_PEBS_ENABLE 0x3f1
#define REPLAY_EVENT_MASKS 0x3u
#define REPLAY_FIRST_TAG 2
#define REPLAY_NUM_TAGS 9

static const struct {
	unsigned int enable;
	unsigned int matrix;
} replay_tags[REPLAY_NUM_TAGS] = {
	{ 0x01000001, 0x01 }, /* L1_LD_MISS */
	{ 0x01000002, 0x01 }, /* L2_LD_MISS */
	{ 0x01000004, 0x01 }, /* DTLB_LD_MISS */
	{ 0x01000004, 0x02 }, /* DTLB_ST_MISS */
	{ 0x01000004, 0x03 }, /* DTLB_ALL_MISS */
	{ 0x01018001, 0x10 }, /* BR_MSP */
	{ 0x01000200, 0x01 }, /* MOB_LD_REPLAY */
	{ 0x01000400, 0x01 }, /* SP_LD_RET */
	{ 0x01000400, 0x02 }, /* SP_ST_RET */
};

/* An assignment, complete or not.  Bits are PMC and PMD numbers. */
struct assignment {
	uint64_t usable_pmcs;
	uint64_t used_escrs;
	uint64_t used_counters;
	const struct p4_event *event[P4_NUM_COUNTERS];
	const struct p4_escr *escr[P4_NUM_COUNTERS];
	unsigned int counter[P4_NUM_COUNTERS];
};

static const struct p4_event *find_event(const char *name)
{
	unsigned int i;

	for (i = 0; i < P4_NUM_EVENTS; i++)
		if (!strcasecmp(pfmlib_p4_events[i].name, name))
			return &pfmlib_p4_events[i];
	return NULL;
}

static const struct p4_escr *find_escr(unsigned int pmc)
{
	unsigned int i = 0;

	while (pfmlib_p4_escrs[i].pmc != pmc)
		i++;
	return &pfmlib_p4_escrs[i];
}

static const struct p4_event *p4_event(const struct pfmlib_pmu *pmu,
				       unsigned int event)
{
	return ((const struct p4_event *const *)pmu->data)[event];
}

static int setup(struct pfmlib_pmu *pmu)
{
	const struct p4_event **events;
	unsigned int i;

	pfmlib_mask_add_range(&pmu->impl_pmcs, 0, NUM_PMCS);
	if (pmu->cpu.model > 2) {
		pfm_regmask_clr(&pmu->impl_pmcs, PMC_IQ_ESCR0);
		pfm_regmask_clr(&pmu->impl_pmcs, PMC_IQ_ESCR1);
	}
	pfmlib_mask_add_range(&pmu->impl_pmds, 0, P4_NUM_COUNTERS);
	pfmlib_mask_add_range(&pmu->impl_counters, 0, P4_NUM_COUNTERS);
	pmu->num_counters = P4_NUM_COUNTERS;
	pmu->width = WIDTH;

	events = calloc(pmu->num_events + 1, sizeof(*events));
	if (!events)
		return PFMLIB_ERR_NOMEM;
	for (i = 0; i < pmu->num_events; i++)
		events[i] = find_event(pmu->events[i].name);
	pmu->data = events;
	return PFMLIB_SUCCESS;
}

/* Takes an ESCR, and a counter that it reaches, for event number i. */
static bool take(struct assignment *a, unsigned int i,
		 const struct p4_escr *escr)
{
	const struct p4_group *group = &pfmlib_p4_groups[escr->group];
	unsigned int counter, c;

	if (!(a->usable_pmcs & ~a->used_escrs & 1ULL << escr->pmc))
		return false;
	for (c = 0; c < group->num_counters; c++) {
		counter = group->counters[c];
		if (a->used_counters & 1ULL << counter)
			continue;
		if (!(a->usable_pmcs &
		      1ULL << pfmlib_p4_counters[counter].cccr_pmc))
			continue;
		a->escr[i] = escr;
		a->counter[i] = counter;
		a->used_escrs |= 1ULL << escr->pmc;
		a->used_counters |= 1ULL << counter;
		return true;
	}
	return false;
}

static void give_back(struct assignment *a, unsigned int i)
{
	a->used_escrs &= ~(1ULL << a->escr[i]->pmc);
	a->used_counters &= ~(1ULL << a->counter[i]);
}

/* Assigns events number i to end - 1. */
static bool search(struct assignment *a, unsigned int i, unsigned int end)
{
	unsigned int e;

	if (i == end)
		return true;
	for (e = 0; e < a->event[i]->num_escrs; e++) {
		if (!take(a, i, find_escr(a->event[i]->escrs[e])))
			continue;
		if (search(a, i + 1, end))
			return true;
		give_back(a, i);
	}
	return false;
}

static int assign(const struct pfmlib_pmu *pmu, const pfmlib_input_param_t *in,
		  struct assignment *a)
{
	unsigned int i;

	for (i = 0; i < NUM_PMCS; i++)
		if (pfmlib_pmc_usable(in, i))
			a->usable_pmcs |= 1ULL << i;
	for (i = 0; i < in->pfp_event_count; i++) {
		a->event[i] = p4_event(pmu, in->pfp_events[i].event);
		if (!a->event[i])
			return PFMLIB_ERR_NOASSIGN;
		if (in->pfp_events[i].plm & PFMLIB_PLM_MIDDLE)
			return PFMLIB_ERR_INVAL;
		if (a->event[i]->flags & P4_INSTR_COMPLETED &&
		    !pfmlib_p4_has_instr_completed(&pmu->cpu))
			return PFMLIB_ERR_EVTINCOMP;
		if (search(a, i, i + 1))
			continue;
		a->used_escrs = 0;
		a->used_counters = 0;
		if (!search(a, 0, i + 1))
			return PFMLIB_ERR_NOASSIGN;
	}
	return PFMLIB_SUCCESS;
}

/* Adds the registers for replay tagging, if a mask needs them. */
static int add_replay_tags(const pfmlib_input_param_t *in, unsigned int codes,
			   pfmlib_output_param_t *out)
{
	unsigned int enable = 0, matrix = 0, i;

	for (i = 0; i < REPLAY_NUM_TAGS; i++)
		if (codes & 1u << (REPLAY_FIRST_TAG + i)) {
			enable |= replay_tags[i].enable;
			matrix |= replay_tags[i].matrix;
		}
	if (!enable)
		return PFMLIB_SUCCESS;
	if (!pfmlib_pmc_usable(in, PMC_PEBS_ENABLE) ||
	    !pfmlib_pmc_usable(in, PMC_MATRIX_VERT))
		return PFMLIB_ERR_NOASSIGN;
	pfmlib_emit_pmc(out, PMC_PEBS_ENABLE, enable, MSR_PEBS_ENABLE);
	pfmlib_emit_pmc(out, PMC_MATRIX_VERT, matrix, MSR_MATRIX_VERT);
	return PFMLIB_SUCCESS;
}

static uint64_t escr_value(const struct p4_event *event, unsigned int codes,
			   unsigned int plm)
{
	unsigned int masks = codes & EVENT_MASKS;
	unsigned int tags = codes >> TAG_MASKS_SHIFT & TAG_MASKS;

	if (event->flags & P4_REPLAY)
		masks &= REPLAY_EVENT_MASKS;
	return event->select << ESCR_SELECT_SHIFT | masks << ESCR_MASK_SHIFT |
	       tags << ESCR_TAG_SHIFT | (tags ? ESCR_TAG_ENABLE : 0) |
	       (plm & PFM_PLM0 ? ESCR_OS : 0) | (plm & PFM_PLM3 ? ESCR_USR : 0);
}

static uint64_t cccr_value(const struct p4_event *event)
{
	return CCCR_ENABLE | event->escr_select << CCCR_SELECT_SHIFT |
	       CCCR_ANY_THREAD | CCCR_OVF_PMI_T0;
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	struct assignment a = { .usable_pmcs = 0 };
	const struct p4_counter *counter;
	unsigned int codes, i;
	int ret;

	(void)model_in;
	(void)model_out;
	ret = assign(pmu, in, &a);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	for (i = 0; i < in->pfp_event_count; i++) {
		counter = &pfmlib_p4_counters[a.counter[i]];
		codes = pfmlib_mask_codes(pmu, &in->pfp_events[i]);
		if (a.event[i]->flags & P4_REPLAY) {
			ret = add_replay_tags(in, codes, out);
			if (ret != PFMLIB_SUCCESS)
				return ret;
		}
		pfmlib_emit_pmc(out, a.escr[i]->pmc,
				escr_value(a.event[i], codes,
					   pfmlib_plm(in, i)),
				a.escr[i]->msr);
		pfmlib_emit_pmc(out, counter->cccr_pmc, cccr_value(a.event[i]),
				counter->cccr_msr);
		/* The RDPMC numbers of the counters are in the order of their MSRs. */
		pfmlib_emit_pmd(out, a.counter[i], counter->msr,
				counter->msr - pfmlib_p4_counters[0].msr);
	}
	return PFMLIB_SUCCESS;
}

static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	const struct p4_event *desc = p4_event(pmu, event);
	const struct p4_group *group;
	unsigned int e, c;

	for (e = 0; desc && e < desc->num_escrs; e++) {
		group = &pfmlib_p4_groups[find_escr(desc->escrs[e])->group];
		for (c = 0; c < group->num_counters; c++)
			pfm_regmask_set(counters, group->counters[c]);
	}
}

const struct pfmlib_dispatch pfmlib_dispatch_p4 = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
};
