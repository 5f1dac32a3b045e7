/* SPDX-License-Identifier: GPL-2.0-only */
/* Precise samples of Intel's processors: which events can have them, and how. */
#ifndef PFMON_PEBS_H
#define PFMON_PEBS_H

#include "events/event.h"

/*
 * Makes an event one that a counter with PEBS samples: from then on it is the value of a
 * selector. Its levels and its code are known. Needs tables_init() before. 0, or -1 after
 * a message.
 */
int pebs_choose(struct event *event);

#endif /* PFMON_PEBS_H */
