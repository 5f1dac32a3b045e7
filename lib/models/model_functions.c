// SPDX-License-Identifier: MIT
/*
 * The public functions that only some models have: whether an event can be
 * sampled precisely, or is counted outside the cores, and the meaning of a data
 * source.
 */
#include <string.h>

#include "assign/dispatch.h"
#include "events/pfmlib_events.h"
#include "pfmlib_models.h"

#include <perfmon/pfmlib_core.h>
#include <perfmon/pfmlib_intel_atom.h>
#include <perfmon/pfmlib_intel_nhm.h>

/* Data sources of load latency samples. */
static const char *const data_sources[] = {
	"L3 miss, its origin is unknown",
	"found in the L1 data cache",
	"found in a line fill buffer that was pending",
	"found in the L2 cache",
	"found in the L3 cache, no other core was asked",
	"found in the L3 cache, another core had it unmodified",
	"found in the L3 cache, another core had it modified",
	"reserved",
	"L3 miss, local address, another package sent an unmodified copy",
	"reserved",
	"L3 miss, found in local memory, the line is now shared",
	"L3 miss, found in remote memory, the line is now shared",
	"L3 miss, found in local memory, the line is now exclusive",
	"L3 miss, found in remote memory, the line is now exclusive",
	"reserved",
	"uncacheable memory",
};

static bool is_valid(const struct pfmlib_pmu *pmu, const pfmlib_event_t *e)
{
	unsigned int i;

	if (!e || e->event >= pmu->num_events ||
	    e->num_masks > PFMLIB_MAX_MASKS_PER_EVENT ||
	    pfmlib_load_masks(&pmu->events[e->event]) != PFMLIB_SUCCESS)
		return false;
	for (i = 0; i < e->num_masks; i++)
		if (e->unit_masks[i] >= pmu->events[e->event].num_masks)
			return false;
	return true;
}

/* For events of a type, whatever the current model is. */
static int is_precise(int type, const pfmlib_event_t *e)
{
	const struct pfmlib_pmu *pmu = pfmlib_model_events(type);

	return pmu && is_valid(pmu, e) &&
	       pmu->model->dispatch->is_precise(pmu, e);
}

int pfm_core_is_pebs(pfmlib_event_t *e)
{
	return is_precise(PFMLIB_CORE_PMU, e);
}

int pfm_intel_atom_has_pebs(pfmlib_event_t *e)
{
	return is_precise(PFMLIB_INTEL_ATOM_PMU, e);
}

int pfm_nhm_is_pebs(pfmlib_event_t *e)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	const struct pfmlib_dispatch *dispatch;

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!is_valid(pmu, e))
		return PFMLIB_ERR_INVAL;
	dispatch = pmu->model->dispatch;
	if (dispatch != &pfmlib_dispatch_nhm &&
	    dispatch != &pfmlib_dispatch_snb)
		return 0;
	return dispatch->is_precise(pmu, e);
}

int pfm_nhm_is_uncore(pfmlib_event_t *e)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return 0;
	if (!e || e->event >= pmu->num_events)
		return PFMLIB_ERR_INVAL;
	return !!(pmu->events[e->event].flags & PFMLIB_EV_UNCORE);
}

int pfm_nhm_data_src_desc(unsigned int val, char **desc)
{
	if (val >= ARRAY_SIZE(data_sources) || !desc)
		return PFMLIB_ERR_INVAL;
	*desc = strdup(data_sources[val]);
	return *desc ? PFMLIB_SUCCESS : PFMLIB_ERR_NOMEM;
}
