/* SPDX-License-Identifier: MIT */
/*
 * The unit masks of an event, added while tables are built and when programs need them.
 */
#ifndef PFMLIB_EVENT_MASKS_H
#define PFMLIB_EVENT_MASKS_H

#include "pmu/pfmlib_pmu.h"

struct pfmlib_file_row;
struct pfmlib_patch;

/*
 * Inserts a mask at place, or at the end if place is beyond it. Returns a PFMLIB error.
 */
int pfmlib_event_add_mask(struct pfmlib_event_desc *event, unsigned int place,
			  const struct pfmlib_mask *mask);

/* The mask of a row of an event file. */
struct pfmlib_mask pfmlib_file_mask(const struct pfmlib_event_desc *event,
				    const struct pfmlib_file_row *row);
/* Gives an event without a mask the code of the row. */
void pfmlib_event_set_default(struct pfmlib_event_desc *event,
			      const struct pfmlib_file_row *row);

/*
 * Adds all masks that libpfm4 has for its event. bit_numbers: libpfm4's codes are numbers
 * of bits. Returns a PFMLIB error.
 */
int pfmlib_event_add_libpfm4_masks(struct pfmlib_event_desc *event,
				   bool bit_numbers);

/*
 * Applies a row that changes masks to an event whose masks are loaded. Returns a PFMLIB
 * error.
 */
int pfmlib_event_patch_mask(struct pfmlib_event_desc *event,
			    const struct pfmlib_patch *patch);

#endif /* PFMLIB_EVENT_MASKS_H */
