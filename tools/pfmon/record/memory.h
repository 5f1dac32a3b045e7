/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples that have the addresses of data: pfmon record -d. */
#ifndef PFMON_MEMORY_H
#define PFMON_MEMORY_H

#include <json-c/json.h>

#include "events/event.h"

/* Whether one of the events samples accesses to memory. 0, or -1 after a message. */
int memory_check(const struct event_list *events);

/* What samples of an event of Intel say of memory; NULL: nothing. "access" of META. */
const char *memory_access(const struct event *event);

/*
 * Adds what readers have to know of the processor to understand the samples: "ibs" or "pebs"
 * of META.
 */
void memory_describe(struct json_object *meta, const struct event_list *events);

#endif /* PFMON_MEMORY_H */
