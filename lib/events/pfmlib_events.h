/* SPDX-License-Identifier: MIT */
/*
 * Events of a PMU: finding them in its table (pfmlib_find.c), and their register
 * values where libpfm4 knows them (pfmlib_event_info.c).
 */
#ifndef PFMLIB_EVENTS_H
#define PFMLIB_EVENTS_H

#include <stddef.h>

#include "pmu/pfmlib_pmu.h"

/*
 * The index of the event whose name is len characters long, without regard to
 * case; -1 if there is none.
 */
int pfmlib_event_index(const struct pfmlib_pmu *pmu, const char *name,
		       size_t len);

/*
 * To be called for each event that a program names before its masks are looked at.
 * Thread safe. Returns PFMLIB_SUCCESS or PFMLIB_ERR_NOMEM.
 */
int pfmlib_load_masks(const struct pfmlib_event_desc *event);

/* Independent of the locale: names are ASCII. */
static inline char pfmlib_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* True if text of len characters is the name, without regard to case. */
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

/*
 * Whether the event can be used without a unit mask; then code is what it has in the
 * place of one (8 bits), else 0.
 */
bool pfmlib_default_mask(const struct pfmlib_event_desc *event,
			 unsigned int *code);

/*
 * The row of an event file, if it is from there and has at most one of its masks;
 * NULL if it is not.
 */
const struct pfmlib_file_row *pfmlib_file_row(const struct pfmlib_pmu *pmu,
					      const pfmlib_event_t *event);

/*
 * The register values of an event of the models since Sandy Bridge, by libpfm4 or
 * an event file: the selector, and a second value where the event needs another
 * register (offcore response, load latency threshold, front end).  plm is PFM_PLM*.
 * Returns the number of values (1 or 2), or a PFMLIB error.
 */
int pfmlib_encode(const struct pfmlib_pmu *pmu, const pfmlib_event_t *event,
		  unsigned int plm, uint64_t values[2]);

#endif /* PFMLIB_EVENTS_H */
