// SPDX-License-Identifier: MIT
/*
 * The public functions that parse event strings: an event with its unit masks,
 * "EVENT:MASK:MASK...". A mask is a name or a number, which may mean several
 * masks.
 */
#include <string.h>

#include "pfmlib_events.h"

static bool has_mask(const pfmlib_event_t *e, unsigned int mask)
{
	for (unsigned int i = 0; i < e->num_masks; i++) {
		if (e->unit_masks[i] == mask)
			return true;
	}
	return false;
}

/* Naming a mask a second time has no effect. */
static int add_mask(pfmlib_event_t *e, unsigned int mask)
{
	if (has_mask(e, mask))
		return PFMLIB_SUCCESS;
	if (e->num_masks == PFMLIB_MAX_MASKS_PER_EVENT)
		return PFMLIB_ERR_TOOMANY;
	e->unit_masks[e->num_masks++] = mask;
	return PFMLIB_SUCCESS;
}

/*
 * A number that is not the code of one mask means all masks whose bits it
 * contains, if together they make up the number.
 */
static int add_contained(const struct pfmlib_event_desc *event,
			 unsigned long number, pfmlib_event_t *e)
{
	unsigned long covered = 0;
	bool any = false;
	int ret;

	for (unsigned int i = 0; i < event->num_masks; i++) {
		unsigned int code = event->masks[i].code;

		if (code & ~number ||
		    event->masks[i].flags & PFMLIB_MASK_BY_NAME)
			continue;
		ret = add_mask(e, i);
		if (ret != PFMLIB_SUCCESS)
			return ret;
		covered |= code;
		any = true;
	}
	return any && covered == number ? PFMLIB_SUCCESS : PFMLIB_ERR_UMASK;
}

static int add_item(const struct pfmlib_event_desc *event, const char *item,
		    size_t len, pfmlib_event_t *e)
{
	int mask = pfmlib_mask_index(event, item, len);
	unsigned long number;

	if (mask >= 0)
		return add_mask(e, (unsigned int)mask);
	if (!pfmlib_is_number(item, len, &number))
		return PFMLIB_ERR_UMASK;
	return add_contained(event, number, e);
}

/* All fields of *e that the string does not set become zero. */
static int parse_event(const struct pfmlib_pmu *pmu, const char *str,
		       pfmlib_event_t *e)
{
	size_t len = strcspn(str, ":");
	int index = pfmlib_event_index(pmu, str, len);
	const struct pfmlib_event_desc *event;
	unsigned int code;
	int ret;

	memset(e, 0, sizeof(*e));
	if (index < 0)
		return PFMLIB_ERR_NOTFOUND;
	e->event = (unsigned int)index;
	event = &pmu->events[index];
	ret = pfmlib_load_masks(event);
	if (ret != PFMLIB_SUCCESS)
		return ret;

	str += len;
	if (!*str)
		return pfmlib_default_mask(event, &code) ? PFMLIB_SUCCESS :
							   PFMLIB_ERR_UMASK;
	while (*str && ret == PFMLIB_SUCCESS) {
		str++;
		len = strcspn(str, ":");
		ret = add_item(event, str, len, e);
		str += len;
	}
	return ret;
}

pfm_err_t pfm_find_full_event(const char *str, pfmlib_event_t *e)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!str || !e)
		return PFMLIB_ERR_INVAL;
	return parse_event(pmu, str, e);
}

static pfm_err_t find_known(const struct pfmlib_pmu *pmu, const char *str,
			    pfmlib_event_t *e)
{
	if (!e)
		return PFMLIB_ERR_INVAL;
	memset(e, 0, sizeof(*e));
	return str ? parse_event(pmu, str, e) : PFMLIB_ERR_NOTSUPP;
}

pfm_err_t pfm_get_cycle_event(pfmlib_event_t *e)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	return pmu ? find_known(pmu, pmu->cycle_event, e) : PFMLIB_ERR_NOINIT;
}

pfm_err_t pfm_get_inst_retired_event(pfmlib_event_t *e)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	return pmu ? find_known(pmu, pmu->inst_event, e) : PFMLIB_ERR_NOINIT;
}
