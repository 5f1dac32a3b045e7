/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples that have the addresses of data: pfmon record -d. */
#ifndef PFMON_MEMORY_H
#define PFMON_MEMORY_H

#include <json-c/json.h>

#include "events/event.h"

/* Whether one of the events samples accesses to memory. 0, or -1 after a message. */
int memory_check(const struct event_list *events);

/* What readers have to know of the processor to understand the samples; "ibs" of META. */
struct json_object *memory_describe(void);

#endif /* PFMON_MEMORY_H */
