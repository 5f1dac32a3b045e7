/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Precise samples: perf's modifier p, and its names of the units that take them, ibs_op//
 * and ibs_fetch//.
 */
#ifndef PFMON_PRECISE_H
#define PFMON_PRECISE_H

#include <stdbool.h>

#include "events/event.h"

/*
 * Chooses what samples an event that has the modifier p, and how. Its levels and its code
 * are known. Needs tables_init() before. 0, or -1 after a message: the processor has no
 * precise samples of it.
 */
int precise_choose(struct event *event);

/* Whether a name is of a unit: "ibs_op/cnt_ctl=1/u". */
bool precise_is_unit(const char *name);

/*
 * Finds what the unit shall sample. levels: of an event that chooses none itself. 0, or
 * -1 after a message.
 */
int precise_parse_unit(struct event *event, unsigned int levels);

#endif /* PFMON_PRECISE_H */
