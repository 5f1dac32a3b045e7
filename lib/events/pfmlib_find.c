// SPDX-License-Identifier: MIT
/*
 * The public functions that find an event or one of its unit masks, and the
 * lookup functions that event strings and tables use too.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pfmlib_events.h"

bool pfmlib_is_number(const char *text, size_t len, unsigned long *number)
{
	int saved_errno = errno;
	bool in_range;
	char *end;

	if (!pfmlib_is_digit(*text))
		return false;
	errno = 0;
	*number = strtoul(text, &end, 0);
	in_range = !errno;
	errno = saved_errno;
	return in_range && end == text + len;
}

int pfmlib_event_index(const struct pfmlib_pmu *pmu, const char *name,
		       size_t len)
{
	for (unsigned int i = 0; i < pmu->num_events; i++) {
		if (pfmlib_is_name(pmu->events[i].name, name, len))
			return (int)i;
	}
	return -1;
}

int pfmlib_mask_index(const struct pfmlib_event_desc *event, const char *text,
		      size_t len)
{
	const struct pfmlib_mask *masks = event->masks;
	unsigned long code;

	for (unsigned int i = 0; i < event->num_masks; i++) {
		if (pfmlib_is_name(masks[i].name, text, len))
			return (int)i;
	}
	if (!pfmlib_is_number(text, len, &code))
		return -1;
	for (unsigned int i = 0; i < event->num_masks; i++) {
		if (masks[i].code == code &&
		    !(masks[i].flags & PFMLIB_MASK_BY_NAME))
			return (int)i;
	}
	return -1;
}

/* Ignores unit masks that follow the name. */
static pfm_err_t find_name(const struct pfmlib_pmu *pmu, const char *name,
			   unsigned int *idx)
{
	int index = pfmlib_event_index(pmu, name, strcspn(name, ":"));

	if (index < 0)
		return PFMLIB_ERR_NOTFOUND;
	*idx = (unsigned int)index;
	return PFMLIB_SUCCESS;
}

static pfm_err_t find_code(const struct pfmlib_pmu *pmu, int code,
			   unsigned int first, unsigned int *idx)
{
	for (unsigned int i = first; i < pmu->num_events; i++) {
		if (pmu->events[i].code == (unsigned int)code) {
			*idx = i;
			return PFMLIB_SUCCESS;
		}
	}
	return PFMLIB_ERR_NOTFOUND;
}

pfm_err_t pfm_find_event(const char *str, unsigned int *idx)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	unsigned long code;

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!str || !idx)
		return PFMLIB_ERR_INVAL;
	if (!pfmlib_is_digit(*str))
		return find_name(pmu, str, idx);
	if (!pfmlib_is_number(str, strlen(str), &code) || code > INT_MAX)
		return PFMLIB_ERR_INVAL;
	return find_code(pmu, (int)code, 0, idx);
}

pfm_err_t pfm_find_event_byname(const char *name, unsigned int *idx)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!name || !idx)
		return PFMLIB_ERR_INVAL;
	return find_name(pmu, name, idx);
}

pfm_err_t pfm_find_event_bycode(int code, unsigned int *idx)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!idx)
		return PFMLIB_ERR_INVAL;
	return find_code(pmu, code, 0, idx);
}

pfm_err_t pfm_find_event_bycode_next(int code, unsigned int start,
				     unsigned int *next)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!next)
		return PFMLIB_ERR_INVAL;
	if (start >= pmu->num_events)
		return PFMLIB_ERR_NOTFOUND;
	return find_code(pmu, code, start + 1, next);
}

pfm_err_t pfm_find_event_mask(unsigned int event_idx, const char *str,
			      unsigned int *mask_idx)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	int mask, ret;

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!str || !mask_idx || event_idx >= pmu->num_events)
		return PFMLIB_ERR_INVAL;
	ret = pfmlib_load_masks(&pmu->events[event_idx]);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	mask = pfmlib_mask_index(&pmu->events[event_idx], str, strlen(str));
	if (mask < 0)
		return PFMLIB_ERR_UMASK;
	*mask_idx = (unsigned int)mask;
	return PFMLIB_SUCCESS;
}
