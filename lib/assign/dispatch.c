// SPDX-License-Identifier: MIT
/*
 * pfm_dispatch_events() with the checks common to all models, and functions
 * common to their dispatchers (dispatch.h).
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "dispatch.h"
#include "events/pfmlib_events.h"

#define NO_EVENT (-1)

static int check_masks(const struct pfmlib_event_desc *desc,
		       const pfmlib_event_t *event)
{
	unsigned int i, code;
	int ret;

	if (event->num_masks > PFMLIB_MAX_MASKS_PER_EVENT)
		return PFMLIB_ERR_UMASK;
	ret = pfmlib_load_masks(desc);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	for (i = 0; i < event->num_masks; i++)
		if (event->unit_masks[i] >= desc->num_masks)
			return PFMLIB_ERR_UMASK;
	if (!event->num_masks && !pfmlib_default_mask(desc, &code))
		return PFMLIB_ERR_UMASK;
	return PFMLIB_SUCCESS;
}

static int check_input(const struct pfmlib_pmu *pmu,
		       const pfmlib_input_param_t *in)
{
	unsigned int i;
	int ret;

	if (!in->pfp_dfl_plm || in->pfp_event_count >= PFMLIB_MAX_PMCS)
		return PFMLIB_ERR_INVAL;
	if (in->pfp_event_count > pmu->num_counters)
		return PFMLIB_ERR_NOASSIGN;
	for (i = 0; i < in->pfp_event_count; i++) {
		if (in->pfp_events[i].event >= pmu->num_events)
			return PFMLIB_ERR_INVAL;
		ret = check_masks(&pmu->events[in->pfp_events[i].event],
				  &in->pfp_events[i]);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	if (in->pfp_dfl_plm & PFMLIB_PLM_MIDDLE)
		return PFMLIB_ERR_INVAL;
	return PFMLIB_SUCCESS;
}

static void report(const pfmlib_output_param_t *out)
{
	const pfmlib_reg_t *reg;
	unsigned int i;

	for (i = 0; i < out->pfp_pmc_count; i++) {
		reg = &out->pfp_pmcs[i];
		pfmlib_verbose("PMC%u (0x%llx) = 0x%llx\n", reg->reg_num,
			       reg->reg_addr, reg->reg_value);
	}
	for (i = 0; i < out->pfp_pmd_count; i++) {
		reg = &out->pfp_pmds[i];
		pfmlib_verbose("PMD%u (0x%llx)\n", reg->reg_num, reg->reg_addr);
	}
}

pfm_err_t pfm_dispatch_events(pfmlib_input_param_t *p, void *model_in,
			      pfmlib_output_param_t *q, void *model_out)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	const struct pfmlib_dispatch *dispatch;
	int ret;

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	dispatch = pmu->model->dispatch;
	if (!q || (!p && (!model_in || !dispatch->takes_model_in_alone)))
		return PFMLIB_ERR_INVAL;
	if (p) {
		ret = check_input(pmu, p);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	memset(q, 0, sizeof(*q));
	ret = dispatch->dispatch(pmu, p, model_in, q, model_out);
	if (ret == PFMLIB_SUCCESS)
		report(q);
	return ret;
}

unsigned int pfmlib_plm(const pfmlib_input_param_t *in, unsigned int i)
{
	unsigned int plm = in->pfp_events[i].plm;

	return plm ? plm : in->pfp_dfl_plm;
}

uint64_t pfmlib_plm_bits(const pfmlib_input_param_t *in, unsigned int i)
{
	unsigned int plm = pfmlib_plm(in, i);

	return (plm & PFM_PLM3 ? PFMLIB_SEL_USR : 0) |
	       (plm & PFM_PLM0 ? PFMLIB_SEL_OS : 0);
}

unsigned int pfmlib_mask_codes(const struct pfmlib_pmu *pmu,
			       const pfmlib_event_t *event)
{
	const struct pfmlib_event_desc *desc = &pmu->events[event->event];
	unsigned int codes = 0, i;

	if (!event->num_masks)
		pfmlib_default_mask(desc, &codes);
	for (i = 0; i < event->num_masks; i++)
		codes |= desc->masks[event->unit_masks[i]].code;
	return codes;
}

bool pfmlib_pmc_usable(const pfmlib_input_param_t *in, unsigned int pmc)
{
	unsigned int bits = __PFMLIB_REG_BV_BITS;

	return !(in->pfp_unavail_pmcs.bits[pmc / bits] >> (pmc % bits) & 1);
}

void pfmlib_emit_pmc(pfmlib_output_param_t *out, unsigned int num,
		     uint64_t value, unsigned int addr)
{
	pfmlib_reg_t *reg = &out->pfp_pmcs[out->pfp_pmc_count++];

	reg->reg_num = num;
	reg->reg_value = value;
	reg->reg_addr = addr;
	reg->reg_alt_addr = addr;
}

void pfmlib_emit_pmd(pfmlib_output_param_t *out, unsigned int num,
		     unsigned int addr, unsigned int alt_addr)
{
	pfmlib_reg_t *reg = &out->pfp_pmds[out->pfp_pmd_count++];

	reg->reg_num = num;
	reg->reg_addr = addr;
	reg->reg_alt_addr = alt_addr;
}

void pfmlib_mask_add_range(pfmlib_regmask_t *mask, unsigned int first,
			   unsigned int count)
{
	unsigned int bits = __PFMLIB_REG_BV_BITS;
	unsigned int bit;

	for (bit = first; bit < first + count; bit++)
		mask->bits[bit / bits] |= 1UL << (bit % bits);
}

unsigned int *pfmlib_find_event_bits(const struct pfmlib_pmu *pmu,
				     const struct pfmlib_event_bits *rows,
				     unsigned int num_rows)
{
	unsigned int *bits = calloc(pmu->num_events + 1, sizeof(*bits));
	unsigned int event, row;

	if (!bits)
		return NULL;
	/* Two events may have the same name, so check each of them. */
	for (event = 0; event < pmu->num_events; event++)
		for (row = 0; row < num_rows; row++)
			if (!strcasecmp(pmu->events[event].name,
					rows[row].event))
				bits[event] |= rows[row].bits;
	return bits;
}

