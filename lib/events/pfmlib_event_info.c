// SPDX-License-Identifier: MIT
/*
 * The public functions that return codes, counters and numbers of events, and the
 * encoder of dispatch_snb.c.
 */
#include <string.h>

#include "eventfiles/eventfiles.h"
#include "libpfm4.h"
#include "pfmlib_events.h"

/* For pfm_get_event_code_counter(): any counter. */
#define ANY_COUNTER ((unsigned int)-1)

pfm_err_t pfm_get_num_events(unsigned int *count)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!count)
		return PFMLIB_ERR_INVAL;
	*count = pmu->num_events;
	return PFMLIB_SUCCESS;
}

pfm_err_t pfm_get_num_event_masks(unsigned int event_idx, unsigned int *count)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	int ret;

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!count || event_idx >= pmu->num_events)
		return PFMLIB_ERR_INVAL;
	ret = pfmlib_load_masks(&pmu->events[event_idx]);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	*count = pmu->events[event_idx].num_masks;
	return PFMLIB_SUCCESS;
}

pfm_err_t pfm_get_event_code(unsigned int idx, int *code)
{
	return pfm_get_event_code_counter(idx, ANY_COUNTER, code);
}

static int counters_of(const struct pfmlib_pmu *pmu, unsigned int event,
		       pfmlib_regmask_t *counters)
{
	int ret = pfmlib_load_masks(&pmu->events[event]);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	memset(counters, 0, sizeof(*counters));
	pmu->model->dispatch->event_counters(pmu, event, counters);
	return PFMLIB_SUCCESS;
}

/* On the P4 an event has a code on its own counters only. */
static bool has_code_on(const struct pfmlib_pmu *pmu, unsigned int event,
			unsigned int counter)
{
	pfmlib_regmask_t counters = pmu->impl_counters;

	if (pmu->model->type == PFMLIB_PENTIUM4_PMU)
		counters_of(pmu, event, &counters);
	return pfm_regmask_isset(&counters, counter);
}

pfm_err_t pfm_get_event_code_counter(unsigned int idx, unsigned int cnt,
				     int *code)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!code || idx >= pmu->num_events)
		return PFMLIB_ERR_INVAL;
	if (cnt != ANY_COUNTER && !has_code_on(pmu, idx, cnt))
		return PFMLIB_ERR_INVAL;
	*code = (int)pmu->events[idx].code;
	return PFMLIB_SUCCESS;
}

pfm_err_t pfm_get_event_mask_code(unsigned int idx, unsigned int mask_idx,
				  unsigned int *code)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	int ret;

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!code || idx >= pmu->num_events)
		return PFMLIB_ERR_INVAL;
	ret = pfmlib_load_masks(&pmu->events[idx]);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	if (mask_idx >= pmu->events[idx].num_masks)
		return PFMLIB_ERR_INVAL;
	*code = pmu->events[idx].masks[mask_idx].code;
	return PFMLIB_SUCCESS;
}

pfm_err_t pfm_get_event_counters(unsigned int idx, pfmlib_regmask_t *counters)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!counters || idx >= pmu->num_events)
		return PFMLIB_ERR_INVAL;
	return counters_of(pmu, idx, counters);
}

static int error_of(int ret)
{
	switch (ret) {
	case LIBPFM4_NO_UMASK:
		return PFMLIB_ERR_UMASK;
	case LIBPFM4_NO_COMBINATION:
		return PFMLIB_ERR_FEATCOMB;
	case LIBPFM4_NO_MEMORY:
		return PFMLIB_ERR_NOMEM;
	default:
		return PFMLIB_ERR_NOTSUPP;
	}
}

static bool is_of_file(const struct pfmlib_pmu *pmu,
		       const pfmlib_event_t *event)
{
	const struct pfmlib_event_desc *desc = &pmu->events[event->event];

	if (!event->num_masks)
		return desc->row;
	for (unsigned int i = 0; i < event->num_masks; i++)
		if (desc->masks[event->unit_masks[i]].row)
			return true;
	return false;
}

/*
 * Encodes an event that libpfm4 does not know: an architectural one, or one of an event
 * file, which does not define combinations of two masks.
 */
static int encode_other(const struct pfmlib_pmu *pmu,
			const pfmlib_event_t *event, uint64_t values[2])
{
	const struct pfmlib_event_desc *desc = &pmu->events[event->event];
	const struct pfmlib_file_row *row = pfmlib_file_row(pmu, event);
	unsigned int mask = desc->default_code;

	if (event->num_masks > 1)
		return PFMLIB_ERR_FEATCOMB;
	if (!row && desc->num_masks)
		return PFMLIB_ERR_UMASK;
	if (!row) {
		values[0] = desc->code;
		return 1;
	}
	if (event->num_masks)
		mask = desc->masks[event->unit_masks[0]].code;
	values[0] = row->select | (uint64_t)mask << 8;
	values[1] = row->value;
	return row->extra == NONE ? 1 : 2;
}

bool pfmlib_default_mask(const struct pfmlib_event_desc *event,
			 unsigned int *code)
{
	uint64_t values[2];

	*code = event->default_code;
	if (!event->num_masks || event->flags & PFMLIB_EV_MASK_OPTIONAL)
		return true;
	*code = 0;
	if (!(event->flags & PFMLIB_EV_ASK_LIBPFM4) ||
	    pfmlib_libpfm4_encode(event->libpfm4, NULL, 0, true, true, values) <
		    1)
		return false;
	*code = (unsigned int)values[0] >> 8 & 0xff;
	return true;
}

int pfmlib_encode(const struct pfmlib_pmu *pmu, const pfmlib_event_t *event,
		  unsigned int plm, uint64_t values[2])
{
	const struct pfmlib_event_desc *desc = &pmu->events[event->event];
	unsigned int masks[PFMLIB_MAX_MASKS_PER_EVENT];
	int ret;

	if (desc->libpfm4 < 0 || is_of_file(pmu, event))
		return encode_other(pmu, event, values);
	for (unsigned int i = 0; i < event->num_masks; i++)
		masks[i] =
			(unsigned int)desc->masks[event->unit_masks[i]].libpfm4;
	ret = pfmlib_libpfm4_encode(desc->libpfm4, masks, event->num_masks,
				    plm & PFM_PLM3, plm & PFM_PLM0, values);
	return ret > 0 ? ret : error_of(ret);
}
