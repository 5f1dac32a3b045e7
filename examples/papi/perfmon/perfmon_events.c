// SPDX-License-Identifier: MIT
/*
 * Names and codes of native events, see perfmon_events.h.  COMPONENT_LOCK protects the
 * table of events with masks, which grows only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papi.h"
#include "papi_internal.h"

#include "perfmon_events.h"

#define GROW_BY 64

static unsigned int nr_events; /* of libpfm */
static pfmlib_event_t *masked; /* the code of the first is nr_events */
static unsigned int nr_masked, max_masked;

int perfmon_library_error(int rc)
{
	switch (rc) {
	case PFMLIB_SUCCESS:
		return PAPI_OK;
	case PFMLIB_ERR_NOTFOUND:
		return PAPI_ENOEVNT;
	case PFMLIB_ERR_UMASK:
		return PAPI_EATTR;
	case PFMLIB_ERR_INVAL:
		return PAPI_EINVAL;
	case PFMLIB_ERR_NOMEM:
		return PAPI_ENOMEM;
	case PFMLIB_ERR_FEATCOMB:
	case PFMLIB_ERR_EVTINCOMP:
		return PAPI_ECOMBO;
	case PFMLIB_ERR_NOTSUPP:
		return PAPI_ENOSUPP;
	default: /* no counter for it, or too few for all */
		return PAPI_ECNFLCT;
	}
}

int perfmon_events_init(int *number)
{
	if (perfmon_lib.pfm_get_num_events(&nr_events) != PFMLIB_SUCCESS ||
	    !nr_events)
		return PAPI_ENOCNTR;
	*number = (int)nr_events;
	return PAPI_OK;
}

void perfmon_events_free(void)
{
	free(masked);
	masked = NULL;
	nr_masked = max_masked = 0;
}

int perfmon_event_of(unsigned int code, pfmlib_event_t *event)
{
	int rc = PAPI_OK;

	memset(event, 0, sizeof(*event));
	event->event = code;
	if (code < nr_events)
		return PAPI_OK;
	_papi_hwi_lock(COMPONENT_LOCK);
	if (code - nr_events < nr_masked)
		*event = masked[code - nr_events];
	else
		rc = PAPI_ENOEVNT;
	_papi_hwi_unlock(COMPONENT_LOCK);
	return rc;
}

/* The order in which masks are named has no meaning. */
static void sort_masks(pfmlib_event_t *event)
{
	for (unsigned int i = 1; i < event->num_masks; i++)
		for (unsigned int k = i; k > 0; k--) {
			unsigned int *masks = event->unit_masks;
			unsigned int mask = masks[k];

			if (masks[k - 1] <= mask)
				break;
			masks[k] = masks[k - 1];
			masks[k - 1] = mask;
		}
}

static int is_same(const pfmlib_event_t *a, const pfmlib_event_t *b)
{
	return a->event == b->event && a->num_masks == b->num_masks &&
	       !memcmp(a->unit_masks, b->unit_masks,
		       a->num_masks * sizeof(a->unit_masks[0]));
}

static int make_room(void)
{
	pfmlib_event_t *more;

	if (nr_masked < max_masked)
		return PAPI_OK;
	more = realloc(masked, (max_masked + GROW_BY) * sizeof(*more));
	if (!more)
		return PAPI_ENOMEM;
	masked = more;
	max_masked += GROW_BY;
	return PAPI_OK;
}

/* The code of an event, a new one if it has none yet. */
static int code_of(pfmlib_event_t *event, unsigned int *code)
{
	unsigned int i = 0;
	int rc = PAPI_OK;

	if (!event->num_masks) {
		*code = event->event;
		return PAPI_OK;
	}
	sort_masks(event);
	_papi_hwi_lock(COMPONENT_LOCK);
	while (i < nr_masked && !is_same(&masked[i], event))
		i++;
	if (i == nr_masked) {
		rc = make_room();
		if (rc == PAPI_OK)
			masked[nr_masked++] = *event;
	}
	_papi_hwi_unlock(COMPONENT_LOCK);
	*code = nr_events + i;
	return rc;
}

