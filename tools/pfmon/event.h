/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that the user asks for, as values of an event select register.
 * Where they are counted is decided later, in assign.c.
 */
#ifndef PFMON_EVENT_H
#define PFMON_EVENT_H

#include <stdint.h>

#define LEVEL_USER 1u
#define LEVEL_KERNEL 2u

struct event {
	char *name; /* as the user wrote it */
	char *full_name; /* table, event, unit masks; NULL if raw */
	uint64_t selector; /* enabled, with at least one level */
	uint32_t counters; /* bit n: general counter n can count it */
};

struct event_list {
	struct event *events;
	int count;
};

/*
 * Parses a list separated by commas. Levels (LEVEL_*) apply to the events that
 * choose none themselves. Named events need tables_init() before. Returns 0, or
 * -1 after a message. The list is to be freed in both cases.
 */
int events_parse(struct event_list *list, const char *text,
		 unsigned int levels);
void events_free(struct event_list *list);

/* The levels that are set in an event's selector. */
unsigned int event_levels(const struct event *event);
/* "user", "kernel" or "user+kernel". */
const char *event_level_name(const struct event *event);

#endif /* PFMON_EVENT_H */
