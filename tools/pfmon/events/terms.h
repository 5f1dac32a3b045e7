/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events as perf writes them: cpu/event=0xc0,umask=0x1/u, with the terms that Linux has
 * for the processor in /sys/bus/event_source/devices/cpu/format, or with the name of an
 * event and terms that modify it: cpu/instructions,cmask=1,inv/.
 */
#ifndef PFMON_TERMS_H
#define PFMON_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include "events/event.h"

/* How long the first event of a list is, with the commas between its slashes. */
size_t terms_length(const char *list);

/* Whether a name is of this form. An event of one kind of core is only with terms. */
bool terms_is(const char *name);

/* Finds what it counts. Needs tables_init() before. 0, or -1 after a message. */
int terms_parse(struct event *event);

#endif /* PFMON_TERMS_H */