/* The event with its first mask after the bare one, then with the next one and so on. */
static int next_mask(unsigned int *code)
{
	pfmlib_event_t event;
	unsigned int masks = 0, next;
	int rc = perfmon_event_of(*code, &event);

	if (rc != PAPI_OK)
		return rc;
	if (event.num_masks > 1)
		return PAPI_ENOEVNT;
	perfmon_lib.pfm_get_num_event_masks(event.event, &masks);
	next = event.num_masks ? event.unit_masks[0] + 1 : 0;
	if (next >= masks)
		return PAPI_ENOEVNT;
	event.num_masks = 1;
	event.unit_masks[0] = next;
	return code_of(&event, code);
}

static int next_event(unsigned int *code)
{
	pfmlib_event_t event;
	int rc = perfmon_event_of(*code, &event);

	if (rc != PAPI_OK)
		return rc;
	if (event.event + 1 >= nr_events)
		return PAPI_ENOEVNT;
	*code = event.event + 1;
	return PAPI_OK;
}

static int step(unsigned int *code, int modifier)
{
	switch (modifier) {
	case PAPI_ENUM_FIRST:
		*code = 0;
		return PAPI_OK;
	case PAPI_ENUM_EVENTS:
		return next_event(code);
	case PAPI_NTV_ENUM_UMASKS:
		return next_mask(code);
	default:
		return PAPI_EINVAL;
	}
}

/* As libpfm has it. */
static int name_of(unsigned int code, char *name, size_t size)
{
	pfmlib_event_t event;
	int rc = perfmon_event_of(code, &event);

	if (rc != PAPI_OK)
		return rc;
	if (event.num_masks)
		rc = perfmon_lib.pfm_get_full_event_name(&event, name, size);
	else
		rc = perfmon_lib.pfm_get_event_name(code, name, size);
	return rc == PFMLIB_SUCCESS ? PAPI_OK : PAPI_EBUF;
}

/* PAPI finds the codes that it has given out by names: here is this one's. */
int perfmon_enum_events(unsigned int *code, int modifier)
{
	char name[PAPI_HUGE_STR_LEN];
	int rc = step(code, modifier);

	if (rc == PAPI_OK)
		rc = name_of(*code, name, sizeof(name));
	if (rc == PAPI_OK)
		_papi_hwi_set_papi_event_string(name);
	return rc;
}

/* An event that needs a mask has a code without one, too: its masks can be listed. */
int perfmon_name_to_code(const char *name, unsigned int *code)
{
	pfmlib_event_t event;
	int rc = perfmon_lib.pfm_find_full_event(name, &event);

	if (rc == PFMLIB_ERR_UMASK && !strchr(name, ':'))
		rc = perfmon_lib.pfm_find_event(name, code);
	else if (rc == PFMLIB_SUCCESS)
		return code_of(&event, code);
	return perfmon_library_error(rc);
}

int perfmon_code_to_name(unsigned int code, char *name, int size)
{
	char bare[PAPI_HUGE_STR_LEN];
	int rc = name_of(code, bare, sizeof(bare));

	if (rc != PAPI_OK)
		return rc;
	if (snprintf(name, (size_t)size, PERFMON_PREFIX "%s", bare) >= size)
		return PAPI_EBUF;
	return PAPI_OK;
}

/* The description of the event, then of its masks, as perf_event's component has it. */
int perfmon_code_to_descr(unsigned int code, char *text, int size)
{
	pfmlib_event_t event;
	char *part;
	int rc = perfmon_event_of(code, &event), used = 0;

	if (rc != PAPI_OK)
		return rc;
	rc = perfmon_lib.pfm_get_event_description(event.event, &part);
	if (rc != PFMLIB_SUCCESS)
		return perfmon_library_error(rc);
	used = snprintf(text, (size_t)size, "%s", part);
	free(part);
	for (unsigned int i = 0; i < event.num_masks && used < size; i++) {
		rc = perfmon_lib.pfm_get_event_mask_description(
			event.event, event.unit_masks[i], &part);
		if (rc != PFMLIB_SUCCESS)
			return perfmon_library_error(rc);
		used += snprintf(text + used, (size_t)(size - used), "%s%s",
				 i ? ", " : ", masks:", part);
		free(part);
	}
	return PAPI_OK;
}
