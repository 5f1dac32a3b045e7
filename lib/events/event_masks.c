// SPDX-License-Identifier: MIT
/*
 * The unit masks of events, see event_masks.h, and pfmlib_load_masks().
 *
 * To answer a question about one mask, libpfm4 describes all masks of the event. Asking
 * for the masks of a whole table would be most of a program's start: 20 million
 * instructions on Sapphire Rapids. Programs use few events, so masks are loaded for each
 * event when they are needed.
 */
#include "event_masks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "eventfiles/eventfiles.h"
#include "libpfm4.h"
#include "patch_rows.h"
#include "pfmlib_events.h"

/*
 * Step by which the masks of an event grow: the array is full whenever their number is a
 * multiple of it.
 */
#define MASKS_STEP 8

/* Held while an event of a published PMU gets its masks. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int pfmlib_event_add_mask(struct pfmlib_event_desc *event, unsigned int place,
			  const struct pfmlib_mask *mask)
{
	/* The masks are copies; they may change until the table is finished. */
	struct pfmlib_mask *masks = (struct pfmlib_mask *)event->masks;

	if (event->num_masks % MASKS_STEP == 0)
		masks = realloc(masks, (event->num_masks + MASKS_STEP) *
					       sizeof(*masks));
	if (!masks)
		return PFMLIB_ERR_NOMEM;
	event->masks = masks;
	if (place > event->num_masks)
		place = event->num_masks;
	memmove(&masks[place + 1], &masks[place],
		(event->num_masks - place) * sizeof(*masks));
	masks[place] = *mask;
	event->num_masks++;
	return PFMLIB_SUCCESS;
}

/* Bits of a selector in the code of a mask; the low bits are the unit mask. */
#define CODE_EDGE (1U << 10)
#define CODE_INV (1U << 15)
#define CODE_CMASK_SHIFT 16

static unsigned int code_of(const struct pfmlib_file_row *row)
{
	return row->umask | (row->flags & PFMLIB_FILE_EDGE ? CODE_EDGE : 0) |
	       (row->flags & PFMLIB_FILE_INV ? CODE_INV : 0) |
	       (unsigned int)row->cmask << CODE_CMASK_SHIFT;
}

struct pfmlib_mask pfmlib_file_mask(const struct pfmlib_event_desc *event,
				    const struct pfmlib_file_row *row)
{
	return (struct pfmlib_mask){
		.name = row->mask,
		.code = code_of(row),
		.flags = (row->flags & PFMLIB_FILE_PRECISE ?
				  PFMLIB_MASK_PRECISE :
				  0) |
			 (row->select != event->code ? PFMLIB_MASK_BY_NAME : 0),
		.libpfm4 = -1,
		.row = row,
	};
}

void pfmlib_event_set_default(struct pfmlib_event_desc *event,
			      const struct pfmlib_file_row *row)
{
	event->row = row;
	event->default_code = code_of(row);
	event->flags |= PFMLIB_EV_MASK_OPTIONAL;
	if (row->flags & PFMLIB_FILE_PRECISE)
		event->flags |= PFMLIB_EV_PRECISE;
}

