/* SPDX-License-Identifier: MIT */
/* Finding events in the table of a PMU (pfmlib_find.c, pfmlib_full_event.c). */
#ifndef PFMLIB_EVENTS_H
#define PFMLIB_EVENTS_H

#include <stddef.h>

#include "pmu/pfmlib_model.h"

/* The same as pfmlib_event_index(), for a name of len characters. */
int pfmlib_event_index_n(const struct pfmlib_pmu *pmu, const char *name,
			 size_t len);

/* Not by the locale: names are ASCII everywhere. */
static inline char pfmlib_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Whether text of len characters is the name, but for the case of letters. */
bool pfmlib_is_name(const char *name, const char *text, size_t len);

/*
 * Reads a number (decimal, 0 octal or 0x hexadecimal) that is all of text, len
 * characters long and followed by '\0' or something that is no digit.
 */
bool pfmlib_is_number(const char *text, size_t len, unsigned long *number);

/*
 * The first mask of the event with this name, or with this code if there is no
 * such name; -1 if there is none.
 */
int pfmlib_mask_index(const struct pfmlib_event_desc *event, const char *text,
		      size_t len);

/* "EVENT:MASK:MASK..." to *e, which is all zeros where it says nothing. */
int pfmlib_parse_event(const struct pfmlib_pmu *pmu, const char *str,
		       pfmlib_event_t *e);

#endif /* PFMLIB_EVENTS_H */
