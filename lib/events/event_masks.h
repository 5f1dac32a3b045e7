/* SPDX-License-Identifier: MIT */
/*
 * The unit masks of an event, as tables are built and as programs ask for them.
 */
#ifndef PFMLIB_EVENT_MASKS_H
#define PFMLIB_EVENT_MASKS_H

#include "pmu/pfmlib_pmu.h"

struct pfmlib_file_row;
struct pfmlib_patch;

/* Inserts a mask at place; beyond the end: at the end. Returns a PFMLIB error. */
int pfmlib_event_add_mask(struct pfmlib_event_desc *event, unsigned int place,
			  const struct pfmlib_mask *mask);

/* The mask of a row of an event file. */
struct pfmlib_mask pfmlib_file_mask(const struct pfmlib_event_desc *event,
				    const struct pfmlib_file_row *row);
/* Without a mask, the event is that of the row. */
void pfmlib_event_set_default(struct pfmlib_event_desc *event,
			      const struct pfmlib_file_row *row);

/*
 * Asks libpfm4 for all masks of an event of its own. bit_numbers: its codes are
 * numbers of bits. Returns a PFMLIB error.
 */
int pfmlib_event_add_libpfm4_masks(struct pfmlib_event_desc *event,
				   bool bit_numbers);

/* Applies a row of masks to an event that has its own. Returns a PFMLIB error. */
int pfmlib_event_patch_mask(struct pfmlib_event_desc *event,
			    const struct pfmlib_patch *patch);

#endif /* PFMLIB_EVENT_MASKS_H */