int pfmlib_event_add_libpfm4_masks(struct pfmlib_event_desc *event,
				   bool bit_numbers)
{
	struct libpfm4_entry entry;
	int ret;

	while (!(ret = pfmlib_libpfm4_mask(event->libpfm4, event->num_masks,
					   &entry))) {
		const struct pfmlib_mask mask = {
			.name = entry.name,
			.desc = entry.desc,
			.code = bit_numbers ? 1U << entry.code : entry.code,
			.flags = entry.precise ? PFMLIB_MASK_PRECISE : 0,
			.libpfm4 = (int)event->num_masks,
		};

		ret = pfmlib_event_add_mask(event, event->num_masks, &mask);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	return ret == LIBPFM4_NO_MEMORY ? PFMLIB_ERR_NOMEM : PFMLIB_SUCCESS;
}

static bool is_mask(const struct pfmlib_mask *mask,
		    const struct pfmlib_patch *patch)
{
	return pfmlib_is_name(mask->name, patch->mask, strlen(patch->mask));
}

static void drop_mask(struct pfmlib_event_desc *event,
		      const struct pfmlib_patch *patch)
{
	struct pfmlib_mask *masks = (struct pfmlib_mask *)event->masks;
	unsigned int i = 0;

	while (i < event->num_masks && !is_mask(&masks[i], patch))
		i++;
	if (i == event->num_masks)
		return;
	event->num_masks--;
	memmove(&masks[i], &masks[i + 1],
		(event->num_masks - i) * sizeof(*masks));
}

static int add_mask(struct pfmlib_event_desc *event, unsigned int place,
		    const struct pfmlib_patch *patch)
{
	struct pfmlib_mask mask = {
		.name = patch->mask,
		.code = patch->code,
		.libpfm4 = -1,
	};

	drop_mask(event, patch);
	if (patch->row)
		mask = pfmlib_file_mask(event, patch->row);
	mask.desc = patch->desc;
	return pfmlib_event_add_mask(event, place, &mask);
}

static void change_mask(struct pfmlib_event_desc *event,
			const struct pfmlib_patch *patch)
{
	struct pfmlib_mask *masks = (struct pfmlib_mask *)event->masks;

	for (unsigned int i = 0; i < event->num_masks; i++) {
		if (!is_mask(&masks[i], patch))
			continue;
		if (patch->kind == SET_MASK_CODE)
			masks[i].code = patch->code;
		else if (patch->kind == SET_MASK_PRECISE)
			masks[i].flags |= PFMLIB_MASK_PRECISE;
		else
			masks[i].flags |= PFMLIB_MASK_BY_NAME;
	}
}

int pfmlib_event_patch_mask(struct pfmlib_event_desc *event,
			    const struct pfmlib_patch *patch)
{
	switch (patch->kind) {
	case SET_MASK_CODE:
	case SET_MASK_BY_NAME:
	case SET_MASK_PRECISE:
		change_mask(event, patch);
		return PFMLIB_SUCCESS;
	case ADD_MASK:
		return add_mask(event, event->num_masks, patch);
	case ADD_SECOND_MASK:
		return add_mask(event, 1, patch);
	case DROP_MASK:
		drop_mask(event, patch);
		return PFMLIB_SUCCESS;
	default:
		return PFMLIB_SUCCESS;
	}
}

/* Applies the changes that pfmlib_table_patch() postponed. */
static int patch_masks(struct pfmlib_event_desc *event)
{
	const struct pfmlib_patch *patch = pfmlib_patches;
	int ret = PFMLIB_SUCCESS;

	for (; event->mask_patches && patch->models && !ret; patch++) {
		if (patch->models & event->mask_patches &&
		    pfmlib_is_name(event->name, patch->event,
				   strlen(patch->event)))
			ret = pfmlib_event_patch_mask(event, patch);
	}
	return ret;
}

static int load(struct pfmlib_event_desc *event)
{
	int ret = pfmlib_event_add_libpfm4_masks(event, false);

	if (ret == PFMLIB_SUCCESS)
		ret = patch_masks(event);
	if (ret == PFMLIB_SUCCESS) {
		atomic_store_explicit(&event->lacks_masks, false,
				      memory_order_release);
		return ret;
	}
	/* The next caller may succeed. */
	free((void *)event->masks);
	event->masks = NULL;
	event->num_masks = 0;
	return ret;
}

int pfmlib_load_masks(const struct pfmlib_event_desc *event)
{
	int ret = PFMLIB_SUCCESS;

	if (!atomic_load_explicit(&event->lacks_masks, memory_order_acquire))
		return PFMLIB_SUCCESS;
	pthread_mutex_lock(&lock);
	/* Tables are built in allocated memory: no event in them is constant. */
	if (atomic_load_explicit(&event->lacks_masks, memory_order_relaxed))
		ret = load((struct pfmlib_event_desc *)event);
	pthread_mutex_unlock(&lock);
	return ret;
}
