/* SPDX-License-Identifier: GPL-2.0-only */
/* From the name of an event to what counts it: libpfm's event, or a value. */
#ifndef PFMON_RESOLVE_H
#define PFMON_RESOLVE_H

#include "events/event.h"

/*
 * Finds the event that text names, with unit masks and modifiers, which is event->name or
 * what it means; messages have the former. A name is, in this order, an event of
 * libpfm's model, a name that all models share, or one of the manufacturer's. Returns 0,
 * or -1 after a message.
 */
int resolve_event(struct event *event, const char *text);

#endif /* PFMON_RESOLVE_H */
