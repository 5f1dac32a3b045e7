// SPDX-License-Identifier: MIT
/* The public functions for names, in upper case, and descriptions of events. */
#include <stdlib.h>
#include <string.h>

#include "pfmlib_events.h"

/* Appends text to name, after its used characters; false if it does not fit. */
static bool append(char *name, size_t maxlen, size_t *used, const char *text)
{
	size_t len = strlen(text);

	if (len >= maxlen - *used)
		return false;
	for (size_t i = 0; i < len; i++)
		name[*used + i] = pfmlib_upper(text[i]);
	*used += len;
	name[*used] = '\0';
	return true;
}

pfm_err_t pfm_get_event_name(unsigned int idx, char *name, size_t maxlen)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	size_t used = 0;

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (idx >= pmu->num_events || !name || maxlen < 1 ||
	    !append(name, maxlen, &used, pmu->events[idx].name))
		return PFMLIB_ERR_INVAL;
	return PFMLIB_SUCCESS;
}

pfm_err_t pfm_get_event_mask_name(unsigned int event_idx, unsigned int mask_idx,
				  char *name, size_t maxlen)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	const struct pfmlib_event_desc *event;
	size_t used = 0;
	int ret;

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (event_idx >= pmu->num_events || !name || maxlen < 1)
		return PFMLIB_ERR_INVAL;
	event = &pmu->events[event_idx];
	ret = pfmlib_load_masks(event);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	if (!event->num_masks)
		return PFMLIB_ERR_NOTSUPP;
	if (mask_idx >= event->num_masks)
		return PFMLIB_ERR_INVAL;
	if (!append(name, maxlen, &used, event->masks[mask_idx].name))
		return PFMLIB_ERR_FULL;
	return PFMLIB_SUCCESS;
}

static pfm_err_t append_masks(const struct pfmlib_event_desc *event,
			      const pfmlib_event_t *e, char *name,
			      size_t maxlen, size_t used)
{
	for (unsigned int i = 0; i < e->num_masks; i++) {
		if (!append(name, maxlen, &used, ":") ||
		    !append(name, maxlen, &used,
			    event->masks[e->unit_masks[i]].name))
			return PFMLIB_ERR_FULL;
	}
	return PFMLIB_SUCCESS;
}

static bool has_valid_masks(const struct pfmlib_event_desc *event,
			    const pfmlib_event_t *e)
{
	unsigned int code;

	if (!e->num_masks)
		return pfmlib_default_mask(event, &code);
	if (e->num_masks > PFMLIB_MAX_MASKS_PER_EVENT)
		return false;
	for (unsigned int i = 0; i < e->num_masks; i++) {
		if (e->unit_masks[i] >= event->num_masks)
			return false;
	}
	return true;
}

pfm_err_t pfm_get_full_event_name(pfmlib_event_t *e, char *name, size_t maxlen)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	const struct pfmlib_event_desc *event;
	size_t used = 0;
	int ret;

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!e || !name || maxlen < 1)
		return PFMLIB_ERR_INVAL;
	*name = '\0';
	if (e->event >= pmu->num_events)
		return PFMLIB_ERR_INVAL;
	event = &pmu->events[e->event];
	ret = pfmlib_load_masks(event);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	if (!has_valid_masks(event, e))
		return PFMLIB_ERR_UMASK;
	if (!append(name, maxlen, &used, event->name))
		return PFMLIB_ERR_FULL;
	return append_masks(event, e, name, maxlen, used);
}

pfm_err_t pfm_get_max_event_name_len(size_t *len)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	size_t longest = 0;
	int ret;

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!len)
		return PFMLIB_ERR_INVAL;
	for (unsigned int i = 0; i < pmu->num_events; i++) {
		const struct pfmlib_event_desc *event = &pmu->events[i];
		size_t full = strlen(event->name);

		ret = pfmlib_load_masks(event);
		if (ret != PFMLIB_SUCCESS)
			return ret;
		for (unsigned int m = 0; m < event->num_masks; m++)
			full += 1 + strlen(event->masks[m].name);
		if (full > longest)
			longest = full;
	}
	*len = longest;
	return PFMLIB_SUCCESS;
}

/* Sets *copy to NULL if text is NULL. */
static pfm_err_t copy_text(const char *text, char **copy)
{
	*copy = NULL;
	if (!text || !*text)
		return PFMLIB_SUCCESS;
	*copy = strdup(text);
	return *copy ? PFMLIB_SUCCESS : PFMLIB_ERR_NOMEM;
}

pfm_err_t pfm_get_event_description(unsigned int idx, char **str)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!str || idx >= pmu->num_events)
		return PFMLIB_ERR_INVAL;
	return copy_text(pmu->events[idx].desc, str);
}

pfm_err_t pfm_get_event_mask_description(unsigned int event_idx,
					 unsigned int mask_idx, char **desc)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	int ret;

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!desc || event_idx >= pmu->num_events)
		return PFMLIB_ERR_INVAL;
	ret = pfmlib_load_masks(&pmu->events[event_idx]);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	if (mask_idx >= pmu->events[event_idx].num_masks)
		return PFMLIB_ERR_INVAL;
	return copy_text(pmu->events[event_idx].masks[mask_idx].desc, desc);
}
