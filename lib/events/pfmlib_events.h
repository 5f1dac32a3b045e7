/* SPDX-License-Identifier: MIT */
/*
 * Events of a PMU: finding them in its table (pfmlib_find.c), and register values of
 * events that libpfm4 knows (pfmlib_event_info.c).
 */
#ifndef PFMLIB_EVENTS_H
#define PFMLIB_EVENTS_H

#include <stddef.h>

#include "pmu/pfmlib_pmu.h"

/*
 * The index of the event with this name of len characters, ignoring case; -1 if there is
 * none.
 */
int pfmlib_event_index(const struct pfmlib_pmu *pmu, const char *name,
		       size_t len);

/*
 * Must be called for each event that a program names, before its masks are used. Thread
 * safe. Returns PFMLIB_SUCCESS or PFMLIB_ERR_NOMEM.
 */
int pfmlib_load_masks(const struct pfmlib_event_desc *event);

/* Independent of the locale: names are ASCII. */
static inline char pfmlib_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* True if the text of len characters equals the name, ignoring case. */
bool pfmlib_is_name(const char *name, const char *text, size_t len);

/*
 * Reads a number (decimal, 0 octal or 0x hexadecimal) that is the whole text of len
 * characters; '\0' or another non-digit must follow.
 */
bool pfmlib_is_number(const char *text, size_t len, unsigned long *number);

/*
 * The first mask of the event with this name, or with this code if there is no
 * such name; -1 if there is none.
 */
int pfmlib_mask_index(const struct pfmlib_event_desc *event, const char *text,
		      size_t len);

/*
 * True if the event can be used without a unit mask; then code is its default for the
 * mask's bits (8 bits), else 0.
 */
bool pfmlib_default_mask(const struct pfmlib_event_desc *event,
			 unsigned int *code);

/*
 * The row of an event from an event file with at most one of its masks; NULL for other
 * events.
 */
const struct pfmlib_file_row *pfmlib_file_row(const struct pfmlib_pmu *pmu,
					      const pfmlib_event_t *event);

/*
 * The register values of an event since Sandy Bridge, from libpfm4 or an event file: the
 * selector, and a second value if the event needs another register (offcore response,
 * load latency threshold, front end).  plm is PFM_PLM*. Returns the number of values (1
 * or 2), or a PFMLIB error.
 */
int pfmlib_encode(const struct pfmlib_pmu *pmu, const pfmlib_event_t *event,
		  unsigned int plm, uint64_t values[2]);

#endif /* PFMLIB_EVENTS_H */
