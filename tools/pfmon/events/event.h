/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that the user asks for: names that libpfm knows, and values of an event
 * select register, whatever they are called. Where they are counted is decided later, in
 * assign.c.
 */
#ifndef PFMON_EVENT_H
#define PFMON_EVENT_H

#include <perfmon/pfmlib.h>
#include <stdint.h>

#include "events/alias.h"
#include "events/kernel_pmu.h"
#include "events/modifiers.h"
#include "events/sampler.h"
#include "names/coding.h"

#define LEVEL_USER 1u
#define LEVEL_KERNEL 2u

struct event {
	char *name; /* as the user wrote it */
	unsigned int levels; /* LEVEL_*, at least one */
	bool has_level; /* the name itself chooses them */
	int set; /* number of the list that has it */
	int group; /* events of one are counted together; 0: in none */
	int cluster; /* events of one metric have one number; 0: of none */
	enum event_meaning meaning;
	enum event_soft soft; /* else what follows is of no use */
	struct kernel_event *kernel; /* of SOFT_KERNEL, else NULL */
	struct modifiers modifiers;
	enum event_sampler sampler;
	uint64_t sampler_control; /* what its PMC has beside period and enable */
	/* The counters that can make its records, bit n for PMC n. */
	uint32_t sampler_counters;
	uint64_t sampler_least; /* its shortest period; 0: its kind's */
	uint64_t sampler_usual; /* if no period is chosen; 0: the default of all */
	/* in the model's words, NULL if it is a raw value */
	char *full_name;
	bool by_value; /* what follows is of use, and found is not */
	uint64_t selector; /* enabled, with its levels */
	struct coding coding; /* with what qualifies the selector */
	pfmlib_event_t found; /* event and unit masks of libpfm */
};

struct event_list {
	struct event *events;
	int count;
};

/*
 * Parses a list separated by commas; a semicolon begins the next set, and braces
 * make a group of what they enclose. Levels (LEVEL_*) apply to the events that
 * choose none themselves. Named events need tables_init() before. Returns 0, or
 * -1 after a message. The list is to be freed in both cases.
 */
int events_parse(struct event_list *list, const char *text,
		 unsigned int levels);
void events_free(struct event_list *list);

/*
 * The events that need a counter, in their order, as a list of their own that
 * shares its strings with the other; free its array alone. -1 after a message.
 */
int events_hardware(const struct event_list *list, struct event_list *hardware);

/*
 * "user", "kernel" or "user+kernel"; "software" for what no counter counts, "system" for
 * what a PMU outside the cores does.
 */
const char *event_level_name(const struct event *event);

#endif /* PFMON_EVENT_H */
