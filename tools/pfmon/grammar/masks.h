/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of pfmon 3.9 that give each event of a set a value (--counter-mask=1,2):
 * they become modifiers behind the events.
 */
#ifndef PFMON_MASKS_H
#define PFMON_MASKS_H

#include "request.h"

/* Behind those of all other files. */
enum masks_option {
	OPT_MASKS = 900,
	OPT_PRIV_LEVELS = OPT_MASKS,
	OPT_COUNTER_MASK,
	OPT_INV_MASK,
	OPT_EDGE_MASK,
	OPT_GUEST_MASK,
	OPT_HOST_MASK,
	OPT_MASKS_END
};

static inline bool masks_is(int option)
{
	return option >= OPT_MASKS && option < OPT_MASKS_END;
}

/* For the events of the last list that was given. 0, or -1 after a message. */
int masks_take(struct request *request, int option, const char *values);

#endif /* PFMON_MASKS_H */