static bool take_lowest(uint64_t allowed, uint64_t *used, unsigned int *counter)
{
	uint64_t unused = allowed & ~*used;

	if (!unused)
		return false;
	*counter = (unsigned int)__builtin_ctzll(unused);
	*used |= 1ULL << *counter;
	return true;
}

static bool has_one_bit(uint64_t bits)
{
	return bits && !(bits & (bits - 1));
}

bool pfmlib_assign_lowest(const uint64_t *allowed, unsigned int num_events,
			  unsigned int *counter)
{
	uint64_t used = 0;
	unsigned int i;

	for (i = 0; i < num_events; i++)
		if (has_one_bit(allowed[i]) &&
		    !take_lowest(allowed[i], &used, &counter[i]))
			return false;
	for (i = 0; i < num_events; i++)
		if (!has_one_bit(allowed[i]) &&
		    !take_lowest(allowed[i], &used, &counter[i]))
			return false;
	return true;
}

/*
 * The event of each counter so far, and the counters that were tried for this
 * event.
 */
struct matching {
	const uint64_t *allowed;
	int owner[PFMLIB_MATCH_COUNTERS];
	uint64_t tried;
};

/* Finds a counter for the event; moves other events if necessary. */
static bool find_counter(struct matching *match, int event)
{
	unsigned int counter;

	for (counter = 0; counter < PFMLIB_MATCH_COUNTERS; counter++) {
		if (!(match->allowed[event] & ~match->tried & 1ULL << counter))
			continue;
		match->tried |= 1ULL << counter;
		if (match->owner[counter] == NO_EVENT ||
		    find_counter(match, match->owner[counter])) {
			match->owner[counter] = event;
			return true;
		}
	}
	return false;
}

bool pfmlib_match_counters(const uint64_t *allowed, unsigned int num_events,
			   unsigned int *counter)
{
	struct matching match = { .allowed = allowed };
	unsigned int i;

	for (i = 0; i < PFMLIB_MATCH_COUNTERS; i++)
		match.owner[i] = NO_EVENT;
	for (i = 0; i < num_events; i++) {
		match.tried = 0;
		if (!find_counter(&match, (int)i))
			return false;
	}
	for (i = 0; i < PFMLIB_MATCH_COUNTERS; i++)
		if (match.owner[i] != NO_EVENT)
			counter[match.owner[i]] = i;
	return true;
}
