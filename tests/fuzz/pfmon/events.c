// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of any kind, as -e takes them, and the values that --counter-mask and its
 * like have for them. The first line is a list of events; each further one begins
 * with a byte that chooses the option, or is one more list.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "events/event.h"
#include "events/tables.h"
#include "grammar/masks.h"
#include "grammar/words.h"

#define INPUT_MAX 2048

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

/* 0, or -1 if it was refused. */
static int take_line(struct request *request, const char *line)
{
	int option = OPT_MASKS + *line - 'A';

	if (!request->events || !masks_is(option))
		return words_add_events(request, line, ";");
	return masks_take(request, option, line + 1);
}

static void look_at(const struct event_list *list)
{
	int set = 0;

	for (int i = 0; i < list->count; i++) {
		const struct event *event = &list->events[i];

		expect(event->name && *event->name, "an event without a name");
		expect(event->soft || event->levels,
		       "an event without a level");
		expect(event->set == set || event->set == set + 1,
		       "sets that are not one after the other");
		set = event->set;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct request request;
	static int ready;
	struct event_list list = { NULL, 0 };
	char *text, *line, *rest;
	int refused = 0;

	if (!ready && tables_init("16,23,1,0"))
		abort();
	ready = 1;
	if (size > INPUT_MAX)
		return 0;
	text = rest = calloc(1, size + 1);
	memcpy(text, data, size);
	memset(&request, 0, sizeof(request));
	diag_quiet(true);
	while (!refused && (line = strsep(&rest, "\n")))
		refused = take_line(&request, line);
	if (!refused && !events_parse(&list, request.events, LEVEL_USER))
		look_at(&list);
	events_free(&list);
	diag_quiet(false);
	free(text);
	return 0;
}
