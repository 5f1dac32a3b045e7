// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what pfmon makes of events, for checks/makers_codes.py.
 *
 * usage: parsed_events PMU < EVENTS
 *
 * A line of the input is an event, and becomes a line of words: whether it is "named"
 * by libpfm, a "value" or "refused", behind that of a value the selector without levels,
 * the kind of the register that qualifies it and its value, and the fixed counter. The
 * messages are on standard error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/event.h"
#include "events/tables.h"

static void print_event(const char *text)
{
	struct event_list list;
	const struct event *event;

	if (events_parse(&list, text, LEVEL_USER)) {
		puts("refused");
	} else {
		event = list.events;
		if (event->by_value)
			printf("value %#" PRIx64 " %d %#" PRIx64 " %u\n",
			       event->coding.selector, (int)event->coding.kind,
			       event->coding.value, event->coding.fixed);
		else
			printf("named %s\n", event->full_name);
	}
	events_free(&list);
}

int main(int argc, char **argv)
{
	char line[512];

	if (argc != 2 || tables_init(argv[1]))
		return EXIT_FAILURE;
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		print_event(line);
	}
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
